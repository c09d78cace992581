//! Repair: two narrow signatures, each behind the same gate. They only insert.

mod close_description;
pub(crate) mod inner_call;

pub(crate) use close_description::close_description;
