//! Why a command could not do its work.

use std::io::{Error, ErrorKind};
use std::path::Path;

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nobody reads the output any more.
    BrokenPipe,
    /// Wrong usage, or input or output that cannot be used: one line that names it and the remedy.
    Unusable(String),
}

impl Failure {
    /// A file that cannot be read.
    pub(crate) fn unreadable(path: &Path, error: &Error) -> Self {
        let remedy = match error.kind() {
            ErrorKind::NotFound => "check the path, or use - for standard input",
            ErrorKind::PermissionDenied => "allow reading it, or pipe it in and use - for standard input",
            ErrorKind::IsADirectory => "name the files in it",
            _ => "make it readable, or use - for standard input",
        };
        Self::Unusable(format!("cannot read {}: {}; {remedy}", path.display(), reason(error)))
    }

    /// Standard input that cannot be read.
    pub(crate) fn unreadable_input(error: &Error) -> Self {
        Self::Unusable(format!("cannot read standard input: {}; name a file instead", reason(error)))
    }

    /// Output that cannot be written.
    pub(crate) fn unwritable(name: &str, error: &Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::Unusable(format!("cannot write {name}: {}; make room or choose another place", reason(error))),
        }
    }
}

/// For `?` on what is written to standard output.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::unwritable("standard output", &error)
    }
}

/// The system's words, without the number that the standard library adds to them.
fn reason(error: &Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}
