//! What acceptance is made of; and blank text, which is accepted as no arguments.

use std::sync::OnceLock;

use super::statement::{BLANKS, Statement, is_blank};
use crate::schema::Tool;
use crate::settings::limits::Limits;
use crate::settings::{Judgement, Rule, Settings};
use crate::syntax::Machine;
use crate::verdict::audit::{Audit, Edit};
use crate::verdict::code::End;
use crate::verdict::outcome::{Accepted, Checked, Verdict};

/// Blank text or `null`, where no argument is required: `{}`.
pub(super) fn empty(
    statement: &mut Statement<'_>,
    tool: Option<&Tool>,
    settings: &Settings,
    end: End,
) -> Option<Accepted> {
    let machine = &*statement.machine;
    let text = machine.document.text().trim_start_matches(BLANKS);
    if !(text.is_empty() || text.starts_with("null")) {
        return None;
    }
    let blank = is_blank(machine);
    let null = !blank && text.trim_end_matches(BLANKS) == "null" && machine.tail().is_empty();
    if !(blank || null) || !end.is_normal() || !settings.allows(Rule::Empty) || settings.allows_any_root() {
        return None;
    }
    let arguments = Machine::read("{}", Limits::max());
    let fits = match tool {
        None => blank,
        Some(tool) => arguments.document.root().is_some_and(|root| tool.count(root) == 0),
    };
    if !fits {
        return None;
    }
    let len = machine.len();
    let edit = if blank {
        Edit::insertion(len, "{}", Rule::Empty)
    } else {
        let at = machine.document.text().find('n').unwrap_or_default();
        Edit::replacement(at, "null".len(), "{}", vec![Rule::Empty])
    };
    if settings.allows_suffix_only() && null {
        return None;
    }
    let text = Audit::new(len, vec![edit.clone()], Vec::new()).apply(machine.document.text());
    Some(accept(statement, Verdict::Normalized, tool, settings, Machine::read(&text, Limits::max()), vec![edit]))
}

pub(super) fn accept_as_sent(statement: Statement<'_>, tool: Option<&Tool>, settings: &Settings) -> Accepted {
    Accepted {
        verdict: Verdict::Strict,
        checked: checked(tool, settings),
        audit: Audit::new(statement.machine.len(), Vec::new(), Vec::new()),
        document: std::mem::take(&mut statement.machine.document),
        raw: None,
        notes: statement.notes,
        all_notes: OnceLock::new(),
    }
}

pub(super) fn accept(
    statement: &mut Statement<'_>,
    verdict: Verdict,
    tool: Option<&Tool>,
    settings: &Settings,
    accepted: Machine,
    edits: Vec<Edit>,
) -> Accepted {
    let raw = std::mem::take(&mut statement.machine.document.text);
    let mut actions: Vec<String> = Vec::new();
    for rule in edits.iter().flat_map(Edit::rules) {
        if !actions.iter().any(|action| action == rule.name()) {
            actions.push(rule.name().to_owned());
        }
    }
    Accepted {
        verdict,
        checked: checked(tool, settings),
        document: accepted.document,
        audit: Audit::new(raw.len(), edits, actions),
        raw: Some(raw),
        notes: std::mem::take(&mut statement.notes),
        all_notes: OnceLock::new(),
    }
}

fn checked(tool: Option<&Tool>, settings: &Settings) -> Checked {
    let Some(tool) = tool.filter(|tool| tool.has_schema()) else { return Checked::TextOnly };
    let validator = tool.validator_in_force();
    match settings.judgement() {
        Judgement::Text => Checked::TextOnly,
        Judgement::Schema if tool.schema_is_fully_judged() => Checked::Schema { validator },
        Judgement::Schema | Judgement::Shape => Checked::Partly { validator },
    }
}
