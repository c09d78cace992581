mod reference;

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::settings::limits::Limits;
use crate::syntax::Machine;

/// `code pointer at` of each violation.
fn said(tool: &Tool, text: &str) -> Vec<String> {
    // A number at the root ends with what follows it.
    let document = Machine::read(&format!("{text} "), Limits::max()).document;
    let root = document.root().expect("a value");
    let violations = tool.violations(root);
    assert_eq!(violations.len(), tool.count(root), "{text}");
    let at = |at: Option<u32>| at.map_or("-".to_owned(), |at| at.to_string());
    violations.iter().map(|v| format!("{} {} {}", v.code, v.pointer, at(v.at))).collect()
}

fn tool(schema: &Value) -> Tool {
    Tool::new("tool", schema).expect("a schema")
}

fn grants(grants: &Value) -> Grants {
    Grants::from_json(grants).expect("grants")
}

#[test]
fn each_keyword() {
    let cases = [
        (
            json!({"type": "object", "required": ["b", "a"], "properties": {"a": {}}}),
            "{}",
            "missing-required /b -, missing-required /a -",
        ),
        (json!({"type": ["string", "null"]}), " 1", "type-mismatch  1"),
        (json!({"type": "integer"}), "1.0", ""),
        (json!({"type": "integer"}), "10e-1", ""),
        (json!({"type": "integer"}), "1.5", "type-mismatch  0"),
        (
            json!({"additionalProperties": false, "properties": {"a/b": {"type": "null"}}}),
            r#"{"x~":1,"a/b":2}"#,
            "type-mismatch /a~1b 14, unknown-property /x~0 6",
        ),
        (json!({"additionalProperties": {"type": "null"}}), r#"{"x":1}"#, "type-mismatch /x 5"),
        (json!({"items": {"type": "null"}, "minItems": 3}), "[1,null]", "constraint-violation  0, type-mismatch /0 1"),
        (
            json!({"prefixItems": [{"type": "null"}], "items": false}),
            "[1,2]",
            "type-mismatch /0 1, constraint-violation /1 3",
        ),
        (json!({"enum": ["a", 100, {"k": [1]}]}), "1e2", ""),
        (json!({"enum": ["a", 100, {"k": [1]}]}), r#"{"k":[1.0]}"#, ""),
        (json!({"enum": ["a", 100, {"k": [1]}]}), r#""\u0061""#, ""),
        (json!({"enum": ["a", true]}), "1", "constraint-violation  0"),
        (json!({"enum": [3, 1.0, 2, -0.5, 1]}), "10e-1", ""),
        (json!({"enum": [3, 1.0, 2, -0.5, 1]}), "-50e-2", ""),
        (json!({"enum": [3, 1.0, 2, -0.5, 1]}), "1.00000000000000000001", "constraint-violation  0"),
        (json!({"enum": [3, 1.0, 2, -0.5, 1]}), "true", "constraint-violation  0"),
        (json!({"enum": [0, null, true]}), "-0.0", ""),
        (json!({"enum": [0, null, true]}), "null", ""),
        (json!({"enum": [0, null, true]}), "false", "constraint-violation  0"),
        (json!({"enum": [[1, 2], [2, 1], {"a": {"b": 2}, "c": 1}]}), r#"{"c":1.0,"a":{"b":20e-1}}"#, ""),
        (json!({"enum": [[1, 2], [2, 1], {"a": {"b": 2}, "c": 1}]}), r#"{"c":0,"c":1,"a":{"b":2}}"#, ""),
        (json!({"items": {"enum": [[1, 2], [2, 1]]}}), "[[2,1.0],[1,2],[1,1]]", "constraint-violation /2 15"),
        (json!({"anyOf": [{"items": {"const": []}}, {"const": [[1]]}]}), "[[1]]", ""),
        (json!({"const": 12_345_678_901_234_567_890u64}), "12345678901234567891", "constraint-violation  0"),
        (json!({"minLength": 2, "maxLength": 2}), r#""\ud83d\ude00b""#, ""),
        (json!({"maxLength": 1}), r#""ab""#, "constraint-violation  0"),
        (json!({"minimum": 0.1, "exclusiveMaximum": 1}), "0.1", ""),
        (json!({"minimum": 0.1, "exclusiveMaximum": 1}), "1e0", "constraint-violation  0"),
        (json!({"maximum": 9_007_199_254_740_993u64}), "9007199254740993.5", "constraint-violation  0"),
        (json!({"multipleOf": 0.01}), "4.35", ""),
        (json!({"multipleOf": 0.01}), "4.355", "constraint-violation  0"),
        (json!({"multipleOf": 2.5}), "1e30", ""),
        (json!({"multipleOf": 3}), "1e30", "constraint-violation  0"),
        (json!({"uniqueItems": true}), r#"[{"a":1,"b":2},{"b":2.0,"a":1}]"#, "constraint-violation  0"),
        (json!({"uniqueItems": true}), r#"[1,"1",true,[1],[2],{},{"a":1}]"#, ""),
        (json!({"maxProperties": 1}), r#"{"a":1,"a":1}"#, ""),
        (json!({"minProperties": 1}), "{}", "constraint-violation  0"),
        (
            json!({"anyOf": [{"type": "string"}, {"$ref": "#/$defs/n"}], "$defs": {"n": {"type": "null", "title": "n"}}}),
            "1",
            "type-mismatch  0",
        ),
        (json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}), "1", "type-mismatch  0"),
        (json!({"oneOf": [{"type": "integer"}, {"type": "number"}]}), "1.5", ""),
        (
            json!({"$ref": "#/$defs/t", "$defs": {"t": {"required": ["v"], "properties": {"n": {"$ref": "#"}}}}}),
            r#"{"n":{"v":1}}"#,
            "missing-required /v -",
        ),
        (
            json!({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}),
            "[1]",
            "type-mismatch  0",
        ),
        (json!({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}), r#"["a"]"#, ""),
        (json!({"oneOf": [{"const": "a"}, {"enum": ["a", "b"]}]}), r#""a""#, "type-mismatch  0"),
        (json!({"oneOf": [{"const": "a"}, {"enum": ["a", "b"]}]}), r#""b""#, ""),
        (json!({"not": {"required": ["a"]}}), r#"{"a":1}"#, "constraint-violation  0"),
        (
            json!({"not": {"not": {"anyOf": [{"const": 2}, {"required": ["a"]}]}}}),
            r#"{"b":1}"#,
            "constraint-violation  0",
        ),
        (json!({"properties": {"a": false}}), r#"{"a":1}"#, "constraint-violation /a 5"),
        (json!({"type": "OBJECT", "properties": {"a": {"type": "STRING", "nullable": true}}}), r#"{"a":null}"#, ""),
    ];
    for (schema, text, expected) in cases {
        let tool = tool(&schema);
        assert_eq!(said(&tool, text).join(", "), expected, "{schema} {text}");
        assert_eq!(tool.unjudged(), [], "{schema}");
    }
}

#[test]
fn what_is_not_judged_is_listed() {
    let schema = json!({"properties": {"a": {"pattern": "x", "format": "uri", "title": "t"}}, "x-order": 1,
        "not": {"properties": {"b": {"$ref": "#/properties/a"}}}});
    let tool = tool(&schema);
    let listed: Vec<String> = tool.unjudged().iter().map(ToString::to_string).collect();
    assert_eq!(listed, ["`format` at \"/properties/a\"", "`pattern` at \"/properties/a\"", "`not` at \"\""]);
}

#[test]
fn keywords_that_no_draft_defines_stop_no_grant() {
    let of_member = |keyword: &str, value: Value| {
        let member =
            Value::Object([("type".to_owned(), json!("string")), (keyword.to_owned(), value)].into_iter().collect());
        tool(&json!({"type": "object", "properties": {"d": member}}))
    };
    let closable = grants(&json!({"closable": ["d"]}));
    for keyword in ["x-order", "enumDescriptions", "cache_control", "strict", "isSecret", "example", "order"] {
        let tool = of_member(keyword, json!(["a"]));
        assert_eq!(tool.unjudged(), [], "{keyword}");
        assert!(tool.with_grants(closable.clone()).is_ok_and(|tool| tool.gate(|_| false)), "{keyword}");
    }
    for (keyword, value) in [("format", json!("uri")), ("disallow", json!("null")), ("min_length", json!(3))] {
        let tool = of_member(keyword, value);
        assert_eq!(tool.unjudged().len(), 1, "{keyword}");
        assert!(tool.with_grants(closable.clone()).is_err(), "{keyword}");
    }
    assert!(of_member("contentEncoding", json!("base64")).with_grants(closable).is_err());
}

#[test]
fn malformed_schemas_name_the_place() {
    let cases = [
        (json!({"properties": {"a": {"type": "str"}}}), "/properties/a"),
        (json!({"properties": {"a": {"items": {"required": true}}}}), "/properties/a/items"),
        (json!({"properties": []}), ""),
        (json!({"properties": {"a": 1}}), "/properties/a"),
        (json!({"$ref": "#/$defs/x"}), ""),
        (json!({"minLength": -1}), ""),
        (json!([]), ""),
    ];
    for (schema, place) in cases {
        let error = Tool::new("t", &schema).expect_err("malformed");
        assert_eq!(error.pointer(), place, "{error}");
    }
}

#[test]
fn hostile_schemas_and_values() {
    let work = || {
        // `json!` would copy what is nested, by recursion.
        let member = |name: &str, value: Value| Value::Object([(name.to_owned(), value)].into_iter().collect());
        let mut deep = json!({"type": "object"});
        let mut constant = json!([]);
        for _ in 0..10_000 {
            deep = member("properties", member("a", deep));
            constant = Value::Array(vec![constant]);
        }
        assert!(Tool::new("t", &deep).is_err());
        let constant = member("const", constant);
        assert_eq!(Tool::new("t", &constant).expect("not judged").unjudged().len(), 1);
        let flat = flat::Flat::of(&deep);
        assert!(flat.is(&deep));
        // Dropping what serde_json nests recurses.
        std::mem::forget((deep, constant));
        // Each level judges its member twice over: not 2^n.
        let tree = json!({"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "required": ["v"],
            "properties": {"n": {"allOf": [{"$ref": "#/$defs/t"}, {"$ref": "#/$defs/u"}]}}}, "u": {"$ref": "#/$defs/t"}}});
        let text = r#"{"n":"#.repeat(100_000) + "{}" + &"}".repeat(100_000);
        let document = Machine::read(&text, Limits::max()).document;
        let (tool, root) = (tool(&tree), document.root().expect("a value"));
        assert_eq!(tool.count(root), 100_001);
        let violations = tool.violations(root);
        assert_eq!((violations.len(), violations[3].pointer.as_str()), (256, "/n/n/n/v"));
        // Two alternatives that both look below: not 2^n either.
        let alternatives = json!({"$ref": "#/$defs/t", "$defs": {"t": {"anyOf": [
            {"properties": {"n": {"$ref": "#/$defs/t"}}, "required": ["n"]},
            {"properties": {"n": {"$ref": "#/$defs/t"}}, "minProperties": 1},
            {"required": ["v"]}]}}});
        let tool = Tool::new("tool", &alternatives).expect("a schema");
        assert_eq!(tool.count(root), 1);
        let endless = json!({"anyOf": [{"$ref": "#"}, {"not": {"$ref": "#"}}], "oneOf": [{"$ref": "#"}, {"allOf": [{"$ref": "#"}]}]});
        let _ = Tool::new("tool", &endless).expect("a schema").count(root);
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).expect("a thread").join().expect("no overflow");
}

#[test]
fn a_million_members_in_linear_time() {
    let members: Vec<_> = (0..1_000_000).map(|i| format!("\"k{i}\":null")).collect();
    let document = Machine::read(&format!("{{{}}}", members.join(",")), Limits::max()).document;
    let root = document.root().expect("a value");
    let spent = [2, 2_000].map(|declared| {
        let names = (0..declared).map(|i| (format!("k{i}"), json!({"type": "null"})));
        let properties: serde_json::Map<_, _> = names.collect();
        let required: Vec<_> = properties.keys().cloned().collect();
        let tool = tool(&json!({"properties": properties, "required": required, "additionalProperties": false}));
        let start = std::time::Instant::now();
        assert_eq!(tool.count(root), 1_000_000 - declared);
        assert_eq!(tool.violations(root)[1].pointer, format!("/k{}", declared + 1));
        start.elapsed()
    });
    println!("1,000,000 members, judged twice, 2 and 2,000 of them declared: {spent:?}");
    assert!(spent[1] < spent[0] * 10, "{spent:?}");
}

#[test]
fn contradictory_grants_are_errors() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string", "enum": ["x"]},
        "n": {"type": "integer"}}});
    let cases = [
        (json!({"aliases": {"a": ["x"], "x": ["y"]}}), "x"),
        (json!({"aliases": {"a": ["b"]}}), "b"),
        (json!({"aliases": {"a": ["x"], "b": ["y", "x"]}}), "x"),
        (json!({"closable": ["a", "b"]}), "b"),
        (json!({"inner_call": {"payload": "n", "object": "t"}}), "n"),
    ];
    for (asked, name) in cases {
        let error = tool(&schema).with_grants(grants(&asked)).expect_err("a contradiction");
        assert_eq!(error.name(), name, "{error}");
        let opaque = Tool::opaque("t").with_grants(grants(&asked));
        assert!(asked.get("aliases").is_some() || opaque.is_ok());
    }
    // What can never apply contradicts nothing: an issue, no error.
    for asked in [json!({"closable": ["z"]}), json!({"inner_call": {"payload": "z", "object": "t"}})] {
        let tool = tool(&schema).with_grants(grants(&asked)).expect("no contradiction");
        assert!(
            matches!(tool.issues().as_slice(), [ToolIssue::UnusedGrant { member, .. }] if member == "z"),
            "{asked}"
        );
    }
    for (asked, name) in [
        (json!({"closeable": []}), "closeable"),
        (json!({"max_inline_bytes": {"a": "1"}}), "max_inline_bytes"),
        (json!({"inner_call": {"payload": "a", "object": "t", "prologue": ""}}), "inner_call"),
        (json!({"placeholders": {"a": [{"suffix": "x"}]}}), "placeholders"),
    ] {
        assert_eq!(Grants::from_json(&asked).expect_err("no grant").name(), name);
    }
    let all = json!({"aliases": {"a": ["x", "y"]}, "closable": ["a"], "may_lack": ["n"], "max_inline_bytes": {"a": 5},
        "inner_call": {"payload": "b", "object": "t"}, "placeholders": {"a": [{"prefix": "[cut"}, {"exact": "…"}]}});
    let tool = tool(&schema).with_grants(grants(&all)).expect("grants");
    assert_eq!(serde_json::to_value(tool.grants()).expect("plain data"), all);
    assert_eq!((tool.canonical_of("y"), tool.canonical_of("a")), (Some("a"), None));
    assert!(tool.is_closable("a") && !tool.is_closable("b") && tool.may_be_absent("n"));
    assert!(tool.gate(|name| name == "b") && !tool.gate(|name| name == "a"));
}

#[test]
fn every_providers_definition() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let upper = json!({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]});
    let definitions = [
        json!({"name": "t", "description": "d", "input_schema": schema}),
        json!({"type": "custom", "name": "t", "input_schema": schema}),
        json!({"type": "function", "function": {"name": "t", "parameters": schema}}),
        json!({"type": "function", "name": "t", "parameters": schema, "strict": true}),
        json!({"name": "t", "inputSchema": schema}),
        json!({"name": "t", "parameters": upper}),
        json!({"name": "t", "parametersJsonSchema": schema}),
        json!({"toolSpec": {"name": "t", "inputSchema": {"json": schema}}}),
    ];
    for definition in &definitions {
        let tool = Tool::from_json(definition).expect("a tool");
        assert_eq!(tool.properties().collect::<Vec<_>>(), ["a"], "{definition}");
        assert_eq!(tool.required().collect::<Vec<_>>(), ["a"]);
        assert!(tool.types_of("a") == TypeSet::STRING && tool.wants_object_root());
    }
    for opaque in [
        json!({"type": "custom", "name": "t"}),
        json!({"type": "custom", "custom": {"name": "t"}}),
        json!({"name": "t", "parameters": null}),
    ] {
        assert!(!Tool::from_json(&opaque).expect("a tool").has_schema());
    }
    let (tools, issues) = Tools::of(
        &[
            json!({"functionDeclarations": [{"name": "a"}, {"name": "b", "parameters": {"type": "x"}}]}),
            json!({"name": "a"}),
            json!({}),
        ],
        &|name| if name == "a" { grants(&json!({"may_lack": ["z"]})) } else { grants(&json!({"closable": ["q"]})) },
        None,
    );
    assert_eq!(tools.names().collect::<Vec<_>>(), ["a", "b"]);
    let issues: Vec<String> = issues.iter().map(ToString::to_string).collect();
    assert_eq!(issues.len(), 3, "{issues:?}");
    assert!(tools.get("b").is_some_and(|tool| !tool.has_schema()));
}

#[test]
fn what_is_built_in_is_no_mistake() {
    let kinds = [
        (json!({"type": "web_search"}), "web_search"),
        (json!({"type": "web_search_preview", "search_context_size": "low"}), "web_search_preview"),
        (json!({"type": "file_search", "vector_store_ids": ["v"]}), "file_search"),
        (json!({"type": "computer_use_preview", "display_width": 1, "environment": "linux"}), "computer_use_preview"),
        (json!({"type": "code_interpreter", "container": {"type": "auto"}}), "code_interpreter"),
        (json!({"type": "image_generation", "partial_images": 2}), "image_generation"),
        (json!({"type": "mcp", "server_label": "s", "server_url": "u", "require_approval": "never"}), "mcp"),
        (json!({"type": "local_shell"}), "local_shell"),
        (json!({"type": "apply_patch", "name": null}), "apply_patch"),
        (json!({"type": "tool_search", "execution": "client", "parameters": {"type": "object"}}), "tool_search"),
        (json!({"type": "mcp_toolset", "mcp_server_name": "s"}), "mcp_toolset"),
        (json!({"type": "openrouter:web_search"}), "openrouter:web_search"),
        (json!({"type": "x_search", "from_date": "2026-01-01"}), "x_search"),
        (json!({"type": "web_search", "web_search": {"enable": true}}), "web_search"),
        (json!({"type": "document_library", "library_ids": []}), "document_library"),
        (json!({"googleSearch": {}}), "googleSearch"),
        (json!({"code_execution": {}}), "code_execution"),
        (json!({"url_context": {}, "google_search": {}}), "google_search"),
        (json!({"systemTool": {"name": "nova_grounding"}}), "systemTool"),
        (json!({"cachePoint": {"type": "default"}}), "cachePoint"),
    ];
    let definitions: Vec<Value> = kinds.iter().map(|(definition, _)| definition.clone()).collect();
    let (tools, issues) = Tools::of(&definitions, &|_| Grants::default(), None);
    assert!(issues.is_empty() && tools.is_empty(), "{issues:?}");
    for (definition, kind) in &kinds {
        assert_eq!(Tool::built_in(definition), Some(*kind), "{definition}");
        let tool = Tool::from_json(definition).expect("an opaque tool");
        assert!(tool.name() == *kind && !tool.has_schema());
    }
    // What has a name is called by it, whoever defined it.
    let named = [
        json!({"type": "bash_20250124", "name": "bash"}),
        json!({"type": "web_search_20250305", "name": "web_search", "max_uses": 5}),
        json!({"type": "custom", "name": "sql", "format": {"type": "grammar", "syntax": "lark", "definition": "start: A"}}),
        json!({"type": "builtin_function", "function": {"name": "$web_search"}}),
        json!({"type": "namespace", "name": "crm", "tools": [{"type": "function", "name": "find", "parameters": {}}]}),
        json!({"functionDeclarations": [{"name": "f"}], "googleSearch": {}}),
    ];
    let (tools, issues) = Tools::of(&named, &|_| Grants::default(), None);
    assert_eq!(issues, []);
    assert_eq!(tools.names().collect::<Vec<_>>(), ["bash", "web_search", "sql", "$web_search", "find", "f"]);
    let mistakes = [
        json!({}),
        json!(null),
        json!("web_search"),
        json!({"type": "function"}),
        json!({"type": "function", "function": {"parameters": {}}}),
        json!({"type": "custom", "custom": {"format": {"type": "text"}}}),
        json!({"type": "object", "properties": {}}),
        json!({"type": "OBJECT", "properties": {}}),
        json!({"type": "web_search", "name": 5}),
        json!({"type": ""}),
        json!({"type": 5}),
        json!({"parameters": {}}),
        json!({"input_schema": {}, "googleSearch": {}}),
        json!({"description": "d"}),
    ];
    for mistake in &mistakes {
        assert!(Tool::built_in(mistake).is_none() && Tool::from_json(mistake).is_err(), "{mistake}");
    }
    let (_, issues) = Tools::of(&mistakes, &|_| Grants::default(), None);
    assert_eq!(issues.len(), mistakes.len());
}

#[test]
fn types_through_references_and_alternatives() {
    let tool = tool(&json!({"properties": {
        "r": {"$ref": "#/$defs/x"}, "u": {"anyOf": [{"type": "integer"}, {"enum": ["auto"]}]}, "c": {"$ref": "#/$defs/c"},
        "l": {"type": ["array", "null"]}, "none": true
    }, "$defs": {"x": {"anyOf": [{"type": "object"}, {"type": "null"}]}, "c": {"$ref": "#/$defs/c"}}}));
    assert_eq!(tool.types_of("r"), TypeSet::OBJECT.with(TypeSet::NULL));
    assert_eq!(tool.types_of("u"), TypeSet::INTEGER.with(TypeSet::STRING));
    assert_eq!(tool.types_of("l"), TypeSet::ARRAY.with(TypeSet::NULL));
    for none in ["none", "c", "absent"] {
        assert!(tool.types_of(none).is_empty());
    }
}

#[test]
fn unchanged_definitions_are_reused() {
    let definition = |i: usize, text: &str| {
        let member =
            |name: &str| (name.to_owned(), json!({"type": "string", "description": "a member of the tool, described"}));
        let properties: serde_json::Map<_, _> =
            ["path", "content", "encoding", "mode", "description"].map(member).into_iter().collect();
        json!({"name": format!("tool_{i}"), "description": text.repeat(9), "input_schema": {"type": "object",
            "properties": properties, "required": ["path", "content"], "additionalProperties": false}})
    };
    let definitions: Vec<_> = (0..50).map(|i| definition(i, "Writes a file to the workspace, whole. ")).collect();
    println!("bytes of one definition: {}", definitions[0].to_string().len());
    let (first, _) = Tools::of(&definitions, &|_| Grants::default(), None);
    let mut best = std::time::Duration::MAX;
    for _ in 0..50 {
        let start = std::time::Instant::now();
        let (again, issues) = Tools::of(&definitions, &|_| Grants::default(), Some(&first));
        best = best.min(start.elapsed());
        assert!(issues.is_empty() && again.get("tool_7").is_some());
    }
    println!("50 unchanged tools: {best:?}");
    assert!(best.as_millis() < 10, "{best:?}");
    let mut changed = definitions;
    changed[3] = definition(3, "Other words. ");
    changed.swap(0, 1);
    let (second, _) = Tools::of(&changed, &|_| Grants::default(), Some(&first));
    let is_same = |name: &str| {
        let shared = |tools: &Tools| Arc::as_ptr(&tools.get(name).expect("a tool").name_shared());
        std::ptr::eq(shared(&first), shared(&second))
    };
    assert!(is_same("tool_0") && is_same("tool_1") && !is_same("tool_3"));
    assert_eq!(second.names().next(), Some("tool_1"));
}

struct NoShouting;

impl Validator for NoShouting {
    fn name(&self) -> &str {
        "no-shouting"
    }

    fn violations(&self, value: &Value) -> Vec<Violation> {
        let members = value.as_object().into_iter().flatten();
        let loud = members.filter(|(_, value)| value.as_str().is_some_and(|text| text.contains('!')));
        let mut violations: Vec<_> =
            loud.map(|(name, _)| Violation::new(crate::Code::ConstraintViolation, format!("/{name}"))).collect();
        violations.reverse();
        violations.push(Violation::new(crate::Code::MissingRequired, "/z"));
        violations
    }
}

#[test]
fn a_validator_of_the_host() {
    let tool = tool(&json!({"pattern": "x"})).with_validator(Arc::new(NoShouting));
    assert_eq!((tool.validator_name(), tool.unjudged().len()), ("no-shouting", 0));
    let expected = ["missing-required /z -", "constraint-violation /b 5", "constraint-violation /a 13"];
    assert_eq!(said(&tool, r#"{"b":"!","a":"!"}"#), expected);
    assert_eq!(said(&tool, "1e999"), ["constraint-violation  0"]);
}
