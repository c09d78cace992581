//! argseal: every level.
//!
//! Without a tool the text alone is judged, and nothing is changed. With one, the judgement is by its schema and no grant
//! is given: the default policy has nothing to repair by.

use argseal::calls::{Calls, Chunk, Payload};
use argseal::{Call, Judgement, Policy, Rejected, Rule, Settings, Tool, Tools, ValueRef};
use argseal_conformance::{Answer, End, Hello, Level, Read, Request, Subject, SubjectError, protocol};

/// argseal, as its documentation says it is to be used.
pub struct Argseal;

impl Subject for Argseal {
    fn hello(&mut self) -> Result<Hello, SubjectError> {
        Ok(crate::hello("argseal", env!("CARGO_PKG_VERSION"), &Level::ALL, &[]))
    }

    fn ask(&mut self, request: &Request) -> Result<Answer, SubjectError> {
        match request {
            Request::Read { deltas, end, tool, views } => {
                let tool = match tool.as_ref().map(declared).transpose() {
                    Ok(tool) => tool,
                    Err(reason) => return Ok(Answer::Unsupported(reason)),
                };
                let mut read = read(deltas, *end, tool.as_ref());
                read.views = views.then(|| shown(deltas, tool.as_ref()));
                Ok(Answer::Read(read))
            }
            Request::Split { chunks, end } => Ok(Answer::Split(split(chunks, *end))),
        }
    }
}

fn declared(tool: &protocol::Tool) -> Result<Tool, String> {
    let schema = serde_json::from_str(tool.parameters.get()).map_err(|error| error.to_string())?;
    Tool::new(tool.name.as_str(), &schema).map_err(|error| error.to_string())
}

fn call(tool: Option<&Tool>) -> Call {
    match tool {
        Some(tool) => {
            let settings = Settings::default().with_policy(Policy::Narrow).with_judgement(Judgement::Schema);
            Call::new(tool).with_settings(&settings)
        }
        // Blank text is no JSON text.
        None => Call::default().with_settings(&Settings::passthrough().without_rule(Rule::Empty)),
    }
}

fn read(deltas: &[Vec<u8>], end: End, tool: Option<&Tool>) -> Read {
    let mut call = call(tool);
    for delta in deltas {
        call.feed_bytes(delta);
    }
    match call.finish(ended(end)) {
        Ok(accepted) => Read { accept: true, value: Some(accepted.into_text()), ..Read::default() },
        Err(rejected) => Read { place: place(&rejected), ..Read::default() },
    }
}

/// The first byte that continues no JSON text: the place of a code that speaks of syntax. Of a cut text argseal tells the
/// length, of a root that is no object its beginning.
fn place(rejected: &Rejected) -> Option<u64> {
    let diagnosis = rejected.diagnosis();
    let name = diagnosis.code().name();
    let is_other = name.starts_with("truncated") || matches!(name, "empty-arguments" | "type-mismatch");
    if is_other { None } else { diagnosis.at() }
}

/// What a host shows after each delta.
fn shown(deltas: &[Vec<u8>], tool: Option<&Tool>) -> Vec<Option<String>> {
    let mut call = call(tool);
    deltas
        .iter()
        .map(|delta| {
            call.feed_bytes(delta);
            let root = call.partial().root().filter(|root| root.kind() == argseal::Kind::Object)?;
            let mut text = String::new();
            render(root, &mut text);
            Some(text)
        })
        .collect()
}

/// Writes a value, complete or not. Depth is bounded by argseal's own limit of 128.
fn render(value: ValueRef<'_>, text: &mut String) {
    if let Some(string) = value.as_str() {
        text.push_str(&quoted(string));
        return;
    }
    match value.kind() {
        argseal::Kind::Array => {
            text.push('[');
            for (index, element) in value.elements().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                render(element, text);
            }
            text.push(']');
        }
        argseal::Kind::Object => {
            text.push('{');
            for (index, member) in value.members().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                text.push_str(&quoted(member.name));
                text.push(':');
                render(member.value, text);
            }
            text.push('}');
        }
        _ => text.push_str(value.text()),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn split(chunks: &[protocol::Chunk], end: End) -> Vec<protocol::Call> {
    let mut calls = Calls::new(&Tools::default(), &Settings::passthrough());
    for chunk in chunks {
        calls.chunk(Chunk {
            index: chunk.index,
            id: chunk.id.as_ref().and_then(Option::as_deref),
            name: chunk.name.as_ref().and_then(Option::as_deref),
            arguments: chunk.arguments.as_ref().and_then(Option::as_deref),
        });
    }
    let settled = calls.finish(ended(end));
    settled
        .into_iter()
        .map(|call| {
            let value = match call.payload {
                Payload::Arguments(Ok(accepted)) => Some(accepted.into_text()),
                Payload::Arguments(Err(_)) | Payload::Text(_) => None,
            };
            protocol::Call { id: call.id, name: call.name, accept: value.is_some(), value }
        })
        .collect()
}

fn ended(end: End) -> argseal::End {
    match end {
        End::Complete => argseal::End::Complete,
        End::Truncated => argseal::End::Truncated,
        End::Filtered => argseal::End::Filtered,
        End::Disconnected => argseal::End::Disconnected,
        End::Cancelled => argseal::End::Cancelled,
    }
}
