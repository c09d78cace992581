//! Settings as the members of a host's configuration file.
//!
//! ```
//! use argseal::{Policy, Rule, Settings};
//! let settings: Settings = serde_json::from_str(
//!     r#"{"policy":"full","with":["rename"],"without":["coerce"],"judgement":"schema","limits":{"depth":64}}"#,
//! )?;
//! assert!(settings.allows(Rule::Rename) && !settings.allows(Rule::Coerce));
//! assert_eq!(settings.limits().depth, 64);
//! assert_eq!(serde_json::from_str::<Settings>(&serde_json::to_string(&settings)?)?, settings);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use super::{Judgement, Numbers, Policy, Rule, Settings};
use crate::settings::limits::Limits;

/// The names of all variants, as serde wants them.
macro_rules! names {
    ($type:ident) => {{
        let mut names = [""; $type::ALL.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = $type::ALL[i].name();
            i += 1;
        }
        names
    }};
}

/// Any of the members `policy`, `with`, `without`, `judgement`, `numbers`, `limits`, `any_root`, `suffix_edits_only`; what is left
/// out is as in [`Settings::default`]. Other members are an error. A rule that stands in `with` and in `without` is off.
impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        DeserializeSeed::deserialize(Self::default(), deserializer)
    }
}

/// The members laid over these settings: what is left out stays as it is. A `policy` replaces all rules.
impl<'de> DeserializeSeed<'de> for Settings {
    type Value = Self;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self, D::Error> {
        Members::deserialize(deserializer).map(|members| members.over(self))
    }
}

/// Every member; `policy` is the one from which `with` and `without` are shortest.
impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let policy = self.nearest_policy();
        let differing = |on: bool| -> Vec<Rule> {
            let base = self.clone().with_policy(policy);
            let differs = |rule: &Rule| self.allows(*rule) == on && base.allows(*rule) != on;
            Rule::ALL.into_iter().filter(differs).collect()
        };
        let mut object = serializer.serialize_struct("Settings", 8)?;
        object.serialize_field("policy", &policy)?;
        object.serialize_field("with", &differing(true))?;
        object.serialize_field("without", &differing(false))?;
        object.serialize_field("judgement", &self.judgement)?;
        object.serialize_field("numbers", &self.numbers)?;
        object.serialize_field("limits", &self.limits)?;
        object.serialize_field("any_root", &self.any_root)?;
        object.serialize_field("suffix_edits_only", &self.suffix_only)?;
        object.end()
    }
}

impl Settings {
    fn nearest_policy(&self) -> Policy {
        let distance = |policy: &Policy| (self.rules ^ policy.rules()).count_ones();
        Policy::ALL.into_iter().min_by_key(distance).unwrap_or_default()
    }
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "an object of settings")]
struct Members {
    policy: Option<Policy>,
    with: Option<Vec<Rule>>,
    without: Option<Vec<Rule>>,
    judgement: Option<Judgement>,
    numbers: Option<Numbers>,
    limits: Option<Bounds>,
    any_root: Option<bool>,
    suffix_edits_only: Option<bool>,
}

impl Members {
    fn over(self, base: Settings) -> Settings {
        let base = match self.policy {
            Some(policy) => base.with_policy(policy),
            None => base,
        };
        let base = self.with.into_iter().flatten().fold(base, Settings::with_rule);
        let base = self.without.into_iter().flatten().fold(base, Settings::without_rule);
        let limits = self.limits.map_or(base.limits, |bounds| bounds.over(base.limits));
        Settings {
            judgement: self.judgement.unwrap_or(base.judgement),
            numbers: self.numbers.unwrap_or(base.numbers),
            limits,
            any_root: self.any_root.unwrap_or(base.any_root),
            suffix_only: self.suffix_edits_only.unwrap_or(base.suffix_only),
            ..base
        }
    }
}

/// Any of the members `depth`, `text`, `members`, `trailing`, `event`, `calls`; what is left out is as in
/// [`Limits::default`].
impl<'de> Deserialize<'de> for Limits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Bounds::deserialize(deserializer).map(|bounds| bounds.over(Self::default()))
    }
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "an object of limits")]
struct Bounds {
    #[serde(deserialize_with = "levels")]
    depth: Option<u32>,
    #[serde(deserialize_with = "text_bytes")]
    text: Option<u32>,
    #[serde(deserialize_with = "members")]
    members: Option<u32>,
    #[serde(deserialize_with = "bytes")]
    trailing: Option<u32>,
    #[serde(deserialize_with = "bytes")]
    event: Option<u32>,
    #[serde(deserialize_with = "calls")]
    calls: Option<u32>,
}

impl Bounds {
    fn over(self, base: Limits) -> Limits {
        Limits {
            depth: self.depth.unwrap_or(base.depth),
            text: self.text.unwrap_or(base.text),
            members: self.members.unwrap_or(base.members),
            trailing: self.trailing.unwrap_or(base.trailing),
            event: self.event.unwrap_or(base.event),
            calls: self.calls.unwrap_or(base.calls),
        }
    }
}

fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    deserializer.deserialize_option(Count { unit: "bytes", max: Limits::max().event })
}

fn calls<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    deserializer.deserialize_option(Count { unit: "calls", max: Limits::max().calls })
}

fn levels<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    deserializer.deserialize_option(Count { unit: "levels", max: Limits::max().depth })
}

fn members<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    deserializer.deserialize_option(Count { unit: "members and elements", max: Limits::max().members })
}

fn text_bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    deserializer.deserialize_option(Count { unit: "bytes", max: Limits::max().text })
}

/// Reads one bound.
struct Count {
    unit: &'static str,
    max: u32,
}

impl<'de> Visitor<'de> for Count {
    type Value = Option<u32>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number of {}, at most {}", self.unit, self.max)
    }

    fn visit_none<E: de::Error>(self) -> Result<Option<u32>, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Option<u32>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<u32>, D::Error> {
        deserializer.deserialize_u32(self)
    }

    fn visit_i64<E: de::Error>(self, count: i64) -> Result<Option<u32>, E> {
        match u64::try_from(count) {
            Ok(count) => self.visit_u64(count),
            Err(_) => Err(E::invalid_value(de::Unexpected::Signed(count), &self)),
        }
    }

    fn visit_u64<E: de::Error>(self, count: u64) -> Result<Option<u32>, E> {
        match u32::try_from(count).ok().filter(|count| *count <= self.max) {
            Some(count) => Ok(Some(count)),
            None => Err(E::invalid_value(de::Unexpected::Unsigned(count), &self)),
        }
    }
}

impl<'de> Deserialize<'de> for Judgement {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Name { names: &JUDGEMENTS, from_name: Self::from_name })
    }
}

impl Serialize for Judgement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Name { names: &NUMBERS, from_name: Self::from_name })
    }
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Name { names: &POLICIES, from_name: Self::from_name })
    }
}

impl Serialize for Policy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Name { names: &RULES, from_name: Self::from_name })
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Reads one of several names.
struct Name<T> {
    names: &'static [&'static str],
    from_name: fn(&str) -> Option<T>,
}

impl<T> Visitor<'_> for Name<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of `{}`", self.names.join("`, `"))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        (self.from_name)(name).ok_or_else(|| E::unknown_variant(name, self.names))
    }
}

const JUDGEMENTS: [&str; Judgement::ALL.len()] = names!(Judgement);
const NUMBERS: [&str; Numbers::ALL.len()] = names!(Numbers);
const POLICIES: [&str; Policy::ALL.len()] = names!(Policy);
const RULES: [&str; Rule::ALL.len()] = names!(Rule);
