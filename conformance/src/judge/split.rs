//! Split: the calls of one response, in the order in which they are opened.

use super::{Bench, Failure, Stop, meant};
use crate::cases::ExpectedCall;
use crate::compare::{Apart, difference};
use crate::exact::{self, Halves};
use crate::protocol::{Answer, Call, Chunk, Request};
use crate::tree::clip;

pub(super) fn split(bench: &mut Bench<'_>, calls: &[ExpectedCall]) -> Result<(), Stop> {
    let request = Request::Split { chunks: bench.case.chunks.clone(), end: bench.case.end };
    let failed = |got: &str| {
        let input = bench.case.chunks.iter().map(told).collect::<Vec<_>>().join(" · ");
        let expected = calls.iter().map(meant_call).collect::<Vec<_>>().join("; ");
        Stop::Failed(Failure { input: clip(&input, 900), expected: clip(&expected, 600), got: clip(got, 600) })
    };
    let got = match bench.subject.ask(&request) {
        Ok(Answer::Split(got)) => got,
        Ok(Answer::Read(_)) => return Err(failed("an answer to another question")),
        Ok(Answer::Unsupported(reason)) => return Err(Stop::Unsupported(reason)),
        Err(error) => return Err(failed(&error.to_string())),
    };
    let all = || got.iter().map(got_call).collect::<Vec<_>>().join("; ");
    if got.len() != calls.len() {
        return Err(failed(&format!("{} calls: {}", got.len(), all())));
    }
    for (index, (expected, call)) in calls.iter().zip(&got).enumerate() {
        let wrong = |what: &str| failed(&format!("call {}: {what}: {}", index + 1, all()));
        if present(expected.id.as_ref()) != present(call.id.as_ref()) {
            return Err(wrong("another id"));
        }
        if present(expected.name.as_ref()) != present(call.name.as_ref()) {
            return Err(wrong("another name"));
        }
        let Some(value) = &expected.value else {
            if call.accept {
                return Err(wrong("accepted"));
            }
            continue;
        };
        if !call.accept {
            return Err(wrong("refused"));
        }
        let Some(tree) = call.value.as_deref().and_then(|text| exact::value(text, Halves::Kept)) else {
            return Err(wrong("a value that is no JSON text"));
        };
        if let Some(words) = difference(&meant(value)?, &tree, bench.hello.without(), Apart::Nothing) {
            return Err(wrong(&words));
        }
    }
    Ok(())
}

/// `""` is no id and no name.
fn present(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.is_empty())
}

fn told(chunk: &Chunk) -> String {
    serde_json::to_string(chunk).unwrap_or_default()
}

fn meant_call(call: &ExpectedCall) -> String {
    let value = call.value.as_deref().unwrap_or("refused");
    format!("{} {} {value}", call.id.as_deref().unwrap_or("no id"), call.name.as_deref().unwrap_or("no name"))
}

fn got_call(call: &Call) -> String {
    let value = if call.accept { call.value.as_deref().unwrap_or("no value") } else { "refused" };
    format!("{} {} {value}", call.id.as_deref().unwrap_or("no id"), call.name.as_deref().unwrap_or("no name"))
}
