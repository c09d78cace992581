//! Numbers and literals: the machine inside of them.

use super::Machine;
use super::table::Completed;
use crate::document::{Held, NodeKind, Number};
use crate::lex::scalar::{Literal, NumberStep};
use crate::settings::Numbers;
use crate::syntax::event::{Event, Sink};
use crate::verdict::code::Code;

impl Machine {
    pub(super) fn in_number<S: Sink + ?Sized>(
        &mut self,
        bytes: &[u8],
        mut i: usize,
        base: usize,
        sink: &mut S,
    ) -> usize {
        let Some(mut number) = self.number else { return i };
        while let Some(&byte) = bytes.get(i) {
            match number.step(byte) {
                NumberStep::Go(next) => {
                    number = next;
                    i += 1;
                }
                NumberStep::End => {
                    self.end_number((base + i) as u32, sink);
                    return i;
                }
                NumberStep::Rejected(code) => {
                    self.halt(code, (base + i) as u32, base + i + 1);
                    return i + 1;
                }
            }
        }
        self.number = Some(number);
        i
    }

    #[inline]
    pub(super) fn end_number<S: Sink + ?Sized>(&mut self, end: u32, sink: &mut S) {
        self.number = None;
        if self.numbers == Numbers::Double && self.alters(end) {
            return;
        }
        self.document.push(NodeKind::Number, self.token_start, end);
        if let Some(node) = self.document.nodes.last() {
            sink.event(&self.pointer, Event::Number(self.document.token(node)));
        }
        self.completed(Completed::Scalar);
    }

    /// Stops before the number that ends here, if a double alters it.
    #[inline(never)]
    fn alters(&mut self, end: u32) -> bool {
        let start = self.token_start;
        let text = self.document.text.get(start as usize..end as usize).unwrap_or_default();
        let is_altered = Number::new(text).in_double() == Held::Altered;
        if is_altered {
            self.halt(Code::NumberNotHeld, start, end as usize + 1);
        }
        is_altered
    }

    pub(super) fn in_literal<S: Sink + ?Sized>(&mut self, byte: u8, at: usize, sink: &mut S) {
        let Some(literal) = self.literal else { return };
        let read = at - self.token_start as usize;
        if literal.text().as_bytes().get(read) != Some(&byte) {
            return self.halt(Code::NonJsonLiteral, at as u32, at + 1);
        }
        if read + 1 < literal.text().len() {
            return;
        }
        self.end_literal(literal, at as u32 + 1, sink);
    }

    #[inline]
    pub(super) fn end_literal<S: Sink + ?Sized>(&mut self, literal: Literal, end: u32, sink: &mut S) {
        self.literal = None;
        let (kind, event) = match literal {
            Literal::False => (NodeKind::False, Event::Bool(false)),
            Literal::Null => (NodeKind::Null, Event::Null),
            Literal::True => (NodeKind::True, Event::Bool(true)),
        };
        self.document.push(kind, self.token_start, end);
        sink.event(&self.pointer, event);
        self.completed(Completed::Scalar);
    }
}
