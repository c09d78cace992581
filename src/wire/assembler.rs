//! From a stream's bytes, or from its events, to its calls.

use super::framing::{Framing, Unit};
use super::numbering::Numbering;
use super::partial_args::PartialArgs;
use super::router::{Log, Router};
use super::stream::{ErrorKind, Signal, Stream};
use super::{
    Format, anthropic, bedrock, cohere, dashscope, gemini, gemini_interactions, ollama, openai_chat, openai_responses,
};
use crate::calls::Calls;
use crate::schema::Tools;
use crate::settings::Settings;
use std::collections::BTreeMap;
use std::fmt;

/// Assembles the calls of one response: bytes or events in, signals out, verdicts at the end. Sans-IO.
///
/// ```
/// use argseal::{Assembler, Cursor, Payload, Settings, Signal, Tool, Tools};
/// let tools: Tools = [Tool::opaque("write")].into_iter().collect();
/// let mut assembler = Assembler::detecting(&tools, &Settings::default());
/// let mut content = Cursor::member("content");
/// let mut shown = String::new();
/// let body = concat!(
///     r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"write","arguments":"{\"content\""}}]}}]}"#,
///     "\n\n",
///     r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":\"Hi\"}"}}]}}]}"#,
///     "\n\n",
///     r#"data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
///     "\n\ndata: [DONE]\n\n",
/// );
/// // Reads of any size, as the connection gives them.
/// for bytes in body.as_bytes().chunks(7) {
///     assembler.push(bytes, &mut |signal| {
///         if let Signal::Grown(live) = signal
///             && let Some(call) = live.call
///             && let Some(grown) = call.partial().take(&mut content)
///         {
///             shown.push_str(grown.text);
///         }
///     });
/// }
/// let stream = assembler.finish();
/// assert_eq!((shown.as_str(), stream.errors.len()), ("Hi", 0));
/// assert!(matches!(&stream.calls[0].payload, Payload::Arguments(Ok(accepted)) if accepted.text() == r#"{"content":"Hi"}"#));
/// ```
pub struct Assembler {
    framing: Framing,
    reader: Reader,
}

/// Prints sizes, never contents.
impl fmt::Debug for Assembler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assembler")
            .field("format", &self.reader.format)
            .field("calls", &self.reader.calls)
            .finish_non_exhaustive()
    }
}

impl Assembler {
    /// An assembler for a stream of this format.
    pub fn new(format: Format, tools: &Tools, settings: &Settings) -> Self {
        let mut assembler = Self::detecting(tools, settings);
        assembler.reader.settle_format(format);
        if format == Format::Ollama {
            assembler.framing = Framing::of_lines(settings.limits().event as usize);
        }
        assembler
    }

    /// An assembler that finds the format by the first event that shows one ([`Format::detect`]).
    pub fn detecting(tools: &Tools, settings: &Settings) -> Self {
        Self {
            framing: Framing::new(settings.limits().event as usize),
            reader: Reader {
                format: None,
                tools: tools.clone(),
                settings: settings.clone(),
                calls: Calls::new(tools, settings),
                log: Log::default(),
                memory: Memory::default(),
            },
        }
    }

    /// Reads the next bytes of the stream. The framing is found by the first of them: an event stream, JSON lines, one
    /// JSON array, or AWS binary frames.
    pub fn push(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Signal<'_>)) {
        let Self { framing, reader } = self;
        framing.push(bytes, &mut |unit| reader.unit(unit, sink));
    }

    /// Reads the next event, where the host has its own framing: its name, and its data.
    pub fn event(&mut self, event: Option<&str>, data: &str, sink: &mut dyn FnMut(Signal<'_>)) {
        self.reader.event(event, data, sink);
    }

    /// The format, once it is known.
    pub fn format(&self) -> Option<Format> {
        self.reader.format
    }

    /// The calls so far.
    pub fn calls(&self) -> &Calls {
        &self.reader.calls
    }

    /// The stream has ended. Calls without an end of their own and without a terminal reason are disconnected.
    pub fn finish(self) -> Stream {
        let Self { framing, mut reader } = self;
        framing.finish(&mut |unit| reader.unit(unit, &mut |_| {}));
        reader.finish()
    }

    /// The host ends the stream: every call that is open is cancelled.
    pub fn cancel(self) -> Stream {
        let mut reader = self.reader;
        reader.calls.cancel();
        reader.finish()
    }
}

/// What the decoders of some formats remember from event to event.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) numbering: Numbering,
    /// By candidate.
    pub(super) partial_args: BTreeMap<u64, PartialArgs>,
}

