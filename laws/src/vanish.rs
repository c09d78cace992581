//! Law 9: every member that was sent is in the accepted value, or the call is rejected; and none is invented.

use std::collections::BTreeSet;

use serde_json::Value;

use super::monotony::{Shown, values};
use super::{Observation, Outcome, observe, shown};
use argseal::_internals::{document_of, push_name};
use argseal::{Audit, End, Kind, Verdict};
use argseal::{Rule, Settings, Tool};

/// Law 9, nothing vanishes: every member that was sent is in the accepted value; an unwrapped envelope's own keys, a
/// null alias, and a null that an alias replaces excepted. Nor is a member invented, but the one that inner-call writes.
pub fn nothing_vanishes(bytes: &[u8], tool: Option<&Tool>, settings: &Settings, end: End) {
    nothing_vanishes_of(|pieces| observe(pieces, tool, settings, end), tool.map_or("", Tool::name), bytes);
}

/// [`nothing_vanishes`] of something else than the engine, which judges calls of the tool of this name.
pub fn nothing_vanishes_of(read: impl Fn(&[&[u8]]) -> Observation, tool: &str, bytes: &[u8]) {
    let Outcome::Accepted { verdict, text, raw, audit, .. } = read(&[bytes]).outcome else { return };
    match verdict {
        Verdict::Strict => assert!(raw == text, "strict, but altered: {}", shown(bytes)),
        Verdict::Repaired => completed(&all_values(&raw), &all_values(&text), &audit, bytes),
        Verdict::Normalized => normalized(&raw, &text, &audit, tool, bytes),
    }
}

/// The values of a text, read to its end: a number as root is complete only there.
fn all_values(text: &str) -> Vec<Shown> {
    document_of(text).root().map(values).unwrap_or_default()
}

/// What a repair leaves is what was sent, its open string as it was; inner-call adds a member and the end of a program.
fn completed(sent: &[Shown], accepted: &[Shown], audit: &Audit, bytes: &[u8]) {
    let mut programs = usize::from(audit.completes_program());
    assert!(accepted.len() == sent.len() + programs, "members are lost or invented: {}", shown(bytes));
    for value in sent {
        let place = |other: &&Shown| other.pointer == value.pointer && other.kind == value.kind;
        let other = accepted.iter().find(place);
        let Some(other) = other else { panic!("{:?} vanishes: {}", value.pointer, shown(bytes)) };
        // A container's members are looked at each for itself.
        if matches!(value.kind, Kind::Array | Kind::Object) || other.text == value.text {
            continue;
        }
        let goes_on = value.kind == Kind::String && other.text.starts_with(value.text.trim_end());
        assert!(goes_on && programs == 1, "{:?} has another text: {}", value.pointer, shown(bytes));
        programs = 0;
    }
}

