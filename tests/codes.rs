//! The registry `grammar/codes.toml` and the codes of the library say the same.

use std::collections::BTreeMap;

use argseal::{Code, End, Fault, Judgement, Limits, Opening, Settings, Tool};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Registry {
    faults: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(rename = "other-opening")]
    other_opening: BTreeMap<String, BTreeMap<String, String>>,
    variants: BTreeMap<String, String>,
    code: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    title: String,
    example: Option<String>,
    example_b64: Option<String>,
    tool: Option<String>,
    called: Option<String>,
    end: Option<String>,
    r#final: Option<String>,
    chunks: Option<Vec<BTreeMap<String, String>>>,
    settings: Option<toml::Table>,
    faults: Faults,
    advice: Option<String>,
    explain: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Faults {
    Row(String),
    ByEnd(BTreeMap<String, String>),
}

fn registry() -> Registry {
    toml::from_str(include_str!("../grammar/codes.toml")).expect("codes.toml is read")
}

#[test]
fn every_code_has_an_entry_and_every_entry_a_code() {
    let entries: Vec<String> = registry().code.into_iter().map(|entry| entry.name).collect();
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(entries, codes);
    for code in Code::ALL {
        assert_eq!(Code::from_name(code.name()), Some(*code));
    }
}

#[test]
fn faults_are_those_of_the_table() {
    let registry = registry();
    for entry in &registry.code {
        let code = Code::from_name(&entry.name).expect("a code");
        let row = match &entry.faults {
            Faults::Row(name) => &registry.faults[name],
            Faults::ByEnd(row) => row,
        };
        assert_eq!(row.len(), End::ALL.len(), "{code}: a fault for every end");
        for end in End::ALL {
            let fault = code.fault(end, Opening::Arguments);
            assert_eq!(row[end.name()], fault.name(), "{code} at {}", end.name());
        }
    }
}

#[test]
fn text_that_opens_otherwise_has_rows_of_its_own() {
    let registry = registry();
    let place = |name| Code::ALL.iter().position(|code| code.name() == name).expect("a code");
    let [syntax, shape, last] = ["unexpected-after-string", "missing-required", "unknown-tool"].map(place);
    for (i, &code) in Code::ALL.iter().enumerate() {
        // The codes stand in groups, in the order of the registry.
        let row = match i {
            i if i < syntax => Some("truncated"),
            i if i < shape => Some("syntax"),
            i if i < last => Some("shape"),
            _ => None,
        };
        for end in End::ALL {
            let fault = code.fault(end, Opening::Other);
            let expected = match row {
                Some(row) => &registry.other_opening[row][end.name()],
                None => code.fault(end, Opening::Arguments).name(),
            };
            assert_eq!(fault.name(), expected, "{code} at {}", end.name());
        }
    }
    let openings = [
        (None, Opening::Arguments),
        (Some(b'{'), Opening::Arguments),
        (Some(b'"'), Opening::Arguments),
        (Some(b'['), Opening::Other),
    ];
    for (first, opening) in openings {
        assert_eq!(Opening::of(first), opening);
    }
}

#[test]
fn entries_are_complete() {
    let registry = registry();
    assert_eq!(registry.variants.len(), 4);
    for entry in &registry.code {
        let name = &entry.name;
        assert!(entry.example.is_some() != entry.example_b64.is_some(), "{name}: one example");
        assert!(!entry.title.is_empty() && !entry.title.ends_with('.') && entry.title.len() <= 60, "{name}: title");
        assert!(entry.explain.ends_with('.') && entry.explain.len() >= 60, "{name}: explain");
        assert!(entry.advice.as_ref().is_none_or(|advice| advice.ends_with('.')), "{name}: advice");
        assert!(entry.end.as_deref().is_none_or(|end| End::from_name(end).is_some()), "{name}: end");
        for json in [&entry.tool, &entry.r#final].into_iter().flatten() {
            assert!(serde_json::from_str::<Value>(json).is_ok_and(|value| value.is_object()), "{name}: {json}");
        }
        assert!(entry.called.is_none() || entry.tool.is_some(), "{name}: called beside a tool");
        assert!(entry.settings.as_ref().is_none_or(|settings| !settings.is_empty()), "{name}: settings");
        let text: Option<String> =
            entry.chunks.as_ref().map(|all| all.iter().map(|chunk| chunk["arguments"].as_str()).collect());
        assert!(text.is_none() || text == entry.example, "{name}: the chunks spell the example");
    }
}

