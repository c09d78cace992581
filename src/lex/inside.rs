//! Inside of strings: the hot path of the engine.
//!
//! Quiet text is plain text and its common escapes. It costs the same whatever it holds, because where escapes stand
//! cannot be predicted. After quiet text a backslash is always that of an escape, so nothing else is carried from block
//! to block.

use crate::text::wide::{self, BLOCK, Marks};

/// A quote, a backslash or a control character: what ends a plain run (RFC 8259, section 7). Byte by byte, for comparison.
#[cfg(any(test, feature = "_internals"))]
pub(crate) const fn is_special(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// Which text of a string is quiet: plain text, and the escapes that it may hold.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum Quiet {
    /// No escape.
    #[default]
    Plain,
    /// `\n`, `\"`, `\t` and `\r`.
    Common,
}

/// Whether all of `text`, from one byte to [`SHORT`](wide::SHORT), is quiet. `escaped` is 1 if the byte before it is the
/// backslash of an escape, else 0.
///
/// Loads that overlap, because a loop over a length that cannot be predicted would cost more than the rest.
#[inline(always)]
pub(crate) fn is_quiet(text: &[u8], escaped: u32, quiet: Quiet) -> bool {
    let len = text.len();
    if let (Some(first), Some(last), true) = (text.first_chunk(), text.last_chunk(), len > BLOCK) {
        let (first, last) = (wide::block(first), wide::block(last));
        return match quiet {
            Quiet::Plain => wide::specials(first) | wide::specials(last) == 0,
            Quiet::Common => loud_ends(wide::marks(first).then(wide::marks(last)), escaped, BLOCK, len) == 0,
        };
    }
    let (block, half) = if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        ([u64::from_le_bytes(*first), u64::from_le_bytes(*last)], 8)
    } else if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let both = u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
        ([both, FILL], 4)
    } else {
        let few = text.iter().rev().fold(FILL, |few, &byte| few << 8 | u64::from(byte));
        return match quiet {
            Quiet::Plain => wide::specials([few, FILL]) == 0,
            Quiet::Common => loud(wide::marks([few, FILL]), escaped) == 0,
        };
    };
    match quiet {
        Quiet::Plain => wide::specials(block) == 0,
        Quiet::Common => loud_ends(wide::marks(block), escaped, half, len) == 0,
    }
}

/// The backslashes of up to [`SHORT`](wide::SHORT) bytes: one bit a byte, that of the first byte lowest.
#[inline]
pub(crate) fn backslashes(text: &[u8]) -> u32 {
    let len = text.len();
    let backslashes = |block| wide::marks(block).backslash;
    if let (Some(first), Some(last)) = (text.first_chunk::<BLOCK>(), text.last_chunk::<BLOCK>()) {
        return backslashes(wide::block(first)) | backslashes(wide::block(last)) << (len - BLOCK);
    }
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let both = backslashes([u64::from_le_bytes(*first), u64::from_le_bytes(*last)]);
        return both & 0xff | both >> 8 << (len - 8);
    }
    text.iter().rev().fold(0, |found, &byte| found << 1 | u32::from(byte == b'\\'))
}

/// The length of the quiet text that `text` begins with. `escaped` as for [`is_quiet`].
#[inline]
pub(crate) fn quiet_run(text: &[u8], escaped: u32, quiet: Quiet) -> usize {
    match quiet {
        Quiet::Plain => run(text, 0, |block, _| (wide::specials(block), 0)),
        Quiet::Common => run(text, escaped, |block, escaped| {
            let marks = wide::marks(block);
            (loud(marks, escaped), marks.backslash >> (BLOCK - 1))
        }),
    }
}

