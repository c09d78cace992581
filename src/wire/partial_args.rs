//! Vertex `partialArgs`: leaves along JSON paths, written out as JSON text in the order in which they come.
//!
//! A container is closed when a path leaves it, and the root by the end of the call: a text that merely happens to be
//! whole does not occur. A path that goes back into a closed container, or skips an element, is a conflict.

use super::payload::text;
use super::router::Router;
use crate::calls::{Key, Marker};
use serde::Deserialize;
use serde_json::value::RawValue;

/// One leaf, or a piece of one.
#[derive(Deserialize)]
pub(super) struct PartialArg<'p> {
    #[serde(borrow, rename = "jsonPath")]
    json_path: Option<&'p RawValue>,
    #[serde(rename = "stringValue")]
    string: Option<&'p RawValue>,
    #[serde(rename = "numberValue")]
    number: Option<&'p RawValue>,
    #[serde(rename = "boolValue")]
    boolean: Option<&'p RawValue>,
    #[serde(rename = "nullValue")]
    null: Option<&'p RawValue>,
    #[serde(rename = "willContinue")]
    will_continue: Option<bool>,
}

/// The call that is being written, if there is one.
#[derive(Default)]
pub(super) struct PartialArgs {
    call: Option<Writing>,
}

struct Writing {
    key: Key,
    /// The open containers and, last, the leaf: how each is named in the one before.
    path: Vec<Step>,
    leaf: Leaf,
}

/// The way from a container to its child.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Step {
    Element(u64),
    Member(String),
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Leaf {
    /// Nothing has been written yet.
    None,
    /// A string whose closing quote is still to come.
    OpenString,
    Closed,
}

impl PartialArgs {
    pub(super) fn key(&self) -> Option<Key> {
        self.call.as_ref().map(|call| call.key)
    }

    pub(super) fn begin(&mut self, key: Key) {
        self.call = Some(Writing { key, path: Vec::new(), leaf: Leaf::None });
    }

    /// Writes the next piece.
    pub(super) fn add(&mut self, part: &PartialArg<'_>, router: &mut Router<'_>) {
        let Some(call) = &mut self.call else { return };
        let written = text(part.json_path).and_then(|path| steps(&path)).and_then(|path| call.write(path, part));
        match written {
            Some(text) => router.feed(call.key, &text),
            None => router.calls.conflict(call.key),
        }
    }

    /// The call has ended: closes what is open.
    pub(super) fn finish(&mut self, router: &mut Router<'_>) {
        let Some(mut call) = self.call.take() else { return };
        if call.leaf != Leaf::None {
            let mut text = Vec::new();
            call.close_to(0, &mut text);
            text.push(b'}');
            router.feed(call.key, &text);
        }
        router.mark(call.key, Marker::Normal, None);
    }
}

