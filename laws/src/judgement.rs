//! Law 2 with a tool: what is accepted fits what the tool asks for, and is accepted at an end that accepts.

use serde_json::Value;

use super::{Duplicates, Observation, Outcome, duplicates, observe, shown};
use argseal::{Code, End, Judgement, Rule, Settings, Tool, Verdict};

/// Law 2, strict is strict, with a tool: what is accepted as strict is one RFC 8259 text, as it was sent, and what is
/// accepted fits the schema as far as the judgement demands; where no rule changes the shape, what fits is not rejected as
/// if it did not. `fits` reads the schema independently of the engine.
pub fn judgement(bytes: &[u8], tool: &Tool, settings: &Settings, end: End, fits: impl Fn(&Value) -> bool) {
    judgement_of(|pieces| observe(pieces, Some(tool), settings, end), settings, end, fits, bytes);
}

/// [`judgement`] of something else than the engine.
pub fn judgement_of(
    read: impl Fn(&[&[u8]]) -> Observation,
    settings: &Settings,
    end: End,
    fits: impl Fn(&Value) -> bool,
    bytes: &[u8],
) {
    let sent = serde_json::from_slice::<Value>(bytes);
    match read(&[bytes]).outcome {
        Outcome::Accepted { verdict, text, value, audit, .. } => {
            let empty = audit.actions().iter().any(|action| action == Rule::Empty.name());
            let accepts = match end {
                End::CallClosed | End::Complete => true,
                End::Filtered | End::Truncated => verdict != Verdict::Repaired && !empty,
                End::Cancelled | End::Disconnected => false,
                other => panic!("the law does not know the end {other:?}"),
            };
            assert!(accepts, "{verdict:?} at {end:?}: {}", shown(bytes));
            if verdict == Verdict::Strict {
                assert!(text.as_bytes() == bytes, "the text was altered: {}", shown(bytes));
                assert!(duplicates(bytes) != Duplicates::Unequal, "strict with duplicates: {}", shown(bytes));
                match &sent {
                    Ok(value) => {
                        let root = value.is_object() || settings.allows_any_root();
                        assert!(root, "strict without an object as root: {}", shown(bytes));
                    }
                    Err(error) => assert!(is_beyond(error), "strict, but {error}: {}", shown(bytes)),
                }
            }
            let demanded = verdict != Verdict::Strict || settings.judgement() == Judgement::Schema;
            let violated = value.is_some_and(|value| demanded && !fits(&value));
            assert!(!violated, "{verdict:?}, but it does not fit: {}", shown(bytes));
        }
        Outcome::Rejected { diagnosis, .. } => {
            let of_shape = matches!(
                diagnosis.code(),
                Code::ConstraintViolation | Code::MissingRequired | Code::TypeMismatch | Code::UnknownProperty
            );
            // A granted alias or a wrapper may bring to light what does not fit.
            let changes = [Rule::Alias, Rule::Merge, Rule::Unwrap].iter().any(|rule| settings.allows(*rule));
            let fitting = sent.is_ok_and(|value| value.is_object() && fits(&value));
            assert!(!(of_shape && !changes && fitting), "{}, but it fits: {}", diagnosis.code(), shown(bytes));
        }
    }
}

/// Whether `serde_json` gave up on a JSON text.
pub(super) fn is_beyond(error: &serde_json::Error) -> bool {
    let held = error.to_string();
    held.contains("number out of range") || held.contains("recursion limit")
}
