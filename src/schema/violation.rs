//! What a schema says against a value, and who says it.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::verdict::code::Code;

/// One thing that a schema says against a value.
#[non_exhaustive]
#[derive(Clone, Eq, PartialEq)]
pub struct Violation {
    /// `missing-required`, `type-mismatch`, `constraint-violation` or `unknown-property`.
    pub code: Code,
    /// Where, as a JSON Pointer (RFC 6901): the offending value, or the place of a missing member.
    pub pointer: String,
    /// Offset of the offending value's first byte in the text that was judged; `None` for a missing member, or where
    /// no text is at hand.
    pub at: Option<u32>,
    /// What the schema wants there, one of these: names of types, allowed values as JSON (whole; those that do not fit
    /// in a sentence are counted in words), or words such as `at most 5 characters`. Empty where nothing is known.
    pub expected: Vec<String>,
    /// The member's name, decoded; `None` for the root and for elements of arrays.
    pub member: Option<String>,
}

impl Violation {
    /// A violation with this code at this pointer; nothing more is known.
    pub fn new(code: Code, pointer: impl Into<String>) -> Self {
        Self { code, pointer: pointer.into(), at: None, expected: Vec::new(), member: None }
    }

    /// The same with what the schema wants: any one of these.
    #[must_use]
    pub fn with_expected<W: Into<String>>(self, expected: impl IntoIterator<Item = W>) -> Self {
        Self { expected: expected.into_iter().map(Into::into).collect(), ..self }
    }

    /// Missing members first, then types and constraints, then unexpected members.
    pub(crate) fn class(&self) -> u8 {
        match self.code {
            Code::MissingRequired => 0,
            Code::UnknownProperty => 2,
            _ => 1,
        }
    }
}

/// Prints the code and the offset; names are contents.
impl fmt::Debug for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Violation").field("code", &self.code).field("at", &self.at).finish_non_exhaustive()
    }
}

/// A keyword of the schema that the validator in force does not judge: left to the host.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Unjudged {
    keyword: String,
    pointer: String,
}

impl Unjudged {
    /// A keyword that is not judged, and the schema object that uses it.
    pub fn new(keyword: impl Into<String>, pointer: impl Into<String>) -> Self {
        Self { keyword: keyword.into(), pointer: pointer.into() }
    }

    /// The keyword: `pattern`.
    pub fn keyword(&self) -> &str {
        &self.keyword
    }

    /// The schema object that uses it, as a JSON Pointer into the tool's schema.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl fmt::Display for Unjudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at \"{}\"", self.keyword, self.pointer)
    }
}

/// A judge of values that the host brings in place of the built-in one: see [`Tool::with_validator`].
///
/// It must be a function of the value alone: one call asks it several times.
///
/// [`Tool::with_validator`]: crate::Tool::with_validator
pub trait Validator: Send + Sync {
    /// Its name, as outcomes and statistics show it.
    fn name(&self) -> &str;

    /// What the schema says against the value: one entry per missing member, per unexpected member and per failing
    /// keyword elsewhere, in any order.
    fn violations(&self, value: &Value) -> Vec<Violation>;

    /// The keywords of its schema that it does not judge. While there are any, nothing is repaired, and only blank
    /// text and granted aliases are normalized.
    fn unjudged(&self) -> &[Unjudged] {
        &[]
    }
}
