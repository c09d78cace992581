//! The document: a tape of nodes over the raw text.
//!
//! Strings are spans of the raw text. A string that holds escapes gets a decoded copy when it is looked at for the first
//! time, which then grows with the string: what nobody looks at costs neither time nor memory. Numbers keep their text.
//! A container's node knows where its subtree ends, so that a sibling is one step away. The tape is built while the
//! text streams and is readable at every byte: an open container ends where the tape ends, an open string where the
//! text does.

mod de;
mod equal;
mod held;
mod number;
mod view;

pub use held::Held;
pub use number::Number;
pub use view::{Elements, Kind, Member, Members, ValueRef};

pub(crate) use de::{Cause as DeCause, Error as DeError, Source};
pub(crate) use equal::{Prints, all_differ, duplicates};
pub(crate) use number::Bound;
pub(crate) use view::MAX_DEPTH;

use std::sync::OnceLock;

use crate::lex::escape;
use crate::text::pointer::{Token, write_token};
use crate::text::span::Span;
use crate::text::wide;

/// What a node is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub(crate) enum NodeKind {
    Array,
    /// A member name without escapes.
    Name,
    /// A member name with escapes.
    NameDecoded,
    False,
    Null,
    Number,
    Object,
    String,
    /// A string value with escapes.
    StringDecoded,
    True,
}

/// One token of the text; a container's node stands for its whole subtree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Offset of the first byte of the token (of a string: its quote).
    pub(crate) start: u32,
    /// Offset one past the token's or the container's last byte; 0 while it is open.
    pub(crate) end: u32,
    /// Container: index one past its last node, 0 while it is open. Decoded string: index in `Document::copies`.
    pub(crate) link: u32,
    pub(crate) kind: NodeKind,
}

const _: () = assert!(size_of::<Node>() == 16);

/// One JSON text and the tape over it. What every delta touches lies together: many calls in turns are slowed down by
/// the cache lines of each.
#[derive(Clone, Default)]
#[repr(C)]
pub struct Document {
    /// The text: the longest prefix of what was fed that is UTF-8.
    pub(crate) text: String,
    /// The decoded copy of the open string.
    open_copy: OnceLock<Box<Copied>>,
    pub(crate) nodes: Vec<Node>,
    /// The decoded copies of the closed strings that hold escapes.
    copies: Vec<OnceLock<Box<Copied>>>,
    /// Where what is open ends for good, if the text was rejected there.
    frozen: Option<u32>,
}

