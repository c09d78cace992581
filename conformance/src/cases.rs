//! The cases: read line by line, with file and line in every error.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::level::{End, Level};
use crate::nearest::nearest;
use crate::protocol::{Chunk, Tool};

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name; no other case has it.
    pub id: String,
    /// The question.
    pub level: Level,
    /// Its group inside the level.
    pub aspect: String,
    /// The pieces of text, for every level but split.
    pub deltas: Vec<Vec<u8>>,
    /// The chunks, for level split.
    pub chunks: Vec<Chunk>,
    /// The tool, if the question needs one.
    pub tool: Option<Tool>,
    /// How the text ended.
    pub end: End,
    /// What is right.
    pub expect: Expect,
    /// Why it is there, in one sentence.
    pub why: String,
    /// Where it stands.
    pub source: Source,
}

/// A file and a line of it.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// What is right, by level.
#[derive(Clone, Debug)]
pub enum Expect {
    /// Whether the text is accepted.
    Accept(bool),
    /// The whole value, and the root's members that are only shown.
    Cut {
        /// The whole value.
        value: String,
        /// Members whose cut text is shown and never executed.
        decorative: Vec<String>,
    },
    /// What was meant.
    Damage {
        /// The text before it was damaged.
        meant: String,
        /// Members whose text is shown and never executed.
        decorative: Vec<String>,
    },
    /// The first byte that continues no JSON text.
    Place(u64),
    /// The calls, in the order in which they are opened.
    Split(Vec<ExpectedCall>),
    /// The exact value.
    Value {
        /// The value, as a JSON text.
        value: String,
        /// To refuse the text is right too.
        or_refuse: bool,
    },
    /// The value at the end; `None` for text that is broken or cut.
    Views(Option<String>),
}

/// One call that is expected.
#[derive(Clone, Debug)]
pub struct ExpectedCall {
    /// The provider's id.
    pub id: Option<String>,
    /// The tool's name.
    pub name: Option<String>,
    /// Its value; `None` if it must be refused.
    pub value: Option<String>,
}

/// A case file that cannot be used.
#[derive(Clone, Debug)]
pub struct CaseError {
    /// The file and line, or only the folder.
    pub source: String,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.source, self.reason)
    }
}

impl std::error::Error for CaseError {}

/// Every case of a folder (its files `*.jsonl`) or of one file.
///
/// # Errors
/// What cannot be read; a line that is no case; an id that stands twice.
pub fn read(path: &Path) -> Result<Vec<Case>, CaseError> {
    let unreadable = |path: &Path, error: std::io::Error| CaseError {
        source: path.display().to_string(),
        reason: error.to_string(),
    };
    let mut files = Vec::new();
    if path.is_dir() {
        for entry in fs::read_dir(path).map_err(|error| unreadable(path, error))? {
            let file = entry.map_err(|error| unreadable(path, error))?.path();
            if file.extension().is_some_and(|extension| extension == "jsonl") {
                files.push(file);
            }
        }
        files.sort();
    } else {
        files.push(path.to_owned());
    }
    let mut cases = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| unreadable(&file, error))?;
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let source = Source { file: file.clone(), line: index + 1 };
            let case = case(line, &source).map_err(|reason| CaseError { source: source.to_string(), reason })?;
            cases.push(case);
        }
    }
    if cases.is_empty() {
        return Err(CaseError { source: path.display().to_string(), reason: "there are no cases".to_owned() });
    }
    match repeated(&cases) {
        Some((first, again)) => Err(CaseError {
            source: again.source.to_string(),
            reason: format!("id {:?} stands already at {}", again.id, first.source),
        }),
        None => Ok(cases),
    }
}

fn repeated(cases: &[Case]) -> Option<(&Case, &Case)> {
    let mut seen = HashMap::new();
    cases.iter().find_map(|case| seen.insert(case.id.as_str(), case).map(|first| (first, case)))
}

/// The case of one line.
fn case(line: &str, source: &Source) -> Result<Case, String> {
    let mut members = Members::read(line, "a case")?;
    members.only(&["id", "level", "aspect", "deltas", "deltas_b64", "chunks", "tool", "end", "expect", "why"])?;
    let level: String = members.required("level")?;
    let names = Level::ALL.map(Level::name);
    let level = Level::from_name(&level).ok_or_else(|| unknown("level", &level, &names))?;
    let id: String = members.required("id")?;
    let is_word = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    if !is_word(&id) || !id.starts_with(&format!("{level}-")) {
        return Err(format!("id {id:?}: it begins with \"{level}-\" and holds only a-z, 0-9 and -"));
    }
    let aspect: String = members.required("aspect")?;
    if !level.aspects().contains(&aspect.as_str()) {
        return Err(unknown("aspect", &aspect, level.aspects()));
    }
    let texts: Option<Vec<String>> = members.optional("deltas")?;
    let coded: Option<Vec<String>> = members.optional("deltas_b64")?;
    let chunks: Option<Vec<Chunk>> = members.optional("chunks")?;
    let deltas = match (texts, coded, &chunks, level) {
        (None, None, Some(_), Level::Split) => Vec::new(),
        (_, _, _, Level::Split) => return Err("level split has chunks, and neither deltas nor deltas_b64".to_owned()),
        (Some(texts), None, None, _) => texts.into_iter().map(String::into_bytes).collect(),
        (None, Some(coded), None, _) => coded
            .iter()
            .map(|delta| STANDARD.decode(delta).map_err(|error| format!("deltas_b64: {error}")))
            .collect::<Result<_, _>>()?,
        _ => return Err(format!("level {level} has exactly one of deltas and deltas_b64, and no chunks")),
    };
    let expect: Box<RawValue> = members.required("expect")?;
    let why: String = members.required("why")?;
    if why.trim().is_empty() {
        return Err("why: one sentence is expected".to_owned());
    }
    Ok(Case {
        id,
        level,
        aspect,
        deltas,
        chunks: chunks.unwrap_or_default(),
        tool: members.optional("tool")?,
        end: members.optional("end")?.unwrap_or_default(),
        expect: expectation(level, expect.get()).map_err(|reason| format!("expect: {reason}"))?,
        why,
        source: source.clone(),
    })
}

