//! Inside of strings: the hot path of the engine.
//!
//! Sixteen bytes are looked at as a whole, in a form that compilers turn into vector comparisons without a branch: text
//! and its common escapes ([`quiet`]) then cost the same whatever they hold, because where escapes stand cannot be
//! predicted. What is not quiet is read from special byte to special byte ([`plain_run`]).

/// How many bytes are looked at as a whole.
pub(crate) const BLOCK: usize = 16;
/// Two blocks and the byte before them.
const PAIR: usize = 2 * BLOCK + 1;
const WORD: usize = 8;
const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// A quote, a backslash or a control character: what ends a plain run (RFC 8259, section 7).
#[inline]
pub(crate) const fn is_special(byte: u8) -> bool {
    (byte < 0x20) | (byte == b'"') | (byte == b'\\')
}

/// Number of bytes before the first special one.
#[inline]
pub(crate) fn plain_run(bytes: &[u8]) -> usize {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let plain = blocks.iter().take_while(|block| !holds_special(block)).count() * BLOCK;
    let (words, rest) = bytes[plain..].as_chunks::<WORD>();
    for (i, word) in words.iter().enumerate() {
        let mask = special_mask(u64::from_le_bytes(*word));
        if mask != 0 {
            return plain + i * WORD + mask.trailing_zeros() as usize / 8;
        }
    }
    let place = rest.iter().position(|&byte| is_special(byte)).unwrap_or(rest.len());
    bytes.len() - rest.len() + place
}

#[inline]
pub(crate) fn holds_special(block: &[u8; BLOCK]) -> bool {
    block.iter().fold(false, |any, &byte| any | is_special(byte))
}

/// The top bit of each byte that may be special is set; the lowest one set is exact.
#[inline]
const fn special_mask(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    // Subtracting n sets the top bit of an ASCII byte below n; a borrow can only spoil the bytes above it.
    ((quote.wrapping_sub(ONES) & !quote)
        | (backslash.wrapping_sub(ONES) & !backslash)
        | (word.wrapping_sub(ONES * 0x20) & !word))
        & TOPS
}

/// Quiet text: plain, or one of the escapes `\n`, `\"`, `\t` and `\r`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Quiet {
    /// How many bytes are quiet.
    pub(crate) len: usize,
    /// They hold a backslash.
    pub(crate) escapes: bool,
    /// The last of them is the backslash of an escape.
    pub(crate) in_escape: bool,
}

/// How much of the last `len` bytes of the window is quiet. `in_escape`: the byte before them is the backslash of an
/// escape.
#[inline(always)]
pub(crate) fn quiet(window: &[u8; BLOCK + 1], len: usize, in_escape: bool) -> Quiet {
    let skip = BLOCK - len.min(BLOCK);
    // A backslash before the first byte counts only if it is no escaped one.
    let may_escape = &FROM[skip + usize::from(!in_escape)];
    let Block { loud, backslash } = look(window, &FROM[skip], may_escape);
    let (loud, backslashes) = (u128::from_le_bytes(loud), u128::from_le_bytes(backslash));
    if loud == 0 {
        return Quiet { len, escapes: backslashes != 0, in_escape: backslash[BLOCK - 1] != 0 };
    }
    let first = loud.trailing_zeros();
    let at = first as usize / 8;
    let before = backslashes & !(u128::MAX << first);
    Quiet { len: at - skip, escapes: before != 0, in_escape: window[at] == b'\\' && may_escape[at] != 0 }
}

/// The quiet text from offset `at` on. The byte before it is inside of the same string, or its quote, and no backslash of
/// an escape.
#[inline]
pub(crate) fn skip_quiet(text: &[u8], at: usize) -> Quiet {
    let Some(window) = text.get(at - 1..).and_then(<[u8]>::first_chunk) else {
        return last_quiet(text, at, false);
    };
    let first = quiet(window, BLOCK, false);
    if first.len < BLOCK {
        return first;
    }
    // After quiet text a backslash is that of an escape: nothing is carried from block to block.
    let mut len = BLOCK;
    let mut escapes = first.escapes;
    while let Some(pair) = text.get(at + len - 1..).and_then(<[u8]>::first_chunk::<PAIR>) {
        let (Some(left), Some(right)) = (pair.first_chunk(), pair.last_chunk()) else { break };
        let (left, right) = (look(left, &FROM[0], &FROM[0]), look(right, &FROM[0], &FROM[0]));
        if holds(&left.loud, &right.loud) {
            break;
        }
        escapes |= holds(&left.backslash, &right.backslash);
        len += 2 * BLOCK;
    }
    let mut seen = Quiet { len, escapes, in_escape: text[at + len - 1] == b'\\' };
    while let Some(window) = text.get(at + seen.len - 1..).and_then(<[u8]>::first_chunk) {
        let block = quiet(window, BLOCK, seen.in_escape);
        seen = seen.and(block);
        if block.len < BLOCK {
            return seen;
        }
    }
    seen.and(last_quiet(text, at + seen.len, seen.in_escape))
}

/// Whether any byte of the two is not zero.
#[inline(always)]
fn holds(left: &[u8; BLOCK], right: &[u8; BLOCK]) -> bool {
    let mut both = [0; BLOCK];
    for i in 0..BLOCK {
        both[i] = left[i] | right[i];
    }
    u128::from_le_bytes(both) != 0
}

/// Whether `bytes`, at most a block of them, hold no special byte. Loads that overlap, because a loop over a length that
/// cannot be predicted would cost more than the rest; and from the delta, because what was just copied into the text can
/// be loaded as a block only after it has left the processor's store buffer.
#[inline(always)]
pub(crate) fn is_plain(bytes: &[u8]) -> bool {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return special_mask(u64::from_le_bytes(*first)) | special_mask(u64::from_le_bytes(*last)) == 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let both = u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
        return special_mask(both) == 0;
    }
    !bytes.iter().any(|&byte| is_special(byte))
}

