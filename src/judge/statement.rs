//! The text that is judged: the deltas, or the full value that the provider's done event states.

use super::numbers;
use crate::document::{ValueRef, duplicates};
use crate::schema::Tool;
use crate::settings::limits::Limits;
use crate::settings::{Numbers, Settings};
use crate::syntax::{Machine, Stop};
use crate::verdict::code::{Code, End, Group, Opening};
use crate::verdict::diagnosis::{Diagnosis, SuspectQuote, Unit, byte_class};
use crate::verdict::note::{Note, NoteKind};
use crate::verdict::outcome::{Rejected, Told};

/// The text to be judged, read.
pub(crate) struct Statement<'m> {
    /// It is not moved: what is accepted is taken out of it.
    pub(super) machine: &'m mut Machine,
    pub(super) notes: Vec<Note>,
    /// A limit of a guard that was passed while the text streamed.
    pub(super) passed: Option<Box<Diagnosis>>,
}

impl<'m> Statement<'m> {
    pub(crate) fn new(machine: &'m mut Machine) -> Self {
        Self { machine, notes: Vec::new(), passed: None }
    }

    fn with_note(mut self, kind: NoteKind) -> Self {
        self.notes.push(Note::new(kind));
        self
    }

    /// The same with what was known while the text streamed: the machine does not know what stopped it, if a guard did.
    #[inline]
    pub(crate) fn with_early(mut self, early: Option<&Diagnosis>) -> Self {
        if let (Some(early), Some(stop)) = (early, self.machine.stop()) {
            let by_guard = stop.code == Code::InlineLimit;
            self.passed = by_guard.then(|| Box::new(early.clone()));
        }
        self
    }

    pub(crate) fn reject(self, diagnosis: Diagnosis, tool: Option<&Tool>, opening: Opening, end: End) -> Rejected {
        let tail = self.machine.tail().to_vec();
        Rejected::new(Told {
            diagnosis: diagnosis.settle(end, opening),
            raw: std::mem::take(&mut self.machine.document.text),
            tail,
            notes: self.notes,
            tool: tool.map(|tool| tool.name().to_owned()),
        })
    }
}

/// Deltas and a full value that disagree.
pub(crate) struct Mismatch<'m> {
    statement: Statement<'m>,
    pointer: Option<String>,
}

impl<'m> Mismatch<'m> {
    fn of(machine: &'m mut Machine, pointer: Option<String>) -> Box<Self> {
        Box::new(Self { statement: Statement::new(machine), pointer })
    }

    pub(crate) fn reject(self, tool: Option<&Tool>, end: End) -> Rejected {
        let mut diagnosis = Diagnosis::new(Code::FinalMismatch);
        if let Some(pointer) = self.pointer {
            diagnosis = diagnosis.with_pointer(pointer);
        }
        self.statement.reject(diagnosis, tool, Opening::Arguments, end)
    }
}

/// Which statement is judged where the provider's done event holds the full value: see design, section 10.
pub(crate) fn reconcile<'m>(
    sent: Statement<'m>,
    full: &str,
    settings: &Settings,
) -> Result<Statement<'m>, Box<Mismatch<'m>>> {
    if full.is_empty() {
        return Ok(sent);
    }
    if sent.passed.is_some() || is_not_held(sent.machine) {
        return confirm(sent, full, settings);
    }
    let machine = sent.machine;
    let limits = settings.limits();
    // Whether it says the same is another question than whether its numbers are held.
    let mut stated = Machine::read(full, limits);
    let used = |machine: &'m mut Machine, stated| {
        *machine = match settings.numbers() {
            Numbers::Double => Machine::read_for(full, limits, Numbers::Double),
            Numbers::Exact => stated,
        };
        Ok(Statement::new(machine).with_note(NoteKind::FinalUsed))
    };
    if is_blank(machine) {
        return used(machine, stated);
    }
    if !is_json(&mut stated) {
        return Ok(Statement::new(machine).with_note(NoteKind::FinalBroken));
    }
    if is_json(machine) {
        let pointer = difference(machine, &stated);
        return match pointer {
            None => Ok(Statement::new(machine).with_note(NoteKind::FinalConfirmed)),
            pointer => Err(Mismatch::of(machine, pointer)),
        };
    }
    // Of a text that was stopped, no byte brings it back, and what is kept of it may be less than was sent.
    let begins = machine.stop().is_none()
        && full.starts_with(machine.document.text())
        && full.as_bytes()[machine.document.text().len()..].starts_with(machine.tail());
    if begins { used(machine, stated) } else { Err(Mismatch::of(machine, None)) }
}