fn rejected(tool: &Tool, limits: Limits, text: &str, end: End) -> argseal::Diagnosis {
    let settings = Settings::default().with_judgement(Judgement::Schema).with_limits(limits);
    let mut call = argseal::Call::new(tool).with_settings(&settings);
    call.feed(text);
    call.finish(end).expect_err("rejected").diagnosis().clone()
}

#[test]
fn text_that_opens_like_no_arguments_is_the_providers_however_it_ends() {
    let cases = [
        ("nul", End::Cancelled, "truncated-in-literal", Fault::Provider),
        ("null", End::Cancelled, "cancelled", Fault::Host),
        ("nul", End::Disconnected, "truncated-in-literal", Fault::Provider),
        ("[", End::Truncated, "truncated-in-container", Fault::Provider),
        ("{", End::Truncated, "truncated-in-container", Fault::Budget),
        ("[", End::Filtered, "truncated-in-container", Fault::Provider),
        ("[", End::CallClosed, "truncated-in-container", Fault::Provider),
        ("[", End::Complete, "truncated-in-container", Fault::Provider),
        ("[}", End::Cancelled, "unexpected-token", Fault::Provider),
    ];
    for (text, end, code, fault) in cases {
        let diagnosis = rejected(&Tool::opaque("t"), Limits::default(), text, end);
        assert_eq!((diagnosis.code().name(), diagnosis.fault()), (code, fault), "{text} at {}", end.name());
    }
}

