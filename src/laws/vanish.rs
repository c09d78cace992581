//! Law 9: every member that was sent is in the accepted value, or the call is rejected.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::monotony::values;
use super::{Observation, Outcome, observe, shown};
use crate::code::End;
use crate::document::Kind;
use crate::limits::Limits;
use crate::outcome::Verdict;
use crate::schema::Tool;
use crate::settings::Settings;
use crate::syntax::Machine;

/// Law 9, nothing vanishes: every member that was sent is in the accepted value; an unwrapped envelope's own keys, a
/// null alias, and a null that an alias replaces excepted.
pub fn nothing_vanishes(bytes: &[u8], tool: Option<&Tool>, settings: &Settings, end: End) {
    nothing_vanishes_of(|pieces| observe(pieces, tool, settings, end), bytes);
}

/// [`nothing_vanishes`] of something else than the engine.
pub fn nothing_vanishes_of(read: impl Fn(&[&[u8]]) -> Observation, bytes: &[u8]) {
    let Outcome::Accepted { verdict, text, raw, audit, .. } = read(&[bytes]).outcome else { return };
    let (sent, accepted) = (ended(&raw), ended(&text));
    let Some(root) = accepted.document.root() else { panic!("no root is accepted: {}", shown(bytes)) };
    match verdict {
        Verdict::Strict | Verdict::Repaired => {
            let there = values(root);
            for value in sent.document.root().map(values).unwrap_or_default() {
                let kept = there.iter().any(|other| {
                    let text =
                        if value.closed { other.text == value.text } else { other.text.starts_with(&value.text) };
                    // A container's members are looked at each for itself; a repair only adds to them.
                    let container = matches!(value.kind, Kind::Array | Kind::Object);
                    let inner_call = audit.completes_program() && other.text.len() > value.text.len();
                    let kept = if container { verdict == Verdict::Repaired || text } else { text || inner_call };
                    other.pointer == value.pointer && other.kind == value.kind && kept
                });
                assert!(kept, "{:?} vanishes: {}\n{text}", value.pointer, shown(bytes));
            }
        }
        Verdict::Normalized => {
            let Ok(accepted) = serde_json::from_str::<Value>(&text) else { return };
            let Ok(sent) = serde_json::from_str::<Value>(&raw) else {
                let blank = raw.bytes().all(|byte| b" \t\r\n".contains(&byte));
                return assert!(blank, "{}", shown(bytes));
            };
            let renamed = |name: &str| -> Vec<String> {
                let to = audit.actions().iter().filter_map(|action| action.split_once(':')?.1.split_once('→'));
                to.filter(|(from, _)| *from == name).map(|(_, to)| to.to_owned()).collect()
            };
            found(&sent, &accepted, &renamed, bytes);
        }
    }
}

/// The text, read to its end: a number as root is complete only there.
fn ended(text: &str) -> Machine {
    let mut machine = Machine::read(text, Limits::max());
    machine.truncated();
    machine
}

/// Every member of `sent` stands in `accepted`: under its name or the name it was given; or it is an envelope, or text
/// of an envelope, whose own members do.
fn found(sent: &Value, accepted: &Value, renamed: &dyn Fn(&str) -> Vec<String>, bytes: &[u8]) {
    let mut envelopes = vec![sent.clone()];
    while let Some(envelope) = envelopes.pop() {
        let members = match &envelope {
            Value::Object(members) => members,
            Value::Null => continue,
            Value::String(text) if accepted.get("").is_none() => {
                match serde_json::from_str::<Value>(text) {
                    Ok(inner @ Value::Object(_)) => envelopes.push(inner),
                    _ => panic!("a root {envelope} vanishes: {}", shown(bytes)),
                }
                continue;
            }
            other => panic!("a root {other} vanishes: {}", shown(bytes)),
        };
        let name_of_tool = members.len() == 2 && members.contains_key("name");
        for (name, value) in members {
            let mut names = renamed(name);
            let alias = !names.is_empty();
            names.push(name.clone());
            let there = names.iter().filter_map(|name| accepted.get(name)).any(|other| is(value, other));
            if there || value.is_null() && (alias || accepted.get(name).is_some()) {
                continue;
            }
            let inner = match value {
                Value::String(text) => serde_json::from_str::<Value>(text).ok(),
                other => Some(other.clone()),
            };
            match inner {
                Some(inner @ Value::Object(_)) => envelopes.push(inner),
                _ if name_of_tool && name == "name" => {}
                _ => panic!("{name:?} vanishes: {}", shown(bytes)),
            }
        }
    }
}

/// Equal, or the text of the other.
fn is(value: &Value, other: &Value) -> bool {
    value == other || value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()).as_ref() == Some(other)
}

/// Whether a key stands twice in any object of the text, with values that differ or with any.
pub(super) fn has_duplicates(bytes: &[u8], unequal: bool) -> bool {
    let Ok(tree) = serde_json::from_slice::<Tree>(bytes) else { return !unequal };
    let mut trees = vec![&tree];
    while let Some(tree) = trees.pop() {
        match tree {
            Tree::Leaf(_) => {}
            Tree::Array(elements) => trees.extend(elements),
            Tree::Object(members) => {
                for (i, (name, value)) in members.iter().enumerate() {
                    let before = members[..i].iter().rev().find(|(other, _)| other == name);
                    if before.is_some_and(|(_, before)| !unequal || before.differs(value)) {
                        return true;
                    }
                }
                trees.extend(members.iter().map(|(_, value)| value));
            }
        }
    }
    false
}

/// A value with its duplicate members.
enum Tree {
    Array(Vec<Self>),
    Leaf(Value),
    Object(Vec<(String, Self)>),
}

impl Tree {
    /// Certainly different: leaves that differ even where numbers are rounded, or other kinds.
    fn differs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Leaf(Value::Number(a)), Self::Leaf(Value::Number(b))) => a.as_f64() != b.as_f64(),
            (Self::Leaf(a), Self::Leaf(b)) => a != b,
            (Self::Array(a), Self::Array(b)) => a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.differs(b)),
            (Self::Object(_), Self::Object(_)) => false,
            (Self::Array(_) | Self::Leaf(_) | Self::Object(_), _) => true,
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct Planted;
        impl<'de> Visitor<'de> for Planted {
            type Value = Tree;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON value")
            }
            fn visit_unit<E>(self) -> Result<Tree, E> {
                Ok(Tree::Leaf(Value::Null))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
                Ok(Tree::Leaf(value.into()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
                Ok(Tree::Leaf(value.into()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
                Ok(Tree::Leaf(value.into()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
                Ok(Tree::Leaf(value.into()))
            }
            fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
                Ok(Tree::Leaf(value.into()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Tree, A::Error> {
                let mut all = Vec::new();
                while let Some(element) = elements.next_element()? {
                    all.push(element);
                }
                Ok(Tree::Array(all))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Tree, A::Error> {
                let mut all = Vec::new();
                while let Some(member) = members.next_entry()? {
                    all.push(member);
                }
                Ok(Tree::Object(all))
            }
        }
        source.deserialize_any(Planted)
    }
}
