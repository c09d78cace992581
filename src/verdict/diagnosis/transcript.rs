//! What stands in the history for a call that was rejected: providers refuse a conversation that holds arguments which are
//! not one JSON object.

use serde_json::{Value, json};

use crate::verdict::code::Code;

/// The form of the object that replaces rejected arguments in the history.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Transcript<'k> {
    /// `{"_rejected":"truncated-in-string"}`: the code and nothing of the arguments, so that the model does not imitate its
    /// own broken text. The shape is stable.
    #[default]
    Marker,
    /// `{"INVALID_JSON":"…"}` for the key `INVALID_JSON`: the raw text as one string, for models that are told to look at it.
    Wrapped {
        /// The only key of the object.
        key: &'k str,
    },
}

/// The object, in this form, for the arguments `raw` that were rejected with this code.
pub fn transcript(form: Transcript<'_>, code: Code, raw: &str) -> Value {
    match form {
        Transcript::Marker => json!({ "_rejected": code.name() }),
        Transcript::Wrapped { key } => json!({ key: raw }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Transcript, transcript};
    use crate::verdict::code::Code;

    #[test]
    fn the_object_is_valid_and_the_marker_echoes_nothing() {
        let raw = "{\"a\":\"b\u{0}";
        let marker = transcript(Transcript::Marker, Code::TruncatedInString, raw);
        assert_eq!(marker.to_string(), r#"{"_rejected":"truncated-in-string"}"#);
        let wrapped = transcript(Transcript::Wrapped { key: "INVALID_JSON" }, Code::TruncatedInString, raw);
        assert_eq!(wrapped.to_string(), r#"{"INVALID_JSON":"{\"a\":\"b\u0000"}"#);
    }
}
