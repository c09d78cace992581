//! `argseal tools`: what was understood of a file of tools.

use std::collections::BTreeMap;

use argseal::Tool;
use argseal_form::tool::{name_of, schema_of};
use serde_json::{Map, Value};

use crate::args::{ToolOptions, ToolsOptions};
use crate::failure::Failure;
use crate::output::Streams;
use crate::printable::printable;
use crate::{ACCEPTED, REJECTED, tool_files};

/// Lists the tools, and what their owner should look at.
pub(crate) fn run(options: &ToolsOptions, streams: &mut Streams<'_>) -> Result<u8, Failure> {
    let files = ToolOptions { tools: Some(options.tools.clone()), grants: options.grants.clone() };
    let list = tool_files::read(&files, streams.stdin)?;
    let out = &mut *streams.stdout;
    let mut warnings = list.warnings.clone();
    for name in list.tools.names() {
        let Some(tool) = list.tools.get(name) else { continue };
        let definition = list.definitions.iter().find(|definition| name_of(definition) == Some(name));
        let members = Members::of(definition.and_then(schema_of));
        for line in describe(tool, &members) {
            writeln!(out, "{}", printable(&line))?;
        }
        warnings.extend(doubts(tool, &members).into_iter().map(|doubt| format!("{name}: {doubt}")));
    }
    let width = list.built_in.iter().map(|kind| kind.chars().count()).max().unwrap_or_default();
    for kind in &list.built_in {
        writeln!(out, "{}", printable(&format!("{kind:width$}  built in by the provider: no call of it is judged")))?;
    }
    let is_silent = list.tools.is_empty() && list.built_in.is_empty();
    if !(is_silent || warnings.is_empty() && list.issues.is_empty()) {
        writeln!(out)?;
    }
    for issue in &list.issues {
        writeln!(out, "error: {}", printable(issue))?;
    }
    for warning in &warnings {
        writeln!(out, "warning: {}", printable(warning))?;
    }
    out.flush()?;
    Ok(if list.issues.is_empty() { ACCEPTED } else { REJECTED })
}

/// The declared members of the root.
struct Members<'s> {
    /// In the order of `required`, then by name.
    declared: Vec<(&'s str, &'s Value)>,
    required: Vec<&'s str>,
}

impl<'s> Members<'s> {
    fn of(schema: Option<&'s Value>) -> Self {
        let required: Vec<&str> = schema
            .and_then(|schema| schema.get("required"))
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let mut declared: Vec<(&str, &Value)> = schema
            .and_then(|schema| schema.get("properties"))
            .and_then(Value::as_object)
            .map(|members| members.iter().map(|(name, schema)| (name.as_str(), schema)).collect())
            .unwrap_or_default();
        declared.sort_by_key(|(name, _)| required.iter().position(|required| required == name).unwrap_or(usize::MAX));
        Self { declared, required }
    }

    fn get(&self, name: &str) -> Option<&'s Value> {
        self.declared.iter().find(|(declared, _)| *declared == name).map(|(_, schema)| *schema)
    }

    fn requires(&self, name: &str) -> bool {
        self.required.contains(&name)
    }
}

fn describe(tool: &Tool, members: &Members<'_>) -> Vec<String> {
    let mut lines = vec![tool.name().to_owned()];
    if !tool.has_schema() {
        lines.push("  no schema: its arguments are not judged".to_owned());
    } else if members.declared.is_empty() {
        lines.push("  no members".to_owned());
    }
    if tool.has_schema() && tool.validator_name() != "argseal" {
        lines.push(format!("  judged by {}", tool.validator_name()));
    }
    let width = members.declared.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    for (name, schema) in &members.declared {
        let required = if members.requires(name) { ", required" } else { "" };
        lines.push(format!("  {name:width$}  {}{required}", type_of(schema)));
    }
    for (grant, value) in grants(tool) {
        lines.push(format!("  grant {grant}: {}", in_words(&value)));
    }
    for unjudged in tool.unjudged() {
        lines.push(format!("  not judged: {unjudged}"));
    }
    lines
}

/// The types that a member's schema names, and what bounds them.
fn type_of(schema: &Value) -> String {
    let mut words = match schema.get("type") {
        Some(Value::String(name)) => name.to_lowercase(),
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).map(str::to_lowercase).collect::<Vec<_>>().join(" or ")
        }
        _ if schema.get("enum").is_some() => "enum".to_owned(),
        _ if schema.get("$ref").is_some() => "reference".to_owned(),
        _ => "any type".to_owned(),
    };
    for bound in ["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"] {
        if let Some(value) = schema.get(bound) {
            words.push_str(&format!(", {bound} {value}"));
        }
    }
    words
}

