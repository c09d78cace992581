//! What a settled call is.

use super::Key;
use super::ending::{Marker, Next, Root};
use crate::End;
use crate::stub::{Accepted, Rejected, Tool};

/// One settled call.
#[non_exhaustive]
#[derive(Debug)]
pub struct Settled {
    /// Its handle.
    pub key: Key,
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
    pub facts: Facts,
    /// What the rules of the wire found in this call.
    pub notes: Vec<CallNote>,
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
#[derive(Debug)]
pub enum Payload {
    /// JSON arguments, judged.
    Arguments(Result<Accepted, Rejected>),
    /// The free text of a custom tool: not JSON, not judged.
    Text(String),
}

/// The facts of one call's text and end.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Facts {
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

/// What the rules of the wire found in one call.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum CallNote {
    /// Each delta held the whole text so far; only what was new was taken.
    CumulativeDeltas,
    /// A `{}` before the arguments was left out: the start event's empty input.
    EmptyObjectDropped,
    /// The `done` event states another text than the deltas of a custom tool; the deltas were kept.
    FinalMismatch,
    /// The name came in pieces.
    NameJoined,
    /// An event of the stream was lost while the call was open.
    PartLost,
}

impl CallNote {
    /// The name used in the NDJSON interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::CumulativeDeltas => "cumulative-deltas",
            Self::EmptyObjectDropped => "empty-object-dropped",
            Self::FinalMismatch => "final-mismatch",
            Self::NameJoined => "name-joined",
            Self::PartLost => "part-lost",
        }
    }
}
