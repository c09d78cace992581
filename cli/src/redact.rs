//! The same stream with its contents masked, for bug reports.
//!
//! What the protocol needs stays: framing, keys, types, reasons, ids and tool names. Argument text keeps its form
//! ([`ArgumentMask`]), so that a masked stream gets the verdicts of the stream.

use std::collections::{HashMap, VecDeque};
use std::path::Path;

use argseal::{Assembler, Key, Signal};

use crate::failure::Failure;
use crate::input;
use crate::mask::{ArgumentMask, Mask, PlainMask, UnicodeMask};

/// Reads a stream of events in text, and writes it masked.
pub(crate) struct Redaction {
    bytes: Vec<u8>,
    pieces: Pieces,
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
    pub(crate) fn read(path: &Path, assembler: &mut Assembler) -> Result<Self, Failure> {
        let bytes = input::read(path)?;
        if bytes.first() == Some(&0) {
            return Err(Failure::Unusable(
                "--redact masks event streams and JSON lines; AWS binary frames carry checksums: decode them first"
                    .to_owned(),
            ));
        }
        let mut pieces = Pieces::default();
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            assembler.push(line, &mut |signal| pieces.hear(&signal));
        }
        Ok(Self { bytes, pieces })
    }

    /// Writes the masked stream to a file.
    pub(crate) fn write(self, path: &Path) -> Result<(), Failure> {
        let text = String::from_utf8_lossy(&self.bytes);
        let masked = Walk::new(&text, self.pieces).run();
        std::fs::write(path, masked).map_err(|error| Failure::unwritable(&path.display().to_string(), &error))
    }
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

/// Goes through the stream's text once.
struct Walk<'t> {
    rest: &'t str,
    out: String,
    framing: Framing,
    pieces: Pieces,
    masks: HashMap<Key, ArgumentMask>,
    open: Vec<Level>,
    plain: PlainMask,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Framing {
    Array,
    Events,
    Lines,
}

/// One open container of an event.
#[derive(Clone, Debug)]
struct Level {
    is_object: bool,
    expects_name: bool,
    /// The name under which its values stand: in an array, that of the array.
    name: String,
    /// Whether it is, or is in, an object of arguments.
    is_arguments: bool,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str, pieces: Pieces) -> Self {
        let framing = match text.trim_start().bytes().next() {
            Some(b'{') => Framing::Lines,
            Some(b'[') => Framing::Array,
            _ => Framing::Events,
        };
        let out = String::with_capacity(text.len());
        Self { rest: text, out, framing, pieces, masks: HashMap::new(), open: Vec::new(), plain: PlainMask }
    }

    fn run(mut self) -> String {
        self.begin_line();
        while let Some(c) = self.rest.chars().next() {
            match c {
                '\n' | '\r' => {
                    self.keep(1);
                    self.begin_line();
                }
                '"' if !self.open.is_empty() => self.string(),
                '-' | '0'..='9' => self.number(),
                _ => {
                    self.structure(c);
                    self.keep(c.len_utf8());
                }
            }
        }
        self.out
    }

    /// What stands before the data of a line, and lines without any.
    fn begin_line(&mut self) {
        match self.framing {
            Framing::Array => {}
            Framing::Lines => self.open.clear(),
            Framing::Events => {
                let line = self.rest.split(['\n', '\r']).next().unwrap_or_default();
                if line.is_empty() {
                    self.open.clear();
                } else if let Some(field) = DATA.iter().find(|field| line.starts_with(*field)) {
                    self.keep(field.len());
                } else if FIELDS.iter().any(|field| line.starts_with(field)) {
                    self.keep(line.len());
                } else if !line.starts_with('{') {
                    let masked: String = line.chars().map(|c| self.plain.next(c).unwrap_or(c)).collect();
                    self.out.push_str(&masked);
                    self.rest = &self.rest[line.len()..];
                }
            }
        }
    }

    /// What a character outside strings opens or closes.
    fn structure(&mut self, c: char) {
        match c {
            '{' | '[' => {
                let is_object = c == '{';
                let level = match self.open.last() {
                    Some(outer) => Level {
                        is_object,
                        expects_name: is_object,
                        name: outer.name.clone(),
                        is_arguments: outer.is_arguments || ARGUMENTS.contains(&outer.name.as_str()),
                    },
                    None => Level { is_object, expects_name: is_object, name: String::new(), is_arguments: false },
                };
                self.open.push(level);
            }
            '}' | ']' => {
                self.open.pop();
            }
            ',' => {
                if let Some(level) = self.open.last_mut() {
                    level.expects_name = level.is_object;
                }
            }
            _ => {}
        }
    }

    fn string(&mut self) {
        let end = string_end(self.rest);
        let token = &self.rest[..end];
        let Some(level) = self.open.last_mut() else { return };
        if level.expects_name {
            level.expects_name = false;
            level.name = decoded(token);
            return self.keep(end);
        }
        let name = level.name.clone();
        if !level.is_arguments && KEPT.contains(&name.as_str()) {
            return self.keep(end);
        }
        let text = decoded(token);
        let key = if level.is_arguments || !PIECES.contains(&name.as_str()) { None } else { self.pieces.take(&text) };
        let is_arguments = !level.is_arguments && ARGUMENTS.contains(&name.as_str());
        let masked = match key {
            Some(key) => mask_token(token, self.masks.entry(key).or_default()),
            // The whole text so far, or once more.
            None if is_arguments && text.trim_start().starts_with('{') => {
                mask_token(token, &mut ArgumentMask::default())
            }
            None => mask_token(token, &mut self.plain),
        };
        self.out.push_str(&masked);
        self.rest = &self.rest[end..];
    }

    /// Numbers of the protocol stay; those of the arguments are masked as in argument text.
    fn number(&mut self) {
        let end = self.rest.find(|c| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(self.rest.len());
        let is_value = self.open.last().is_some_and(|level| level.is_arguments || level.name == "numberValue");
        if !is_value {
            return self.keep(end);
        }
        let mut mask = ArgumentMask::default();
        let masked: String = self.rest[..end].chars().map(|c| mask.next(c).unwrap_or(c)).collect();
        self.out.push_str(&masked);
        self.rest = &self.rest[end..];
    }

    fn keep(&mut self, len: usize) {
        let (kept, rest) = self.rest.split_at(len);
        self.out.push_str(kept);
        self.rest = rest;
    }
}

