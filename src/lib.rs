//! argseal reads the streamed arguments of one LLM tool call, delta by delta.
//!
//! While the text streams, [`Call::partial`] shows what is there, unescaped; at the end [`Call::finish`] says whether the
//! call may run: accepted as the model wrote it, repaired or normalized where its owner granted that, or rejected with a
//! [`Diagnosis`]. [`Calls`] tells the parallel calls of one response apart, [`Assembler`] reads a provider's stream.
//!
//! The library does no I/O, has no clock and spawns nothing. Feeding cannot fail; a rejection is final.
#![doc = include_str!("../README.md")]
#![deny(missing_docs, unsafe_code)]

#[cfg(feature = "_internals")]
#[doc(hidden)]
#[path = "internals.rs"]
pub mod _internals;
mod call;
pub mod calls;
mod document;
pub mod history;
mod judge;
mod lex;
mod normalize;
mod program;
mod repair;
mod schema;
mod settings;
pub mod stats;
mod syntax;
mod text;
mod verdict;
pub mod wire;

pub use call::partial::{Cursor, Grown, Partial, PartialValue};
pub use call::{Call, Progress, judge};
pub use calls::{Calls, Chunk, Fed, Key, Payload, Settled};
pub use document::{Document, Elements, Held, Kind, Member, Members, Number, ValueRef};
pub use history::History;
pub use judge::guard::ContextWindow;
#[cfg(feature = "jsonschema")]
pub use schema::JsonSchema;
pub use schema::{
    GrantError, Grants, InnerCallGrant, Marker, SchemaError, Tool, ToolIssue, Tools, Unjudged, Validator, Violation,
};
pub use settings::limits::Limits;
pub use settings::{Judgement, Numbers, Policy, Rule, Settings};
pub use stats::Stats;
pub use syntax::event::{Event, Sink, sink};
pub use text::pointer::{Pointer, Token};
pub use text::span::Span;
pub use verdict::audit::{Audit, Edit};
pub use verdict::code::{self, Code, End, Fault, Opening};
pub use verdict::diagnosis::{Diagnosis, Exceeded, Facts, SuspectQuote, Transcript, Unit, transcript};
pub use verdict::note::{Note, NoteKind};
pub use verdict::outcome::{Accepted, Checked, Rejected, Verdict};
pub use wire::{Assembler, Format, Signal, Stream};

/// The code of the migration notes compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/migration.md")]
mod migration {}

/// The code of the guides compiles and runs.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../docs/guide-agent.md")]
    mod agent {}
    #[doc = include_str!("../docs/guide-gateway.md")]
    mod gateway {}
    #[doc = include_str!("../docs/guide-ui.md")]
    mod ui {}
}
