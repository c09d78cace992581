//! What is said of one call's recorded arguments.

use crate::call::Call;
use crate::document::{Kind, ValueRef};
use crate::normalize::{Normalized, Planned, plan, unwrapped};
use crate::schema::Tool;
use crate::settings::limits::Limits;
use crate::settings::{Judgement, Policy, Rule, Settings};
use crate::syntax::Machine;
use crate::verdict::code::{Code, End};

/// What is said of one call's recorded arguments.
#[derive(Debug)]
pub(super) enum Answer {
    /// They need no change, or none is known.
    AsSent,
    /// The shape was put right, or is less wrong than before.
    Changed { text: String, actions: Vec<String> },
    /// Something contradicts itself, or a limit is passed: nothing is done.
    Left(Code),
    /// They are not one JSON object.
    Unparseable(Code),
    /// They are not one JSON object, and the tool is unknown.
    Untouched(Code),
}

/// The call of a tool that the request does not offer.
pub(super) fn of_unknown(text: &str, settings: &Settings) -> Answer {
    match of(text, None, &settings.clone().without_rule(Rule::Empty)) {
        Answer::Unparseable(code) => Answer::Untouched(code),
        answer @ (Answer::AsSent | Answer::Changed { .. } | Answer::Left(_) | Answer::Untouched(_)) => answer,
    }
}

/// The call of a tool; without one, only the text is looked at.
pub(super) fn of(text: &str, tool: Option<&Tool>, settings: &Settings) -> Answer {
    let strict = settings.clone().with_policy(Policy::Strict).with_judgement(Judgement::Text).any_root();
    let mut call = Call::default().with_settings(&strict);
    call.feed(text);
    let read = match call.finish(End::Complete) {
        Ok(read) => read,
        Err(rejected) => return not_read(rejected.diagnosis().code(), tool, settings),
    };
    let root = read.root();
    let Some(tool) = tool else { return as_sent(root) };
    if root.is_null() && is_empty(Some(tool), settings) {
        return no_arguments();
    }
    match plan(root, tool, settings) {
        Planned::Applied(applied) => changed(applied.normalized),
        Planned::Conflict(conflict) => Answer::Left(conflict.code()),
        Planned::Nothing | Planned::Tried(_) => unwrapped(root, tool, settings).map_or_else(|| as_sent(root), changed),
    }
}

fn not_read(code: Code, tool: Option<&Tool>, settings: &Settings) -> Answer {
    match code {
        Code::EmptyArguments if is_empty(tool, settings) => no_arguments(),
        code if matches!(code, Code::DuplicateKey | Code::DepthLimit | Code::SizeLimit) => Answer::Left(code),
        code => Answer::Unparseable(code),
    }
}

/// Whether nothing means no arguments: `{}` has no violation.
fn is_empty(tool: Option<&Tool>, settings: &Settings) -> bool {
    let arguments = Machine::read("{}", Limits::max());
    let fits = |tool: &Tool| arguments.document.root().is_some_and(|root| tool.count(root) == 0);
    settings.allows(Rule::Empty) && tool.is_none_or(fits)
}

fn no_arguments() -> Answer {
    Answer::Changed { text: "{}".to_owned(), actions: vec![Rule::Empty.name().to_owned()] }
}

fn changed(normalized: Normalized) -> Answer {
    Answer::Changed { text: normalized.machine.document.text, actions: normalized.actions }
}

fn as_sent(root: ValueRef<'_>) -> Answer {
    if root.kind() == Kind::Object { Answer::AsSent } else { Answer::Unparseable(Code::TypeMismatch) }
}
