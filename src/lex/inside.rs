//! Inside of strings: the length of the plain run before the next byte that means something.
//!
//! This is the hot path of the engine. Blocks of sixteen bytes are tested as a whole, in a form that compilers turn into
//! vector comparisons; within a block that holds a special byte, and for what is shorter, a `u64` finds its place.

const BLOCK: usize = 16;
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
}
