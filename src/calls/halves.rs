//! Surrogate pairs whose halves two deltas escaped apart: they are one character again.

/// The half that the last delta ended with, if it did.
///
/// A lone half is three bytes of generalized UTF-8, as the wire's JSON decoder gives them.
#[derive(Default)]
pub(super) struct Halves {
    high: Option<[u8; 3]>,
}

impl Halves {
    /// Passes the bytes of a delta on, with the halves joined.
    pub(super) fn pass(&mut self, bytes: &[u8], mut push: impl FnMut(&[u8])) {
        let mut bytes = bytes;
        if bytes.is_empty() {
            return;
        }
        if let Some(high) = self.high.take() {
            match bytes {
                [0xED, second @ 0xB0..=0xBF, third, rest @ ..] => {
                    let mut utf8 = [0; 4];
                    push(joined(high, [0xED, *second, *third]).encode_utf8(&mut utf8).as_bytes());
                    bytes = rest;
                }
                _ => push(&high),
            }
        }
        match bytes {
            [start @ .., 0xED, second @ 0xA0..=0xAF, third] => {
                push(start);
                self.high = Some([0xED, *second, *third]);
            }
            _ => push(bytes),
        }
    }

    /// The text has ended: passes on a half that is left.
    pub(super) fn end(self, mut push: impl FnMut(&[u8])) {
        if let Some(high) = self.high {
            push(&high);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.high.is_none()
    }
}

fn joined(high: [u8; 3], low: [u8; 3]) -> char {
    let half = |bytes: [u8; 3]| (u32::from(bytes[1] & 0x0F) << 6) | u32::from(bytes[2] & 0x3F);
    let code = 0x1_0000 + ((half(high) << 10) | half(low));
    char::from_u32(code).expect("ten bits each, from 0x10000 on: at most 0x10FFFF")
}
