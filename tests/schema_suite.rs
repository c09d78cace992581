//! The JSON Schema test suite (draft 2020-12) against the built-in validator, and against the `jsonschema` crate where
//! that feature is on. The suite lies beside the checkout; without it, nothing is judged here.

use std::path::PathBuf;

use argseal::{Call, End, Judgement, Policy, Settings, Tool};
use serde_json::Value;

/// The keywords that the built-in validator promises to judge, by file of the suite.
const PROMISED: [&str; 20] = [
    "additionalProperties",
    "boolean_schema",
    "const",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "properties",
    "ref",
    "required",
    "type",
];

/// One group of the suite: a schema and the texts that it accepts or not.
struct Group {
    file: String,
    schema: Value,
    texts: Vec<(String, bool)>,
    title: String,
}

fn groups() -> Option<Vec<Group>> {
    let folder = "../shared/conformance/json-schema-test-suite/tests/draft2020-12";
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let Ok(entries) = folder.read_dir() else {
        println!("skipped: no {}", folder.display());
        return None;
    };
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let mut groups = Vec::new();
    for path in files {
        let file = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let read: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&path).expect("a file")).expect("JSON");
        for group in read {
            let tests = group["tests"].as_array().expect("tests").iter();
            groups.push(Group {
                file: file.clone(),
                schema: group["schema"].clone(),
                texts: tests.map(|test| (test["data"].to_string(), test["valid"] == true)).collect(),
                title: group["description"].as_str().expect("a description").to_owned(),
            });
        }
    }
    Some(groups)
}

fn accepts(tool: &Tool, text: &str) -> bool {
    let settings = Settings::default().with_policy(Policy::Strict).with_judgement(Judgement::Schema).any_root();
    let mut call = Call::new(tool).with_settings(&settings);
    call.feed(text);
    call.finish(End::Complete).is_ok()
}

/// The built-in validator for the group's schema, if it judges all of it.
fn built_in(group: &Group) -> Option<Tool> {
    Tool::new("tool", &group.schema).ok().filter(|tool| tool.unjudged().is_empty())
}

#[test]
fn every_group_is_answered_right_or_named() {
    let Some(groups) = groups() else { return };
    let (mut wrong, mut left_out, mut promised, mut broken) = (Vec::new(), 0, 0, 0);
    let mut judged = 0;
    for group in &groups {
        let is_promised = PROMISED.contains(&group.file.as_str());
        promised += usize::from(is_promised);
        let Some(tool) = built_in(group) else {
            left_out += usize::from(is_promised);
            if is_promised {
                println!("not judged: {}: {}", group.file, group.title);
            }
            continue;
        };
        judged += 1;
        for (text, is_valid) in &group.texts {
            if accepts(&tool, text) != *is_valid {
                wrong.push(format!("{}: {}: {text}", group.file, group.title));
            }
        }
        broken += usize::from(group.texts.iter().any(|(_, is_valid)| !is_valid));
    }
    println!("{} groups, {judged} judged, {broken} of them with values that fail", groups.len());
    println!("of the promised keywords: {promised} groups, {left_out} not judged");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(left_out * 4 < promised);
    assert!(broken > 100);
}

#[cfg(feature = "jsonschema")]
#[test]
fn the_jsonschema_crate_agrees_where_both_judge() {
    let Some(groups) = groups() else { return };
    let (mut differ, mut compared, mut wrong) = (Vec::new(), 0, Vec::new());
    for group in &groups {
        let Ok(validator) = argseal::JsonSchema::new(&group.schema) else { continue };
        let tool = Tool::opaque("tool").with_validator(std::sync::Arc::new(validator));
        let own = built_in(group);
        for (text, is_valid) in &group.texts {
            let theirs = accepts(&tool, text);
            if theirs != *is_valid {
                wrong.push(format!("{}: {}: {text}", group.file, group.title));
            }
            let Some(own) = &own else { continue };
            compared += 1;
            if accepts(own, text) != theirs {
                differ.push(format!("{}: {}: {text}", group.file, group.title));
            }
        }
    }
    println!("{compared} values compared; the crate differs from the suite in {}: {wrong:#?}", wrong.len());
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(compared > 400);
}
