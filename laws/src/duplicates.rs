//! Which keys stand twice, found without the engine.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

/// The keys that stand twice in an object of the text, at any depth.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Duplicates {
    None,
    /// All of them certainly have equal values.
    Equal,
    /// It is not certain: numbers that an f64 rounds, keys that stand twice in the values, a text that `serde_json`
    /// cannot hold.
    Uncertain,
    /// Some of them certainly have different values.
    Unequal,
}

/// Looks for keys that stand twice.
pub(super) fn duplicates(bytes: &[u8]) -> Duplicates {
    let Ok(tree) = serde_json::from_slice::<Tree>(bytes) else { return Duplicates::Uncertain };
    let mut found = Duplicates::None;
    let mut trees = vec![&tree];
    while let Some(tree) = trees.pop() {
        match tree {
            Tree::Leaf(_) => {}
            Tree::Array(elements) => trees.extend(elements),
            Tree::Object(members) => {
                let mut before: BTreeMap<&str, &Tree> = BTreeMap::new();
                for (name, value) in members {
                    if let Some(other) = before.insert(name, value) {
                        found = found.max(match other.equals(value) {
                            Some(true) => Duplicates::Equal,
                            Some(false) => Duplicates::Unequal,
                            None => Duplicates::Uncertain,
                        });
                    }
                    trees.push(value);
                }
            }
        }
    }
    found
}

/// A value with its duplicate members.
enum Tree {
    Array(Vec<Self>),
    Leaf(Value),
    Object(Vec<(String, Self)>),
}

impl Tree {
    /// Whether the two are equal, if that is certain.
    fn equals(&self, other: &Self) -> Option<bool> {
        match (self, other) {
            (Self::Leaf(Value::Number(a)), Self::Leaf(Value::Number(b))) => same_number(a, b),
            (Self::Leaf(a), Self::Leaf(b)) => Some(a == b),
            (Self::Array(a), Self::Array(b)) if a.len() == b.len() => all(a.iter().zip(b).map(|(a, b)| a.equals(b))),
            (Self::Object(a), Self::Object(b)) => {
                let by_name = |members: &[(String, Self)]| members.iter().map(|(name, _)| name.clone()).collect();
                let names: [std::collections::BTreeSet<String>; 2] = [by_name(a), by_name(b)];
                if names[0].len() < a.len() || names[1].len() < b.len() {
                    return None;
                }
                let value = |name: &str| b.iter().find(|(other, _)| name == other).map(|(_, value)| value);
                let equal = |(name, one): &(String, Self)| value(name).and_then(|other| one.equals(other));
                if names[0] == names[1] { all(a.iter().map(equal)) } else { Some(false) }
            }
            (Self::Array(_) | Self::Leaf(_) | Self::Object(_), _) => Some(false),
        }
    }
}

fn all(mut parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    parts
        .try_fold(Some(true), |so_far, part| match part {
            Some(false) => Err(()),
            Some(true) => Ok(so_far),
            None => Ok(None),
        })
        .unwrap_or(Some(false))
}

/// Integers are exact; of others only those are known to differ that do so by more than rounding.
fn same_number(a: &Number, b: &Number) -> Option<bool> {
    if (a.is_u64() || a.is_i64()) && (b.is_u64() || b.is_i64()) {
        return Some(a == b);
    }
    let (a, b) = (a.as_f64()?, b.as_f64()?);
    ((a - b).abs() > 1e-9 * a.abs().max(b.abs())).then_some(false)
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
