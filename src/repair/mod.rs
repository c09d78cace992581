//! Repair: two narrow signatures, each behind the same gate. They only insert.

mod close_description;
mod completion;
mod inner_call;

pub(crate) use close_description::close_description;
pub(crate) use inner_call::{Completed, inner_call};
