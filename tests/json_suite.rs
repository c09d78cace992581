//! Nicolas Seriot's JSON parsing test suite: every `y_` text is accepted, every `n_` text is rejected, and of each `i_`
//! text, which RFC 8259 leaves open, it is written here what was chosen and why. With any root; whole and byte by byte.

mod support;

use std::path::Path;

use argseal::{End, Limits, Rule, Settings};
use argseal_laws::{self as laws, Outcome};
use support::shared;

const SUITE: &str = "conformance/json-test-suite/parsing";

/// Numbers keep their text: none is too large, too small or too precise for the document.
const NUMBER: &str = "a number is its text; that f64 cannot hold it is the reader's matter";
/// RFC 8259 section 8.2 calls the behaviour of such strings unpredictable: nothing is executed that is.
const SURROGATE: &str = "half a surrogate pair is no text";
/// RFC 8259 section 8.1: UTF-8, and nothing is replaced silently.
const UTF8: &str = "what is not UTF-8 is refused where it stands";
/// RFC 8259 section 8.1: a byte order mark must not be added; a text that has one was not assembled from deltas alone.
const MARK: &str = "a byte order mark is no JSON text, and is told by its own code";
/// Providers send UTF-8.
const WIDE: &str = "other encodings are not guessed at";

/// Of each `i_` text: the code, or `ok`, and the reason.
const CHOICES: [(&str, &str, &str); 35] = [
    ("i_number_double_huge_neg_exp.json", "ok", NUMBER),
    ("i_number_huge_exp.json", "ok", NUMBER),
    ("i_number_neg_int_huge_exp.json", "ok", NUMBER),
    ("i_number_pos_double_huge_exp.json", "ok", NUMBER),
    ("i_number_real_neg_overflow.json", "ok", NUMBER),
    ("i_number_real_pos_overflow.json", "ok", NUMBER),
    ("i_number_real_underflow.json", "ok", NUMBER),
    ("i_number_too_big_neg_int.json", "ok", NUMBER),
    ("i_number_too_big_pos_int.json", "ok", NUMBER),
    ("i_number_very_big_negative_int.json", "ok", NUMBER),
    ("i_object_key_lone_2nd_surrogate.json", "lone-surrogate", SURROGATE),
    ("i_string_1st_surrogate_but_2nd_missing.json", "lone-surrogate", SURROGATE),
    ("i_string_1st_valid_surrogate_2nd_invalid.json", "lone-surrogate", SURROGATE),
    ("i_string_UTF-16LE_with_BOM.json", "unexpected-token", WIDE),
    ("i_string_UTF-8_invalid_sequence.json", "invalid-utf8", UTF8),
    ("i_string_UTF8_surrogate_U+D800.json", "invalid-utf8", UTF8),
    ("i_string_incomplete_surrogate_and_escape_valid.json", "lone-surrogate", SURROGATE),
    ("i_string_incomplete_surrogate_pair.json", "lone-surrogate", SURROGATE),
    ("i_string_incomplete_surrogates_escape_valid.json", "lone-surrogate", SURROGATE),
    ("i_string_invalid_lonely_surrogate.json", "lone-surrogate", SURROGATE),
    ("i_string_invalid_surrogate.json", "lone-surrogate", SURROGATE),
    ("i_string_invalid_utf-8.json", "invalid-utf8", UTF8),
    ("i_string_inverted_surrogates_U+1D11E.json", "lone-surrogate", SURROGATE),
    ("i_string_iso_latin_1.json", "invalid-utf8", UTF8),
    ("i_string_lone_second_surrogate.json", "lone-surrogate", SURROGATE),
    ("i_string_lone_utf8_continuation_byte.json", "invalid-utf8", UTF8),
    ("i_string_not_in_unicode_range.json", "invalid-utf8", UTF8),
    ("i_string_overlong_sequence_2_bytes.json", "invalid-utf8", UTF8),
    ("i_string_overlong_sequence_6_bytes.json", "invalid-utf8", UTF8),
    ("i_string_overlong_sequence_6_bytes_null.json", "invalid-utf8", UTF8),
    ("i_string_truncated-utf-8.json", "invalid-utf8", UTF8),
    ("i_string_utf16BE_no_BOM.json", "unexpected-token", WIDE),
    ("i_string_utf16LE_no_BOM.json", "unquoted-value", WIDE),
    ("i_structure_500_nested_arrays.json", "ok", "the depth limit is the host's; the grammar has none"),
    ("i_structure_UTF-8_BOM_empty_object.json", "bom", MARK),
];

#[test]
fn the_suite_is_read_as_it_says() {
    let Some(folder) = shared(SUITE, "the JSON parsing test suite") else { return };
    let mut counts = [0; 3];
    for (name, bytes) in files(&folder) {
        let code = code(&bytes, &settings());
        match name.split('_').next() {
            Some("y") => {
                counts[0] += 1;
                assert_eq!(code, "ok", "{name}");
            }
            Some("n") => {
                counts[1] += 1;
                assert_ne!(code, "ok", "{name}");
            }
            _ => {
                counts[2] += 1;
                let choice = CHOICES.iter().find(|choice| choice.0 == name);
                let (_, chosen, reason) = choice.unwrap_or_else(|| panic!("{name} has no choice: {code}"));
                assert_eq!(code, *chosen, "{name}: {reason}");
            }
        }
    }
    assert_eq!(counts, [95, 188, 35]);
}

#[test]
fn under_the_default_limits_deep_texts_are_told_as_such() {
    let Some(folder) = shared(SUITE, "the JSON parsing test suite") else { return };
    let defaults = Settings::default().any_root();
    let deep: Vec<String> = files(&folder)
        .into_iter()
        .filter(|(_, bytes)| code(bytes, &defaults) == "depth-limit")
        .map(|(name, _)| name)
        .collect();
    let names = [
        "i_structure_500_nested_arrays.json",
        "n_structure_100000_opening_arrays.json",
        "n_structure_open_array_object.json",
    ];
    assert_eq!(deep, names);
}

/// No limits, any root, and blank text is no value.
fn settings() -> Settings {
    Settings::default().any_root().with_limits(Limits::max()).without_rule(Rule::Empty)
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).expect("the suite is read");
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(path).expect("a file"))
        })
        .collect();
    files.sort();
    files
}

/// What the engine says, whole and byte by byte; duplicate keys are a call's matter, not the grammar's.
fn code(bytes: &[u8], settings: &Settings) -> String {
    let every: Vec<usize> = (1..bytes.len()).collect();
    // Events carry their place, whose text is as long as the nesting is deep: the deepest texts are read without.
    if bytes.len() < 10_000 {
        laws::chunking(bytes, &every, None, settings, End::Complete);
        return match laws::observe(&[bytes], None, settings, End::Complete).outcome {
            Outcome::Accepted { .. } => "ok".into(),
            Outcome::Rejected { diagnosis, .. } => named(diagnosis.code().name()),
        };
    }
    let read = |pieces: Vec<&[u8]>| {
        let mut call = argseal::Call::default().with_settings(settings);
        for piece in pieces {
            call.feed_bytes(piece);
        }
        call.finish(End::Complete).map_or_else(|rejected| rejected.diagnosis().clone().code().name(), |_| "ok")
    };
    let whole = read(vec![bytes]);
    assert_eq!(whole, read(laws::pieces(bytes, &every)));
    named(whole)
}

fn named(code: &str) -> String {
    if code == "duplicate-key" { "ok".into() } else { code.into() }
}
