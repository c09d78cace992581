//! `argseal history`: the list, the written conversation, exit codes.

mod support;

use support::{file, run};

const TOOLS: &str = r#"[{"name":"bash","input_schema":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}]"#;

const BODY: &str = r#"{"model":"m", "messages":[
  {"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"arguments\":{\"command\":\"ls\"}}"}},
    {"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"l"}}]},
  {"role":"tool","tool_call_id":"c1","content":"a"},
  {"role":"tool","tool_call_id":"c\u001b[2J","content":"b"}]}"#;

#[test]
fn lists_what_would_change_and_what_is_left() {
    let tools = file("history-tools.json", TOOLS);
    let ran = run(&["history", "-", "--tools", &tools], BODY.as_bytes());
    assert_eq!(
        ran.out,
        format!(
            "message 0, c1 (bash): unwrap:arguments\n\
             message 0, c2 (bash): not one JSON object (truncated-in-string): left as it is\n\
             message 0, c2 (bash): a call without a result: left as it is\n\
             message 2, c\\u{{001b}}[2J: a result without its call: left as it is\n\
             3 messages, 2 calls: 1 change to make with --write, 3 left; {} bytes before, {} after\n",
            BODY.len(),
            BODY.len() - r#"{\"arguments\":}"#.len(),
        )
    );
    assert_eq!((ran.code, ran.err), (1, String::new()));
}

#[test]
fn writes_the_conversation() {
    let tools = file("history-write-tools.json", TOOLS);
    let out = file("history-written.json", "");
    let args = ["history", "-", "--tools", &tools, "--unparseable", "marker", "--close", "--write", &out];
    let ran = run(&args, BODY.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("3 messages, 2 calls: 4 changes made; "), "{}", ran.out);
    let written = std::fs::read_to_string(&out).expect("the file");
    assert!(written.starts_with("{\"model\":\"m\", \"messages\":[\n  {\"role\":\"assistant\","), "{written}");
    assert!(
        written.contains(r#""arguments":"{\"command\":\"ls\"}""#)
            && written.contains(r#"{\"_rejected\":\"truncated-in-string\"}"#)
    );
    let ran = run(&["history", &out, "--tools", &tools], b"");
    assert_eq!(ran.code, 0);
    assert_eq!(ran.out, format!("4 messages, 2 calls: nothing to change; {} bytes\n", written.len()));
}

#[test]
fn a_body_names_its_own_tools() {
    let body = BODY.replacen('{', &format!("{{\"tools\":{TOOLS},"), 1);
    let body = file("history-body.json", &body);
    let ran = run(&["history", &body, "--tools", &body], b"");
    assert!(ran.out.starts_with("message 0, c1 (bash): unwrap:arguments\n"), "{}{}", ran.out, ran.err);
}

#[test]
fn rules_can_be_switched_off() {
    let tools = file("history-rules-tools.json", TOOLS);
    let ran = run(&["history", "-", "--tools", &tools, "--without", "unwrap"], BODY.as_bytes());
    assert!(!ran.out.contains("unwrap"), "{}", ran.out);
}

#[test]
fn unusable_input() {
    for text in ["", "{}", "[", "\u{fffd}"] {
        let ran = run(&["history", "-"], text.as_bytes());
        assert_eq!(ran.code, 2, "{text}");
        assert!(ran.err.starts_with("argseal: standard input: no list of messages: "), "{}", ran.err);
        assert!(ran.err.trim_end().ends_with("is expected") && ran.err.lines().count() == 1, "{}", ran.err);
    }
    assert_eq!(run(&["history", "-"], b"[\xff]").code, 2);
    assert_eq!(run(&["history", "/nowhere.json"], b"").code, 2);
    assert_eq!(run(&["history"], b"").code, 2);
    assert_eq!(run(&["history", "-", "--unparseable", "lost"], b"[]").code, 2);
    let help = run(&["history", "--help"], b"");
    assert!(help.code == 0 && help.out.contains("Examples:") && help.out.contains("Exit codes:"));
}
