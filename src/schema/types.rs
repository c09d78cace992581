//! Sets of JSON types.

use crate::document::{Kind, Number, ValueRef};

/// The types that a schema names (JSON Schema 2020-12, section 6.1.1).
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) struct TypeSet(u8);

impl TypeSet {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(0x7f);
    pub(crate) const ARRAY: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    pub(crate) const NULL: Self = Self(8);
    pub(crate) const NUMBER: Self = Self(16);
    pub(crate) const OBJECT: Self = Self(32);
    pub(crate) const STRING: Self = Self(64);

    const NAMES: [(&'static str, &'static str, Self); 7] = [
        ("array", "ARRAY", Self::ARRAY),
        ("boolean", "BOOLEAN", Self::BOOLEAN),
        ("integer", "INTEGER", Self::INTEGER),
        ("null", "NULL", Self::NULL),
        ("number", "NUMBER", Self::NUMBER),
        ("object", "OBJECT", Self::OBJECT),
        ("string", "STRING", Self::STRING),
    ];

    /// The type of this name, also in the upper case that Gemini's declarations use.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|entry| entry.0 == name || entry.1 == name).map(|entry| entry.2)
    }

    /// Whether any of `types` is in the set.
    pub(crate) fn has(self, types: Self) -> bool {
        self.0 & types.0 != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn with(self, types: Self) -> Self {
        Self(self.0 | types.0)
    }

    /// Whether the value is of one of the types; `1.0` is an integer.
    #[inline]
    pub(crate) fn fits(self, value: ValueRef<'_>) -> bool {
        let kind = match value.kind() {
            Kind::Array => Self::ARRAY,
            Kind::Boolean => Self::BOOLEAN,
            Kind::Null => Self::NULL,
            Kind::Number => Self::NUMBER,
            Kind::Object => Self::OBJECT,
            Kind::String => Self::STRING,
        };
        self.has(kind) || self.has(Self::INTEGER) && value.as_number().is_some_and(Number::is_integer)
    }

    /// The names of the types.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().filter(move |entry| self.has(entry.2)).map(|entry| entry.0)
    }
}

/// Prints the names.
impl std::fmt::Debug for TypeSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
