//! Cohere v2 Chat.

use super::payload::{complaint, number, objects, piece, text};
use super::router::Router;
use crate::calls::{Carries, Chunk, Input, Marker, Start};
use serde::Deserialize;
use serde_json::value::RawValue;

pub(super) fn decode(event: Option<&str>, data: &str, router: &mut Router<'_>) -> Result<(), serde_json::Error> {
    objects(data, |payload: Payload<'_>| {
        let kind = text(payload.kind);
        let index = number(payload.index);
        let delta = payload.delta.unwrap_or_default();
        let call = delta.message.and_then(|message| message.tool_calls).unwrap_or_default();
        let function = call.function.unwrap_or_default();
        match kind.as_deref().or(event).unwrap_or_default() {
            "tool-call-start" => {
                let (id, name) = (text(call.id), text(function.name));
                let key = router.open(&Start {
                    index,
                    id: id.as_deref(),
                    name: name.as_deref(),
                    carries: Carries::Arguments,
                    input: Input::Absent,
                });
                if let Some(arguments) = piece(function.arguments) {
                    router.feed(key, &arguments);
                }
            }
            "tool-call-delta" => {
                router.delta(&Chunk { index, ..Chunk::default() }, Carries::Arguments, piece(function.arguments));
            }
            "tool-call-end" => {
                if let Some(key) = index.and_then(|index| router.calls.at_index(index)) {
                    router.mark(key, Marker::Normal, None);
                }
            }
            "message-end" => {
                if let Some(reason) = text(delta.finish_reason) {
                    router.terminal(&reason, None);
                }
                if let Some(error) = delta.error {
                    router.error(complaint(error));
                }
                router.done();
            }
            _ => {
                if let Some(error) = payload.error {
                    router.error(complaint(error));
                }
            }
        }
    })
}

#[derive(Deserialize)]
struct Payload<'p> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'p RawValue>,
    index: Option<&'p RawValue>,
    delta: Option<Delta<'p>>,
    error: Option<&'p RawValue>,
}

#[derive(Default, Deserialize)]
struct Delta<'p> {
    #[serde(borrow, default, deserialize_with = "message")]
    message: Option<Message<'p>>,
    finish_reason: Option<&'p RawValue>,
    error: Option<&'p RawValue>,
}

/// The start of the message holds a list in the place of the one call.
fn message<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Message<'de>>, D::Error> {
    let source = Option::<&RawValue>::deserialize(deserializer)?;
    Ok(source.and_then(|source| serde_json::from_str(source.get()).ok()))
}

#[derive(Deserialize)]
struct Message<'p> {
    #[serde(borrow)]
    tool_calls: Option<ToolCall<'p>>,
}

#[derive(Default, Deserialize)]
struct ToolCall<'p> {
    #[serde(borrow)]
    id: Option<&'p RawValue>,
    function: Option<Function<'p>>,
}

#[derive(Default, Deserialize)]
struct Function<'p> {
    #[serde(borrow)]
    name: Option<&'p RawValue>,
    arguments: Option<&'p RawValue>,
}