/// Every member of the root stands in the accepted text, under its name or the name that it was given; or it is an
/// envelope that the audit names, whose own members do. And every member of the accepted text comes from one of these.
fn normalized(raw: &str, text: &str, audit: &Audit, tool: &str, bytes: &[u8]) {
    let done = Done { actions: audit.actions() };
    if done.did(Rule::Empty.name()) {
        let nothing = matches!(raw.trim_matches([' ', '\t', '\r', '\n']), "" | "null");
        assert!(nothing && text.trim_ascii() == "{}", "{text} is no arguments: {}", shown(bytes));
        return;
    }
    let readers: [fn(&str) -> Option<Value>; 2] = [|text| serde_json::from_str(text).ok(), exact];
    // Where serde_json cannot hold a number, its text is compared.
    let read = readers.into_iter().find(|read| read(raw).is_some() && read(text).is_some());
    // It can be too deep.
    let Some(read) = read else { return };
    let (Some(sent), Some(accepted)) = (read(raw), read(text)) else { return };
    let mut given: BTreeSet<String> = BTreeSet::new();
    let mut envelopes = vec![sent];
    while let Some(envelope) = envelopes.pop() {
        let members = match envelope {
            Value::Object(members) => members,
            Value::String(held) if done.did(Rule::Decode.name()) => {
                envelopes.extend(read(&held).filter(Value::is_object));
                continue;
            }
            other => panic!("a root {other} vanishes: {}", shown(bytes)),
        };
        for (name, value) in &members {
            let names = done.names_of(name);
            let is_alias = names.len() > 1;
            let found = names.into_iter().find(|name| {
                let there = accepted.get(name);
                there.is_some_and(|there| {
                    there == value || done.converts(name) && held(value, read) == Some(there.clone())
                })
            });
            if let Some(found) = found {
                given.insert(found.to_owned());
                continue;
            }
            let inner = if value.is_string() { held(value, read) } else { Some(value.clone()) };
            match inner {
                Some(inner @ Value::Object(_)) if done.unwraps(name) => envelopes.push(inner),
                _ if value.is_null() && (is_alias || done.gives(name) && accepted.get(name).is_some()) => {}
                // An envelope names the tool.
                _ if name == "name" && value == tool && done.did("unwrap:arguments") => {}
                _ => panic!("{name:?} vanishes: {}", shown(bytes)),
            }
        }
    }
    for name in accepted.as_object().into_iter().flat_map(serde_json::Map::keys) {
        assert!(given.contains(name), "{name:?} is invented: {}", shown(bytes));
    }
}

/// What was done, in the words of the audit.
struct Done<'a> {
    actions: &'a [String],
}

impl Done<'_> {
    fn did(&self, action: &str) -> bool {
        self.actions.iter().any(|done| done == action)
    }

    /// The object in this member has taken its place.
    fn unwraps(&self, name: &str) -> bool {
        [Rule::Unwrap, Rule::Merge].iter().any(|rule| self.did(&format!("{}:{name}", rule.name())))
    }

    /// The member became what its string says.
    fn converts(&self, name: &str) -> bool {
        let mut pointer = String::new();
        push_name(&mut pointer, name);
        [Rule::Decode, Rule::Coerce].iter().any(|rule| self.did(&format!("{}:{pointer}", rule.name())))
    }

    /// The name, and those that it was given.
    fn names_of<'n>(&'n self, name: &'n str) -> Vec<&'n str> {
        let given = |rule: Rule| {
            let names = self.actions.iter().filter_map(move |done| done.strip_prefix(rule.name())?.strip_prefix(':'));
            names.filter_map(move |names| names.strip_prefix(name)?.strip_prefix('→'))
        };
        std::iter::once(name).chain(given(Rule::Alias)).chain(given(Rule::Rename)).collect()
    }

    /// An alias was given this name.
    fn gives(&self, name: &str) -> bool {
        let given =
            |done: &String| done.strip_prefix(Rule::Alias.name())?.strip_suffix(name)?.strip_suffix('→').map(drop);
        self.actions.iter().any(|done| given(done).is_some())
    }
}

/// The JSON in a string.
fn held(value: &Value, read: fn(&str) -> Option<Value>) -> Option<Value> {
    read(value.as_str()?)
}

/// The text as a value whose numbers are strings: their text after a mark.
fn exact(text: &str) -> Option<Value> {
    let mut quoted = String::with_capacity(2 * text.len());
    let (mut inside, mut escaped, mut number) = (false, false, false);
    for character in text.chars() {
        let digit =
            !inside && (character.is_ascii_digit() || "+-.".contains(character) || number && "eE".contains(character));
        if digit != number {
            quoted.push_str(if digit { "\"number " } else { "\"" });
        }
        number = digit;
        quoted.push(character);
        let quote = character == '"' && !escaped;
        escaped = inside && character == '\\' && !escaped;
        inside ^= quote;
    }
    if number {
        quoted.push('"');
    }
    serde_json::from_str(&quoted).ok()
}
