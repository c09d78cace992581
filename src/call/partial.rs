//! The live view: what is there so far, and what is new since the last look.

use serde::Deserialize;
use serde_json::Value;

use crate::document::{Document, Kind, NodeKind, Number, Source, ValueRef};
use crate::schema::Tool;
use crate::syntax::Machine;
use crate::text::pointer::{self, Pointer};
use crate::verdict::code::Code;
use crate::verdict::diagnosis::{Diagnosis, does_not_fit, not_a_value};
use crate::verdict::note::{Note, NoteKind};

/// What a call's text holds so far.
///
/// Finished values never change, an open string only grows; numbers, literals, half escapes and high surrogates are held
/// back until they are complete. Nothing shown is ever contradicted by the text as sent.
#[derive(Clone, Copy)]
pub struct Partial<'p> {
    machine: &'p Machine,
    tool: Option<&'p Tool>,
}

impl<'p> Partial<'p> {
    pub(crate) fn new(machine: &'p Machine, tool: Option<&'p Tool>) -> Self {
        Self { machine, tool }
    }

    /// What the string at the cursor has grown by since the last `take`; `None` if by nothing, or if there is no string
    /// yet. Costs the length of the new text, and of the new members before it.
    ///
    /// A cursor belongs to one call.
    pub fn take(&self, cursor: &mut Cursor) -> Option<Grown<'p>> {
        let document = &self.machine.document;
        if cursor.done || !cursor.find(document, self.tool) {
            return None;
        }
        let node = document.nodes.get(cursor.node as usize)?;
        if !matches!(node.kind, NodeKind::String | NodeKind::StringDecoded) {
            return None;
        }
        let text = document.string(node);
        let new = text.get(cursor.taken..)?;
        let closed = node.end != 0;
        if new.is_empty() && !closed {
            return None;
        }
        cursor.taken = text.len();
        cursor.done = closed;
        Some(Grown { text: new, closed })
    }

    /// The value of the root's member `name`, or of a granted alias of it, as far as it goes. Linear in the number of
    /// members.
    pub fn get(&self, name: &str) -> Option<PartialValue<'p>> {
        let root = self.root()?;
        let matches = |member: &crate::document::Member<'p>| stands_for(member.name, member.value, name, self.tool);
        root.members().find(matches).map(|member| PartialValue { value: member.value })
    }

    /// The string value that is being written: its place and its decoded text so far. `None` between values, in a name,
    /// and in a number or literal that is held back.
    pub fn open(&self) -> Option<(&'p Pointer, &'p str)> {
        let text = self.machine.open_string()?;
        Some((&self.machine.pointer, text))
    }

    /// Everything that is there, as a value; `null` before the root. Costs the length of the text.
    ///
    /// # Errors
    /// As [`Accepted::into_value`](crate::Accepted::into_value), as soon as the number is there. What is there is not
    /// shown in part: [`get`](Self::get) and [`view`](PartialValue::view) read the rest.
    pub fn to_value(&self) -> Result<Value, Diagnosis> {
        self.root().map_or(Ok(Value::Null), |root| root.to_value().ok_or_else(|| not_a_value(root)))
    }

    /// The note of a fraction that [`to_value`](Self::to_value) rounds, if there is one. Costs the number of values.
    pub fn rounded(&self) -> Option<Note> {
        let rounded = self.root()?.first_rounded()?;
        let note = Note::new(NoteKind::RoundedNumber).with_at(rounded.span().start.into());
        Some(note.with_detail(rounded.place()))
    }

    /// The root value as far as it has come; `None` before its first byte. What is open is told by
    /// [`open`](Self::open).
    pub fn root(&self) -> Option<ValueRef<'p>> {
        self.machine.document.root()
    }

    /// Everything that is there, as a type of yours: mark members that may not have come with `#[serde(default)]`.
    ///
    /// # Errors
    /// What does not fit the type, or not yet; as [`Accepted::to`](crate::Accepted::to).
    pub fn to<T: Deserialize<'p>>(&self) -> Result<T, Diagnosis> {
        match self.root() {
            Some(root) => T::deserialize(Source::new(root)).map_err(|error| does_not_fit(root, error)),
            None => T::deserialize(Value::Null).map_err(|_| Diagnosis::new(Code::EmptyArguments).with_pointer("")),
        }
    }
}

