//! The verdict of a call: what was accepted, or why it was rejected.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::document::{Document, Source, ValueRef};
use crate::verdict::audit::{Audit, offset_before};
use crate::verdict::code::Code;
use crate::verdict::diagnosis::{Diagnosis, Transcript, does_not_fit, not_a_value, transcript};
use crate::verdict::note::{Note, NoteKind};

/// How a text was accepted.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Verdict {
    /// Valid JSON whose shape was put right.
    Normalized,
    /// One of the two narrow repairs, as granted.
    Repaired,
    /// As the model wrote it.
    Strict,
}

impl Verdict {
    /// Every verdict of an accepted call, in alphabetical order.
    pub const ALL: [Self; 3] = [Self::Normalized, Self::Repaired, Self::Strict];

    /// The name used in the NDJSON interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normalized => "normalized",
            Self::Repaired => "repaired",
            Self::Strict => "strict",
        }
    }
}

/// What acceptance rests on.
#[non_exhaustive]
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Checked {
    /// Part of the schema was judged: the judgement in force demands less, or keywords are left to the host.
    Partly {
        /// The validator that judged.
        validator: Cow<'static, str>,
    },
    /// The whole schema was judged.
    Schema {
        /// The validator that judged.
        validator: Cow<'static, str>,
    },
    /// The text alone: no tool, no schema, or a judgement that asks for no more.
    TextOnly,
}

/// A call that may run.
#[derive(Clone)]
pub struct Accepted {
    pub(crate) verdict: Verdict,
    pub(crate) checked: Checked,
    /// Of the accepted text.
    pub(crate) document: Document,
    /// The model's own text, where it differs.
    pub(crate) raw: Option<String>,
    pub(crate) audit: Audit,
    /// What judging it has told.
    pub(crate) notes: Vec<Note>,
    /// All notes, where a look at the numbers adds one: for the first who asks.
    pub(crate) all_notes: OnceLock<Vec<Note>>,
}

impl Accepted {
    /// How it was accepted.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// What acceptance rests on, and which validator judged.
    pub fn checked(&self) -> &Checked {
        &self.checked
    }

    /// The accepted text: one strict JSON text. History, execution and display all read this one.
    pub fn text(&self) -> &str {
        self.document.text()
    }

    /// The accepted text, owned.
    pub fn into_text(self) -> String {
        self.document.text
    }

    /// The text that was judged, as the model wrote it.
    pub fn raw(&self) -> &str {
        self.raw.as_deref().unwrap_or_else(|| self.text())
    }

    /// The root value.
    pub fn root(&self) -> ValueRef<'_> {
        self.document.root().expect("an accepted text has a root")
    }

    /// The root's member `name`.
    pub fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        self.root().get(name)
    }

    /// The arguments as `serde_json` holds them.
    ///
    /// # Errors
    /// A number that would become another one (`number-not-held`: a whole number beyond 64 bits with more digits than a
    /// double keeps, an overflow, an underflow to zero), unless the feature `arbitrary_precision` of `serde_json` is on
    /// in the build; or nesting deeper than 128. A fraction is rounded to the digits of a double, and
    /// [`notes`](Self::notes) says so.
    pub fn into_value(self) -> Result<Value, Diagnosis> {
        self.root().to_value().ok_or_else(|| not_a_value(self.root()))
    }

    /// The arguments as the members of an object.
    ///
    /// # Errors
    /// As [`into_value`](Self::into_value); and a root that is no object, which only
    /// [`Settings::any_root`](crate::Settings::any_root) accepts.
    pub fn into_map(self) -> Result<Map<String, Value>, Diagnosis> {
        match self.into_value()? {
            Value::Object(map) => Ok(map),
            Value::Array(_) | Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => {
                Err(Diagnosis::new(Code::TypeMismatch).with_at(0).with_pointer("").with_expected(["object"]))
            }
        }
    }

    /// The arguments as a type of yours. Strings without escapes are borrowed. A number goes to any type that can hold
    /// it: integers up to `u128` and `i128`, `f64`, `serde_json::Number`, and by its text `RawValue`.
    ///
    /// # Errors
    /// What does not fit the type, with the pointer of the member and advice for the model, as if the schema had said it; a
    /// number that would become another one, as with [`into_value`](Self::into_value), or in an `f64` or `f32` that is
    /// asked for. What `serde` itself keeps before it knows the type (`untagged`, `flatten`), it converts by its own rules.
    pub fn to<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Diagnosis> {
        T::deserialize(Source::new(self.root())).map_err(|error| does_not_fit(self.root(), error))
    }

    /// The edits between [`raw`](Self::raw) and [`text`](Self::text).
    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    /// Things worth knowing that changed nothing. The first look costs the number of values: whether a double rounds one.
    pub fn notes(&self) -> &[Note] {
        let all = self.all_notes.get_or_init(|| {
            let Some(rounded) = self.root().first_rounded() else { return Vec::new() };
            let at = offset_before(self.audit.edits(), rounded.span().start.into());
            let note = Note::new(NoteKind::RoundedNumber).with_at(at).with_detail(rounded.place());
            self.notes.iter().cloned().chain([note]).collect()
        });
        if all.is_empty() { &self.notes } else { all }
    }

    /// A number that is equal for equal arguments, however they are written: to notice a call that is repeated. Stable
    /// between platforms and runs; not cryptographic.
    pub fn fingerprint(&self) -> u64 {
        self.root().fingerprint()
    }
}

