//! What the laws need of the engine's inside: a plain twin to compare with, and doubles of what only the engine makes.
//!
//! Behind the feature `_internals`, for the unpublished package `argseal-laws`. Not part of the public API: anything here
//! may change in any version.

use crate::document::Document;
use crate::lex::inside;
use crate::program;
use crate::settings::Rule;
use crate::settings::limits::Limits;
use crate::syntax::Machine;
use crate::text::{pointer, wide};
use crate::verdict::audit::{Audit, Edit};
use crate::verdict::code::Code;
use crate::verdict::diagnosis::Diagnosis;
use crate::verdict::note::{Note, NoteKind};

pub use crate::syntax::plain::Plain;

/// The document of a text that was read to its end; whatever stops the machine ends it.
pub fn document_of(text: &str) -> Document {
    let mut machine = Machine::read(text, Limits::max());
    machine.truncated();
    machine.document
}

/// Appends the token of a member's name to a JSON Pointer.
pub fn push_name(pointer: &mut String, name: &str) {
    // Writing to a String cannot fail.
    let _ = pointer::write_token(pointer, pointer::Token::Name(name));
}

/// A quote, a backslash or a control character: what ends a plain run.
pub fn is_special(byte: u8) -> bool {
    inside::is_special(byte)
}

/// How many bytes of text stand before the first special one, by the scanner that the engine uses.
pub fn plain_run(text: &[u8]) -> usize {
    inside::quiet_run(text, 0, inside::Quiet::Plain)
}

/// Whether the wide looks at sixteen bytes say what the portable ones say.
pub fn looks_agree(block: &[u8; wide::BLOCK]) -> bool {
    let block = wide::block(block);
    wide::marks(block) == wide::portable::marks(block) && wide::specials(block) == wide::portable::specials(block)
}

/// Whether a program, read by tokens, ends inside a `"` string.
pub fn ends_in_a_string(program: &str) -> bool {
    program::open_string(program).is_some()
}

/// A diagnosis that nothing was read for.
pub fn diagnosis(code: Code) -> Diagnosis {
    Diagnosis::new(code)
}

/// The same diagnosis with another place.
pub fn diagnosis_at(diagnosis: &Diagnosis, at: u64) -> Diagnosis {
    diagnosis.clone().with_at(at)
}

/// The same diagnosis, known at another byte.
pub fn diagnosis_known_at(diagnosis: &Diagnosis, known_at: u64) -> Diagnosis {
    diagnosis.clone().with_known_at(known_at)
}

/// A note of this kind.
pub fn note(kind: NoteKind) -> Note {
    Note::new(kind)
}

/// An edit.
pub fn edit(at: usize, delete: usize, insert: &str, rules: Vec<Rule>) -> Edit {
    Edit::replacement(at, delete, insert, rules)
}

/// The audit of these edits of a text of `len` bytes.
pub fn audit(len: usize, edits: Vec<Edit>, actions: Vec<String>) -> Audit {
    Audit::new(len, edits, actions)
}
