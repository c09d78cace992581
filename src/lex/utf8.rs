//! UTF-8 sequences, one byte at a time (RFC 3629, section 4): what waits when a delta of bytes ends inside of one.

/// The bytes of a sequence that is not complete yet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carry {
    bytes: [u8; 4],
    len: u8,
}

/// What one more byte made of the sequence.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Step {
    Complete(char),
    Invalid,
    More,
}

impl Carry {
    /// The beginning of a sequence, of up to three bytes.
    pub(crate) fn of(cut: &[u8]) -> Self {
        // So few bytes are copied sooner than a copy of unknown length begins.
        let [a, b, c] = [0, 1, 2].map(|i| cut.get(i).copied().unwrap_or_default());
        Self { bytes: [a, b, c, 0], len: cut.len() as u8 }
    }

    /// [`bytes`](Self::bytes), and what fills them up to four.
    pub(crate) fn filled(&self) -> &[u8; 4] {
        &self.bytes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }

    /// Reads `byte`: the lead byte if nothing waits. The carry is empty after a complete character; after an invalid
    /// byte it keeps what came before that byte.
    pub(crate) fn step(&mut self, byte: u8) -> Step {
        let fits = match self.len {
            0 => need(byte) > 0,
            1 => continuation(self.bytes[0]).contains(&byte),
            _ => (0x80..=0xbf).contains(&byte),
        };
        if !fits {
            return Step::Invalid;
        }
        self.bytes[self.len as usize] = byte;
        self.len += 1;
        if self.len <= need(self.bytes[0]) {
            return Step::More;
        }
        let character = std::str::from_utf8(self.bytes()).ok().and_then(|text| text.chars().next());
        self.len = 0;
        Step::Complete(character.expect("the ranges admit well-formed sequences only"))
    }
}

/// Splits off the sequence that `bytes` end inside of, if they do.
#[inline]
pub(crate) fn split_cut(bytes: &[u8]) -> (&[u8], &[u8]) {
    let tail = bytes.iter().rev().take(3).position(|byte| !(0x80..=0xbf).contains(byte)).unwrap_or(bytes.len());
    let Some(start) = bytes.len().checked_sub(tail + 1) else { return (bytes, &[]) };
    let (head, cut) = bytes.split_at(start);
    let is_cut =
        cut.len() <= need(cut[0]) as usize && cut.get(1).is_none_or(|byte| continuation(cut[0]).contains(byte));
    if is_cut { (head, cut) } else { (bytes, &[]) }
}

/// How many bytes follow this lead byte; 0 for a byte that leads no sequence of two to four.
const fn need(lead: u8) -> u8 {
    match lead {
        0xc2..=0xdf => 1,
        0xe0..=0xef => 2,
        0xf0..=0xf4 => 3,
        _ => 0,
    }
}

/// The second bytes that this lead byte allows: no overlong form, no surrogate, nothing above U+10FFFF.
const fn continuation(lead: u8) -> std::ops::RangeInclusive<u8> {
    match lead {
        0xe0 => 0xa0..=0xbf,
        0xed => 0x80..=0x9f,
        0xf0 => 0x90..=0xbf,
        0xf4 => 0x80..=0x8f,
        _ => 0x80..=0xbf,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_sequence_is_split_off_as_the_standard_library_finds_it() {
        let alphabet = [
            0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf4,
            0xf5, 0xff,
        ];
        for index in 0..alphabet.len().pow(4) {
            let bytes: Vec<u8> =
                (0..4).map(|place| alphabet[index / alphabet.len().pow(place) % alphabet.len()]).collect();
            for len in 0..=4 {
                let (head, cut) = split_cut(&bytes[..len]);
                assert_eq!([head, cut].concat(), bytes[..len]);
                assert!(cut.is_empty() || std::str::from_utf8(cut).is_err_and(|error| error.error_len().is_none()));
                if let Err(error) = std::str::from_utf8(&bytes[..len])
                    && error.error_len().is_none()
                {
                    assert_eq!(head.len(), error.valid_up_to(), "{:x?}", &bytes[..len]);
                }
            }
        }
    }

    #[test]
    fn agrees_with_the_standard_library_on_every_short_sequence() {
        for lead in 0x80..=0xffu8 {
            for second in 0..=255u8 {
                for third in [0x00, 0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xff] {
                    let bytes = [lead, second, third, 0x80];
                    let mut carry = Carry::default();
                    let mut got = None;
                    for (i, &byte) in bytes.iter().enumerate() {
                        match carry.step(byte) {
                            Step::More => {}
                            Step::Complete(c) => got = got.or(Some(Ok((i + 1, c)))),
                            Step::Invalid => got = got.or(Some(Err(i))),
                        }
                        if got.is_some() {
                            break;
                        }
                    }
                    let want = (1..=4).find_map(|n| {
                        let text = std::str::from_utf8(&bytes[..n]).ok()?;
                        Some((n, text.chars().next()?))
                    });
                    assert_eq!(got.and_then(Result::ok), want, "{bytes:x?}");
                }
            }
        }
    }
}
