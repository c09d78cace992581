//! The decision: one statement, one end, one verdict.
//!
//! The order of the questions is the order of design: blank text, text that is not JSON, the end, the root, duplicate
//! keys, shape, inner call, schema. A call is judged once.

mod accept;
pub(crate) mod guard;
mod numbers;
mod statement;

pub(crate) use statement::{Statement, reconcile, stopped};

use crate::document::{Kind, ValueRef, duplicates};
use crate::normalize::{ENVELOPE, Normalized, Planned, plan, swallowed_wrapper};
use crate::program;
use crate::repair::{Completed, close_description, inner_call};
use crate::schema::{Findings, Names, Tool, Violation};
use crate::settings::{Judgement, Rule, Settings};
use crate::syntax::Machine;
use crate::syntax::trailing;
use crate::verdict::audit::{Edit, offset_before};
use crate::verdict::code::{Code, End};
use crate::verdict::diagnosis::{Diagnosis, SuspectQuote};
use crate::verdict::note::{Note, NoteKind};
use crate::verdict::outcome::{Accepted, Rejected, Verdict};
use accept::{accept, accept_as_sent, empty};
use guard::Failed;
use statement::{not_json, opening};

/// Judges the statement.
pub(crate) fn decide(
    mut statement: Statement<'_>,
    tool: Option<&Tool>,
    settings: &Settings,
    end: End,
) -> Result<Accepted, Rejected> {
    if let Some(accepted) = empty(&mut statement, tool, settings, end) {
        return Ok(accepted);
    }
    let passed = statement.passed.take().map(|passed| *passed);
    if let Some(diagnosis) = passed.or_else(|| not_json(statement.machine, tool)) {
        if end.is_normal()
            && settings.allows(Rule::CloseDescription)
            && let Some(tool) = tool
        {
            let cut = close_description(statement.machine, diagnosis.code(), tool);
            if let Some((edit, repaired)) = cut.filter(|(_, repaired)| stands(repaired, tool, settings)) {
                let edits = vec![edit];
                if let Some(failed) = guarded(&repaired, &edits, tool, settings) {
                    return Err(reject(statement, failed, Some(tool), settings, end));
                }
                return Ok(accept(&mut statement, Verdict::Repaired, Some(tool), settings, repaired, edits));
            }
        }
        if let Some(stop) = statement.machine.stop()
            && stop.is_trailing()
        {
            statement.notes.extend(trailing::notes(statement.machine, stop));
        }
        return Err(reject(statement, diagnosis, tool, settings, end));
    }
    let (diagnosis, tried) = match judge(&mut statement, tool, settings, end) {
        Judged::AsSent => return Ok(accept_as_sent(statement, tool, settings)),
        Judged::Normalized(normalized) => {
            let Normalized { edits, actions, machine } = *normalized;
            let mut accepted = accept(&mut statement, Verdict::Normalized, tool, settings, machine, edits);
            accepted.audit = accepted.audit.with_actions(actions);
            return Ok(accepted);
        }
        Judged::Rejected(diagnosis, tried) => (diagnosis, tried),
    };
    let may_repair = end.is_normal() && settings.allows(Rule::InnerCall) && !settings.allows_suffix_only();
    if may_repair
        && tried == Normalization::Nothing
        && diagnosis.code() == Code::MissingRequired
        && let Some(tool) = tool
    {
        let epilogue = settings.allows(Rule::Epilogue);
        let completed = inner_call(statement.machine, tool, epilogue);
        let completed = completed.filter(|completed| stands(&completed.machine, tool, settings));
        if let Some(Completed { edits, binding, machine }) = completed {
            if let Some(failed) = guarded(&machine, &edits, tool, settings) {
                return Err(reject(statement, failed, Some(tool), settings, end));
            }
            let mut accepted = accept(&mut statement, Verdict::Repaired, Some(tool), settings, machine, edits);
            accepted.audit = accepted.audit.with_binding(binding);
            return Ok(accepted);
        }
    }
    Err(reject(statement, diagnosis, tool, settings, end))
}

