//! Readers written in Rust, as subjects of the conformance cases.

mod argseal;
#[cfg(feature = "others")]
mod others;

use argseal_conformance::{Hello, Level};

pub use crate::argseal::Argseal;
#[cfg(feature = "others")]
pub use others::{NAMES, subject};

/// A hello of a reader of this language that takes bytes.
fn hello(name: &str, version: &str, levels: &[Level], without: &[&str]) -> Hello {
    Hello {
        protocol: 1,
        name: name.to_owned(),
        version: version.to_owned(),
        language: "rust".to_owned(),
        levels: levels.to_vec(),
        without: without.iter().map(|&aspect| aspect.to_owned()).collect(),
        bytes: true,
        note: None,
    }
}
