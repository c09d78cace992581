//! The types that a schema names, through references and alternatives.

use serde_json::{Map, Value};

use super::keywords::{is_annotation, is_plain};
use super::{RootMember, TypeSet};

/// A whole schema, asked for types.
#[derive(Clone, Copy)]
pub(super) struct Named<'s> {
    pub(super) root: &'s Value,
}

impl<'s> Named<'s> {
    /// The members that the root declares.
    pub(super) fn members(self) -> Box<[RootMember]> {
        let properties = self.root.get("properties").and_then(Value::as_object);
        let member = |(name, schema): (&String, &'s Value)| {
            let is_string =
                schema.get("type").and_then(Value::as_str).and_then(TypeSet::named) == Some(TypeSet::STRING);
            let is_plain = is_string && schema.as_object().is_some_and(|m| m.keys().all(|keyword| is_plain(keyword)));
            RootMember { name: name.as_str().into(), types: self.named_types(schema), is_plain }
        };
        properties.into_iter().flatten().map(member).collect()
    }

    /// The types of an alternative that names types and nothing else, through references.
    pub(super) fn plain_types(self, mut schema: &'s Value) -> Option<TypeSet> {
        for _ in 0..HOPS {
            let members = match schema {
                Value::Bool(true) => return Some(TypeSet::ALL),
                Value::Bool(false) => return Some(TypeSet::NONE),
                Value::Object(members) => members,
                _ => return None,
            };
            let mut judged = members.keys().filter(|keyword| !is_annotation(keyword));
            match (judged.next().map(String::as_str), judged.next()) {
                (None, _) => return Some(TypeSet::ALL),
                (Some("type"), None) => return types(members, members.get("type")?).ok(),
                (Some("$ref"), None) => schema = self.refer(schema)?,
                (Some(_), _) => return None,
            }
        }
        None
    }

    /// The types that a schema names, through references and alternatives; none where it names none. An alternative
    /// that names none counts as a string: text may be what it wants.
    pub(super) fn named_types(self, schema: &'s Value) -> TypeSet {
        let mut found = TypeSet::NONE;
        let mut seen: Vec<*const Value> = Vec::new();
        let mut pending = vec![(schema, TypeSet::NONE)];
        while let Some((schema, otherwise)) = pending.pop() {
            if seen.contains(&std::ptr::from_ref(schema)) {
                continue;
            }
            seen.push(std::ptr::from_ref(schema));
            if seen.len() > HOPS {
                return found.with(TypeSet::STRING);
            }
            if let Some(target) = self.refer(schema) {
                pending.push((target, otherwise));
                continue;
            }
            let own = schema.as_object().and_then(|members| types(members, members.get("type")?).ok());
            let alternatives = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array());
            let before = pending.len();
            pending.extend(alternatives.flatten().map(|alternative| (alternative, TypeSet::STRING)));
            match own {
                Some(own) => found = found.with(own),
                None if pending.len() == before => found = found.with(otherwise),
                None => {}
            }
        }
        found
    }

    fn refer(self, schema: &Value) -> Option<&'s Value> {
        self.root.pointer(&local(schema.get("$ref")?)?)
    }
}

/// The types that the value of `type` names, or what is wrong with it. `members` are the keywords that stand beside it.
pub(super) fn types(members: &Map<String, Value>, value: &Value) -> Result<TypeSet, String> {
    let names: Option<Vec<&str>> = match value {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => names.iter().map(Value::as_str).collect(),
        _ => None,
    };
    let Some(names) = names else { return Err("`type` is a name or an array of names".to_owned()) };
    let mut types = TypeSet::NONE;
    for name in names {
        let Some(named) = TypeSet::named(name) else {
            let clipped: String = name.chars().take(40).flat_map(char::escape_debug).collect();
            let known = "array, boolean, integer, null, number, object, string";
            return Err(format!("`type` \"{clipped}\" is none of {known}"));
        };
        types = types.with(named);
    }
    if is_upper_case(members) && members.get("nullable").and_then(Value::as_bool) == Some(true) {
        types = types.with(TypeSet::NULL);
    }
    Ok(types)
}

/// As many references or alternatives are followed to find the types of a member.
const HOPS: usize = 64;

/// The pointer of a reference into the same document, percent-decoded (RFC 6901, section 6).
pub(super) fn local(reference: &Value) -> Option<String> {
    let pointer = reference.as_str()?.strip_prefix('#')?;
    if !(pointer.is_empty() || pointer.starts_with('/')) {
        return None;
    }
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = |digit: Option<&u8>| digit.and_then(|&digit| char::from(digit).to_digit(16));
        match (first, hex(after.first()), hex(after.get(1))) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Whether the schema object is written in the dialect of Gemini's function declarations.
pub(super) fn is_upper_case(members: &Map<String, Value>) -> bool {
    let name = members.get("type").and_then(Value::as_str);
    name.is_some_and(|name| TypeSet::named(name).is_some() && name.starts_with(|c: char| c.is_ascii_uppercase()))
}