/// Prints the verdict and sizes, never contents.
impl std::fmt::Debug for Accepted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Accepted")
            .field("verdict", &self.verdict)
            .field("document", &self.document)
            .field("edits", &self.audit.edits().len())
            .field("notes", &self.notes())
            .finish()
    }
}

/// A call that must not run.
#[derive(Clone)]
pub struct Rejected {
    /// Boxed: an error that is returned by value should be small.
    told: Box<Told>,
}

/// What is told of a rejected call.
#[derive(Clone)]
pub(crate) struct Told {
    pub(crate) diagnosis: Diagnosis,
    pub(crate) raw: String,
    /// The bytes after `raw`, where what was fed is not UTF-8.
    pub(crate) tail: Vec<u8>,
    pub(crate) notes: Vec<Note>,
    pub(crate) tool: Option<String>,
}

impl Rejected {
    pub(crate) fn new(told: Told) -> Self {
        Self { told: Box::new(told) }
    }

    /// Why: code, place, fault.
    pub fn diagnosis(&self) -> &Diagnosis {
        &self.told.diagnosis
    }

    /// The model's own text: the longest prefix of it that is UTF-8.
    pub fn raw(&self) -> &str {
        &self.told.raw
    }

    /// The model's own text, owned.
    pub fn into_raw(self) -> String {
        self.told.raw
    }

    /// The bytes that follow [`raw`](Self::raw), where what was fed is not UTF-8.
    pub fn raw_tail(&self) -> &[u8] {
        &self.told.tail
    }

    /// Things worth knowing that changed nothing.
    pub fn notes(&self) -> &[Note] {
        &self.told.notes
    }

    /// What to answer as the tool's result; `None` where the model has nothing to mend and the request is simply sent
    /// again. Of a text that a length limit cut it asks for less. Never an echo of the arguments.
    pub fn reply(&self) -> Option<String> {
        self.told.diagnosis.reply(self.told.tool.as_deref())
    }

    /// A valid JSON object to put into the history in place of the broken arguments: providers answer a history with
    /// broken arguments with 400 for the rest of the conversation.
    pub fn transcript(&self, form: Transcript<'_>) -> Value {
        transcript(form, self.told.diagnosis.code(), &self.told.raw)
    }
}

/// Prints the code and sizes, never contents.
impl std::fmt::Debug for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rejected")
            .field("code", &self.told.diagnosis.code())
            .field("at", &self.told.diagnosis.at())
            .field("bytes", &(self.told.raw.len() + self.told.tail.len()))
            .field("notes", &self.told.notes)
            .finish()
    }
}

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.told.diagnosis.fmt(f)
    }
}

impl std::error::Error for Rejected {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.told.diagnosis)
    }
}
