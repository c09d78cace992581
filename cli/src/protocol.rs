//! What of a stream is the protocol's own, and so may be shown: member names, kinds, reasons, ids.
//!
//! Everything that is not found here counts as contents.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Whether a name or a kind is made of words of the protocols alone: `content_block_delta`, `finishReason`,
/// `web_search_20250305`.
pub(crate) fn is_term(text: &str) -> bool {
    let is_written_so = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    if text.len() > MAX_TERM || !text.chars().all(is_written_so) {
        return false;
    }
    let mut words = words(text).peekable();
    words.peek().is_some() && words.all(|word| WORDS.contains(word.to_ascii_lowercase().as_str()))
}

/// Whether the protocol needs a string that stands under this name.
pub(crate) fn is_kept(name: &str, text: &str) -> bool {
    if KINDS.contains(&name) {
        is_term(text)
    } else if IDENTIFIERS.contains(&name) {
        text.len() <= MAX_IDENTIFIER && text.bytes().all(|byte| byte.is_ascii_graphic())
    } else {
        // A path holds member names.
        name == "jsonPath" && text.starts_with('$')
            || NUMBERS.contains(&name) && text.len() <= 10 && text.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// Whether the protocol needs a number that stands under this name.
pub(crate) fn is_kept_number(name: &str) -> bool {
    NUMBERS.contains(&name)
}

/// The runs of letters, cut where a capital follows a small letter.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphabetic()).flat_map(|run| {
        let bytes = run.as_bytes();
        let starts = (1..bytes.len()).filter(|&i| bytes[i - 1].is_ascii_lowercase() && bytes[i].is_ascii_uppercase());
        let mut from = 0;
        let cuts: Vec<usize> = starts.chain([run.len()]).collect();
        cuts.into_iter().map(move |to| &run[std::mem::replace(&mut from, to)..to]).filter(|word| !word.is_empty())
    })
}

/// Members that hold pieces of argument text.
pub(crate) const PIECES: [&str; 4] = ["arguments", "delta", "input", "partial_json"];

/// Members that hold arguments, as an object or as text.
pub(crate) const ARGUMENTS: [&str; 4] = ["args", "arguments", "input", "partial_json"];

/// Members whose strings are words of the protocol: kinds, roles, reasons.
const KINDS: [&str; 17] = [
    "code",
    "delta_type",
    "done_reason",
    "event",
    "event_type",
    "finishReason",
    "finish_reason",
    "native_finish_reason",
    "object",
    "reason",
    "role",
    "service_tier",
    "status",
    "stopReason",
    "stop_reason",
    "tool_choice",
    "type",
];

/// Members whose strings name a call, a tool, a message, a model or a time.
const IDENTIFIERS: [&str; 19] = [
    "call_id",
    "created_at",
    "function_name",
    "id",
    "item_id",
    "message_id",
    "model",
    "modelVersion",
    "name",
    "previous_response_id",
    "provider",
    "request_id",
    "responseId",
    "response_id",
    "system_fingerprint",
    "toolUseId",
    "tool_call_id",
    "tool_use_id",
    "upstream_id",
];

/// Members whose numbers give the order of events and calls, or the kind of an error.
const NUMBERS: [&str; 7] =
    ["code", "contentBlockIndex", "content_index", "index", "output_index", "sequence_number", "summary_index"];

/// The longest id that is known to occur has some 400 bytes.
const MAX_IDENTIFIER: usize = 512;

const MAX_TERM: usize = 80;

static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| VOCABULARY.split_ascii_whitespace().collect());

/// The words of the member names, kinds and reasons of the formats that are read.
const VOCABULARY: &str = "
    abort accepted action actual add added all annotation annotations anthropic any api arg args arguments array
    assistant at attempt audio auto available avg background bash billed block blocklist bool boolean built burst by bytes
    byok cache cached call called caller calls cancelled candidate candidates category channel chat choice choices chunk
    citation citations code complete completed completion completions computer constraint container content context
    continue cost count counts create created creation custom data date day default definition delta description
    details developer direct done duration editor effort encrypted end eos ephemeral error eval event events exceeded
    exception execution expires failed fetch file filter filtered fingerprint finish flex format frequency function gen
    generated generation geo grammar groq ground grounding guardrail h hit http id identifier image images in incomplete
    index inference info inline input instructions insufficient interaction interactions internal intervened invalid is
    item items json key keys kind language latency length limit line lines list load logprob logprobs m malformed many
    max mcp message messages metadata metric metrics mime miss modalities modality mode model moderation ms n name
    native network new null num number obfuscation object of ok old open openai output outputs overloaded p parallel
    param parameter parameters part partial parts path pause penalty per ping plan position predicted prediction
    presence previous probability processed progress prohibited prompt provider queue quota rate rating ratings read
    reason reasoning recitation redacted refusal rejected replace request requests require required requires resource
    response result results retention retry return role routes safety schema search second sensitive sequence server
    service signature size skill skills source sources spii standard start state status stderr stdout step steps stop
    store str stream strict string structured summary syntax system temperature text thinking thought thoughts throttling
    tick ticks tier time timeout timings timestamp token tokens too tool tools top total traffic truncated truncation
    turn type unavailable unexpected unit units unknown update updated upstream url usage usd use used user validation
    value verbosity version view video web will window word write x
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_protocol_are_known() {
        for term in [
            "response.function_call_arguments.delta",
            "contentBlockStart",
            "usageMetadata",
            "MAX_TOKENS",
            "MALFORMED_FUNCTION_CALL",
            "tool-call-delta",
            "web_search_20250305",
            "ephemeral_5m_input_tokens",
            "incomplete:max_output_tokens",
            "modelStreamErrorException",
            "malformed_tool_use",
            "model_context_window_exceeded",
            "insufficient_system_resource",
        ] {
            assert!(is_term(term), "{term}");
        }
        for contents in ["secretevent", "secret_key", "the error", "20250305", "", "délta", "secretType"] {
            assert!(!is_term(contents), "{contents}");
        }
    }

    #[test]
    fn strings_are_kept_by_name_and_form() {
        assert!(is_kept("type", "tool_use") && !is_kept("type", "secret") && !is_kept("text", "tool_use"));
        assert!(is_kept("name", "mcp__files__read") && !is_kept("name", "Jane Doe") && !is_kept("id", "é"));
        assert!(is_kept("index", "3") && !is_kept("index", "three") && is_kept("jsonPath", "$['a b']"));
    }
}
