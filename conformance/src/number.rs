//! Numbers by their exact decimal value.

/// Whether two JSON numbers have the same value. Nothing is rounded: `1e2` is `100`, and `-0` is `0`.
///
/// Exponents of more than thirty digits are compared as they are written.
pub fn same(a: &str, b: &str) -> bool {
    a == b || Decimal::of(a) == Decimal::of(b)
}

/// Whether two JSON numbers are the same once rounded to binary64: for subjects that do not promise digits.
pub fn same_rounded(a: &str, b: &str) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

#[derive(Debug, PartialEq)]
struct Decimal {
    negative: bool,
    /// Without zeros at either end.
    digits: String,
    /// Of the last digit.
    exponent: Exponent,
}

#[derive(Debug, PartialEq)]
enum Exponent {
    Long(String),
    Short(i128),
}

impl Decimal {
    fn of(text: &str) -> Self {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, written) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let leading = all.trim_start_matches('0');
        let digits = leading.trim_end_matches('0');
        if digits.is_empty() {
            return Self { negative: false, digits: String::new(), exponent: Exponent::Short(0) };
        }
        let zeros = (leading.len() - digits.len()) as i128;
        let exponent = match written.trim_start_matches('+').parse::<i128>() {
            Ok(exponent) if exponent.unsigned_abs() < LONG => {
                Exponent::Short(exponent - fraction.len() as i128 + zeros)
            }
            Ok(_) | Err(_) => Exponent::Long(format!("{written}, {}, {zeros}", fraction.len())),
        };
        Self { negative, digits: digits.to_owned(), exponent }
    }
}

/// Ten to the thirtieth: sums with a length stay far from the bounds.
const LONG: u128 = 1_000_000_000_000_000_000_000_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_equal_by_value() {
        for (a, b) in [("1e2", "100"), ("-0", "0.00"), ("1.50", "15e-1"), ("1E+2", "1e2"), ("0.001", "1e-3")] {
            assert!(same(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("18446744073709551616", "18446744073709552000"),
            ("0.1", "0.10000000000000000001"),
            ("1", "-1"),
            ("1e400", "1e401"),
        ] {
            assert!(!same(a, b), "{a} {b}");
        }
        assert!(same_rounded("18446744073709551616", "18446744073709551617"));
    }
}
