//! Guards: how long a member may be inline, and markers that stand for text the model did not write.
//!
//! A limit is watched while the text streams, in the members of the root, and both are checked again on the accepted
//! text. Empty text and text of nothing but line breaks is always allowed.

use crate::document::ValueRef;
use crate::schema::{Grants, Tool};
use crate::settings::{Judgement, Settings};
use crate::syntax::Machine;
use crate::syntax::event::Sink;
use crate::text::pointer::{Token, write_token};
use crate::verdict::code::Code;
use crate::verdict::diagnosis::{Diagnosis, Unit};

/// What a context window leaves for one string, as a bound for `max_inline_bytes`:
/// `share` × `tokens` × `bytes_per_token`.
///
/// The defaults are a share of 0.4, where compaction starts in a window of 32 K tokens, and 4 bytes a token: measured
/// elsewhere, Chinese prose takes 4.2 bytes of UTF-8 a token and code 7.8, so that the bound holds for both.
///
/// ```
/// use argseal::ContextWindow;
/// assert_eq!(ContextWindow::new(32_768).max_inline_bytes(), 52_428);
/// assert_eq!(ContextWindow::new(200_000).with_share(0.1).with_bytes_per_token(3.5).max_inline_bytes(), 70_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContextWindow {
    tokens: u64,
    share: f64,
    bytes_per_token: f64,
}

impl ContextWindow {
    /// A window of so many tokens.
    pub const fn new(tokens: u64) -> Self {
        Self { tokens, share: 0.4, bytes_per_token: 4.0 }
    }

    /// The same with another share of the window for one string, from 0 to 1.
    #[must_use]
    pub const fn with_share(self, share: f64) -> Self {
        Self { share, ..self }
    }

    /// The same with another length of a token, in bytes of UTF-8.
    #[must_use]
    pub const fn with_bytes_per_token(self, bytes_per_token: f64) -> Self {
        Self { bytes_per_token, ..self }
    }

    /// The bound in bytes of UTF-8, rounded down; 0 where the formula gives less.
    pub fn max_inline_bytes(self) -> u64 {
        // A conversion from `f64` saturates.
        (self.share * self.tokens as f64 * self.bytes_per_token) as u64
    }
}

/// The guard of one call while its text streams.
pub(crate) struct Watch {
    /// The string value that is being written.
    open: Option<Open>,
}

/// A string value of a member of the root, as far as it is counted.
struct Open {
    node: u32,
    /// The member's canonical name.
    member: Box<str>,
    limits: Limits,
    size: Size,
}

impl Watch {
    /// The guard of a call of this tool, if its owner set a limit.
    pub(crate) fn new(tool: &Tool, settings: &Settings) -> Option<Box<Self>> {
        let Grants { max_inline_bytes, max_inline_chars, max_inline_utf16, .. } = tool.grants();
        let is_limited = [max_inline_bytes, max_inline_chars, max_inline_utf16].iter().any(|limits| !limits.is_empty());
        (is_limited && is_guarded(settings)).then(|| Box::new(Self { open: None }))
    }

    /// Feeds the machine. The answer is a limit that the delta passes; the machine has stopped at the byte that did it.
    pub(crate) fn feed<S: Sink + ?Sized>(
        &mut self,
        machine: &mut Machine,
        tool: &Tool,
        delta: &str,
        sink: &mut S,
    ) -> Option<Diagnosis> {
        let mut rest = delta;
        while let Some(first) = rest.chars().next().filter(|_| machine.stop().is_none()) {
            let len = rest.floor_char_boundary(self.safe(machine, rest.as_bytes())).max(first.len_utf8());
            let (piece, after) = rest.split_at(len);
            machine.feed(piece, sink);
            rest = after;
            if let Some(passed) = self.look(machine, tool) {
                machine.feed(rest, sink);
                return Some(passed);
            }
        }
        machine.feed(rest, sink);
        None
    }

    /// The same for bytes that may be cut inside a UTF-8 sequence.
    pub(crate) fn feed_bytes<S: Sink + ?Sized>(
        &mut self,
        machine: &mut Machine,
        tool: &Tool,
        delta: &[u8],
        sink: &mut S,
    ) -> Option<Diagnosis> {
        let mut rest = delta;
        while !rest.is_empty() && machine.stop().is_none() {
            let (piece, after) = rest.split_at(self.safe(machine, rest).max(1));
            machine.feed_bytes(piece, sink);
            rest = after;
            if let Some(passed) = self.look(machine, tool) {
                machine.feed_bytes(rest, sink);
                return Some(passed);
            }
        }
        machine.feed_bytes(rest, sink);
        None
    }

    /// How many of these bytes cannot pass a limit unseen. A quote may begin or end a string; a string grows by no more
    /// than the bytes that are read, unless an escape or a sequence that waits is completed.
    fn safe(&self, machine: &Machine, bytes: &[u8]) -> usize {
        let is_waiting = !machine.is_inside_string() || !machine.tail().is_empty();
        if self.open.is_some() && is_waiting {
            return 1;
        }
        let token = memchr::memchr(b'"', bytes).map_or(bytes.len(), |quote| quote + 1);
        self.open.as_ref().map_or(token, |open| token.min(open.limits.room(&open.size)))
    }

