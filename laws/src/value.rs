//! The value of a text, read a second time: by `serde_json`, but for the numbers, each of which is that of its text, the
//! nearest double where it is a fraction, or none.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Error, Number, Value};

/// The value of the text.
pub(super) fn value(bytes: &[u8]) -> Result<Value, Error> {
    // It knows what JSON is, and how deep it may be.
    serde_json::from_slice::<Value>(bytes)?;
    serde_json::from_slice::<Exact>(bytes).map(|exact| exact.0)
}

struct Exact(Value);

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let text = <&RawValue>::deserialize(source)?.get();
        read(text).map(Self).map_err(D::Error::custom)
    }
}

fn read(text: &str) -> Result<Value, Error> {
    match text.as_bytes() {
        [b'{', ..] => {
            let members: BTreeMap<String, Exact> = serde_json::from_str(text)?;
            Ok(members.into_iter().map(|(name, value)| (name, value.0)).collect())
        }
        [b'[', ..] => Ok(serde_json::from_str::<Vec<Exact>>(text)?.into_iter().map(|value| value.0).collect()),
        [b'-' | b'0'..=b'9', ..] => {
            number(text).map(Value::Number).ok_or_else(|| Error::custom("number out of range: it would be altered"))
        }
        _ => serde_json::from_str(text),
    }
}

fn number(text: &str) -> Option<Number> {
    if text != "-0" {
        let unsigned = text.parse::<u64>().ok().map(Number::from);
        if let Some(number) = unsigned.or_else(|| text.parse::<i64>().ok().map(Number::from)) {
            return Some(number);
        }
    }
    let nearest: f64 = text.parse().ok()?;
    let (sent, kept) = (Decimal::of(text), Decimal::of(&format!("{nearest:e}")));
    let is_whole = sent.exponent >= 0;
    let is_lost = nearest == 0.0 || is_whole;
    if sent != kept && is_lost { None } else { Number::from_f64(nearest) }
}

/// `±DIGITS × 10^exponent`, the digits without zeros around them.
#[derive(Eq, PartialEq)]
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn of(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        // Longer ones are so far away that no digit brings them back.
        let far = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{}{fraction}", whole.trim_start_matches('-'));
        let digits = all.trim_end_matches('0');
        let exponent = exponent.parse().unwrap_or(far) - fraction.len() as i64 + (all.len() - digits.len()) as i64;
        let digits = digits.trim_start_matches('0').to_owned();
        let is_zero = digits.is_empty();
        Self { negative: mantissa.starts_with('-') && !is_zero, exponent: if is_zero { 0 } else { exponent }, digits }
    }
}
