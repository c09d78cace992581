//! How pieces of the text come in: short ones, long ones, bytes that are cut inside a character, and what is only kept.

use super::table::State;
use super::{Machine, Mode};
use crate::lex::inside::{self, Quiet};
use crate::lex::utf8::{self, Carry, Step as Utf8Step};
use crate::settings::Numbers;
use crate::settings::limits::Limits;
use crate::syntax::event::Sink;
use crate::text::wide::{self, SHORT};
use crate::verdict::code::Code;

/// The longest text for which a sequence that was cut is put together again before it is read: one that may be read by
/// [`Machine::feed_quiet`], and a sequence that is cut at its end.
const JOINED: usize = SHORT + 3;

impl Machine {
    /// Reads a whole text.
    pub(crate) fn read(text: &str, limits: Limits) -> Self {
        Self::read_for(text, limits, Numbers::Exact)
    }

    /// The same for readers that hold such numbers.
    pub(crate) fn read_for(text: &str, limits: Limits, numbers: Numbers) -> Self {
        let mut machine = Self::new(limits);
        machine.set_numbers(numbers);
        machine.feed(text, &mut crate::syntax::event::Silent);
        machine
    }

    /// Reads the next piece of the text. Costs its own length; allocates only where the text outgrows its buffers.
    #[inline]
    pub(crate) fn feed<S: Sink + ?Sized>(&mut self, delta: &str, sink: &mut S) {
        if sink.hears_text() || !self.feed_quiet(delta) {
            self.feed_any(delta, sink);
        }
    }

    /// Reads a short delta all of which is quiet text of the string that is open; whether it is one. If not, nothing is
    /// read.
    #[inline(always)]
    pub(crate) fn feed_quiet(&mut self, delta: &str) -> bool {
        let fits = self.document.text.len() + delta.len() <= self.limits.text as usize;
        let short = delta.len().wrapping_sub(1) < SHORT;
        if !short || !fits || !self.is_inside_string() || !self.carry.is_empty() {
            return false;
        }
        if self.quiet == Quiet::Plain && wide::append_plain(&mut self.document.text, delta) {
            return true;
        }
        if !inside::is_quiet(delta.as_bytes(), self.escaped(), self.quiet) {
            return false;
        }
        self.quiet_to(delta.as_bytes());
        self.document.append_quiet(delta);
        true
    }

    /// After quiet text the last byte says all.
    #[inline(always)]
    pub(super) fn quiet_to(&mut self, text: &[u8]) {
        self.mode = if text.last() == Some(&b'\\') { Mode::Backslash } else { Mode::String };
    }

    /// 1 if the next byte of the string that is open stands after the backslash of an escape, else 0.
    #[inline(always)]
    pub(super) fn escaped(&self) -> u32 {
        u32::from(self.mode == Mode::Backslash)
    }

    /// The first backslash of the string that is open.
    #[cold]
    pub(super) fn hold_escapes(&mut self) {
        self.document.hold_escapes();
        self.quiet = Quiet::Common;
    }

    #[inline(never)]
    pub(crate) fn feed_any<S: Sink + ?Sized>(&mut self, delta: &str, sink: &mut S) {
        if !self.carry.is_empty() {
            // Bytes of a sequence wait: text cannot go on after them.
            return self.feed_bytes(delta.as_bytes(), sink);
        }
        if self.mode == Mode::Stopped {
            return self.keep(delta.as_bytes());
        }
        let base = self.document.text.len();
        // The text may be longer than a limit that was set late.
        let room = (self.limits.text as usize).saturating_sub(base);
        if delta.len() <= room {
            let mut from = 0;
            if self.is_inside_string() && !sink.hears_text() {
                from = self.quiet_run(delta.as_bytes());
            }
            self.document.push_text(delta);
            if from == delta.len() {
                return self.document.catch_up();
            }
            return self.read_on(delta, from, base, sink);
        }
        let fits = delta.floor_char_boundary(room);
        let (head, rest) = delta.split_at(fits);
        self.feed_any(head, sink);
        if self.mode != Mode::Stopped {
            self.halt(Code::SizeLimit, self.limits.text, self.limits.text as usize + 1);
        }
        // Up to the limit, which may stand inside of a character.
        self.keep(rest.as_bytes());
    }

    /// Reads `delta` from index `from` on. It stands at the end of the text from offset `base` on.
    #[inline(never)]
    fn read_on<S: Sink + ?Sized>(&mut self, delta: &str, from: usize, base: usize, sink: &mut S) {
        let done = self.scan(delta, from, base, sink);
        if self.mode == Mode::Stopped {
            // The offending byte may be inside of a longer character, and it is kept, not read.
            let done = delta.floor_char_boundary(done.saturating_sub(1));
            self.document.text.truncate(base + done);
            self.keep(&delta.as_bytes()[done..]);
        } else {
            self.document.catch_up();
        }
    }

