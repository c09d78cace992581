//! argseal reads the streamed arguments of one LLM tool call, delta by delta.

pub mod code;
mod document;
mod event;
mod lex;
mod limits;
mod normalize;
mod pointer;
mod schema;
mod span;
mod syntax;

pub use code::{Code, End, Fault};
pub use document::{Document, Elements, Kind, Member, Members, Number, ValueRef};
pub use event::{Event, Sink, sink};
pub use limits::Limits;
pub use pointer::{Pointer, Token};
#[cfg(feature = "jsonschema")]
pub use schema::JsonSchema;
pub use schema::{
    GrantError, Grants, InnerCallGrant, Marker, SchemaError, Tool, ToolIssue, Tools, Unjudged, Validator, Violation,
};
pub use span::Span;
pub use syntax::SuspectQuote;