/// One past the closing quote of the string that the text begins with; the end of the line if it is not closed there.
fn string_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut i = 1;
    while let Some(&byte) = bytes.get(i) {
        match byte {
            b'"' => return i + 1,
            b'\n' | b'\r' => return i,
            // An escaped character may be longer than one byte; its others are no quotes.
            b'\\' => i += 2,
            _ => i += 1,
        }
    }
    text.len()
}

/// The text of a string's token; broken escapes, and halves of surrogate pairs, are left out.
fn decoded(token: &str) -> String {
    serde_json::from_str(token).unwrap_or_else(|_| token.to_owned())
}

/// A string's token with its contents masked and its escapes kept.
fn mask_token(token: &str, mask: &mut dyn Mask) -> String {
    let closed = token.len() > 1 && token.ends_with('"');
    let inner = &token[1..token.len() - usize::from(closed)];
    let mut out = String::with_capacity(token.len());
    out.push('"');
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(mask.next(c).unwrap_or(c));
            continue;
        }
        out.push('\\');
        match chars.next() {
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).unwrap_or_default();
                let hides = mask.next(char::from_u32(code).unwrap_or('文')).is_some();
                let mut unicode = UnicodeMask::default();
                out.push('u');
                out.extend(digits.chars().map(|c| if hides { unicode.next(c).unwrap_or(c) } else { c }));
            }
            Some(c) => {
                out.push(c);
                mask.next(match c {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    _ => c,
                });
            }
            None => {}
        }
    }
    if closed {
        out.push('"');
    }
    out
}

/// Fields of an event stream that hold JSON; the second is of old servers.
const DATA: [&str; 2] = ["data:", "error:"];

/// Fields of an event stream that hold no contents, and comments.
const FIELDS: [&str; 4] = ["event:", "id:", "retry:", ":"];

/// Members that hold pieces of argument text.
const PIECES: [&str; 4] = ["arguments", "delta", "input", "partial_json"];

/// Members that hold arguments, as an object or as text.
const ARGUMENTS: [&str; 4] = ["args", "arguments", "input", "partial_json"];

/// Members whose strings the protocol needs: kinds, reasons, ids, names.
const KEPT: [&str; 36] = [
    "call_id",
    "code",
    "delta_type",
    "done_reason",
    "event",
    "event_type",
    "finishReason",
    "finish_reason",
    "function_name",
    "id",
    "item_id",
    "jsonPath",
    "message_id",
    "model",
    "modelVersion",
    "name",
    "native_finish_reason",
    "object",
    "previous_response_id",
    "provider",
    "reason",
    "request_id",
    "responseId",
    "response_id",
    "role",
    "service_tier",
    "status",
    "stopReason",
    "stop_reason",
    "system_fingerprint",
    "toolUseId",
    "tool_call_id",
    "tool_use_id",
    "type",
    "created_at",
    "tool_choice",
];
