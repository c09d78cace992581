//! The answer of the NDJSON interface to one call.

use std::io::Write;

use argseal::{Accepted, Diagnosis, Edit, Note, Rejected};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::failure::Failure;

/// One judged call, in the order of the interface.
#[derive(Serialize)]
pub(crate) struct Answer<'a> {
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    verdict: Judged<'a>,
}

/// The part of an answer that `replay` prints too.
#[derive(Serialize)]
pub(crate) struct Judged<'a> {
    outcome: &'static str,
    arguments: Option<Box<RawValue>>,
    text: Option<&'a str>,
    edits: &'a [Edit],
    actions: &'a [String],
    notes: Vec<&'a Note>,
    diagnosis: Option<&'a Diagnosis>,
}

/// A line that could not be judged.
#[derive(Serialize)]
pub(crate) struct Refusal<'a> {
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) error: String,
}

impl<'a> Answer<'a> {
    pub(crate) fn new(id: Option<&'a RawValue>, verdict: &'a Result<Accepted, Rejected>) -> Self {
        Self { id, verdict: Judged::new(verdict) }
    }
}

impl<'a> Judged<'a> {
    pub(crate) fn new(verdict: &'a Result<Accepted, Rejected>) -> Self {
        match verdict {
            Ok(accepted) => Self {
                outcome: accepted.verdict().name(),
                arguments: Some(value(compact(accepted.text()))),
                text: Some(accepted.text()),
                edits: accepted.audit().edits(),
                actions: accepted.audit().actions(),
                notes: accepted.notes().iter().collect(),
                diagnosis: None,
            },
            Err(rejected) => Self {
                outcome: "rejected",
                arguments: None,
                text: None,
                edits: &[],
                actions: &[],
                notes: rejected.notes().iter().collect(),
                diagnosis: Some(rejected.diagnosis()),
            },
        }
    }
}

impl<'a> Judged<'a> {
    /// The free text of a custom tool, which is not judged.
    pub(crate) fn of_text(text: &'a str) -> Self {
        Self {
            outcome: "text",
            arguments: None,
            text: Some(text),
            edits: &[],
            actions: &[],
            notes: Vec::new(),
            diagnosis: None,
        }
    }

    /// The same with what the wire's rules found before.
    pub(crate) fn after(mut self, notes: &'a [Note]) -> Self {
        self.notes.splice(0..0, notes);
        self
    }
}

/// Writes one line and sends it off.
pub(crate) fn write_line(out: &mut dyn Write, answer: &impl Serialize) -> Result<(), Failure> {
    let mut line = serde_json::to_vec(answer).map_err(|error| Failure::from(std::io::Error::from(error)))?;
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()?;
    Ok(())
}

/// A JSON text, as it is, inside another.
pub(crate) fn value(text: String) -> Box<RawValue> {
    RawValue::from_string(text).expect("an accepted text is JSON")
}

/// A JSON text without the blanks between its tokens. The tokens stay as they are: numbers keep their digits, strings
/// their escapes.
pub(crate) fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(quote) = rest.find('"') {
        push_tokens(&mut out, &rest[..quote]);
        let end = string_end(rest.as_bytes(), quote);
        out.push_str(&rest[quote..end]);
        rest = &rest[end..];
    }
    push_tokens(&mut out, rest);
    out
}

/// Appends text that holds no string, without its blanks.
fn push_tokens(out: &mut String, text: &str) {
    out.extend(text.split([' ', '\t', '\n', '\r']));
}

/// One past the closing quote of the string that opens at `quote`; the length of the text if it is not closed.
fn string_end(bytes: &[u8], quote: usize) -> usize {
    let mut i = quote + 1;
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'"' => return i + 1,
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_go_and_tokens_stay() {
        let text = "\r\n{ \"a b\" :\t[ 1.0 , 2E5 , \"\\\" {  } \\\\\" ] , \"ü\" : { } }\n";
        assert_eq!(compact(text), r#"{"a b":[1.0,2E5,"\" {  } \\"],"ü":{}}"#);
        assert_eq!(compact(r#"{"n":3305118820117000003,"e":1e400}"#), r#"{"n":3305118820117000003,"e":1e400}"#);
    }
}
