//! Ollama `/api/chat`: JSON lines, each call whole, its arguments an object.

use super::payload::{complaint, list, number, objects, piece, text};
use super::router::Router;
use crate::calls::{Carries, Input, Marker, Start};
use serde::Deserialize;
use serde_json::value::RawValue;

pub(super) fn decode(data: &str, router: &mut Router<'_>) -> Result<(), serde_json::Error> {
    let mut read = Ok(());
    objects(data, |payload: Payload<'_>| {
        let calls = list::<ToolCall<'_>>(payload.message.and_then(|message| message.tool_calls));
        read = calls.map(|calls| calls.iter().for_each(|call| tool_call(call, router)));
        if payload.done == Some(true) {
            router.terminal(text(payload.done_reason).as_deref().unwrap_or("stop"), None);
            router.done();
        }
        if let Some(error) = payload.error {
            router.error(complaint(error));
        }
    })?;
    read
}

fn tool_call(call: &ToolCall<'_>, router: &mut Router<'_>) {
    let Some(function) = &call.function else { return };
    let (id, name) = (text(call.id), text(function.name));
    let start = Start {
        index: number(function.index),
        id: id.as_deref(),
        name: name.as_deref(),
        carries: Carries::Arguments,
        input: Input::Absent,
    };
    let key = router.open(&start);
    if let Some(arguments) = piece(function.arguments) {
        router.feed(key, &arguments);
    }
    router.mark(key, Marker::Normal, None);
}

#[derive(Deserialize)]
struct Payload<'p> {
    #[serde(borrow)]
    message: Option<Message<'p>>,
    done: Option<bool>,
    done_reason: Option<&'p RawValue>,
    error: Option<&'p RawValue>,
}

#[derive(Deserialize)]
struct Message<'p> {
    #[serde(borrow)]
    tool_calls: Option<&'p RawValue>,
}

#[derive(Deserialize)]
struct ToolCall<'p> {
    #[serde(borrow)]
    id: Option<&'p RawValue>,
    function: Option<Function<'p>>,
}

#[derive(Deserialize)]
struct Function<'p> {
    #[serde(borrow)]
    index: Option<&'p RawValue>,
    name: Option<&'p RawValue>,
    arguments: Option<&'p RawValue>,
}
