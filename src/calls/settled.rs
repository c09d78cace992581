//! What a settled call is.

use super::ending::{Marker, Next, Root};
use crate::schema::Tool;
use crate::verdict::code::End;
use crate::verdict::note::Note;
use crate::verdict::outcome::{Accepted, Rejected};
use std::fmt;

/// Handle of one call of a [`Calls`](crate::Calls): the order in which the calls were opened, from 0. It says nothing to another `Calls`.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Key(pub(super) u32);

impl Key {
    /// The place of the call in the order of start, from 0.
    pub fn position(self) -> usize {
        self.0 as usize
    }
}

/// One settled call.
#[non_exhaustive]
#[derive(Debug)]
pub struct Settled {
    /// Its handle.
    pub key: Key,
    /// The choice of the response that the call belongs to (`choices[].index`, `candidates[].index`), if the provider gave
    /// one. Where several were asked for, each is an answer of its own.
    pub choice: Option<u64>,
    /// The provider's index, if it gave one.
    pub index: Option<u64>,
    /// The provider's id, if it gave one.
    pub id: Option<String>,
    /// The tool's name, if one came.
    pub name: Option<String>,
    /// The tool of that name, if there is one.
    pub tool: Option<Tool>,
    /// The verdict, or the text of a custom tool.
    pub payload: Payload,
    /// What was seen of the text and of its end.
    pub ended: Ended,
    /// What the rules of the wire found in this call.
    pub notes: Vec<Note>,
}

impl Settled {
    /// The call's text after the rules of the wire and before any edit.
    pub fn raw(&self) -> &str {
        match &self.payload {
            Payload::Arguments(Ok(accepted)) => accepted.raw(),
            Payload::Arguments(Err(rejected)) => rejected.raw(),
            Payload::Text(text) => text,
        }
    }
}

/// What a call carried.
#[expect(clippy::large_enum_variant, reason = "nearly every call carries arguments")]
pub enum Payload {
    /// JSON arguments, judged.
    Arguments(Result<Accepted, Rejected>),
    /// The free text of a custom tool: not JSON, not judged.
    Text(String),
}

/// The facts of one call's text and end.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ended {
    /// How many pieces of argument text came, empty ones included.
    pub deltas: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The state of the root value.
    pub root: Root,
    /// The call's own end marker.
    pub marker: Marker,
    /// Whether a later call has begun.
    pub next: Next,
    /// The end with which the call was judged.
    pub end: End,
    /// Which terminal reason of the stream is the call's, counted from 0.
    pub turn: usize,
}

/// Prints verdicts and sizes, never contents.
impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(verdict) => f.debug_tuple("Arguments").field(verdict).finish(),
            Self::Text(text) => f.debug_tuple("Text").field(&text.len()).finish(),
        }
    }
}
