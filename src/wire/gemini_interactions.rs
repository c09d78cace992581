//! Gemini Interactions: steps, each with a start, deltas and a stop.

use super::anthropic::is_empty_object;
use super::payload::{complaint, number, objects, piece, text};
use super::router::Router;
use crate::calls::{Carries, Chunk, Input, Marker, Start};
use serde::Deserialize;
use serde_json::value::RawValue;

pub(super) fn decode(event: Option<&str>, data: &str, router: &mut Router<'_>) -> Result<(), serde_json::Error> {
    objects(data, |payload: Payload<'_>| {
        let kind = text(payload.event_type);
        let index = number(payload.index);
        match kind.as_deref().or(event).unwrap_or_default() {
            "interaction.created" => router.calls.restart(),
            "step.start" => start(index, &payload.step.unwrap_or_default(), router),
            "step.delta" => {
                let delta = payload.delta.unwrap_or_default();
                if text(delta.kind).is_some_and(|kind| kind == "arguments_delta") {
                    let arguments = piece(delta.arguments);
                    router.delta(&Chunk { index, ..Chunk::default() }, Carries::Arguments, arguments);
                }
            }
            "step.stop" => {
                if let Some(key) = index.and_then(|index| router.calls.at_index(index)) {
                    router.mark(key, Marker::Normal, None);
                }
            }
            "error" => router.error(payload.error.map_or_else(|| "error".to_owned(), complaint)),
            _ => {
                let interaction = payload.interaction.unwrap_or_default();
                let status = text(interaction.status).filter(|status| status != "in_progress");
                if let Some(status) = status {
                    router.terminal(&status, None);
                    router.done();
                }
            }
        }
    })
}

fn start(index: Option<u64>, step: &Step<'_>, router: &mut Router<'_>) {
    if text(step.kind).is_none_or(|kind| kind != "function_call") {
        if let Some(index) = index {
            router.calls.forget_index(index);
        }
        return;
    }
    let (id, name) = (text(step.id), text(step.name));
    let input = if step.arguments.is_some() { Input::Carried } else { Input::Absent };
    let start = Start { index, id: id.as_deref(), name: name.as_deref(), carries: Carries::Arguments, input };
    let key = router.open(&start);
    if let Some(arguments) = step.arguments.map(RawValue::get).filter(|arguments| !is_empty_object(arguments)) {
        router.calls.state_initially(key, arguments);
    }
}

#[derive(Deserialize)]
struct Payload<'p> {
    #[serde(borrow)]
    event_type: Option<&'p RawValue>,
    index: Option<&'p RawValue>,
    step: Option<Step<'p>>,
    delta: Option<Delta<'p>>,
    interaction: Option<Interaction<'p>>,
    error: Option<&'p RawValue>,
}

#[derive(Default, Deserialize)]
struct Step<'p> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'p RawValue>,
    id: Option<&'p RawValue>,
    name: Option<&'p RawValue>,
    arguments: Option<&'p RawValue>,
}

#[derive(Default, Deserialize)]
struct Delta<'p> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'p RawValue>,
    arguments: Option<&'p RawValue>,
}

#[derive(Default, Deserialize)]
struct Interaction<'p> {
    #[serde(borrow)]
    status: Option<&'p RawValue>,
}
