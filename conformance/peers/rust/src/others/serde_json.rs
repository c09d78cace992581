//! serde_json: a reader of whole texts, without its features `arbitrary_precision` and `preserve_order`.
//!
//! Its `Map` is sorted, holds the last of several members of one name, and numbers beyond 64 bits become `f64`: that is
//! documented, and not promised here. The place is the line and column "at which the error was detected".

use argseal_conformance::{Answer, Hello, Level, Read, Request, Subject, SubjectError, Tool};
use serde_json::{Map, Value};

pub(crate) struct SerdeJson;

impl Subject for SerdeJson {
    fn hello(&mut self) -> Result<Hello, SubjectError> {
        let without = ["value/order", "value/duplicates", "value/digits"];
        Ok(crate::hello("serde_json", "1.0.154", &super::WHOLE, &without))
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

/// The same, and what it accepts is validated against the tool's schema by the `jsonschema` crate: levels cut and damage.
pub(crate) struct Validated;

impl Subject for Validated {
    fn hello(&mut self) -> Result<Hello, SubjectError> {
        Ok(Hello {
            name: "serde_json + jsonschema".to_owned(),
            version: "1.0.154 + 0.61.2".to_owned(),
            levels: vec![Level::Cut, Level::Damage],
            ..SerdeJson.hello()?
        })
    }

    fn ask(&mut self, request: &Request) -> Result<Answer, SubjectError> {
        let answer = SerdeJson.ask(request)?;
        let (Request::Read { tool: Some(tool), .. }, Answer::Read(Read { value: Some(text), .. })) = (request, &answer)
        else {
            return Ok(answer);
        };
        match is_valid(tool, text) {
            Ok(true) => Ok(answer),
            Ok(false) => Ok(Answer::Read(Read::default())),
            Err(reason) => Ok(Answer::Unsupported(reason)),
        }
    }
}

fn is_valid(tool: &Tool, text: &str) -> Result<bool, String> {
    let schema: Value = serde_json::from_str(tool.parameters.get()).map_err(|error| error.to_string())?;
    let validator = jsonschema::validator_for(&schema).map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Ok(validator.is_valid(&value))
}

/// The byte of a line and column, both counted from 1.
fn offset(text: &[u8], line: usize, column: usize) -> u64 {
    let before = text.split_inclusive(|&byte| byte == b'\n').take(line.saturating_sub(1));
    (before.map(<[u8]>::len).sum::<usize>() + column.saturating_sub(1)) as u64
}
