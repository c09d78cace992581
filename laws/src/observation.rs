//! What is to be seen of one call, as data that can be compared.

use std::fmt;

use serde_json::Value;

use argseal::{
    Accepted, Audit, Call, Checked, Code, Diagnosis, End, Event, Note, Pointer, Progress, Rejected, Settings, Sink,
    Tool, Verdict,
};

/// All that one call tells.
#[derive(Clone, PartialEq)]
pub struct Observation {
    /// What its sink heard, each with its place; adjacent text is merged.
    pub events: Vec<String>,
    /// The answer to each piece.
    pub progress: Vec<Progress>,
    /// The diagnosis before the end.
    pub early: Option<Diagnosis>,
    /// The bytes that it holds before the end.
    pub raw: Vec<u8>,
    /// The answer at the end.
    pub outcome: Outcome,
}

/// The answer at the end.
#[derive(Clone, PartialEq)]
pub enum Outcome {
    /// The call may run.
    Accepted {
        /// How.
        verdict: Verdict,
        /// What it rests on.
        checked: Checked,
        /// The accepted text.
        text: String,
        /// The text that was judged.
        raw: String,
        /// The value, where `serde_json` can hold it.
        value: Option<Value>,
        /// The value's fingerprint.
        fingerprint: u64,
        /// The edits.
        audit: Audit,
        /// What is worth knowing.
        notes: Vec<Note>,
    },
    /// The call must not run.
    Rejected {
        /// Why.
        diagnosis: Diagnosis,
        /// The text as sent.
        raw: String,
        /// The bytes after it that are not UTF-8.
        tail: Vec<u8>,
        /// What is worth knowing.
        notes: Vec<Note>,
    },
}

/// Feeds a call with the pieces, listening, and ends it.
pub fn observe(pieces: &[&[u8]], tool: Option<&Tool>, settings: &Settings, end: End) -> Observation {
    let mut call = tool.map(Call::new).unwrap_or_default().with_settings(settings);
    let mut heard = Heard::default();
    let mut progress = Vec::new();
    for piece in pieces {
        // Both ways to feed: text where the piece is text.
        progress.push(match std::str::from_utf8(piece) {
            Ok(text) => call.feed_with(text, &mut heard),
            Err(_) => call.feed_bytes_with(piece, &mut heard),
        });
        let decided = matches!(progress.last(), Some(Progress::Rejected | Progress::Trailing));
        assert!(call.is_decided() == decided && call.diagnosis().is_some() == decided, "{progress:?} and {call:?}");
        assert!(call.is_complete() == (progress.last() == Some(&Progress::Complete)), "{progress:?} and {call:?}");
    }
    let (early, raw) = (call.diagnosis().cloned(), call.raw_bytes().into_owned());
    let outcome = Outcome::of(call.finish(end));
    Observation { events: heard.events, progress, early, raw, outcome }
}

/// [`observe`]; and a second call, to which nobody listens and which is looked at after each piece, tells the same.
pub fn observe_both(pieces: &[&[u8]], tool: Option<&Tool>, settings: &Settings, end: End) -> Observation {
    let heard = observe(pieces, tool, settings, end);
    let mut call = tool.map(Call::new).unwrap_or_default().with_settings(settings);
    for (i, (piece, listening)) in pieces.iter().zip(&heard.progress).enumerate() {
        let looking = match std::str::from_utf8(piece) {
            Ok(text) if i % 2 == 0 => call.feed(text),
            Ok(_) | Err(_) => call.feed_bytes(piece),
        };
        assert!(looking == *listening, "{listening:?} with a sink, {looking:?} without");
        let _ = (call.partial().open().is_some(), call.partial().get("").is_some());
    }
    assert!(call.diagnosis() == heard.early.as_ref(), "{:?} with a sink, {:?} without", heard.early, call.diagnosis());
    let outcome = Outcome::of(call.finish(end));
    assert!(outcome == heard.outcome, "with a sink: {:#?}\nwithout: {outcome:#?}", heard.outcome);
    heard
}

