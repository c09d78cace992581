//! Numbers that the host's readers do not hold: what is said of them, and those that a rule has made of strings. One that
//! was sent as a number stops the call while it streams.

use super::guard::Failed;
use crate::document::ValueRef;
use crate::schema::{Tool, TypeSet};
use crate::settings::{Numbers, Settings};
use crate::text::pointer;
use crate::verdict::code::Code;
use crate::verdict::diagnosis::Diagnosis;

/// The first number of an accepted text that is not held.
pub(super) fn check(root: ValueRef<'_>, tool: &Tool, settings: &Settings) -> Option<Failed> {
    if settings.numbers() == Numbers::Exact {
        return None;
    }
    let altered = root.first_altered()?;
    let pointer = altered.place();
    let member = pointer::parse(&pointer).next()?;
    let diagnosis = Diagnosis::new(Code::NumberNotHeld).with_at(altered.span().start.into());
    Some(Failed { member, diagnosis: advised(diagnosis, &pointer, Some(tool)) })
}

/// The diagnosis of a number at this place. Where the schema of a member of the root allows a string, that is the remedy;
/// further down nobody has looked.
pub(super) fn advised(diagnosis: Diagnosis, pointer: &str, tool: Option<&Tool>) -> Diagnosis {
    let mut names = pointer::parse(pointer);
    let allows_string = |tool: &Tool, name: &str| {
        let name = tool.canonical_of(name).unwrap_or(name);
        tool.types_of(name).has(TypeSet::STRING)
    };
    match (tool, names.next(), names.next()) {
        (Some(tool), Some(name), None) if allows_string(tool, &name) => diagnosis.with_expected(["string"]),
        _ => diagnosis,
    }
}
