//! A JSON value as it was written: digits, order and duplicates are kept.

use std::collections::HashMap;
use std::fmt;

/// The text of a string: code points, half surrogate pairs included.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Text(pub Vec<u32>);

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.chars().map(u32::from).collect())
    }
}

/// Prints the string as JSON; what cannot be seen is escaped.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for &point in &self.0 {
            match char::from_u32(point) {
                Some('"') => f.write_str("\\\"")?,
                Some('\\') => f.write_str("\\\\")?,
                Some('\n') => f.write_str("\\n")?,
                Some(char) if char.is_control() => write!(f, "\\u{point:04x}")?,
                Some(char) => write!(f, "{char}")?,
                None => write!(f, "\\u{point:04x}")?,
            }
        }
        f.write_str("\"")
    }
}

/// What a node is.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Data {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// A string, decoded.
    String(Text),
    /// `[`: the elements follow.
    Array,
    /// `{`: the members follow.
    Object,
}

/// One value of a tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// The member's name, if it is a member.
    pub name: Option<Text>,
    /// What it is.
    pub data: Data,
    /// The byte at which it begins.
    pub at: usize,
    /// The index after its last descendant.
    pub end: usize,
    /// Its text is complete.
    pub closed: bool,
}

/// A value and all that is in it, in text order: flat, so that depth costs no stack.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The nodes, each before its children.
    pub nodes: Vec<Node>,
}

impl Tree {
    /// Nothing has begun.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The root is an object.
    pub fn has_object_root(&self) -> bool {
        self.nodes.first().is_some_and(|root| root.data == Data::Object)
    }

    /// The indexes of a node's children.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes[node].end;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.nodes[child].end;
                child
            })
        })
    }

    /// The children of each name, in text order.
    pub fn by_name(&self, node: usize) -> HashMap<&Text, Vec<usize>> {
        let mut found: HashMap<&Text, Vec<usize>> = HashMap::new();
        for child in self.children(node) {
            if let Some(name) = &self.nodes[child].name {
                found.entry(name).or_default().push(child);
            }
        }
        found
    }

    /// A node with all that is in it, as a value of its own.
    pub fn part(&self, node: usize) -> Self {
        let mut nodes = self.nodes[node..self.nodes[node].end].to_vec();
        for part in &mut nodes {
            part.end -= node;
        }
        Self { nodes }
    }

    /// Where a node stands, to be read by a person: `root`, `.a[1].b`.
    pub fn place(&self, node: usize) -> String {
        let mut path = String::new();
        let mut above = 0;
        while above != node {
            let Some((index, child)) =
                self.children(above).enumerate().find(|&(_, child)| self.nodes[child].end > node)
            else {
                break;
            };
            match &self.nodes[child].name {
                Some(name) => path.push_str(&format!(".{}", name.to_string().trim_matches('"'))),
                None => path.push_str(&format!("[{index}]")),
            }
            above = child;
        }
        if path.is_empty() { "root".to_owned() } else { path }
    }

    /// What a node is, in a few characters.
    pub fn brief(&self, node: usize) -> String {
        match &self.nodes[node].data {
            Data::Null => "null".to_owned(),
            Data::Bool(value) => value.to_string(),
            Data::Number(text) => clip(text, 80),
            Data::String(text) => clip(&text.to_string(), 80),
            Data::Array => format!("an array of {}", self.children(node).count()),
            Data::Object => format!("an object of {}", self.children(node).count()),
        }
    }
}

/// At most `most` characters of a text.
pub fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}… ({} bytes)", &text[..at], text.len()),
        None => text.to_owned(),
    }
}
