//! Calls of the wrong shape, from a seed: a tool with two to six members, and arguments that nearly fit it.

use argseal::End;
use serde_json::{Map, Value, json};

use super::random::Random;

/// A tool and one text for it.
pub struct Generated {
    pub tool: Value,
    pub text: String,
    pub end: End,
}

/// A call whose keys and values are partly right, and which may stand in wrappers or in strings.
pub fn call(random: &mut Random) -> Generated {
    let tool = tool(random);
    let mut text = arguments(random, &tool);
    for _ in 0..random.below(4).saturating_sub(1) {
        text = wrapped(random, &tool, &text);
    }
    if random.once_in(20) {
        text = quoted(random, &text);
    }
    let end = match random.below(20) {
        0 => End::Truncated,
        1 => End::Filtered,
        2 => End::CallClosed,
        _ => End::Complete,
    };
    Generated { tool, text, end }
}

/// A tool. Members, types, what is required and the aliases are drawn; names may be those of wrappers.
pub fn tool(random: &mut Random) -> Value {
    let mut properties = Map::new();
    let members = 2 + random.below(5);
    while properties.len() < members {
        let name = if random.once_in(12) { random.pick(WRAPPERS) } else { random.pick(NAMES) };
        properties.insert((*name).to_owned(), schema(random));
    }
    let names: Vec<String> = properties.keys().cloned().collect();
    let required: Vec<&String> = names.iter().filter(|_| random.below(5) < 2).collect();
    let mut aliases = Map::new();
    let mut free: Vec<&str> = ALIASES.iter().copied().filter(|alias| !properties.contains_key(*alias)).collect();
    for name in &names {
        let some: Vec<&str> = (0..random.below(3))
            .map_while(|_| (!free.is_empty()).then(|| free.remove(random.below(free.len()))))
            .collect();
        if !some.is_empty() {
            aliases.insert(name.clone(), json!(some));
        }
    }
    let mut parameters = json!({"type": "object", "properties": properties, "required": required});
    parameters["$defs"] = json!({"number": {"type": "number"}, "object": {"type": "object"}});
    match random.below(4) {
        0 | 1 => parameters["additionalProperties"] = json!(false),
        2 => parameters["additionalProperties"] = json!(true),
        _ => {}
    }
    json!({"name": random.pick(TOOLS), "parameters": parameters, "aliases": aliases})
}

const TOOLS: &[&str] = &["tool", "skill", "write_file", "searchIndex"];

// No name needs an escape in a pointer: there the specification forgets it, and renames whatever the type.
const NAMES: &[&str] = &[
    "path",
    "file_path",
    "command",
    "query",
    "queries",
    "name",
    "limit",
    "items",
    "options",
    "verbose",
    "new_string",
    "title",
    "id",
    "a b",
    "naïve",
];

pub const WRAPPERS: &[&str] =
    &["arguments", "args", "parameters", "parameter", "params", "input", "properties", "values"];

const ALIASES: &[&str] = &["cmd", "filePath", "p", "q", "flags", "label", "text", "count", "x~y", "input", "params"];

fn schema(random: &mut Random) -> Value {
    let choices = [
        json!({"type": "string"}),
        json!({"type": "string"}),
        json!({"type": "string", "minLength": 2}),
        json!({"type": "string", "enum": ["a", "b"]}),
        json!({"type": "integer"}),
        json!({"type": "integer", "minimum": 3}),
        json!({"type": "number"}),
        json!({"type": "boolean"}),
        json!({"type": "object"}),
        json!({"type": "array"}),
        json!({"type": "array", "items": {"type": "integer"}}),
        json!({"type": ["integer", "null"]}),
        json!({"type": ["object", "array"]}),
        json!({"anyOf": [{"type": "boolean"}, {"type": "array"}]}),
        json!({"oneOf": [{"type": "number"}, {"type": "string"}]}),
        json!({"oneOf": [{"type": "number"}, {"type": "integer"}]}),
        json!({"$ref": "#/$defs/number"}),
        json!({"$ref": "#/$defs/object"}),
        json!({"type": "object", "properties": {"k": {"type": "integer"}}, "required": ["k"]}),
        json!({"enum": [1, "1"]}),
        json!({}),
    ];
    random.pick(&choices).clone()
}

