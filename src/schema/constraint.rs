//! The keywords that fail with `constraint-violation`, read.

use serde_json::Value;

use super::Constraint;
use super::constant::{Allowed, Divisor};
use crate::document::{Bound, Number};

/// The constraint of this keyword: `None` where there is none, or it is not judged.
///
/// # Errors
/// What is wrong with the keyword's value.
pub(super) fn constraint(keyword: &str, value: &Value) -> Result<Option<Constraint>, String> {
    let count = || bound(value).and_then(|text| text.parse::<f64>().ok()).filter(|n| n.fract() == 0.0 && *n >= 0.0);
    let count = || match count() {
        Some(count) => Ok(Some(count as u64)),
        None => Err(format!("`{keyword}` is a whole number, 0 or more")),
    };
    let number = || match bound(value) {
        Some(text) => Ok(Some(text)),
        None => Err(format!("`{keyword}` is a number")),
    };
    Ok(match keyword {
        "const" => Allowed::of(std::slice::from_ref(value)).map(Constraint::Const),
        "enum" => {
            let Value::Array(values) = value else { return Err("`enum` is an array of values".to_owned()) };
            Allowed::of(values).map(Constraint::Enum)
        }
        "exclusiveMaximum" => number()?.map(Bound::new).map(Constraint::ExclusiveMaximum),
        "exclusiveMinimum" => number()?.map(Bound::new).map(Constraint::ExclusiveMinimum),
        "maximum" => number()?.map(Bound::new).map(Constraint::Maximum),
        "minimum" => number()?.map(Bound::new).map(Constraint::Minimum),
        "maxItems" => count()?.map(Constraint::MaxItems),
        "maxLength" => count()?.map(Constraint::MaxLength),
        "maxProperties" => count()?.map(Constraint::MaxProperties),
        "minItems" => count()?.map(Constraint::MinItems),
        "minLength" => count()?.map(Constraint::MinLength),
        "minProperties" => count()?.map(Constraint::MinProperties),
        "multipleOf" => number()?.and_then(|text| Divisor::of(&text)).map(Constraint::MultipleOf),
        "uniqueItems" => (value.as_bool() == Some(true)).then_some(Constraint::UniqueItems),
        _ => None,
    })
}

/// The exact text of a bound. Gemini's declarations write counts as strings.
fn bound(value: &Value) -> Option<Box<str>> {
    match value {
        Value::Number(number) => Some(number.to_string().into()),
        Value::String(text) => Number::from_text(text).map(|_| text.as_str().into()),
        _ => None,
    }
}
