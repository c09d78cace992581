//! Why a call was rejected: a code, a place, a fault, and the words for it.
//!
//! The type is here; `conversion` makes it of a type that does not fit, `sent` looks at the value that is wrong, `words` says
//! all of it in English, `told` hands that out, `names` makes names safe to print, `transcript` is what stands in the history
//! for a rejected call.

mod conversion;
mod names;
mod sent;
mod told;
mod transcript;
mod words;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use crate::document::{Document, ValueRef};
use crate::syntax::Stop;
use crate::verdict::code::{Code, End, Fault, Group, Opening};

pub(crate) use conversion::{does_not_fit, not_a_value};
pub(crate) use names::byte_class;
pub use transcript::{Transcript, transcript};

/// Why a call was rejected.
///
/// It owns what it says and holds none of the call's string values: it may be stored, logged and sent. `Display` is one
/// line for the harness author, [`advice`](Self::advice) two sentences for the model, [`facts`](Self::facts) the parts.
/// It serializes as the `diagnosis` object of the NDJSON interface.
#[derive(Clone, Eq, PartialEq)]
pub struct Diagnosis {
    code: Code,
    fault: Fault,
    at: Option<u64>,
    known_at: Option<u64>,
    pointer: Option<Box<str>>,
    more: Option<Box<More>>,
}

/// A double quote that probably ended a string too early.
#[non_exhaustive]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct SuspectQuote {
    /// Byte offset of the quote in the raw text.
    pub at: u64,
    /// JSON Pointer (RFC 6901), in the text as sent, of the string that it ended.
    pub pointer: String,
    /// Line of the quote in the decoded string, from 1. A line ends with LF, CR LF or CR.
    pub line: u32,
    /// Column of the quote in that line, in characters, from 1.
    pub column: u32,
}

/// A limit that was passed.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub struct Exceeded {
    /// The size when the rejection was known; while the text still streams the whole may be larger.
    pub size: u64,
    /// The limit that was set.
    pub limit: u64,
    /// What both numbers count.
    pub unit: Unit,
}

/// What a limit counts.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Bytes of UTF-8.
    Bytes,
    /// Calls of one response.
    Calls,
    /// Unicode scalar values.
    Chars,
    /// Nested containers.
    Levels,
    /// Members and elements.
    Members,
    /// UTF-16 code units.
    Utf16,
}

/// The parts of a diagnosis as data, for other words or another language.
///
/// Names stand here as they were sent, neither clipped nor escaped.
#[non_exhaustive]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Facts<'d> {
    /// The code.
    pub code: Code,
    /// Who can do something about it.
    pub fault: Fault,
    /// Byte offset in the raw text.
    pub at: Option<u64>,
    /// JSON Pointer in the text as sent; of the absent member with `missing-required`.
    pub pointer: Option<&'d str>,
    /// The member of the root that the pointer leads through, decoded.
    pub member: Option<Cow<'d, str>>,
    /// What could have stood there: names of types, tokens, or words of the schema. A last one that begins with `another`
    /// stands for what the others leave out.
    pub expected: &'d [Cow<'static, str>],
    /// What class of thing stood there, such as `a letter` or `string`: never its contents.
    pub found: Option<&'static str>,
    /// What stood there is a string that holds JSON of an expected type.
    pub holds_json: bool,
    /// A second name: the member in conflict, the declared name that is near, or the tool that does not exist.
    pub other: Option<&'d str>,
    /// The limit that was passed.
    pub exceeded: Option<Exceeded>,
    /// The quote that probably ended a string too early.
    pub suspect_quote: Option<&'d SuspectQuote>,
    /// The remedy: the second sentence of the advice, which holds no name. None where the model has nothing to mend.
    pub hint: Option<&'static str>,
}

/// What only some diagnoses have.
#[derive(Clone, Default, Eq, PartialEq)]
struct More {
    expected: Vec<Cow<'static, str>>,
    found: Option<&'static str>,
    holds_json: bool,
    other: Option<Box<str>>,
    exceeded: Option<Exceeded>,
    suspect_quote: Option<SuspectQuote>,
}

impl Diagnosis {
    /// A diagnosis of this code. Its fault is provisional, as at [`End::Complete`], until [`settle`](Self::settle).
    pub(crate) fn new(code: Code) -> Self {
        Self {
            code,
            fault: code.fault(End::Complete, Opening::Arguments),
            at: None,
            known_at: None,
            pointer: None,
            more: None,
        }
    }

    /// Why the machine stopped: code, places and what it expected.
    pub(crate) fn of_stop(stop: &Stop) -> Self {
        let mut diagnosis = Self::new(stop.code).with_at(u64::from(stop.at)).with_pointer(stop.pointer.as_str());
        diagnosis.known_at = stop.known_at.map(|known_at| known_at as u64);
        // What passes a limit may be right where it stands.
        let is_right = stop.code.group() == Group::Limit;
        if is_right || stop.expected.is_empty() {
            diagnosis
        } else {
            diagnosis.with_expected(stop.expected.iter().copied())
        }
    }

