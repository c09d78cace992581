//! A schema read plainly, by a second reader that shares nothing with the engine: is a value what it asks for?
//!
//! It knows the keywords that the generated tools use, and recurses.

use serde_json::Value;

/// Whether the value has no violation of the schema.
pub fn fits(schema: &Value, value: &Value) -> bool {
    let number = |name: &str| schema[name].as_f64();
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(some) => some.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let typed = types.is_empty() || types.iter().any(|name| is_a(name, value));
    let listed = schema["enum"].as_array().is_none_or(|values| values.contains(value));
    typed
        && listed
        && match value {
            Value::String(text) => {
                let length = text.chars().count() as f64;
                number("minLength").is_none_or(|least| length >= least)
                    && number("maxLength").is_none_or(|most| length <= most)
            }
            Value::Number(value) => {
                let value = value.as_f64().unwrap_or(f64::NAN);
                number("minimum").is_none_or(|least| value >= least)
                    && number("maximum").is_none_or(|most| value <= most)
            }
            Value::Array(elements) => {
                number("minItems").is_none_or(|least| elements.len() as f64 >= least)
                    && schema.get("items").is_none_or(|items| elements.iter().all(|element| fits(items, element)))
            }
            Value::Object(members) => {
                let names = |name: &str| schema[name].as_array().map(Vec::as_slice).unwrap_or_default();
                names("required").iter().filter_map(Value::as_str).all(|name| members.contains_key(name))
                    && members.iter().all(|(name, member)| match schema["properties"].get(name) {
                        Some(inner) => fits(inner, member),
                        None => schema["additionalProperties"] != Value::Bool(false),
                    })
            }
            Value::Bool(_) | Value::Null => true,
        }
}

fn is_a(name: &str, value: &Value) -> bool {
    match name {
        "array" => value.is_array(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "object" => value.is_object(),
        "string" => value.is_string(),
        other => panic!("no type is named {other}"),
    }
}
