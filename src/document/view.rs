//! Reading a document as values.

use serde_json::{Map, Value};

use super::{Document, Node, NodeKind, Number};
use crate::text::span::Span;

/// One value of a [`Document`]: a reference that is two words wide.
#[derive(Clone, Copy)]
pub struct ValueRef<'d> {
    document: &'d Document,
    node: u32,
}

/// The type of a value, as JSON names it.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Kind {
    /// `[…]`
    Array,
    /// `true` or `false`
    Boolean,
    /// `null`
    Null,
    /// A number.
    Number,
    /// `{…}`
    Object,
    /// A string.
    String,
}

/// One member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member<'d> {
    /// The name, decoded.
    pub name: &'d str,
    /// The name's token in the text, quotes included.
    pub name_span: Span,
    /// The value.
    pub value: ValueRef<'d>,
}

impl<'d> ValueRef<'d> {
    pub(crate) fn new(document: &'d Document, node: u32) -> Self {
        Self { document, node }
    }

    pub(crate) fn node(self) -> u32 {
        self.node
    }

    pub(crate) fn document(self) -> &'d Document {
        self.document
    }

    fn data(self) -> &'d Node {
        &self.document.nodes[self.node as usize]
    }

    /// The value's type.
    #[inline]
    pub fn kind(self) -> Kind {
        match self.data().kind {
            NodeKind::Array => Kind::Array,
            NodeKind::False | NodeKind::True => Kind::Boolean,
            NodeKind::Null => Kind::Null,
            NodeKind::Number => Kind::Number,
            NodeKind::Object => Kind::Object,
            NodeKind::Name | NodeKind::NameDecoded | NodeKind::String | NodeKind::StringDecoded => Kind::String,
        }
    }

    /// Whether the text of the value is complete.
    pub fn is_closed(self) -> bool {
        self.data().end != 0
    }

    /// The decoded text of a string; of an open one as far as it goes.
    pub fn as_str(self) -> Option<&'d str> {
        (self.kind() == Kind::String).then(|| self.document.string(self.data()))
    }

    /// No closed string has more characters than this, as its token shows it without being decoded.
    pub(crate) fn most_chars(self) -> Option<u64> {
        // A character takes a byte at least.
        self.written().map(|bytes| bytes as u64)
    }

    /// No closed string has fewer characters than this, as its token shows it without being decoded.
    pub(crate) fn least_chars(self) -> Option<u64> {
        /// A pair of surrogates, each as `\uXXXX`.
        const LONGEST: usize = 12;
        self.written().map(|bytes| bytes.div_ceil(LONGEST) as u64)
    }

    /// The bytes between the quotes of a closed string.
    fn written(self) -> Option<usize> {
        let Node { start, end, .. } = *self.data();
        (self.kind() == Kind::String && end != 0).then(|| (end - start) as usize - "\"\"".len())
    }

    /// The value of `true` or `false`.
    pub fn as_bool(self) -> Option<bool> {
        match self.kind() {
            Kind::Boolean => Some(self.data().kind == NodeKind::True),
            Kind::Array | Kind::Null | Kind::Number | Kind::Object | Kind::String => None,
        }
    }

    /// Whether the value is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The number, as written.
    pub fn as_number(self) -> Option<Number<'d>> {
        (self.kind() == Kind::Number).then(|| Number::new(self.document.token(self.data())))
    }

    /// The value's place, as a JSON Pointer. Linear in the number of nodes before it.
    pub(crate) fn place(self) -> String {
        self.document.pointer_of(self.node)
    }

    /// Where the value stands in the text, quotes and brackets included.
    pub fn span(self) -> Span {
        self.document.span(self.node)
    }

    /// The value's text, as written.
    pub fn text(self) -> &'d str {
        self.document.text.get(self.span().range()).unwrap_or_default()
    }

    /// The members of an object in text order, duplicates included; nothing for another value.
    pub fn members(self) -> Members<'d> {
        let inside = self.kind() == Kind::Object;
        Members { document: self.document, next: self.node + 1, end: if inside { self.end() } else { 0 } }
    }

    /// The elements of an array in text order; nothing for another value.
    pub fn elements(self) -> Elements<'d> {
        let inside = self.kind() == Kind::Array;
        Elements { document: self.document, next: self.node + 1, end: if inside { self.end() } else { 0 } }
    }

    fn end(self) -> u32 {
        self.document.next(self.node)
    }

    /// The first member of this name. Linear in the number of members.
    pub fn get(self, name: &str) -> Option<Self> {
        self.members().find(|member| member.name == name).map(|member| member.value)
    }

    /// The value at an RFC 6901 pointer below this one.
    pub fn pointer(self, pointer: &str) -> Option<Self> {
        crate::text::pointer::parse(pointer).try_fold(self, |value, token| match value.kind() {
            Kind::Object => value.get(&token),
            Kind::Array => value.elements().nth(crate::text::pointer::index(&token)? as usize),
            Kind::Boolean | Kind::Null | Kind::Number | Kind::String => None,
        })
    }

    /// The value as `serde_json` holds it: the last of duplicate members, fractions rounded to the digits of a double.
    /// `None` where it cannot hold it: a number that would become another one ([`Number::to_serde`]), or nesting deeper
    /// than 128.
    ///
    /// Of an open document: what is complete, and open strings as far as they go.
    pub fn to_value(self) -> Option<Value> {
        self.build(Number::to_serde)
    }

    /// The value for those who judge it and hand it to nobody: numbers are altered where they must be. `None` where one
    /// is infinite, or nested deeper than 128.
    pub(crate) fn to_value_near(self) -> Option<Value> {
        self.build(Number::to_serde_near)
    }

    fn build(self, number: impl Fn(Number<'d>) -> Option<serde_json::Number>) -> Option<Value> {
        let mut stack: Vec<Building> = Vec::new();
        let mut node = self.node;
        let mut name: Option<&str> = None;
        loop {
            let value = Self::new(self.document, node);
            let done = match value.kind() {
                Kind::Object | Kind::Array => {
                    if stack.len() >= MAX_DEPTH {
                        return None;
                    }
                    let container =
                        if value.kind() == Kind::Object { Value::Object(Map::new()) } else { Value::Array(Vec::new()) };
                    stack.push(Building { value: container, name: name.take().map(str::to_owned), end: value.end() });
                    None
                }
                Kind::Boolean => Some(Value::Bool(value.data().kind == NodeKind::True)),
                Kind::Null => Some(Value::Null),
                Kind::Number => Some(Value::Number(number(value.as_number()?)?)),
                Kind::String => Some(Value::String(self.document.string(value.data()).to_owned())),
            };
            if let Some(done) = done {
                node += 1;
                let Some(parent) = stack.last_mut() else { return Some(done) };
                parent.add(name.take(), done);
            } else {
                node += 1;
            }
            // Close what ends here; then the next child's name, if the innermost container is an object.
            loop {
                let top = stack.last()?;
                if node < top.end && !(matches!(top.value, Value::Object(_)) && node + 1 >= top.end) {
                    break;
                }
                let Building { value, name: own, end } = stack.pop()?;
                node = end;
                match stack.last_mut() {
                    None => return Some(value),
                    Some(parent) => parent.add(own.as_deref(), value),
                }
            }
            if let Some(Building { value: Value::Object(_), .. }) = stack.last() {
                name = Some(self.document.string(&self.document.nodes[node as usize]));
                node += 1;
            }
        }
    }
}