#[test]
fn limits_are_named_with_number_and_unit() {
    let limits = Limits::default();
    let cases = [
        (
            limits.with_depth(1),
            r#"{"a":[]}"#,
            "depth-limit at byte 5: the arguments are nested deeper than the limit of 1 levels; size 2",
        ),
        (limits.with_text(4), r#"{"a":1}"#, "size-limit at byte 4: the arguments exceed the limit of 4 bytes; size 5"),
        (limits.with_text(5), r#"{"a":1}"#, "size-limit at byte 5: the arguments exceed the limit of 5 bytes; size 6"),
        (limits.with_text(0), "{", "size-limit at byte 0: the arguments exceed the limit of 0 bytes; size 1"),
        (
            limits.with_members(1),
            r#"{"a":1,"b":2}"#,
            "size-limit at byte 7: the arguments exceed the limit of 1 members; size 2",
        ),
        (
            limits.with_members(2),
            r#"{"a":[1,2]}"#,
            "size-limit at byte 8: the arguments exceed the limit of 2 members; size 3",
        ),
    ];
    for (limits, text, line) in cases {
        let diagnosis = rejected(&Tool::opaque("t"), limits, text, End::Complete);
        assert_eq!(diagnosis.to_string(), line, "{text}");
        let facts = diagnosis.facts();
        assert!(facts.expected.is_empty() && facts.found.is_none(), "{text}");
        let exceeded = facts.exceeded.expect("a limit");
        assert!(diagnosis.advice().expect("advice").contains(&format!(" of {} ", exceeded.limit)), "{text}");
    }
}

/// What the advice says that member `a` must be.
fn wanted(tool: &Tool, value: &str) -> String {
    let diagnosis = rejected(tool, Limits::default(), &format!(r#"{{"a":{value}}}"#), End::Complete);
    let advice = diagnosis.advice().expect("advice");
    let wanted = advice.strip_prefix("The value of member `a` must be ").expect("a value is wrong");
    wanted.rsplit_once(". Send a value ").expect("a remedy").0.to_owned()
}

#[test]
fn a_wrong_type_is_named_and_json_in_a_string_told() {
    let cases = [
        (json!({"type": "string"}), "5", "a string, not a number", SEND),
        (json!({"type": "integer"}), "1.5", "an integer, not a number", SEND),
        (json!({"type": ["array", "null"]}), "{}", "an array or null, not an object", SEND),
        (json!({"type": "object"}), "null", "an object, not null", SEND),
        (json!({"type": "object"}), "true", "an object, not a boolean", SEND),
        (json!({"type": "object"}), r#""[1]""#, "an object, not a string", SEND),
        (json!({"type": "object"}), r#""{\"b\":""#, "an object, not a string", SEND),
        (json!({"type": "object"}), r#"" {\"secret\":[1]} ""#, "an object, not a string", UNQUOTE),
        (json!({"type": "array"}), r#""[1,2]""#, "an array, not a string", UNQUOTE),
        (json!({"type": "integer"}), r#""5""#, "an integer, not a string", UNQUOTE),
        (json!({"type": "boolean"}), r#""true""#, "a boolean, not a string", UNQUOTE),
        (json!({"type": "integer"}), r#""5 apples""#, "an integer, not a string", SEND),
        (json!({"anyOf": [{"type": "array"}, {"type": "null"}]}), r#""[]""#, "an array or null, not a string", UNQUOTE),
        (
            json!({"anyOf": [{"type": "null"}, {"enum": ["x"]}]}),
            r#""a""#,
            "null or another value that the schema allows, not what was sent",
            SEND,
        ),
        // The type is right.
        (
            json!({"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 1}]}),
            r#""ab""#,
            "null or a string, not what was sent",
            SEND,
        ),
    ];
    for (schema, value, words, remedy) in cases {
        let tool = Tool::new("t", &of_member(&schema)).expect("a schema");
        let diagnosis = rejected(&tool, Limits::default(), &format!(r#"{{"a":{value}}}"#), End::Complete);
        let advice = diagnosis.advice().expect("advice");
        assert_eq!(advice, format!("The value of member `a` must be {words}. {remedy}"), "{schema} {value}");
        assert!(!diagnosis.to_string().contains("secret"));
        assert_eq!(diagnosis.facts().holds_json, remedy == UNQUOTE);
    }
    let roots = [("[1]", "an array", SEND), ("5 ", "a number", SEND), (r#""{\"a\":1}""#, "a string", UNQUOTE)];
    for (text, found, remedy) in roots {
        for tool in [Tool::opaque("t"), Tool::new("t", &json!({"type": "object"})).expect("a schema")] {
            let advice = rejected(&tool, Limits::default(), text, End::Complete).advice();
            let expected = format!("The value of the arguments must be an object, not {found}. {remedy}");
            assert_eq!(advice, Some(expected), "{text}");
        }
    }
}

const SEND: &str = "Send a value of the type that the tool declares.";
const UNQUOTE: &str = "Send the value itself, not a string that holds JSON.";

fn of_member(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"a": schema}})
}

#[test]
fn allowed_values_are_whole_or_counted() {
    let long = "https://example.com/".repeat(4);
    let cases = [
        (
            json!({"const": "https://example.com/api/v1/some/long/path"}),
            r#""https://example.com/api/v1/some/long/path""#,
        ),
        (json!({"const": long}), "the constant of the schema"),
        (json!({"const": {"k": long}}), "the constant of the schema"),
        (json!({"const": "\u{202e}".repeat(20)}), "a value that the schema names"),
        (json!({"enum": [long, format!("{long}/")]}), "one of the 2 values that the schema lists"),
        (json!({"enum": [long, "b", 3]}), r#""b", 3 or another of the 3 values that the schema lists"#),
        (json!({"enum": ["a", "b"]}), r#""a" or "b""#),
        (json!({"enum": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}), "1, 2, 3, 4, 5, 6, 7, 8, 9 or 10"),
        (
            json!({"enum": ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"]}),
            r#""eleven", "twelve", "thirteen", "fourteen", "fifteen" or another of the 6 values that the schema lists"#,
        ),
    ];
    for (schema, words) in cases {
        let schema = of_member(&schema);
        assert_eq!(wanted(&Tool::new("t", &schema).expect("a schema"), r#""x""#), words, "{schema}");
        #[cfg(feature = "jsonschema")]
        assert_eq!(wanted(&judged_by_jsonschema(&schema), r#""x""#), words, "{schema}");
    }
}

#[cfg(feature = "jsonschema")]
fn judged_by_jsonschema(schema: &Value) -> Tool {
    let validator = argseal::JsonSchema::new(schema).expect("a schema");
    Tool::new("t", schema).expect("a schema").with_validator(std::sync::Arc::new(validator))
}

#[cfg(feature = "jsonschema")]
#[test]
fn the_jsonschema_crate_names_what_it_wants() {
    let cases = [
        (json!({"pattern": "^a"}), r#""x""#, "a value that satisfies `pattern` of the schema"),
        (json!({"not": {"const": 1}}), "1", "a value that satisfies `not` of the schema"),
        (json!({"contains": {"const": 1}}), "[]", "a value that satisfies `contains` of the schema"),
        (
            json!({"unevaluatedProperties": false}),
            r#"{"b":1}"#,
            "a value that satisfies `unevaluatedProperties` of the schema",
        ),
        (
            json!({"anyOf": [{"pattern": "^a"}, {"type": "null"}]}),
            r#""x""#,
            "a value that satisfies `anyOf` of the schema, not what was sent",
        ),
        (json!({"maxLength": 1}), r#""xy""#, "at most 1 characters"),
        (json!({"minimum": 2.5}), "1", "at least 2.5"),
        (json!({"multipleOf": 2}), "1", "a multiple of 2"),
        (json!({"minItems": 1}), "[]", "at least 1 elements"),
        (json!({"uniqueItems": true}), "[1,1]", "elements that all differ"),
    ];
    for (schema, value, words) in cases {
        let schema = of_member(&schema);
        assert_eq!(wanted(&judged_by_jsonschema(&schema), value), words, "{schema}");
    }
}

/// `docs/codes.md` is the registry for people. `ARGSEAL_WRITE=1 cargo test --test codes` writes it anew.
#[test]
fn the_page_of_the_codes_is_the_registry() {
    let mut page = "# Codes\n\nWhy a call was rejected. Codes are only ever added. Made from `grammar/codes.toml` by a test; \
                    `argseal explain CODE` says\nthe same on the command line, with an example and whose fault it is by end.\n"
        .to_owned();
    for entry in registry().code {
        page.push_str(&format!(
            "\n## `{}`\n\n{}.\n\n{}\n",
            entry.name,
            capitalized(&entry.title),
            entry.explain.trim()
        ));
        let fault = match &entry.faults {
            Faults::Row(row) if row == "cut" => "by how the text ended".to_owned(),
            Faults::Row(row) => row.clone(),
            Faults::ByEnd(by_end) => by_end["complete"].clone(),
        };
        page.push_str(&format!("\nFault: {fault}.\n"));
        if let Some(advice) = &entry.advice {
            page.push_str(&format!(
                "\nWhat the model is told: {}\n",
                advice.trim().replace('{', "`{").replace('}', "}`")
            ));
        }
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/codes.md");
    if std::env::var_os("ARGSEAL_WRITE").is_some() {
        std::fs::write(&path, &page).expect("docs/codes.md is written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == page, "docs/codes.md is not the registry: ARGSEAL_WRITE=1 cargo test --test codes");
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
