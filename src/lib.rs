//! argseal reads the streamed arguments of one LLM tool call, delta by delta.

pub mod code;
#[allow(dead_code, unused_imports, reason = "the builders are called by the machine and the validators")]
mod diagnosis;
mod document;
mod event;
mod lex;
mod limits;
mod pointer;
mod program;
mod repair;
mod span;
mod syntax;

pub use code::{Code, End, Fault, Opening};
pub use diagnosis::{Diagnosis, Exceeded, Facts, SuspectQuote, Transcript, Unit, transcript};
pub use document::{Document, Elements, Kind, Member, Members, Number, ValueRef};
pub use event::{Event, Sink, sink};
pub use limits::Limits;
pub use pointer::{Pointer, Token};
pub use span::Span;