    /// Reads the next bytes of the text.
    pub(crate) fn feed_bytes<S: Sink + ?Sized>(&mut self, delta: &[u8], sink: &mut S) {
        let read = if self.carry.is_empty() { self.feed_utf8(delta, sink) } else { self.feed_joined(delta, sink) };
        if !read {
            self.feed_each(delta, sink);
        }
    }

    /// Reads the sequence that waits and a short delta as one; whether they can be. If not, nothing is read.
    fn feed_joined<S: Sink + ?Sized>(&mut self, delta: &[u8], sink: &mut S) -> bool {
        let mut joined = [0; JOINED];
        let waiting = self.carry.bytes().len();
        let len = waiting + delta.len();
        if len > JOINED || self.mode != Mode::String || self.document.text.len() + len > self.limits.text as usize {
            return false;
        }
        joined[..4].copy_from_slice(self.carry.filled());
        joined[waiting..len].copy_from_slice(delta);
        self.feed_utf8(&joined[..len], sink)
    }

    /// Reads bytes that are UTF-8, but for a sequence that is cut at their end; whether they are. If not, nothing is read.
    fn feed_utf8<S: Sink + ?Sized>(&mut self, bytes: &[u8], sink: &mut S) -> bool {
        let (head, cut) = utf8::split_cut(bytes);
        let Ok(text) = std::str::from_utf8(head) else { return false };
        self.carry = Carry::default();
        self.feed(text, sink);
        let fits = self.document.text.len() + cut.len() <= self.limits.text as usize;
        if self.mode == Mode::String && fits {
            self.carry = Carry::of(cut);
        } else {
            self.feed_each(cut, sink);
        }
        true
    }

    /// Reads bytes, sequence by sequence where they are not UTF-8.
    fn feed_each<S: Sink + ?Sized>(&mut self, delta: &[u8], sink: &mut S) {
        let mut rest = delta;
        while self.mode != Mode::Stopped && !rest.is_empty() {
            if self.carry.is_empty() {
                match std::str::from_utf8(rest) {
                    Ok(text) => return self.feed(text, sink),
                    Err(error) => {
                        let (valid, others) = rest.split_at(error.valid_up_to());
                        self.feed(std::str::from_utf8(valid).unwrap_or_default(), sink);
                        rest = others;
                        if self.mode == Mode::Stopped {
                            break;
                        }
                    }
                }
            }
            let Some((&byte, others)) = rest.split_first() else { break };
            if !self.byte(byte, sink) {
                break;
            }
            rest = others;
        }
        self.keep(rest);
    }

    /// Reads one byte of a sequence that was cut; whether it belongs to the text.
    fn byte<S: Sink + ?Sized>(&mut self, byte: u8, sink: &mut S) -> bool {
        let at = self.len();
        if at >= self.limits.text as usize {
            self.halt(Code::SizeLimit, self.limits.text, at + 1);
            return false;
        }
        let may_be_bom = self.mode == Mode::Outside && self.document.text.is_empty() && self.state == State::Root;
        if may_be_bom && (byte == 0xef || !self.carry.is_empty()) {
            return self.mark(byte, sink);
        }
        if self.mode != Mode::String {
            // Whatever character this byte belongs to, it is refused at this byte.
            self.scan("\u{80}", 0, at, sink);
            self.found(byte);
            return false;
        }
        match self.carry.step(byte) {
            Utf8Step::More => true,
            Utf8Step::Complete(character) => {
                let mut buffer = [0; 4];
                self.feed(character.encode_utf8(&mut buffer), sink);
                true
            }
            Utf8Step::Invalid => {
                self.halt(Code::InvalidUtf8, at as u32, at + 1);
                false
            }
        }
    }

    /// Reads one byte of what may be a byte order mark before the text.
    fn mark<S: Sink + ?Sized>(&mut self, byte: u8, sink: &mut S) -> bool {
        let known = self.carry.bytes().len();
        if "\u{feff}".as_bytes().get(known) != Some(&byte) {
            self.halt(Code::UnexpectedToken, 0, known + 1);
            self.found("\u{feff}".as_bytes()[0]);
            return false;
        }
        if let Utf8Step::Complete(_) = self.carry.step(byte) {
            self.feed("\u{feff}", sink);
        }
        true
    }

    /// The byte that stopped the machine is no part of the text, or not yet.
    pub(super) fn found(&mut self, byte: u8) {
        if let Some(stop) = &mut self.stop {
            stop.found.get_or_insert(byte);
        }
    }

    /// Keeps bytes that are not read: all of a text that stopped inside, a bounded piece of what follows a closed root.
    pub(super) fn keep(&mut self, bytes: &[u8]) {
        let Some(stop) = &mut self.stop else { return };
        let mut limit = self.limits.text as usize;
        if stop.is_trailing() {
            limit = limit.min((stop.at as usize).saturating_add(self.limits.trailing as usize));
        }
        stop.keep(&mut self.document.text, bytes, limit);
    }
}
