//! Inputs on which careless code is quadratic. Each is prepared for a size; only the work on it is counted.

use argseal::{Call, Cursor, End, Format, Grants, Judgement, Limits, Policy, Rule, Settings, Tool};
use serde_json::{Map, Value, json};

use crate::judged;
use crate::payload::{self, Cut, stream};

/// Prepares the trap of this name and does its work.
///
/// # Errors
/// There is no such trap.
pub(super) fn run(name: &str, size: usize, rounds: usize) -> Result<(), String> {
    let found = TRAPS.iter().find(|(known, _)| *known == name);
    let (_, prepare) = found.ok_or_else(|| format!("there is no trap `{name}`"))?;
    let work = prepare(size);
    (0..rounds).for_each(|_| work());
    Ok(())
}

/// The traps that there are.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TRAPS.iter().map(|(name, _)| *name)
}

/// What is counted.
type Work = Box<dyn Fn()>;
/// What is not.
type Prepare = fn(usize) -> Work;

const TRAPS: &[(&str, Prepare)] = &[
    ("calls", calls),
    ("constants", constants),
    ("duplicates", duplicates),
    ("elements", elements),
    ("equal-values", equal_values),
    ("escapes", escapes),
    ("grants", grants),
    ("grants-judged", grants_judged),
    ("keys", keys),
    ("keys-escaped", keys_escaped),
    ("names", names_related),
    ("number", number),
    ("program-calls", program_calls),
    ("program-nested", program_nested),
    ("tiny-deltas", tiny_deltas),
    ("violations", violations),
    ("wrappers", wrappers),
];

/// Many calls of one response, all open at once.
fn calls(size: usize) -> Work {
    let (tools, text) =
        (judged::tools(), stream::interleaved("bash", r#"{"command":"ls","#, r#""description":"x"}"#, size));
    Box::new(move || {
        judged::assemble(Format::OpenaiChat, &tools, text.as_bytes(), 1400);
    })
}

/// A list of allowed values, numbers and others, and all of them as arguments.
fn constants(size: usize) -> Work {
    let of = |i: usize| if i.is_multiple_of(4) { json!({"id": i}) } else { json!(i) };
    let allowed: Vec<Value> = (0..size).map(of).collect();
    let text = json!({"a": allowed}).to_string();
    let schema = json!({"type": "object", "properties": {"a": {"items": {"enum": allowed}}}});
    Box::new(move || assert!(judge(&Tool::new("t", &schema).expect("a schema"), &text)))
}

/// One key again and again.
fn duplicates(size: usize) -> Work {
    accepts(open_tool(), object(size, |_| "\"key\":1".to_owned()))
}

fn elements(size: usize) -> Work {
    accepts(open_tool(), format!("{{\"a\":[{}\"x\"]}}", "1,\"y\",{\"z\":true},".repeat(size)))
}

/// One key twice, with large values that are equal.
fn equal_values(size: usize) -> Work {
    let list = format!("[{}1]", "{\"x\":[1,\"y\"]},".repeat(size));
    accepts(open_tool(), format!("{{\"a\":{list},\"a\":{list}}}"))
}

fn escapes(size: usize) -> Work {
    accepts(open_tool(), format!("{{\"a\":\"{}\"}}", "\\ud83d\\ude00\\n".repeat(size)))
}

/// Building a tool with many members, each with an alias and closable.
fn grants(size: usize) -> Work {
    let (schema, grants) = granted(size);
    Box::new(move || {
        granted_tool(&schema, &grants);
    })
}

/// Judging calls of it: by its names, by its aliases, with all of its members missing.
fn grants_judged(size: usize) -> Work {
    let (schema, grants) = granted(size);
    let tool = granted_tool(&schema, &grants);
    let text = |suffix: &str| object(size, |i| format!("\"m{i}{suffix}\":\"1\""));
    let (canonical, aliases) = (text(""), text("_x"));
    Box::new(move || assert!(judge(&tool, &canonical) && judge(&tool, &aliases) && !judge(&tool, "{}")))
}

fn keys(size: usize) -> Work {
    accepts(open_tool(), object(size, |i| format!("\"key{i}\":1")))
}

fn keys_escaped(size: usize) -> Work {
    accepts(open_tool(), object(size, |i| format!("\"\\u006b{i}\":1")))
}

/// A declared member and one that is written, both with long names that are nearly the same.
fn names_related(size: usize) -> Work {
    let words = "word_".repeat(size);
    let schema = json!({"type": "object", "properties": {format!("{words}query"): {"type": "string"}},
        "required": [format!("{words}query")], "additionalProperties": false});
    let tool = Tool::new("t", &schema).expect("a schema");
    let (related, other) = (format!("{{\"{words}queries\":\"x\"}}"), format!("{{\"{words}other\":\"x\"}}"));
    Box::new(move || assert!(judge(&tool, &related) && !judge(&tool, &other)))
}

/// Digits in deltas of 16 bytes.
fn number(size: usize) -> Work {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}});
    let tool = Tool::new("t", &schema).expect("a schema");
    let text = format!("{{\"a\":{}}}", "1234567890".repeat(size));
    Box::new(move || {
        let mut call = Call::new(&tool).with_settings(&settings());
        payload::deltas(&text, Cut::Every(16)).into_iter().for_each(|delta| {
            call.feed(delta);
        });
        assert!(call.finish(End::Complete).is_ok());
    })
}

