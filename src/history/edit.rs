//! Edits of a conversation.

use std::borrow::Cow;
use std::ops::Range;

/// A piece of the conversation, and what takes its place.
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// The text with the edits, which do not overlap; those of one place in the order of the list, insertions first.
pub(super) fn apply(text: &str, mut edits: Vec<Edit>) -> Cow<'_, str> {
    if edits.is_empty() {
        return text.into();
    }
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut out = String::with_capacity(text.len() + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
    let mut done = 0;
    for edit in edits {
        out.push_str(text.get(done..edit.range.start).unwrap_or_default());
        out.push_str(&edit.text);
        done = edit.range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out.into()
}
