//! From mode to mode, and the text of strings: what each byte does to the document, the place and the sink.

use super::table::{self, Completed, State};
use super::{Machine, Mode};
use crate::lex::escape::{self, Escaped};
use crate::lex::inside::{Quiet, quiet_run};
use crate::syntax::event::{Event, Sink};
use crate::verdict::code::Code;

impl Machine {
    /// Reads `delta`, which stands at offset `base`, from index `i` on; the index where the machine stopped, after the
    /// offending byte.
    pub(super) fn scan<S: Sink + ?Sized>(&mut self, delta: &str, mut i: usize, base: usize, sink: &mut S) -> usize {
        let bytes = delta.as_bytes();
        while let Some(&byte) = bytes.get(i) {
            match self.mode {
                Mode::Outside => i = self.between(delta, i, base, sink),
                Mode::String | Mode::Backslash => i = self.string(delta, i, base, sink),
                Mode::Escape => {
                    self.in_escape(byte, base + i, sink);
                    i += 1;
                }
                Mode::HighSurrogate => {
                    if byte == b'\\' {
                        self.escape.begin((base + i) as u32);
                        self.mode = Mode::Escape;
                    } else {
                        let at = self.escape.waiting().unwrap_or_default();
                        self.halt(Code::LoneSurrogate, at, base + i + 1);
                    }
                    i += 1;
                }
                Mode::Number => i = self.in_number(bytes, i, base, sink),
                Mode::Literal => {
                    self.in_literal(byte, base + i, sink);
                    i += 1;
                }
                Mode::Stopped => break,
            }
        }
        i
    }

    #[inline]
    pub(super) fn completed(&mut self, value: Completed) {
        self.state = table::after(self.pointer.innermost(), value);
        self.mode = Mode::Outside;
    }

    /// Text of a string from index `i` of `delta` on; the index after what was read.
    #[inline]
    fn string<S: Sink + ?Sized>(&mut self, delta: &str, mut i: usize, base: usize, sink: &mut S) -> usize {
        let bytes = delta.as_bytes();
        loop {
            i += if sink.hears_text() { self.told_run(delta, i, sink) } else { self.quiet_run(&bytes[i..]) };
            let Some(&byte) = bytes.get(i) else { return i };
            if self.mode == Mode::String {
                match byte {
                    b'"' => self.close_string(base + i, sink),
                    b'\\' => {
                        if self.quiet == Quiet::Plain {
                            self.hold_escapes();
                        }
                        self.mode = Mode::Backslash;
                    }
                    _ => self.halt(Code::ControlCharInString, (base + i) as u32, base + i + 1),
                }
            } else {
                self.after_backslash(byte, base + i, sink);
            }
            i += 1;
            if !self.is_inside_string() {
                return i;
            }
        }
    }

    /// Skips the text that nothing has to be done about; its length.
    #[inline]
    pub(super) fn quiet_run(&mut self, rest: &[u8]) -> usize {
        let run = quiet_run(rest, self.escaped(), self.quiet);
        if run > 0 {
            self.quiet_to(&rest[..run]);
        }
        run
    }

    /// Tells the sink the plain text from index `i` of `delta` on; its length.
    fn told_run<S: Sink + ?Sized>(&mut self, delta: &str, i: usize, sink: &mut S) -> usize {
        if self.mode == Mode::Backslash {
            return 0;
        }
        let run = quiet_run(&delta.as_bytes()[i..], 0, Quiet::Plain);
        if run > 0 && !self.naming {
            sink.event(&self.pointer, Event::Text(&delta[i..i + run]));
        }
        run
    }

    /// The byte after a backslash.
    #[inline]
    fn after_backslash<S: Sink + ?Sized>(&mut self, byte: u8, at: usize, sink: &mut S) {
        match escape::simple(byte) {
            0 => {
                self.escape.begin(at as u32 - 1);
                self.mode = Mode::Escape;
                self.in_escape(byte, at, sink);
            }
            character => {
                self.mode = Mode::String;
                self.decoded(character as char, sink);
            }
        }
    }

    #[inline]
    fn decoded<S: Sink + ?Sized>(&mut self, character: char, sink: &mut S) {
        if !self.naming {
            sink.event(&self.pointer, Event::Text(character.encode_utf8(&mut [0; 4])));
        }
    }

    fn in_escape<S: Sink + ?Sized>(&mut self, byte: u8, at: usize, sink: &mut S) {
        match self.escape.step(byte, at as u32) {
            Escaped::More => {}
            Escaped::High => self.mode = Mode::HighSurrogate,
            Escaped::Char(character) => {
                self.mode = Mode::String;
                self.decoded(character, sink);
            }
            Escaped::Rejected(code, of) => self.halt(code, of, at + 1),
        }
    }

    #[inline]
    fn close_string<S: Sink + ?Sized>(&mut self, at: usize, sink: &mut S) {
        if let Some(node) = self.document.nodes.last_mut() {
            node.end = at as u32 + 1;
        }
        if self.quiet == Quiet::Common {
            self.document.close_copy();
            self.quiet = Quiet::Plain;
        }
        if self.naming {
            if let Some(node) = self.document.nodes.last() {
                self.pointer.name(self.document.string(node));
            }
            sink.event(&self.pointer, Event::Key(self.pointer.innermost_name()));
            self.mode = Mode::Outside;
            self.state = State::Colon;
        } else {
            sink.event(&self.pointer, Event::EndString);
            self.completed(Completed::String);
        }
    }
}