/// A program of many nested calls that ends in one that is cut.
fn program_calls(size: usize) -> Work {
    let program = format!("{CUT_CALL}\\\"}});\\n").repeat(size);
    let (tool, text) = (program_tool(), format!("{{\"code\":\"{program}\"}}"));
    Box::new(move || assert!(!judge(&tool, &text)))
}

/// A program that ends in a call that is cut, after many brackets that are open.
fn program_nested(size: usize) -> Work {
    let (tool, text) = (program_tool(), format!("{{\"code\":\"{}{CUT_CALL}\"}}", "([{".repeat(size)));
    Box::new(move || assert!(!judge(&tool, &text)))
}

/// Deltas of one byte, each looked at.
fn tiny_deltas(size: usize) -> Work {
    let text = payload::write_file(size);
    Box::new(move || {
        let mut call = Call::default();
        let mut cursor = Cursor::member("content");
        let mut shown = 0;
        for delta in payload::deltas(&text, Cut::Every(1)) {
            call.feed(delta);
            shown += call.partial().take(&mut cursor).map_or(0, |grown| grown.text.len());
            shown ^= call.partial().get("content").and_then(|value| value.as_str()).map_or(0, str::len);
        }
        assert!(call.finish(End::Complete).is_ok() && shown > 0);
    })
}

/// Members that are all of the wrong type.
fn violations(size: usize) -> Work {
    let (schema, _) = granted(size);
    let tool = Tool::new("t", &schema).expect("a schema");
    let text = object(size, |i| format!("\"m{i}\":[1]"));
    Box::new(move || assert!(!judge(&tool, &text)))
}

/// Arguments wrapped as often as this.
fn wrappers(size: usize) -> Work {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    let tool = Tool::new("t", &schema).expect("a schema");
    accepts(tool, format!("{}{{\"a\":1}}{}", "{\"arguments\":".repeat(size), "}".repeat(size)))
}

fn accepts(tool: Tool, text: String) -> Work {
    Box::new(move || assert!(judge(&tool, &text)))
}

fn judge(tool: &Tool, text: &str) -> bool {
    let mut call = Call::new(tool).with_settings(&settings());
    call.feed(text);
    call.finish(End::Complete).is_ok()
}

/// Everything that can be on is on, and nothing stops early.
fn settings() -> Settings {
    Settings::default()
        .with_policy(Policy::Full)
        .with_rule(Rule::Rename)
        .with_judgement(Judgement::Schema)
        .with_limits(Limits::max())
}

fn object(size: usize, member: impl Fn(usize) -> String) -> String {
    format!("{{{}}}", (0..size).map(member).collect::<Vec<_>>().join(","))
}

fn open_tool() -> Tool {
    Tool::new("t", &json!({"type": "object"})).expect("a schema")
}

/// A schema of many members, and grants for each of them.
fn granted(size: usize) -> (Value, Value) {
    let names: Vec<String> = (0..size).map(|i| format!("m{i}")).collect();
    let properties: Map<String, Value> = names.iter().map(|name| (name.clone(), json!({"type": "string"}))).collect();
    let aliases: Map<String, Value> = names.iter().map(|name| (name.clone(), json!([format!("{name}_x")]))).collect();
    let grants = json!({"aliases": aliases, "closable": names, "may_lack": names});
    let schema = json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false});
    (schema, grants)
}

fn granted_tool(schema: &Value, grants: &Value) -> Tool {
    let tool = Tool::new("t", schema).expect("a schema");
    tool.with_grants(Grants::from_json(grants).expect("grants")).expect("grants that fit")
}

fn program_tool() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {"code": {"type": "string"}, "description": {"type": "string"}},
        "required": ["code", "description"],
    });
    let grants = json!({"closable": ["description"], "inner_call": {"payload": "code", "object": "tools"}});
    granted_tool(&schema, &grants)
}

const CUT_CALL: &str = "await tools.bash({\\n  command: `ls`,\\n  description: \\\"List";
