//! What is asked and answered: one JSON line each.

use std::fmt;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::compare::Without;
use crate::level::{End, Level};

/// What is run: a child process, or a reader in this one.
pub trait Subject {
    /// Who it is and what it takes part in.
    ///
    /// # Errors
    /// It cannot be used.
    fn hello(&mut self) -> Result<Hello, SubjectError>;

    /// Answers one request.
    ///
    /// # Errors
    /// There is no answer, or none that can be read.
    fn ask(&mut self, request: &Request) -> Result<Answer, SubjectError>;
}

/// Who a subject is.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Hello {
    /// The version of the protocol: 1.
    pub protocol: u64,
    /// The name of the reader.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The language that it is called from.
    pub language: String,
    /// The levels that it takes part in.
    pub levels: Vec<Level>,
    /// What it does not promise, as `level/aspect`.
    #[serde(default)]
    pub without: Vec<String>,
    /// It takes deltas of bytes.
    #[serde(default)]
    pub bytes: bool,
    /// A remark that is printed with the results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Hello {
    /// Whether it answers for this aspect.
    pub fn promises(&self, level: Level, aspect: &str) -> bool {
        self.levels.contains(&level) && !self.is_without(level, aspect)
    }

    /// What it does not keep of a value, and says so.
    pub fn without(&self) -> Without {
        Without {
            digits: self.is_without(Level::Value, "digits"),
            duplicates: self.is_without(Level::Value, "duplicates"),
            order: self.is_without(Level::Value, "order"),
        }
    }

    fn is_without(&self, level: Level, aspect: &str) -> bool {
        self.without.iter().any(|name| name.split_once('/') == Some((level.name(), aspect)))
    }
}

/// The tool that a call names.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// The JSON Schema of its arguments.
    pub parameters: Box<RawValue>,
}

/// One chunk of a response, as a harness sees it decoded.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    /// The provider's index of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The provider's id of the call.
    #[serde(default, deserialize_with = "said", skip_serializing_if = "Option::is_none")]
    pub id: Option<Option<String>>,
    /// The tool's name.
    #[serde(default, deserialize_with = "said", skip_serializing_if = "Option::is_none")]
    pub name: Option<Option<String>>,
    /// The next piece of the arguments.
    #[serde(default, deserialize_with = "said", skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Option<String>>,
}

/// A member that is there; null is something else than nothing: providers send both, and a subject is asked both.
fn said<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// What is asked.
#[derive(Clone, Debug)]
pub enum Request {
    /// One call: its deltas and its end.
    Read {
        /// The pieces of its text.
        deltas: Vec<Vec<u8>>,
        /// How the text ended.
        end: End,
        /// The tool, if the case has one.
        tool: Option<Tool>,
        /// Whether to tell what would be shown after each delta.
        views: bool,
    },
    /// The calls of one response.
    Split {
        /// The chunks, in the order in which they came.
        chunks: Vec<Chunk>,
        /// How the response ended.
        end: End,
    },
}

/// What is answered.
#[derive(Clone, Debug)]
pub enum Answer {
    /// To [`Request::Read`].
    Read(Read),
    /// To [`Request::Split`]: the calls in the order in which they were opened.
    Split(Vec<Call>),
    /// It cannot answer this request, and why.
    Unsupported(String),
}

/// What became of one call.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Read {
    /// The call would be executed.
    pub accept: bool,
    /// The JSON text of what would be executed.
    #[serde(default)]
    pub value: Option<String>,
    /// The byte that is named as the first wrong one.
    #[serde(default)]
    pub place: Option<u64>,
    /// The JSON text of what would be shown, after each delta.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub views: Option<Vec<Option<String>>>,
}

/// One call of a response.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Call {
    /// The provider's id.
    #[serde(default)]
    pub id: Option<String>,
    /// The tool's name.
    #[serde(default)]
    pub name: Option<String>,
    /// The call would be executed.
    pub accept: bool,
    /// The JSON text of what would be executed.
    #[serde(default)]
    pub value: Option<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum SubjectError {
    /// It ended.
    Died(String),
    /// What came is not an answer.
    Garbled(String),
    /// It went silent too often and is not started again.
    GivenUp,
    /// It did not answer in time.
    Silent(Duration),
    /// An answer was longer than this many bytes.
    TooLong(usize),
    /// It cannot be started.
    Unusable(String),
}