impl Document {
    /// The root value, if the text has begun one.
    pub fn root(&self) -> Option<ValueRef<'_>> {
        (!self.nodes.is_empty()).then(|| ValueRef::new(self, 0))
    }

    /// The text that the document reads.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn open(&mut self, kind: NodeKind, start: u32) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { start, end: 0, link: 0, kind });
        node
    }

    #[inline]
    pub(crate) fn push(&mut self, kind: NodeKind, start: u32, end: u32) {
        self.nodes.push(Node { start, end, link: 0, kind });
    }

    pub(crate) fn close_container(&mut self, node: u32, end: u32) {
        let link = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.end = end;
            node.link = link;
        }
    }

    /// The first escape of the open string: from here on it is read through a decoded copy.
    pub(crate) fn hold_escapes(&mut self) {
        let Some(node) = self.nodes.last_mut() else { return };
        node.link = self.copies.len() as u32;
        node.kind = if node.kind == NodeKind::Name { NodeKind::NameDecoded } else { NodeKind::StringDecoded };
    }

    #[inline(never)]
    pub(crate) fn push_text(&mut self, text: &str) {
        if self.text.capacity() - self.text.len() < text.len() {
            if self.nodes.capacity() == 0 {
                self.nodes.reserve(FIRST_NODES);
            }
            grow(&mut self.text, text.len());
        }
        self.text.push_str(text);
    }

    /// Appends a short delta that is quiet text of the open string.
    #[inline(always)]
    pub(crate) fn append_quiet(&mut self, delta: &str) {
        if self.open_copy.get_mut().is_some() {
            return self.append_seen(delta);
        }
        self.append(delta);
    }

    /// The same where the open string has a decoded copy.
    #[inline(never)]
    fn append_seen(&mut self, delta: &str) {
        let len = self.text.len();
        self.append(delta);
        if let Some(copy) = self.open_copy.get_mut() {
            // All is decoded but for a backslash, if the escape goes on in the delta.
            copy.append_quiet(delta, (copy.read as usize) < len);
        }
    }

    #[inline(always)]
    fn append(&mut self, delta: &str) {
        if !wide::append(&mut self.text, delta) {
            self.push_text(delta);
        }
    }

    /// Brings the decoded copy of the open string up to date, if it was looked at before.
    #[inline]
    pub(crate) fn catch_up(&mut self) {
        if self.open_copy.get_mut().is_some() {
            self.read_copy_on();
        }
    }

    #[inline(never)]
    fn read_copy_on(&mut self) {
        if let (Some(copy), Some(node)) = (self.open_copy.get_mut(), self.nodes.last()) {
            let end = if node.end == 0 { self.frozen.unwrap_or(self.text.len() as u32) } else { node.end - 1 };
            copy.read_on(&self.text, end);
        }
    }

    /// The last string, which holds escapes, has been closed.
    pub(crate) fn close_copy(&mut self) {
        self.catch_up();
        self.copies.push(std::mem::take(&mut self.open_copy));
    }

    /// The decoded text of the string at `node`; of an open one as far as it goes.
    #[inline]
    pub(crate) fn string(&self, node: &Node) -> &str {
        match node.kind {
            NodeKind::String | NodeKind::Name => self.inside(node),
            NodeKind::StringDecoded | NodeKind::NameDecoded => {
                let copy = self.copies.get(node.link as usize).unwrap_or(&self.open_copy);
                &copy.get_or_init(|| Box::new(Copied::of(node, self.inside(node)))).decoded
            }
            NodeKind::Array
            | NodeKind::False
            | NodeKind::Null
            | NodeKind::Number
            | NodeKind::Object
            | NodeKind::True => "",
        }
    }

    /// What stands between the quotes of the string at `node`; of an open one as far as it goes.
    #[inline]
    fn inside(&self, node: &Node) -> &str {
        let end = if node.end == 0 { self.end() } else { node.end as usize - 1 };
        self.text.get(node.start as usize + 1..end).unwrap_or_default()
    }

    /// The text of the token at `node`.
    pub(crate) fn token(&self, node: &Node) -> &str {
        self.text.get(node.start as usize..node.end as usize).unwrap_or_default()
    }

    /// Index of the node after the subtree at `node`.
    #[inline]
    pub(crate) fn next(&self, node: u32) -> u32 {
        match self.nodes.get(node as usize) {
            Some(n) if matches!(n.kind, NodeKind::Array | NodeKind::Object) => {
                if n.link == 0 {
                    self.nodes.len() as u32
                } else {
                    n.link
                }
            }
            _ => node + 1,
        }
    }

    /// Whatever is open ends at offset `at`, however much text follows.
    pub(crate) fn freeze(&mut self, at: u32) {
        self.frozen = Some(at);
    }

    /// Where what is open ends.
    fn end(&self) -> usize {
        self.frozen.map_or(self.text.len(), |at| self.text.len().min(at as usize))
    }

    /// The place of the value at `node`, as a JSON Pointer. Linear in the number of nodes before it.
    pub(crate) fn pointer_of(&self, node: u32) -> String {
        let mut pointer = String::new();
        let mut container = 0;
        while container < node {
            let value = ValueRef::new(self, container);
            let holds = |child: ValueRef<'_>| node < self.next(child.node());
            let (token, child) = match value.kind() {
                Kind::Object => {
                    let Some(member) = value.members().find(|member| holds(member.value)) else { break };
                    (Token::Name(member.name), member.value.node())
                }
                _ => {
                    let Some((i, child)) = value.elements().enumerate().find(|&(_, child)| holds(child)) else { break };
                    (Token::Index(i as u32), child.node())
                }
            };
            // Writing to a String cannot fail.
            let _ = write_token(&mut pointer, token);
            container = child;
        }
        pointer
    }

    pub(crate) fn span(&self, node: u32) -> Span {
        self.nodes.get(node as usize).map_or(Span::default(), |n| {
            let end = if n.end == 0 { self.end() as u32 } else { n.end };
            Span::new(n.start, end.max(n.start))
        })
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let held = |copy: &Copied| size_of::<Copied>() + copy.decoded.capacity();
        let copies = self.copies.iter().chain([&self.open_copy]).filter_map(OnceLock::get);
        self.text.capacity()
            + self.nodes.capacity() * size_of::<Node>()
            + self.copies.capacity() * size_of::<OnceLock<Box<Copied>>>()
            + copies.map(|copy| held(copy)).sum::<usize>()
    }
}

/// The decoded text of a string that holds escapes.
#[derive(Clone)]
struct Copied {
    decoded: String,
    /// Offset in the raw text up to which it was decoded.
    read: u32,
}

impl Copied {
    fn of(node: &Node, inside: &str) -> Self {
        let mut decoded = String::with_capacity(inside.len());
        let read = escape::decode(inside, &mut decoded);
        Self { decoded, read: node.start + 1 + read as u32 }
    }

    /// [`read_on`](Self::read_on) of a short text of which this is known: after a backslash, or not, it is quiet.
    fn append_quiet(&mut self, delta: &str, escaped: bool) {
        if !wide::has_room(&self.decoded) {
            grow(&mut self.decoded, wide::SHORT);
        }
        self.read += escape::decode_quiet(delta, escaped, &mut self.decoded) as u32;
    }

    fn read_on(&mut self, text: &str, end: u32) {
        if let Some(new) = text.get(self.read as usize..end as usize) {
            if self.decoded.capacity() - self.decoded.len() < new.len() {
                grow(&mut self.decoded, new.len());
            }
            self.read += escape::decode(new, &mut self.decoded) as u32;
        }
    }
}

/// What a text begins with: most calls are short, and each growth is a call of the allocator.
const FIRST: usize = 512;
const FIRST_NODES: usize = 16;

/// Makes room for `more` bytes and some. A string with escapes that is looked at is held twice, as sent and decoded: were
/// the buffers doubled, they would take four times its size. Large ones, which allocators move by their pages, grow by small
/// steps; each step is a fixed share of the whole, so that the cost of a byte is constant.
#[cold]
fn grow(buffer: &mut String, more: usize) {
    let len = buffer.capacity();
    let step = match len {
        0..0x2000 => (3 * len).max(FIRST),
        0x2000..0x4000 => len,
        0x4000..0x2_0000 => len / 8,
        _ => len / 32,
    };
    buffer.reserve_exact(more.max(len + step - buffer.len()));
}

/// Prints sizes, never contents.
impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document").field("bytes", &self.text.len()).field("nodes", &self.nodes.len()).finish()
    }
}
