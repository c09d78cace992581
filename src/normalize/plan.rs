//! The plan: the order of the rules, and whether what they did is kept.
//!
//! All or nothing. A plan is kept if it ends without a violation of the whole schema, whatever the judgement in force
//! demands; otherwise the text is judged as it was sent.

use super::draft::{Content, Draft};
use super::unwrap::Start;
use super::{Switches, alias, coerce, decode, on_member, rename, unwrap};
use crate::document::{Kind, ValueRef, duplicates};
use crate::schema::{ByMember, Tool, TypeSet, Violation};
use crate::settings::limits::Limits;
use crate::settings::{Rule, Settings};
use crate::syntax::Machine;
use crate::text::pointer::{self, Token, write_token};
use crate::verdict::audit::{Edit, offset_before};
use crate::verdict::diagnosis::Diagnosis;

/// What normalization makes of one call.
pub(crate) enum Planned<'r> {
    /// The shape was put right.
    Applied(Box<Applied<'r>>),
    /// Two members contradict each other, whatever else is right or wrong.
    Conflict(Diagnosis),
    /// No rule has anything to do.
    Nothing,
    /// Nothing is kept: violations are left.
    Tried(Tried),
}

/// A plan that is kept.
pub(crate) struct Applied<'r> {
    pub(crate) normalized: Normalized,
    draft: Draft<'r>,
}

/// A text whose shape was put right.
pub(crate) struct Normalized {
    pub(crate) edits: Vec<Edit>,
    pub(crate) actions: Vec<String>,
    /// The text that the edits make.
    pub(crate) machine: Machine,
}

impl Applied<'_> {
    /// Where a member of the accepted root stands in the text as sent: its pointer, a granted alias counting as its
    /// canonical name, and the offset of its value.
    pub(crate) fn as_sent(&self, name: &str) -> (String, Option<u64>) {
        let mut pointer = String::new();
        // Writing to a String cannot fail.
        let _ = write_token(&mut pointer, Token::Name(name));
        let place = self.draft.named(name).map(|id| self.draft.members[id as usize].value);
        (self.draft.pointer_below(place, &pointer), place.map(|place| self.draft.offset_as_sent(place)))
    }
}

/// A plan that is not kept.
pub(crate) struct Tried {
    pub(crate) actions: Vec<String>,
    /// What is violated after the plan, in terms of the text as sent, where the text as sent has no violation.
    pub(crate) left: Option<Violation>,
}

/// Plans the call that `root` is, the root of a complete document without unequal duplicate keys.
pub(crate) fn plan<'r>(root: ValueRef<'r>, tool: &Tool, settings: &Settings) -> Planned<'r> {
    let on = Switches::new(tool, settings);
    // Every rule deletes something.
    if settings.allows_suffix_only() || !on.any() {
        return Planned::Nothing;
    }
    let before = tool.count(root);
    if !has_cause(root, tool, on, before) {
        return Planned::Nothing;
    }
    let mut plan =
        Plan { draft: Draft::new(root.document(), settings.limits()), tool, on, before, actions: Vec::new() };
    match plan.run() {
        Ok(()) if plan.actions.is_empty() => Planned::Nothing,
        Ok(()) => plan.decide(settings.limits()),
        Err(conflict) => Planned::Conflict(conflict),
    }
}

