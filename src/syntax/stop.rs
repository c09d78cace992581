//! What is known when the machine stops: the code, its place, and the string that may have ended early.

use crate::document::{Document, NodeKind};
use crate::verdict::code::{Code, Group};

/// Why the machine stopped.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub(crate) code: Code,
    /// The offset that the code speaks of.
    pub(crate) at: u32,
    /// Bytes consumed when it became known; none if only the end made it known.
    pub(crate) known_at: Option<usize>,
    pub(crate) pointer: String,
    pub(crate) expected: &'static [&'static str],
    /// The byte at `at`; none where it is no character's, or was not read.
    pub(crate) found: Option<u8>,
    /// The string value that a quote may have ended early.
    pub(crate) suspect: Option<u32>,
    /// Bytes from the first one on that is not UTF-8.
    pub(super) tail: Vec<u8>,
    /// Not all of what followed was kept.
    pub(super) cut: bool,
    /// A byte after a closed root stopped it.
    trailing: bool,
}

impl Stop {
    pub(super) fn new(
        code: Code,
        at: u32,
        known_at: usize,
        pointer: String,
        expected: &'static [&'static str],
    ) -> Self {
        let trailing = matches!(code, Code::TrailingData | Code::ConcatenatedValues);
        Self {
            code,
            at,
            known_at: Some(known_at),
            pointer,
            expected,
            found: None,
            suspect: None,
            tail: Vec::new(),
            cut: false,
            trailing,
        }
    }

    /// A byte after a closed root stopped the machine: more bytes refine what is said of them.
    pub(crate) fn is_trailing(&self) -> bool {
        self.trailing
    }

    /// Appends bytes that are not read, as long as the whole is not longer than `limit` bytes.
    pub(super) fn keep(&mut self, text: &mut String, bytes: &[u8], limit: usize) {
        let room = limit.saturating_sub(text.len() + self.tail.len());
        self.cut |= bytes.len() > room;
        let bytes = &bytes[..bytes.len().min(room)];
        if self.tail.is_empty()
            && let Ok(more) = std::str::from_utf8(bytes)
        {
            text.push_str(more);
            return;
        }
        // A tail longer than an incomplete sequence is known not to be UTF-8.
        let undecided = self.tail.len() < 4;
        self.tail.extend_from_slice(bytes);
        if undecided {
            let valid = match std::str::from_utf8(&self.tail) {
                Ok(valid) => valid,
                Err(error) => std::str::from_utf8(&self.tail[..error.valid_up_to()]).unwrap_or_default(),
            };
            text.push_str(valid);
            let moved = valid.len();
            self.tail.drain(..moved);
        }
    }
}

/// The string value whose closing quote may be an unescaped inner quote: the last completed value, where only blanks,
/// closers and at most one comma lie between it and the byte at `at` that was refused. Its node.
pub(super) fn suspect(document: &Document, code: Code, at: usize) -> Option<u32> {
    if code.group() != Group::Syntax {
        return None;
    }
    let data = document.nodes.last()?;
    if !matches!(data.kind, NodeKind::String | NodeKind::StringDecoded) || data.end == 0 {
        return None;
    }
    // A second comma would itself be refused.
    let quiet = |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'}' | b']' | b',');
    let mut between = document.text.as_bytes().get(data.end as usize..at)?.iter().copied();
    between.all(quiet).then(|| document.nodes.len() as u32 - 1)
}
