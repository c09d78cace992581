//! Texts, tools and streams on which careless code is quadratic: four times the size takes about four times the work.

mod support;

use argseal::{Calls, Chunk, End, Grants, Judgement, Limits, Policy, Rule, Settings, Tool, Tools};
use serde_json::{Map, Value, json};
use support::{Stopwatch, is_within};

/// `run` works on an input of the size that it is given.
fn is_linear(name: &str, size: usize, run: impl Fn(usize)) {
    let measured = |size: usize| {
        let watch = Stopwatch::start();
        run(size);
        watch.worked()
    };
    // Quadratic work takes sixteen times as long; caches that no longer hold the input, up to twice.
    let linear = is_within(9, || measured(size / 2), || measured(2 * size));
    assert_eq!(linear, Ok(()), "{name}");
}

fn settings() -> Settings {
    Settings::default()
        .with_policy(Policy::Full)
        .with_rule(Rule::Rename)
        .with_judgement(Judgement::Schema)
        .with_limits(Limits::max())
}

fn judged(tool: &Tool, text: &str) -> bool {
    let mut call = argseal::Call::new(tool).with_settings(&settings());
    call.feed(text);
    call.finish(End::Complete).is_ok()
}

fn open_tool() -> Tool {
    Tool::new("t", &json!({"type": "object"})).expect("a schema")
}

#[test]
fn many_keys() {
    let tool = open_tool();
    let object = |n: usize, key: &dyn Fn(usize) -> String| {
        format!("{{{}}}", (0..n).map(|i| format!("\"{}\":1", key(i))).collect::<Vec<_>>().join(","))
    };
    is_linear("distinct", 40_000, |n| assert!(judged(&tool, &object(n, &|i| format!("key{i}")))));
    is_linear("one key again and again", 40_000, |n| assert!(judged(&tool, &object(n, &|_| "key".into()))));
    is_linear("escaped", 40_000, |n| assert!(judged(&tool, &object(n, &|i| format!("\\u006b{i}")))));
}

#[test]
fn equal_values_that_are_large() {
    let tool = open_tool();
    is_linear("equal duplicates", 40_000, |n| {
        let list = format!("[{}1]", "{\"x\":[1,\"y\"]},".repeat(n));
        assert!(judged(&tool, &format!("{{\"a\":{list},\"a\":{list}}}")));
    });
}

#[test]
fn many_constants() {
    let kinds: [(&str, &dyn Fn(usize) -> Value); 4] = [
        ("numbers", &|i| json!(i)),
        ("objects", &|i| json!({"id": i, "of": [i]})),
        ("strings", &|i| json!(i.to_string())),
        ("of all kinds", &|i| match i % 3 {
            0 => json!(i),
            1 => json!([i]),
            _ => json!(i.to_string()),
        }),
    ];
    for (name, constant) in kinds {
        is_linear(name, 40_000, |n| {
            let allowed: Vec<Value> = (0..n).map(constant).collect();
            let text = json!({"a": allowed}).to_string();
            let items = json!({"items": {"enum": allowed}});
            let tool = Tool::new("t", &json!({"type": "object", "properties": {"a": items}})).expect("a schema");
            assert!(judged(&tool, &text));
        });
    }
}

#[test]
fn constants_at_every_level() {
    let node = json!({"type": ["object", "array"], "uniqueItems": true, "not": {"enum": [[1], {"a": 1}]},
        "items": {"$ref": "#/$defs/node"}});
    let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}});
    let tool = Tool::new("t", &schema).expect("a schema");
    is_linear("levels", 20_000, |n| {
        assert!(judged(&tool, &format!("{{\"a\":{}{}}}", "[{},".repeat(n) + "[]", "]".repeat(n))));
    });
}

#[test]
fn escapes() {
    let tool = open_tool();
    is_linear("escapes", 100_000, |n| {
        assert!(judged(&tool, &format!("{{\"a\":\"{}\"}}", "\\ud83d\\ude00\\n".repeat(n))));
    });
}

