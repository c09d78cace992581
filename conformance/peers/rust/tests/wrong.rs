//! A subject that is wrong in one way fails the cases of that way and no others; one that gives no answer harms no other
//! case.

use std::path::Path;
use std::time::Duration;

use argseal_conformance::cases::{self, Case};
use argseal_conformance::{Bounds, Process, Report, run};
use argseal_conformance_peers::{Argseal, NAMES, subject};

fn small() -> Vec<Case> {
    cases::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")).expect("cases")
}

fn wrong(name: &str) -> Report {
    let command = vec![env!("CARGO_BIN_EXE_wrong").to_owned(), name.to_owned()];
    let bounds = Bounds { time: Duration::from_secs(1), line: 1 << 20 };
    run(&small(), &mut Process::new(command, bounds)).expect("a subject")
}

fn failed(report: &Report) -> Vec<&str> {
    report.failures().map(|(outcome, _)| outcome.id.as_str()).collect()
}

#[test]
fn what_is_right_fails_nothing_in_process_and_behind_the_protocol() {
    let here = run(&small(), &mut Argseal).expect("a subject");
    assert!(here.is_clean(), "{}", here.text(9));
    assert!(here.outcomes.iter().all(|outcome| matches!(outcome.verdict, argseal_conformance::Verdict::Passed)));
    let there = wrong("right");
    assert!(there.is_clean(), "{}", there.text(9));
}

#[test]
fn each_wrong_subject_fails_its_own_cases() {
    for (name, cases) in [
        (
            "closes-everything",
            &["accept-cut-string", "cut-command", "cut-number", "cut-description", "damage-lost-quote"][..],
        ),
        ("drops-the-tail", &["accept-trailing", "place-trailing", "damage-concatenated"]),
        ("picks-the-last", &["value-twice"]),
        ("repairs-a-cut-string", &["accept-cut-string", "cut-command", "cut-description", "damage-lost-quote"]),
        ("shows-early-numbers", &["views-number"]),
        ("swaps-two-members", &["value-two-members", "cut-description"]),
    ] {
        let report = wrong(name);
        assert_eq!(failed(&report), cases, "{name}\n{}", report.text(9));
    }
}

#[test]
fn no_answer_is_a_failed_case_and_the_run_goes_on() {
    for (name, words) in [
        ("dies", "the subject ended (exit status: 3)"),
        ("floods", "an answer longer than 1048576 bytes"),
        ("hangs", "no answer within 1s"),
    ] {
        let report = wrong(name);
        assert_eq!(failed(&report), ["accept-trigger"], "{name}");
        let got = report.failures().map(|(_, failure)| failure.got.clone()).next().expect("a failure");
        assert_eq!(got, words);
    }
}

#[test]
fn a_subject_that_always_dies_is_given_up() {
    let report = wrong("dies-always");
    assert_eq!(failed(&report).len(), report.outcomes.len());
    let (_, last) = report.failures().last().expect("a failure");
    assert!(last.got.starts_with("not asked: "), "{}", last.got);
}

#[test]
fn no_hello_is_one_sentence() {
    let command = vec![env!("CARGO_BIN_EXE_wrong").to_owned(), "speaks-no-protocol".to_owned()];
    let error = run(&small(), &mut Process::new(command, Bounds::default())).expect_err("no subject");
    let told = error.to_string();
    assert!(told.contains("does not say hello: ") && told.contains("ready."), "{told}");
    assert_eq!(told.lines().count(), 1);
}

#[test]
fn every_peer_says_hello() {
    for name in NAMES {
        let mut subject = subject(name).expect("a subject");
        let report = run(&small(), subject.as_mut()).expect("a report");
        assert!(!report.hello.levels.is_empty(), "{name}");
    }
}
