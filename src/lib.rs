//! argseal reads the streamed arguments of one LLM tool call, delta by delta.
//!
//! While the text streams, [`Call::partial`] shows what is there, unescaped; at the end [`Call::finish`] says whether the
//! call may run: accepted as the model wrote it, repaired or normalized where its owner granted that, or rejected with a
//! [`Diagnosis`]. [`Calls`] tells the parallel calls of one response apart, [`Assembler`] reads a provider's stream.
//!
//! The library does no I/O, has no clock and spawns nothing. Feeding cannot fail; a rejection is final.
#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

#[cfg(feature = "_internals")]
#[doc(hidden)]
#[path = "internals.rs"]
pub mod _internals;
mod audit;
mod call;
pub mod calls;
pub mod code;
mod diagnosis;
mod document;
mod event;
mod guard;
pub mod history;
mod judge;
mod lex;
mod limits;
mod normalize;
mod note;
mod outcome;
mod partial;
mod pointer;
mod program;
mod repair;
mod schema;
mod settings;
mod span;
pub mod stats;
mod syntax;
mod trailing;
#[allow(unsafe_code)]
mod wide;
pub mod wire;

pub use audit::{Audit, Edit};
pub use call::{Call, Progress, judge};
pub use calls::{Calls, Chunk, Fed, Key, Payload, Settled};
pub use code::{Code, End, Fault, Opening};
pub use diagnosis::{Diagnosis, Exceeded, Facts, SuspectQuote, Transcript, Unit, transcript};
pub use document::{Document, Elements, Kind, Member, Members, Number, ValueRef};
pub use event::{Event, Sink, sink};
pub use guard::ContextWindow;
pub use history::History;
pub use limits::Limits;
pub use note::{Note, NoteKind};
pub use outcome::{Accepted, Checked, Rejected, Verdict};
pub use partial::{Cursor, Grown, Partial, PartialValue};
pub use pointer::{Pointer, Token};
#[cfg(feature = "jsonschema")]
pub use schema::JsonSchema;
pub use schema::{
    GrantError, Grants, InnerCallGrant, Marker, SchemaError, Tool, ToolIssue, Tools, Unjudged, Validator, Violation,
};
pub use settings::{Judgement, Policy, Rule, Settings};
pub use span::Span;
pub use stats::Stats;
pub use wire::{Assembler, Format, Signal, Stream};

/// The code of the migration notes compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/migration.md")]
mod migration {}
