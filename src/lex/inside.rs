//! Inside of strings: the hot path of the engine.
//!
//! Quiet text is plain text and its common escapes. Sixteen bytes of it, and the bytes before each of them, are looked at
//! as a whole ([`loud`]), in a form that compilers turn into some thirty vector instructions without a branch: it costs
//! the same whatever it holds, because where escapes stand cannot be predicted. After quiet text a backslash is always
//! that of an escape, so nothing else is carried from block to block.

/// How many bytes are looked at as a whole.
const BLOCK: usize = 16;
/// A block and the byte before it.
const WINDOW: usize = BLOCK + 1;
/// Two blocks and the byte before them.
const PAIR: usize = 2 * BLOCK + 1;
/// The longest text that [`is_quiet`] looks at.
pub(crate) const SHORT: usize = 2 * BLOCK;
const WORD: usize = 8;
const HALF: usize = 4;

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
    let rest = &bytes[plain..];
    plain + rest.iter().position(|&byte| is_special(byte)).unwrap_or(rest.len())
}

#[inline]
fn holds_special(block: &[u8; BLOCK]) -> bool {
    block.iter().fold(false, |any, &byte| any | is_special(byte))
}

/// Which text of a string is quiet: plain text, and the escapes that it may hold.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[repr(u8)]
pub(crate) enum Quiet {
    /// No escape.
    #[default]
    Plain = 0xff,
    /// `\n`, `\"`, `\t` and `\r`.
    Common = 0,
}

/// Whether all of `text`, from one byte to [`SHORT`], is quiet. `before` is the backslash of an escape, or any other byte.
///
/// Loads that overlap, because a loop over a length that cannot be predicted would cost more than the rest.
#[inline(always)]
pub(crate) fn is_quiet(text: &[u8], before: u8, quiet: Quiet) -> bool {
    if let (Some(first), Some(last)) = (text.first_chunk::<BLOCK>(), text.last_chunk::<WINDOW>()) {
        return loud(first, &shifted(first, before), quiet) | loud_window(last, quiet) == 0;
    }
    let len = text.len();
    let (block, befores) = if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let between = if len > WORD { text[len - WORD - 1] } else { before };
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        let befores = [first << 8 | u64::from(before), last << 8 | u64::from(between)];
        ([first, last], befores)
    } else if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let between = if len > HALF { text[len - HALF - 1] } else { before };
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        let befores = [first << 8 | u32::from(before), last << 8 | u32::from(between)];
        ([pair(first, last), FILL], [pair(befores[0], befores[1]), FILL])
    } else {
        let tail = text.iter().rev().fold(FILL, |tail, &byte| tail << 8 | u64::from(byte));
        ([tail, FILL], [tail << 8 | u64::from(before), FILL])
    };
    loud(&bytes(block), &bytes(befores), quiet) == 0
}

/// The length of the quiet text that `text` begins with. `before` as for [`is_quiet`].
#[inline]
pub(crate) fn quiet_run(text: &[u8], before: u8, quiet: Quiet) -> usize {
    let Some(first) = text.first_chunk() else { return short_run(text, before, quiet) };
    let found = loud(first, &shifted(first, before), quiet);
    if found != 0 {
        return place(found);
    }
    let mut at = BLOCK;
    while let Some(both) = text.get(at - 1..).and_then(<[u8]>::first_chunk::<PAIR>) {
        let (Some(left), Some(right)) = (both.first_chunk(), both.last_chunk()) else { break };
        if loud_window(left, quiet) | loud_window(right, quiet) != 0 {
            break;
        }
        at += 2 * BLOCK;
    }
    while let Some(window) = text.get(at - 1..).and_then(<[u8]>::first_chunk) {
        let found = loud_window(window, quiet);
        if found != 0 {
            return at + place(found);
        }
        at += BLOCK;
    }
    // The last block overlaps what is known to be quiet.
    let found = text.last_chunk().map_or(0, |window| loud_window(window, quiet));
    if found != 0 { text.len() - BLOCK + place(found) } else { text.len() }
}

/// [`quiet_run`] of less than a block.
fn short_run(text: &[u8], mut before: u8, quiet: Quiet) -> usize {
    for (at, &byte) in text.iter().enumerate() {
        let is_loud = match before {
            b'\\' => !matches!(byte, b'n' | b'"' | b't' | b'r'),
            _ => is_special(byte) && (byte != b'\\' || quiet == Quiet::Plain),
        };
        if is_loud {
            return at;
        }
        before = byte;
    }
    text.len()
}