/// Deltas that a guard has rejected, or one of their numbers: a full value can contradict them, it cannot bring them back.
fn confirm<'m>(sent: Statement<'m>, full: &str, settings: &Settings) -> Result<Statement<'m>, Box<Mismatch<'m>>> {
    let mut whole = Machine::read(sent.machine.document.text(), settings.limits());
    let exact = settings.clone().with_numbers(Numbers::Exact);
    match reconcile(Statement::new(&mut whole), full, &exact) {
        Ok(told) if told.notes.iter().any(|note| note.kind() == NoteKind::FinalUsed) => Ok(sent),
        Ok(told) => Ok(Statement { notes: [sent.notes, told.notes].concat(), ..sent }),
        Err(mismatch) => Err(Mismatch::of(sent.machine, mismatch.pointer)),
    }
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
pub(crate) fn stopped(machine: &Machine, stop: &Stop, tool: Option<&Tool>) -> Diagnosis {
    let mut diagnosis = Diagnosis::of_stop(stop);
    if let Some((limit, unit)) = passed(machine.limits(), stop) {
        return diagnosis.with_limit(u64::from(limit) + 1, limit.into(), unit);
    }
    if stop.code == Code::NumberNotHeld {
        return numbers::advised(diagnosis, &stop.pointer, tool);
    }
    if let Some(byte) = stop.found.filter(|_| stop.code.group() != Group::Limit) {
        diagnosis = diagnosis.with_found(byte_class(byte));
    }
    match stop.suspect {
        Some(node) => diagnosis.with_suspect_quote(SuspectQuote::at_end_of(&machine.document, node)),
        None => diagnosis,
    }
}

/// The limit of the machine that was passed: by one, since it stops at the first byte, level or member too many.
fn passed(limits: Limits, stop: &Stop) -> Option<(u32, Unit)> {
    if stop.code == Code::DepthLimit {
        return Some((limits.depth, Unit::Levels));
    }
    // No byte beyond the limit of the text is read: a member stands before it.
    let of_size = if stop.at < limits.text { (limits.members, Unit::Members) } else { (limits.text, Unit::Bytes) };
    (stop.code == Code::SizeLimit).then_some(of_size)
}

/// The blanks of JSON (RFC 8259, section 2).
pub(super) const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

pub(super) fn is_blank(machine: &Machine) -> bool {
    // A machine that a limit stopped before the first byte that it would have read holds blanks too.
    machine.stop().is_none() && machine.tail().is_empty() && machine.document.text().trim_matches(BLANKS).is_empty()
}

fn is_json(machine: &mut Machine) -> bool {
    not_json(machine, None).is_none()
}

/// Whether the machine stopped at a number that is not held; the last one, if it is the root, ends with the text.
fn is_not_held(machine: &mut Machine) -> bool {
    machine.truncated();
    machine.stop().is_some_and(|stop| stop.code == Code::NumberNotHeld)
}

/// Why the text is not one JSON text.
pub(super) fn not_json(machine: &mut Machine, tool: Option<&Tool>) -> Option<Diagnosis> {
    let cut = machine.truncated();
    if let Some(stop) = machine.stop() {
        return Some(stopped(machine, stop, tool));
    }
    let code = cut?;
    let at = machine.len() as u64;
    let diagnosis = Diagnosis::new(code).with_at(at).with_pointer(machine.pointer.to_string());
    Some(if code == Code::TruncatedInContainer {
        diagnosis.with_expected(machine.expected().iter().copied())
    } else {
        diagnosis
    })
}

pub(super) fn opening(machine: &Machine, settings: &Settings) -> Opening {
    if settings.allows_any_root() {
        return Opening::Arguments;
    }
    let first = machine.document.text().trim_start_matches(BLANKS).bytes().next();
    Opening::of(first.or_else(|| machine.tail().first().copied()))
}
