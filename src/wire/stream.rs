//! What the assembler tells: signals while the stream runs, the whole at its end.

use super::Format;
use crate::call::{Call, Progress};
use crate::calls::{Key, Settled};
use crate::verdict::code::End;
use std::fmt;

/// Something that happened in the stream, lent to the host while it runs.
#[non_exhaustive]
#[derive(Debug)]
pub enum Signal<'s> {
    /// The stream is broken, or the provider reports an error.
    Error(&'s StreamError),
    /// A delta came for a call, or its id or name.
    Grown(Live<'s>),
    /// A call began.
    Opened(Live<'s>),
    /// A call was settled at its own end marker: it can be run now. [`Stream::calls`] will hold it too.
    Settled(&'s Settled),
    /// The provider's terminal reason came.
    Terminal(&'s Terminal),
}

/// A call under way.
#[non_exhaustive]
#[derive(Clone, Copy, Debug)]
pub struct Live<'s> {
    /// Its handle, which stays the same.
    pub key: Key,
    /// The provider's id, if it came.
    pub id: Option<&'s str>,
    /// The tool's name, if it came.
    pub name: Option<&'s str>,
    /// The call, for a view of what is there; `None` for the free text of a custom tool, and beyond the limit of calls.
    pub call: Option<&'s Call>,
    /// Where its text stands.
    pub progress: Progress,
}

/// A terminal reason of the stream.
#[non_exhaustive]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Terminal {
    /// The provider's word.
    pub reason: String,
    /// The word of the provider behind a gateway, where the gateway hands it on.
    pub native: Option<String>,
    /// The end that the two stand for, the worse one counting.
    pub end: End,
    /// The choice of the response that it is for, if the provider gave one.
    pub choice: Option<u64>,
    /// Which calls it is for: those whose [`turn`](crate::calls::Ended::turn) is the same.
    pub turn: usize,
}

/// Something wrong with the stream.
#[non_exhaustive]
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StreamError {
    /// What kind of wrong.
    pub kind: ErrorKind,
    /// The provider's message, or what could not be read; clipped, without contents of arguments.
    pub message: String,
    /// The event, counted from 1; 0 before the first.
    pub event: u64,
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (event {}): {}", self.kind.name(), self.event, self.message)
    }
}

impl std::error::Error for StreamError {}

/// The kinds of stream error.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum ErrorKind {
    /// A frame that cannot be read: the calls that are open end as disconnected.
    Framing,
    /// Text for a call that had been settled; it changed nothing.
    Late,
    /// The provider's event numbers have gaps, repeats or swaps.
    Numbering,
    /// The provider reports an error: the calls that are open end as disconnected.
    Provider,
    /// An event that is not what the format says: the calls that are open end as disconnected.
    Unreadable,
    /// The last event came without its blank line; it was read.
    Unterminated,
}

impl ErrorKind {
    /// Every kind, in alphabetical order.
    pub const ALL: [Self; 6] =
        [Self::Framing, Self::Late, Self::Numbering, Self::Provider, Self::Unreadable, Self::Unterminated];

    /// The name used in the NDJSON interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Framing => "framing",
            Self::Late => "late",
            Self::Numbering => "numbering",
            Self::Provider => "provider",
            Self::Unreadable => "unreadable",
            Self::Unterminated => "unterminated",
        }
    }
}

/// A whole stream, assembled.
#[non_exhaustive]
#[derive(Debug)]
pub struct Stream {
    /// The format, unless no event showed it.
    pub format: Option<Format>,
    /// The calls, in the order of opening.
    pub calls: Vec<Settled>,
    /// Calls beyond [`Limits::calls`](crate::Limits::calls), beside the first of them, which is among [`calls`](Self::calls)
    /// as rejected with `call-limit` and stands for all.
    pub calls_left_out: u64,
    /// The terminal reasons, in the order of their turns.
    pub terminals: Vec<Terminal>,
    /// What was wrong, in the order of the events.
    pub errors: Vec<StreamError>,
    /// Errors beyond the first hundred.
    pub errors_left_out: u64,
    /// Events read.
    pub events: u64,
    /// The format's own last event came (`[DONE]`, `message_stop`): no evidence of completeness.
    pub done: bool,
}

impl Stream {
    /// The terminal reason of this call, if one came.
    pub fn terminal_of(&self, call: &Settled) -> Option<&Terminal> {
        let at = self.terminals.binary_search_by_key(&call.ended.turn, |terminal| terminal.turn);
        at.ok().map(|at| &self.terminals[at])
    }
}
