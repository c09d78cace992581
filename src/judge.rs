//! The decision: one statement, one end, one verdict.
//!
//! The order of the questions is the order of design: blank text, text that is not JSON, the end, the root, duplicate
//! keys, shape, inner call, schema. A call is judged once.

use crate::audit::{Audit, Edit, offset_before};
use crate::code::{Code, End, Opening};
use crate::diagnosis::{Diagnosis, SuspectQuote, byte_class};
use crate::document::{Kind, ValueRef, duplicates};
use crate::guard::{self, Failed};
use crate::limits::Limits;
use crate::normalize::{Normalized, Planned, plan, swallowed_wrapper};
use crate::note::{Note, NoteKind};
use crate::outcome::{Accepted, Checked, Rejected, Verdict};
use crate::program;
use crate::repair::{Completed, close_description, inner_call};
use crate::schema::{Tool, Violation};
use crate::settings::{Judgement, Rule, Settings};
use crate::syntax::{Machine, Stop};
use crate::trailing;

/// The text to be judged, read.
pub(crate) struct Statement {
    machine: Machine,
    notes: Vec<Note>,
    /// A limit of a guard that was passed while the text streamed.
    passed: Option<Diagnosis>,
}

impl Statement {
    pub(crate) fn new(machine: Machine) -> Self {
        Self { machine, notes: Vec::new(), passed: None }
    }

    fn with_note(mut self, kind: NoteKind) -> Self {
        self.notes.push(Note::new(kind));
        self
    }

    /// The same with what was known while the text streamed: the machine does not know what stopped it, if a guard did.
    pub(crate) fn with_early(mut self, early: Option<&Diagnosis>) -> Self {
        let by_guard = self.machine.stop().is_some_and(|stop| stop.code == Code::InlineLimit);
        self.passed = early.filter(|_| by_guard).cloned();
        self
    }

    pub(crate) fn reject(self, diagnosis: Diagnosis, tool: Option<&Tool>, opening: Opening, end: End) -> Rejected {
        let tail = self.machine.tail().to_vec();
        Rejected {
            diagnosis: diagnosis.settle(end, opening),
            raw: self.machine.document.text,
            tail,
            notes: self.notes,
            tool: tool.map(|tool| tool.name().to_owned()),
        }
    }
}

/// Deltas and a full value that disagree.
pub(crate) struct Mismatch {
    statement: Statement,
    pointer: Option<String>,
}

impl Mismatch {
    pub(crate) fn reject(self, tool: Option<&Tool>, end: End) -> Rejected {
        let mut diagnosis = Diagnosis::new(Code::FinalMismatch);
        if let Some(pointer) = self.pointer {
            diagnosis = diagnosis.with_pointer(pointer);
        }
        self.statement.reject(diagnosis, tool, Opening::Arguments, end)
    }
}

/// Which statement is judged where the provider's done event holds the full value: see design, section 10.
pub(crate) fn reconcile(mut machine: Machine, full: &str, limits: Limits) -> Result<Statement, Mismatch> {
    if full.is_empty() {
        return Ok(Statement::new(machine));
    }
    let used = |machine| Ok(Statement::new(machine).with_note(NoteKind::FinalUsed));
    let mut stated = Machine::read(full, limits);
    if is_blank(&machine) {
        return used(stated);
    }
    if !is_json(&mut stated) {
        return Ok(Statement::new(machine).with_note(NoteKind::FinalBroken));
    }
    if is_json(&mut machine) {
        let pointer = difference(&machine, &stated);
        return match pointer {
            None => Ok(Statement::new(machine).with_note(NoteKind::FinalConfirmed)),
            pointer => Err(Mismatch { statement: Statement::new(machine), pointer }),
        };
    }
    let begins = full.starts_with(machine.document.text())
        && full.as_bytes()[machine.document.text().len()..].starts_with(machine.tail());
    if begins { used(stated) } else { Err(Mismatch { statement: Statement::new(machine), pointer: None }) }
}

/// The first place where the two disagree.
fn difference(sent: &Machine, stated: &Machine) -> Option<String> {
    let (a, b) = (sent.document.root()?, stated.document.root()?);
    if let Some(duplicate) = duplicates(&stated.document).unequal {
        return Some(stated.document.pointer_of(duplicate.name + 1));
    }
    if a.same(b) {
        return None;
    }
    let differs = a.members().find(|member| b.get(member.name).is_none_or(|other| !member.value.same(other)));
    let pointer = |value: ValueRef<'_>| sent.document.pointer_of(value.node());
    Some(differs.map_or_else(String::new, |member| pointer(member.value)))
}