/// The quiet text from offset `at` on, where less than a block is left.
fn last_quiet(text: &[u8], at: usize, in_escape: bool) -> Quiet {
    let len = text.len() - at;
    match text.last_chunk() {
        _ if len == 0 => Quiet { in_escape, ..Quiet::default() },
        Some(window) => quiet(window, len, in_escape),
        None => {
            let mut window = [b' '; BLOCK + 1];
            window[BLOCK + 1 - text.len()..].copy_from_slice(text);
            quiet(&window, len, in_escape)
        }
    }
}

impl Quiet {
    /// This, and what follows it.
    fn and(self, next: Self) -> Self {
        Self { len: self.len + next.len, escapes: self.escapes | next.escapes, ..next }
    }
}

/// What the bytes of a block are: all bits set where it holds.
struct Block {
    /// The end of quiet text.
    loud: [u8; BLOCK],
    backslash: [u8; BLOCK],
}

/// Looks at the bytes of `window` but the first one: at those that are `inside`, and `may_escape` where the byte before
/// may be the backslash of an escape. No branch, no early exit: this becomes some thirty vector instructions.
#[inline(always)]
fn look(window: &[u8; BLOCK + 1], inside: &[u8; BLOCK], may_escape: &[u8; BLOCK]) -> Block {
    let mut loud = [0; BLOCK];
    let mut backslash = [0; BLOCK];
    for i in 0..BLOCK {
        let byte = window[i + 1];
        let escaped = is(window[i] == b'\\') & may_escape[i];
        let quote = is(byte == b'"');
        let common = quote | is(byte == b'n') | is(byte == b't') | is(byte == b'r');
        let ends = is(byte < 0x20) | quote & !escaped;
        loud[i] = ends & inside[i] | escaped & !common;
        backslash[i] = is(byte == b'\\') & inside[i];
    }
    Block { loud, backslash }
}

/// All bits set, or none.
#[inline(always)]
fn is(holds: bool) -> u8 {
    u8::from(holds).wrapping_neg()
}

/// The bytes from each place on.
static FROM: [[u8; BLOCK]; BLOCK + 2] = {
    let mut masks = [[0; BLOCK]; BLOCK + 2];
    let mut from = 0;
    while from < BLOCK {
        let mut i = from;
        while i < BLOCK {
            masks[from][i] = 0xff;
            i += 1;
        }
        from += 1;
    }
    masks
};

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
                    assert_eq!(plain_run(&bytes), plain, "byte {byte:#x} at {place} of {len}");
                }
            }
        }
    }

    /// [`quiet`], byte by byte.
    fn slowly(bytes: &[u8], mut in_escape: bool) -> Quiet {
        let mut escapes = false;
        for (len, &byte) in bytes.iter().enumerate() {
            let loud = if in_escape { !b"n\"tr".contains(&byte) } else { byte != b'\\' && is_special(byte) };
            if loud {
                return Quiet { len, escapes, in_escape };
            }
            in_escape = !in_escape && byte == b'\\';
            escapes |= in_escape;
        }
        Quiet { len: bytes.len(), escapes, in_escape }
    }

    #[test]
    fn quiet_is_what_byte_by_byte_says() {
        let alphabet = [b'\\', b'\\', b'"', b'n', b'u', b'x', b'x', b'x', 0x1f, 0x20, 0xe4, b'/'];
        let mut random = 1u64;
        for round in 0..40_000u64 {
            let window: [u8; BLOCK + 1] = std::array::from_fn(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Most rounds hold few special bytes, so that many of them are quiet.
                let spread = if round % 4 == 0 { alphabet.len() } else { 60 };
                *alphabet.get((random >> 33) as usize % spread).unwrap_or(&b'x')
            });
            for len in 1..=BLOCK {
                let (before, bytes) = window.split_at(BLOCK + 1 - len);
                for in_escape in [false, true] {
                    if in_escape && before.last() != Some(&b'\\') {
                        continue;
                    }
                    let (fast, slow) = (quiet(&window, len, in_escape), slowly(bytes, in_escape));
                    assert_eq!(fast, slow, "{window:x?}, the last {len}, {in_escape}");
                }
            }
        }
    }

    #[test]
    fn every_pair_is_read_as_byte_by_byte_says() {
        for first in 0..=255u8 {
            for second in 0..=255u8 {
                let mut window = [b'x'; BLOCK + 1];
                (window[7], window[8]) = (first, second);
                assert_eq!(quiet(&window, BLOCK, false), slowly(&window[1..], false), "{first:x} {second:x}");
            }
        }
    }

    #[test]
    fn text_of_any_length_is_skipped_as_byte_by_byte_says() {
        let text = br#"{"a":"some \n text, \"quoted\" and longer than \t two blocks \\ of it \u00e4 ..."}"#;
        for from in 6..text.len() {
            for to in from..=text.len() {
                if text[from - 1] != b'\\' {
                    assert_eq!(skip_quiet(&text[..to], from), slowly(&text[from..to], false), "{from}..{to}");
                }
            }
        }
    }

    #[test]
    fn plain_is_what_holds_no_special_byte() {
        for len in 0..=BLOCK {
            for place in 0..len {
                for byte in 0..=255u8 {
                    let mut bytes = vec![b'x'; len];
                    bytes[place] = byte;
                    assert_eq!(is_plain(&bytes), !is_special(byte), "byte {byte:#x} at {place} of {len}");
                }
            }
        }
    }
}
