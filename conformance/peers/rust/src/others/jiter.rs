//! jiter: a reader of whole texts, and in its partial mode one of texts that are cut.
//!
//! Members keep their order and stand as often as they were written ("`jiter` does not attempt to deduplicate keys").
//! Without its feature `num-bigint` numbers are `i64` or `f64`: digits are not promised. The partial mode is documented
//! for streamed output and takes part in views only.

use argseal_conformance::{Answer, Hello, Level, Read, Request, Subject, SubjectError};
use jiter::{JsonValue, PartialMode};

pub(crate) struct Jiter;

impl Subject for Jiter {
    fn hello(&mut self) -> Result<Hello, SubjectError> {
        Ok(crate::hello("jiter", "0.19.0", &super::WHOLE, &["value/digits"]))
    }

    fn ask(&mut self, request: &Request) -> Result<Answer, SubjectError> {
        let Request::Read { deltas, .. } = request else { return Ok(Answer::Unsupported("one text only".to_owned())) };
        Ok(Answer::Read(read(&deltas.concat(), PartialMode::Off)))
    }
}

pub(crate) struct JiterPartial;

impl Subject for JiterPartial {
    fn hello(&mut self) -> Result<Hello, SubjectError> {
        Ok(crate::hello("jiter-partial", "0.19.0", &[Level::Views], &["value/digits"]))
    }

    fn ask(&mut self, request: &Request) -> Result<Answer, SubjectError> {
        let Request::Read { deltas, .. } = request else { return Ok(Answer::Unsupported("one text only".to_owned())) };
        let mut text = Vec::new();
        let mut views = Vec::with_capacity(deltas.len());
        let mut last = Read::default();
        for delta in deltas {
            text.extend_from_slice(delta);
            let now = read(&text, PartialMode::TrailingStrings);
            // What cannot be read any more leaves what was shown before.
            if now.accept {
                last = now;
            }
            views.push(last.value.clone());
        }
        Ok(Answer::Read(Read { views: Some(views), ..last }))
    }
}

fn read(text: &[u8], mode: PartialMode) -> Read {
    match JsonValue::parse_owned(text, false, mode) {
        Ok(value @ JsonValue::Object(_)) => {
            let mut written = String::new();
            write(&value, &mut written);
            Read { accept: true, value: Some(written), ..Read::default() }
        }
        Ok(_) => Read::default(),
        Err(error) => Read { place: Some(error.index as u64), ..Read::default() },
    }
}

/// Writes a value as JSON text. Depth is bounded by jiter's own limit of 200.
fn write(value: &JsonValue<'_>, text: &mut String) {
    match value {
        JsonValue::Null => text.push_str("null"),
        JsonValue::Bool(value) => text.push_str(&value.to_string()),
        JsonValue::Int(value) => text.push_str(&value.to_string()),
        JsonValue::Float(value) => text.push_str(&serde_json::Value::from(*value).to_string()),
        JsonValue::Str(value) => text.push_str(&serde_json::Value::from(value.as_ref()).to_string()),
        JsonValue::Array(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write(element, text);
            }
            text.push(']');
        }
        JsonValue::Object(members) => {
            text.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                text.push_str(&serde_json::Value::from(name.as_ref()).to_string());
                text.push(':');
                write(member, text);
            }
            text.push('}');
        }
    }
}
