//! Readers written in Rust, as subjects of the conformance cases.

mod argseal;
mod fixer;
mod jiter;
mod serde_json;
mod sonic;

use argseal_conformance::{Hello, Level, Subject};

pub use crate::argseal::Argseal;

/// The subjects, by name.
pub const NAMES: [&str; 7] =
    ["argseal", "jiter", "jiter-partial", "partial-json-fixer", "serde_json", "serde_json+jsonschema", "sonic-rs"];

/// The subject of this name, if there is one.
pub fn subject(name: &str) -> Option<Box<dyn Subject>> {
    Some(match name {
        "argseal" => Box::new(Argseal),
        "jiter" => Box::new(jiter::Jiter),
        "jiter-partial" => Box::new(jiter::JiterPartial),
        "partial-json-fixer" => Box::new(fixer::Fixer),
        "serde_json" => Box::new(serde_json::SerdeJson),
        "serde_json+jsonschema" => Box::new(serde_json::Validated),
        "sonic-rs" => Box::new(sonic::Sonic),
        _ => return None,
    })
}

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

/// The levels of a reader of whole texts that says where they are wrong.
const WHOLE: [Level; 5] = [Level::Accept, Level::Value, Level::Place, Level::Cut, Level::Damage];
