//! Generated schemas and values against the executable specification, where python3 and its `jsonschema` are.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::tool;
use crate::settings::limits::Limits;
use crate::syntax::Machine;

/// Schemas and values from a fixed seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 => Value::Null,
            1 => self.one(&[json!(true), json!(false)]),
            2 => self.one(&[json!(0), json!(1), json!(-3), json!(100), json!(7)]),
            3 => self.one(&[json!(1.0), json!(0.5), json!(1e2), json!(-2.25)]),
            4 | 5 => self.one(&[json!(""), json!("a"), json!("abc"), json!("1"), json!("é😀")]),
            6 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let members = (0..self.below(5)).map(|_| (self.name(), self.value(depth - 1)));
                Value::Object(members.collect())
            }
        }
    }

    fn name(&mut self) -> String {
        self.one(&["a", "b", "c/d", "e~", "f"]).to_owned()
    }

    fn types(&mut self) -> Value {
        let names = ["string", "integer", "number", "object", "array", "null", "boolean", "object", "array"];
        if self.below(4) > 0 {
            return json!(self.one(&names));
        }
        let first = self.below(3);
        json!([names[first], names[3 + self.below(3)]])
    }

    fn schema(&mut self, depth: usize) -> Value {
        let mut schema = serde_json::Map::new();
        for _ in 0..1 + self.below(3) {
            let deep = if depth == 0 { 9 } else { 17 };
            let (keyword, value) = match self.below(deep) {
                0..=2 => ("type", self.types()),
                3 => ("enum", (0..3).map(|_| self.value(1)).collect()),
                4 => ("const", self.value(1)),
                5 => (
                    self.one(&["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"]),
                    json!(self.below(3)),
                ),
                6 => (
                    self.one(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
                    self.one(&[json!(0), json!(1), json!(0.5)]),
                ),
                7 => (self.one(&["anyOf", "oneOf"]), json!([{"type": self.types()}, {"$ref": "#/$defs/plain"}])),
                8 => self.one(&[
                    ("uniqueItems", json!(true)),
                    ("multipleOf", json!(2)),
                    ("multipleOf", json!(0.5)),
                    ("$ref", json!("#/$defs/plain")),
                ]),
                9 | 10 => ("items", self.schema(depth - 1)),
                11 => ("required", json!(self.one(&[vec!["a"], vec!["b", "a"], vec!["f", "c/d", "a"]]))),
                12 => ("additionalProperties", if self.below(3) == 0 { self.schema(depth - 1) } else { json!(false) }),
                13 if self.below(2) == 0 => ("not", self.schema(depth - 1)),
                13 => (self.one(&["anyOf", "oneOf"]), json!([self.schema(depth - 1), self.schema(depth - 1)])),
                15 if self.below(3) == 0 => ("allOf", json!([self.schema(depth - 1)])),
                14 => ("$ref", json!("#/$defs/node")),
                _ => {
                    let properties = (0..1 + self.below(3)).map(|_| (self.name(), self.schema(depth - 1)));
                    ("properties", Value::Object(properties.collect()))
                }
            };
            schema.insert(keyword.to_owned(), value);
        }
        Value::Object(schema)
    }
}

/// Pairs of a schema and a value, against the violations of the executable specification: codes and pointers, in order.
#[test]
fn violations_agree_with_the_reference() {
    let reference = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/reference");
    if !std::path::Path::new(reference).is_dir() {
        return println!("skipped: no {reference}");
    }
    let mut draw = Draw(4);
    let mut cases = Vec::new();
    for _ in 0..3_000 {
        let mut schema = draw.schema(3);
        let members = schema.as_object_mut().expect("an object");
        if draw.below(2) == 0 {
            let properties: serde_json::Map<_, _> = (0..3).map(|_| (draw.name(), draw.schema(2))).collect();
            members.insert("properties".into(), properties.into());
            members.insert("required".into(), json!(["b", "a"]));
        }
        let node =
            json!({"type": ["object", "null"], "required": ["a"], "properties": {"f": {"$ref": "#/$defs/node"}}});
        members.insert("$defs".into(), json!({"plain": {"type": "string", "title": "t"}, "node": node}));
        let value = if draw.below(4) > 0 {
            let members = (0..2 + draw.below(3)).map(|_| (draw.name(), draw.value(2)));
            Value::Object(members.collect())
        } else {
            draw.value(3)
        };
        // The reference's numbers are read from the same text.
        cases.push(json!([schema, value.to_string()]));
    }
    let script = "import sys,json\ntry: import judge\nexcept ImportError: sys.exit(9)\n\
        for s, t in json.load(sys.stdin): print(json.dumps(judge.violations(s, judge.load(t)[0])))";
    let python = Command::new("python3")
        .args(["-c", script])
        .env("PYTHONPATH", reference)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut python) = python else { return println!("skipped: no python3") };
    let mut input = python.stdin.take().expect("piped");
    let text = Value::Array(cases.clone()).to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).expect("python reads"));
    let output = python.wait_with_output().expect("python ends");
    writer.join().expect("written");
    if output.status.code() == Some(9) {
        return println!("skipped: no jsonschema for python3");
    }
    let answers: Vec<Vec<(String, String)>> = String::from_utf8(output.stdout)
        .expect("JSON")
        .lines()
        .map(|line| serde_json::from_str(line).expect("pairs"))
        .collect();
    assert_eq!(answers.len(), cases.len());
    let (mut invalid, mut most, mut again) = (0, 0, 0);
    for (case, mut expected) in cases.iter().zip(answers) {
        let tool = tool(&case[0]);
        assert_eq!(tool.unjudged(), [], "{case}");
        let text = case[1].as_str().expect("a text");
        let document = Machine::read(&format!("{text} "), Limits::max()).document;
        let root = document.root().expect("a value");
        let mut got: Vec<_> = tool.violations(root).into_iter().map(|v| (v.code.to_string(), v.pointer)).collect();
        // Which of several keywords of one value comes first is the order of the schema's text there.
        let class =
            |code: &str| ["missing-required", "", "unknown-property"].iter().position(|c| *c == code).unwrap_or(1);
        let place = |(code, pointer): &(String, String)| match class(code) {
            0 => (0, pointer.rsplit_once('/').unwrap_or_default().0.to_owned()),
            class => (class, pointer.clone()),
        };
        let of = |list: &[(String, String)]| list.iter().map(place).collect::<Vec<_>>();
        // A schema that two references apply to one value judges it once here, so that the work stays bounded.
        if of(&got) != of(&expected) {
            again += 1;
            expected.dedup_by_key(|v| place(v));
            got.dedup_by_key(|v| place(v));
            assert_eq!(of(&got), of(&expected), "{case}");
            continue;
        }
        got.sort();
        expected.sort();
        assert_eq!(got, expected, "{case}");
        invalid += usize::from(!got.is_empty());
        most = most.max(got.len());
    }
    println!("{} pairs, {invalid} with violations, at most {most}; {again} judged twice there", cases.len());
    assert!(again < cases.len() / 20);
    assert!((cases.len() / 4..cases.len()).contains(&invalid));
}
