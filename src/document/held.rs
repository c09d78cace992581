//! What a double keeps of a number.

use std::fmt;

use serde_json::Number as SerdeNumber;

use super::{Number, ValueRef};

/// What a double (a 64-bit number of IEEE 754) makes of a number: of the nearest one, printed shortest. Where two texts are
/// as short and as near, it is the one that ends with an even digit, as in JavaScript and Python.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Held {
    /// Another number, and not for want of digits after the point: a whole number of too many digits, an overflow, or an
    /// underflow to zero.
    Altered,
    /// A fraction with more digits than a double keeps, which is what a double is for.
    Rounded,
    /// The same number.
    Same,
}

impl Number<'_> {
    /// What a double keeps of the number.
    ///
    /// ```
    /// use argseal::{Held, Number};
    /// let held = |text| Number::from_text(text).map(Number::in_double);
    /// assert_eq!(held("9007199254740991"), Some(Held::Same));
    /// assert_eq!(held("18446744073709551616"), Some(Held::Altered));
    /// assert_eq!(held("0.1234567890123456789"), Some(Held::Rounded));
    /// assert_eq!(held("1e-400"), Some(Held::Altered));
    /// ```
    pub fn in_double(self) -> Held {
        if self.is_short() {
            return Held::Same;
        }
        let value = self.as_f64();
        match SerdeNumber::from_f64(value) {
            Some(printed) => self.against(value == 0.0, format_args!("{printed}")),
            None => Held::Altered,
        }
    }

    /// The same of a 32-bit number, with the nearest one.
    pub(super) fn in_single(self) -> (f32, Held) {
        let value: f32 = self.text.parse().unwrap_or(f32::NAN);
        let held =
            if value.is_finite() { self.against(value == 0.0, format_args!("{value:e}")) } else { Held::Altered };
        (value, held)
    }

    /// The number as `serde_json` holds it: exactly where it keeps whole numbers of 64 bits or, by its feature
    /// `arbitrary_precision`, any text; else as a double. `None` where that would be another number
    /// ([`Held::Altered`]).
    pub fn to_serde(self) -> Option<SerdeNumber> {
        let read: Option<SerdeNumber> = self.text.parse().ok();
        if self.is_short() {
            return read;
        }
        // The nearest double is not always the one that serde_json reads.
        let is_same = |read: &SerdeNumber| Number::new(&read.to_string()) == self;
        if let Some(read) = read.filter(is_same) {
            return Some(read);
        }
        match self.in_double() {
            Held::Altered => None,
            Held::Rounded | Held::Same => SerdeNumber::from_f64(self.as_f64()),
        }
    }

    /// The number as `serde_json` holds it, altered where it must be: for those who only judge it. `None` where it is
    /// infinite.
    pub(super) fn to_serde_near(self) -> Option<SerdeNumber> {
        self.text.parse().ok()
    }

    /// So few digits, and none of an exponent, that every reader has the same number.
    pub(super) fn is_short(self) -> bool {
        self.text.len() <= SURE && !self.text.bytes().any(|byte| byte >= b'E')
    }

    /// The number against the nearest of its kind, which is finite, as it is printed.
    fn against(self, is_zero: bool, printed: fmt::Arguments<'_>) -> Held {
        let printed = Printed::of(printed);
        // As most programs print fractions.
        if printed.as_str() == self.text || Number::new(printed.as_str()) == self {
            Held::Same
        } else if is_zero || self.is_integer() {
            Held::Altered
        } else {
            Held::Rounded
        }
    }
}

impl<'d> ValueRef<'d> {
    /// The first number that a double rounds, this one or below it.
    pub(crate) fn first_rounded(self) -> Option<Self> {
        self.first_number(|number| number.in_double() == Held::Rounded)
    }

    /// The first number that a double alters.
    pub(crate) fn first_altered(self) -> Option<Self> {
        self.first_number(|number| number.in_double() == Held::Altered)
    }

