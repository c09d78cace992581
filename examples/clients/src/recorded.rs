//! Recorded streams, their tools, and the reads in which a network may deliver them.

use crate::http::Failure;
use argseal::{Grants, Judgement, Payload, Settings, Stream, Tools};
use hyper::body::Bytes;
use serde_json::Value;

/// A recorded response.
pub struct Recording {
    /// Its name, as in a request's path.
    pub name: &'static str,
    /// Its bytes.
    pub bytes: &'static [u8],
}

/// A Chat response that is cut by its length limit.
pub const CUT: Recording = recording("cut", include_bytes!("../../../samples/openai-chat-parallel-cut.sse"));

/// A Messages response with two calls that end inside their descriptions.
pub const INNER_QUOTE: Recording =
    recording("inner-quote", include_bytes!("../../../samples/anthropic-inner-quote.sse"));

/// A Chat response whose second call ends inside its description.
pub const OPEN_DESCRIPTION: Recording =
    recording("open-description", include_bytes!("../recorded/open-description.sse"));

/// A Chat response with two calls that interleave; the first has an unescaped quote in its command.
pub const PARALLEL: Recording = recording("parallel", include_bytes!("../recorded/parallel.sse"));

/// A Responses stream.
pub const RESPONSES: Recording = recording("responses", include_bytes!("../../../samples/openai-responses.sse"));

/// All of them.
pub const ALL: [Recording; 5] = [CUT, INNER_QUOTE, OPEN_DESCRIPTION, PARALLEL, RESPONSES];

const fn recording(name: &'static str, bytes: &'static [u8]) -> Recording {
    Recording { name, bytes }
}

/// How a network cuts a stream.
#[derive(Clone, Copy, Debug)]
pub enum Reads {
    /// Reads of so many bytes.
    Even(usize),
    /// Reads of 1 to 97 bytes, by this seed.
    Random(u64),
}

/// The read sizes that every example runs through.
pub const HOSTILE: [Reads; 5] =
    [Reads::Even(1), Reads::Even(7), Reads::Even(1400), Reads::Random(0x51ed), Reads::Random(0xa11ce)];

impl Reads {
    /// The bytes in these reads.
    pub fn cut(self, bytes: &'static [u8]) -> Vec<Bytes> {
        match self {
            Self::Even(size) => bytes.chunks(size).map(Bytes::from_static).collect(),
            Self::Random(mut state) => {
                let mut pieces = Vec::new();
                let mut rest = bytes;
                while !rest.is_empty() {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    let size = ((state >> 11) as usize % LONGEST_READ + 1).min(rest.len());
                    pieces.push(Bytes::from_static(&rest[..size]));
                    rest = &rest[size..];
                }
                pieces
            }
        }
    }
}

const LONGEST_READ: usize = 97;

/// What the local provider answers to a request for `/NAME/AT`: the recording of that name, in the reads at that place of
/// [`HOSTILE`]. For `/NAME/AT/lost`, the connection breaks after half of the reads.
pub fn replay(path: &str) -> Option<Vec<Result<Bytes, Failure>>> {
    let mut parts = path.trim_start_matches('/').split('/');
    let recording = parts.next().and_then(|name| ALL.into_iter().find(|recording| recording.name == name))?;
    let reads = HOSTILE.get(parts.next()?.parse::<usize>().ok()?)?;
    let mut pieces: Vec<_> = reads.cut(recording.bytes).into_iter().map(Ok).collect();
    if parts.next() == Some("lost") {
        pieces.truncate(pieces.len() / 2);
        pieces.push(Err("the connection is lost".into()));
    }
    Some(pieces)
}

/// The tools of the recordings, with the grants that stand beside their definitions.
///
/// # Panics
/// If the file of the tools cannot be read as such.
pub fn tools() -> Tools {
    let definitions: Vec<Value> =
        serde_json::from_str(include_str!("../../../samples/tools.json")).expect("the samples' tools are JSON");
    let grants = |name: &str| {
        let named = |definition: &&Value| definition["name"] == name || definition["function"]["name"] == name;
        definitions
            .iter()
            .find(named)
            .map_or_else(Grants::default, |found| Grants::beside(found).expect("the samples' grants are grants"))
    };
    let (tools, issues) = Tools::of(&definitions, &grants, None);
    assert!(issues.is_empty(), "{issues:?}");
    tools
}

/// The settings of the examples: the whole schema is judged.
pub fn settings() -> Settings {
    Settings::default().with_judgement(Judgement::Schema)
}

/// A line for each call: its id, its tool, its verdict, its text.
pub fn verdicts(stream: &Stream) -> Vec<String> {
    let line = |call: &argseal::Settled| {
        let (verdict, text) = match &call.payload {
            Payload::Arguments(Ok(accepted)) => (accepted.verdict().name(), accepted.text()),
            Payload::Arguments(Err(rejected)) => (rejected.diagnosis().code().name(), rejected.raw()),
            Payload::Text(text) => ("text", text.as_str()),
        };
        let part = |part: &Option<String>| part.clone().unwrap_or_default();
        format!("{} {} {verdict} {text}", part(&call.id), part(&call.name))
    };
    stream.calls.iter().map(line).collect()
}
