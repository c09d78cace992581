//! `argseal batch`: every field, every error, and the manners of a co-process.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use support::{program, run};

/// The answers to these lines.
fn answers(args: &[&str], lines: &[&str]) -> Vec<Value> {
    let args: Vec<&str> = ["batch"].iter().chain(args).copied().collect();
    let ran = run(&args, (lines.join("\n") + "\n").as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answers: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), lines.len(), "one answer a line");
    answers
}

fn answer(line: &str) -> Value {
    answers(&[], &[line]).remove(0)
}

const BASH: &str = r#"{"name":"bash","parameters":{"type":"object","properties":{"command":{"type":"string"},"description":{"type":"string"}},"required":["command","description"]},"closable":["description"]}"#;

#[test]
fn an_accepted_call_has_every_field() {
    assert_eq!(
        answer(r#"{"id":7,"text":"{ \"n\" : 1.50,\n\"s\":\"a  b\" }"}"#),
        json!({"id": 7, "outcome": "strict", "arguments": {"n": 1.5, "s": "a  b"}, "text": "{ \"n\" : 1.50,\n\"s\":\"a  b\" }",
            "edits": [], "actions": [], "notes": [], "diagnosis": null})
    );
}

#[test]
fn arguments_keep_their_tokens_and_lose_their_blanks() {
    let ran =
        run(&["batch"], br#"{"text":"{ \"n\" : [1.50, 1e400,\r\n 3305118820117000003 ], \"\\u0061 b\" : \"c  d\" }"}"#);
    let arguments = r#""arguments":{"n":[1.50,1e400,3305118820117000003],"\u0061 b":"c  d"},"#;
    assert!(ran.out.contains(arguments), "{}", ran.out);
    assert_eq!(ran.out.lines().count(), 1);
}

#[test]
fn a_repair_shows_its_edits() {
    let line = format!(r#"{{"id":"a","tool":{BASH},"text":"{{\"command\":\"ls\",\"description\":\"List fi"}}"#);
    let answer = answer(&line);
    assert_eq!(answer["outcome"], "repaired");
    assert_eq!(answer["text"], r#"{"command":"ls","description":"List fi"}"#);
    assert_eq!(answer["edits"], json!([{"at": 38, "delete": 0, "insert": "\"}", "rules": ["close-description"]}]));
    assert_eq!(answer["actions"], json!(["close-description"]));
}

#[test]
fn a_rejection_has_every_field() {
    let answer = answer(r#"{"id":[1,{"b":2}],"text":"{\"code\":\"a \"b\" c\"}"}"#);
    assert_eq!(answer["id"], json!([1, {"b": 2}]));
    let known = &answer["diagnosis"];
    assert_eq!((&answer["arguments"], &answer["text"], &answer["edits"]), (&Value::Null, &Value::Null, &json!([])));
    assert_eq!((&known["code"], &known["fault"]), (&json!("unexpected-after-string"), &json!("model")));
    assert_eq!((&known["at"], &known["pointer"], &known["known_at"]), (&json!(12), &json!("/code"), &json!(13)));
    assert_eq!(known["suspect_quote"], json!({"at": 11, "pointer": "/code", "line": 1, "column": 3}));
    assert!(known["message"].as_str().unwrap().starts_with("unexpected-after-string at byte 12: "));
    assert!(known["advice"].is_string());
}

#[test]
fn deltas_may_cut_anything() {
    let whole = r#"{"id":1,"deltas":["","{\"q\":\"\\ud8","3c\\udf0d","\"}",""]}"#;
    // Half of "ü", then the rest; without padding.
    let bytes = r#"{"id":2,"deltas_b64":["eyJxIjoiww","vCJ9"]}"#;
    let answers = answers(&[], &[whole, bytes]);
    assert_eq!(answers[0]["arguments"], json!({"q": "🌍"}));
    assert_eq!(answers[1]["arguments"], json!({"q": "ü"}));
}

#[test]
fn a_final_alone_is_fine() {
    let answers = answers(
        &[],
        &[
            r#"{"final":"{\"a\":1}"}"#,
            r#"{"deltas":["{\"a\":"],"final":"{\"a\":1}"}"#,
            r#"{"deltas":["{\"a\":2}"],"final":"{\"a\":1}"}"#,
        ],
    );
    assert_eq!(answers[0]["arguments"], json!({"a": 1}));
    assert_eq!(answers[1]["notes"], json!([{"note": "final-used"}]));
    assert_eq!(answers[2]["diagnosis"]["code"], "final-mismatch");
}

#[test]
fn a_tool_of_the_providers_own_is_opaque() {
    for tool in [r#"{"type":"web_search"}"#, r#"{"googleSearch":{}}"#, r#"{"type":"bash_20250124","name":"bash"}"#] {
        let accepted = answer(&format!(r#"{{"tool":{tool},"text":"{{\"query\":1}}"}}"#));
        assert_eq!((&accepted["outcome"], &accepted["notes"]), (&json!("strict"), &json!([])), "{tool}");
        assert_eq!(answer(&format!(r#"{{"tool":{tool},"text":"{{"}}"#))["outcome"], "rejected", "{tool}");
    }
}

#[test]
fn the_end_is_heard() {
    let cut = |end: &str| answer(&format!(r#"{{"text":"{{\"a\":1","end":"{end}"}}"#))["diagnosis"]["fault"].clone();
    let faults = ["complete", "truncated", "filtered", "disconnected", "cancelled", "closed"].map(cut);
    assert_eq!(faults, ["model", "budget", "provider", "transport", "host", "model"]);
}

#[test]
fn a_line_that_cannot_be_read_is_answered_and_the_run_goes_on() {
    let cases = [
        (r#"{"id":1"#, Value::Null, "not JSON"),
        ("", Value::Null, "not JSON"),
        ("[1]", Value::Null, "not a JSON object"),
        ("nonsense", Value::Null, "not JSON"),
        (r#"{"id":1}"#, json!(1), "none of text, deltas, deltas_b64 and final"),
        (r#"{"id":1,"text":"{}","deltas":[]}"#, json!(1), "more than one of text, deltas and deltas_b64"),
        (r#"{"id":1,"deltas":[],"deltas_b64":[],"final":"{}"}"#, json!(1), "more than one"),
        (r#"{"id":1,"text":5}"#, json!(1), "text: "),
        (r#"{"id":1,"text":"{}","end":"done"}"#, json!(1), "unknown end \"done\""),
        (r#"{"id":1,"deltas_b64":["e30=","*"]}"#, json!(1), "deltas_b64[1]: "),
        (r#"{"id":1,"text":"{}","tool":{"parameters":{}}}"#, json!(1), "tool: "),
        (r#"{"id":1,"text":"{}","tool":{"name":"t","parameters":{"type":5}}}"#, json!(1), "tool: "),
        (r#"{"id":1,"text":"{}","tool":{"name":"t","parameters":{},"closable":5}}"#, json!(1), "tool: "),
        (r#"{"id":1,"text":"{}","tool":{"name":"t","aliases":{"a":["b"],"c":["b"]}}}"#, json!(1), "tool: "),
        (r#"{"id":1,"text":"\ud800"}"#, json!(1), "text: "),
    ];
    let lines: Vec<&str> = cases.iter().map(|(line, ..)| *line).chain([r#"{"id":"last","text":"{}"}"#]).collect();
    let answers = answers(&[], &lines);
    for ((line, id, error), answer) in cases.iter().zip(&answers) {
        assert_eq!(&answer["id"], id, "{line}");
        assert!(answer["error"].as_str().is_some_and(|said| said.starts_with(error)), "{line}: {answer}");
        assert_eq!(answer.as_object().unwrap().len(), 2, "{line}: {answer}");
    }
    assert_eq!(answers.last().unwrap()["outcome"], "strict");
}

#[test]
fn bytes_that_are_no_text_are_answered() {
    let ran = run(&["batch"], b"{\"id\":1,\"text\":\"\xff\"}\n{\"id\":2,\"text\":\"{}\"}");
    assert_eq!(ran.code, 0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], r#"{"id":null,"error":"not UTF-8 at byte 16"}"#);
    assert!(lines[1].starts_with(r#"{"id":2,"outcome":"strict""#));
}

#[test]
fn what_is_not_known_of_a_request_is_ignored() {
    let answer = answer(r#"{"id":null,"comment":{"text":1},"tool":null,"deltas":null,"text":"{}"}"#);
    assert_eq!((&answer["id"], &answer["outcome"]), (&Value::Null, &json!("strict")));
}

#[test]
fn a_tool_without_parameters_is_opaque() {
    for tool in [r#"{"name":"t"}"#, r#"{"name":"t","parameters":null}"#] {
        assert_eq!(answer(&format!(r#"{{"tool":{tool},"text":"{{\"a\":1}}"}}"#))["outcome"], "strict");
    }
}

#[test]
fn every_keyword_of_a_schema_is_judged() {
    let tool = r#"{"name":"t","parameters":{"type":"object","properties":{"a":{"type":"string","pattern":"^/"}}}}"#;
    let outcome = |text: &str| answer(&format!(r#"{{"tool":{tool},"text":{}}}"#, json!(text)));
    assert_eq!(outcome(r#"{"a":"/x"}"#)["notes"], json!([]));
    assert_eq!(outcome(r#"{"a":"x"}"#)["diagnosis"]["code"], "constraint-violation");
}

#[test]
fn rules_and_judgement_can_be_chosen() {
    let cut = format!(r#"{{"tool":{BASH},"text":"{{\"command\":\"ls\",\"description\":\"L"}}"#);
    let outcome = |args: &[&str]| answers(args, &[&cut])[0]["outcome"].clone();
    assert_eq!(outcome(&[]), "repaired");
    assert_eq!(outcome(&["--policy", "strict"]), "rejected");
    assert_eq!(outcome(&["--policy", "strict", "--with", "close-description"]), "repaired");
    assert_eq!(outcome(&["--without", "close-description"]), "rejected");
    let loose = format!(r#"{{"tool":{BASH},"text":"{{\"command\":1}}"}}"#);
    assert_eq!(answers(&[], &[&loose])[0]["outcome"], "rejected");
    assert_eq!(answers(&["--judgement", "text"], &[&loose])[0]["outcome"], "strict");
}

#[test]
fn long_and_deep_lines_are_fine() {
    let long = format!(r#"{{"id":1,"text":"{{\"a\":\"{}\"}}"}}"#, "x".repeat(8 << 20));
    let deep = format!(r#"{{"id":{}1{},"text":"{}"}}"#, "[".repeat(50_000), "]".repeat(50_000), "[".repeat(50_000));
    let ran = run(&["batch"], format!("{long}\n{deep}\n").as_bytes());
    assert_eq!(ran.code, 0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].len() > 16 << 20 && lines[0].starts_with(r#"{"id":1,"outcome":"strict""#));
    assert!(lines[1].contains(r#""code":"depth-limit""#));
}

#[test]
fn each_answer_is_sent_at_once() {
    let mut child = program(&["batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let output = child.stdout.take().unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            sender.send(line.unwrap()).unwrap();
        }
    });
    for id in 0..3 {
        writeln!(input, r#"{{"id":{id},"text":"{{}}"}}"#).unwrap();
        input.flush().unwrap();
        let answer = receiver.recv_timeout(Duration::from_secs(20)).expect("an answer before the next line");
        assert!(answer.starts_with(&format!(r#"{{"id":{id},"#)), "{answer}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    reader.join().unwrap();
}

#[test]
fn a_broken_pipe_is_quiet() {
    let mut child =
        program(&["batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    drop(child.stdout.take());
    // The program may be gone before all is written.
    let _ = input.write_all("{\"text\":\"{}\"}\n".repeat(1_000).as_bytes());
    drop(input);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""));
}
