//! The answer to one call.

use argseal::{Accepted, Diagnosis, Edit, Note, Rejected};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::{FormError, json};

/// One judged call, in the order of the interface.
///
/// ```
/// use argseal::{End, Tool, judge};
/// use argseal_form::Answer;
/// let verdict = judge(&Tool::opaque("now"), r#"{ "at": 1.50 }"#, End::Complete);
/// let answer = serde_json::to_string(&Answer::new(None, &verdict))?;
/// assert!(answer.starts_with(r#"{"id":null,"outcome":"strict","arguments":{"at":1.50},"text":"{ \"at\": 1.50 }","#));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Serialize)]
pub struct Answer<'a> {
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    verdict: VerdictForm<'a>,
}

/// The part of an answer that speaks of the verdict alone. The accepted text stands in it verbatim, as `arguments`
/// without the blanks between its tokens, and as `text` with every byte.
#[derive(Serialize)]
pub struct VerdictForm<'a> {
    outcome: &'static str,
    arguments: Option<Box<RawValue>>,
    text: Option<&'a str>,
    edits: &'a [Edit],
    actions: &'a [String],
    notes: Vec<&'a Note>,
    diagnosis: Option<&'a Diagnosis>,
}

/// The answer to a request that could not be judged.
#[derive(Debug, Serialize)]
pub struct Refusal<'a> {
    id: Option<&'a RawValue>,
    error: String,
}

impl<'a> Answer<'a> {
    /// The answer to the request of this id.
    pub fn new(id: Option<&'a RawValue>, verdict: &'a Result<Accepted, Rejected>) -> Self {
        Self { id, verdict: VerdictForm::new(verdict) }
    }
}

impl<'a> VerdictForm<'a> {
    /// Every outcome: how a call was accepted, that it was rejected, or that it is the text of a custom tool.
    pub const OUTCOMES: [&'static str; 5] = ["strict", "repaired", "normalized", REJECTED, TEXT];

    /// The form of this verdict.
    pub fn new(verdict: &'a Result<Accepted, Rejected>) -> Self {
        match verdict {
            Ok(accepted) => Self {
                outcome: accepted.verdict().name(),
                arguments: Some(json::verbatim(json::compact(accepted.text()))),
                text: Some(accepted.text()),
                edits: accepted.audit().edits(),
                actions: accepted.audit().actions(),
                notes: accepted.notes().iter().collect(),
                diagnosis: None,
            },
            Err(rejected) => Self {
                outcome: REJECTED,
                arguments: None,
                text: None,
                edits: &[],
                actions: &[],
                notes: rejected.notes().iter().collect(),
                diagnosis: Some(rejected.diagnosis()),
            },
        }
    }

    /// The free text of a custom tool, which is not judged.
    pub fn of_text(text: &'a str) -> Self {
        Self {
            outcome: TEXT,
            arguments: None,
            text: Some(text),
            edits: &[],
            actions: &[],
            notes: Vec::new(),
            diagnosis: None,
        }
    }

    /// The same with what the wire's rules found before.
    #[must_use]
    pub fn after(mut self, notes: &'a [Note]) -> Self {
        self.notes.splice(0..0, notes);
        self
    }
}

impl<'a> Refusal<'a> {
    /// The answer to the request of this id.
    pub fn new(id: Option<&'a RawValue>, error: &FormError) -> Self {
        Self { id, error: error.to_string() }
    }
}

/// Prints outcome and sizes, never contents.
impl std::fmt::Debug for VerdictForm<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VerdictForm")
            .field("outcome", &self.outcome)
            .field("bytes", &self.text.map(str::len))
            .field("edits", &self.edits.len())
            .field("notes", &self.notes)
            .field("diagnosis", &self.diagnosis)
            .finish_non_exhaustive()
    }
}

const REJECTED: &str = "rejected";

const TEXT: &str = "text";
