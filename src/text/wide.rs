//! Many bytes at once: all of the crate's `unsafe` code.
//!
//! A look at sixteen bytes has a portable twin ([`portable`]) that says the same of every block: a test and the fuzz target
//! `scan` compare them, and `--cfg argseal_portable` makes it the only one, as it is on machines other than x86-64.

/// How many bytes are looked at as a whole.
pub(crate) const BLOCK: usize = 16;

/// What the bytes of a block are: one bit a byte, that of the first byte lowest.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Marks {
    pub(crate) backslash: u32,
    /// A quote or a control character: no text of a string, unless it is escaped.
    pub(crate) end: u32,
    /// Anything but `n`, `"`, `t` and `r`: what no common escape names.
    pub(crate) uncommon: u32,
}

impl Marks {
    /// These, and those of the next block.
    #[inline(always)]
    pub(crate) fn then(self, next: Self) -> Self {
        Self {
            backslash: self.backslash | next.backslash << BLOCK,
            end: self.end | next.end << BLOCK,
            uncommon: self.uncommon | next.uncommon << BLOCK,
        }
    }
}

/// Looks at the bytes of a block.
#[inline(always)]
pub(crate) fn marks(block: [u64; 2]) -> Marks {
    #[cfg(all(target_arch = "x86_64", not(argseal_portable)))]
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        sse2::marks(block)
    }
    #[cfg(not(all(target_arch = "x86_64", not(argseal_portable))))]
    portable::marks(block)
}

/// The bytes of a block that are a quote, a backslash or a control character.
#[inline(always)]
pub(crate) fn specials(block: [u64; 2]) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(argseal_portable)))]
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        sse2::specials(block)
    }
    #[cfg(not(all(target_arch = "x86_64", not(argseal_portable))))]
    portable::specials(block)
}

/// The block that sixteen bytes are.
#[inline(always)]
pub(crate) fn block(bytes: &[u8; BLOCK]) -> [u64; 2] {
    let joined = u128::from_le_bytes(*bytes);
    [joined as u64, (joined >> 64) as u64]
}

#[cfg(all(target_arch = "x86_64", not(argseal_portable)))]
mod sse2 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8,
    };

    use super::Marks;

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn marks(block: [u64; 2]) -> Marks {
        let block = load(block);
        let quote = is(block, b'"');
        let letter = _mm_or_si128(_mm_or_si128(is(block, b'n'), is(block, b't')), is(block, b'r'));
        Marks {
            backslash: mask(is(block, b'\\')),
            end: mask(_mm_or_si128(control(block), quote)),
            uncommon: mask(_mm_or_si128(letter, quote)) ^ 0xffff,
        }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn specials(block: [u64; 2]) -> u32 {
        let block = load(block);
        mask(_mm_or_si128(_mm_or_si128(is(block, b'"'), is(block, b'\\')), control(block)))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn load([low, high]: [u64; 2]) -> __m128i {
        _mm_set_epi64x(high.cast_signed(), low.cast_signed())
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn is(block: __m128i, byte: u8) -> __m128i {
        _mm_cmpeq_epi8(block, _mm_set1_epi8(byte.cast_signed()))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn control(block: __m128i) -> __m128i {
        _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1f)), block)
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn mask(marked: __m128i) -> u32 {
        _mm_movemask_epi8(marked).cast_unsigned()
    }
}

/// The same on every machine.
#[cfg_attr(
    all(target_arch = "x86_64", not(argseal_portable), not(test), not(feature = "_internals")),
    expect(dead_code)
)]
pub(crate) mod portable {
    use super::Marks;

    pub(crate) fn marks(block: [u64; 2]) -> Marks {
        let quote = is(block, b'"');
        Marks {
            backslash: mask(is(block, b'\\')),
            end: mask(or(control(block), quote)),
            uncommon: mask(or(or(quote, is(block, b'n')), or(is(block, b't'), is(block, b'r')))) ^ 0xffff,
        }
    }

    pub(crate) fn specials(block: [u64; 2]) -> u32 {
        mask(or(or(is(block, b'"'), is(block, b'\\')), control(block)))
    }

    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;

    /// The top bit of each byte that equals `byte`.
    fn is(block: [u64; 2], byte: u8) -> [u64; 2] {
        block.map(|word| {
            let differs = word ^ (ONES * u64::from(byte));
            // A byte whose seven low bits are not all zero carries into its top bit, and into no other byte.
            !(((differs & !TOPS) + !TOPS) | differs) & TOPS
        })
    }

