//! Escapes of strings (RFC 8259, section 7), one byte at a time, with surrogate pairs.

use super::inside;
use crate::text::wide;
use crate::verdict::code::Code;

/// An escape in progress, and the high surrogate that waits for its partner.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Escape {
    /// Offset of the backslash.
    at: u32,
    /// Hexadecimal digits read, plus one; 0 right after the backslash.
    stage: u8,
    value: u16,
    /// 0 if none waits (no high surrogate is 0).
    high: u16,
    high_at: u32,
}

/// What one more byte made of the escape.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Escaped {
    /// Not complete yet.
    More,
    /// A character.
    Char(char),
    /// A high surrogate: held back until its partner comes.
    High,
    /// This byte cannot go on: code and the offset that it speaks of.
    Rejected(Code, u32),
}

/// The character of a two-character escape, if `byte` names one; 0 otherwise.
#[inline]
pub(crate) fn simple(byte: u8) -> u8 {
    SIMPLE[byte as usize]
}

static SIMPLE: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[b'/' as usize] = b'/';
    table[b'b' as usize] = 0x08;
    table[b'f' as usize] = 0x0c;
    table[b'n' as usize] = b'\n';
    table[b'r' as usize] = b'\r';
    table[b't' as usize] = b'\t';
    table
};

impl Escape {
    /// A backslash at offset `at`.
    pub(crate) fn begin(&mut self, at: u32) {
        self.at = at;
        self.stage = 0;
        self.value = 0;
    }

    /// The offset of the high surrogate's backslash, if one waits.
    pub(crate) fn waiting(&self) -> Option<u32> {
        (self.high != 0).then_some(self.high_at)
    }

    /// Reads `byte`, which stands at offset `at`.
    pub(crate) fn step(&mut self, byte: u8, at: u32) -> Escaped {
        if self.stage == 0 {
            return self.first(byte, at);
        }
        let Some(digit) = (byte as char).to_digit(16) else { return Escaped::Rejected(Code::InvalidEscape, at) };
        self.value = self.value << 4 | digit as u16;
        self.stage += 1;
        // After two digits it is known whether this is a surrogate, and which half.
        let top = if self.stage == 3 { (self.value & 0xfc) as u8 } else { 0 };
        if self.high != 0 {
            let can_be_low = match self.stage {
                2 => self.value == 0xd,
                3 => top == 0xdc,
                _ => true,
            };
            if !can_be_low {
                return Escaped::Rejected(Code::LoneSurrogate, self.high_at);
            }
        } else if top == 0xdc {
            return Escaped::Rejected(Code::LoneSurrogate, self.at);
        }
        if self.stage < 5 { Escaped::More } else { self.complete() }
    }

    fn first(&mut self, byte: u8, at: u32) -> Escaped {
        if byte == b'u' {
            self.stage = 1;
            return Escaped::More;
        }
        match simple(byte) {
            0 => Escaped::Rejected(Code::InvalidEscape, at),
            _ if self.high != 0 => Escaped::Rejected(Code::LoneSurrogate, self.high_at),
            character => Escaped::Char(character as char),
        }
    }

    fn complete(&mut self) -> Escaped {
        if self.high != 0 {
            let pair = 0x10000 + (u32::from(self.high & 0x3ff) << 10) + u32::from(self.value & 0x3ff);
            self.high = 0;
            return Escaped::Char(char::from_u32(pair).expect("two halves make a supplementary code point"));
        }
        match char::from_u32(u32::from(self.value)) {
            Some(character) => Escaped::Char(character),
            None => {
                self.high = self.value;
                self.high_at = self.at;
                Escaped::High
            }
        }
    }
}

/// Appends what `raw`, text from inside of a string that the machine has read, stands for; how many bytes were decoded.
/// What is not complete at its end, an escape or half of a surrogate pair, is left.
pub(crate) fn decode(raw: &str, decoded: &mut String) -> usize {
    let mut done = 0;
    while let Some(plain) = memchr::memchr(b'\\', &raw.as_bytes()[done..]) {
        let at = done + plain;
        decoded.push_str(&raw[done..at]);
        let Some((character, len)) = character(&raw.as_bytes()[at..]) else { return at };
        decoded.push(character);
        done = at + len;
    }
    decoded.push_str(&raw[done..]);
    raw.len()
}

