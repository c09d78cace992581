//! partial-json-fixer: closes a text that is cut.
//!
//! Documented for displaying a response that is still being received: views only. What it returns is read by serde_json,
//! so it has the latter's sorted members and rounded numbers.

use argseal_conformance::{Answer, Hello, Level, Read, Request, Subject, SubjectError};
use serde_json::{Map, Value};

pub(crate) struct Fixer;

impl Subject for Fixer {
    fn hello(&mut self) -> Result<Hello, SubjectError> {
        let without = ["value/order", "value/duplicates", "value/digits"];
        Ok(Hello { bytes: false, ..crate::hello("partial-json-fixer", "0.5.5", &[Level::Views], &without) })
    }

    fn ask(&mut self, request: &Request) -> Result<Answer, SubjectError> {
        let Request::Read { deltas, .. } = request else { return Ok(Answer::Unsupported("one text only".to_owned())) };
        let mut text = String::new();
        let mut last = None;
        let mut views = Vec::with_capacity(deltas.len());
        for delta in deltas {
            text.push_str(str::from_utf8(delta).unwrap_or_default());
            // What cannot be read any more leaves what was shown before.
            last = shown(&text).or(last);
            views.push(last.clone());
        }
        Ok(Answer::Read(Read { accept: last.is_some(), value: last, views: Some(views), ..Read::default() }))
    }
}

fn shown(text: &str) -> Option<String> {
    let fixed = partial_json_fixer::fix_json(text);
    let map: Map<String, Value> = serde_json::from_str(&fixed).ok()?;
    Some(Value::Object(map).to_string())
}