    /// The first number that `serde_json` cannot hold.
    pub(crate) fn first_not_serde(self) -> Option<Self> {
        self.first_number(|number| number.to_serde().is_none())
    }

    fn first_number(self, is: impl Fn(Number<'d>) -> bool) -> Option<Self> {
        let document = self.document();
        let nodes = self.node()..document.next(self.node());
        nodes.map(|node| Self::new(document, node)).find(|value| value.as_number().is_some_and(&is))
    }
}

/// Whether `serde_json` keeps any number: a feature of it that the build of any other package may turn on.
pub(super) fn serde_keeps_all() -> bool {
    const ANY: &str = "18446744073709551616";
    ANY.parse::<SerdeNumber>().is_ok_and(|number| number.to_string() == ANY)
}

/// So many digits of any whole number or fraction are in every double that is near to it.
const SURE: usize = 15;

/// A number as it is printed; nothing if it is too long.
struct Printed {
    bytes: [u8; Self::LONGEST],
    len: usize,
}

impl Printed {
    /// A sign, 17 digits, a point, and `e-308` take 24; a few zeros may stand in the place of the exponent.
    const LONGEST: usize = 32;

    fn of(number: fmt::Arguments<'_>) -> Self {
        let mut printed = Self { bytes: [0; Self::LONGEST], len: 0 };
        if fmt::write(&mut printed, number).is_err() {
            printed.len = 0;
        }
        printed
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

impl fmt::Write for Printed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(text: &str) -> Held {
        Number::from_text(text).expect("a number").in_double()
    }

    #[test]
    fn what_a_double_keeps() {
        let same = [
            "0",
            "-0",
            "-0.0",
            "0e5",
            "0.000e-400",
            "1",
            "1.50",
            "1e3",
            "1.0e3",
            "9007199254740991",
            "9007199254740992",
            "18446744073709552000",
            "1e300",
            "123456789012345680",
            "0.30000000000000004",
            "5e-324",
            "-1e-323",
            "1.7976931348623157e308",
            "100000000000000000000000",
            "1E+2",
            "0.1",
            "1e-7",
            "123456.789e-2",
            "2.2250738585072014e-308",
        ];
        for text in same {
            assert_eq!(held(text), Held::Same, "{text}");
        }
        let altered = [
            "18446744073709551616",
            "9007199254740993",
            "9007199254740993.0",
            "-9007199254740993",
            "90071992547409930e-1",
            "1e309",
            "-1e400",
            "1e-400",
            "-1e-324",
            "0.0000001e-340",
            "123456789012345678",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "12345678901234567890123",
        ];
        for text in altered {
            assert_eq!(held(text), Held::Altered, "{text}");
        }
        for text in
            ["0.1234567890123456789", "9007199254740993.5", "3e-324", "1.2345678901e-320", "-1.00000000000000001"]
        {
            assert_eq!(held(text), Held::Rounded, "{text}");
        }
    }

    #[test]
    fn what_a_single_keeps() {
        for (text, value, held) in [
            ("0.1", 0.1, Held::Same),
            ("16777216", 16_777_216.0, Held::Same),
            ("16777217", 16_777_216.0, Held::Altered),
            ("0.123456789", 0.123_456_79, Held::Rounded),
            ("1e39", f32::INFINITY, Held::Altered),
            ("1e-50", 0.0, Held::Altered),
        ] {
            assert_eq!(Number::new(text).in_single(), (value, held), "{text}");
        }
    }

    #[test]
    fn serde_json_gets_the_nearest_or_nothing() {
        for (text, read) in [
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("9007199254740993", "9007199254740993"),
            ("1.2345678901234567", "1.2345678901234567"),
            ("0.1234567890123456789", "0.12345678901234568"),
        ] {
            assert_eq!(Number::new(text).to_serde().map(|number| number.to_string()).as_deref(), Some(read), "{text}");
        }
        for text in ["18446744073709551616", "-9223372036854775809", "1e400", "1e-400"] {
            assert_eq!(Number::new(text).to_serde(), None, "{text}");
        }
    }
}
