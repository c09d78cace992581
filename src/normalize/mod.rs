//! Valid JSON in the wrong shape.

mod names;

#[allow(unused_imports, reason = "the rule `rename` asks it")]
pub(crate) use names::related;
