//! Exact equality of values, and keys that stand twice.
//!
//! Equality: strings decoded, numbers by exact decimal value, objects in any order. It has one home, because what is
//! equal decides about duplicates, aliases, merges, finals and resends alike. No recursion; near-linear time.

use std::collections::HashSet;

use super::{Document, Kind, Node, NodeKind, ValueRef};

impl ValueRef<'_> {
    /// Whether the two values are equal: strings decoded, numbers by exact decimal value, objects in any order (of
    /// members that stand twice the last counts). O(n log n) in the size of the smaller text.
    pub fn same(self, other: ValueRef<'_>) -> bool {
        let mut pairs = vec![(self, other)];
        while let Some((a, b)) = pairs.pop() {
            if a.kind() != b.kind() {
                return false;
            }
            let equal = match a.kind() {
                Kind::Null => true,
                Kind::Boolean => a.as_bool() == b.as_bool(),
                Kind::Number => a.as_number() == b.as_number(),
                Kind::String => a.as_str() == b.as_str(),
                Kind::Array => {
                    let (mut left, mut right) = (a.elements(), b.elements());
                    loop {
                        match (left.next(), right.next()) {
                            (Some(x), Some(y)) => pairs.push((x, y)),
                            (None, None) => break true,
                            _ => break false,
                        }
                    }
                }
                Kind::Object => {
                    let (left, right) = (sorted(a), sorted(b));
                    let names = left.len() == right.len() && left.iter().zip(&right).all(|(x, y)| x.0 == y.0);
                    pairs.extend(left.iter().zip(&right).map(|(x, y)| (x.1, y.1)));
                    names
                }
            };
            if !equal {
                return false;
            }
        }
        true
    }
}

/// The members by name, the last of each name.
fn sorted(object: ValueRef<'_>) -> Vec<(&str, ValueRef<'_>)> {
    let mut members: Vec<_> = object.members().map(|member| (member.name, member.value)).collect();
    members.sort_by_key(|member| member.0);
    members.reverse();
    members.dedup_by_key(|member| member.0);
    members
}

/// A key that stands a second time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Duplicate {
    /// The node of the second name.
    pub(crate) name: u32,
    /// Offset of the second name.
    pub(crate) at: u32,
}

/// The keys that stand twice, at any depth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Duplicates {
    /// The one with a different value whose value ends first.
    pub(crate) unequal: Option<Duplicate>,
    /// The first one in the text whose value is equal to the value before it.
    pub(crate) equal: Option<Duplicate>,
}

/// Looks for keys that stand twice in any object of the document.
pub(crate) fn duplicates(document: &Document) -> Duplicates {
    let mut found = Duplicates::default();
    let mut ends_first = u32::MAX;
    let mut members = Vec::new();
    for (node, data) in document.nodes.iter().enumerate() {
        if data.kind != NodeKind::Object {
            continue;
        }
        let object = ValueRef::new(document, node as u32);
        if all_differ(object) {
            continue;
        }
        members.clear();
        members.extend(object.members().map(|member| (member.name, member.name_span.start, member.value)));
        // The order of the text breaks ties, so that each value is compared with the one before it.
        members.sort_by_key(|member| (member.0, member.1));
        for pair in members.windows(2) {
            let [first, second] = pair else { continue };
            if first.0 != second.0 {
                continue;
            }
            let duplicate = Duplicate { name: second.2.node() - 1, at: second.1 };
            if first.2.same(second.2) {
                if found.equal.is_none_or(|known| duplicate.at < known.at) {
                    found.equal = Some(duplicate);
                }
            } else if second.2.span().end < ends_first {
                ends_first = second.2.span().end;
                found.unequal = Some(duplicate);
            }
        }
    }
    found
}

/// Whether no name stands twice in this object.
pub(crate) fn all_differ(object: ValueRef<'_>) -> bool {
    differ_at_a_glance(object) || differ(object)
}

/// Whether the names differ already in what their lengths, first and last bytes make: one of 64 marks. No name is read
/// for that.
fn differ_at_a_glance(object: ValueRef<'_>) -> bool {
    let Document { nodes, text, .. } = object.document();
    let text = text.as_bytes();
    let mut marks = 0u64;
    let mut members = object.members();
    while let Some(name) = members.next_name() {
        let Node { start, end, kind, .. } = nodes[name as usize];
        let (first, last) = (text[start as usize + 1], text[end as usize - 2]);
        let mark = 1 << ((end - start).wrapping_add(7 * u32::from(first) + 13 * u32::from(last)) % 64);
        // The bytes of an escape are not those of the name.
        if kind != NodeKind::Name || marks & mark != 0 {
            return false;
        }
        marks |= mark;
    }
    true
}

fn differ(object: ValueRef<'_>) -> bool {
    /// Up to here comparing every pair costs less than hashing.
    const FEW: usize = 8;
    let mut few: [&str; FEW] = [""; FEW];
    for (known, member) in object.members().enumerate() {
        if known == FEW {
            let mut seen = HashSet::new();
            return object.members().all(|member| seen.insert(member.name));
        }
        if few[..known].contains(&member.name) {
            return false;
        }
        few[known] = member.name;
    }
    true
}

impl ValueRef<'_> {
    /// A number that is equal for equal values (see [`same`](Self::same)). FNV-1a, so that it is stable everywhere.
    pub fn fingerprint(self) -> u64 {
        Prints::of(self).get(self)
    }
}

/// The fingerprints of a value and of all that is in it: those of containers are made together, once one is asked for.
pub(crate) struct Prints<'d> {
    top: ValueRef<'d>,
    /// By node, from that of `top` on; empty until a container is asked for.
    prints: Vec<u64>,
}

impl<'d> Prints<'d> {
    pub(crate) fn of(top: ValueRef<'d>) -> Self {
        Self { top, prints: Vec::new() }
    }

    /// The fingerprint of a value in `top`.
    pub(crate) fn get(&mut self, value: ValueRef<'d>) -> u64 {
        if !matches!(value.kind(), Kind::Array | Kind::Object) {
            return print(value, |_| 0);
        }
        if self.prints.is_empty() {
            self.prints = all(self.top);
        }
        self.prints[(value.node() - self.top.node()) as usize]
    }
}

fn all(top: ValueRef<'_>) -> Vec<u64> {
    let first = top.node() as usize;
    let document = top.document();
    let end = document.next(top.node()) as usize;
    // Children stand after their container, so that going backwards each container finds its children done.
    let mut prints = vec![0u64; end - first];
    for node in (first..end).rev() {
        let value = ValueRef::new(document, node as u32);
        prints[node - first] = print(value, |child| prints[child.node() as usize - first]);
    }
    prints
}

/// The fingerprint of one value, where those of its children are known.
fn print<'d>(value: ValueRef<'d>, of: impl Fn(ValueRef<'d>) -> u64) -> u64 {
    match value.kind() {
        Kind::Null => fnv(0, b"null"),
        Kind::Boolean => fnv(0, if value.as_bool() == Some(true) { b"true" } else { b"false" }),
        Kind::Number => fnv(1, value.as_number().map(super::Number::canonical).unwrap_or_default().as_bytes()),
        Kind::String => fnv(2, value.as_str().unwrap_or_default().as_bytes()),
        Kind::Array => value.elements().fold(fnv(3, b""), |print, child| fnv(print, &of(child).to_le_bytes())),
        Kind::Object => sorted(value)
            .into_iter()
            .fold(fnv(4, b""), |print, (name, child)| fnv(fnv(print, name.as_bytes()), &of(child).to_le_bytes())),
    }
}

fn fnv(seed: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325 ^ seed, |print, &byte| {
        (print ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
