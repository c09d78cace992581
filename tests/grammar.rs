//! `grammar/json.abnf` is the language that is accepted, and `grammar/json.dict` is a dictionary that fuzzers can read.

mod support;

use std::collections::BTreeSet;

use argseal::laws::{self, Outcome};
use argseal::{Code, End, Limits, Rule, Settings, Verdict};
use support::abnf::Grammar;
use support::generate;
use support::random::Random;

fn grammar() -> Grammar {
    Grammar::parse(include_str!("../grammar/json.abnf"))
}

#[test]
fn derived_sentences_are_accepted() {
    let (grammar, mut random) = (grammar(), Random::seeded(8259));
    let settings = Settings::default().any_root().with_limits(Limits::max());
    let mut lengths = BTreeSet::new();
    for _ in 0..5_000 {
        let text = grammar.derive("text", &mut random);
        lengths.insert(text.len());
        laws::chunking(text.as_bytes(), &random.cuts(text.len(), 5), None, &settings, End::Complete);
        accepted(&text, &settings);
        let arguments = grammar.derive("arguments", &mut random);
        accepted(&arguments, &Settings::default());
        laws::strict(arguments.as_bytes());
    }
    assert!(lengths.len() > 150, "{} lengths", lengths.len());
}

fn accepted(text: &str, settings: &Settings) {
    match laws::observe(&[text.as_bytes()], None, settings, End::Complete).outcome {
        Outcome::Accepted { verdict: Verdict::Strict, .. } => {}
        Outcome::Rejected { diagnosis, .. } if diagnosis.code() == Code::DuplicateKey => {}
        other => panic!("`{}`: {other:?}", text.escape_debug()),
    }
}

/// What is damaged is accepted only where serde_json reads it too.
#[test]
fn damaged_sentences_are_judged_as_serde_json_does() {
    let (grammar, mut random) = (grammar(), Random::seeded(5234));
    for _ in 0..5_000 {
        let mut text = grammar.derive("arguments", &mut random).into_bytes();
        generate::mutate(&mut random, &mut text);
        laws::strict(&text);
        laws::monotony(&text[..text.len().min(200)], &random.cuts(200, 8));
    }
}

#[test]
fn every_rule_is_used() {
    let text = include_str!("../grammar/json.abnf");
    for name in grammar().names() {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let uses = words.filter(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()) == name).count();
        assert!(uses > 1, "{name}");
    }
}

/// A deriver that derives too much would be noticed.
#[test]
fn a_wider_grammar_is_not_accepted() {
    let wider = include_str!("../grammar/json.abnf").replace("nonzero      = %x31-39", "nonzero      = %x30-39");
    let (grammar, mut random) = (Grammar::parse(&wider), Random::seeded(1));
    let settings = Settings::default().any_root().without_rule(Rule::Empty);
    let rejected = (0..2_000).any(|_| {
        let text = grammar.derive("text", &mut random);
        laws::observe(&[text.as_bytes()], None, &settings, End::Complete).outcome.code() == Some(Code::InvalidNumber)
    });
    assert!(rejected);
}

#[test]
fn the_dictionary_is_read() {
    let mut names = BTreeSet::new();
    let mut tokens = BTreeSet::new();
    for line in include_str!("../grammar/json.dict").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, token) = line.split_once('=').expect("NAME=\"TOKEN\"");
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        let token = token.strip_prefix('"').and_then(|token| token.strip_suffix('"')).expect("a quoted token");
        let token = unescaped(token).unwrap_or_else(|| panic!("{name}: `{token}`"));
        assert!((1..=64).contains(&token.len()), "{name}");
        assert!(names.insert(name), "{name} stands twice");
        assert!(tokens.insert(token), "the token of {name} stands twice");
    }
    for needed in ["{", "}", "[", "]", ":", ",", "\"", "true", "false", "null", "\\ud83d", "\\\""] {
        assert!(tokens.contains(needed.as_bytes()), "{needed}");
    }
}

/// Backslashes, quotes and bytes, as libFuzzer reads them.
fn unescaped(token: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut bytes = token.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => match bytes.next()? {
                byte @ (b'\\' | b'"') => out.push(byte),
                b'x' => {
                    let digit = |byte: u8| (byte as char).to_digit(16);
                    out.push((digit(bytes.next()?)? * 16 + digit(bytes.next()?)?) as u8);
                }
                _ => return None,
            },
            b' '..=b'~' if byte != b'"' => out.push(byte),
            _ => return None,
        }
    }
    Some(out)
}
