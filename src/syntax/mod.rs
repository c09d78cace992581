//! The machine: bytes go in, the document grows, and the first byte that no JSON text goes on with stops it.
//!
//! It is resumable at every byte and scans nothing twice: between deltas it keeps its mode, the state of the grammar and
//! the few bytes of a token that cannot be understood yet. The grammar is in [`table`]; this file only carries its
//! transitions out.

#[cfg(test)]
mod plain;
mod scalars;
mod stop;
pub(crate) mod table;

pub(crate) use stop::Stop;

use crate::code::Code;
use crate::document::{Document, NodeKind};
use crate::event::{Event, Sink};
use crate::lex::escape::{self, Escape, Escaped};
use crate::lex::inside::{self, BLOCK, Quiet, plain_run};
use crate::lex::outside::Class;
use crate::lex::scalar::{Literal, Number};
use crate::lex::utf8::{Carry, Step as Utf8Step};
use crate::limits::Limits;
use crate::pointer::{Container, Pointer};
use table::{Completed, STEPS, State, Step};

/// What the machine is reading.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Mode {
    /// Between tokens.
    #[default]
    Outside,
    /// Inside a string.
    String,
    /// After a backslash inside a string.
    Backslash,
    /// Inside a `\u` escape, or after the backslash that follows a high surrogate.
    Escape,
    /// After a high surrogate: a backslash must follow.
    HighSurrogate,
    Number,
    Literal,
    /// Nothing is read any more.
    Stopped,
}

/// The resumable parser of one text.
#[derive(Clone, Default)]
pub(crate) struct Machine {
    pub(crate) document: Document,
    pub(crate) pointer: Pointer,
    mode: Mode,
    state: State,
    /// The string that is open holds escapes.
    holds_escapes: bool,
    /// The string that is open is a member's name.
    naming: bool,
    escape: Escape,
    number: Option<Number>,
    literal: Option<Literal>,
    /// Offset of the number or literal that is open.
    token_start: u32,
    carry: Carry,
    members: u32,
    limits: Limits,
    stop: Option<Box<Stop>>,
}

impl Machine {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    pub(crate) fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Reads a whole text.
    pub(crate) fn read(text: &str, limits: Limits) -> Self {
        let mut machine = Self::new(limits);
        machine.feed(text, &mut crate::event::Silent);
        machine
    }

    /// Reads the next piece of the text. Costs its own length; allocates only where the text outgrows its buffers.
    #[inline]
    pub(crate) fn feed<S: Sink + ?Sized>(&mut self, delta: &str, sink: &mut S) {
        let base = self.document.text.len();
        let short = delta.len().wrapping_sub(1) < BLOCK && base + delta.len() <= self.limits.text as usize;
        if !short || !self.is_inside_string() || !self.carry.is_empty() {
            return self.feed_any(delta, sink);
        }
        let plain = self.mode == Mode::String && !sink.hears_text() && inside::is_plain(delta.as_bytes());
        self.document.push_text(delta);
        if plain {
            return self.document.catch_up();
        }
        let quiet = match self.document.text.as_bytes().last_chunk() {
            Some(window) if !sink.hears_text() => inside::quiet(window, delta.len(), self.mode == Mode::Backslash),
            _ => return self.read_on(delta, 0, base, sink),
        };
        self.was_quiet(quiet);
        if quiet.len < delta.len() {
            return self.read_on(delta, quiet.len, base, sink);
        }
        self.document.catch_up();
    }

    #[inline]
    fn was_quiet(&mut self, quiet: Quiet) {
        if quiet.escapes && !self.holds_escapes {
            self.hold_escapes();
        }
        self.mode = if quiet.in_escape { Mode::Backslash } else { Mode::String };
    }

    #[cold]
    fn hold_escapes(&mut self) {
        self.document.hold_escapes();
        self.holds_escapes = true;
    }

