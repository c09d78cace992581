//! What is counted for its own sake: reading a text, looking at it, judging it.

use serde::Deserialize;

use crate::contender;
use crate::judged::{self, Case};
use crate::payload::{self, Cut};

/// Work with its limit. The name says what it is: the kind, then the least and the greatest delta in bytes, or `whole`. A
/// delta of 300 bytes is the whole of a shell call.
#[derive(Clone, Debug, Deserialize)]
pub struct Workload {
    pub name: String,
    pub per: Per,
    pub limit: f64,
    pub aim: f64,
}

/// What the instructions are divided by.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    Byte,
    Call,
    Delta,
}

impl Per {
    pub fn name(self) -> &'static str {
        match self {
            Self::Byte => "byte",
            Self::Call => "call",
            Self::Delta => "delta",
        }
    }
}

impl Workload {
    /// How many bytes, calls or deltas one round has.
    ///
    /// # Errors
    /// There is no such work.
    pub fn units(&self) -> Result<usize, String> {
        let Work { text, cut, kind } = Work::of(&self.name)?;
        Ok(match self.per {
            Per::Byte => text.len(),
            Per::Call => CALLS,
            Per::Delta if kind == Kind::Bytes => payload::byte_deltas(&text, cut).len(),
            Per::Delta => payload::deltas(&text, cut).len(),
        })
    }
}

/// Does the work that this name stands for.
///
/// # Errors
/// There is no such work.
pub(super) fn run(name: &str, rounds: usize) -> Result<(), String> {
    let Work { text, cut, kind } = Work::of(name)?;
    let (deltas, bytes) = (payload::deltas(&text, cut), payload::byte_deltas(&text, cut));
    let (shape, schema) = (Case::shape(), Case::schema());
    for _ in 0..rounds {
        let seen = match kind {
            Kind::Bytes => contender::argseal_bytes(&bytes),
            Kind::Feed => contender::argseal(&deltas),
            Kind::Parse => (0..CALLS).map(|_| judged::parse(&deltas)).sum(),
            Kind::Schema => (0..CALLS).map(|_| schema.judge(&deltas)).sum(),
            Kind::Shape => (0..CALLS).map(|_| shape.judge(&deltas)).sum(),
            Kind::Watched => contender::argseal_watched(&deltas),
        };
        std::hint::black_box(seen);
    }
    Ok(())
}

struct Work {
    text: String,
    cut: Cut,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Bytes,
    Feed,
    Parse,
    Schema,
    Shape,
    Watched,
}

impl Work {
    fn of(name: &str) -> Result<Self, String> {
        let end = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
        let sizes: Vec<usize> = name[end..].split('-').filter_map(|size| size.parse().ok()).collect();
        let (text, kind) = match name[..end].trim_end_matches('-') {
            "cjk-bytes" => (payload::chinese(256 << 10), Kind::Bytes),
            "nested-whole" => (payload::nested(64 << 10), Kind::Feed),
            "parse" => (payload::shell(), Kind::Parse),
            "plain" => (payload::plain(256 << 10), Kind::Feed),
            "shape" => (payload::shell(), Kind::Shape),
            "verdict" => (payload::shell(), Kind::Schema),
            "watched" => (payload::write_file(256 << 10), Kind::Watched),
            "write" => (payload::write_file(256 << 10), Kind::Feed),
            _ => return Err(format!("there is no workload `{name}`")),
        };
        let cut = match sizes[..] {
            [size] => Cut::Every(size),
            [least, most] => Cut::Between(least, most),
            _ => Cut::Whole,
        };
        Ok(Self { text, cut, kind })
    }
}

/// Calls a round, where the text is short: what the first one finds unprepared does not count.
const CALLS: usize = 100;
