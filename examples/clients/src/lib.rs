//! What the examples share: recorded streams, cut as a network may cut them, and plain HTTP on the loopback.

pub mod http;
pub mod recorded;
