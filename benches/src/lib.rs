//! Payloads, contenders and measures, shared by the criterion benches, the report and the gate.

pub mod contender;
pub mod gate;
pub mod heap;
pub mod judged;
pub mod measure;
pub mod payload;
pub mod report;
mod svg;