    #[inline(never)]
    fn feed_any<S: Sink + ?Sized>(&mut self, delta: &str, sink: &mut S) {
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
            self.document.push_text(delta);
            return self.read_on(delta, 0, base, sink);
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
            // The offending byte may be the first of a longer character; after a closed root it is no part of the text.
            let read = if self.is_trailing() { done.saturating_sub(1) } else { done };
            let done = delta.floor_char_boundary(read);
            self.document.text.truncate(base + done);
            self.keep(&delta.as_bytes()[done..]);
        } else {
            self.document.catch_up();
        }
    }

    /// Reads the next bytes of the text.
    pub(crate) fn feed_bytes<S: Sink + ?Sized>(&mut self, delta: &[u8], sink: &mut S) {
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
    fn found(&mut self, byte: u8) {
        if let Some(stop) = &mut self.stop {
            stop.found.get_or_insert(byte);
        }
    }

    /// Keeps bytes that are not read: all of a text that stopped inside, a bounded piece of what follows a closed root.
    fn keep(&mut self, bytes: &[u8]) {
        let Some(stop) = &mut self.stop else { return };
        let mut limit = self.limits.text as usize;
        if stop.is_trailing() {
            limit = limit.min((stop.at as usize).saturating_add(self.limits.trailing as usize));
        }
        stop.keep(&mut self.document.text, bytes, limit);
    }

    /// Bytes of the text so far, those of an incomplete UTF-8 sequence included.
    pub(crate) fn len(&self) -> usize {
        self.document.text.len() + self.carry.bytes().len()
    }

    /// The bytes after the valid text: an incomplete UTF-8 sequence, or what was kept from the first invalid byte on.
    pub(crate) fn tail(&self) -> &[u8] {
        match &self.stop {
            Some(stop) if !stop.tail.is_empty() => &stop.tail,
            _ => self.carry.bytes(),
        }
    }

    pub(crate) fn stop(&self) -> Option<&Stop> {
        self.stop.as_deref()
    }

    /// The root is closed and nothing but blanks follows.
    pub(crate) fn is_complete(&self) -> bool {
        self.mode == Mode::Outside && self.state.is_end()
    }

    /// Plain string text may follow: nothing is known that was not known before.
    #[inline]
    pub(crate) fn is_inside_string(&self) -> bool {
        matches!(self.mode, Mode::String | Mode::Backslash)
    }

    fn is_trailing(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.is_trailing())
    }

    /// Not all of what followed the closed root was kept.
    pub(crate) fn is_cut(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.cut)
    }

    /// The string value that is being written, as far as it goes.
    pub(crate) fn open_string(&self) -> Option<&str> {
        let reading = matches!(self.mode, Mode::String | Mode::Backslash | Mode::Escape | Mode::HighSurrogate);
        let node = self.document.nodes.last()?;
        (reading && !self.naming).then(|| self.document.string(node))
    }

    /// Ends the text: `None` if it is one JSON text, else the code of a text that is cut here.
    pub(crate) fn truncated(&mut self) -> Option<Code> {
        match self.mode {
            Mode::Outside if !self.carry.is_empty() => Some(Code::TruncatedInUtf8),
            Mode::Outside => self.state.truncated(),
            Mode::String if !self.carry.is_empty() => Some(Code::TruncatedInUtf8),
            Mode::String if self.naming => Some(Code::TruncatedInKey),
            Mode::String => Some(Code::TruncatedInString),
            Mode::Backslash | Mode::Escape => Some(Code::TruncatedInEscape),
            Mode::HighSurrogate => Some(Code::TruncatedInSurrogatePair),
            Mode::Literal => Some(Code::TruncatedInLiteral),
            Mode::Number => {
                let complete = self.number.is_some_and(Number::is_complete);
                if complete && self.pointer.depth() == 0 {
                    self.end_number(self.document.text.len() as u32, &mut crate::event::Silent);
                    return None;
                }
                Some(Code::TruncatedInNumber)
            }
            Mode::Stopped => None,
        }
    }

    /// What may come next, in words.
    pub(crate) fn expected(&self) -> &'static [&'static str] {
        self.state.expected()
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.document.heap_bytes() + self.pointer.heap_bytes()
    }

    /// Reads `delta`, which stands at offset `base`, from index `i` on; the index where the machine stopped, after the
    /// offending byte.
    fn scan<S: Sink + ?Sized>(&mut self, delta: &str, mut i: usize, base: usize, sink: &mut S) -> usize {
        let bytes = delta.as_bytes();
        while let Some(&byte) = bytes.get(i) {
            match self.mode {
                Mode::Outside => i = self.outside(byte, base + i, delta, i, sink),
                Mode::String => i = self.string(delta, i, base, sink),
                Mode::Backslash => {
                    self.after_backslash(byte, base + i, sink);
                    i += 1;
                }
                Mode::Escape => {
                    self.escaped(byte, base + i, sink);
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

    /// One byte between tokens; the index of the next byte to read.
    #[inline]
    fn outside<S: Sink + ?Sized>(&mut self, byte: u8, at: usize, delta: &str, i: usize, sink: &mut S) -> usize {
        let at32 = at as u32;
        match STEPS[self.state as usize][Class::of(byte) as usize] {
            Step::Blank => {}
            Step::Begin(container) => self.begin(container, at32, sink),
            Step::End => self.end(at32, sink),
            Step::Go(next) => {
                if self.state != State::Colon {
                    self.pointer.advance();
                }
                self.state = next;
            }
            Step::Name => {
                if self.counted(at) {
                    self.document.open(NodeKind::Name, at32);
                    self.mode = Mode::String;
                    self.naming = true;
                    self.holds_escapes = false;
                }
            }
            Step::String => {
                if self.counted_element(at) {
                    self.document.open(NodeKind::String, at32);
                    self.mode = Mode::String;
                    self.naming = false;
                    self.holds_escapes = false;
                    sink.event(&self.pointer, Event::BeginString);
                }
            }
            Step::Number => {
                if self.counted_element(at) {
                    self.token_start = at32;
                    self.number = Some(Number::begin(byte));
                    self.mode = Mode::Number;
                }
            }
            Step::Literal(literal) => {
                if self.counted_element(at) {
                    self.token_start = at32;
                    self.literal = Some(literal);
                    self.mode = Mode::Literal;
                }
            }
            Step::Reject(code) => self.refuse(code, at, delta, i),
        }
        i + 1
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

    #[inline]
    fn completed(&mut self, value: Completed) {
        self.state = table::after(self.pointer.innermost(), value);
        self.mode = Mode::Outside;
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

    /// Text of a string from index `i` of `delta` on; the index after what was read.
    #[inline]
    fn string<S: Sink + ?Sized>(&mut self, delta: &str, mut i: usize, base: usize, sink: &mut S) -> usize {
        let bytes = delta.as_bytes();
        loop {
            if sink.hears_text() {
                let run = plain_run(&bytes[i..]);
                if run > 0 && !self.naming {
                    sink.event(&self.pointer, Event::Text(&delta[i..i + run]));
                }
                i += run;
            } else {
                let quiet = inside::skip_quiet(self.document.text.as_bytes(), base + i);
                self.was_quiet(quiet);
                i += quiet.len;
            }
            let Some(&byte) = bytes.get(i) else { return i };
            if self.mode == Mode::String {
                match byte {
                    b'"' => self.close_string(base + i, sink),
                    b'\\' => {
                        if !self.holds_escapes {
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
            if self.mode != Mode::String {
                return i;
            }
        }
    }

    /// The byte after a backslash.
    #[inline]
    fn after_backslash<S: Sink + ?Sized>(&mut self, byte: u8, at: usize, sink: &mut S) {
        match escape::simple(byte) {
            0 => {
                self.escape.begin(at as u32 - 1);
                self.mode = Mode::Escape;
                self.escaped(byte, at, sink);
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

    fn escaped<S: Sink + ?Sized>(&mut self, byte: u8, at: usize, sink: &mut S) {
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
        if self.holds_escapes {
            self.document.close_copy();
            self.holds_escapes = false;
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

    /// Stops for good: `code` speaks of offset `at`, and is known once `known_at` bytes are consumed.
    #[cold]
    pub(crate) fn halt(&mut self, code: Code, at: u32, known_at: usize) {
        if self.stop.is_some() {
            return;
        }
        let expected = if self.mode == Mode::Outside { self.expected() } else { &[] };
        let mut stop = Stop::new(code, at, known_at, self.pointer.to_string(), expected);
        stop.found = self.document.text.as_bytes().get(at as usize).copied();
        stop.suspect = stop::suspect(&self.document, code, at as usize);
        stop.tail.extend_from_slice(self.carry.bytes());
        self.carry = Carry::default();
        // An open string grows no further: what comes after a rejection is no part of it.
        self.document.freeze(at);
        self.document.catch_up();
        self.stop = Some(Box::new(stop));
        self.mode = Mode::Stopped;
    }
}
