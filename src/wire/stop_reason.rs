//! Which end a provider's terminal reason stands for.

use super::Format;
use crate::verdict::code::End;

impl End {
    /// The end that this terminal reason of this format stands for.
    ///
    /// A reason that is not known is read as `Truncated`: a closed root is accepted as it stands, nothing is repaired
    /// and nothing is taken for an empty call. `OpenaiResponses` takes `completed`, `failed`, `incomplete:REASON` and the
    /// bare `REASON`. An error of the provider is `Disconnected`.
    pub fn of_stop_reason(format: Format, reason: &str) -> Self {
        known(format, reason).unwrap_or(Self::Truncated)
    }
}

/// The end of a reason that a gateway hands on from an unnamed provider; `None` if no format knows it.
pub(super) fn of_native_reason(reason: &str) -> Option<End> {
    Format::ALL.into_iter().find_map(|format| known(format, reason))
}

fn known(format: Format, reason: &str) -> Option<End> {
    let end = match format {
        Format::Anthropic => match reason {
            "end_turn" | "pause_turn" | "stop_sequence" | "tool_use" => End::Complete,
            "max_tokens" | "model_context_window_exceeded" => End::Truncated,
            "refusal" => End::Filtered,
            _ => return None,
        },
        Format::Bedrock => match reason {
            "end_turn" | "stop_sequence" | "tool_use" => End::Complete,
            "max_tokens" | "model_context_window_exceeded" => End::Truncated,
            "content_filtered" | "guardrail_intervened" => End::Filtered,
            "malformed_model_output" | "malformed_tool_use" => End::Disconnected,
            _ => return None,
        },
        Format::Cohere => match reason {
            "COMPLETE" | "STOP_SEQUENCE" | "TOOL_CALL" => End::Complete,
            "MAX_TOKENS" => End::Truncated,
            "ERROR" | "TIMEOUT" => End::Disconnected,
            _ => return None,
        },
        Format::Gemini => match reason {
            "STOP" => End::Complete,
            "MAX_TOKENS" => End::Truncated,
            "BLOCKLIST" | "LANGUAGE" | "PROHIBITED_CONTENT" | "RECITATION" | "SAFETY" | "SPII" => End::Filtered,
            "MALFORMED_FUNCTION_CALL" | "TOO_MANY_TOOL_CALLS" | "UNEXPECTED_TOOL_CALL" => End::Disconnected,
            _ => return None,
        },
        Format::GeminiInteractions => match reason {
            "completed" | "requires_action" => End::Complete,
            "incomplete" => End::Truncated,
            "cancelled" | "failed" => End::Disconnected,
            _ => return None,
        },
        Format::DashScope | Format::Ollama | Format::OpenaiChat => match reason {
            // The names of other APIs occur where a gateway hands them on.
            "end_turn" | "eos" | "function_call" | "stop" | "stop_sequence" | "tool_calls" | "tool_use" => {
                End::Complete
            }
            "length" | "max_tokens" | "model_length" => End::Truncated,
            "content_filter" | "sensitive" => End::Filtered,
            "abort" | "error" | "insufficient_system_resource" | "network_error" => End::Disconnected,
            _ => return None,
        },
        Format::OpenaiResponses => match reason.strip_prefix("incomplete:").unwrap_or(reason) {
            "completed" => End::Complete,
            "max_output_tokens" => End::Truncated,
            "content_filter" => End::Filtered,
            "cancelled" | "failed" => End::Disconnected,
            _ => return None,
        },
    };
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_stand_for_ends() {
        for (format, reason, end) in [
            (Format::Anthropic, "tool_use", End::Complete),
            (Format::Anthropic, "model_context_window_exceeded", End::Truncated),
            (Format::Anthropic, "refusal", End::Filtered),
            (Format::OpenaiChat, "stop", End::Complete),
            (Format::OpenaiChat, "insufficient_system_resource", End::Disconnected),
            (Format::OpenaiResponses, "incomplete:max_output_tokens", End::Truncated),
            (Format::OpenaiResponses, "incomplete:content_filter", End::Filtered),
            (Format::Bedrock, "malformed_tool_use", End::Disconnected),
            (Format::Gemini, "MALFORMED_FUNCTION_CALL", End::Disconnected),
            (Format::Cohere, "TOOL_CALL", End::Complete),
            (Format::Ollama, "length", End::Truncated),
            (Format::OpenaiChat, "some_new_reason", End::Truncated),
        ] {
            assert_eq!(End::of_stop_reason(format, reason), end, "{reason}");
        }
        assert_eq!(of_native_reason("max_output_tokens"), Some(End::Truncated));
        assert_eq!(of_native_reason("MAX_TOKENS"), Some(End::Truncated));
        assert_eq!(of_native_reason("some_new_reason"), None);
    }
}
