//! The field cases, through `argseal batch`: with the deltas as given, and cut byte by byte.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use support::{run, shared};

#[derive(Deserialize)]
struct Case {
    id: String,
    tool: Value,
    text: Option<String>,
    deltas: Option<Vec<String>>,
    deltas_b64: Option<Vec<String>>,
    end: Option<String>,
    r#final: Option<String>,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    outcome: String,
    value: Option<Value>,
    value_json: Option<String>,
    code: Option<String>,
    at: Option<Value>,
    pointer: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    id: String,
    outcome: String,
    arguments: Option<Box<RawValue>>,
    diagnosis: Option<Diagnosis>,
}

#[derive(Deserialize)]
struct Diagnosis {
    code: String,
    at: Value,
    pointer: Option<String>,
}

#[test]
fn as_given() {
    agrees(&|case| {
        let mut request = json!({"id": case.id, "tool": case.tool});
        let given = [
            ("text", json!(case.text)),
            ("deltas", json!(case.deltas)),
            ("deltas_b64", json!(case.deltas_b64)),
            ("end", json!(case.end)),
            ("final", json!(case.r#final)),
        ];
        for (key, value) in given {
            if !value.is_null() {
                request[key] = value;
            }
        }
        request
    });
}

#[test]
fn byte_by_byte() {
    agrees(&|case| {
        let bytes: Vec<u8> = match (&case.text, &case.deltas, &case.deltas_b64) {
            (Some(text), ..) => text.clone().into_bytes(),
            (None, Some(deltas), _) => deltas.concat().into_bytes(),
            (None, None, Some(deltas)) => {
                deltas.iter().flat_map(|delta| BASE64_STANDARD.decode(delta).unwrap()).collect()
            }
            (None, None, None) => Vec::new(),
        };
        let deltas: Vec<String> = bytes.iter().map(|byte| BASE64_STANDARD.encode([*byte])).collect();
        let end = case.end.as_deref().unwrap_or("complete");
        json!({"id": case.id, "tool": case.tool, "deltas_b64": deltas, "end": end, "final": case.r#final})
    });
}

fn agrees(request: &dyn Fn(&Case) -> Value) {
    let Some(path) = shared("cases/field.jsonl") else { return };
    let cases: Vec<Case> =
        std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let input: String = cases.iter().map(|case| format!("{}\n", request(case))).collect();
    let ran = run(&["batch", "--policy", "full"], input.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answers: Vec<Answer> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert_eq!(answers.len(), cases.len());
    let mut wrong = BTreeMap::new();
    for (case, answer) in cases.iter().zip(&answers) {
        assert_eq!(case.id, answer.id);
        let differs = differences(&case.expected, answer);
        if !differs.is_empty() {
            wrong.insert(&case.id, differs);
        }
    }
    println!("{} of {} agree", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn differences(expected: &Expected, answer: &Answer) -> Vec<String> {
    let mut differs = Vec::new();
    let mut same = |what: &str, wanted: &Value, found: &Value| {
        if wanted != found {
            differs.push(format!("{what}: {found}, expected {wanted}"));
        }
    };
    same("outcome", &json!(expected.outcome), &json!(answer.outcome));
    let arguments = answer.arguments.as_ref().map(|arguments| arguments.get());
    if let Some(value) = &expected.value {
        same("value", value, &arguments.map_or(Value::Null, |text| serde_json::from_str(text).unwrap()));
    }
    if let Some(text) = &expected.value_json {
        same("text", &json!(text), &json!(arguments));
    }
    let diagnosis = answer.diagnosis.as_ref();
    if let Some(code) = &expected.code {
        same("code", &json!(code), &json!(diagnosis.map(|diagnosis| &diagnosis.code)));
    }
    if let Some(at) = &expected.at {
        same("at", at, diagnosis.map_or(&Value::Null, |diagnosis| &diagnosis.at));
    }
    // Not every code has a place; where there is one, it is the expected one.
    if let (Some(pointer), Some(found)) =
        (&expected.pointer, diagnosis.and_then(|diagnosis| diagnosis.pointer.as_ref()))
    {
        same("pointer", &json!(pointer), &json!(found));
    }
    differs
}
