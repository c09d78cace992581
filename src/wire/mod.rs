//! The providers' streams: framing, one decoder a format, and the assembler over them.
//!
//! The decoders only read what the provider's JSON says; which delta belongs to which call is decided in
//! [`Calls`](crate::Calls), for all of them.

mod anthropic;
mod assembler;
mod bedrock;
mod cohere;
mod dashscope;
pub mod eventstream;
mod format;
mod framing;
mod gemini;
mod gemini_interactions;
pub mod lines;
mod numbering;
mod ollama;
mod openai_chat;
mod openai_responses;
mod partial_args;
mod payload;
mod router;
pub mod sse;
mod stop_reason;
mod stream;

pub use assembler::Assembler;
pub use format::Format;
pub use stream::{ErrorKind, Live, Signal, Stream, StreamError, Terminal};
