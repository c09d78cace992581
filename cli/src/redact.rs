//! The same stream with its contents masked, for bug reports.
//!
//! Only what is known stays: framing, punctuation, and what the protocol needs ([`protocol`](crate::protocol)). Argument
//! text keeps its form and its member names ([`ArgumentMask`]), so that a masked stream gets the verdicts of the stream.

mod frames;

use std::collections::{HashMap, VecDeque};
use std::io::BufRead;
use std::path::Path;

use argseal::{Assembler, Key, Signal};

use crate::failure::Failure;
use crate::input;
use crate::mask::{ArgumentMask, Mask, NOT_UTF8, PlainMask, UnicodeMask};
use crate::protocol::{ARGUMENTS, PIECES, is_kept, is_kept_number, is_term};

/// Reads a stream of events, in text or in binary frames, and writes it masked.
pub(crate) struct Redaction {
    bytes: Vec<u8>,
    known: Known,
}

/// What is known of the argument text: the pieces still to come, and how each call is masked.
#[derive(Default)]
struct Known {
    pieces: Pieces,
    masks: HashMap<Key, ArgumentMask>,
}

/// The pieces of argument text, in the order in which they came.
#[derive(Default)]
struct Pieces {
    /// How much of each call's text has come.
    taken: HashMap<Key, usize>,
    queue: VecDeque<Piece>,
}

struct Piece {
    key: Key,
    text: String,
}

impl Redaction {
    /// Reads the whole stream, which the assembler reads with it.
    pub(crate) fn read(path: &Path, stdin: &mut dyn BufRead, assembler: &mut Assembler) -> Result<Self, Failure> {
        let bytes = input::read(path, stdin)?;
        let mut known = Known::default();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            assembler.push(line, &mut |signal| known.pieces.hear(&signal));
        }
        Ok(Self { bytes, known })
    }

    /// Writes the masked stream to a file.
    pub(crate) fn write(mut self, path: &Path) -> Result<(), Failure> {
        let masked = if frames::are_in(&self.bytes) {
            frames::masked(&self.bytes, &mut self.known)
        } else {
            masked(&self.bytes, &mut self.known)
        };
        std::fs::write(path, masked).map_err(|error| Failure::unwritable(&path.display().to_string(), &error))
    }
}

/// The stream masked. Bytes that are not UTF-8 become others that are not, one for one.
fn masked(bytes: &[u8], known: &mut Known) -> Vec<u8> {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.extend(chunk.valid().chars().map(|c| if c == NOT_UTF8 { '文' } else { c }));
        text.extend(chunk.invalid().iter().map(|_| NOT_UTF8));
    }
    let masked = Walk::new(&text, known).run();
    masked.split(NOT_UTF8).map(str::as_bytes).collect::<Vec<_>>().join(&0xff)
}

impl Pieces {
    fn hear(&mut self, signal: &Signal<'_>) {
        let (Signal::Opened(live) | Signal::Grown(live)) = signal else { return };
        let Some(raw) = live.call.map(argseal::Call::raw) else { return };
        let taken = self.taken.entry(live.key).or_default();
        let text = raw.get(*taken..).unwrap_or_default();
        if !text.is_empty() {
            self.queue.push_back(Piece { key: live.key, text: text.to_owned() });
            *taken = raw.len();
        }
    }

    /// The call whose next piece this text is.
    fn take(&mut self, text: &str) -> Option<Key> {
        let at = self.queue.iter().take(LOOK_AHEAD).position(|piece| piece.text == text)?;
        self.queue.drain(..=at).next_back().map(|piece| piece.key)
    }
}

/// Pieces that are looked through for a text: more than one event ever carries.
const LOOK_AHEAD: usize = 16;

