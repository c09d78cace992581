//! Broken text, case by case: code, place, pointer, the byte that makes it known, and the quote that may have ended a
//! string too early. Each whole, byte by byte, in every two pieces, and in every three when short.

mod support;

use std::collections::BTreeMap;

use argseal::Code;
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
