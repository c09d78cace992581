//! A stream: its signals while it runs, its calls, and the whole.

use argseal::calls::{Marker, Root};
use argseal::wire::{Live, StreamError, Terminal};
use argseal::{Call, Diagnosis, Format, Payload, Settled, Signal, Stream};
use serde::Serialize;

use crate::VerdictForm;

/// One settled call: its verdict, and what was seen of it.
///
/// ```
/// use argseal::{Assembler, Format, Settings, Tools};
/// use argseal_form::{CallForm, StreamForm};
/// let mut assembler = Assembler::new(Format::Ollama, &Tools::default(), &Settings::default());
/// let line = r#"{"message":{"tool_calls":[{"function":{"name":"now","arguments":{"at":1.50}}}]},"done":true,"done_reason":"stop"}"#;
/// assembler.push(format!("{line}\n").as_bytes(), &mut |_| {});
/// let stream = assembler.finish();
/// let call = serde_json::to_string(&CallForm::of(&stream, &stream.calls[0]))?;
/// assert!(call.contains(r#""arguments":{"at":1.50}"#) && call.contains(r#""format":"ollama""#));
/// let whole = serde_json::to_string(&StreamForm::new(&stream, None))?;
/// assert!(whole.starts_with(r#"{"stream":{"#));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Serialize)]
pub struct CallForm<'s> {
    id: Option<&'s str>,
    #[serde(flatten)]
    verdict: VerdictForm<'s>,
    call: CallFacts<'s>,
}

/// What was seen of one call.
#[derive(Serialize)]
struct CallFacts<'s> {
    format: Option<&'static str>,
    index: Option<u64>,
    id: Option<&'s str>,
    name: Option<&'s str>,
    raw: &'s str,
    deltas: u64,
    bytes: u64,
    root_closed: bool,
    end_marker: bool,
    terminal: Option<&'s str>,
    end: &'static str,
    choice: Option<u64>,
}

/// The whole of a stream, without its calls. Its members stand in alphabetical order.
#[derive(Debug, Serialize)]
pub struct StreamForm<'s> {
    stream: Whole<'s>,
}

#[derive(Debug, Serialize)]
struct Whole<'s> {
    calls_left_out: u64,
    done: bool,
    errors: Vec<ErrorForm<'s>>,
    errors_left_out: u64,
    events: u64,
    file: Option<&'s str>,
    format: Option<&'static str>,
    terminal_reasons: Vec<TerminalForm<'s>>,
}

#[derive(Debug, Serialize)]
struct ErrorForm<'s> {
    event: u64,
    kind: &'static str,
    message: &'s str,
}

#[derive(Debug, Serialize)]
struct TerminalForm<'s> {
    choice: Option<u64>,
    end: &'static str,
    native: Option<&'s str>,
    reason: &'s str,
}

/// What the assembler tells while the stream runs.
///
/// ```
/// use argseal::{Assembler, Format, Settings, Tools};
/// use argseal_form::SignalForm;
/// let mut assembler = Assembler::new(Format::Ollama, &Tools::default(), &Settings::default());
/// let mut told = Vec::new();
/// let line = br#"{"message":{"tool_calls":[{"function":{"name":"now","arguments":{}}}]}}"#;
/// assembler.push(&[line, &b"\n"[..]].concat(), &mut |signal| {
///     told.extend(SignalForm::new(&signal, None).map(|form| serde_json::to_value(form).unwrap()));
/// });
/// assert_eq!((&told[0]["signal"], &told[0]["key"], &told[0]["name"]), (&"opened".into(), &0.into(), &"now".into()));
/// ```
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct SignalForm<'s> {
    told: Told<'s>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "signal", rename_all = "kebab-case")]
