//! A document as a serde data source. Strings without escapes are borrowed from the text, others from their decoded
//! copy. A number goes to a type that can hold it: whole ones of 64 bits, of 128 where they are asked for, fractions as
//! doubles, any by its text as `RawValue` and, where it keeps any, as `serde_json::Number`. Another one is an error.

use std::fmt;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::held::serde_keeps_all;
use super::{Elements, Held, Kind, MAX_DEPTH, Members, Number, ValueRef};

/// Why a value could not be deserialized, and where.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) cause: Cause,
    /// The node that did not fit.
    pub(crate) node: Option<u32>,
}

/// What did not fit.
#[derive(Debug)]
pub(crate) enum Cause {
    /// The type asks for a number that this one is not.
    Altered,
    /// The type's own words.
    Custom(String),
    Missing(&'static str),
    Type {
        found: &'static str,
        expected: String,
    },
    Unknown(String),
}

impl Error {
    fn new(cause: Cause) -> Self {
        Self { cause, node: None }
    }

    fn at(mut self, node: u32) -> Self {
        self.node.get_or_insert(node);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Cause::Altered => f.write_str("a number that would become another one"),
            Cause::Custom(text) => f.write_str(text),
            Cause::Missing(name) => write!(f, "missing member `{name}`"),
            Cause::Type { found, expected } => write!(f, "{found} where {expected} is expected"),
            Cause::Unknown(_) => f.write_str("a member or variant that is not expected"),
        }
    }
}

impl std::error::Error for Error {}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self::new(Cause::Custom(text.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let found = match found {
            Unexpected::Bool(_) => "a boolean",
            Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
            Unexpected::Char(_) | Unexpected::Str(_) => "a string",
            Unexpected::Unit | Unexpected::Option => "null",
            Unexpected::Seq => "an array",
            Unexpected::Map => "an object",
            _ => "another value",
        };
        Self::new(Cause::Type { found, expected: expected.to_string() })
    }

    fn missing_field(name: &'static str) -> Self {
        Self::new(Cause::Missing(name))
    }

    fn unknown_field(name: &str, _: &'static [&'static str]) -> Self {
        Self::new(Cause::Unknown(name.to_owned()))
    }
}

/// A value and how deep it is nested.
#[derive(Clone, Copy)]
pub(crate) struct Source<'d> {
    value: ValueRef<'d>,
    depth: usize,
}

impl<'d> Source<'d> {
    pub(crate) fn new(value: ValueRef<'d>) -> Self {
        Self { value, depth: 0 }
    }

    fn inner(self, value: ValueRef<'d>) -> Self {
        Self { value, depth: self.depth + 1 }
    }

    fn number<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, Error> {
        let Some(number) = self.value.as_number() else { return visitor.visit_unit() };
        if let Some(value) = number.as_u64() {
            return visitor.visit_u64(value);
        }
        if let Some(value) = number.as_i64() {
            return visitor.visit_i64(value);
        }
        let held = number.in_double();
        if held != Held::Same && serde_keeps_all() {
            return visitor.visit_map(Private::new(NUMBER, number.as_str()));
        }
        double(number, held, visitor)
    }
}

fn double<'d, V: Visitor<'d>>(number: Number<'_>, held: Held, visitor: V) -> Result<V::Value, Error> {
    match held {
        Held::Altered => Err(Error::new(Cause::Altered)),
        Held::Rounded | Held::Same => visitor.visit_f64(number.as_f64()),
    }
}

