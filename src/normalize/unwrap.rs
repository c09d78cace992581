//! `unwrap` and `merge`: the arguments inside of a wrapper, alone or beside siblings, take its place.
//!
//! A chain of wrappers is followed to its end; each step costs the members that it brings.

use super::Switches;
use super::draft::{Draft, Place, Strings};
use crate::document::{Member, ValueRef};
use crate::schema::Tool;
use crate::settings::Rule;
use crate::verdict::code::Code;
use crate::verdict::diagnosis::Diagnosis;

/// The keys that wrap arguments, the likeliest first.
const WRAPPERS: [&str; 8] = [ENVELOPE, "args", "parameters", "parameter", "params", "input", "properties", "values"];

/// The key that wraps them beside the tool's name, and that a tool without required members would swallow silently.
pub(crate) const ENVELOPE: &str = "arguments";

/// The other key of an envelope.
const NAME: &str = "name";

/// Whether a key of this name may wrap arguments.
pub(super) fn is_wrapper(key: &str) -> bool {
    WRAPPERS.contains(&key)
}

/// Whether a call without violations holds an undeclared `arguments` nevertheless: what is in it would be lost.
pub(crate) fn swallowed_wrapper<'d>(root: ValueRef<'d>, tool: &Tool) -> Option<ValueRef<'d>> {
    if tool.declares(ENVELOPE) || tool.properties().next().is_none() {
        return None;
    }
    root.get(ENVELOPE)
}

/// Which wrappers count as such from the start.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Start {
    /// The call has violations.
    AnyWrapper,
    /// The call has none.
    Envelope,
}

/// One layer around the arguments.
struct Layer {
    key: &'static str,
    object: Place,
    stands: Stands,
}

/// How a wrapper stands in its object.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Stands {
    /// As the sole member, or beside the tool's name.
    Alone,
    BesideSiblings,
}

/// Removes the wrappers; what was done. The error is a key that may be a wrapper or a member.
pub(super) fn unwrap(
    draft: &mut Draft<'_>,
    tool: &Tool,
    on: Switches<'_>,
    start: Start,
) -> Result<Vec<String>, Diagnosis> {
    let mut actions = Vec::new();
    if !(on.allows(Rule::Unwrap) || on.allows(Rule::Merge)) {
        return Ok(actions);
    }
    let mut start = start;
    while let Some(Layer { key, object, stands }) = layer(draft, tool, on, start)? {
        let rule = stands.rule();
        match (draft.take(key, rule), stands) {
            (Some(_), Stands::Alone) => draft.unwrap(object),
            (Some(wrapper), Stands::BesideSiblings) => draft.spread(wrapper, object),
            (None, _) => break,
        }
        start = Start::AnyWrapper;
        actions.push(format!("{}:{key}", rule.name()));
    }
    Ok(actions)
}

impl Stands {
    fn rule(self) -> Rule {
        match self {
            Self::Alone => Rule::Unwrap,
            Self::BesideSiblings => Rule::Merge,
        }
    }
}

/// The outermost layer that is there.
fn layer(draft: &mut Draft<'_>, tool: &Tool, on: Switches<'_>, start: Start) -> Result<Option<Layer>, Diagnosis> {
    let strings = if on.allows(Rule::Decode) { Strings::Read } else { Strings::Left };
    for key in WRAPPERS {
        let Some(wrapper) = draft.named(key).filter(|_| !tool.declares(key)) else { continue };
        let counts = match start {
            Start::AnyWrapper => true,
            Start::Envelope => key == ENVELOPE && tool.properties().next().is_some(),
        };
        if !counts {
            continue;
        }
        let Some(object) = draft.object_in(wrapper, strings) else { continue };
        let stands = stands(draft, tool, key, wrapper)?;
        if !on.allows(stands.rule()) {
            continue;
        }
        if stands == Stands::BesideSiblings
            && let Some(sibling) = disagrees(draft, key, object)
        {
            return Err(ambiguous(draft, wrapper, sibling));
        }
        return Ok(Some(Layer { key, object, stands }));
    }
    Ok(None)
}

/// How the wrapper stands. The error is an envelope whose `name` may be a member, or names another tool.
fn stands(draft: &Draft<'_>, tool: &Tool, key: &str, wrapper: u32) -> Result<Stands, Diagnosis> {
    if draft.len() == 1 {
        return Ok(Stands::Alone);
    }
    let name = draft.named(NAME).filter(|_| key == ENVELOPE && draft.len() == 2);
    let Some(name) = name else { return Ok(Stands::BesideSiblings) };
    let is_this_tool = draft.value_of(name).as_str() == Some(tool.name());
    match (is_this_tool, tool.declares(NAME)) {
        (true, false) => Ok(Stands::Alone),
        (false, true) => Ok(Stands::BesideSiblings),
        (true, true) | (false, false) => Err(ambiguous(draft, wrapper, NAME)),
    }
}

/// A sibling of the wrapper that is in it too, with another value.
fn disagrees<'d>(draft: &'d Draft<'_>, key: &str, object: Place) -> Option<&'d str> {
    let differs = |member: &Member<'d>| {
        let sibling = draft.named(member.name).filter(|_| member.name != key);
        sibling.is_some_and(|sibling| !draft.value_of(sibling).same(member.value))
    };
    draft.value(object).members().find(differs).map(|member| member.name)
}

fn ambiguous(draft: &Draft<'_>, wrapper: u32, other: &str) -> Diagnosis {
    let place = draft.members[wrapper as usize].value;
    Diagnosis::new(Code::AmbiguousWrapper)
        .with_at(draft.offset_as_sent(place))
        .with_pointer(draft.pointer_as_sent(place))
        .with_other(other)
}
