//! Numbers (RFC 8259, section 6) and literals, one byte at a time.

use crate::code::Code;

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
