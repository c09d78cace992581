//! Rights and facts that only the owner of a tool can state.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the owner of a tool grants. Plain data: it lives in a configuration file, with the field names of this type.
/// Nothing is granted by default.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Grants {
    /// Other names of a member of the root: `{"command": ["cmd"]}`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub aliases: BTreeMap<String, Vec<String>>,
    /// Members whose text is shown and never executed: a cut one may be closed where it stops, or said again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub closable: Vec<String>,
    /// The right to complete a cut program with one nested call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner_call: Option<InnerCallGrant>,
    /// The largest text of a member in UTF-8 bytes, decoded.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub max_inline_bytes: BTreeMap<String, u64>,
    /// The largest text of a member in Unicode scalar values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub max_inline_chars: BTreeMap<String, u64>,
    /// The largest text of a member in UTF-16 code units.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub max_inline_utf16: BTreeMap<String, u64>,
    /// Members whose absence is harmless: a repair may leave them out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub may_lack: Vec<String>,
    /// Markers that stand for text the model did not write, by member.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub placeholders: BTreeMap<String, Vec<Marker>>,
}

/// See [`Grants::inner_call`].
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct InnerCallGrant {
    /// The member that holds the program.
    pub payload: String,
    /// The object whose methods are the nested calls: `tools` of `await tools.bash({…})`.
    pub object: String,
    /// One more line after the completed call; `{binding}` stands for the name that the call is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epilogue: Option<String>,
}

/// How a placeholder is recognised. In a configuration file: `{"exact": "…"}`, `{"prefix": "…"}` or
/// `{"contains": "…"}`; a bare string is an exact one.
#[derive(Clone, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Marker {
    /// The text holds this.
    Contains(String),
    /// The text is this.
    Exact(String),
    /// The text begins with this.
    Prefix(String),
}

impl Grants {
    /// The names of the grants, as they stand in a configuration file or beside the definition of a tool.
    pub const FIELDS: [&str; 8] = [
        "aliases",
        "closable",
        "inner_call",
        "max_inline_bytes",
        "max_inline_chars",
        "max_inline_utf16",
        "may_lack",
        "placeholders",
    ];

    /// Reads grants from JSON.
    ///
    /// # Errors
    /// A field that is no grant, or of another type; the error names it.
    pub fn from_json(grants: &Value) -> Result<Self, GrantError> {
        let Value::Object(members) = grants else { return Err(GrantError::new("", "grants are an object")) };
        if let Some(unknown) = members.keys().find(|name| !Self::FIELDS.contains(&name.as_str())) {
            return Err(GrantError::new(unknown, format!("no such grant; there are {}", Self::FIELDS.join(", "))));
        }
        Self::of(members)
    }

    /// Reads the grants that stand beside the definition of a tool, as in the requests of `argseal batch`:
    /// `{"name":"bash","parameters":{…},"closable":["description"]}`. Other members belong to the definition.
    ///
    /// # Errors
    /// A grant of another type; the error names it.
    pub fn beside(definition: &Value) -> Result<Self, GrantError> {
        definition.as_object().map_or_else(|| Ok(Self::default()), Self::of)
    }

    fn of(members: &Map<String, Value>) -> Result<Self, GrantError> {
        let mut grants = Self::default();
        for name in Self::FIELDS {
            let Some(value) = members.get(name).filter(|value| !value.is_null()) else { continue };
            match name {
                "aliases" => grants.aliases = read(name, value)?,
                "closable" => grants.closable = read(name, value)?,
                "inner_call" => grants.inner_call = read(name, value)?,
                "max_inline_bytes" => grants.max_inline_bytes = read(name, value)?,
                "max_inline_chars" => grants.max_inline_chars = read(name, value)?,
                "max_inline_utf16" => grants.max_inline_utf16 = read(name, value)?,
                "may_lack" => grants.may_lack = read(name, value)?,
                _ => grants.placeholders = read(name, value)?,
            }
        }
        Ok(grants)
    }
}

fn read<'v, T: Deserialize<'v>>(name: &str, value: &'v Value) -> Result<T, GrantError> {
    T::deserialize(value).map_err(|error| GrantError::new(name, error.to_string()))
}

impl InnerCallGrant {
    /// The right to complete the program in member `payload` with a nested call of a method of `object`.
    pub fn new(payload: impl Into<String>, object: impl Into<String>) -> Self {
        Self { payload: payload.into(), object: object.into(), epilogue: None }
    }
}

impl Marker {
    /// Whether the text is, begins with or holds the marker. An empty marker is in no text.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Self::Contains(marker) => !marker.is_empty() && text.contains(marker.as_str()),
            Self::Exact(marker) => !marker.is_empty() && text == marker,
            Self::Prefix(marker) => !marker.is_empty() && text.starts_with(marker.as_str()),
        }
    }
}

/// Prints the kind only: no message repeats a marker.
impl fmt::Debug for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Contains(_) => "Contains",
            Self::Exact(_) => "Exact",
            Self::Prefix(_) => "Prefix",
        })
    }
}

impl<'de> Deserialize<'de> for Marker {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Marker;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, or an object with one of `exact`, `prefix`, `contains`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Marker, E> {
                Ok(Marker::Exact(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Marker, A::Error> {
                let Some((kind, text)) = map.next_entry::<String, String>()? else {
                    return Err(de::Error::invalid_length(0, &self));
                };
                if map.next_key::<String>()?.is_some() {
                    return Err(de::Error::invalid_length(2, &self));
                }
                match kind.as_str() {
                    "contains" => Ok(Marker::Contains(text)),
                    "exact" => Ok(Marker::Exact(text)),
                    "prefix" => Ok(Marker::Prefix(text)),
                    _ => Err(de::Error::unknown_variant(&kind, &["contains", "exact", "prefix"])),
                }
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// Grants that contradict each other or the tool. It names the grant or the member, and the remedy.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GrantError {
    name: String,
    reason: String,
}

impl GrantError {
    pub(super) fn new(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { name: name.into(), reason: reason.into() }
    }

    /// The grant or the member that the error speaks of.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for GrantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "grant `{}`: {}", self.name, self.reason)
    }
}

impl std::error::Error for GrantError {}
