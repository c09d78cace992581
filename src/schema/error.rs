//! Why a schema cannot be used.

use std::fmt;

/// A schema, or a tool definition, that cannot be read. It names the place and the remedy.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SchemaError {
    pointer: String,
    reason: String,
}

impl SchemaError {
    pub(super) fn new(pointer: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), reason: reason.into() }
    }

    /// The place, as a JSON Pointer: into the schema, or into the definition where that could not be read.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "schema at \"{}\": {}", self.pointer, self.reason)
    }
}

impl std::error::Error for SchemaError {}
