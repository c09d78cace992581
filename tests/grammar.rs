//! `grammar/json.abnf` is the language that is accepted, and `grammar/json.dict` is a dictionary that fuzzers can read.

mod support;

use std::collections::BTreeSet;

use argseal::{Code, End, Limits, Rule, Settings, Verdict};
use argseal_laws::{self as laws, Outcome};
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
    assert!(grammar.left().is_empty(), "not derived: {:?}", grammar.left());
}

fn accepted(text: &str, settings: &Settings) {
    match laws::observe(&[text.as_bytes()], None, settings, End::Complete).outcome {
        Outcome::Accepted { verdict: Verdict::Strict, .. } => {}
        Outcome::Rejected { diagnosis, .. } if diagnosis.code() == Code::DuplicateKey => {}
        other => panic!("`{}`: {other:?}", text.escape_debug()),
    }
}

/// What is damaged is accepted exactly if it is a sentence still: neither the grammar nor the engine is wider than the
/// other, nor wider than `serde_json`.
#[test]
fn damaged_sentences_are_accepted_if_they_are_sentences() {
    let (grammar, mut random) = (grammar(), Random::seeded(5234));
    let settings = Settings::default().without_rule(Rule::Empty);
    let mut rejected = 0;
    const SENTENCES: usize = 5_000;
    for _ in 0..SENTENCES {
        let mut text = grammar.derive("arguments", &mut random).into_bytes();
        generate::mutate(&mut random, &mut text);
        laws::strict(&text);
        laws::monotony(&text[..text.len().min(200)], &random.cuts(200, 8));
        let code = laws::observe(&[&text], None, &settings, End::Complete).outcome.code();
        let sentence = std::str::from_utf8(&text).is_ok_and(|text| grammar.matches("arguments", text));
        let accepted = matches!(code, None | Some(Code::DuplicateKey));
        assert_eq!(accepted, sentence, "{code:?} `{}`", text.escape_ascii());
        rejected += usize::from(!sentence);
    }
    assert!((SENTENCES / 4..SENTENCES * 19 / 20).contains(&rejected), "{rejected} are no sentences");
}

/// A grammar that is wider or narrower in any one place would be noticed.
#[test]
fn another_grammar_is_noticed() {
    let text = include_str!("../grammar/json.abnf");
    let settings = Settings::default().any_root().without_rule(Rule::Empty);
    let code = |text: &str| laws::observe(&[text.as_bytes()], None, &settings, End::Complete).outcome.code();
    for (right, wide, wanted) in [
        ("nonzero      = %x31-39", "nonzero      = %x30-39", Code::InvalidNumber),
        ("whole        = \"0\" /", "whole        = \"\" /", Code::InvalidNumber),
        ("fraction     = \".\" 1*digit", "fraction     = \".\" *digit", Code::InvalidNumber),
        ("[ sign ] 1*digit / %x45", "[ sign ] *digit / %x45", Code::InvalidNumber),
        ("%x20-21", "%x1F-21", Code::ControlCharInString),
        ("%x23-5B", "%x22-5B", Code::UnexpectedAfterString),
        ("%s\"b\"", "%s\"a\"", Code::InvalidEscape),
        ("%s\"n\"", "\"N\"", Code::InvalidEscape),
        ("%s\"true\"", "\"TRUE\"", Code::NonJsonLiteral),
        ("high \"\\\" %s\"u\" low", "high", Code::LoneSurrogate),
        ("\"D\" %x30-37", "\"D\" %x30-39", Code::LoneSurrogate),
        ("\"D\" ( \"C\"", "\"D\" ( \"B\"", Code::LoneSurrogate),
        ("hex          = digit", "hex          = \"G\" / digit", Code::InvalidEscape),
        ("] \"}\"", "] [ \",\" ] \"}\"", Code::TrailingComma),
        ("] \"]\"", "] [ \",\" ] \"]\"", Code::TrailingComma),
        ("blanks       = *( %x20", "blanks       = *( %x0B / %x20", Code::UnexpectedToken),
        ("text         = blanks value", "text         = blanks [ %xFEFF ] value", Code::Bom),
        ("text         = blanks value", "text         = blanks value *1value", Code::ConcatenatedValues),
    ] {
        assert!(text.contains(right), "{right}");
        let wider = Grammar::parse(&text.replacen(right, wide, 1));
        let mut random = Random::seeded(1);
        let noticed = (0..5_000).any(|_| code(&wider.derive("text", &mut random)) == Some(wanted));
        assert!(noticed, "{wide} is not noticed by {wanted}");
    }
    for (right, narrow) in [
        ("%x5D-D7FF", "%x5D-D7FE"),
        ("%xE000-10FFFF", "%xE000-10FFFE"),
        (" / %s\"t\"", ""),
        ("[ \"-\" ] whole", "whole"),
        ("nonzero *digit", "nonzero 1*digit"),
        (" / %x0D", ""),
        ("sign         = \"+\" / \"-\"", "sign         = \"-\""),
    ] {
        assert!(text.contains(right), "{right}");
        let (grammar, narrower) = (grammar(), Grammar::parse(&text.replacen(right, narrow, 1)));
        let mut random = Random::seeded(2);
        let noticed = (0..5_000).any(|_| {
            let text = grammar.derive("text", &mut random);
            text.len() < 400 && code(&text).is_none() && !narrower.matches("text", &text)
        });
        assert!(noticed, "{narrow} is not noticed");
    }
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
