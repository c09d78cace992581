//! What is said of a call: accepted with its edits and notes, or rejected with a code and a diagnosis.

pub(crate) mod audit;
pub mod code;
pub(crate) mod diagnosis;
pub(crate) mod note;
pub(crate) mod outcome;
