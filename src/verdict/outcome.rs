//! The verdict of a call: what was accepted, or why it was rejected.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::document::{DeCause, DeError, Document, Kind, Source, ValueRef};
use crate::verdict::audit::Audit;
use crate::verdict::code::Code;
use crate::verdict::diagnosis::{Diagnosis, Transcript, transcript};
use crate::verdict::note::Note;

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
    pub(crate) notes: Vec<Note>,
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
    /// A number that is infinite in `f64`, or nesting deeper than 128: a `Value` cannot hold it.
    pub fn into_value(self) -> Result<Value, Diagnosis> {
        self.root().to_value().ok_or_else(|| self.not_a_value())
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

    /// The arguments as a type of yours. Strings without escapes are borrowed.
    ///
    /// # Errors
    /// What does not fit the type, with the pointer of the member and advice for the model, as if the schema had said it.
    pub fn to<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Diagnosis> {
        T::deserialize(Source::new(self.root())).map_err(|error| self.does_not_fit(error))
    }

    /// The edits between [`raw`](Self::raw) and [`text`](Self::text).
    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    /// Things worth knowing that changed nothing.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// A number that is equal for equal arguments, however they are written: to notice a call that is repeated. Stable
    /// between platforms and runs; not cryptographic.
    pub fn fingerprint(&self) -> u64 {
        self.root().fingerprint()
    }

    fn not_a_value(&self) -> Diagnosis {
        let infinite = self
            .document
            .nodes_of(Kind::Number)
            .find(|value| value.as_number().is_some_and(|number| number.to_serde().is_none()));
        match infinite {
            Some(value) => self.diagnosed(Code::ConstraintViolation, value).with_expected(["a number that fits f64"]),
            None => Diagnosis::new(Code::DepthLimit).with_pointer(""),
        }
    }

    fn does_not_fit(&self, error: DeError) -> Diagnosis {
        let value = error.node.map_or_else(|| self.root(), |node| ValueRef::new(&self.document, node));
        match error.cause {
            DeCause::Custom(words) => self.diagnosed(Code::ConstraintViolation, value).with_expected([words]),
            DeCause::Missing(name) => {
                let mut pointer = self.document.pointer_of(value.node());
                // Writing to a String cannot fail.
                let _ = crate::text::pointer::write_token(&mut pointer, crate::text::pointer::Token::Name(name));
                Diagnosis::new(Code::MissingRequired).with_pointer(pointer)
            }
            DeCause::Type { found, expected } => {
                self.diagnosed(Code::TypeMismatch, value).with_found(found).with_expected([expected])
            }
            DeCause::Unknown(name) => self.diagnosed(Code::UnknownProperty, value).with_other(name),
        }
    }

    fn diagnosed(&self, code: Code, value: ValueRef<'_>) -> Diagnosis {
        Diagnosis::new(code).with_at(value.span().start.into()).with_pointer(self.document.pointer_of(value.node()))
    }
}

/// Prints the verdict and sizes, never contents.
impl std::fmt::Debug for Accepted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Accepted")
            .field("verdict", &self.verdict)
            .field("document", &self.document)
            .field("edits", &self.audit.edits().len())
            .field("notes", &self.notes)
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
