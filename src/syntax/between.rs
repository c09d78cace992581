//! Between tokens: the transitions of the step table, carried out. A token that stands whole in the delta is read at once;
//! one that does not, byte by byte.

use super::table::{Completed, STEPS, State, Step};
use super::{Machine, Mode};
use crate::document::NodeKind;
use crate::lex::inside::{Quiet, quiet_run};
use crate::lex::outside::Class;
use crate::lex::scalar::{self, Literal, Number};
use crate::syntax::event::{Event, Sink};
use crate::text::pointer::Container;
use crate::verdict::code::Code;

impl Machine {
    /// Reads tokens from index `i` of `delta` on, up to one that is not whole; the index of the next byte to read.
    pub(super) fn between<S: Sink + ?Sized>(&mut self, delta: &str, mut i: usize, base: usize, sink: &mut S) -> usize {
        let bytes = delta.as_bytes();
        while let (Mode::Outside, Some(&byte)) = (self.mode, bytes.get(i)) {
            let at = base + i;
            match STEPS[self.state as usize][Class::of(byte) as usize] {
                Step::Blank => {}
                Step::Begin(container) => self.begin(container, at as u32, sink),
                Step::End => self.end(at as u32, sink),
                Step::Go(next) => {
                    if self.state != State::Colon {
                        self.pointer.advance();
                    }
                    self.state = next;
                }
                Step::Name => {
                    if self.counted(at) {
                        i += self.name(delta, i + 1, at as u32, sink);
                    }
                }
                Step::String => {
                    if self.counted_element(at) {
                        i += self.string_value(delta, i + 1, at as u32, sink);
                    }
                }
                Step::Number => {
                    if self.counted_element(at) {
                        i += self.number(delta, i, at as u32, sink);
                    }
                }
                Step::Literal(literal) => {
                    if self.counted_element(at) {
                        i += self.literal(&bytes[i..], literal, at as u32, sink);
                    }
                }
                Step::Reject(code) => self.refuse(code, at, delta, i),
            }
            i += 1;
        }
        i
    }

    /// A name, the text of which begins at index `from`, and its quote at offset `at`; how many bytes after the quote
    /// were read.
    #[inline]
    fn name<S: Sink + ?Sized>(&mut self, delta: &str, from: usize, at: u32, sink: &mut S) -> usize {
        if let Some(text) = whole_string(delta, from) {
            self.document.push(NodeKind::Name, at, at + text.len() as u32 + 2);
            self.pointer.name(text);
            sink.event(&self.pointer, Event::Key(text));
            self.state = State::Colon;
            return text.len() + 1;
        }
        self.begin_string(NodeKind::Name, at);
        0
    }

    /// As [`name`](Self::name), of a string value.
    #[inline]
    fn string_value<S: Sink + ?Sized>(&mut self, delta: &str, from: usize, at: u32, sink: &mut S) -> usize {
        sink.event(&self.pointer, Event::BeginString);
        if let Some(text) = whole_string(delta, from) {
            self.document.push(NodeKind::String, at, at + text.len() as u32 + 2);
            if !text.is_empty() {
                sink.event(&self.pointer, Event::Text(text));
            }
            sink.event(&self.pointer, Event::EndString);
            self.completed(Completed::String);
            return text.len() + 1;
        }
        self.begin_string(NodeKind::String, at);
        0
    }

    /// A string that is not whole, or holds an escape.
    #[inline]
    fn begin_string(&mut self, kind: NodeKind, at: u32) {
        self.document.open(kind, at);
        self.naming = kind == NodeKind::Name;
        self.mode = Mode::String;
        self.quiet = Quiet::Plain;
    }

    /// A number that begins at index `i`; how many bytes after the first one were read.
    #[inline]
    fn number<S: Sink + ?Sized>(&mut self, delta: &str, i: usize, at: u32, sink: &mut S) -> usize {
        let bytes = &delta.as_bytes()[i..];
        self.token_start = at;
        if let Some(len) = scalar::whole_number(bytes) {
            self.end_number(at + len as u32, sink);
            return len - 1;
        }
        self.number = Some(Number::begin(bytes[0]));
        self.mode = Mode::Number;
        0
    }

    /// As [`number`](Self::number), of a literal name.
    #[inline]
    fn literal<S: Sink + ?Sized>(&mut self, bytes: &[u8], literal: Literal, at: u32, sink: &mut S) -> usize {
        let text = literal.text();
        self.token_start = at;
        if bytes.starts_with(text.as_bytes()) {
            self.end_literal(literal, at + text.len() as u32, sink);
            return text.len() - 1;
        }
        self.literal = Some(literal);
        self.mode = Mode::Literal;
        0
    }

    /// Rejects at the byte with index `i` of `delta`, which stands at offset `at`.
    fn refuse(&mut self, code: Code, at: usize, delta: &str, i: usize) {
        // At the very beginning a character that begins like a byte order mark is known only when it differs from it.
        if at == 0 && self.state == State::Root && delta.as_bytes().get(i) == Some(&0xef) {
            let mark = "\u{feff}".as_bytes();
            let alike = delta.as_bytes()[i..].iter().zip(mark).take_while(|(a, b)| a == b).count();
            let code = if alike == mark.len() { Code::Bom } else { code };
            return self.halt(code, 0, (alike + 1).min(mark.len()));
        }
        self.halt(code, at as u32, at + 1);
    }

    fn begin<S: Sink + ?Sized>(&mut self, container: Container, at: u32, sink: &mut S) {
        if self.pointer.depth() >= self.limits.depth as usize {
            return self.halt(Code::DepthLimit, at, at as usize + 1);
        }
        if !self.counted_element(at as usize) {
            return;
        }
        let (kind, state, event) = match container {
            Container::Array => (NodeKind::Array, State::FirstElement, Event::BeginArray),
            Container::Object => (NodeKind::Object, State::FirstName, Event::BeginObject),
        };
        sink.event(&self.pointer, event);
        let node = self.document.open(kind, at);
        self.pointer.push(container, node);
        self.state = state;
    }

    fn end<S: Sink + ?Sized>(&mut self, at: u32, sink: &mut S) {
        let event = match self.pointer.innermost() {
            Some(Container::Array) => Event::EndArray,
            Some(Container::Object) | None => Event::EndObject,
        };
        if let Some(node) = self.pointer.pop() {
            self.document.close_container(node, at + 1);
        }
        sink.event(&self.pointer, event);
        self.completed(Completed::Container);
    }

    /// Counts a value, if it is an element of an array: members are counted by their names.
    #[inline]
    fn counted_element(&mut self, at: usize) -> bool {
        match self.state {
            State::FirstElement | State::NextElement => self.counted(at),
            _ => true,
        }
    }

    #[inline]
    fn counted(&mut self, at: usize) -> bool {
        if self.members >= self.limits.members {
            self.halt(Code::SizeLimit, at as u32, at + 1);
            return false;
        }
        self.members += 1;
        true
    }
}

/// The text of the string that begins at index `from` of `delta`, if it ends there, too, and holds no escape.
#[inline]
fn whole_string(delta: &str, from: usize) -> Option<&str> {
    let rest = &delta.as_bytes()[from..];
    let len = quiet_run(rest, 0, Quiet::Plain);
    if rest.get(len) == Some(&b'"') { delta.get(from..from + len) } else { None }
}