/// Prints the depth and the sizes, never contents.
impl std::fmt::Debug for Partial<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Partial")
            .field("document", &self.machine.document)
            .field("depth", &self.machine.pointer.depth())
            .finish()
    }
}

/// A member's value, as far as it goes.
#[derive(Clone, Copy, Debug)]
pub struct PartialValue<'p> {
    value: ValueRef<'p>,
}

impl<'p> PartialValue<'p> {
    /// Whether the value is complete.
    pub fn is_closed(&self) -> bool {
        self.value.is_closed()
    }

    /// The value's type.
    pub fn kind(&self) -> Kind {
        self.value.kind()
    }

    /// The decoded text of a string, as far as it goes.
    pub fn as_str(&self) -> Option<&'p str> {
        self.value.as_str()
    }

    /// The value of `true` or `false`.
    pub fn as_bool(&self) -> Option<bool> {
        self.value.as_bool()
    }

    /// A number, as written.
    pub fn as_number(&self) -> Option<Number<'p>> {
        self.value.as_number()
    }

    /// The view of the value for reading further down; open strings and containers end where the text ends.
    pub fn view(&self) -> ValueRef<'p> {
        self.value
    }

    /// The value as `serde_json` holds it.
    ///
    /// # Errors
    /// As [`Partial::to_value`].
    pub fn to_value(&self) -> Result<Value, Diagnosis> {
        self.value.to_value().ok_or_else(|| not_a_value(self.value))
    }
}

/// What is new in a string.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Grown<'p> {
    /// The decoded text that was not there at the last look.
    pub text: &'p str,
    /// The string is complete: nothing follows.
    pub closed: bool,
}

/// A place to follow while the text streams. Owned, so that it can live in the state of a user interface; it belongs to
/// one call.
#[derive(Clone, Debug)]
pub struct Cursor {
    path: Vec<String>,
    /// How much of the path is found.
    level: usize,
    /// The value found so far.
    node: u32,
    /// The next child to look at, and its index.
    next: u32,
    index: u32,
    /// Bytes of the decoded string that were taken.
    taken: usize,
    done: bool,
}

impl Cursor {
    /// Follows the root's member `name`, through the aliases that the tool's owner granted.
    pub fn member(name: &str) -> Self {
        Self::new(vec![name.to_owned()])
    }

    /// Follows the value at an RFC 6901 pointer, such as `/todos/0/content`.
    pub fn at(pointer: &str) -> Self {
        Self::new(pointer::parse(pointer).collect())
    }

    fn new(path: Vec<String>) -> Self {
        Self { path, level: 0, node: 0, next: 1, index: 0, taken: 0, done: false }
    }

    /// Goes on looking for the place; whether it is there. Looks at no child twice.
    fn find(&mut self, document: &Document, tool: Option<&Tool>) -> bool {
        if document.nodes.is_empty() {
            return false;
        }
        while let Some(wanted) = self.path.get(self.level) {
            let Some(child) = next_child(document, self.node, self.next) else { return false };
            let found = match child.name {
                Some(name) if self.level == 0 => stands_for(name, child.value, wanted, tool),
                Some(name) => name == wanted,
                None => pointer::index(wanted) == Some(self.index),
            };
            if found {
                self.level += 1;
                self.node = child.value.node();
                self.next = self.node + 1;
                self.index = 0;
                continue;
            }
            if !child.value.is_closed() {
                return false;
            }
            self.next = document.next(child.value.node());
            self.index = self.index.saturating_add(1);
        }
        true
    }
}

struct Child<'p> {
    name: Option<&'p str>,
    value: ValueRef<'p>,
}

/// The child of `container` that begins at node `next`, if its value has begun.
fn next_child(document: &Document, container: u32, next: u32) -> Option<Child<'_>> {
    let end = document.next(container);
    let object = match document.nodes.get(container as usize)?.kind {
        NodeKind::Object => true,
        NodeKind::Array => false,
        _ => return None,
    };
    let value = if object { next + 1 } else { next };
    if value >= end {
        return None;
    }
    let name = if object { Some(document.string(document.nodes.get(next as usize)?)) } else { None };
    Some(Child { name, value: ValueRef::new(document, value) })
}

/// Whether a member called `name` is what is known as `wanted`. An alias that is null stands for nothing.
fn stands_for(name: &str, value: ValueRef<'_>, wanted: &str, tool: Option<&Tool>) -> bool {
    name == wanted || !value.is_null() && tool.and_then(|tool| tool.canonical_of(name)) == Some(wanted)
}
