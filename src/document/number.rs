//! Numbers by their text: nothing is rounded.

use std::cmp::Ordering;
use std::fmt;

/// A JSON number as the model wrote it. Equality and order are by exact decimal value: `1e2` equals `100`, two 30-digit
/// numbers that differ in the last digit differ, and `1e400` is not infinite.
#[derive(Clone, Copy)]
pub struct Number<'d> {
    pub(super) text: &'d str,
}

impl<'d> Number<'d> {
    /// The number of this text; `None` if the text is not exactly one JSON number (RFC 8259, section 6).
    pub fn from_text(text: &'d str) -> Option<Self> {
        use crate::lex::scalar::{Number as Machine, NumberStep};
        let (&first, rest) = text.as_bytes().split_first()?;
        if !(first == b'-' || first.is_ascii_digit()) {
            return None;
        }
        let mut state = Machine::begin(first);
        for &byte in rest {
            match state.step(byte) {
                NumberStep::Go(next) => state = next,
                NumberStep::End | NumberStep::Rejected(_) => return None,
            }
        }
        state.is_complete().then_some(Self { text })
    }

    /// `text` is known to be a number.
    pub(crate) fn new(text: &'d str) -> Self {
        Self { text }
    }

    /// The number's text.
    pub fn as_str(self) -> &'d str {
        self.text
    }

    /// Whether the value is a whole number, however it is written (JSON Schema 2020-12, section 6.1.1: `1.0` is an
    /// integer).
    pub fn is_integer(self) -> bool {
        // No other byte of a number is as great as a letter.
        if !self.text.bytes().any(|byte| byte == b'.' || byte >= b'E') {
            return true;
        }
        let decimal = Decimal::of(self.text);
        decimal.digits.is_empty() || !decimal.exponent.is_negative()
    }

    /// The value as `i64`, if it is a whole number written without fraction and exponent that fits.
    pub fn as_i64(self) -> Option<i64> {
        self.text.parse().ok()
    }

    /// The value as `u64`, if it is a whole number written without fraction and exponent that fits.
    pub fn as_u64(self) -> Option<u64> {
        self.text.parse().ok()
    }

    /// The nearest `f64`; infinite where the number is out of range.
    pub fn as_f64(self) -> f64 {
        self.text.parse().unwrap_or(f64::NAN)
    }

    /// The same text for equal numbers.
    pub(crate) fn canonical(self) -> String {
        let decimal = Decimal::of(self.text);
        if decimal.digits.is_empty() {
            return "0".into();
        }
        let sign = |negative| if negative { "-" } else { "" };
        let digits = |digits| String::from_utf8_lossy(digits).into_owned();
        let exponent = &decimal.exponent;
        format!(
            "{}{}e{}{}",
            sign(decimal.negative),
            digits(&decimal.digits),
            sign(exponent.negative),
            digits(&exponent.digits)
        )
    }
}

impl Ord for Number<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.text == other.text {
            return Ordering::Equal;
        }
        if let (Some(a), Some(b)) = (Short::of(self.text), Short::of(other.text)) {
            return a.cmp(b);
        }
        Decimal::of(self.text).cmp(&Decimal::of(other.text))
    }
}

impl PartialOrd for Number<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number<'_> {}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Number").field("bytes", &self.text.len()).finish()
    }
}

/// A number of few digits and without an exponent, as nearly all are: `mantissa × 10^-fraction`.
#[derive(Clone, Copy, Debug)]
struct Short {
    mantissa: i64,
    /// Digits after the point.
    fraction: u32,
}

impl Short {
    #[inline]
    fn of(text: &str) -> Option<Self> {
        let (is_negative, bytes) = match text.as_bytes() {
            [b'-', bytes @ ..] => (true, bytes),
            bytes => (false, bytes),
        };
        if bytes.len() > SHORT {
            return None;
        }
        let (whole, after) = digits(0, bytes);
        let (mantissa, fraction) = match after {
            [] => (whole, 0),
            [b'.', fraction @ ..] => match digits(whole, fraction) {
                (mantissa, []) => (mantissa, fraction.len() as u32),
                _ => return None,
            },
            _ => return None,
        };
        Some(Self { mantissa: if is_negative { -mantissa } else { mantissa }, fraction })
    }

    fn cmp(self, other: Self) -> Ordering {
        if self.fraction == other.fraction {
            return self.mantissa.cmp(&other.mantissa);
        }
        let scaled = |a: Self, b: Self| i128::from(a.mantissa) * 10i128.pow(b.fraction);
        scaled(self, other).cmp(&scaled(other, self))
    }
}

/// So many digits fit `i64`, and twice as many `i128`.
const SHORT: usize = 18;

/// The digits at the beginning of the bytes, which follow those of `number`, and what comes after them.
#[inline]
fn digits(number: i64, bytes: &[u8]) -> (i64, &[u8]) {
    let (mut number, mut rest) = (number, bytes);
    while let Some((&byte, after)) = rest.split_first() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        number = number * 10 + i64::from(digit);
        rest = after;
    }
    (number, rest)
}

/// A number that others are compared with again and again.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    text: Box<str>,
    short: Option<Short>,
}

impl Bound {
    /// `text` is known to be a number.
    pub(crate) fn new(text: Box<str>) -> Self {
        Self { short: Short::of(&text), text }
    }