/// As deep as `serde_json` reads.
pub(crate) const MAX_DEPTH: usize = 128;

struct Building {
    value: Value,
    /// The name under which it goes into its parent.
    name: Option<String>,
    end: u32,
}

impl Building {
    fn add(&mut self, name: Option<&str>, child: Value) {
        match &mut self.value {
            Value::Object(map) => {
                map.insert(name.unwrap_or_default().to_owned(), child);
            }
            Value::Array(elements) => elements.push(child),
            Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => {}
        }
    }
}

/// See [`ValueRef::members`].
#[derive(Clone)]
pub struct Members<'d> {
    document: &'d Document,
    next: u32,
    end: u32,
}

impl Members<'_> {
    /// Goes past the next member; the node of its name, which stands before that of its value.
    #[inline(always)]
    pub(super) fn next_name(&mut self) -> Option<u32> {
        // A name whose value has not begun is no member yet.
        if self.next + 1 >= self.end {
            return None;
        }
        let name = self.next;
        self.next = self.document.next(name + 1);
        Some(name)
    }
}

impl<'d> Iterator for Members<'d> {
    type Item = Member<'d>;

    #[inline(always)]
    fn next(&mut self) -> Option<Member<'d>> {
        let node = self.next_name()?;
        let name = &self.document.nodes[node as usize];
        let value = ValueRef::new(self.document, node + 1);
        // It is closed.
        let name_span = Span::new(name.start, name.end);
        Some(Member { name: self.document.string(name), name_span, value })
    }
}

/// See [`ValueRef::elements`].
#[derive(Clone)]
pub struct Elements<'d> {
    document: &'d Document,
    next: u32,
    end: u32,
}

impl<'d> Iterator for Elements<'d> {
    type Item = ValueRef<'d>;

    fn next(&mut self) -> Option<ValueRef<'d>> {
        if self.next >= self.end {
            return None;
        }
        let value = ValueRef::new(self.document, self.next);
        self.next = self.document.next(self.next);
        Some(value)
    }
}

/// Prints the type and the span, never contents.
impl std::fmt::Debug for ValueRef<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ValueRef").field("kind", &self.kind()).field("span", &self.span()).finish()
    }
}