impl Writing {
    /// The text of this piece; `None` if it does not follow from what has been written.
    fn write(&mut self, path: Vec<Step>, part: &PartialArg<'_>) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        if self.leaf == Leaf::OpenString && path == self.path {
            push_string(part.string?, &mut text)?;
        } else {
            self.step_to(path, &mut text)?;
            self.leaf = Leaf::Closed;
            if let Some(string) = part.string {
                text.push(b'"');
                push_string(string, &mut text)?;
                self.leaf = Leaf::OpenString;
            } else if part.null.is_some() {
                text.extend_from_slice(b"null");
            } else {
                text.extend_from_slice(part.number.or(part.boolean)?.get().as_bytes());
            }
        }
        if self.leaf == Leaf::OpenString && part.will_continue != Some(true) {
            text.push(b'"');
            self.leaf = Leaf::Closed;
        }
        Some(text)
    }

    /// Closes what the new path leaves and opens what it enters.
    fn step_to(&mut self, path: Vec<Step>, text: &mut Vec<u8>) -> Option<()> {
        if self.leaf == Leaf::None {
            text.push(b'{');
            self.enter(&path, 0, text)?;
        } else {
            let common = self.path.iter().zip(&path).take_while(|(a, b)| a == b).count();
            match (self.path.get(common)?, path.get(common)?) {
                (Step::Element(before), Step::Element(next)) if before.checked_add(1) == Some(*next) => {}
                (Step::Member(_), Step::Member(_)) => {}
                (Step::Element(_) | Step::Member(_), _) => return None,
            }
            self.close_to(common + 1, text);
            text.push(b',');
            self.path.truncate(common);
            self.enter(&path, common, text)?;
        }
        self.path = path;
        Some(())
    }

    /// Writes the way from the container at `from` to the leaf.
    fn enter(&self, path: &[Step], from: usize, text: &mut Vec<u8>) -> Option<()> {
        for (at, step) in path.iter().enumerate().skip(from) {
            if at > from {
                text.push(if matches!(step, Step::Member(_)) { b'{' } else { b'[' });
            }
            match step {
                Step::Member(name) => {
                    serde_json::to_writer(&mut *text, name).ok()?;
                    text.push(b':');
                }
                Step::Element(0) => {}
                // The next element of a container that is open already.
                Step::Element(_) if at == from && self.leaf != Leaf::None => {}
                Step::Element(_) => return None,
            }
        }
        (path.len() > from && matches!(path[0], Step::Member(_))).then_some(())
    }

    /// Closes the leaf and every container below the first `depth` steps.
    fn close_to(&mut self, depth: usize, text: &mut Vec<u8>) {
        if self.leaf == Leaf::OpenString {
            text.push(b'"');
            self.leaf = Leaf::Closed;
        }
        for step in self.path.iter().skip(depth.max(1)).rev() {
            text.push(if matches!(step, Step::Member(_)) { b'}' } else { b']' });
        }
    }
}

/// The content of a JSON string, escaped again but for what need not be.
fn push_string(source: &RawValue, text: &mut Vec<u8>) -> Option<()> {
    let source = source.get();
    text.extend_from_slice(source.strip_prefix('"')?.strip_suffix('"')?.as_bytes());
    Some(())
}

/// The steps of a normalized path (RFC 9535): `$.a[0]['b c']`.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            steps.push(Step::Member(after[..end].to_owned()).filled()?);
            rest = &after[end..];
        } else {
            let after = rest.strip_prefix('[')?;
            match after.chars().next()? {
                quote @ ('\'' | '"') => {
                    let (name, after) = quoted(&after[1..], quote)?;
                    steps.push(Step::Member(name));
                    rest = after.strip_prefix(']')?;
                }
                _ => {
                    let (number, after) = after.split_once(']')?;
                    steps.push(Step::Element(number.parse().ok()?));
                    rest = after;
                }
            }
        }
    }
    (!steps.is_empty()).then_some(steps)
}

impl Step {
    fn filled(self) -> Option<Self> {
        match &self {
            Self::Member(name) if name.is_empty() => None,
            Self::Member(_) | Self::Element(_) => Some(self),
        }
    }
}

/// A quoted name and what follows its closing quote.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Some((name, &text[at + c.len_utf8()..]));
        }
        if c != '\\' {
            name.push(c);
            continue;
        }
        name.push(match chars.next()?.1 {
            'b' => '\u{8}',
            'f' => '\u{C}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let (from, _) = chars.next()?;
                let code = u32::from_str_radix(text.get(from..from + 4)?, 16).ok()?;
                chars.nth(2)?;
                char::from_u32(code)?
            }
            other => other,
        });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read() {
        let member = |name: &str| Step::Member(name.to_owned());
        assert_eq!(steps("$.a"), Some(vec![member("a")]));
        assert_eq!(steps("$.a[0].b"), Some(vec![member("a"), Step::Element(0), member("b")]));
        assert_eq!(steps("$['a.b'][\"c\\\"d\"][12]"), Some(vec![member("a.b"), member("c\"d"), Step::Element(12)]));
        assert_eq!(steps("$['\\u00e9']"), Some(vec![member("é")]));
        for bad in ["", "a", "$", "$.", "$..a", "$[", "$[x]", "$['a", "$['a'", "$.a[-1]", "$['\\u00"] {
            assert_eq!(steps(bad), None, "{bad}");
        }
    }
}