    /// Counts what is new in the open string; stops the machine if that passes a limit.
    fn look(&mut self, machine: &mut Machine, tool: &Tool) -> Option<Diagnosis> {
        let is_member = machine.pointer.depth() == 1;
        let Some(text) = machine.open_string().filter(|_| is_member) else {
            self.open = None;
            return None;
        };
        let node = machine.document.nodes.len() as u32 - 1;
        if self.open.as_ref().is_none_or(|open| open.node != node) {
            let name = machine.pointer.root_member()?;
            let member = canonical(tool, name);
            self.open =
                Some(Open { node, member: member.into(), limits: Limits::of(tool, member), size: Size::default() });
        }
        let open = self.open.as_mut()?;
        open.size.add(text.get(open.size.bytes as usize..)?);
        let passed = open.limits.passed(&open.size)?;
        let start = machine.document.span(node).start;
        let known_at = machine.len();
        machine.halt(Code::InlineLimit, start, known_at);
        // The text up to the byte that passed the limit is seen; nothing after it.
        machine.document.freeze(known_at as u32);
        Some(passed.diagnosis(&open.member, start.into()).with_known_at(known_at as u64))
    }
}

/// Whether the guards are on: a judgement of the text alone asks nothing of its members.
fn is_guarded(settings: &Settings) -> bool {
    settings.judgement() != Judgement::Text
}

/// A guard that a member of an accepted text fails.
pub(crate) struct Failed {
    /// Its canonical name.
    pub(crate) member: String,
    pub(crate) diagnosis: Diagnosis,
}

/// Checks the members of the root of a text that is otherwise accepted. The first one that fails, in text order.
pub(crate) fn check(root: ValueRef<'_>, tool: &Tool, settings: &Settings) -> Option<Failed> {
    let Grants { max_inline_bytes, max_inline_chars, max_inline_utf16, placeholders, .. } = tool.grants();
    let limits = [max_inline_bytes, max_inline_chars, max_inline_utf16];
    if !is_guarded(settings) || placeholders.is_empty() && limits.iter().all(|limits| limits.is_empty()) {
        return None;
    }
    root.members().find_map(|member| {
        let name = canonical(tool, member.name);
        let text = member.value.as_str()?;
        let at = member.value.span().start.into();
        let limits = Limits::of(tool, name);
        let passed = limits.any().then(|| limits.passed(&Size::of(text))).flatten();
        let is_placeholder = || {
            let markers = placeholders.get(name)?;
            (!only_newlines(text) && markers.iter().any(|marker| marker.matches(text))).then_some(())
        };
        let diagnosis = match passed {
            Some(passed) => passed.diagnosis(name, at),
            None => {
                is_placeholder()?;
                Diagnosis::new(Code::Placeholder).with_at(at).with_pointer(pointer_to(name))
            }
        };
        Some(Failed { member: name.to_owned(), diagnosis })
    })
}

/// The declared name of a member that may go by a granted alias.
fn canonical<'n>(tool: &'n Tool, name: &'n str) -> &'n str {
    tool.canonical_of(name).unwrap_or(name)
}

fn pointer_to(member: &str) -> String {
    let mut pointer = String::new();
    // Writing to a String cannot fail.
    let _ = write_token(&mut pointer, Token::Name(member));
    pointer
}

/// The limits of one member.
#[derive(Clone, Copy, Debug, Default)]
struct Limits {
    bytes: Option<u64>,
    chars: Option<u64>,
    utf16: Option<u64>,
}

/// A limit that was passed.
struct Passed {
    size: u64,
    limit: u64,
    unit: Unit,
}

impl Limits {
    fn of(tool: &Tool, member: &str) -> Self {
        let Grants { max_inline_bytes, max_inline_chars, max_inline_utf16, .. } = tool.grants();
        Self {
            bytes: max_inline_bytes.get(member).copied(),
            chars: max_inline_chars.get(member).copied(),
            utf16: max_inline_utf16.get(member).copied(),
        }
    }

    fn any(self) -> bool {
        self.bytes.or(self.chars).or(self.utf16).is_some()
    }

    /// How many units more fit in any case.
    fn room(self, size: &Size) -> usize {
        let rooms = self.pairs(size).map(|(limit, size, _)| limit.saturating_sub(size));
        rooms.min().map_or(usize::MAX, |room| usize::try_from(room).unwrap_or(usize::MAX))
    }

    fn passed(self, size: &Size) -> Option<Passed> {
        let over = self.pairs(size).find(|&(limit, size, _)| size > limit);
        over.filter(|_| !size.only_newlines()).map(|(limit, size, unit)| Passed { size, limit, unit })
    }

    /// Each limit that is set, with the size in its unit.
    fn pairs(self, size: &Size) -> impl Iterator<Item = (u64, u64, Unit)> {
        let Size { bytes, chars, utf16, .. } = *size;
        let all =
            [(self.bytes, bytes, Unit::Bytes), (self.chars, chars, Unit::Chars), (self.utf16, utf16, Unit::Utf16)];
        all.into_iter().filter_map(|(limit, size, unit)| limit.map(|limit| (limit, size, unit)))
    }
}

impl Passed {
    fn diagnosis(&self, member: &str, at: u64) -> Diagnosis {
        Diagnosis::new(Code::InlineLimit)
            .with_at(at)
            .with_pointer(pointer_to(member))
            .with_limit(self.size, self.limit, self.unit)
    }
}

/// The size of a decoded string, in every unit.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    bytes: u64,
    chars: u64,
    utf16: u64,
    newlines: u64,
}

impl Size {
    fn of(text: &str) -> Self {
        let mut size = Self::default();
        size.add(text);
        size
    }

    fn add(&mut self, text: &str) {
        self.bytes += text.len() as u64;
        for c in text.chars() {
            self.chars += 1;
            self.utf16 += c.len_utf16() as u64;
            self.newlines += u64::from(is_newline(c));
        }
    }

    fn only_newlines(&self) -> bool {
        self.newlines == self.chars
    }
}

fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn only_newlines(text: &str) -> bool {
    text.chars().all(is_newline)
}