/// An object: two thirds of its keys are declared. Every second one is nearly right.
fn arguments(random: &mut Random, tool: &Value) -> String {
    let properties = tool["parameters"]["properties"].as_object().expect("an object");
    let names: Vec<&String> = properties.keys().collect();
    let mut members: Vec<(String, String)> = Vec::new();
    let nearly = random.below(2) == 0;
    for &name in &names {
        if nearly || random.below(3) > 0 {
            let key =
                if random.below(if nearly { 6 } else { 2 }) > 0 { name.clone() } else { near(random, tool, name) };
            let right = nearly && random.below(3) > 0;
            members.push((
                key,
                if right { self::right(random, &properties[name]) } else { value(random, &properties[name]) },
            ));
        }
    }
    for _ in 0..if nearly { 0 } else { random.below(8).saturating_sub(5) } {
        let name = *random.pick(&names);
        members.push((near(random, tool, name), value(random, &properties[name])));
    }
    unique(random, &mut members);
    object(random, &members)
}

/// Mostly no key twice; sometimes one twice, with equal values or not.
fn unique(random: &mut Random, members: &mut Vec<(String, String)>) {
    let mut seen = std::collections::HashSet::new();
    members.retain(|member| seen.insert(member.0.clone()));
    if !members.is_empty() && random.once_in(30) {
        let mut again = random.pick(members).clone();
        if random.once_in(4) {
            again.1 = "0".to_owned();
        }
        members.push(again);
    }
}

/// An alias, a wrapper's name, a related name, or any other.
fn near(random: &mut Random, tool: &Value, name: &str) -> String {
    let aliases = tool["aliases"][name].as_array().map(Vec::as_slice).unwrap_or_default();
    match random.below(8) {
        0..=3 if !aliases.is_empty() => random.pick(aliases).as_str().expect("a name").to_owned(),
        0 | 4 => (*random.pick(WRAPPERS)).to_owned(),
        1 => format!("{name}s"),
        2 => format!("file_{name}"),
        3 => name.to_uppercase(),
        5 => name.replace('_', ""),
        6 => format!("{}_{name}", tool["name"].as_str().expect("a name")),
        _ => (*random.pick(&["other", "new_str", "type", "description", "name"])).to_owned(),
    }
}

/// A value for the schema: right, wrong, wrapped or as a string.
fn value(random: &mut Random, schema: &Value) -> String {
    let right = right(random, schema);
    match random.below(12) {
        0..=5 => right,
        6 | 7 => quoted(random, &right),
        8 => {
            let key = *random.pick(WRAPPERS);
            object(random, &[(key.to_owned(), right)])
        }
        9 => "null".to_owned(),
        10 => format!("[{right}]"),
        _ => (*random.pick(OTHER)).to_owned(),
    }
}

const OTHER: &[&str] = &[
    "\"\"",
    "\"x\"",
    "7",
    "1e1",
    "-0",
    "2.50",
    "true",
    "{}",
    "[]",
    "[1]",
    "\"7\"",
    "\"7.5\"",
    "\"1e2\"",
    "\"01\"",
    "\" 7\"",
    "\"true\"",
    "\"null\"",
    "\"{}\"",
    "\"[1, 2]\"",
    "\"{\\\"k\\\":1}\"",
    "\"{\\\"k\\\":1,\\\"k\\\":2}\"",
    "\"\\u0037\"",
    "\"[1\"",
    "{\"k\":1}",
    "12345678901234567890123",
];

