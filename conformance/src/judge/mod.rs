//! Right and wrong, a level a file.

mod cut;
mod reading;
mod split;
mod views;

use crate::cases::{Case, Expect};
use crate::derive::{Borders, Cut, are_texts};
use crate::exact::{self, Halves};
use crate::level::End;
use crate::protocol::{Answer, Hello, Read, Request, Subject, Tool};
use crate::tree::{Tree, clip};

/// What became of one case.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Wrong, or no answer.
    Failed(Failure),
    /// Right in every way to cut the text.
    Passed,
    /// Not promised, or not to be asked of this subject, and why.
    Unsupported(String),
}

/// The first thing that was wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What was fed.
    pub input: String,
    /// What is right.
    pub expected: String,
    /// What came.
    pub got: String,
}

/// Puts one case to a subject.
pub(crate) fn judge(case: &Case, subject: &mut dyn Subject, hello: &Hello) -> Verdict {
    if !hello.levels.contains(&case.level) {
        return Verdict::Unsupported("takes no part in this level".to_owned());
    }
    if !hello.promises(case.level, &case.aspect) {
        return Verdict::Unsupported(format!("does not promise {}/{}", case.level, case.aspect));
    }
    if !hello.bytes && !are_texts(&case.deltas) {
        return Verdict::Unsupported("takes no bytes".to_owned());
    }
    let mut bench = Bench { subject, hello, case };
    let judged = match &case.expect {
        Expect::Accept(accept) => reading::accept(&mut bench, *accept),
        Expect::Cut { value, decorative } => cut::cut(&mut bench, value, decorative),
        Expect::Damage { meant, decorative } => cut::damage(&mut bench, meant, decorative),
        Expect::Place(place) => reading::place(&mut bench, *place),
        Expect::Split(calls) => split::split(&mut bench, calls),
        Expect::Value { value, or_refuse } => reading::value(&mut bench, value, *or_refuse),
        Expect::Views(value) => views::views(&mut bench, value.as_deref()),
    };
    match judged {
        Ok(()) => Verdict::Passed,
        Err(Stop::Failed(failure)) => Verdict::Failed(failure),
        Err(Stop::Unsupported(reason)) => Verdict::Unsupported(reason),
    }
}

/// Why a case is not gone on with.
enum Stop {
    Failed(Failure),
    Unsupported(String),
}

/// A subject, and the case that is put to it.
struct Bench<'b> {
    subject: &'b mut dyn Subject,
    hello: &'b Hello,
    case: &'b Case,
}

/// One request: the text, and all that comes with it.
struct Question<'q> {
    cut: &'q Cut,
    end: End,
    views: bool,
    /// What is right, in words: for the report.
    expected: &'q str,
}

impl Bench<'_> {
    fn read(&mut self, question: &Question<'_>) -> Result<Read, Stop> {
        let request = Request::Read {
            deltas: question.cut.deltas.clone(),
            end: question.end,
            tool: self.case.tool.clone(),
            views: question.views,
        };
        match self.subject.ask(&request) {
            Ok(Answer::Read(read)) => Ok(read),
            Ok(Answer::Split(_)) => Err(question.failed("an answer to another question")),
            Ok(Answer::Unsupported(reason)) => Err(Stop::Unsupported(reason)),
            Err(error) => Err(question.failed(&error.to_string())),
        }
    }

    fn borders(&self) -> Borders {
        if self.hello.bytes { Borders::Bytes } else { Borders::Characters }
    }

    /// Whether blank text may stand for no arguments.
    fn may_be_empty(&self) -> bool {
        self.case.tool.as_ref().is_none_or(requires_nothing)
    }
}

impl Question<'_> {
    fn failed(&self, got: &str) -> Stop {
        let mut input = format!("{}: {}", self.cut.name, shown(&self.cut.deltas));
        if self.end != End::Complete {
            input.push_str(&format!(", end {}", self.end.name()));
        }
        Stop::Failed(Failure { input, expected: self.expected.to_owned(), got: clip(got, 400) })
    }

    /// The value of an answer.
    fn value(&self, read: &Read) -> Result<Tree, Stop> {
        let Some(text) = &read.value else { return Err(self.failed("accepted, without a value")) };
        exact::value(text, Halves::Kept).ok_or_else(|| self.failed(&format!("a value that is no JSON text: {text}")))
    }
}

/// Pieces of text, to be read by a person.
fn shown(deltas: &[Vec<u8>]) -> String {
    let one = |delta: &Vec<u8>| match str::from_utf8(delta) {
        Ok(text) => clip(&format!("{text:?}"), 300),
        Err(_) => clip(&format!("b\"{}\"", delta.escape_ascii()), 300),
    };
    if deltas.len() > MANY {
        return format!("{} deltas of {}", deltas.len(), one(&deltas.concat()));
    }
    format!("[{}]", deltas.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// The tree of what a case says is right. `check` has seen that it is one.
fn meant(text: &str) -> Result<Tree, Stop> {
    exact::value(text, Halves::Kept).ok_or_else(|| Stop::Unsupported("the case itself is no JSON text".to_owned()))
}

/// No member is required by the tool.
fn requires_nothing(tool: &Tool) -> bool {
    #[derive(serde::Deserialize)]
    struct Parameters {
        #[serde(default)]
        required: Vec<serde::de::IgnoredAny>,
    }
    serde_json::from_str::<Parameters>(tool.parameters.get()).is_ok_and(|parameters| parameters.required.is_empty())
}

/// More deltas than this are shown as one text.
const MANY: usize = 12;
