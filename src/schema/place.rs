//! Where in the document a violation stands.

use std::iter::Enumerate;

use super::Violation;
use crate::document::{Document, Elements, Kind, Members, ValueRef};
use crate::text::pointer::{Token, write_token};

/// Gives each violation its place. One pass over the document, whatever their number.
pub(super) fn place(root: ValueRef<'_>, chosen: Vec<(u32, Violation)>) -> Vec<Violation> {
    let document = root.document();
    let mut order: Vec<usize> = (0..chosen.len()).collect();
    order.sort_by_key(|&i| chosen[i].0);
    let mut out: Vec<Violation> = Vec::with_capacity(chosen.len());
    let mut nodes = Vec::with_capacity(chosen.len());
    for (node, violation) in chosen {
        nodes.push(node);
        out.push(violation);
    }
    let mut path = Path { pointer: String::new(), open: vec![Open::new(root, 0)] };
    for i in order {
        let name = path.seek(document, nodes[i]);
        let violation = &mut out[i];
        violation.pointer.push_str(&path.pointer);
        match &violation.member {
            // A missing member stands below its object. Writing to a String cannot fail.
            Some(member) => {
                let _ = write_token(&mut violation.pointer, Token::Name(member));
            }
            None => {
                violation.at = Some(ValueRef::new(document, nodes[i]).span().start);
                violation.member = name;
            }
        }
    }
    out
}

/// The way from the root to one value after the other, in text order.
struct Path<'d> {
    pointer: String,
    open: Vec<Open<'d>>,
}

struct Open<'d> {
    value: ValueRef<'d>,
    children: Children<'d>,
    /// Length of the pointer to this value.
    len: usize,
    name: Option<&'d str>,
}

enum Children<'d> {
    Elements(Enumerate<Elements<'d>>),
    Members(Members<'d>),
}

impl<'d> Open<'d> {
    fn new(value: ValueRef<'d>, len: usize) -> Self {
        let children = match value.kind() {
            Kind::Object => Children::Members(value.members()),
            Kind::Array | Kind::Boolean | Kind::Null | Kind::Number | Kind::String => {
                Children::Elements(value.elements().enumerate())
            }
        };
        Self { value, children, len, name: None }
    }
}

impl<'d> Path<'d> {
    /// Goes to `node`, which is not before the last one; its name, if it is a member.
    fn seek(&mut self, document: &'d Document, node: u32) -> Option<String> {
        while self.open.len() > 1 && self.open.last().is_some_and(|open| document.next(open.value.node()) <= node) {
            self.open.pop();
        }
        loop {
            let open = self.open.last_mut()?;
            self.pointer.truncate(open.len);
            if open.value.node() >= node {
                return open.name.map(str::to_owned);
            }
            let (token, child, name) = loop {
                let child = match &mut open.children {
                    Children::Members(members) => {
                        let member = members.next()?;
                        (Token::Name(member.name), member.value, Some(member.name))
                    }
                    Children::Elements(elements) => {
                        let (i, element) = elements.next()?;
                        (Token::Index(i as u32), element, None)
                    }
                };
                if node < document.next(child.1.node()) {
                    break child;
                }
            };
            // Writing to a String cannot fail.
            let _ = write_token(&mut self.pointer, token);
            self.open.push(Open { name, ..Open::new(child, self.pointer.len()) });
        }
    }
}