/// What a stopped machine tells, complete: it needs neither the text nor the machine any more.
pub(crate) fn stopped(machine: &Machine, stop: &Stop) -> Diagnosis {
    let mut diagnosis = Diagnosis::of_stop(stop);
    if let Some(byte) = stop.found {
        diagnosis = diagnosis.with_found(byte_class(byte));
    }
    match stop.suspect {
        Some(node) => diagnosis.with_suspect_quote(SuspectQuote::at_end_of(&machine.document, node)),
        None => diagnosis,
    }
}

/// Judges the statement.
pub(crate) fn decide(
    mut statement: Statement,
    tool: Option<&Tool>,
    settings: &Settings,
    end: End,
) -> Result<Accepted, Rejected> {
    let opening = opening(&statement.machine, settings);
    if let Some(accepted) = empty(&mut statement, tool, settings, end) {
        return Ok(accepted);
    }
    if let Some(diagnosis) = statement.passed.take().or_else(|| not_json(&mut statement.machine)) {
        if end.is_normal()
            && settings.allows(Rule::CloseDescription)
            && let Some(tool) = tool
        {
            let cut = close_description(&statement.machine, diagnosis.code(), tool);
            if let Some((edit, repaired)) = cut {
                let edits = vec![edit];
                if let Some(failed) = guarded(&repaired, &edits, tool, settings) {
                    return Err(statement.reject(failed, Some(tool), opening, end));
                }
                return Ok(accept(statement, Verdict::Repaired, Some(tool), settings, repaired, edits));
            }
        }
        if let Some(stop) = statement.machine.stop()
            && stop.is_trailing()
        {
            statement.notes.extend(trailing::notes(&statement.machine, stop));
        }
        return Err(statement.reject(diagnosis, tool, opening, end));
    }
    let (diagnosis, tried) = match judge(&mut statement, tool, settings, end) {
        Judged::AsSent => return Ok(accept_as_sent(statement, tool, settings)),
        Judged::Normalized(normalized) => {
            let Normalized { edits, actions, machine } = *normalized;
            let mut accepted = accept(statement, Verdict::Normalized, tool, settings, machine, edits);
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
        if let Some(Completed { edits, binding, machine }) = inner_call(&statement.machine, tool, epilogue) {
            if let Some(failed) = guarded(&machine, &edits, tool, settings) {
                return Err(statement.reject(failed, Some(tool), opening, end));
            }
            let mut accepted = accept(statement, Verdict::Repaired, Some(tool), settings, machine, edits);
            accepted.audit = accepted.audit.with_binding(binding);
            return Ok(accepted);
        }
    }
    Err(statement.reject(diagnosis, tool, opening, end))
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
fn judge(statement: &mut Statement, tool: Option<&Tool>, settings: &Settings, end: End) -> Judged {
    let machine = &statement.machine;
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
        Diagnosis::new(Code::TypeMismatch).with_at(at).with_pointer("").with_expected(["object"])
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
            if let Some(failed) = accepted.and_then(|root| guard::check(root, tool, settings)) {
                let (pointer, at) = applied.as_sent(&failed.member);
                let diagnosis = failed.diagnosis.with_pointer(pointer);
                let diagnosis = at.map_or(diagnosis.clone(), |at| diagnosis.with_at(at));
                return Judged::Rejected(diagnosis, Normalization::Tried);
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
    let (counted, tolerated): (Vec<_>, Vec<_>) =
        tool.violations(root).into_iter().partition(|violation| demanded(violation, settings.judgement()));
    // What only a granted alias or the wrapper `arguments` brings to light counts too: as sent it would be lost.
    let left = left.filter(|_| settings.judgement() != Judgement::Text);
    if let Some(first) = counted.into_iter().next().or(left) {
        return Judged::Rejected(violated(first, machine), normalization);
    }
    let unwraps = settings.allows(Rule::Unwrap) && tool.schema_is_fully_judged();
    if unwraps
        && settings.judgement() != Judgement::Text
        && let Some(wrapper) = swallowed_wrapper(root, tool)
    {
        let at = wrapper.span().start.into();
        let pointer = machine.document.pointer_of(wrapper.node());
        let diagnosis = Diagnosis::new(Code::AmbiguousWrapper).with_at(at).with_pointer(pointer);
        return Judged::Rejected(diagnosis, normalization);
    }
    if let Some(failed) = guard::check(root, tool, settings) {
        return Judged::Rejected(failed.diagnosis, normalization);
    }
    statement.notes.extend(tolerated.into_iter().map(|violation| {
        let note = Note::new(NoteKind::Tolerated).with_detail(violation.code.name());
        violation.at.map_or(note.clone(), |at| note.with_at(at.into()))
    }));
    statement.notes.extend(tool.unjudged().iter().map(unjudged));
    if wanted { Judged::AsSent } else { Judged::Rejected(no_object(), normalization) }
}

/// The guard that a repaired text fails, placed in the text as sent.
fn guarded(repaired: &Machine, edits: &[Edit], tool: &Tool, settings: &Settings) -> Option<Diagnosis> {
    let Failed { diagnosis, .. } = guard::check(repaired.document.root()?, tool, settings)?;
    let at = offset_before(edits, diagnosis.at()?);
    Some(diagnosis.with_at(at))
}

/// Whether the judgement in force rejects this violation.
fn demanded(violation: &Violation, judgement: Judgement) -> bool {
    match judgement {
        Judgement::Schema => true,
        Judgement::Shape => matches!(violation.code, Code::MissingRequired | Code::TypeMismatch),
        Judgement::Text => false,
    }
}

fn violated(violation: Violation, machine: &Machine) -> Diagnosis {
    let suspect = if violation.code == Code::MissingRequired { cut_payload(machine) } else { None };
    let mut diagnosis =
        Diagnosis::new(violation.code).with_pointer(violation.pointer).with_expected(violation.expected);
    if let Some(at) = violation.at {
        diagnosis = diagnosis.with_at(at.into());
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

/// Blank text or `null`, where no argument is required: `{}`.
fn empty(statement: &mut Statement, tool: Option<&Tool>, settings: &Settings, end: End) -> Option<Accepted> {
    let machine = &statement.machine;
    let blank = is_blank(machine);
    let null = !blank && machine.document.text().trim_matches(BLANKS) == "null" && machine.tail().is_empty();
    if !(blank || null) || !end.is_normal() || !settings.allows(Rule::Empty) || settings.allows_any_root() {
        return None;
    }
    let arguments = Machine::read("{}", Limits::max());
    let fits = match tool {
        None => blank,
        Some(tool) => arguments.document.root().is_some_and(|root| tool.violations(root).is_empty()),
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
    let mut taken = Statement::new(std::mem::take(&mut statement.machine));
    taken.notes = std::mem::take(&mut statement.notes);
    Some(accept(taken, Verdict::Normalized, tool, settings, Machine::read(&text, Limits::max()), vec![edit]))
}

/// The blanks of JSON (RFC 8259, section 2).
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

fn is_blank(machine: &Machine) -> bool {
    // A machine that a limit stopped before the first byte that it would have read holds blanks too.
    machine.stop().is_none() && machine.tail().is_empty() && machine.document.text().trim_matches(BLANKS).is_empty()
}

fn is_json(machine: &mut Machine) -> bool {
    not_json(machine).is_none()
}

/// Why the text is not one JSON text.
fn not_json(machine: &mut Machine) -> Option<Diagnosis> {
    if let Some(stop) = machine.stop() {
        return Some(stopped(machine, stop));
    }
    let code = machine.truncated()?;
    let at = machine.len() as u64;
    let diagnosis = Diagnosis::new(code).with_at(at).with_pointer(machine.pointer.to_string());
    Some(if code == Code::TruncatedInContainer {
        diagnosis.with_expected(machine.expected().iter().copied())
    } else {
        diagnosis
    })
}

fn opening(machine: &Machine, settings: &Settings) -> Opening {
    if settings.allows_any_root() {
        return Opening::Arguments;
    }
    let first = machine.document.text().trim_start_matches(BLANKS).bytes().next();
    Opening::of(first.or_else(|| machine.tail().first().copied()))
}

fn accept_as_sent(statement: Statement, tool: Option<&Tool>, settings: &Settings) -> Accepted {
    Accepted {
        verdict: Verdict::Strict,
        checked: checked(tool, settings),
        audit: Audit::new(statement.machine.len(), Vec::new(), Vec::new()),
        document: statement.machine.document,
        raw: None,
        notes: statement.notes,
    }
}

fn accept(
    statement: Statement,
    verdict: Verdict,
    tool: Option<&Tool>,
    settings: &Settings,
    accepted: Machine,
    edits: Vec<Edit>,
) -> Accepted {
    let raw = statement.machine.document.text;
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
        notes: statement.notes,
    }
}

fn checked(tool: Option<&Tool>, settings: &Settings) -> Checked {
    let Some(tool) = tool.filter(|tool| tool.has_schema()) else { return Checked::TextOnly };
    let validator = tool.validator_name().to_owned();
    match settings.judgement() {
        Judgement::Text => Checked::TextOnly,
        Judgement::Schema if tool.schema_is_fully_judged() => Checked::Schema { validator },
        Judgement::Schema | Judgement::Shape => Checked::Partly { validator },
    }
}
