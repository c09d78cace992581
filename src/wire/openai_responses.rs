//! `OpenAI` Responses, and those that speak it. Calls are known by `output_index` and `call_id`: gateways give items a new
//! `item_id` with every event.

use super::numbering::{Numbering, Order};
use super::payload::{complaint, list, number, objects, piece, text};
use super::router::Router;
use super::stream::ErrorKind;
use crate::calls::{Carries, Chunk, Input, Key, Marker, Start};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

pub(super) fn decode(
    event: Option<&str>,
    data: &str,
    numbering: &mut Numbering,
    router: &mut Router<'_>,
) -> Result<(), serde_json::Error> {
    objects(data, |payload: Payload<'_>| {
        let kind = text(payload.kind);
        let kind = kind.as_deref().or(event).unwrap_or_default();
        if kind == "response.created" {
            // A proxy that tries again splices a second response into the stream.
            numbering.restart();
            router.calls.restart();
        }
        match numbering.order(number(payload.sequence_number), data) {
            Order::Next => read(kind, &payload, router),
            Order::Gap { expected, got } => {
                router.fail(ErrorKind::Numbering, format!("event {got} where {expected} was expected"));
                read(kind, &payload, router);
            }
            Order::Stale { expected, got } => {
                router
                    .report(ErrorKind::Numbering, format!("event {got} again or late, where {expected} was expected"));
            }
            Order::Meaningless => {
                router.fail(ErrorKind::Numbering, "two events bear the same number".to_owned());
                read(kind, &payload, router);
            }
        }
    })
}

fn read(kind: &str, payload: &Payload<'_>, router: &mut Router<'_>) {
    let index = number(payload.output_index);
    let here = Chunk { index, ..Chunk::default() };
    let statement = text(payload.arguments.or(payload.input));
    match kind {
        "response.output_item.added" => {
            if let Some(item) = &payload.item {
                self::item(index, item, router);
            }
        }
        "response.function_call_arguments.delta" | "response.mcp_call_arguments.delta" => {
            router.delta(&here, Carries::Arguments, piece(payload.delta));
        }
        "response.custom_tool_call_input.delta" => {
            router.delta(&here, Carries::Free, piece(payload.delta));
        }
        "response.function_call_arguments.done" | "response.mcp_call_arguments.done" => {
            stated(&here, Carries::Arguments, statement.as_deref(), router);
        }
        "response.custom_tool_call_input.done" => stated(&here, Carries::Free, statement.as_deref(), router),
        "response.output_item.done" => {
            if let Some(item) = &payload.item {
                item_done(index, item, router);
            }
        }
        "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
            ended(kind.trim_start_matches("response."), payload.response.as_ref(), router);
        }
        "error" => router.error(match (payload.error, text(payload.message)) {
            (Some(error), _) => complaint(error),
            (None, message) => {
                let parts = [text(payload.code), message];
                parts.into_iter().flatten().collect::<Vec<Cow<'_, str>>>().join(": ")
            }
        }),
        _ => {}
    }
}

/// A done event of the arguments: the item's own, with its status, is still to come.
fn stated(here: &Chunk<'_>, carries: Carries, statement: Option<&str>, router: &mut Router<'_>) {
    let key = router.delta(here, carries, None);
    if let Some(statement) = statement {
        router.calls.state(key, statement);
    }
}

fn item(index: Option<u64>, item: &Item<'_>, router: &mut Router<'_>) -> Option<Key> {
    let carries = match &*text(item.kind)? {
        "function_call" | "mcp_call" => Carries::Arguments,
        "custom_tool_call" => Carries::Free,
        _ => return None,
    };
    let id = text(item.call_id).or_else(|| text(item.id));
    let name = text(item.name);
    let known = id.as_deref().and_then(|id| router.calls.of_id(id));
    // A call whose start was never seen has only its index so far.
    let nameless = index
        .and_then(|index| router.calls.at_index(index))
        .filter(|key| router.calls.identity(*key).is_some_and(|(id, name)| id.is_none() && name.is_none()));
    if known.is_none() && nameless.is_some() {
        let chunk = Chunk { index, id: id.as_deref(), name: name.as_deref(), arguments: None };
        return Some(router.delta(&chunk, carries, None));
    }
    let start = Start { index, id: id.as_deref(), name: name.as_deref(), carries, input: Input::Absent };
    Some(router.open(&start))
}

fn item_done(index: Option<u64>, item: &Item<'_>, router: &mut Router<'_>) {
    let Some(key) = self::item(index, item, router) else { return };
    let marker = match text(item.status).as_deref() {
        Some("incomplete" | "failed" | "in_progress") => Marker::Incomplete,
        Some(_) | None => Marker::Normal,
    };
    router.mark(key, marker, text(item.arguments.or(item.input)).as_deref());
}

fn ended(word: &str, response: Option<&Response<'_>>, router: &mut Router<'_>) {
    if let Some(response) = response {
        // Some send the calls only here.
        for (index, item) in list::<Item<'_>>(response.output).unwrap_or_default().iter().enumerate() {
            let id = text(item.call_id).or_else(|| text(item.id));
            let index = index as u64;
            let known = id.is_some_and(|id| router.calls.of_id(&id).is_some());
            if !known && router.calls.at_index(index).is_none() {
                item_done(Some(index), item, router);
            }
        }
    }
    let why = response.and_then(|response| response.incomplete_details.as_ref()).and_then(|why| text(why.reason));
    match why.filter(|_| word == "incomplete") {
        Some(why) => router.terminal(&format!("incomplete:{why}"), None),
        None => router.terminal(word, None),
    }
    if let Some(error) = response.and_then(|response| response.error) {
        router.error(complaint(error));
    }
    router.done();
}

#[derive(Deserialize)]
struct Payload<'p> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'p RawValue>,
    sequence_number: Option<&'p RawValue>,
    output_index: Option<&'p RawValue>,
    item: Option<Item<'p>>,
    delta: Option<&'p RawValue>,
    arguments: Option<&'p RawValue>,
    input: Option<&'p RawValue>,
    response: Option<Response<'p>>,
    error: Option<&'p RawValue>,
    code: Option<&'p RawValue>,
    message: Option<&'p RawValue>,
}

#[derive(Deserialize)]
struct Item<'p> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'p RawValue>,
    id: Option<&'p RawValue>,
    call_id: Option<&'p RawValue>,
    name: Option<&'p RawValue>,
    arguments: Option<&'p RawValue>,
    input: Option<&'p RawValue>,
    status: Option<&'p RawValue>,
}

#[derive(Deserialize)]
struct Response<'p> {
    #[serde(borrow)]
    output: Option<&'p RawValue>,
    incomplete_details: Option<IncompleteDetails<'p>>,
    error: Option<&'p RawValue>,
}

#[derive(Deserialize)]
struct IncompleteDetails<'p> {
    #[serde(borrow)]
    reason: Option<&'p RawValue>,
}
