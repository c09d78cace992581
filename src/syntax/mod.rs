//! The machine: bytes go in, the document grows, and the first byte that no JSON text goes on with stops it.
//!
//! It is resumable at every byte and scans nothing twice: between deltas it keeps its mode, the state of the grammar and
//! the few bytes of a token that cannot be understood yet. The grammar is in [`table`]; [`scan`] only carries its
//! transitions out.

mod between;
pub(crate) mod event;
mod feed;
#[cfg(feature = "_internals")]
pub(crate) mod plain;
mod scalars;
mod scan;
mod stop;
pub(crate) mod table;
pub(crate) mod trailing;

pub(crate) use stop::Stop;

use crate::document::Document;
use crate::lex::escape::Escape;
use crate::lex::inside::Quiet;
use crate::lex::scalar::{Literal, Number};
use crate::lex::utf8::Carry;
use crate::settings::Numbers;
use crate::settings::limits::Limits;
use crate::text::pointer::Pointer;
use crate::verdict::code::Code;
use table::State;

/// What the machine is reading.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Mode {
    /// Between tokens.
    #[default]
    Outside,
    /// Inside a string.
    String,
    /// After a backslash inside a string.
    Backslash,
    /// Inside a `\u` escape, or after the backslash that follows a high surrogate.
    Escape,
    /// After a high surrogate: a backslash must follow.
    HighSurrogate,
    Number,
    Literal,
    /// Nothing is read any more.
    Stopped,
}

/// The resumable parser of one text. What every delta touches lies together, as in [`Document`].
#[derive(Clone, Default)]
#[repr(C)]
pub(crate) struct Machine {
    mode: Mode,
    state: State,
    /// What may stand in the string that is open without anything to be done about it: escapes, once it holds one.
    quiet: Quiet,
    /// The string that is open is a member's name.
    naming: bool,
    carry: Carry,
    members: u32,
    limits: Limits,
    numbers: Numbers,
    /// Offset of the number or literal that is open.
    token_start: u32,
    pub(crate) document: Document,
    pub(crate) pointer: Pointer,
    escape: Escape,
    number: Option<Number>,
    literal: Option<Literal>,
    stop: Option<Box<Stop>>,
}

impl Machine {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    pub(crate) fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    pub(crate) fn set_numbers(&mut self, numbers: Numbers) {
        self.numbers = numbers;
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Bytes of the text so far, those of an incomplete UTF-8 sequence included.
    pub(crate) fn len(&self) -> usize {
        self.document.text.len() + self.carry.bytes().len()
    }

    /// The bytes after the valid text: an incomplete UTF-8 sequence, or what was kept from the first invalid byte on.
    pub(crate) fn tail(&self) -> &[u8] {
        match &self.stop {
            Some(stop) => &stop.tail,
            None => self.carry.bytes(),
        }
    }

    pub(crate) fn stop(&self) -> Option<&Stop> {
        self.stop.as_deref()
    }

    /// The root is closed and nothing but blanks follows.
    pub(crate) fn is_complete(&self) -> bool {
        self.mode == Mode::Outside && self.state.is_end()
    }

    /// Plain string text may follow: nothing is known that was not known before.
    #[inline]
    pub(crate) fn is_inside_string(&self) -> bool {
        matches!(self.mode, Mode::String | Mode::Backslash)
    }

    /// Not all of what followed the closed root was kept.
    pub(crate) fn is_cut(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.cut)
    }

    /// The string value that is being written, as far as it goes.
    pub(crate) fn open_string(&self) -> Option<&str> {
        let reading = matches!(self.mode, Mode::String | Mode::Backslash | Mode::Escape | Mode::HighSurrogate);
        let node = self.document.nodes.last()?;
        (reading && !self.naming).then(|| self.document.string(node))
    }

    /// Ends the text: `None` if it is one JSON text, else the code of a text that is cut here.
    pub(crate) fn truncated(&mut self) -> Option<Code> {
        match self.mode {
            Mode::Outside if !self.carry.is_empty() => Some(Code::TruncatedInUtf8),
            Mode::Outside => self.state.truncated(),
            Mode::String if !self.carry.is_empty() => Some(Code::TruncatedInUtf8),
            Mode::String if self.naming => Some(Code::TruncatedInKey),
            Mode::String => Some(Code::TruncatedInString),
            Mode::Backslash | Mode::Escape => Some(Code::TruncatedInEscape),
            Mode::HighSurrogate => Some(Code::TruncatedInSurrogatePair),
            Mode::Literal => Some(Code::TruncatedInLiteral),
            Mode::Number => {
                let complete = self.number.is_some_and(Number::is_complete);
                if complete && self.pointer.depth() == 0 {
                    self.end_number(self.document.text.len() as u32, &mut event::Silent);
                    let stop = self.stop.as_mut()?;
                    stop.known_at = None;
                    return Some(stop.code);
                }
                Some(Code::TruncatedInNumber)
            }
            Mode::Stopped => None,
        }
    }

    /// What may come next, in words.
    pub(crate) fn expected(&self) -> &'static [&'static str] {
        self.state.expected()
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.document.heap_bytes() + self.pointer.heap_bytes()
    }

    /// Stops for good: `code` speaks of offset `at`, and is known once `known_at` bytes are consumed.
    #[cold]
    pub(crate) fn halt(&mut self, code: Code, at: u32, known_at: usize) {
        if self.stop.is_some() {
            return;
        }
        let expected = if self.mode == Mode::Outside { self.expected() } else { &[] };
        let mut stop = Stop::new(code, at, known_at, self.pointer.to_string(), expected);
        stop.found = self.document.text.as_bytes().get(at as usize).copied();
        stop.suspect = stop::suspect(&self.document, code, at as usize);
        stop.tail.extend_from_slice(self.carry.bytes());
        self.carry = Carry::default();
        // An open string grows no further: what comes after a rejection is no part of it.
        self.document.freeze(at);
        self.document.catch_up();
        self.stop = Some(Box::new(stop));
        self.mode = Mode::Stopped;
    }
}
