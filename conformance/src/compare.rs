//! Whether two values are the same, and if not, where they first differ.

use std::collections::HashMap;

use crate::number;
use crate::tree::{Data, Text, Tree};

/// What a subject says it does not keep, so that other levels do not count it again.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Without {
    /// Numbers are compared after rounding to binary64.
    pub digits: bool,
    /// One of several members of one name is enough: the first of each, or the last of each.
    pub duplicates: bool,
    /// Members may stand in any order.
    pub order: bool,
}

/// Members of the root that are compared in another way.
#[derive(Clone, Copy, Debug)]
pub enum Apart<'n> {
    /// These may hold anything, and may be missing.
    Anything(&'n [String]),
    /// There are none.
    Nothing,
    /// These may hold a beginning of their text that is not empty.
    Prefix(&'n [String]),
}

/// The first difference, in words; `None` if the values are the same.
pub fn difference(expected: &Tree, got: &Tree, without: Without, apart: Apart<'_>) -> Option<String> {
    if !without.duplicates {
        return compare(expected, got, without, apart, Keep::All);
    }
    let last = compare(expected, got, without, apart, Keep::Last)?;
    compare(expected, got, without, apart, Keep::First).map(|_| last)
}

/// Which of the members of one name are compared.
#[derive(Clone, Copy, PartialEq)]
enum Keep {
    All,
    First,
    Last,
}

fn compare(expected: &Tree, got: &Tree, without: Without, apart: Apart<'_>, keep: Keep) -> Option<String> {
    let mut pairs = vec![(0, 0)];
    while let Some((a, b)) = pairs.pop() {
        let (left, right) = (&expected.nodes[a], &got.nodes[b]);
        let differs = || Some(format!("{}: {} where {} is meant", expected.place(a), got.brief(b), expected.brief(a)));
        match (&left.data, &right.data) {
            (Data::Null, Data::Null) => {}
            (Data::Bool(x), Data::Bool(y)) if x == y => {}
            (Data::Number(x), Data::Number(y))
                if number::same(x, y) || without.digits && number::same_rounded(x, y) => {}
            (Data::String(x), Data::String(y)) if x == y || is_prefix_apart(expected, a, y, apart) => {}
            (Data::Array, Data::Array) => {
                let (x, y): (Vec<_>, Vec<_>) = (expected.children(a).collect(), got.children(b).collect());
                if x.len() != y.len() {
                    return differs();
                }
                pairs.extend(x.into_iter().zip(y).rev());
            }
            (Data::Object, Data::Object) => {
                let (x, y) = (members(expected, a, apart, keep), members(got, b, apart, keep));
                // Of members of one name, a dictionary may keep the place of the first or of the last.
                let order = without.order || x.collapsed;
                match pair_up(expected, &x.nodes, got, &y.nodes, order) {
                    Ok(found) => pairs.extend(found.into_iter().rev()),
                    Err(words) => return Some(format!("{}: {words}", expected.place(a))),
                }
            }
            (Data::Null | Data::Bool(_) | Data::Number(_) | Data::String(_) | Data::Array | Data::Object, _) => {
                return differs();
            }
        }
    }
    None
}

fn is_prefix_apart(expected: &Tree, node: usize, got: &Text, apart: Apart<'_>) -> bool {
    let Apart::Prefix(names) = apart else { return false };
    let Some(name) = &expected.nodes[node].name else { return false };
    let Data::String(text) = &expected.nodes[node].data else { return false };
    expected.children(0).any(|child| child == node)
        && is_one_of(name, names)
        && !got.0.is_empty()
        && text.0.starts_with(&got.0)
}

fn is_one_of(name: &Text, names: &[String]) -> bool {
    names.iter().any(|other| Text::from(other.as_str()) == *name)
}

struct Members {
    nodes: Vec<usize>,
    /// There were several of one name, and one of them was kept.
    collapsed: bool,
}

/// The members of an object that count.
fn members(tree: &Tree, node: usize, apart: Apart<'_>, keep: Keep) -> Members {
    let all = tree.children(node);
    let found: Vec<usize> = match apart {
        Apart::Anything(names) if node == 0 => {
            all.filter(|&child| tree.nodes[child].name.as_ref().is_none_or(|name| !is_one_of(name, names))).collect()
        }
        Apart::Anything(_) | Apart::Nothing | Apart::Prefix(_) => all.collect(),
    };
    let mut chosen: HashMap<&Option<Text>, usize> = HashMap::new();
    for &child in &found {
        let name = &tree.nodes[child].name;
        match keep {
            Keep::All => return Members { nodes: found, collapsed: false },
            Keep::First => _ = chosen.entry(name).or_insert(child),
            Keep::Last => _ = chosen.insert(name, child),
        }
    }
    let collapsed = chosen.len() < found.len();
    let nodes = found.into_iter().filter(|child| chosen[&tree.nodes[*child].name] == *child).collect();
    Members { nodes, collapsed }
}

/// Pairs the members of two objects; what is missing, too much or out of order is told.
fn pair_up(
    expected: &Tree,
    x: &[usize],
    got: &Tree,
    y: &[usize],
    any_order: bool,
) -> Result<Vec<(usize, usize)>, String> {
    let mut places: HashMap<&Option<Text>, Vec<usize>> = HashMap::new();
    for &child in y.iter().rev() {
        places.entry(&got.nodes[child].name).or_default().push(child);
    }
    let mut pairs = Vec::with_capacity(x.len());
    for &child in x {
        let name = &expected.nodes[child].name;
        match places.get_mut(name).and_then(Vec::pop) {
            Some(other) => pairs.push((child, other)),
            None => return Err(format!("member {} is missing", shown(name))),
        }
    }
    if let Some(name) = places.iter().find_map(|(name, left)| (!left.is_empty()).then_some(name)) {
        return Err(format!("member {} is too much", shown(name)));
    }
    if !any_order && pairs.windows(2).any(|two| two[0].1 > two[1].1) {
        return Err("the members stand in another order".to_owned());
    }
    Ok(pairs)
}

fn shown(name: &Option<Text>) -> String {
    name.as_ref().map_or_else(String::new, Text::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Halves, value};

    fn differ(a: &str, b: &str, without: Without) -> Option<String> {
        let tree = |text| value(text, Halves::Kept).expect("a value");
        difference(&tree(a), &tree(b), without, Apart::Nothing)
    }

    #[test]
    fn order_duplicates_and_digits_count_unless_they_are_not_promised() {
        let all = Without::default();
        let order = r#"{"a":1,"b":2}"#;
        assert!(differ(order, r#"{"b":2,"a":1}"#, all).is_some_and(|words| words.contains("order")));
        assert_eq!(differ(order, r#"{"b":2,"a":1}"#, Without { order: true, ..all }), None);
        let twice = r#"{"a":1,"a":2}"#;
        assert!(differ(twice, r#"{"a":2}"#, all).is_some());
        for one in [r#"{"a":2}"#, r#"{"a":1}"#] {
            assert_eq!(differ(twice, one, Without { duplicates: true, ..all }), None);
        }
        assert!(differ(twice, r#"{"a":3}"#, Without { duplicates: true, ..all }).is_some());
        assert!(differ("[9007199254740993]", "[9007199254740992]", all).is_some());
        assert_eq!(differ("[9007199254740993]", "[9007199254740992]", Without { digits: true, ..all }), None);
    }

    #[test]
    fn members_apart_are_compared_in_their_own_way() {
        let tree = |text| value(text, Halves::Kept).expect("a value");
        let whole = tree(r#"{"command":"ls","description":"Lists"}"#);
        let names = ["description".to_owned()];
        let cut = tree(r#"{"command":"ls","description":"Li"}"#);
        let all = Without::default();
        assert_eq!(difference(&whole, &cut, all, Apart::Prefix(&names)), None);
        let empty = tree(r#"{"command":"ls","description":""}"#);
        assert!(difference(&whole, &empty, all, Apart::Prefix(&names)).is_some());
        let wrong = tree(r#"{"command":"l","description":"Lists"}"#);
        assert!(difference(&whole, &wrong, all, Apart::Prefix(&names)).is_some());
        let other = tree(r#"{"command":"ls"}"#);
        assert_eq!(difference(&whole, &other, all, Apart::Anything(&names)), None);
    }
}