/// [`decode`] of up to [`SHORT`](wide::SHORT) bytes of quiet text, all of which is decoded before it. `escaped`: but for
/// the backslash that stands there. No branch depends on where the escapes stand.
pub(crate) fn decode_quiet(raw: &str, escaped: bool, decoded: &mut String) -> usize {
    let bytes = raw.as_bytes();
    if !escaped && inside::backslashes(bytes) == 0 {
        append(decoded, raw);
        return raw.len();
    }
    let mut out = [0; wide::SHORT];
    let mut len = 0;
    let mut after_backslash = escaped;
    for &byte in bytes.iter().take(out.len()) {
        out[len % wide::SHORT] = if after_backslash { simple(byte) } else { byte };
        after_backslash = byte == b'\\';
        len += usize::from(!after_backslash);
    }
    append(decoded, std::str::from_utf8(&out[..len]).unwrap_or_default());
    raw.len() + usize::from(escaped) - usize::from(after_backslash)
}

fn append(decoded: &mut String, text: &str) {
    if !wide::append(decoded, text) {
        decoded.push_str(text);
    }
}

/// The character of the complete escape that `bytes` begin with, and the escape's length.
fn character(bytes: &[u8]) -> Option<(char, usize)> {
    match simple(*bytes.get(1)?) {
        0 => {}
        character => return Some((character as char, 2)),
    }
    let mut escape = Escape::default();
    for (at, &byte) in bytes.iter().enumerate() {
        if at % UNIT == 0 {
            escape.begin(at as u32);
            continue;
        }
        match escape.step(byte, at as u32) {
            Escaped::Char(character) => return Some((character, at + 1)),
            Escaped::High | Escaped::More => {}
            Escaped::Rejected(..) => return None,
        }
    }
    None
}

/// Bytes of a `\u` escape.
const UNIT: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Escaped {
        let mut escape = Escape::default();
        let mut last = Escaped::More;
        for (at, byte) in text.bytes().enumerate() {
            if byte == b'\\' && matches!(last, Escaped::High | Escaped::More) {
                escape.begin(at as u32);
                continue;
            }
            last = escape.step(byte, at as u32);
        }
        last
    }

    #[test]
    fn pairs_and_halves() {
        assert_eq!(read("\\ud83d\\ude00"), Escaped::Char('😀'));
        assert_eq!(read("\\u0041"), Escaped::Char('A'));
        assert_eq!(read("\\n"), Escaped::Char('\n'));
        assert_eq!(read("\\uFFFF"), Escaped::Char('\u{ffff}'));
        assert_eq!(read("\\ud83d"), Escaped::High);
        assert_eq!(read("\\udc"), Escaped::Rejected(Code::LoneSurrogate, 0));
        assert_eq!(read("\\ud83d\\u0"), Escaped::Rejected(Code::LoneSurrogate, 0));
        assert_eq!(read("\\ud83d\\ud8"), Escaped::Rejected(Code::LoneSurrogate, 0));
        assert_eq!(read("\\ud83d\\n"), Escaped::Rejected(Code::LoneSurrogate, 0));
        assert_eq!(read("\\ud83d\\q"), Escaped::Rejected(Code::InvalidEscape, 7));
        assert_eq!(read("\\u00g"), Escaped::Rejected(Code::InvalidEscape, 4));
    }

    #[test]
    fn what_is_not_complete_is_left() {
        let raw = "a\\n\\u00e4\\ud83d\\ude00 \\\\\"";
        let whole = "a\nä😀 \\\"";
        for cut in 0..=raw.len() {
            let mut decoded = String::new();
            let done = decode(&raw[..cut], &mut decoded);
            assert!(whole.starts_with(&decoded) && done <= cut);
            assert_eq!(decode(&raw[done..], &mut decoded), raw.len() - done);
            assert_eq!(decoded, whole, "cut at {cut}");
        }
    }
}
