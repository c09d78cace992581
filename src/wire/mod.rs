//! The providers' streams: framing, one decoder a format, and the assembler over them.

pub mod eventstream;
pub mod lines;
pub mod sse;
