//! What is known when the machine stops: the code, its place, and the quote that may be to blame.

use serde::Serialize;

use super::Machine;
use crate::code::{Code, Group};
use crate::document::{Document, NodeKind};

/// Why the machine stopped. It holds all that is ever told of it: no later byte and no dropped buffer changes it.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub(crate) code: Code,
    /// The offset that the code speaks of.
    pub(crate) at: u32,
    /// Bytes consumed when it became known.
    pub(crate) known_at: usize,
    pub(crate) pointer: String,
    pub(crate) expected: &'static [&'static str],
    pub(crate) suspect_quote: Option<SuspectQuote>,
    /// Bytes from the first one on that is not UTF-8.
    pub(super) tail: Vec<u8>,
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
        Self { code, at, known_at, pointer, expected, suspect_quote: None, tail: Vec::new(), trailing }
    }

    /// A byte after a closed root stopped the machine: more bytes refine what is said of them.
    pub(crate) fn is_trailing(&self) -> bool {
        self.trailing
    }

    /// Appends bytes that are not read, as long as the whole is not longer than `limit` bytes.
    pub(super) fn keep(&mut self, text: &mut String, bytes: &[u8], limit: usize) {
        let room = limit.saturating_sub(text.len() + self.tail.len());
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

/// The quote that ended a string early, if one did: the closing quote of the last completed value, where only blanks,
/// closers and at most one comma lie between it and the byte that was refused.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct SuspectQuote {
    /// Offset of the quote in the raw text, in bytes.
    pub at: u64,
    /// The string value that it ended, as a JSON Pointer in the text as sent.
    pub pointer: String,
    /// Line of the quote in the decoded value, counted from 1.
    pub line: u32,
    /// Column of the quote in that line, in characters, counted from 1.
    pub column: u32,
}

impl SuspectQuote {
    pub(super) fn find(machine: &Machine, code: Code, at: usize) -> Option<Self> {
        if code.group() != Group::Syntax {
            return None;
        }
        let document = &machine.document;
        let node = document.nodes.len().checked_sub(1)? as u32;
        let data = document.nodes.last()?;
        if !matches!(data.kind, NodeKind::String | NodeKind::StringDecoded) || data.end == 0 {
            return None;
        }
        let between = document.text.as_bytes().get(data.end as usize..at)?;
        let mut commas = 0;
        for &byte in between {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b'}' | b']' => {}
                b',' if commas == 0 => commas = 1,
                _ => return None,
            }
        }
        Some(Self::at_end_of(document, node))
    }

    /// The closing quote of the string value at `node`.
    pub(crate) fn at_end_of(document: &Document, node: u32) -> Self {
        let value = crate::document::ValueRef::new(document, node);
        let (line, column) = line_and_column(value.as_str().unwrap_or_default());
        let at = u64::from(value.span().end.saturating_sub(1));
        Self { at, pointer: document.pointer_of(node), line, column }
    }
}

/// Where the end of `text` is: line and column, counted from 1, in characters. A line ends with LF, CR LF or CR.
pub(crate) fn line_and_column(text: &str) -> (u32, u32) {
    let bytes = text.as_bytes();
    let breaks = bytes
        .iter()
        .enumerate()
        .filter(|&(i, &byte)| byte == b'\n' || byte == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
    let (lines, start) = breaks.fold((0u32, 0), |(lines, _), (i, _)| (lines.saturating_add(1), i + 1));
    let column = text[start..].chars().count();
    (lines.saturating_add(1), u32::try_from(column).unwrap_or(u32::MAX).saturating_add(1))
}
