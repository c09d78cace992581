//! Numbers (RFC 8259, section 6) and literals, one byte at a time.

use crate::verdict::code::Code;

/// How much of a number was read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub(crate) enum Number {
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
}

/// What one more byte made of the number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NumberStep {
    Go(Number),
    /// The byte ends the number and belongs to what follows.
    End,
    Rejected(Code),
}

impl Number {
    /// The state after the first byte, `-` or a digit.
    pub(crate) const fn begin(byte: u8) -> Self {
        match byte {
            b'-' => Self::Minus,
            b'0' => Self::Zero,
            _ => Self::Integer,
        }
    }

    /// Whether the number may end here.
    pub(crate) const fn is_complete(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::ExponentDigits)
    }

    /// `number = [ minus ] int [ frac ] [ exp ]`
    pub(crate) const fn step(self, byte: u8) -> NumberStep {
        match (self, byte) {
            (Self::Minus, b'0') => NumberStep::Go(Self::Zero),
            (Self::Minus, b'1'..=b'9') | (Self::Integer, b'0'..=b'9') => NumberStep::Go(Self::Integer),
            (Self::Minus, b'I') => NumberStep::Rejected(Code::NonJsonLiteral),
            (Self::Zero | Self::Integer, b'.') => NumberStep::Go(Self::Point),
            (Self::Zero | Self::Integer | Self::Fraction, b'e' | b'E') => NumberStep::Go(Self::Exponent),
            (Self::Point | Self::Fraction, b'0'..=b'9') => NumberStep::Go(Self::Fraction),
            (Self::Exponent, b'+' | b'-') => NumberStep::Go(Self::ExponentSign),
            (Self::Exponent | Self::ExponentSign | Self::ExponentDigits, b'0'..=b'9') => {
                NumberStep::Go(Self::ExponentDigits)
            }
            (_, b' ' | b'\t' | b'\n' | b'\r' | b',' | b']' | b'}') if self.is_complete() => NumberStep::End,
            _ => NumberStep::Rejected(Code::InvalidNumber),
        }
    }
}

/// The length of the number that `bytes` begin with, if what follows it is there, too, and may follow a number.
#[inline]
pub(crate) fn whole_number(bytes: &[u8]) -> Option<usize> {
    let mut len = usize::from(bytes.first() == Some(&b'-'));
    len += match bytes.get(len)? {
        b'0' => 1,
        b'1'..=b'9' => digits(&bytes[len..]),
        _ => return None,
    };
    if bytes.get(len) == Some(&b'.') {
        let fraction = digits(&bytes[len + 1..]);
        len += if fraction > 0 { 1 + fraction } else { return None };
    }
    if let Some(b'e' | b'E') = bytes.get(len) {
        let sign = usize::from(matches!(bytes.get(len + 1), Some(b'+' | b'-')));
        let exponent = digits(&bytes[len + 1 + sign..]);
        len += if exponent > 0 { 1 + sign + exponent } else { return None };
    }
    matches!(bytes.get(len)?, b' ' | b'\t' | b'\n' | b'\r' | b',' | b']' | b'}').then_some(len)
}

#[inline]
fn digits(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len())
}

/// One of the three literal names.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Literal {
    False,
    Null,
    True,
}

impl Literal {
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::False => "false",
            Self::Null => "null",
            Self::True => "true",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`whole_number`], step by step.
    fn slowly(bytes: &[u8]) -> Option<usize> {
        let mut number = Number::begin(*bytes.first()?);
        for (len, &byte) in bytes.iter().enumerate().skip(1) {
            match number.step(byte) {
                NumberStep::Go(next) => number = next,
                NumberStep::End => return Some(len),
                NumberStep::Rejected(_) => return None,
            }
        }
        None
    }

    #[test]
    fn whole_numbers_are_those_that_the_steps_come_to_the_end_of() {
        let alphabet = *b"0127-+.eE,] }x";
        let mut whole = 0;
        for first in *b"-0123456789" {
            for index in 0..alphabet.len().pow(5) {
                let mut bytes = [first; 6];
                let mut rest = index;
                for byte in &mut bytes[1..] {
                    *byte = alphabet[rest % alphabet.len()];
                    rest /= alphabet.len();
                }
                let slow = slowly(&bytes);
                whole += usize::from(slow.is_some());
                assert_eq!(whole_number(&bytes), slow, "{}", String::from_utf8_lossy(&bytes));
            }
        }
        assert!(whole > 1000, "{whole} numbers are whole");
    }
}
