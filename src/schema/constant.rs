//! Values that a schema holds: `const`, `enum` and the divisor of `multipleOf`, compared exactly.

use std::cmp::Ordering;

use serde_json::Value;
use smallvec::SmallVec;

use crate::document::{Bound, Document, Kind, Number, Prints, ValueRef};
use crate::settings::limits::Limits;
use crate::syntax::Machine;

/// Schemas and constants nested deeper than this are an error: far more than any tool has, and what is built from them
/// stays small.
pub(super) const DEPTH: usize = 256;

/// Shorter names first: most that differ do so in length.
pub(super) fn by_name(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// The values that `enum` or `const` allows. However many there are, a value is compared with few of them.
#[derive(Clone, Debug)]
pub(super) struct Allowed {
    /// In the order of [`by_name`].
    strings: Box<[Box<str>]>,
    /// Ascending, by exact decimal value.
    numbers: Box<[Bound]>,
    /// `true`, `false`, and `None` for `null`.
    literals: Box<[Option<bool>]>,
    /// By fingerprint.
    containers: Box<[(u64, Document)]>,
    /// For people.
    words: Box<[String]>,
}

impl Allowed {
    /// `None` if a value is nested too deep.
    pub(super) fn of(values: &[Value]) -> Option<Self> {
        let mut strings: Vec<Box<str>> = Vec::new();
        let mut numbers: Vec<Box<str>> = Vec::new();
        let mut literals = Vec::new();
        let mut containers = Vec::new();
        let mut words = Words::default();
        for value in values {
            let text = write(value)?;
            words.add(&text);
            match value {
                Value::String(text) => strings.push(text.as_str().into()),
                Value::Number(_) => numbers.push(text.into()),
                Value::Bool(_) | Value::Null => literals.push(value.as_bool()),
                Value::Array(_) | Value::Object(_) => {
                    let document = Machine::read(&text, Limits::max()).document;
                    let print = document.root().map(ValueRef::fingerprint);
                    containers.extend(print.map(|print| (print, document)));
                }
            }
        }
        strings.sort_by(|a, b| by_name(a, b));
        numbers.sort_by(|a, b| Number::new(a).cmp(&Number::new(b)));
        literals.sort_unstable();
        literals.dedup();
        containers.sort_by_key(|container| container.0);
        Some(Self {
            strings: strings.into(),
            numbers: numbers.into_iter().map(Bound::new).collect(),
            literals: literals.into(),
            containers: containers.into(),
            words: words.end().into(),
        })
    }

    /// `prints` are those of a value that `value` is in.
    pub(super) fn allows<'d>(&self, value: ValueRef<'d>, prints: &mut Prints<'d>) -> bool {
        match value.kind() {
            Kind::String => value
                .as_str()
                .is_some_and(|text| self.strings.binary_search_by(|allowed| by_name(allowed, text)).is_ok()),
            Kind::Number => value.as_number().is_some_and(|number| {
                self.numbers.binary_search_by(|allowed| allowed.compare(number).reverse()).is_ok()
            }),
            Kind::Boolean | Kind::Null => self.literals.contains(&value.as_bool()),
            Kind::Array | Kind::Object => !self.containers.is_empty() && self.holds(value, prints.get(value)),
        }
    }

    fn holds(&self, value: ValueRef<'_>, print: u64) -> bool {
        let begin = self.containers.partition_point(|allowed| allowed.0 < print);
        let alike = self.containers[begin..].iter().take_while(|allowed| allowed.0 == print);
        alike.filter_map(|allowed| allowed.1.root()).any(|allowed| allowed.same(value))
    }

    pub(super) fn words(&self) -> &[String] {
        &self.words
    }
}

/// The allowed values as JSON: `None` if one is nested too deep.
#[cfg(feature = "jsonschema")]
pub(super) fn words_of(values: &[Value]) -> Option<Vec<String>> {
    let mut words = Words::default();
    for value in values {
        words.add(&write(value)?);
    }
    Some(words.end())
}

/// Allowed values for people, in schema order: each whole or not at all, since half a value would be sent as it stands.
#[derive(Default)]
struct Words {
    shown: Vec<String>,
    length: usize,
    count: usize,
}

impl Words {
    fn add(&mut self, text: &str) {
        self.count += 1;
        let length = self.length.saturating_add(text.chars().count()).saturating_add(", ".len());
        if length <= SHOWN {
            self.length = length;
            self.shown.push(text.to_owned());
        }
    }

    /// The values, and words for those that are left out.
    fn end(self) -> Vec<String> {
        let Self { mut shown, count, .. } = self;
        match (shown.len(), count) {
            (_, 0) => shown.push("no value".to_owned()),
            (0, 1) => shown.push("the constant of the schema".to_owned()),
            (0, 2..) => shown.push(format!("one of the {count} values that the schema lists")),
            (some, all) if some < all => shown.push(format!("another of the {count} values that the schema lists")),
            _ => {}
        }
        shown
    }
}

