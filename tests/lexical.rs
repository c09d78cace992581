//! Broken text, case by case: code, place, pointer, the byte that makes it known, and the quote that may have ended a
//! string too early. Each whole, byte by byte, in every two pieces, and in every three when short.

mod support;

use std::collections::BTreeMap;

use argseal::{Call, Code, Progress, Settings};
use support::agree::{agree, agree_on_quotes};
use support::lines;

const CASES: &str = include_str!("cases/lexical.txt");

#[test]
fn every_case_however_it_is_cut() {
    for case in lines::parse(CASES) {
        agree(&case, &[]);
        agree_on_quotes(&case);
        for cuts in support::cuts(case.text.len()) {
            agree(&case, &cuts);
        }
    }
}

#[test]
fn only_after_a_closed_root_do_more_bytes_refine_a_rejection() {
    for case in lines::parse(CASES).iter().filter(|case| case.known_at.is_some()) {
        let mut call = Call::default().with_settings(&Settings::default().any_root());
        let follows = matches!(&*case.code, "trailing-data" | "concatenated-values");
        let expected = if follows { Progress::Trailing } else { Progress::Rejected };
        assert_eq!(call.feed_bytes(&case.text), expected, "{}", lines::write(case));
    }
}

/// The codes before `missing-required` in the registry speak of the text alone.
#[test]
fn at_least_three_cases_for_each_code_of_broken_text() {
    let mut cases = BTreeMap::new();
    for case in lines::parse(CASES) {
        *cases.entry(case.code).or_insert(0) += 1;
    }
    for code in Code::ALL.iter().take_while(|code| **code != Code::MissingRequired) {
        let number = cases.remove(code.name()).unwrap_or(0);
        assert!(number >= 3, "{number} cases for {code}");
    }
    assert!(cases.is_empty(), "{cases:?}");
}

#[test]
fn a_case_is_written_as_it_is_read() {
    for case in lines::parse(CASES) {
        let again = lines::parse(&lines::write(&case)).pop().expect("a case");
        assert_eq!(again, lines::Case { quote: None, ..case });
    }
}
