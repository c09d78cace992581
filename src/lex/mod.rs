//! Bytes into lexemes, resumable at every byte.
//!
//! Each file reads one lexical context and keeps at most a few bytes of state between deltas: outside of strings a byte
//! is its class ([`outside`]), inside of strings a run of plain text ([`inside`]), an escape ([`escape`]) or a UTF-8
//! sequence ([`utf8`]), and numbers and literals are read byte by byte ([`scalar`]). Which context comes next is the
//! grammar's business ([`crate::syntax`]).

pub(crate) mod escape;
pub(crate) mod inside;
pub(crate) mod outside;
pub(crate) mod scalar;
pub(crate) mod utf8;
