//! The `jsonschema` crate as a validator.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, ValidationError};
use serde_json::Value;

use super::constant::{DEPTH, words_of};
use super::definition::Definition;
use super::{SchemaError, Validator, Violation};
use crate::text::pointer::{Token, write_token};
use crate::verdict::code::Code;

/// The [`jsonschema`] crate as a [`Validator`]: every keyword of draft 2020-12. `format` is an annotation, as that draft
/// says; nothing is fetched. Numbers are compared as `serde_json` holds them: beyond 64 bits they are rounded.
///
/// [`jsonschema`]: https://docs.rs/jsonschema
pub struct JsonSchema {
    validator: jsonschema::Validator,
}

impl JsonSchema {
    /// A validator for this schema.
    ///
    /// # Errors
    /// The schema is malformed, refers to another document, or is nested deeper than 256 levels.
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        if is_deep(schema) {
            let reason = format!("nested deeper than {DEPTH} levels; flatten it, or use `$ref`");
            return Err(SchemaError::new("", reason));
        }
        let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(false).offline();
        let validator = options
            .build(schema)
            .map_err(|error| SchemaError::new(error.instance_path().as_str(), error.to_string()))?;
        Ok(Self { validator })
    }

    /// A validator for the schema in a tool's definition, in the shapes that [`Tool::from_json`] reads; `None` where
    /// there is no schema.
    ///
    /// [`Tool::from_json`]: crate::Tool::from_json
    ///
    /// # Errors
    /// There is neither a name nor a kind, or the schema is malformed: see [`new`](Self::new).
    pub fn from_json(definition: &Value) -> Result<Option<Self>, SchemaError> {
        match Definition::read(definition)? {
            Definition::Tool { schema, .. } => schema.map(Self::new).transpose(),
            Definition::BuiltIn { .. } => Ok(None),
        }
    }
}

impl Validator for JsonSchema {
    fn name(&self) -> &str {
        "jsonschema"
    }

    fn violations(&self, value: &Value) -> Vec<Violation> {
        self.validator.iter_errors(value).flat_map(|error| classed(&error)).collect()
    }
}

/// One violation per missing and per unexpected member, one for anything else.
fn classed(error: &ValidationError<'_>) -> Vec<Violation> {
    let place = error.instance_path().as_str();
    let member = |code: Code, name: &str| {
        let mut pointer = place.to_owned();
        // Writing to a String cannot fail.
        let _ = write_token(&mut pointer, Token::Name(name));
        Violation { member: Some(name.to_owned()), ..Violation::new(code, pointer) }
    };
    let code = match error.kind() {
        ValidationErrorKind::Required { property } => {
            return vec![member(Code::MissingRequired, property.as_str().unwrap_or_default())];
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            return unexpected.iter().map(|name| member(Code::UnknownProperty, name)).collect();
        }
        ValidationErrorKind::Type { kind } => {
            let names: Vec<_> = match kind {
                TypeKind::Single(kind) => vec![kind.as_str()],
                TypeKind::Multiple(kinds) => kinds.iter().map(jsonschema::JsonType::as_str).collect(),
            };
            return vec![Violation::new(Code::TypeMismatch, place).with_expected(names)];
        }
        ValidationErrorKind::AnyOf { .. }
        | ValidationErrorKind::OneOfMultipleValid { .. }
        | ValidationErrorKind::OneOfNotValid { .. } => Code::TypeMismatch,
        _ => Code::ConstraintViolation,
    };
    vec![Violation::new(code, place).with_expected(words(error.kind()))]
}

/// What the keyword wants: in the words of the built-in validator, or by its name.
fn words(kind: &ValidationErrorKind) -> Vec<String> {
    vec![match kind {
        ValidationErrorKind::Constant { expected_value } => {
            return allowed(std::slice::from_ref(&**expected_value), kind);
        }
        ValidationErrorKind::Enum { options } => return allowed(options.as_array().map_or(&[], Vec::as_slice), kind),
        ValidationErrorKind::ExclusiveMaximum { limit } => format!("less than {limit}"),
        ValidationErrorKind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        ValidationErrorKind::Maximum { limit } => format!("at most {limit}"),
        ValidationErrorKind::Minimum { limit } => format!("at least {limit}"),
        ValidationErrorKind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        ValidationErrorKind::MaxLength { limit } => format!("at most {limit} characters"),
        ValidationErrorKind::MinLength { limit } => format!("at least {limit} characters"),
        ValidationErrorKind::MaxItems { limit } => format!("at most {limit} elements"),
        ValidationErrorKind::MinItems { limit } => format!("at least {limit} elements"),
        ValidationErrorKind::MaxProperties { limit } => format!("at most {limit} members"),
        ValidationErrorKind::MinProperties { limit } => format!("at least {limit} members"),
        ValidationErrorKind::FalseSchema => "no value".to_owned(),
        ValidationErrorKind::UniqueItems => "elements that all differ".to_owned(),
        other => by_name(other),
    }]
}

fn allowed(values: &[Value], kind: &ValidationErrorKind) -> Vec<String> {
    words_of(values).unwrap_or_else(|| vec![by_name(kind)])
}

fn by_name(kind: &ValidationErrorKind) -> String {
    format!("a value that satisfies `{}` of the schema", kind.keyword())
}

/// That crate recurses.
fn is_deep(schema: &Value) -> bool {
    let mut pending = vec![(schema, 0)];
    while let Some((value, depth)) = pending.pop() {
        if depth > DEPTH {
            return true;
        }
        match value {
            Value::Array(elements) => pending.extend(elements.iter().map(|element| (element, depth + 1))),
            Value::Object(members) => pending.extend(members.values().map(|member| (member, depth + 1))),
            Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => {}
        }
    }
    false
}