    /// The top bit of each byte below 0x20.
    fn control(block: [u64; 2]) -> [u64; 2] {
        block.map(|word| !(((word & !TOPS) + ONES * 0x60) | word) & TOPS)
    }

    fn or(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        [a[0] | b[0], a[1] | b[1]]
    }

    /// The top bits, next to each other.
    fn mask(tops: [u64; 2]) -> u32 {
        let [low, high] = tops.map(|word| ((word >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32);
        low | high << 8
    }
}

/// The longest text that [`append`] takes.
pub(crate) const SHORT: usize = 2 * BLOCK;

/// Whether `text` has room for [`SHORT`] bytes.
#[inline(always)]
pub(crate) fn has_room(text: &String) -> bool {
    text.capacity() - text.len() >= SHORT
}

/// Appends up to [`SHORT`] bytes to a text that has room for so many; whether it did. The two ends are copied, which
/// overlap: to copy a length that cannot be predicted would cost more than all that is done about the delta.
#[inline(always)]
pub(crate) fn append(text: &mut String, delta: &str) -> bool {
    let bytes = delta.as_bytes();
    if bytes.len() > SHORT || !has_room(text) {
        return false;
    }
    if let (Some(first), Some(last), true) = (bytes.first_chunk::<16>(), bytes.last_chunk::<16>(), bytes.len() > 16) {
        // SAFETY: these are the ends of a `str` of 17 to 32 bytes, and there is room for it.
        unsafe { push_ends(text, first, last, bytes.len()) }
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        // SAFETY: these are the ends of a `str` of 8 to 16 bytes, and there is room for it.
        unsafe { push_ends(text, first, last, bytes.len()) }
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        // SAFETY: these are the ends of a `str` of 4 to 7 bytes, and there is room for it.
        unsafe { push_ends(text, first, last, bytes.len()) }
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<2>(), bytes.last_chunk::<2>()) {
        // SAFETY: these are the ends of a `str` of two or three bytes, and there is room for it.
        unsafe { push_ends(text, first, last, bytes.len()) }
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<1>(), bytes.last_chunk::<1>()) {
        // SAFETY: this is a `str` of one byte, and there is room for it.
        unsafe { push_ends(text, first, last, bytes.len()) }
    }
    true
}

/// Appends the text that begins with `first` and ends with `last`.
///
/// # Safety
/// `first` and `last` are the beginning and the end of a `str` of `len` bytes, N to 2 N, for which `text` has room.
#[inline(always)]
unsafe fn push_ends<const N: usize>(text: &mut String, first: &[u8; N], last: &[u8; N], len: usize) {
    debug_assert!((N..=2 * N).contains(&len) && len <= text.capacity() - text.len());
    // SAFETY: both pieces are written inside of the spare capacity, where nothing is borrowed. Together they are all of
    // the `len` bytes, and these are a `str`: what was UTF-8 stays UTF-8.
    unsafe {
        let bytes = text.as_mut_vec();
        let end = bytes.as_mut_ptr().add(bytes.len());
        end.cast::<[u8; N]>().write_unaligned(*first);
        end.add(len - N).cast::<[u8; N]>().write_unaligned(*last);
        prefetch(end.add(len));
        bytes.set_len(bytes.len() + len);
    }
}

/// Asks for the cache line after the next one of a text that grows: of many texts that grow in turns, no processor guesses
/// it.
#[inline(always)]
fn prefetch(end: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: it is a hint, which reads nothing and cannot fail, whatever the address is.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(end.wrapping_add(64).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = end;
}

/// Appends a text of 4 to 16 bytes none of which is a quote, a backslash or a control character to one that has room for
/// [`SHORT`] bytes; whether it did. No branch depends on the length.
#[inline(always)]
pub(crate) fn append_plain(text: &mut String, delta: &str) -> bool {
    let len = delta.len();
    let half = 4 + 4 * usize::from(len >= 8);
    let Some(places) = places(len, half).filter(|_| has_room(text)) else { return false };
    // SAFETY: four bytes of the delta stand at each of the places.
    let [a, b, c, d] = places.map(|place| unsafe { delta.as_ptr().add(place).cast::<u32>().read_unaligned() });
    let word = |low: u32, high: u32| u64::from(low.to_le()) | u64::from(high.to_le()) << 32;
    let (first, last) = (word(a, b), word(c, d));
    if specials([first, last]) != 0 {
        return false;
    }
    // SAFETY: both words are written inside of the room behind the text, where nothing is borrowed: the first one begins
    // with the first `half` bytes of the delta, the second one with the last `half`; what else they hold is overwritten,
    // or stands behind the end. Together these are all of the delta's bytes, and they are a `str`: what was UTF-8 stays
    // UTF-8.
    unsafe {
        let text = text.as_mut_vec();
        let end = text.as_mut_ptr().add(text.len());
        end.cast::<[u8; 8]>().write_unaligned(first.to_le_bytes());
        end.add(len - half).cast::<[u8; 8]>().write_unaligned(last.to_le_bytes());
        text.set_len(text.len() + len);
    }
    true
}

/// Where pieces of four bytes begin: the first and the last `half` bytes of a text that has so many and is not longer
/// than both.
#[inline(always)]
fn places(len: usize, half: usize) -> Option<[usize; 4]> {
    (half..=2 * half).contains(&len).then(|| [0, half - 4, len - half, len - 4])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Under Miri, which is slow, a few.
    fn bytes() -> impl Iterator<Item = u8> {
        (0..=255).step_by(if cfg!(miri) { 31 } else { 1 })
    }

    #[test]
    fn every_byte_at_every_place_is_what_it_is() {
        for place in 0..BLOCK {
            for byte in bytes() {
                for around in [b'x', b'"', b'\\', b'n', 0xff, 0x1f, 0] {
                    let mut bytes = [around; BLOCK];
                    bytes[place] = byte;
                    let slowly = |holds: fn(u8) -> bool| {
                        bytes.iter().enumerate().fold(0, |mask, (i, &byte)| mask | u32::from(holds(byte)) << i)
                    };
                    let slow = Marks {
                        backslash: slowly(|byte| byte == b'\\'),
                        end: slowly(|byte| byte < 0x20 || byte == b'"'),
                        uncommon: slowly(|byte| !b"n\"tr".contains(&byte)),
                    };
                    assert_eq!(marks(block(&bytes)), slow, "{bytes:x?}");
                    assert_eq!(portable::marks(block(&bytes)), slow, "{bytes:x?}");
                    assert_eq!(specials(block(&bytes)), slow.end | slow.backslash, "{bytes:x?}");
                    assert_eq!(portable::specials(block(&bytes)), slow.end | slow.backslash, "{bytes:x?}");
                }
            }
        }
    }

    #[test]
    fn pieces_cover_a_text_and_stay_inside_of_it() {
        for (len, half) in (0..40).flat_map(|len| [(len, 4), (len, 8)]) {
            let Some(places) = places(len, half) else {
                assert!(len < half || len > 2 * half, "{len} by {half}");
                continue;
            };
            let mut covered = vec![false; len];
            for place in places {
                covered[place..place + 4].fill(true);
            }
            assert!(covered.iter().all(|&covered| covered), "{len} by {half}: {places:?}");
        }
    }

    #[test]
    fn plain_text_is_appended_whole_and_other_text_not_at_all() {
        for len in 0..=20 {
            for place in 0..len {
                for byte in bytes().filter(u8::is_ascii) {
                    let mut delta: Vec<u8> = (b'a'..).take(len).collect();
                    delta[place] = byte;
                    let delta = String::from_utf8(delta).expect("ASCII");
                    let mut text = String::with_capacity(3 + SHORT);
                    text.push_str("abc");
                    let is_plain = byte >= 0x20 && byte != b'"' && byte != b'\\';
                    assert_eq!(append_plain(&mut text, &delta), is_plain && (4..=16).contains(&len), "{delta:?}");
                    let appended = if is_plain && (4..=16).contains(&len) { &delta } else { "" };
                    assert_eq!(text, format!("abc{appended}"));
                }
            }
        }
        let mut full = String::from("abc");
        full.shrink_to_fit();
        assert!(!append_plain(&mut full, "plain"), "there is no room");
    }

    #[test]
    fn a_short_text_is_appended_whole() {
        let source = "0123456789äöü€😀abcdefghijklmnopqrstuvwxyz";
        for room in [0, 31, 32, 100] {
            for from in 0..source.len() {
                for to in from..=source.len().min(from + SHORT + 1) {
                    let Some(delta) = source.get(from..to) else { continue };
                    let mut text = String::with_capacity(3 + room);
                    text.push_str("abc");
                    if append(&mut text, delta) {
                        assert_eq!(text, format!("abc{delta}"));
                    } else {
                        assert!(delta.len() > SHORT || text.capacity() < 3 + SHORT, "{delta:?} fits");
                        assert_eq!(text, "abc");
                    }
                }
            }
        }
    }
}
