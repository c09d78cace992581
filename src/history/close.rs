//! What is written where a result or a call is missing.

use serde_json::json;

use super::forms::{Form, ResultSite};
use crate::document::{Kind, ValueRef};

/// The result that answers a call for which none was recorded.
pub(super) fn result(id: &str, form: Form) -> String {
    match form {
        Form::Block => json!({"type": "tool_result", "tool_use_id": id, "is_error": true, "content": NO_RESULT}),
        Form::Chat => json!({"role": "tool", "tool_call_id": id, "content": NO_RESULT}),
        Form::Item => json!({"type": "function_call_output", "call_id": id, "output": NO_RESULT}),
        Form::CustomItem => json!({"type": "custom_tool_call_output", "call_id": id, "output": NO_RESULT}),
    }
    .to_string()
}

/// What a result without a call says, as text of the user: blocks of an Anthropic message, a Chat message, or an item.
pub(super) fn said(result: &ResultSite<'_>) -> String {
    match result.form {
        Form::Block => parts(result.content, "text"),
        Form::Chat => match result.content.and_then(ValueRef::as_str) {
            Some(text) => json!({"role": "user", "content": headed(text)}).to_string(),
            None => format!(r#"{{"role":"user","content":[{}]}}"#, parts(result.content, "text")),
        },
        Form::Item | Form::CustomItem => {
            format!(r#"{{"type":"message","role":"user","content":[{}]}}"#, parts(result.content, "input_text"))
        }
    }
}

/// The content as a list of parts, without its brackets; parts that are there stay as they are.
fn parts(content: Option<ValueRef<'_>>, kind: &str) -> String {
    let text = |text: &str| json!({"type": kind, "text": text}).to_string();
    match content {
        Some(content) if content.kind() == Kind::Array => {
            let parts = content.elements().map(|part| part.text().to_owned());
            [text(HEADING)].into_iter().chain(parts).collect::<Vec<_>>().join(",")
        }
        Some(content) if content.kind() == Kind::String => text(&headed(content.as_str().unwrap_or_default())),
        Some(content) if !content.is_null() => text(&headed(content.text())),
        Some(_) | None => text(HEADING),
    }
}

fn headed(text: &str) -> String {
    format!("{HEADING}\n{text}")
}

/// The JSON string with this content.
pub(super) fn string(content: &str) -> String {
    serde_json::Value::from(content).to_string()
}

const NO_RESULT: &str = "No result was recorded for this call.";

const HEADING: &str = "Result of a tool call that is not part of this conversation:";