impl fmt::Display for SubjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Died(how) => write!(f, "the subject ended ({how})"),
            Self::Garbled(what) => write!(f, "not an answer: {what}"),
            Self::GivenUp => f.write_str("not asked: the subject gave no answer twenty times in a row"),
            Self::Silent(limit) => write!(f, "no answer within {limit:?}"),
            Self::TooLong(limit) => write!(f, "an answer longer than {limit} bytes"),
            Self::Unusable(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for SubjectError {}

#[derive(Deserialize, Serialize)]
struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    ask: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deltas: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deltas_b64: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chunks: Option<Vec<Chunk>>,
    #[serde(default)]
    end: End,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool: Option<Tool>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    views: bool,
}

impl Request {
    /// The request as a line, without its end.
    pub fn to_line(&self, id: u64) -> String {
        let empty = Line {
            id: Some(id),
            ask: String::new(),
            deltas: None,
            deltas_b64: None,
            chunks: None,
            end: End::Complete,
            tool: None,
            views: false,
        };
        let line = match self {
            Self::Read { deltas, end, tool, views } => {
                let texts: Result<Vec<String>, _> =
                    deltas.iter().map(|delta| String::from_utf8(delta.clone())).collect();
                let bytes = || deltas.iter().map(|delta| STANDARD.encode(delta)).collect();
                let (deltas, deltas_b64) = texts.map_or_else(|_| (None, Some(bytes())), |texts| (Some(texts), None));
                let ask = "read".to_owned();
                Line { ask, deltas, deltas_b64, end: *end, tool: tool.clone(), views: *views, ..empty }
            }
            Self::Split { chunks, end } => {
                Line { ask: "split".to_owned(), chunks: Some(chunks.clone()), end: *end, ..empty }
            }
        };
        serde_json::to_string(&line).expect("plain data is written without fail")
    }

    /// The request of a line, and its id; `None` for a hello.
    ///
    /// # Errors
    /// The line is no request; the error says why.
    pub fn from_line(line: &[u8]) -> Result<Option<(u64, Self)>, String> {
        let line: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let id = line.id.unwrap_or_default();
        let request = match line.ask.as_str() {
            "hello" => return Ok(None),
            "read" => {
                let deltas = match (line.deltas, line.deltas_b64) {
                    (Some(texts), None) => texts.into_iter().map(String::into_bytes).collect(),
                    (None, Some(coded)) => {
                        let bytes: Result<Vec<_>, _> = coded.iter().map(|delta| STANDARD.decode(delta)).collect();
                        bytes.map_err(|error| format!("deltas_b64: {error}"))?
                    }
                    (None, None) | (Some(_), Some(_)) => return Err("one of deltas and deltas_b64 is expected".into()),
                };
                Self::Read { deltas, end: line.end, tool: line.tool, views: line.views }
            }
            "split" => Self::Split { chunks: line.chunks.unwrap_or_default(), end: line.end },
            other => return Err(format!("nothing is known of ask {other:?}")),
        };
        Ok(Some((id, request)))
    }
}

#[derive(Deserialize)]
struct AnswerLine {
    id: u64,
    accept: Option<bool>,
    value: Option<String>,
    place: Option<u64>,
    views: Option<Vec<Option<String>>>,
    calls: Option<Vec<Call>>,
    unsupported: Option<String>,
}

impl Answer {
    /// The answer as a line, without its end.
    pub fn to_line(&self, id: u64) -> String {
        #[derive(Serialize)]
        struct With<T: Serialize> {
            id: u64,
            #[serde(flatten)]
            rest: T,
        }
        #[derive(Serialize)]
        struct Calls<'a> {
            calls: &'a [Call],
        }
        #[derive(Serialize)]
        struct Unsupported<'a> {
            unsupported: &'a str,
        }
        match self {
            Self::Read(rest) => serde_json::to_string(&With { id, rest }),
            Self::Split(calls) => serde_json::to_string(&With { id, rest: Calls { calls } }),
            Self::Unsupported(unsupported) => serde_json::to_string(&With { id, rest: Unsupported { unsupported } }),
        }
        .expect("plain data is written without fail")
    }

    /// The answer of a line to the request of this id.
    ///
    /// # Errors
    /// The line is no answer to it; the error says why.
    pub fn from_line(line: &[u8], id: u64) -> Result<Self, String> {
        let line: AnswerLine = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if line.id != id {
            return Err(format!("id {} where {id} was asked", line.id));
        }
        if let Some(reason) = line.unsupported {
            return Ok(Self::Unsupported(reason));
        }
        match (line.accept, line.calls) {
            (Some(accept), None) => {
                Ok(Self::Read(Read { accept, value: line.value, place: line.place, views: line.views }))
            }
            (None, Some(calls)) => Ok(Self::Split(calls)),
            (None, None) | (Some(_), Some(_)) => Err("one of accept, calls and unsupported is expected".to_owned()),
        }
    }
}