fn reject(
    statement: Statement<'_>,
    diagnosis: Diagnosis,
    tool: Option<&Tool>,
    settings: &Settings,
    end: End,
) -> Rejected {
    let opening = opening(statement.machine, settings);
    statement.reject(diagnosis, tool, opening, end)
}

/// What becomes of a statement that is one JSON text.
enum Judged {
    AsSent,
    Normalized(Box<Normalized>),
    Rejected(Diagnosis, Normalization),
}

/// Whether normalization had anything to do: a text that it has touched is not repaired.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Normalization {
    Nothing,
    Tried,
}

/// Judges a statement that is one JSON text.
fn judge(statement: &mut Statement<'_>, tool: Option<&Tool>, settings: &Settings, end: End) -> Judged {
    let machine = &*statement.machine;
    let len = machine.len() as u64;
    let rejected = |diagnosis| Judged::Rejected(diagnosis, Normalization::Nothing);
    match end {
        End::Disconnected => return rejected(Diagnosis::new(Code::Disconnected).with_at(len).with_pointer("")),
        End::Cancelled => return rejected(Diagnosis::new(Code::Cancelled).with_at(len).with_pointer("")),
        End::CallClosed | End::Complete | End::Filtered | End::Truncated => {}
    }
    let Some(root) = machine.document.root() else { return Judged::AsSent };
    let no_object = || {
        let at = root.span().start.into();
        let diagnosis = Diagnosis::new(Code::TypeMismatch).with_at(at).with_pointer("").with_expected(["object"]);
        diagnosis.with_sent(root, machine.limits())
    };
    let wanted = root.kind() == Kind::Object || settings.allows_any_root();
    if !wanted && (tool.is_none() || root.kind() != Kind::String) {
        return rejected(no_object());
    }
    let twice = duplicates(&machine.document);
    if let Some(duplicate) = twice.unequal {
        let pointer = machine.document.pointer_of(duplicate.name + 1);
        return rejected(Diagnosis::new(Code::DuplicateKey).with_at(duplicate.at.into()).with_pointer(pointer));
    }
    if let Some(duplicate) = twice.equal {
        statement.notes.push(Note::new(NoteKind::EqualDuplicate).with_at(duplicate.at.into()));
    }
    let Some(tool) = tool else { return if wanted { Judged::AsSent } else { rejected(no_object()) } };
    let unjudged = |left: &crate::schema::Unjudged| Note::new(NoteKind::Unjudged).with_detail(left.to_string());
    let mut normalization = Normalization::Nothing;
    let mut left = None;
    match plan(root, tool, settings) {
        Planned::Applied(applied) => {
            let accepted = applied.normalized.machine.document.root();
            let refused = |diagnosis: Diagnosis, member: &str| {
                let (pointer, at) = applied.as_sent(member);
                let diagnosis = diagnosis.with_pointer(pointer);
                Judged::Rejected(
                    if let Some(at) = at { diagnosis.with_at(at) } else { diagnosis },
                    Normalization::Tried,
                )
            };
            let not_held = accepted.and_then(|root| numbers::check(root, tool, settings));
            let failed = not_held.or_else(|| accepted.and_then(|root| guard::check(root, tool, settings)));
            if let Some(failed) = failed {
                return refused(failed.diagnosis, &failed.member);
            }
            // As in a text that is taken as it was sent: judged again, the accepted text must be strict.
            if accepted.and_then(|root| swallowed(root, tool, settings)).is_some() {
                return refused(Diagnosis::new(Code::AmbiguousWrapper), ENVELOPE);
            }
            statement.notes.extend(tool.unjudged().iter().map(unjudged));
            return Judged::Normalized(Box::new(applied.normalized));
        }
        Planned::Conflict(diagnosis) => return Judged::Rejected(diagnosis, Normalization::Tried),
        Planned::Nothing => {}
        Planned::Tried(tried) => {
            normalization = Normalization::Tried;
            statement.notes.push(Note::new(NoteKind::Tried).with_detail(tried.actions.join(", ")));
            left = tried.left;
        }
    }
    let names = if twice.equal.is_some() { Names::MayRepeat } else { Names::Differ };
    let findings = tool.findings(root, names);
    let demanded = demanded(&findings, settings.judgement());
    // What only a granted alias or the wrapper `arguments` brings to light counts too: as sent it would be lost.
    let left = left.filter(|_| settings.judgement() != Judgement::Text);
    if let Some(first) = demanded.or(left) {
        return Judged::Rejected(violated(first, machine), normalization);
    }
    if let Some(wrapper) = swallowed(root, tool, settings) {
        let at = wrapper.span().start.into();
        let pointer = machine.document.pointer_of(wrapper.node());
        let diagnosis = Diagnosis::new(Code::AmbiguousWrapper).with_at(at).with_pointer(pointer);
        return Judged::Rejected(diagnosis, normalization);
    }
    if let Some(failed) = guard::check(root, tool, settings) {
        return Judged::Rejected(failed.diagnosis, normalization);
    }
    // Nothing that is demanded is violated: what is violated is tolerated. Where all is demanded, there is nothing left.
    if settings.judgement() != Judgement::Schema {
        statement.notes.extend(findings.violations().into_iter().map(|violation| {
            let note = Note::new(NoteKind::Tolerated).with_detail(violation.code.name());
            if let Some(at) = violation.at { note.with_at(at.into()) } else { note }
        }));
    }
    statement.notes.extend(tool.unjudged().iter().map(unjudged));
    if wanted { Judged::AsSent } else { Judged::Rejected(no_object(), normalization) }
}