/// The outcome of a call that is fed with the pieces, where the provider states the full value afterwards.
pub fn restated(pieces: &[&[u8]], full: &str, tool: Option<&Tool>, settings: &Settings, end: End) -> Outcome {
    let mut call = tool.map(Call::new).unwrap_or_default().with_settings(settings);
    for piece in pieces {
        call.feed_bytes(piece);
    }
    Outcome::of(call.finish_with(end, full))
}

/// Listens and writes down: each event after its place, adjacent text merged.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) events: Vec<String>,
    /// The last event is text.
    writing: bool,
}

impl Sink for Heard {
    fn event(&mut self, at: &Pointer, event: Event<'_>) {
        let is_text = matches!(event, Event::Text(_));
        match (event, self.events.last_mut()) {
            (Event::Text(text), Some(last)) if self.writing => last.push_str(text),
            (Event::Text(text), _) => self.events.push(format!("{at} Text {text}")),
            (event, _) => self.events.push(format!("{at} {event:?}")),
        }
        self.writing = is_text;
    }
}

/// The bytes, cut at these offsets: any order, any number of times, those beyond the end at the end.
pub fn pieces<'b>(bytes: &'b [u8], cuts: &[usize]) -> Vec<&'b [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|&cut| cut.min(bytes.len())).collect();
    cuts.sort_unstable();
    cuts.push(bytes.len());
    let mut start = 0;
    cuts.into_iter().map(|cut| &bytes[std::mem::replace(&mut start, cut)..cut]).collect()
}

impl Outcome {
    fn of(answer: Result<Accepted, Rejected>) -> Self {
        match answer {
            Ok(accepted) => Self::Accepted {
                verdict: accepted.verdict(),
                checked: accepted.checked().clone(),
                text: accepted.text().to_owned(),
                raw: accepted.raw().to_owned(),
                value: accepted.root().to_value(),
                fingerprint: accepted.fingerprint(),
                audit: accepted.audit().clone(),
                notes: accepted.notes().to_vec(),
            },
            Err(rejected) => Self::Rejected {
                diagnosis: rejected.diagnosis().clone(),
                raw: rejected.raw().to_owned(),
                tail: rejected.raw_tail().to_vec(),
                notes: rejected.notes().to_vec(),
            },
        }
    }

    /// The value, where it was accepted and `serde_json` can hold it.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::Accepted { value, .. } => value.as_ref(),
            Self::Rejected { .. } => None,
        }
    }

    /// The code, where it was rejected.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Accepted { .. } => None,
            Self::Rejected { diagnosis, .. } => Some(diagnosis.code()),
        }
    }
}

/// Prints contents: the input of a law is no secret.
impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observation")
            .field("events", &self.events)
            .field("progress", &self.progress)
            .field("early", &self.early.as_ref().map(|early| serde_json::to_string(early).unwrap_or_default()))
            .field("raw", &format_args!("`{}`", self.raw.escape_ascii()))
            .field("outcome", &self.outcome)
            .finish()
    }
}

/// Prints contents: the input of a law is no secret.
impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = |notes: &[Note]| serde_json::to_string(notes).unwrap_or_default();
        match self {
            Self::Accepted { verdict, text, raw, audit, notes, value, fingerprint, checked } => f
                .debug_struct("Accepted")
                .field("verdict", verdict)
                .field("checked", checked)
                .field("text", text)
                .field("raw", raw)
                .field("value", value)
                .field("fingerprint", fingerprint)
                .field("edits", &serde_json::to_string(audit.edits()).unwrap_or_default())
                .field("actions", &audit.actions())
                .field("notes", &json(notes))
                .finish(),
            Self::Rejected { diagnosis, raw, tail, notes } => f
                .debug_struct("Rejected")
                .field("diagnosis", &serde_json::to_string(diagnosis).unwrap_or_default())
                .field("raw", raw)
                .field("tail", tail)
                .field("notes", &json(notes))
                .finish(),
        }
    }
}