/// The grants by name, as the file states them.
fn grants(tool: &Tool) -> Map<String, Value> {
    match serde_json::to_value(tool.grants()) {
        Ok(Value::Object(grants)) => grants,
        _ => Map::new(),
    }
}

/// A grant's value in a line: lists with commas, members with equals signs, markers as they are.
fn in_words(value: &Value) -> String {
    match value {
        Value::Array(list) => {
            let words: Vec<String> =
                list.iter().map(|word| word.as_str().map_or_else(|| word.to_string(), str::to_owned)).collect();
            words.join(", ")
        }
        Value::Object(members) => {
            let words: Vec<String> = members
                .iter()
                .map(|(name, value)| match value {
                    Value::Array(list) if list.iter().all(Value::is_string) => {
                        let words: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
                        format!("{name} = {}", words.join(" or "))
                    }
                    _ => format!("{name} = {value}"),
                })
                .collect();
            words.join(", ")
        }
        _ => value.to_string(),
    }
}

/// What the owner of a tool should look at.
fn doubts(tool: &Tool, members: &Members<'_>) -> Vec<String> {
    let mut doubts = Vec::new();
    let mut spellings: BTreeMap<String, &str> = BTreeMap::new();
    for (name, schema) in &members.declared {
        if let Some(other) = spellings.insert(folded(name), name) {
            doubts.push(format!("{other} and {name} are two spellings of one name: the model will mix them up"));
        }
        if members.requires(name) && is_unbounded_string(schema) {
            doubts.push(format!("the required string {name} has no minLength: \"\" satisfies it"));
        }
    }
    doubts.extend(
        members
            .required
            .iter()
            .filter(|name| !members.declared.is_empty() && members.get(name).is_none())
            .map(|name| format!("{name} is required and not declared: nothing is known of its type")),
    );
    doubts.extend(idle_grants(tool, members));
    doubts
}

/// Grants that can never apply, beside those for undeclared members, which the library reports.
fn idle_grants(tool: &Tool, members: &Members<'_>) -> Vec<String> {
    let grants = tool.grants();
    let mut idle = Vec::new();
    let repairs = !grants.closable.is_empty() || grants.inner_call.is_some();
    if repairs && !tool.has_schema() {
        idle.push("closable and inner_call never apply: without a schema nothing is repaired".to_owned());
        return idle;
    }
    if repairs && !tool.unjudged().is_empty() {
        idle.push("closable and inner_call never apply: the schema has keywords that are not judged".to_owned());
    }
    if grants.inner_call.is_some() && !grants.closable.iter().any(|name| members.requires(name)) {
        idle.push("inner_call never applies: no required member is closable".to_owned());
    }
    if !grants.may_lack.is_empty() && !repairs {
        idle.push("may_lack never applies: nothing is closable and no inner_call is granted".to_owned());
    }
    for name in grants.may_lack.iter().filter(|name| members.requires(name)) {
        idle.push(format!("may_lack never applies to {name}: it is required"));
    }
    let limits = [
        ("max_inline_bytes", grants.max_inline_bytes.keys().collect::<Vec<_>>()),
        ("max_inline_chars", grants.max_inline_chars.keys().collect()),
        ("max_inline_utf16", grants.max_inline_utf16.keys().collect()),
        ("placeholders", grants.placeholders.keys().collect()),
    ];
    for (grant, names) in limits {
        for name in names.into_iter().filter(|name| members.get(name).is_some_and(is_no_string)) {
            idle.push(format!("{grant} never applies to {name}: it is no string"));
        }
    }
    idle
}

/// Two names that differ only in case and separators fold to one.
fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ' | '.')).flat_map(char::to_lowercase).collect()
}

/// A string that may be empty.
fn is_unbounded_string(schema: &Value) -> bool {
    let is_string = schema.get("type").and_then(Value::as_str).is_some_and(|name| name.eq_ignore_ascii_case("string"));
    is_string && ["minLength", "enum", "const", "pattern", "format"].iter().all(|bound| schema.get(bound).is_none())
}

/// A schema that names types, and string is not among them.
fn is_no_string(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => !name.eq_ignore_ascii_case("string"),
        Some(Value::Array(names)) => !names.iter().any(|name| name == "string"),
        _ => false,
    }
}