/// Whether any rule has a reason to look at the call: a violation and a member that a rule could change; or a string for
/// a root, a granted alias, or the wrapper `arguments`, which need no violation. A call may have very many members, so
/// that this is asked before the draft is made.
fn has_cause(root: ValueRef<'_>, tool: &Tool, on: Switches<'_>, before: usize) -> bool {
    let unwraps = on.allows(Rule::Unwrap) || on.allows(Rule::Merge);
    let is_alias = |name: &str| on.allows(Rule::Alias) && tool.canonical_of(name).is_some();
    match root.kind() {
        Kind::String if on.settings.allows_any_root() => {
            on.allows(Rule::Decode) && before > 0 && tool.wants_object_root()
        }
        Kind::String => on.allows(Rule::Decode),
        Kind::Object if before > 0 => {
            let is_converted =
                |value: ValueRef<'_>, name| value.kind() == Kind::String && converts(tool.types_of(name));
            let is_renamed = || {
                let mut undeclared = root.members().filter(|member| !tool.declares(member.name));
                let first = undeclared.next();
                first.is_some_and(|first| undeclared.all(|member| member.name == first.name))
            };
            root.members().any(|member| {
                let name = member.name;
                is_alias(name)
                    || is_converted(member.value, name)
                    || unwraps && unwrap::is_wrapper(name) && !tool.declares(name)
            }) || on.allows(Rule::Rename) && is_renamed()
        }
        Kind::Object => {
            unwraps && unwrap::swallowed_wrapper(root, tool).is_some()
                || root.members().any(|member| is_alias(member.name))
        }
        Kind::Array | Kind::Boolean | Kind::Null | Kind::Number => false,
    }
}

/// Whether a string in a member of these types may stand for something else.
fn converts(types: TypeSet) -> bool {
    !types.is_empty() && !types.has(TypeSet::STRING)
}

/// The same call without its wrappers, where that leaves fewer violations, though not none: what the model reads in its
/// own history it writes again. A root that is no object holds nothing that is wanted: any object in its place is better.
pub(crate) fn unwrapped(root: ValueRef<'_>, tool: &Tool, settings: &Settings) -> Option<Normalized> {
    let on = Switches::new(tool, settings);
    let before = if root.kind() == Kind::Object { tool.count(root) } else { usize::MAX };
    let has_cause = match root.kind() {
        Kind::String => on.allows(Rule::Decode),
        Kind::Object => before > 0 && root.members().any(|member| unwrap::is_wrapper(member.name)),
        Kind::Array | Kind::Boolean | Kind::Null | Kind::Number => false,
    };
    if settings.allows_suffix_only() || !has_cause {
        return None;
    }
    let mut draft = Draft::new(root.document(), settings.limits());
    let mut actions = Vec::new();
    if root.kind() == Kind::String {
        if !decode::decode_root(&mut draft) {
            return None;
        }
        actions.push(Rule::Decode.name().to_owned());
    }
    actions.extend(unwrap::unwrap(&mut draft, tool, on, Start::AnyWrapper).ok()?);
    if actions.is_empty() {
        return None;
    }
    let edits = draft.edits();
    let machine = draft.read(&edits, settings.limits());
    let root = machine.document.root().filter(|_| machine.is_complete())?;
    let is_better = tool.count(root) < before && duplicates(&machine.document).unequal.is_none();
    is_better.then_some(Normalized { edits, actions, machine })
}

struct Plan<'r, 'p> {
    draft: Draft<'r>,
    tool: &'p Tool,
    on: Switches<'p>,
    /// Violations of the text as sent.
    before: usize,
    actions: Vec<String>,
}