/// So many characters of allowed values are shown to people, with what separates them.
const SHOWN: usize = 60;

/// The JSON text of a value, without recursion; `None` if it is nested deeper than [`DEPTH`].
fn write(value: &Value) -> Option<String> {
    enum Step<'v> {
        Text(&'static str),
        Name(&'v str),
        Value(&'v Value, usize),
    }
    let mut out = String::new();
    let mut steps = vec![Step::Value(value, 0)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Text(text) => out.push_str(text),
            Step::Name(name) => {
                out.push_str(&Value::from(name).to_string());
                out.push(':');
            }
            Step::Value(_, depth) if depth > DEPTH => return None,
            Step::Value(Value::Array(elements), depth) => {
                out.push('[');
                steps.push(Step::Text("]"));
                for (i, element) in elements.iter().enumerate().rev() {
                    steps.push(Step::Value(element, depth + 1));
                    steps.push(Step::Text(if i == 0 { "" } else { "," }));
                }
            }
            Step::Value(Value::Object(members), depth) => {
                out.push('{');
                steps.push(Step::Text("}"));
                for (i, (name, member)) in members.iter().enumerate().rev() {
                    steps.push(Step::Value(member, depth + 1));
                    steps.push(Step::Name(name));
                    steps.push(Step::Text(if i == 0 { "" } else { "," }));
                }
            }
            Step::Value(scalar, _) => out.push_str(&scalar.to_string()),
        }
    }
    Some(out)
}

/// The divisor of `multipleOf`: `factor × 10^exponent`.
#[derive(Clone, Debug)]
pub(super) struct Divisor {
    factor: u64,
    exponent: i64,
    pub(super) text: Box<str>,
}

impl Divisor {
    /// `None` if the text is not a positive number of at most 19 significant digits.
    pub(super) fn of(text: &str) -> Option<Self> {
        let (digits, exponent) = decimal(Number::from_text(text)?)?;
        let digits = std::str::from_utf8(&digits).ok()?;
        let factor = digits.parse().ok().filter(|&factor| factor > 0 && !text.starts_with('-'))?;
        Some(Self { factor, exponent, text: text.into() })
    }

    /// Whether the number is a whole multiple, exactly.
    pub(super) fn divides(&self, number: Number<'_>) -> bool {
        // An exponent beyond 64 bits is judged as not a multiple.
        let Some((digits, exponent)) = decimal(number) else { return false };
        if digits.is_empty() {
            return true;
        }
        let modulus = u128::from(self.factor);
        let shift = exponent.saturating_sub(self.exponent);
        let Ok(shift) = u64::try_from(shift) else {
            // The digits end in no zero: no power of ten divides them.
            return false;
        };
        let rest = digits.iter().fold(0u128, |rest, digit| (rest * 10 + u128::from(digit - b'0')) % modulus);
        (rest * power(10 % modulus, shift, modulus)).is_multiple_of(modulus)
    }
}

/// `base^exponent mod modulus`; all below 2^64, so that products fit.
fn power(mut base: u128, mut exponent: u64, modulus: u128) -> u128 {
    let mut result = 1 % modulus;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        exponent >>= 1;
    }
    result
}

/// The digits without leading and trailing zeros, and the exponent of the last one; `None` if that fits no 64 bits.
fn decimal(number: Number<'_>) -> Option<(SmallVec<[u8; 32]>, i64)> {
    let text = number.as_str().trim_start_matches('-');
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits: SmallVec<[u8; 32]> = SmallVec::new();
    digits.extend(whole.bytes().chain(fraction.bytes()).skip_while(|&digit| digit == b'0'));
    let mut trailing = 0i64;
    while digits.last() == Some(&b'0') {
        digits.pop();
        trailing += 1;
    }
    if digits.is_empty() {
        return Some((digits, 0));
    }
    let exponent: i64 = exponent.parse().ok()?;
    Some((digits, exponent.checked_sub(fraction.len() as i64)?.checked_add(trailing)?))
}

/// Whether no two elements of the array are equal. Near-linear: equal values have equal fingerprints.
pub(super) fn elements_differ<'d>(array: ValueRef<'d>, prints: &mut Prints<'d>) -> bool {
    let mut marked: Vec<_> = array.elements().map(|element| (prints.get(element), element)).collect();
    marked.sort_by_key(|entry| entry.0);
    marked
        .chunk_by(|a, b| a.0 == b.0)
        .all(|alike| alike.iter().enumerate().all(|(i, a)| alike[i + 1..].iter().all(|b| !a.1.same(b.1))))
}
