//! Why a text of a host is not what the form says.

use std::fmt;

/// What is wrong in a request, in settings or in grants: where, what is allowed there, and the nearest name.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FormError {
    path: String,
    reason: String,
}

impl FormError {
    pub(crate) fn new(path: &str, reason: impl fmt::Display) -> Self {
        Self { path: path.to_owned(), reason: reason.to_string() }
    }

    /// The same, seen from the value that holds it: under a name, or at `[i]`.
    pub(crate) fn below(self, outer: &str) -> Self {
        // A name of a host is as long as the host likes; an error is one line.
        let mut path: String = outer.chars().take(MAX_NAME).collect();
        if !(self.path.is_empty() || self.path.starts_with('[')) {
            path.push('.');
        }
        path.push_str(&self.path);
        Self { path, ..self }
    }

    /// The place, such as `limits.depth` or `deltas_b64[1]`; empty where it is the whole.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is wrong there.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { f.write_str(&self.reason) } else { write!(f, "{}: {}", self.path, self.reason) }
    }
}

impl std::error::Error for FormError {}

/// Characters of one name that are shown.
const MAX_NAME: usize = 80;
