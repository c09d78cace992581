//! The readers other than argseal, and all subjects by name.

mod fixer;
mod jiter;
mod serde_json;
mod sonic;

use argseal_conformance::{Level, Subject};

use crate::Argseal;

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

/// The levels of a reader of whole texts that says where they are wrong.
const WHOLE: [Level; 5] = [Level::Accept, Level::Value, Level::Place, Level::Cut, Level::Damage];