fn expectation(level: Level, text: &str) -> Result<Expect, String> {
    let mut members = Members::read(text, "an object")?;
    Ok(match level {
        Level::Accept => {
            members.only(&["accept"])?;
            Expect::Accept(members.required("accept")?)
        }
        Level::Value => {
            members.only(&["value", "or_refuse"])?;
            let or_refuse = members.optional("or_refuse")?.unwrap_or_default();
            Expect::Value { value: members.required("value")?, or_refuse }
        }
        Level::Place => {
            members.only(&["place"])?;
            Expect::Place(members.required("place")?)
        }
        Level::Views => {
            members.only(&["value"])?;
            Expect::Views(members.required("value")?)
        }
        Level::Cut => {
            members.only(&["value", "decorative"])?;
            let decorative = members.optional("decorative")?.unwrap_or_default();
            Expect::Cut { value: members.required("value")?, decorative }
        }
        Level::Damage => {
            members.only(&["meant", "decorative"])?;
            let decorative = members.optional("decorative")?.unwrap_or_default();
            Expect::Damage { meant: members.required("meant")?, decorative }
        }
        Level::Split => {
            members.only(&["calls"])?;
            let calls: Vec<Box<RawValue>> = members.required("calls")?;
            Expect::Split(calls.iter().map(|call| expected_call(call.get())).collect::<Result<_, _>>()?)
        }
    })
}

fn expected_call(text: &str) -> Result<ExpectedCall, String> {
    let mut members = Members::read(text, "a call")?;
    members.only(&["id", "name", "value", "refuse"])?;
    let refuse: bool = members.optional("refuse")?.unwrap_or_default();
    let value: Option<String> = members.optional("value")?;
    if refuse == value.is_some() {
        return Err("a call has either a value or \"refuse\": true".to_owned());
    }
    Ok(ExpectedCall { id: members.required("id")?, name: members.required("name")?, value })
}

/// The members of an object that are not yet read.
struct Members {
    left: BTreeMap<String, Box<RawValue>>,
}

impl Members {
    fn read(text: &str, what: &str) -> Result<Self, String> {
        serde_json::from_str(text).map(|left| Self { left }).map_err(|error| format!("not {what}: {error}"))
    }

    fn required<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, String> {
        let text = self.left.remove(name).ok_or_else(|| format!("member {name:?} is missing"))?;
        serde_json::from_str(text.get()).map_err(|error| format!("{name}: {error}"))
    }

    fn optional<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, String> {
        if self.left.contains_key(name) { self.required(name).map(Some) } else { Ok(None) }
    }

    fn only(&self, known: &[&str]) -> Result<(), String> {
        match self.left.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(unknown("member", name, known)),
            None => Ok(()),
        }
    }
}

fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(near) => format!("unknown {what} {name:?}; {near:?} is meant?"),
        None => format!("unknown {what} {name:?}; there are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        let source = Source { file: PathBuf::from("x.jsonl"), line: 1 };
        case(line, &source).expect_err("a bad line")
    }

    #[test]
    fn a_bad_line_is_named() {
        let good =
            r#"{"id":"accept-a","level":"accept","aspect":"root","deltas":["{}"],"expect":{"accept":true},"why":"w"}"#;
        assert!(case(good, &Source { file: PathBuf::new(), line: 1 }).is_ok());
        for (from, to, words) in [
            (r#""deltas""#, r#""delta""#, r#"unknown member "delta"; "deltas" is meant?"#),
            (r#""level":"accept""#, r#""level":"acept""#, r#"unknown level "acept"; "accept" is meant?"#),
            (r#""aspect":"root""#, r#""aspect":"xyz""#, r#"unknown aspect "xyz"; there are grammar"#),
            (r#""accept-a""#, r#""value-a""#, r#"it begins with "accept-""#),
            (r#""why":"w""#, r#""why":" ""#, "one sentence"),
            (r#"["{}"]"#, r#"["\ud800"]"#, "deltas: "),
            (r#"{"accept":true}"#, r#"{"accept":true,"value":"{}"}"#, "expect: unknown member \"value\""),
        ] {
            assert!(good.contains(from));
            let told = error(&good.replace(from, to));
            assert!(told.contains(words), "{told}");
        }
        assert!(error("[").starts_with("not a case: "));
    }
}
