//! What follows a closed root, named.

use crate::document::Kind;
use crate::settings::limits::Limits;
use crate::syntax::{Machine, Stop};
use crate::verdict::note::{Note, NoteKind};

/// Names what follows the closed root of a machine that stopped there. It changes neither the code nor its place.
pub(crate) fn notes(machine: &Machine, stop: &Stop) -> Vec<Note> {
    let at = stop.at as usize;
    let (Some(root), Some(trailing)) = (machine.document.root(), machine.document.text().get(at..)) else {
        return Vec::new();
    };
    let mut notes = vec![Note::new(kind(root, trailing, machine.is_cut())).with_at(at as u64)];
    if machine.is_cut() {
        notes.push(Note::new(NoteKind::Cut).with_at((at + trailing.len()) as u64));
    }
    notes
}

fn kind(root: crate::ValueRef<'_>, trailing: &str, cut: bool) -> NoteKind {
    let next = Machine::read(trailing, Limits::max());
    let value = next.document.root().filter(|value| value.is_closed());
    let resent = match value {
        Some(value) => root.same(value),
        None => cut && root.text().starts_with(trailing),
    };
    if resent {
        return NoteKind::Resent;
    }
    if trailing.starts_with('{') {
        let empty = root.kind() == Kind::Object && root.members().next().is_none();
        return if empty { NoteKind::PrefixedEmptyObject } else { NoteKind::AnotherObject };
    }
    if trailing.starts_with("```") {
        NoteKind::Fence
    } else if trailing.starts_with("</") || trailing.starts_with("<|") || trailing.starts_with("<\u{ff5c}") {
        NoteKind::ClosingTag
    } else {
        NoteKind::OtherText
    }
}