    /// How the number stands to the bound.
    #[inline]
    pub(crate) fn compare(&self, number: Number<'_>) -> Ordering {
        match (Short::of(number.text), self.short) {
            (Some(number), Some(bound)) => number.cmp(bound),
            _ => number.cmp(&Number::new(&self.text)),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// `±0.DIGITS × 10^scale` with neither a leading nor a trailing zero among the digits; no digits: zero.
struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    /// Exponent of the last digit: `DIGITS × 10^exponent`.
    exponent: Exponent,
    /// Exponent of the first digit, which orders magnitudes.
    scale: Exponent,
}

impl Decimal {
    fn of(text: &str) -> Self {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits: Vec<u8> = Vec::with_capacity(whole.len() + fraction.len());
        digits.extend_from_slice(whole.as_bytes());
        digits.extend_from_slice(fraction.as_bytes());
        let leading = digits.iter().take_while(|&&digit| digit == b'0').count();
        digits.drain(..leading);
        let trailing = digits.iter().rev().take_while(|&&digit| digit == b'0').count();
        digits.truncate(digits.len() - trailing);
        let last = trailing as i64 - fraction.len() as i64;
        let exponent = Exponent::of(exponent);
        let scale = exponent.plus(last + digits.len() as i64);
        Self { negative, exponent: exponent.plus(last), scale, digits }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |d: &Self| if d.digits.is_empty() { 0 } else { 1 - 2 * i32::from(d.negative) };
        let by_sign = sign(self).cmp(&sign(other));
        if by_sign != Ordering::Equal || self.digits.is_empty() {
            return by_sign;
        }
        let magnitude = self.scale.cmp(&other.scale).then_with(|| self.digits.cmp(&other.digits));
        if self.negative { magnitude.reverse() } else { magnitude }
    }
}

/// A whole number of any length: exponents are as long as the model made them.
#[derive(Eq, PartialEq)]
struct Exponent {
    negative: bool,
    /// Decimal digits without leading zeros, most significant first; empty for zero.
    digits: Vec<u8>,
}

impl Exponent {
    fn of(text: &str) -> Self {
        let (negative, text) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let digits = text.trim_start_matches('0').as_bytes().to_vec();
        Self { negative: negative && !digits.is_empty(), digits }
    }

    fn is_negative(&self) -> bool {
        self.negative
    }

    fn plus(&self, other: i64) -> Self {
        // Almost every exponent is short; the others are so far from zero that the sum keeps their sign.
        if self.digits.len() <= 17 {
            let value = self.digits.iter().fold(0i64, |n, &digit| n * 10 + i64::from(digit - b'0'));
            let sum = if self.negative { -value } else { value } + other;
            return Self::of(&sum.to_string());
        }
        let grows = self.negative == (other < 0);
        let mut rest = other.unsigned_abs();
        let mut digits = self.digits.clone();
        let mut carry = 0i8;
        for digit in digits.iter_mut().rev() {
            let add = (rest % 10) as i8;
            rest /= 10;
            let sum = (*digit - b'0') as i8 + if grows { add } else { -add } + carry;
            carry = sum.div_euclid(10);
            *digit = b'0' + sum.rem_euclid(10) as u8;
        }
        if carry > 0 {
            digits.insert(0, b'0' + carry as u8);
        }
        let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
        digits.drain(..zeros);
        Self { negative: self.negative, digits }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let magnitude = || self.digits.len().cmp(&other.digits.len()).then_with(|| self.digits.cmp(&other.digits));
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => magnitude(),
            (true, true) => magnitude().reverse(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_equality_and_order() {
        let equal = [
            ("1e2", "100"),
            ("1.0", "1"),
            ("-0", "0"),
            ("0e5", "0.00"),
            ("10e99999999999999999999", "1e100000000000000000000"),
            ("0.1e-99999999999999999999", "1e-100000000000000000000"),
            ("1E+2", "1.00e2"),
            ("120e-1", "12"),
        ];
        for (a, b) in equal {
            assert_eq!(Number::new(a), Number::new(b), "{a} {b}");
        }
        let ascending = [
            "-1e99999999999999999999",
            "-1e400",
            "-2",
            "-1.5",
            "-1e-400",
            "0",
            "1e-99999999999999999999",
            "1e-400",
            "0.1",
            "0.11",
            "1",
            "9",
            "10",
            "1234567890123456789012345678901",
            "1234567890123456789012345678902",
            "1e400",
            "1e99999999999999999999",
        ];
        for pair in ascending.windows(2) {
            assert!(Number::new(pair[0]) < Number::new(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn short_numbers_are_ordered_as_all_are() {
        let texts = [
            "0",
            "-0",
            "0.0",
            "1",
            "-1",
            "1.0",
            "1.00",
            "9",
            "10",
            "-10",
            "0.1",
            "0.10",
            "-0.1",
            "0.09",
            "12.5",
            "12.50",
            "12.49",
            "600000",
            "120000",
            "999999999999999999",
            "-999999999999999999",
            "0.9999999999999999",
            "0.00000000000000001",
            "12345678901234567.8",
            "12345678901234567.9",
            "1234567890123456789",
            "1e2",
        ];
        let mut short = 0;
        for a in texts {
            for b in texts {
                let exact = Decimal::of(a).cmp(&Decimal::of(b));
                assert_eq!(Number::new(a).cmp(&Number::new(b)), exact, "{a} {b}");
                if let (Some(x), Some(y)) = (Short::of(a), Short::of(b)) {
                    assert_eq!(x.cmp(y), exact, "{a} {b}");
                    short += 1;
                }
            }
        }
        assert_eq!(short, 22 * 22);
    }

    #[test]
    fn integers_however_written() {
        for text in ["1", "-0", "1.0", "1e2", "1.5e1", "10e-1", "0.0", "1e400", "1e99999999999999999999"] {
            assert!(Number::new(text).is_integer(), "{text}");
        }
        for text in ["1.5", "1e-1", "0.1", "1e-99999999999999999999"] {
            assert!(!Number::new(text).is_integer(), "{text}");
        }
    }
}