/// Goes through the stream's text once. What it does not know for structure is hidden.
struct Walk<'t> {
    rest: &'t str,
    out: String,
    framing: Framing,
    known: &'t mut Known,
    open: Vec<Level>,
    state: State,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Framing {
    Array,
    Events,
    Lines,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum State {
    /// The event is not JSON: nothing says any more what is structure.
    Broken,
    Json,
}

/// One open container of an event.
#[derive(Clone, Debug)]
struct Level {
    is_object: bool,
    expects_name: bool,
    /// The name under which its values stand: in an array, that of the array. `None`: it is hidden, and so are they.
    name: Option<String>,
    role: Role,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Role {
    /// Is, or is in, an object of arguments.
    Arguments,
    /// Stands under a name that no protocol has.
    Hidden,
    Protocol,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str, known: &'t mut Known) -> Self {
        let framing = match text.trim_ascii_start().bytes().next() {
            Some(b'{') => Framing::Lines,
            Some(b'[') => Framing::Array,
            _ => Framing::Events,
        };
        let out = String::with_capacity(text.len());
        Self { rest: text, out, framing, known, open: Vec::new(), state: State::Json }
    }

    fn run(mut self) -> String {
        if self.rest.starts_with(BOM) {
            self.keep(BOM.len_utf8());
        }
        self.begin_line();
        while let Some(c) = self.rest.chars().next() {
            match c {
                '\n' | '\r' => {
                    let end = if self.rest.starts_with("\r\n") { 2 } else { 1 };
                    let ends = c == '\n' || end == 2 || self.framing == Framing::Events;
                    self.keep(end);
                    if ends {
                        self.begin_line();
                    }
                }
                _ if self.state == State::Broken => self.hide(c.len_utf8()),
                '"' => self.string(),
                '-' | '0'..='9' => self.number(),
                '[' if self.rest.starts_with(DONE) => self.keep(DONE.len()),
                '{' | '[' | '}' | ']' | ',' => {
                    self.structure(c);
                    self.keep(1);
                }
                _ if is_of_word(c) => self.word(),
                _ => self.hide(c.len_utf8()),
            }
        }
        self.out
    }

    /// What stands before the data of a line, and lines without any.
    fn begin_line(&mut self) {
        match self.framing {
            Framing::Array => {}
            Framing::Lines => self.begin_event(),
            Framing::Events => {
                let line = self.rest.split(['\n', '\r']).next().unwrap_or_default();
                let (field, value) = line.split_once(':').unwrap_or((line, ""));
                if line.is_empty() {
                    self.begin_event();
                } else if !FIELDS.contains(&field) {
                    self.hide(line.len());
                } else {
                    self.keep(line.len() - value.len());
                    let is_known = field == "event" && is_term(value.strip_prefix(' ').unwrap_or(value));
                    if is_known {
                        self.keep(value.len());
                    } else if !DATA.contains(&field) {
                        self.hide(value.len());
                    }
                }
            }
        }
    }

    fn begin_event(&mut self) {
        self.open.clear();
        self.state = State::Json;
    }

    /// What a character outside strings opens or closes.
    fn structure(&mut self, c: char) {
        match c {
            '{' | '[' => {
                let is_object = c == '{';
                let (name, role) = match self.open.last() {
                    Some(outer) => (outer.name.clone(), outer.role_inside()),
                    None => (Some(String::new()), Role::Protocol),
                };
                self.open.push(Level { is_object, expects_name: is_object, name, role });
            }
            '}' | ']' => {
                if self.open.pop().is_none_or(|level| level.is_object != (c == '}')) {
                    self.state = State::Broken;
                }
            }
            _ => {
                if let Some(level) = self.open.last_mut() {
                    level.expects_name = level.is_object;
                }
            }
        }
    }

    fn string(&mut self) {
        let Some(end) = string_end(self.rest) else {
            // It goes on where nobody expects it.
            let line = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
            self.state = State::Broken;
            return self.hide(line);
        };
        let token = &self.rest[..end];
        let text = decoded(token);
        let masked = match self.open.last_mut() {
            None => mask_token(token, &mut PlainMask),
            Some(level) if level.expects_name => {
                level.expects_name = false;
                let is_kept = level.role == Role::Arguments || level.role == Role::Protocol && is_term(&text);
                level.name = is_kept.then_some(text);
                if is_kept {
                    return self.keep(end);
                }
                mask_token(token, &mut PlainMask)
            }
            Some(Level { name: Some(name), role: Role::Protocol, .. }) => {
                if is_kept(name, &text) {
                    return self.keep(end);
                }
                if let Some(masked) = (name == "bytes").then(|| frames::masked_chunk(&text, self.known)).flatten() {
                    self.rest = &self.rest[end..];
                    return self.out.push_str(&masked);
                }
                let key = PIECES.contains(&name.as_str()).then(|| self.known.pieces.take(&text)).flatten();
                match key {
                    Some(key) => mask_token(token, self.known.masks.entry(key).or_default()),
                    // The whole text so far, or once more.
                    None if ARGUMENTS.contains(&name.as_str()) && text.trim_start().starts_with('{') => {
                        mask_token(token, &mut ArgumentMask::default())
                    }
                    None => mask_token(token, &mut PlainMask),
                }
            }
            Some(_) => mask_token(token, &mut PlainMask),
        };
        self.out.push_str(&masked);
        self.rest = &self.rest[end..];
    }

    /// Numbers that the protocol needs stay; others are masked as in argument text.
    fn number(&mut self) {
        let end = self.rest.find(|c| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(self.rest.len());
        let name =
            self.open.last().filter(|level| level.role == Role::Protocol).and_then(|level| level.name.as_deref());
        if name.is_some_and(is_kept_number) {
            return self.keep(end);
        }
        self.mask(end, &mut ArgumentMask::default());
    }

    /// A word outside strings: a literal, or nothing that JSON knows.
    fn word(&mut self) {
        let end = self.rest.find(|c| !is_of_word(c)).unwrap_or(self.rest.len());
        if matches!(&self.rest[..end], "true" | "false" | "null") {
            self.keep(end);
        } else {
            self.hide(end);
        }
    }

    fn keep(&mut self, len: usize) {
        let (kept, rest) = self.rest.split_at(len);
        self.out.push_str(kept);
        self.rest = rest;
    }

    fn hide(&mut self, len: usize) {
        self.mask(len, &mut PlainMask);
    }

    fn mask(&mut self, len: usize, mask: &mut dyn Mask) {
        let (hidden, rest) = self.rest.split_at(len);
        self.out.extend(hidden.chars().map(|c| mask.next(c).unwrap_or(c)));
        self.rest = rest;
    }
}

impl Level {
    /// The role of a container that is one of its values.
    fn role_inside(&self) -> Role {
        match (self.role, &self.name) {
            (Role::Protocol, None) => Role::Hidden,
            (Role::Protocol, Some(name)) if ARGUMENTS.contains(&name.as_str()) => Role::Arguments,
            (role, _) => role,
        }
    }
}

fn is_of_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// One past the closing quote of the string that the text begins with; `None` if it is not closed in its line.
fn string_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut i = 1;
    loop {
        match bytes.get(i)? {
            b'"' => return Some(i + 1),
            b'\n' | b'\r' => return None,
            // An escaped character may be longer than one byte; its others are no quotes.
            b'\\' if !matches!(bytes.get(i + 1), Some(b'\n' | b'\r')) => i += 2,
            _ => i += 1,
        }
    }
}

/// The text of a string's token; a token with broken escapes, or with halves of surrogate pairs, as it is.
fn decoded(token: &str) -> String {
    serde_json::from_str(token).unwrap_or_else(|_| token.to_owned())
}

/// A string's token with its contents masked and its escapes kept.
fn mask_token(token: &str, mask: &mut dyn Mask) -> String {
    let mut out = String::with_capacity(token.len());
    out.push('"');
    let mut chars = token[1..token.len() - 1].chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(mask.next(c).unwrap_or(c));
            continue;
        }
        out.push('\\');
        match chars.next() {
            Some('u') => {
                out.push('u');
                let digits: String = chars.by_ref().take(4).collect();
                match u32::from_str_radix(&digits, 16) {
                    Ok(code) if digits.len() == 4 => {
                        let hides = mask.next(char::from_u32(code).unwrap_or('文')).is_some();
                        let mut unicode = UnicodeMask::default();
                        out.extend(digits.chars().map(|c| if hides { unicode.next(c).unwrap_or(c) } else { c }));
                    }
                    _ => out.extend(digits.chars().map(|c| PlainMask.next(c).unwrap_or(c))),
                }
            }
            Some(c) => {
                let meant = match c {
                    '"' | '\\' | '/' => Some(c),
                    'n' => Some('\n'),
                    't' => Some('\t'),
                    'r' => Some('\r'),
                    'b' => Some('\u{8}'),
                    'f' => Some('\u{c}'),
                    _ => None,
                };
                match meant {
                    Some(meant) => {
                        out.push(c);
                        mask.next(meant);
                    }
                    // No escape of JSON.
                    None => out.push(PlainMask.next(c).unwrap_or(c)),
                }
            }
            None => {}
        }
    }
    out.push('"');
    out
}

/// The fields of an event stream; the empty one is a comment.
const FIELDS: [&str; 6] = ["", "data", "error", "event", "id", "retry"];

/// Those that hold JSON; the second is of old servers.
const DATA: [&str; 2] = ["data", "error"];

/// The last event of the formats that have one.
const DONE: &str = "[DONE]";

const BOM: char = '\u{feff}';

#[cfg(test)]
mod tests;