enum Told<'s> {
    Error(ErrorForm<'s>),
    Grown(LiveForm<'s>),
    Opened(LiveForm<'s>),
    Settled(Box<SettledForm<'s>>),
    Terminal(TerminalForm<'s>),
}

/// A call under way.
#[derive(Debug, Serialize)]
struct LiveForm<'s> {
    key: usize,
    id: Option<&'s str>,
    name: Option<&'s str>,
    /// Of the argument text so far; null for the free text of a custom tool.
    bytes: Option<usize>,
    progress: &'static str,
    diagnosis: Option<&'s Diagnosis>,
}

#[derive(Debug, Serialize)]
struct SettledForm<'s> {
    key: usize,
    #[serde(flatten)]
    call: CallForm<'s>,
}

impl<'s> CallForm<'s> {
    /// The form of a call of this stream.
    pub fn of(stream: &'s Stream, call: &'s Settled) -> Self {
        Self::new(call, stream.format, stream.terminal_of(call))
    }

    /// The form of a call of a stream of this format that ended for this reason, as far as they are known.
    pub fn new(call: &'s Settled, format: Option<Format>, terminal: Option<&'s Terminal>) -> Self {
        let verdict = match &call.payload {
            Payload::Arguments(verdict) => VerdictForm::new(verdict),
            Payload::Text(text) => VerdictForm::of_text(text),
        };
        let facts = CallFacts {
            format: format.map(Format::name),
            index: call.index,
            id: call.id.as_deref(),
            name: call.name.as_deref(),
            raw: call.raw(),
            deltas: call.ended.deltas,
            bytes: call.ended.bytes,
            root_closed: call.ended.root == Root::Closed,
            end_marker: call.ended.marker != Marker::Absent,
            terminal: terminal.map(|terminal| terminal.reason.as_str()),
            end: call.ended.end.name(),
            choice: call.choice,
        };
        Self { id: call.id.as_deref(), verdict: verdict.after(&call.notes), call: facts }
    }
}

impl<'s> StreamForm<'s> {
    /// The form of this stream, which was read from a file of this name.
    pub fn new(stream: &'s Stream, file: Option<&'s str>) -> Self {
        Self {
            stream: Whole {
                calls_left_out: stream.calls_left_out,
                done: stream.done,
                errors: stream.errors.iter().map(ErrorForm::new).collect(),
                errors_left_out: stream.errors_left_out,
                events: stream.events,
                file,
                format: stream.format.map(Format::name),
                terminal_reasons: stream.terminals.iter().map(TerminalForm::new).collect(),
            },
        }
    }
}

impl<'s> SignalForm<'s> {
    /// The form of this signal of a stream of this format. `None` for a kind of signal that the form does not have yet.
    pub fn new(signal: &'s Signal<'s>, format: Option<Format>) -> Option<Self> {
        let told = match signal {
            Signal::Error(error) => Told::Error(ErrorForm::new(error)),
            Signal::Grown(live) => Told::Grown(LiveForm::new(live)),
            Signal::Opened(live) => Told::Opened(LiveForm::new(live)),
            Signal::Settled(call) => Told::Settled(Box::new(SettledForm {
                key: call.key.position(),
                call: CallForm::new(call, format, None),
            })),
            Signal::Terminal(terminal) => Told::Terminal(TerminalForm::new(terminal)),
            _ => return None,
        };
        Some(Self { told })
    }
}

impl<'s> ErrorForm<'s> {
    fn new(error: &'s StreamError) -> Self {
        Self { event: error.event, kind: error.kind.name(), message: &error.message }
    }
}

impl<'s> TerminalForm<'s> {
    fn new(terminal: &'s Terminal) -> Self {
        Self {
            choice: terminal.choice,
            end: terminal.end.name(),
            native: terminal.native.as_deref(),
            reason: &terminal.reason,
        }
    }
}

impl<'s> LiveForm<'s> {
    fn new(live: &Live<'s>) -> Self {
        Self {
            key: live.key.position(),
            id: live.id,
            name: live.name,
            bytes: live.call.map(|call| call.raw().len()),
            progress: live.progress.name(),
            diagnosis: live.call.and_then(Call::diagnosis),
        }
    }
}

/// Prints sizes, never contents.
impl std::fmt::Debug for CallFacts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallFacts")
            .field("format", &self.format)
            .field("bytes", &self.bytes)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}
