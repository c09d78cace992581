//! JSON of a host, read into a type: an error names the path, what is allowed there, and the nearest name.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value, map};

use crate::FormError;

/// Reads a JSON value. The seed is [`PhantomData`](std::marker::PhantomData) of a type, or what the value is laid over.
///
/// # Errors
/// A member that the type does not know, or a value of another type or unit than it wants.
///
/// ```
/// use argseal::Settings;
/// let value = serde_json::json!({"limits": {"dept": 64}});
/// let error = argseal_form::read(Settings::default(), &value).unwrap_err();
/// assert_eq!(error.path(), "limits.dept");
/// assert!(error.to_string().ends_with("did you mean `depth`?"));
/// ```
pub fn read<'v, S: DeserializeSeed<'v>>(seed: S, value: &'v Value) -> Result<S::Value, FormError> {
    seed.deserialize(Node(value))
}

/// A value that is not yet read.
struct Node<'v>(&'v Value);

impl<'v> Deserializer<'v> for Node<'v> {
    type Error = FormError;

    fn deserialize_any<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, FormError> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(value), ..) => visitor.visit_u64(value),
                (None, Some(value), _) => visitor.visit_i64(value),
                (None, None, Some(value)) => visitor.visit_f64(value),
                (None, None, None) => Err(de::Error::invalid_type(Unexpected::Other("a number"), &visitor)),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(list) => visitor.visit_seq(Elements { list, next: 0 }),
            Value::Object(members) => visitor.visit_map(Members { members: members.iter(), current: None }),
        }
    }

    fn deserialize_option<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, FormError> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'v>>(self, _: &'static str, visitor: V) -> Result<V::Value, FormError> {
        visitor.visit_newtype_struct(self)
    }

    /// A list is no object, whatever the type would make of its elements.
    fn deserialize_struct<V: Visitor<'v>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormError> {
        match self.0 {
            Value::Array(_) => Err(de::Error::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        <W: Visitor<'v>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map enum identifier ignored_any
    }
}

struct Elements<'v> {
    list: &'v [Value],
    next: usize,
}

impl<'v> SeqAccess<'v> for Elements<'v> {
    type Error = FormError;

    fn next_element_seed<S: DeserializeSeed<'v>>(&mut self, seed: S) -> Result<Option<S::Value>, FormError> {
        let Some(element) = self.list.get(self.next) else { return Ok(None) };
        let place = format!("[{}]", self.next);
        self.next += 1;
        read(seed, element).map(Some).map_err(|error| error.below(&place))
    }
}

struct Members<'v> {
    members: map::Iter<'v>,
    current: Option<(&'v String, &'v Value)>,
}

impl<'v> MapAccess<'v> for Members<'v> {
    type Error = FormError;

    fn next_key_seed<S: DeserializeSeed<'v>>(&mut self, seed: S) -> Result<Option<S::Value>, FormError> {
        self.current = self.members.next();
        let Some((name, _)) = self.current else { return Ok(None) };
        let name: StrDeserializer<'v, FormError> = name.as_str().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|error| match self.current {
            Some((name, _)) => error.below(name),
            None => error,
        })
    }

    fn next_value_seed<S: DeserializeSeed<'v>>(&mut self, seed: S) -> Result<S::Value, FormError> {
        let Some((name, value)) = self.current.take() else {
            return Err(de::Error::custom("a value without its name"));
        };
        read(seed, value).map_err(|error| error.below(name))
    }
}

/// The words of serde, with the nearest name.
impl de::Error for FormError {
    fn custom<T: fmt::Display>(words: T) -> Self {
        Self::new("", words)
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new("", format_args!("{expected} is expected, not {found}"))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new("", format_args!("{expected} is expected, not {found}"))
    }

    fn unknown_field(name: &str, allowed: &'static [&'static str]) -> Self {
        Self::new("", format_args!("no such member; {}", offered(name, allowed)))
    }

    fn unknown_variant(name: &str, allowed: &'static [&'static str]) -> Self {
        Self::new("", format_args!("{:?} is none of them; {}", clipped(name), offered(name, allowed)))
    }
}

/// What is allowed, and which of it is meant.
fn offered(name: &str, allowed: &[&str]) -> String {
    let mut words = match allowed {
        [] => "there are none".to_owned(),
        allowed => format!("there are {}", allowed.join(", ")),
    };
    if let Some(near) = nearest(name, allowed) {
        words.push_str(&format!("; did you mean `{near}`?"));
    }
    words
}

/// The name that is most like this one: the fewest letters to put in, to take out, to change or to swap, case and
/// separators apart, and no more than a third of them.
fn nearest<'n>(name: &str, allowed: &[&'n str]) -> Option<&'n str> {
    let name = folded(name);
    let letters = name.chars().count();
    if letters > MAX_NAME {
        return None;
    }
    let distances = allowed.iter().map(|near| (strsim::osa_distance(&name, &folded(near)), *near));
    let (distance, near) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= letters.max(near.len()).div_ceil(3)).then_some(near)
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ' | '.')).flat_map(char::to_lowercase).collect()
}

fn clipped(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

/// Characters of a name that are looked at and shown.
const MAX_NAME: usize = 80;

/// The members of an object among these names, those that are null left out.
pub(crate) fn chosen(object: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let chosen = object.iter().filter(|(name, value)| names.contains(&name.as_str()) && !value.is_null());
    chosen.map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered() {
        let names = ["aliases", "closable", "inner_call", "may_lack", "policy", "without"];
        for (name, near) in [
            ("closeable", Some("closable")),
            ("innerCall", Some("inner_call")),
            ("ploicy", Some("policy")),
            ("alias", Some("aliases")),
            ("witout", Some("without")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, &names), near, "{name}");
        }
        assert_eq!(nearest(&"x".repeat(1_000_000), &names), None);
    }
}
