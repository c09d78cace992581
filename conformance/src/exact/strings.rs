//! Strings: escapes, pairs of surrogates, UTF-8.

use super::{Halves, Reader, Stop};
use crate::tree::Text;

impl Reader<'_> {
    /// Reads a string from its opening quote past its closing one; `text` gets the code points that are whole.
    pub(super) fn string(&mut self, text: &mut Text) -> Result<(), Stop> {
        self.at += 1;
        loop {
            match self.peek().ok_or(Stop::Cut)? {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.escape(text)?,
                0..=0x1f => return Err(self.broken()),
                byte if byte < 0x80 => {
                    self.at += 1;
                    text.0.push(byte.into());
                }
                byte => {
                    let point = self.sequence(byte)?;
                    text.0.push(point);
                }
            }
        }
    }

    fn escape(&mut self, text: &mut Text) -> Result<(), Stop> {
        self.at += 1;
        let point = match self.peek().ok_or(Stop::Cut)? {
            byte @ (b'"' | b'\\' | b'/') => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                self.at += 1;
                return self.unicode(text);
            }
            _ => return Err(self.broken()),
        };
        self.at += 1;
        text.0.push(point.into());
        Ok(())
    }

    /// The four digits after `\u`, and the other half of a pair.
    fn unicode(&mut self, text: &mut Text) -> Result<(), Stop> {
        let strict = self.halves == Halves::Refused;
        // `dc` to `df` begin a second half: here it would stand alone.
        let high = self.hex(|read, count| !strict || count != 2 || !(0xdc..=0xdf).contains(&read))?;
        if !(0xd800..0xdc00).contains(&high) {
            text.0.push(high);
            return Ok(());
        }
        let here = self.at;
        for expected in *b"\\u" {
            match self.peek() {
                None => return Err(Stop::Cut),
                Some(byte) if byte == expected => self.at += 1,
                Some(_) if strict => return Err(self.broken()),
                Some(_) => {
                    self.at = here;
                    text.0.push(high);
                    return Ok(());
                }
            }
        }
        let low = self.hex(|read, count| match count {
            1 => !strict || read == 0xd,
            2 => !strict || (0xdc..=0xdf).contains(&read),
            _ => true,
        })?;
        if (0xdc00..0xe000).contains(&low) {
            text.0.push(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
        } else {
            self.at = here;
            text.0.push(high);
        }
        Ok(())
    }

    /// Four hexadecimal digits; `allowed` is asked after each, of the value and the count so far.
    fn hex(&mut self, allowed: impl Fn(u32, usize) -> bool) -> Result<u32, Stop> {
        let mut read = 0;
        for count in 1..=4 {
            let byte = self.peek().ok_or(Stop::Cut)?;
            let Some(digit) = char::from(byte).to_digit(16) else { return Err(self.broken()) };
            read = read << 4 | digit;
            if !allowed(read, count) {
                return Err(self.broken());
            }
            self.at += 1;
        }
        Ok(read)
    }

    /// A UTF-8 sequence of more than one byte (RFC 3629, section 4).
    fn sequence(&mut self, first: u8) -> Result<u32, Stop> {
        let (length, second) = match first {
            0xc2..=0xdf => (2, 0x80..=0xbf),
            0xe0 => (3, 0xa0..=0xbf),
            0xe1..=0xec | 0xee | 0xef => (3, 0x80..=0xbf),
            0xed => (3, 0x80..=0x9f),
            0xf0 => (4, 0x90..=0xbf),
            0xf1..=0xf3 => (4, 0x80..=0xbf),
            0xf4 => (4, 0x80..=0x8f),
            _ => return Err(self.broken()),
        };
        let start = self.at;
        self.at += 1;
        for place in 1..length {
            let byte = self.peek().ok_or(Stop::Cut)?;
            let fits = if place == 1 { second.contains(&byte) } else { (0x80..=0xbf).contains(&byte) };
            if !fits {
                return Err(self.broken());
            }
            self.at += 1;
        }
        let bytes = &self.text[start..self.at];
        let lead = u32::from(first) & (0x7f >> length);
        Ok(bytes[1..].iter().fold(lead, |point, &byte| point << 6 | u32::from(byte & 0x3f)))
    }
}
