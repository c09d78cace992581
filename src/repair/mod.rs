//! The two repair signatures. Both only insert.

pub(crate) mod inner_call;