/// Goes from block to block as long as `find` finds nothing, and passes on what it says of the next one; how far it came.
#[inline(always)]
fn run(text: &[u8], mut escaped: u32, find: impl Fn([u64; 2], u32) -> (u32, u32)) -> usize {
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    for (i, bytes) in blocks.iter().enumerate() {
        let (found, next) = find(wide::block(bytes), escaped);
        if found != 0 {
            return i * BLOCK + found.trailing_zeros() as usize;
        }
        escaped = next;
    }
    let mut last = [b'n'; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let (found, _) = find(wide::block(&last), escaped);
    text.len() - rest.len() + if found == 0 { rest.len() } else { found.trailing_zeros() as usize }
}

/// The bytes that are not quiet. The first one is exact: what follows it may be misread.
#[inline(always)]
fn loud(marks: Marks, escaped: u32) -> u32 {
    let escaped = marks.backslash << 1 | escaped;
    escaped & marks.uncommon | marks.end & !escaped
}

/// [`loud`] of the first and the last `half` bytes of a text of `len` bytes, next to each other.
#[inline(always)]
fn loud_ends(marks: Marks, escaped: u32, half: usize, len: usize) -> u32 {
    let escaped = marks.backslash << 1 | escaped;
    // Whether the last half begins with an escaped byte is known from the first one.
    let between = escaped >> (len - half) & 1;
    let escaped = escaped & !(1 << half) | between << half;
    escaped & marks.uncommon | marks.end & !escaped
}

/// Bytes that are quiet after any byte.
const FILL: u64 = u64::from_le_bytes([b'n'; 8]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_is_told_apart() {
        for len in 0..50 {
            for place in 0..len {
                for byte in 0..=255u8 {
                    let mut bytes = vec![b'x'; len];
                    bytes[place] = byte;
                    let plain = bytes.iter().position(|&b| is_special(b)).unwrap_or(len);
                    assert_eq!(quiet_run(&bytes, 0, Quiet::Plain), plain, "byte {byte:#x} at {place} of {len}");
                    if (1..=wide::SHORT).contains(&len) {
                        let quiet = is_quiet(&bytes, 0, Quiet::Plain);
                        assert_eq!(quiet, plain == len, "byte {byte:#x} at {place} of {len}");
                    }
                }
            }
        }
    }

    /// [`quiet_run`], byte by byte.
    fn slow_run(text: &[u8], escaped: u32, quiet: Quiet) -> usize {
        let mut escaped = escaped == 1;
        for (at, &byte) in text.iter().enumerate() {
            let is_loud = match escaped {
                true => !b"n\"tr".contains(&byte),
                false => is_special(byte) && (byte != b'\\' || quiet == Quiet::Plain),
            };
            if is_loud {
                return at;
            }
            escaped = byte == b'\\';
        }
        text.len()
    }

    const STATES: [(u32, Quiet); 3] = [(0, Quiet::Plain), (0, Quiet::Common), (1, Quiet::Common)];

    #[test]
    fn quiet_is_what_byte_by_byte_says() {
        let alphabet = [b'\\', b'\\', b'"', b'n', b'u', b'x', b'x', b'x', 0x1f, 0x20, 0xe4, b'/'];
        let mut random = 1u64;
        let mut quiets = 0;
        for round in 0..20_000u64 {
            let text: [u8; 90] = std::array::from_fn(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Most rounds hold few special bytes, so that many of them are quiet.
                let spread = if round % 4 == 0 { alphabet.len() } else { 60 };
                *alphabet.get((random >> 33) as usize % spread).unwrap_or(&b'x')
            });
            let text = &text[..(round % 90) as usize + 1];
            for (escaped, quiet) in STATES {
                let slow = slow_run(text, escaped, quiet);
                assert_eq!(quiet_run(text, escaped, quiet), slow, "{text:x?}, {escaped}, {quiet:?}");
                if text.len() <= wide::SHORT {
                    let all = slow == text.len();
                    quiets += usize::from(all);
                    assert_eq!(is_quiet(text, escaped, quiet), all, "{text:x?}, {escaped}, {quiet:?}");
                }
            }
        }
        assert!(quiets > 1000, "{quiets} texts are quiet");
    }

    #[test]
    fn backslashes_are_found_where_they_stand() {
        for len in 1..=wide::SHORT {
            for places in [0, 1, 0b101, 0x8421_8421, u32::MAX, 1 << (len - 1)] {
                let text: Vec<u8> = (0..len).map(|i| if places >> i & 1 == 1 { b'\\' } else { b'n' }).collect();
                assert_eq!(backslashes(&text), places & (u32::MAX >> (wide::SHORT - len)), "{len}");
            }
        }
    }

    #[test]
    fn every_pair_is_read_as_byte_by_byte_says() {
        for first in 0..=255u8 {
            for second in 0..=255u8 {
                let mut text = [b'x'; 31];
                (text[14], text[15]) = (first, second);
                for (escaped, quiet) in STATES {
                    let slow = slow_run(&text, escaped, quiet);
                    assert_eq!(quiet_run(&text, escaped, quiet), slow, "{first:x} {second:x}");
                    assert_eq!(is_quiet(&text, escaped, quiet), slow == text.len(), "{first:x} {second:x}");
                }
            }
        }
    }

    #[test]
    fn text_is_quiet_up_to_an_escape_that_is_not_common() {
        for (text, escaped, len) in [
            (r#"say \"hi\"\n\t\r and more than a block of it"#, 0, 44),
            (r"a path C:\\temp that goes on", 0, 10),
            (r"a letter \u00e4 that goes on", 0, 10),
            (r#"a string", and what follows it"#, 0, 8),
            ("n and more than a block of it", 1, 29),
            ("u0041 and more than a block of it", 1, 0),
        ] {
            assert_eq!(quiet_run(text.as_bytes(), escaped, Quiet::Common), len, "{text}");
        }
    }
}