/// Whether a repaired text is taken as it is: where normalization had something to do with it, or would refuse it, the
/// repair does not match. Repairs and normalization never combine.
fn stands(repaired: &Machine, tool: &Tool, settings: &Settings) -> bool {
    let Some(root) = repaired.document.root() else { return false };
    matches!(plan(root, tool, settings), Planned::Nothing) && swallowed(root, tool, settings).is_none()
}

/// An undeclared `arguments` that no rule unwraps: what is in it would be lost.
fn swallowed<'d>(root: ValueRef<'d>, tool: &Tool, settings: &Settings) -> Option<ValueRef<'d>> {
    let unwraps = settings.allows(Rule::Unwrap) && tool.schema_is_fully_judged();
    let judged = settings.judgement() != Judgement::Text;
    if unwraps && judged { swallowed_wrapper(root, tool) } else { None }
}

/// The guard that a repaired text fails, placed in the text as sent.
fn guarded(repaired: &Machine, edits: &[Edit], tool: &Tool, settings: &Settings) -> Option<Diagnosis> {
    let Failed { diagnosis, .. } = guard::check(repaired.document.root()?, tool, settings)?;
    let at = offset_before(edits, diagnosis.at()?);
    Some(diagnosis.with_at(at))
}

/// The first violation that the judgement in force rejects.
fn demanded(findings: &Findings<'_>, judgement: Judgement) -> Option<Violation> {
    match judgement {
        Judgement::Schema => findings.first(),
        Judgement::Shape => findings.first_of_shape(),
        Judgement::Text => None,
    }
}

fn violated(violation: Violation, machine: &Machine) -> Diagnosis {
    let suspect = if violation.code == Code::MissingRequired { cut_payload(machine) } else { None };
    let mut diagnosis =
        Diagnosis::new(violation.code).with_pointer(violation.pointer).with_expected(violation.expected);
    if let Some(at) = violation.at {
        diagnosis = diagnosis.with_at(at.into());
        // What only an alias or a wrapper brought to light may have another pointer.
        let value = diagnosis.pointer().and_then(|pointer| machine.document.root()?.pointer(pointer));
        if let Some(value) = value.filter(|value| value.span().start == at) {
            diagnosis = diagnosis.with_sent(value, machine.limits());
        }
    }
    match suspect {
        Some(node) => diagnosis.with_suspect_quote(SuspectQuote::at_end_of(&machine.document, node)),
        None => diagnosis,
    }
}

/// The last member of the root, if it is a string that, read as a program, ends inside of a string: its closing quote
/// was an inner one. No grant is needed to say it.
fn cut_payload(machine: &Machine) -> Option<u32> {
    let last = machine.document.root()?.members().last()?.value;
    program::open_string(last.as_str()?).map(|_| last.node())
}
