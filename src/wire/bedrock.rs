//! Bedrock `ConverseStream`. In binary frames the event's name is a header; as JSON it is the only key.

use super::format::BEDROCK_EVENTS;
use super::payload::{complaint, number, objects, piece, text};
use super::router::Router;
use crate::calls::{Carries, Chunk, Input, Marker, Start};
use serde::Deserialize;
use serde_json::value::RawValue;

pub(super) fn decode(event: Option<&str>, data: &str, router: &mut Router<'_>) -> Result<(), serde_json::Error> {
    match event {
        Some(event) if BEDROCK_EVENTS.contains(&event) => objects(data, |body: Body<'_>| read(event, &body, router)),
        Some(_) | None => objects(data, |keyed: Keyed<'_>| {
            let events = [
                ("messageStart", keyed.message_start),
                ("contentBlockStart", keyed.start),
                ("contentBlockDelta", keyed.delta),
                ("contentBlockStop", keyed.stop),
                ("messageStop", keyed.message_stop),
            ];
            for (event, body) in events {
                if let Some(body) = body {
                    read(event, &body, router);
                }
            }
            let exceptions = [
                keyed.internal_server,
                keyed.model_stream,
                keyed.service_unavailable,
                keyed.throttling,
                keyed.validation,
            ];
            for exception in exceptions.into_iter().flatten() {
                router.error(complaint(exception));
            }
        }),
    }
}

fn read(event: &str, body: &Body<'_>, router: &mut Router<'_>) {
    let index = number(body.index);
    match event {
        "messageStart" => router.calls.restart(),
        "contentBlockStart" => match body.start.as_ref().and_then(|start| start.tool_use.as_ref()) {
            Some(tool) => {
                let (id, name) = (text(tool.id), text(tool.name));
                router.open(&Start {
                    index,
                    id: id.as_deref(),
                    name: name.as_deref(),
                    carries: Carries::Arguments,
                    input: Input::Absent,
                });
            }
            None => {
                if let Some(index) = index {
                    router.calls.forget_index(index);
                }
            }
        },
        "contentBlockDelta" => {
            if let Some(tool) = body.delta.as_ref().and_then(|delta| delta.tool_use.as_ref()) {
                router.delta(&Chunk { index, ..Chunk::default() }, Carries::Arguments, piece(tool.input));
            }
        }
        "contentBlockStop" => {
            if let Some(key) = index.and_then(|index| router.calls.at_index(index)) {
                router.mark(key, Marker::Normal, None);
            }
        }
        _ => {
            if let Some(reason) = text(body.stop_reason) {
                router.terminal(&reason, None);
                router.done();
            }
        }
    }
}

#[derive(Deserialize)]
struct Keyed<'p> {
    #[serde(borrow, rename = "messageStart")]
    message_start: Option<Body<'p>>,
    #[serde(rename = "contentBlockStart")]
    start: Option<Body<'p>>,
    #[serde(rename = "contentBlockDelta")]
    delta: Option<Body<'p>>,
    #[serde(rename = "contentBlockStop")]
    stop: Option<Body<'p>>,
    #[serde(rename = "messageStop")]
    message_stop: Option<Body<'p>>,
    #[serde(rename = "internalServerException")]
    internal_server: Option<&'p RawValue>,
    #[serde(rename = "modelStreamErrorException")]
    model_stream: Option<&'p RawValue>,
    #[serde(rename = "serviceUnavailableException")]
    service_unavailable: Option<&'p RawValue>,
    #[serde(rename = "throttlingException")]
    throttling: Option<&'p RawValue>,
    #[serde(rename = "validationException")]
    validation: Option<&'p RawValue>,
}

#[derive(Deserialize)]
struct Body<'p> {
    #[serde(borrow, rename = "contentBlockIndex")]
    index: Option<&'p RawValue>,
    start: Option<Block<'p>>,
    delta: Option<Block<'p>>,
    #[serde(rename = "stopReason")]
    stop_reason: Option<&'p RawValue>,
}

#[derive(Deserialize)]
struct Block<'p> {
    #[serde(borrow, rename = "toolUse")]
    tool_use: Option<ToolUse<'p>>,
}

#[derive(Deserialize)]
struct ToolUse<'p> {
    #[serde(borrow, rename = "toolUseId")]
    id: Option<&'p RawValue>,
    name: Option<&'p RawValue>,
    input: Option<&'p RawValue>,
}
