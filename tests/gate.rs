//! The gate of the repairs, where the text alone matches: nothing that normalization would touch or refuse, and nothing
//! that the schema declares in another place than `properties`.

use argseal::{Code, End, Grants, Judgement, NoteKind, Policy, Settings, Tool};
use serde_json::{Value, json};

fn tool(definition: &Value) -> Tool {
    let grants = Grants::beside(definition).expect("grants");
    Tool::from_json(definition).expect("a tool").with_grants(grants).expect("grants that fit")
}

fn tools() -> Value {
    let string = json!({"type": "string"});
    let members = |name: &str| json!({name: string, "description": string});
    let bash = |more: Value| {
        let mut schema = json!({"type": "object", "properties": members("command")});
        schema.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!({"name": "bash", "parameters": schema, "closable": ["description"]})
    };
    let more = json!({"properties": {"dry_run": {"type": "boolean"}}});
    json!({
        "aliases": {"name": "run", "parameters": {"type": "object", "properties": members("code"), "required": ["code"]},
            "closable": ["description"], "aliases": {"code": ["cmd"]}},
        "all_of": bash(json!({"allOf": [more]})),
        "any_of": bash(json!({"anyOf": [more, {"required": ["command"]}]})),
        // What no draft defines says nothing of values; what one defines may, however it is spelt.
        "extended": bash(json!({"x-order": 1, "strict": true, "cache_control": {"type": "ephemeral"}, "properties": {
            "command": {"type": "string", "markdownDescription": "", "enumDescriptions": ["a"]},
            "description": {"type": "string", "x-order": 2, "propertyOrdering": [], "hint": {"pattern": "^a"}}}})),
        "draft_3": bash(json!({"extends": {"properties": {"dry_run": {"type": "boolean"}}}})),
        "nullable": bash(json!({"nullable": true})),
        "plain": bash(json!({})),
        "snake_case": bash(json!({"min_properties": 3})),
        "reference": bash(json!({"$defs": {"more": more}, "$ref": "#/$defs/more"})),
    })
}

fn full() -> Settings {
    Settings::default().with_policy(Policy::Full).with_judgement(Judgement::Schema)
}

#[test]
fn what_surrounds_the_cut_decides() {
    let tools = tools();
    for line in include_str!("cases/repair_gate.txt").lines().filter(|line| !line.starts_with('#')) {
        let (name, text) = line.split_once(' ').expect("a tool and a text");
        let tool = tool(&tools[name]);
        let mut call = argseal::Call::new(&tool).with_settings(&full());
        call.feed(text);
        let rejected = call.finish(End::Complete).expect_err(line);
        assert_eq!(rejected.diagnosis().code(), Code::TruncatedInString, "{line}");
        argseal_laws::idempotence(text.as_bytes(), Some(&tool), &full(), End::Complete);
    }
    let plain = tool(&tools["aliases"]);
    let repaired = argseal::judge(&plain, r#"{"code":"x","description":"abc"#, End::Complete).expect("a plain cut");
    assert_eq!(repaired.text(), r#"{"code":"x","description":"abc"}"#);
}

#[test]
fn what_the_cut_text_holds_decides() {
    let tools = tools();
    let lines = include_str!("cases/close_description.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut parts = line.splitn(3, ' ');
        let mut part = || parts.next().expect("a verdict or a code, a tool and a text");
        let (expected, tool, text) = (part(), tool(&tools[part()]), part());
        let mut call = argseal::Call::new(&tool).with_settings(&full());
        call.feed(text);
        match call.finish(End::Complete) {
            Ok(accepted) => {
                assert_eq!(accepted.verdict().name(), expected, "{line}");
                assert_eq!(accepted.text(), format!("{text}\"}}"), "{line}");
            }
            Err(rejected) => assert_eq!(rejected.diagnosis().code().name(), expected, "{line}"),
        }
    }
}

#[test]
fn a_full_value_does_not_bring_back_what_a_guard_rejected() {
    let definition = json!({"name": "w", "parameters": {"type": "object", "properties": {"content": {"type": "string"}}},
        "max_inline_bytes": {"content": 3}});
    let tool = tool(&definition);
    let text = r#"{"content":"abcdef"}"#;
    for (full, note) in [(text, Some(NoteKind::FinalConfirmed)), ("{broken", Some(NoteKind::FinalBroken)), ("", None)] {
        let mut call = argseal::Call::new(&tool);
        call.feed(text);
        let rejected = call.finish_with(End::Complete, full).expect_err("over the limit");
        assert_eq!(
            (rejected.diagnosis().code(), rejected.diagnosis().known_at()),
            (Code::InlineLimit, Some(16)),
            "{full}"
        );
        assert_eq!(rejected.notes().first().map(argseal::Note::kind), note, "{full}");
    }
    let mut call = argseal::Call::new(&tool);
    call.feed(text);
    let rejected = call.finish_with(End::Complete, r#"{"content":"abcdeg"}"#).expect_err("they disagree");
    assert_eq!(rejected.diagnosis().code(), Code::FinalMismatch);
}
