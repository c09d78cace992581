//! Places in a text, and looks at many of its bytes at once.

pub(crate) mod pointer;
pub(crate) mod span;
#[allow(unsafe_code)]
pub(crate) mod wide;