fn right(random: &mut Random, schema: &Value) -> String {
    let of_type = |random: &mut Random, kind: &str| -> String {
        let choices: &[&str] = match kind {
            "string" => &["\"a\"", "\"b\"", "\"some text\"", "\"caf\\u00e9 \\\"q\\\"\"", "\"1\""],
            "integer" => &["3", "41", "-7", "5.0", "123456789012345678901"],
            "number" => &["3", "0.5", "1e2", "-2.50"],
            "boolean" => &["true", "false"],
            "array" => &["[]", "[1, 2]", "[ 3 ]"],
            "object" => &["{}", "{\"k\": 1}", "{\"k\":1,\"j\":[]}"],
            _ => &["null"],
        };
        (*random.pick(choices)).to_owned()
    };
    if let Some(values) = schema["enum"].as_array() {
        return random.pick(values).to_string();
    }
    if let Some(target) = schema["$ref"].as_str() {
        return of_type(random, target.trim_start_matches("#/$defs/"));
    }
    for union in ["anyOf", "oneOf"] {
        if let Some(alternatives) = schema[union].as_array() {
            let alternative = random.pick(alternatives).clone();
            return right(random, &alternative);
        }
    }
    match &schema["type"] {
        Value::Array(types) => {
            let kind = random.pick(types).as_str().expect("a type").to_owned();
            of_type(random, &kind)
        }
        Value::String(kind) => of_type(random, kind),
        _ => (*random.pick(OTHER)).to_owned(),
    }
}

/// The arguments inside of a wrapper: alone, as an envelope, or beside siblings; as an object or as a string.
fn wrapped(random: &mut Random, tool: &Value, inner: &str) -> String {
    let key = if random.below(2) == 0 { "arguments" } else { *random.pick(WRAPPERS) };
    let value = if random.below(4) == 0 { quoted(random, inner) } else { inner.to_owned() };
    let mut members = vec![(key.to_owned(), value)];
    match random.below(12) {
        0 => members.push(("name".to_owned(), tool["name"].to_string())),
        1 => members.insert(0, ("name".to_owned(), "\"other\"".to_owned())),
        2..=4 => {
            let properties = tool["parameters"]["properties"].as_object().expect("an object");
            let name = (*random.pick(&properties.keys().collect::<Vec<_>>())).clone();
            let value = value_or_null(random, &properties[&name]);
            let at = random.below(2);
            members.insert(at, (name, value));
        }
        5 => members.push(((*random.pick(WRAPPERS)).to_owned(), "{}".to_owned())),
        _ => {}
    }
    unique(random, &mut members);
    object(random, &members)
}

fn value_or_null(random: &mut Random, schema: &Value) -> String {
    if random.once_in(6) { "null".to_owned() } else { value(random, schema) }
}

fn object(random: &mut Random, members: &[(String, String)]) -> String {
    let mut text = String::new();
    let spaced = random.once_in(3);
    let blank = |random: &mut Random, text: &mut String| {
        if spaced && random.below(2) == 0 {
            text.push_str(random.pick::<&str>(&[" ", "\n  ", "\t"]));
        }
    };
    blank(random, &mut text);
    text.push('{');
    for (i, (name, value)) in members.iter().enumerate() {
        if i > 0 {
            text.push(',');
        }
        blank(random, &mut text);
        text.push_str(&quoted(random, name));
        blank(random, &mut text);
        text.push(':');
        blank(random, &mut text);
        text.push_str(value);
        blank(random, &mut text);
    }
    text.push('}');
    blank(random, &mut text);
    text
}

/// The text as a JSON string, sometimes with an escape that it does not need.
fn quoted(random: &mut Random, text: &str) -> String {
    let token = json!(text).to_string();
    match text.chars().next() {
        Some(first) if first.is_ascii_alphanumeric() && random.once_in(10) => {
            format!("\"\\u{:04x}{}", u32::from(first), &token[2..])
        }
        _ => token,
    }
}