    /// Sets the byte offset in the raw text.
    pub(crate) fn with_at(mut self, at: u64) -> Self {
        self.at = Some(at);
        self
    }

    /// Sets the number of bytes consumed when it became known.
    pub(crate) fn with_known_at(mut self, consumed: u64) -> Self {
        self.known_at = Some(consumed);
        self
    }

    /// Sets the JSON Pointer in the text as sent.
    pub(crate) fn with_pointer(mut self, pointer: impl Into<Box<str>>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Sets what could have stood there: the names of types get an article in words, bare tokens get back quotes, other words
    /// stand as they are. They come from the schema or the grammar, never from the arguments.
    pub(crate) fn with_expected<W: Into<Cow<'static, str>>>(mut self, expected: impl IntoIterator<Item = W>) -> Self {
        self.more_mut().expected = expected.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the class of what stood there; see [`byte_class`].
    pub(crate) fn with_found(mut self, class: &'static str) -> Self {
        self.more_mut().found = Some(class);
        self
    }

    /// What stood there is a string that holds JSON of an expected type.
    pub(crate) fn with_json_in_string(mut self) -> Self {
        self.more_mut().holds_json = true;
        self
    }

    /// Sets a second name; see [`Facts::other`].
    pub(crate) fn with_other(mut self, name: impl Into<Box<str>>) -> Self {
        self.more_mut().other = Some(name.into());
        self
    }

    /// Sets the limit that was passed, and the size so far.
    pub(crate) fn with_limit(mut self, size: u64, limit: u64, unit: Unit) -> Self {
        self.more_mut().exceeded = Some(Exceeded { size, limit, unit });
        self
    }

    /// Sets the quote that probably ended a string too early.
    pub(crate) fn with_suspect_quote(mut self, quote: SuspectQuote) -> Self {
        self.more_mut().suspect_quote = Some(quote);
        self
    }

    /// Fixes the fault, now that the end is known.
    pub(crate) fn settle(mut self, end: End, opening: Opening) -> Self {
        self.fault = self.code.fault(end, opening);
        self
    }

    /// Why: the stable code.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Who can do something about it. Provisional, as at [`End::Complete`], until the call is finished.
    pub fn fault(&self) -> Fault {
        self.fault
    }

    /// Byte offset in the raw text: of the first byte that cannot continue any JSON text, the length of a cut text, or the
    /// first byte of the offending value. None for a missing member.
    pub fn at(&self) -> Option<u64> {
        self.at
    }

    /// JSON Pointer (RFC 6901) in the text as sent.
    pub fn pointer(&self) -> Option<&str> {
        self.pointer.as_deref()
    }

    /// The number of bytes consumed when it became known. None if only the end made it known.
    pub fn known_at(&self) -> Option<u64> {
        self.known_at
    }

    /// The double quote that probably ended a string too early.
    pub fn suspect_quote(&self) -> Option<&SuspectQuote> {
        self.more.as_ref()?.suspect_quote.as_ref()
    }

    fn more_mut(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }
}

impl SuspectQuote {
    /// The quote at byte `at` of the raw text, which ended the string at `pointer`, decoded.
    pub(crate) fn new(at: u64, pointer: impl Into<String>, decoded: &str) -> Self {
        let (line, column) = line_and_column(decoded);
        Self { at, pointer: pointer.into(), line, column }
    }

    /// The closing quote of the string value at `node`.
    pub(crate) fn at_end_of(document: &Document, node: u32) -> Self {
        let value = ValueRef::new(document, node);
        let at = u64::from(value.span().end.saturating_sub(1));
        Self::new(at, document.pointer_of(node), value.as_str().unwrap_or_default())
    }
}

/// Where the end of the text is, both counted from 1.
fn line_and_column(text: &str) -> (u32, u32) {
    let bytes = text.as_bytes();
    let mut lines = 0;
    let mut start = 0;
    for i in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        if bytes[i] == b'\n' || bytes.get(i + 1) != Some(&b'\n') {
            lines += 1;
            start = i + 1;
        }
    }
    let from_one = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1);
    (from_one(lines), from_one(text[start..].chars().count()))
}

impl Unit {
    /// The name used in the interface: `bytes`, `chars`, `levels`, `members`, `utf16`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Calls => "calls",
            Self::Chars => "chars",
            Self::Levels => "levels",
            Self::Members => "members",
            Self::Utf16 => "utf16",
        }
    }
}

impl fmt::Debug for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Diagnosis")
            .field("code", &self.code)
            .field("fault", &self.fault)
            .field("at", &self.at)
            .field("known_at", &self.known_at)
            .field("pointer_bytes", &self.pointer().map(str::len))
            .finish_non_exhaustive()
    }
}

impl std::error::Error for Diagnosis {}

const _: () = {
    const fn shared<T: Send + Sync + 'static>() {}
    shared::<Diagnosis>();
    // A `Result` that holds one stays cheap to move.
    assert!(size_of::<Diagnosis>() <= 64);
};