struct Reader {
    format: Option<Format>,
    tools: Tools,
    settings: Settings,
    calls: Calls,
    log: Log,
    memory: Memory,
}

impl Reader {
    fn settle_format(&mut self, format: Format) {
        self.format = Some(format);
        if format == Format::DashScope {
            self.calls = Calls::cumulative(&self.tools, &self.settings);
        }
    }

    fn unit(&mut self, unit: Unit<'_>, sink: &mut dyn FnMut(Signal<'_>)) {
        match unit {
            Unit::Event { event, data } => self.event(event, data, sink),
            Unit::Unterminated { event, data } => {
                self.event(event, data, sink);
                let message = "the last event came without its blank line".to_owned();
                self.router(sink).report(ErrorKind::Unterminated, message);
            }
            Unit::Reported(error) => {
                self.log.events += 1;
                self.router(sink).error(super::payload::complaint_in(error));
            }
            Unit::Broken(message) => {
                self.log.events += 1;
                self.router(sink).fail(ErrorKind::Framing, message);
            }
        }
    }

    fn event(&mut self, event: Option<&str>, data: &str, sink: &mut dyn FnMut(Signal<'_>)) {
        self.log.events += 1;
        let (data, last) = match data.trim_ascii_end().strip_suffix("[DONE]") {
            Some(before) => (before, Last::Sentinel),
            None => (data, Last::Other),
        };
        if self.format.is_none()
            && let Some(format) = Format::detect(event, data)
        {
            self.settle_format(format);
        }
        let failures = self.log.failures;
        let format = self.format;
        let mut memory = std::mem::take(&mut self.memory);
        let mut router = self.router(sink);
        let read = match format {
            Some(Format::Anthropic) => anthropic::decode(event, data, &mut router),
            Some(Format::Bedrock) => bedrock::decode(event, data, &mut router),
            Some(Format::Cohere) => cohere::decode(event, data, &mut router),
            Some(Format::DashScope) => dashscope::decode(data, &mut router),
            Some(Format::Gemini) => gemini::decode(data, &mut memory.partial_args, &mut router),
            Some(Format::GeminiInteractions) => gemini_interactions::decode(event, data, &mut router),
            Some(Format::Ollama) => ollama::decode(data, &mut router),
            Some(Format::OpenaiChat) | None => openai_chat::decode(data, &mut router),
            Some(Format::OpenaiResponses) => openai_responses::decode(event, data, &mut memory.numbering, &mut router),
        };
        if let Err(error) = read {
            // The parser's own words could quote the data.
            let message = format!("an event is not what the format says, at line {}", error.line());
            router.fail(ErrorKind::Unreadable, message);
        }
        if event == Some("error") && router.log.failures == failures {
            router.error(super::payload::complaint_in(data));
        }
        if last == Last::Sentinel {
            router.done();
        }
        self.memory = memory;
    }

    fn router<'r>(&'r mut self, sink: &'r mut dyn FnMut(Signal<'_>)) -> Router<'r> {
        let format = self.format.unwrap_or(Format::OpenaiChat);
        Router { format, calls: &mut self.calls, log: &mut self.log, sink, choice: None }
    }

    fn finish(self) -> Stream {
        let Log { events, errors, errors_left_out, terminals, mut settled, done, .. } = self.log;
        let calls_left_out = self.calls.left_out();
        settled.extend(self.calls.settle_all());
        settled.sort_by_key(|call| call.key);
        Stream { format: self.format, calls: settled, calls_left_out, terminals, errors, errors_left_out, events, done }
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Last {
    Sentinel,
    Other,
}

const _: () = {
    const fn stored<T: Send + Sync + 'static>() {}
    stored::<Assembler>();
    stored::<Calls>();
    stored::<Stream>();
};