impl<'de> Deserializer<'de> for Source<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        // The type that is deserialized recurses, not this code: the depth bound is serde_json's.
        if self.depth > MAX_DEPTH {
            return Err(Error::new(Cause::Custom("nested deeper than 128".into())));
        }
        let node = self.value.node();
        match self.value.kind() {
            Kind::Null => visitor.visit_unit(),
            Kind::Boolean => visitor.visit_bool(self.value.as_bool() == Some(true)),
            Kind::Number => self.number(visitor),
            Kind::String => visitor.visit_borrowed_str(self.value.as_str().unwrap_or_default()),
            Kind::Array => visitor.visit_seq(Seq { elements: self.value.elements(), source: self }),
            Kind::Object => visitor.visit_map(Map { members: self.value.members(), value: None, source: self }),
        }
        .map_err(|error| error.at(node))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        if name != RAW {
            return visitor.visit_newtype_struct(self);
        }
        if !self.value.is_closed() {
            return Err(Error::new(Cause::Custom("a value that is not complete".into())));
        }
        visitor.visit_map(Private::new(RAW, self.value.text()))
    }

    /// What nobody looks at is not altered.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.kind() == Kind::Number { visitor.visit_unit() } else { self.deserialize_any(visitor) }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.as_number() {
            Some(number) => double(number, number.in_double(), visitor),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.as_number().map(Number::in_single) {
            Some((_, Held::Altered)) => Err(Error::new(Cause::Altered)),
            Some((value, Held::Rounded | Held::Same)) => visitor.visit_f32(value),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.as_number().and_then(|number| number.as_str().parse().ok()) {
            Some(value) => visitor.visit_i128(value),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value.as_number().and_then(|number| number.as_str().parse().ok()) {
            Some(value) => visitor.visit_u128(value),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let node = self.value.node();
        let mut members = self.value.members();
        match (self.value.as_str(), members.next(), members.next()) {
            (Some(variant), _, _) => visitor.visit_enum(IntoDeserializer::<Error>::into_deserializer(variant)),
            (None, Some(member), None) => {
                visitor.visit_enum(Variant { name: member.name, value: self.inner(member.value) })
            }
            _ => {
                let expected = format!("{name}, one of {}", variants.join(", "));
                Err(Error::new(Cause::Type { found: "another value", expected }))
            }
        }
        .map_err(|error| error.at(node))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map
        struct identifier
    }
}

struct Seq<'d> {
    elements: Elements<'d>,
    source: Source<'d>,
}

impl<'d> SeqAccess<'d> for Seq<'d> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'d>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(value) = self.elements.next() else { return Ok(None) };
        seed.deserialize(self.source.inner(value)).map(Some).map_err(|error| error.at(value.node()))
    }
}

struct Map<'d> {
    members: Members<'d>,
    value: Option<ValueRef<'d>>,
    source: Source<'d>,
}

impl<'d> MapAccess<'d> for Map<'d> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'d>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(member) = self.members.next() else { return Ok(None) };
        self.value = Some(member.value);
        let name = BorrowedStrDeserializer::<Error>::new(member.name);
        seed.deserialize(name).map(Some).map_err(|error| error.at(member.value.node()))
    }

    fn next_value_seed<T: DeserializeSeed<'d>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let Some(value) = self.value.take() else {
            return Err(Error::new(Cause::Custom("a value was asked for before its name".into())));
        };
        seed.deserialize(self.source.inner(value)).map_err(|error| error.at(value.node()))
    }
}

/// A text under a name that only `serde_json` knows: as its own reader hands over what it keeps as text.
struct Private<'d> {
    name: &'static str,
    /// What is left to hand over.
    text: Option<&'d str>,
}

/// Of `serde_json::value::RawValue`.
const RAW: &str = "$serde_json::private::RawValue";
/// Of `serde_json::Number`, where it keeps any.
const NUMBER: &str = "$serde_json::private::Number";

impl<'d> Private<'d> {
    fn new(name: &'static str, text: &'d str) -> Self {
        Self { name, text: Some(text) }
    }
}

impl<'d> MapAccess<'d> for Private<'d> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'d>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        if self.text.is_none() {
            return Ok(None);
        }
        seed.deserialize(BorrowedStrDeserializer::<Error>::new(self.name)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'d>>(&mut self, seed: T) -> Result<T::Value, Error> {
        // Asked for once, after the name.
        seed.deserialize(BorrowedStrDeserializer::<Error>::new(self.text.take().unwrap_or_default()))
    }
}

struct Variant<'d> {
    name: &'d str,
    value: Source<'d>,
}

impl<'d> EnumAccess<'d> for Variant<'d> {
    type Error = Error;
    type Variant = Source<'d>;

    fn variant_seed<T: DeserializeSeed<'d>>(self, seed: T) -> Result<(T::Value, Source<'d>), Error> {
        let name = BorrowedStrDeserializer::<Error>::new(self.name);
        Ok((seed.deserialize(name)?, self.value))
    }
}

impl<'d> VariantAccess<'d> for Source<'d> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        serde::de::Deserialize::deserialize(self)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'d>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'d>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'d>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }
}
