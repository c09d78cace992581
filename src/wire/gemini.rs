//! Gemini `generateContent` and Vertex: whole calls in one part, or Vertex `partialArgs` over several.

use super::partial_args::{PartialArg, PartialArgs};
use super::payload::{complaint, list, number, objects, text};
use super::router::Router;
use crate::calls::{Carries, Input, Start};
use crate::verdict::code::End;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

pub(super) fn decode(
    data: &str,
    under_way: &mut BTreeMap<u64, PartialArgs>,
    router: &mut Router<'_>,
) -> Result<(), serde_json::Error> {
    let mut read = Ok(());
    objects(data, |payload: Payload<'_>| {
        let error = payload.error;
        let inner = payload.response.and_then(|inner| serde_json::from_str(inner.get()).ok());
        let payload: Payload<'_> = inner.unwrap_or(payload);
        read = list::<Candidate<'_>>(payload.candidates)
            .map(|candidates| candidates.iter().for_each(|candidate| choice(candidate, under_way, router)));
        if let Some(error) = error.or(payload.error) {
            router.error(complaint(error));
        }
    })?;
    read
}

/// A candidate, with what it remembers from event to event.
fn choice(candidate: &Candidate<'_>, all: &mut BTreeMap<u64, PartialArgs>, router: &mut Router<'_>) {
    let index = number(candidate.index);
    router.turn_to(index);
    let mut under_way = all.remove(&index.unwrap_or_default()).unwrap_or_default();
    self::candidate(candidate, &mut under_way, router);
    match under_way.key() {
        // The rest of its leaves would not be told from those of another.
        Some(key) if all.len() >= MAX_UNDER_WAY => router.calls.conflict(key),
        Some(_) => drop(all.insert(index.unwrap_or_default(), under_way)),
        None => {}
    }
}

fn candidate(candidate: &Candidate<'_>, under_way: &mut PartialArgs, router: &mut Router<'_>) {
    let parts = candidate.content.as_ref().and_then(|content| content.parts.as_ref());
    for call in parts.into_iter().flatten().filter_map(|part| part.function_call.as_ref()) {
        function_call(call, under_way, router);
    }
    if let Some(reason) = text(candidate.finish_reason) {
        // The part that ends the call is left out by some: a normal reason stands for it.
        if End::of_stop_reason(router.format, &reason) == End::Complete {
            under_way.finish(router);
        }
        router.terminal(&reason, None);
        // Other candidates may go on.
        router.log.done = true;
    }
}

fn function_call(call: &FunctionCall<'_>, under_way: &mut PartialArgs, router: &mut Router<'_>) {
    let (id, name) = (text(call.id), text(call.name).filter(|name| !name.is_empty()));
    let continues = call.will_continue == Some(true);
    let same = under_way.key().is_some_and(|key| {
        let known = router.calls.identity(key).and_then(|(id, _)| id);
        id.as_deref().is_some_and(|id| known == Some(id))
    });
    let key = match (under_way.key(), &name) {
        (Some(key), None) => key,
        (Some(key), Some(_)) if same => key,
        (_, None) if call.args.is_none() && call.partial_args.is_none() => return,
        (before, _) => {
            if before.is_some() {
                under_way.finish(router);
            }
            let index = Some(router.calls.len() as u64);
            let start = Start {
                index,
                id: id.as_deref(),
                name: name.as_deref(),
                carries: Carries::Arguments,
                input: Input::Absent,
            };
            let key = router.open(&start);
            under_way.begin(key);
            key
        }
    };
    if let Some(args) = call.args {
        router.feed(key, args.get().as_bytes());
    }
    for part in call.partial_args.iter().flatten() {
        under_way.add(part, router);
    }
    if !continues {
        under_way.finish(router);
    }
}

/// Candidates whose calls are written at the same time; the API gives eight at most.
const MAX_UNDER_WAY: usize = 128;

#[derive(Deserialize)]
struct Payload<'p> {
    #[serde(borrow)]
    candidates: Option<&'p RawValue>,
    error: Option<&'p RawValue>,
    /// Gateways wrap the whole payload.
    response: Option<&'p RawValue>,
}

#[derive(Deserialize)]
struct Candidate<'p> {
    #[serde(borrow)]
    index: Option<&'p RawValue>,
    content: Option<Content<'p>>,
    #[serde(rename = "finishReason")]
    finish_reason: Option<&'p RawValue>,
}

#[derive(Deserialize)]
struct Content<'p> {
    #[serde(borrow)]
    parts: Option<Vec<Part<'p>>>,
}

#[derive(Deserialize)]
struct Part<'p> {
    #[serde(borrow, rename = "functionCall")]
    function_call: Option<FunctionCall<'p>>,
}

#[derive(Deserialize)]
struct FunctionCall<'p> {
    #[serde(borrow)]
    id: Option<&'p RawValue>,
    name: Option<&'p RawValue>,
    args: Option<&'p RawValue>,
    #[serde(rename = "partialArgs")]
    partial_args: Option<Vec<PartialArg<'p>>>,
    #[serde(rename = "willContinue")]
    will_continue: Option<bool>,
}
