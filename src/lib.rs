//! argseal reads the streamed arguments of one LLM tool call, delta by delta.

pub mod code;
pub use code::{Code, End, Fault};
pub mod calls;
pub mod wire;
