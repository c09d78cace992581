//! Anthropic Messages: <https://platform.claude.com/docs/en/build-with-claude/streaming>.

use super::payload::{complaint, number, objects, piece, text};
use super::router::Router;
use crate::calls::{Carries, Chunk, Input, Marker, Start};
use serde::Deserialize;
use serde_json::value::RawValue;

pub(super) fn decode(event: Option<&str>, data: &str, router: &mut Router<'_>) -> Result<(), serde_json::Error> {
    objects(data, |payload: Payload<'_>| {
        let kind = text(payload.kind);
        let index = number(payload.index);
        match kind.as_deref().or(event).unwrap_or_default() {
            // A proxy that tries again splices a second message into the stream.
            "message_start" => router.calls.restart(),
            "content_block_start" => start(index, &payload.content_block.unwrap_or_default(), router),
            "content_block_delta" => {
                let delta = payload.delta.unwrap_or_default();
                if let Some(json) = piece(delta.partial_json) {
                    router.delta(&Chunk { index, ..Chunk::default() }, Carries::Arguments, Some(json));
                }
            }
            "content_block_stop" => {
                if let Some(key) = index.and_then(|index| router.calls.at_index(index)) {
                    router.mark(key, Marker::Normal, None);
                }
            }
            "message_delta" => {
                if let Some(reason) = text(payload.delta.unwrap_or_default().stop_reason) {
                    router.terminal(&reason, None);
                }
            }
            "message_stop" => router.done(),
            "error" => router.error(payload.error.map_or_else(|| "error".to_owned(), complaint)),
            _ => {}
        }
    })
}

fn start(index: Option<u64>, block: &Block<'_>, router: &mut Router<'_>) {
    // tool_use, server_tool_use, mcp_tool_use
    if text(block.kind).is_none_or(|kind| !kind.ends_with("tool_use")) {
        if let Some(index) = index {
            router.calls.forget_index(index);
        }
        return;
    }
    let (id, name) = (text(block.id), text(block.name));
    let input = if block.input.is_some() { Input::Carried } else { Input::Absent };
    let start = Start { index, id: id.as_deref(), name: name.as_deref(), carries: Carries::Arguments, input };
    let key = router.open(&start);
    if let Some(input) = block.input.map(RawValue::get).filter(|input| !is_empty_object(input)) {
        router.calls.state_initially(key, input);
    }
}

/// `{}`, as start events carry it where deltas will follow.
pub(super) fn is_empty_object(input: &str) -> bool {
    let inside = input.strip_prefix('{').and_then(|input| input.strip_suffix('}'));
    inside.is_some_and(|inside| inside.trim_ascii().is_empty())
}

#[derive(Deserialize)]
struct Payload<'p> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'p RawValue>,
    index: Option<&'p RawValue>,
    content_block: Option<Block<'p>>,
    delta: Option<Delta<'p>>,
    error: Option<&'p RawValue>,
}

#[derive(Default, Deserialize)]
struct Block<'p> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'p RawValue>,
    id: Option<&'p RawValue>,
    name: Option<&'p RawValue>,
    input: Option<&'p RawValue>,
}

#[derive(Default, Deserialize)]
struct Delta<'p> {
    #[serde(borrow)]
    partial_json: Option<&'p RawValue>,
    stop_reason: Option<&'p RawValue>,
}
