//! The schemas say of cases and lines what the runner reads.

use std::fs;
use std::path::{Path, PathBuf};

use argseal_conformance::protocol::{Answer, Hello, Request};
use jsonschema::{Registry, Validator};
use serde_json::Value;

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn json(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(own(name)).expect("a file")).expect("JSON")
}

fn schema(name: &str, part: &str) -> Validator {
    let base = "https://example.com/";
    let registry = Registry::new()
        .add(format!("{base}protocol.schema.json"), json("protocol.schema.json"))
        .expect("a schema")
        .add(format!("{base}case.schema.json"), json("case.schema.json"))
        .expect("a schema")
        .prepare()
        .expect("schemas");
    let root = serde_json::json!({"$ref": format!("{base}{name}{part}")});
    jsonschema::options().with_registry(&registry).build(&root).expect("a schema")
}

fn told(schema: &Validator, value: &Value) -> Vec<String> {
    schema.iter_errors(value).map(|error| error.to_string()).collect()
}

#[test]
fn every_case_is_as_the_schema_says() {
    let schema = schema("case.schema.json", "");
    let mut count = 0;
    for folder in ["cases", "tests/cases"] {
        // The folder of the real cases may be absent from a package.
        let Ok(entries) = fs::read_dir(own(folder)) else { continue };
        for entry in entries {
            let path = entry.expect("an entry").path();
            let text = fs::read_to_string(&path).expect("a file");
            for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
                let case: Value = serde_json::from_str(line).expect("JSON");
                let wrong = told(&schema, &case);
                assert!(wrong.is_empty(), "{}: {}: {wrong:?}", path.display(), case["id"]);
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn what_the_reader_of_cases_refuses_is_no_case() {
    let schema = schema("case.schema.json", "");
    let good =
        r#"{"id":"accept-a","level":"accept","aspect":"root","deltas":["{}"],"expect":{"accept":true},"why":"w"}"#;
    assert!(schema.is_valid(&serde_json::from_str(good).expect("JSON")));
    for (from, to) in [
        (r#""deltas""#, r#""delta""#),
        (r#""level":"accept""#, r#""level":"acept""#),
        (r#""aspect":"root""#, r#""aspect":"digits""#),
        (r#""accept-a""#, r#""value-a""#),
        (r#""why":"w""#, r#""why":"""#),
        (r#"{"accept":true}"#, r#"{"accept":true,"value":"{}"}"#),
        (r#""deltas":["{}"]"#, r#""chunks":[]"#),
    ] {
        assert!(good.contains(from));
        assert!(!schema.is_valid(&serde_json::from_str(&good.replace(from, to)).expect("JSON")), "{to}");
    }
}

#[test]
fn a_recorded_exchange_is_as_the_schema_says_and_is_read() {
    let (requests, answers) =
        (schema("protocol.schema.json", "#/$defs/request"), schema("protocol.schema.json", "#/$defs/answer"));
    let text = fs::read_to_string(own("tests/exchange.ndjson")).expect("a file");
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let schema = if index % 2 == 0 { &requests } else { &answers };
        let wrong = told(schema, &value);
        assert!(wrong.is_empty(), "{line}: {wrong:?}");
    }
    let hello: Hello = serde_json::from_str(lines[1]).expect("a hello");
    assert!(!hello.bytes && hello.without().order);
    for pair in lines.chunks(2).skip(1) {
        let (id, request) = Request::from_line(pair[0].as_bytes()).expect("a request").expect("no hello");
        assert!(requests.is_valid(&serde_json::from_str(&request.to_line(id)).expect("JSON")));
        let answer = Answer::from_line(pair[1].as_bytes(), id).expect("an answer");
        assert!(answers.is_valid(&serde_json::from_str(&answer.to_line(id)).expect("JSON")));
    }
}