impl<'r> Plan<'r, '_> {
    /// The rules in their order.
    fn run(&mut self) -> Result<(), Diagnosis> {
        let Self { draft, tool, on, before, actions } = self;
        if on.allows(Rule::Decode) && decode::decode_root(draft) {
            actions.push(Rule::Decode.name().to_owned());
        }
        if draft.value(draft.root).kind() != Kind::Object {
            return Ok(());
        }
        let start = if *before > 0 { Start::AnyWrapper } else { Start::Envelope };
        actions.extend(unwrap::unwrap(draft, tool, *on, start)?);
        if on.allows(Rule::Alias) {
            actions.extend(alias::aliases(draft, tool)?);
        }
        if on.allows(Rule::Rename) {
            actions.extend(rename::rename(draft, tool));
        }
        self.convert();
        Ok(())
    }

    /// `decode` and `coerce` of members, each taken only where it lowers the number of violations.
    fn convert(&mut self) {
        let by_member = self.tool.by_member();
        let mut count = None;
        for id in self.draft.present() {
            let types = self.tool.types_of(self.draft.name(id));
            if !converts(types) {
                continue;
            }
            let Some((rule, content)) = self.conversion(id, types) else { continue };
            let name = self.draft.name(id).to_owned();
            self.draft.take(&name, rule);
            let is_better = match &by_member {
                Some(by_member) => {
                    self.count_in(by_member, id, content) < self.count_in(by_member, id, Content::AsSent)
                }
                None => {
                    let known = count.unwrap_or_else(|| self.count());
                    self.draft.members[id as usize].content = content;
                    let new = self.count();
                    self.draft.members[id as usize].content = Content::AsSent;
                    count = Some(known.min(new));
                    new < known
                }
            };
            if is_better {
                self.actions.push(on_member(rule, &name));
                self.draft.members[id as usize].content = content;
            }
        }
    }

    /// Violations in one member, if that becomes of its value. Where the members are judged one by one, no more changes.
    fn count_in(&self, by_member: &ByMember<'_>, id: u32, content: Content) -> usize {
        let (name, value) = (self.draft.name(id), self.draft.value_of(id));
        match content {
            Content::AsSent => by_member.count(name, value),
            Content::Decoded(place) => by_member.count(name, self.draft.value(place)),
            Content::Unquoted => {
                // A number at the root ends with what follows it.
                let text = format!("{} ", value.as_str().unwrap_or_default());
                let read = Machine::read(&text, Limits::max());
                read.document.root().map_or(usize::MAX, |value| by_member.count(name, value))
            }
        }
    }

    fn conversion(&mut self, id: u32, types: TypeSet) -> Option<(Rule, Content)> {
        if self.draft.value_of(id).kind() != Kind::String {
            return None;
        }
        if self.on.allows(Rule::Decode)
            && let Some(content) = decode::decode_member(&mut self.draft, id, types)
        {
            return Some((Rule::Decode, content));
        }
        let content = coerce::coerce_member(&self.draft, id, types).filter(|_| self.on.allows(Rule::Coerce))?;
        Some((Rule::Coerce, content))
    }

    /// Violations of the call as it is by now.
    fn count(&self) -> usize {
        let machine = self.draft.read(&self.draft.edits(), Limits::max());
        machine.document.root().map_or(usize::MAX, |root| self.tool.count(root))
    }

    /// Keeps the plan, or not.
    fn decide(self, limits: Limits) -> Planned<'r> {
        let edits = self.draft.edits();
        let machine = self.draft.read(&edits, limits);
        let root = machine.document.root().filter(|_| machine.is_complete());
        if root.is_some_and(|root| self.tool.count(root) == 0 && duplicates(&machine.document).unequal.is_none()) {
            let normalized = Normalized { edits, actions: self.actions, machine };
            return Planned::Applied(Box::new(Applied { normalized, draft: self.draft }));
        }
        let left = root.filter(|_| self.before == 0).and_then(|root| self.first(self.tool.violations(root)));
        let left = left.map(|violation| self.as_sent(violation, &edits));
        Planned::Tried(Tried { actions: self.actions, left })
    }

    /// The violation to report: what a wrapper held goes before what stood beside it.
    fn first(&self, violations: Vec<Violation>) -> Option<Violation> {
        violations.into_iter().min_by_key(|violation| {
            let depth = self.member(violation).map_or(u32::MAX, |id| self.draft.members[id as usize].depth);
            (violation.class(), std::cmp::Reverse(depth))
        })
    }

    /// The member of the root that the violation leads through, if it is there.
    fn member(&self, violation: &Violation) -> Option<u32> {
        pointer::parse(&violation.pointer).next().and_then(|name| self.draft.named(&name))
    }

    /// The violation, placed in the text as sent. A granted alias counts as its canonical name.
    fn as_sent(&self, mut violation: Violation, edits: &[Edit]) -> Violation {
        let place = self.member(&violation).map(|id| self.draft.members[id as usize].value);
        violation.pointer = self.draft.pointer_below(place, &violation.pointer);
        violation.at = violation.at.map(|at| offset_before(edits, at.into()) as u32);
        violation
    }
}