/// All bits are set of each byte of `block` that is not quiet, given the bytes before each. The first one is exact: what
/// follows it may be misread.
#[inline(always)]
fn loud(block: &[u8; BLOCK], befores: &[u8; BLOCK], quiet: Quiet) -> u128 {
    let mut loud = [0; BLOCK];
    for i in 0..BLOCK {
        let byte = block[i];
        let escaped = is(befores[i] == b'\\');
        let quote = is(byte == b'"');
        let common = quote | is(byte == b'n') | is(byte == b't') | is(byte == b'r');
        let ends = is(byte < 0x20) | quote & !escaped | is(byte == b'\\') & quiet as u8;
        loud[i] = ends | escaped & !common;
    }
    u128::from_le_bytes(loud)
}

#[inline(always)]
fn loud_window(window: &[u8; WINDOW], quiet: Quiet) -> u128 {
    match (window.last_chunk(), window.first_chunk()) {
        (Some(block), Some(befores)) => loud(block, befores, quiet),
        _ => 0,
    }
}

/// The index of the first byte that is set.
#[inline(always)]
fn place(found: u128) -> usize {
    found.trailing_zeros() as usize / 8
}

/// The bytes before each byte of `block`.
#[inline(always)]
fn shifted(block: &[u8; BLOCK], before: u8) -> [u8; BLOCK] {
    (u128::from_le_bytes(*block) << 8 | u128::from(before)).to_le_bytes()
}

#[inline(always)]
fn pair(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

#[inline(always)]
fn bytes([low, high]: [u64; 2]) -> [u8; BLOCK] {
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}

/// All bits set, or none.
#[inline(always)]
fn is(holds: bool) -> u8 {
    u8::from(holds).wrapping_neg()
}

/// Bytes that are quiet after any byte.
const FILL: u64 = u64::from_le_bytes([b'n'; WORD]);

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
                    assert_eq!(quiet_run(&bytes, b'x', Quiet::Plain), plain, "byte {byte:#x} at {place} of {len}");
                    if (1..=SHORT).contains(&len) {
                        let quiet = is_quiet(&bytes, b'x', Quiet::Plain);
                        assert_eq!(quiet, plain == len, "byte {byte:#x} at {place} of {len}");
                    }
                }
            }
        }
    }

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
            let len = (round % 90) as usize + 1;
            for before in [b'\\', b'x'] {
                for quiet in [Quiet::Plain, Quiet::Common] {
                    let text = &text[..len];
                    let slow = short_run(text, before, quiet);
                    assert_eq!(quiet_run(text, before, quiet), slow, "{text:x?} after {before:x}, {quiet:?}");
                    if len <= SHORT {
                        quiets += usize::from(slow == len);
                        let all = is_quiet(text, before, quiet);
                        assert_eq!(all, slow == len, "{text:x?} after {before:x}, {quiet:?}");
                    }
                }
            }
        }
        assert!(quiets > 1000, "{quiets} texts are quiet");
    }

    #[test]
    fn every_pair_is_read_as_byte_by_byte_says() {
        for first in 0..=255u8 {
            for second in 0..=255u8 {
                let mut text = [b'x'; 31];
                (text[14], text[15]) = (first, second);
                for quiet in [Quiet::Plain, Quiet::Common] {
                    assert_eq!(quiet_run(&text, b'x', quiet), short_run(&text, b'x', quiet), "{first:x} {second:x}");
                }
            }
        }
    }

    #[test]
    fn text_is_quiet_up_to_an_escape_that_is_not_common() {
        for (text, before, len) in [
            (r#"say \"hi\"\n\t\r and more than a block of it"#, b'"', 44),
            (r"a path C:\\temp that goes on", b'"', 10),
            (r"a letter \u00e4 that goes on", b'"', 10),
            (r#"a string", and what follows it"#, b'"', 8),
            ("n and more than a block of it", b'\\', 29),
            ("u0041 and more than a block of it", b'\\', 0),
        ] {
            assert_eq!(quiet_run(text.as_bytes(), before, Quiet::Common), len, "{text}");
        }
    }
}
