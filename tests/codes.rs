//! The registry `grammar/codes.toml` and the codes of the library say the same.

use std::collections::BTreeMap;

use argseal::{Code, End, Fault, Opening};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Registry {
    faults: BTreeMap<String, BTreeMap<String, String>>,
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
fn text_that_opens_otherwise_is_the_providers() {
    let apart =
        ["unknown-tool", "disconnected", "cancelled", "depth-limit", "size-limit", "inline-limit", "placeholder"];
    for &code in Code::ALL {
        for end in End::ALL {
            let expected =
                if apart.contains(&code.name()) { code.fault(end, Opening::Arguments) } else { Fault::Provider };
            assert_eq!(code.fault(end, Opening::Other), expected, "{code} at {}", end.name());
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
    assert_eq!(registry.variants.len(), 2);
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
