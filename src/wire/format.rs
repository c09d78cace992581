//! The formats, and which one a stream is.

use serde::Deserialize;
use serde_json::value::RawValue;

/// A provider's stream format. Dialects (`OpenRouter`, `DeepSeek`, Qwen, Mistral, Z.ai, Groq, xAI, llama.cpp, vLLM,
/// `SGLang`, Cerebras and others) are read by the decoder of their format.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Format {
    /// Anthropic Messages.
    Anthropic,
    /// Bedrock `ConverseStream`, as binary frames or as JSON events.
    Bedrock,
    /// Cohere v2 Chat.
    Cohere,
    /// `DashScope`'s own API.
    DashScope,
    /// Gemini `generateContent`, Vertex `partialArgs` included.
    Gemini,
    /// Gemini Interactions.
    GeminiInteractions,
    /// Ollama `/api/chat`.
    Ollama,
    /// `OpenAI` Chat Completions and everything that speaks it.
    OpenaiChat,
    /// `OpenAI` Responses.
    OpenaiResponses,
}

impl Format {
    /// Every format, in alphabetical order.
    pub const ALL: [Self; 9] = [
        Self::Anthropic,
        Self::Bedrock,
        Self::Cohere,
        Self::DashScope,
        Self::Gemini,
        Self::GeminiInteractions,
        Self::Ollama,
        Self::OpenaiChat,
        Self::OpenaiResponses,
    ];

    /// The name used on the command line and in the NDJSON interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::Bedrock => "bedrock",
            Self::Cohere => "cohere",
            Self::DashScope => "dashscope",
            Self::Gemini => "gemini",
            Self::GeminiInteractions => "gemini-interactions",
            Self::Ollama => "ollama",
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
        }
    }

    /// The format of this name, if it is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that this event belongs to. `None`: it could be of several (an error, a keep-alive), look at the next.
    ///
    /// Every event that carries a part of a call is recognized by itself, so nothing is lost by looking on.
    pub fn detect(event: Option<&str>, data: &str) -> Option<Self> {
        if event.is_some_and(|event| BEDROCK_EVENTS.contains(&event)) {
            return Some(Self::Bedrock);
        }
        let first = serde_json::Deserializer::from_str(data).into_iter::<&RawValue>().next()?.ok()?;
        let probe: Probe<'_> = serde_json::from_str(first.get()).ok()?;
        let kind = probe.kind.map_or("", |kind| kind.get().trim_matches('"'));
        if probe.content_block_start.or(probe.content_block_delta).or(probe.content_block_stop).is_some()
            || probe.message_start.or(probe.message_stop).is_some()
        {
            Some(Self::Bedrock)
        } else if probe.event_type.is_some() {
            Some(Self::GeminiInteractions)
        } else if probe.candidates.is_some()
            || probe.response.is_some_and(|inner| inner.get().contains("\"candidates\""))
        {
            Some(Self::Gemini)
        } else if probe.choices.is_some() {
            Some(Self::OpenaiChat)
        } else if kind.starts_with("response.") {
            Some(Self::OpenaiResponses)
        } else if ANTHROPIC_TYPES.contains(&kind) {
            Some(Self::Anthropic)
        } else if COHERE_TYPES.contains(&kind) {
            Some(Self::Cohere)
        } else if probe.output.is_some() {
            Some(Self::DashScope)
        } else if probe.done.is_some() {
            Some(Self::Ollama)
        } else {
            None
        }
    }
}

/// The members that tell the formats apart.
#[derive(Deserialize)]
struct Probe<'p> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'p RawValue>,
    candidates: Option<&'p RawValue>,
    choices: Option<&'p RawValue>,
    done: Option<&'p RawValue>,
    event_type: Option<&'p RawValue>,
    output: Option<&'p RawValue>,
    response: Option<&'p RawValue>,
    #[serde(rename = "contentBlockDelta")]
    content_block_delta: Option<&'p RawValue>,
    #[serde(rename = "contentBlockStart")]
    content_block_start: Option<&'p RawValue>,
    #[serde(rename = "contentBlockStop")]
    content_block_stop: Option<&'p RawValue>,
    #[serde(rename = "messageStart")]
    message_start: Option<&'p RawValue>,
    #[serde(rename = "messageStop")]
    message_stop: Option<&'p RawValue>,
}

pub(super) const BEDROCK_EVENTS: [&str; 5] =
    ["contentBlockDelta", "contentBlockStart", "contentBlockStop", "messageStart", "messageStop"];

const ANTHROPIC_TYPES: [&str; 7] = [
    "content_block_delta",
    "content_block_start",
    "content_block_stop",
    "message_delta",
    "message_start",
    "message_stop",
    "ping",
];

const COHERE_TYPES: [&str; 8] = [
    "content-delta",
    "content-start",
    "message-end",
    "message-start",
    "tool-call-delta",
    "tool-call-end",
    "tool-call-start",
    "tool-plan-delta",
];