#[test]
fn deep_wrappers() {
    let tool = Tool::new("t", &json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}));
    let tool = tool.expect("a schema");
    is_linear("wrappers", 40_000, |n| {
        let text = format!("{}{{\"a\":1}}{}", "{\"arguments\":".repeat(n), "}".repeat(n));
        assert!(judged(&tool, &text));
    });
}

#[test]
fn long_related_names() {
    is_linear("names", 20_000, |n| {
        let words = "word_".repeat(n);
        let schema = json!({"type": "object", "properties": {format!("{words}query"): {"type": "string"}},
            "required": [format!("{words}query")], "additionalProperties": false});
        let tool = Tool::new("t", &schema).expect("a schema");
        assert!(judged(&tool, &format!("{{\"{words}queries\":\"x\"}}")));
        assert!(!judged(&tool, &format!("{{\"{words}other\":\"x\"}}")));
    });
}

#[test]
fn many_members_and_grants() {
    is_linear("aliases", 4_000, |n| {
        let properties: Map<String, Value> = (0..n).map(|i| (format!("m{i}"), json!({"type": "string"}))).collect();
        let names: Vec<String> = properties.keys().cloned().collect();
        let aliases: Map<String, Value> =
            names.iter().map(|name| (name.clone(), json!([format!("{name}_x")]))).collect();
        let grants = json!({"aliases": aliases, "closable": names, "may_lack": names});
        let schema =
            json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false});
        let tool = Tool::new("t", &schema).expect("a schema");
        let tool = tool.with_grants(Grants::from_json(&grants).expect("grants")).expect("a tool");
        let text = |suffix: &str| {
            let members = names.iter().map(|name| format!("\"{name}{suffix}\":\"1\""));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        };
        assert!(judged(&tool, &text("")) && judged(&tool, &text("_x")));
        assert!(!judged(&tool, "{}") && !judged(&tool, &text("_y")));
    });
}

#[test]
fn long_programs() {
    let definition = json!({"type": "object", "properties": {"code": {"type": "string"}, "description": {"type": "string"}},
        "required": ["code", "description"]});
    let grants = json!({"closable": ["description"], "inner_call": {"payload": "code", "object": "tools"}});
    let tool = Tool::new("run", &definition).expect("a schema");
    let tool = tool.with_grants(Grants::from_json(&grants).expect("grants")).expect("a tool");
    let call = "await tools.bash({\\n  command: `ls`,\\n  description: \\\"List";
    is_linear("one call", 20_000, |n| {
        assert!(judged(&tool, &format!("{{\"code\":\"{}{call}\"}}", "let x = [1, 'two'];\\n".repeat(n))));
    });
    is_linear("many calls", 5_000, |n| {
        assert!(!judged(&tool, &format!("{{\"code\":\"{}\"}}", format!("{call}\\\"}});\\n").repeat(n))));
    });
    is_linear("open brackets", 100_000, |n| {
        assert!(!judged(&tool, &format!("{{\"code\":\"{}{call}\"}}", "([{".repeat(n))));
    });
}

#[test]
fn many_calls_of_one_response() {
    let (tools, _) = Tools::of(&[json!({"name": "t", "parameters": {"type": "object"}})], &|_| Grants::default(), None);
    is_linear("calls", 2_000, |n| {
        let settings = Settings::default().with_limits(Limits::default().with_calls(u32::MAX));
        let mut calls = Calls::new(&tools, &settings);
        for i in 0..n {
            let id = i.to_string();
            let arguments = Some("{\"a\":");
            calls.chunk(Chunk { index: Some(i as u64), id: Some(&id), name: Some("t"), arguments });
        }
        for i in 0..n {
            calls.chunk(Chunk { index: Some(i as u64), arguments: Some("1}"), ..Chunk::default() });
        }
        assert_eq!(calls.finish(End::Complete).len(), n);
    });
}
