//! serde_json: a reader of whole texts, without its features `arbitrary_precision` and `preserve_order`.
//!
//! Its `Map` is sorted, holds the last of several members of one name, and numbers beyond 64 bits become `f64`: that is
//! documented, and not promised here. The place is the line and column "at which the error was detected".

use argseal_conformance::{Answer, Hello, Read, Request, Subject, SubjectError};
use serde_json::{Map, Value};

pub(crate) struct SerdeJson;

impl Subject for SerdeJson {
    fn hello(&mut self) -> Result<Hello, SubjectError> {
        let without = ["value/order", "value/duplicates", "value/digits"];
        Ok(crate::hello("serde_json", "1.0.154", &crate::WHOLE, &without))
    }

    fn ask(&mut self, request: &Request) -> Result<Answer, SubjectError> {
        let Request::Read { deltas, .. } = request else { return Ok(Answer::Unsupported("one text only".to_owned())) };
        let text = deltas.concat();
        Ok(Answer::Read(match serde_json::from_slice::<Map<String, Value>>(&text) {
            Ok(map) => Read { accept: true, value: Some(Value::Object(map).to_string()), ..Read::default() },
            Err(error) => {
                let place = (!error.is_eof() && !error.is_data()).then(|| offset(&text, error.line(), error.column()));
                Read { place, ..Read::default() }
            }
        }))
    }
}

/// The byte of a line and column, both counted from 1.
fn offset(text: &[u8], line: usize, column: usize) -> u64 {
    let before = text.split_inclusive(|&byte| byte == b'\n').take(line.saturating_sub(1));
    (before.map(<[u8]>::len).sum::<usize>() + column.saturating_sub(1)) as u64
}
