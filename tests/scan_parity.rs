//! Code, place, pointer and the byte that makes it known are those of the executable specification of broken text.
//!
//! A committed set runs always; where Python and `../shared/reference/scan.py` are there, 20,000 mutated calls and every
//! prefix of the field cases. `ARGSEAL_WRITE_CASES=1` writes the committed set anew.

mod support;

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;
use support::agree::agree;
use support::lines::{self, Case};
use support::random::Random;
use support::{generate, shared};

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/scan.txt");

#[test]
fn the_committed_set() {
    let cases = lines::parse(&std::fs::read_to_string(COMMITTED).expect("tests/cases/scan.txt is there"));
    assert!(cases.len() >= 200, "{} cases", cases.len());
    for case in &cases {
        for cuts in support::cuts(case.text.len()) {
            agree(case, &cuts);
        }
    }
}

#[test]
fn twenty_thousand_mutated_calls() {
    let mut random = Random::seeded(20_260);
    let texts: Vec<Vec<u8>> = (0..20_000)
        .map(|_| {
            let mut text = generate::call(&mut random);
            generate::mutate(&mut random, &mut text);
            text
        })
        .collect();
    let Some(cases) = scanned(&texts) else { return };
    for case in &cases {
        agree(case, &random.cuts(case.text.len(), 6));
    }
    let broken = cases.iter().filter(|case| case.code != "ok").count();
    assert!(broken > 15_000 && broken < 19_900, "{broken} of the texts are broken");
    if std::env::var_os("ARGSEAL_WRITE_CASES").is_some() {
        commit(&cases);
    }
}

#[test]
fn every_prefix_of_the_field_cases() {
    let Some(path) = shared("cases/field.jsonl", "prefixes of the field cases") else { return };
    let file = std::fs::read_to_string(path).expect("field.jsonl is read");
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for line in file.lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        if let Some(text) = case["text"].as_str().or_else(|| case["deltas"][0].as_str()) {
            // Long texts repeat themselves: their beginning and their end are enough.
            let len = text.len();
            texts.extend((0..=len).filter(|n| *n < 300 || len - n < 100).map(|n| text.as_bytes()[..n].to_vec()));
        }
    }
    texts.sort();
    texts.dedup();
    let Some(cases) = scanned(&texts) else { return };
    let mut random = Random::seeded(7);
    for case in &cases {
        agree(case, &random.cuts(case.text.len(), 4));
    }
}

/// What the specification says of each text; None where it cannot be asked.
fn scanned(texts: &[Vec<u8>]) -> Option<Vec<Case>> {
    let folder = shared("reference/scan.py", "comparison with scan.py")?;
    let program = Command::new("python3")
        .arg("-c")
        .arg(DRIVER)
        .arg(folder.parent().expect("a folder"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut program) = program else {
        eprintln!("skipped: comparison with scan.py: python3 is not there");
        return None;
    };
    let mut input = program.stdin.take().expect("a pipe");
    let hex: String =
        texts.iter().map(|text| text.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n").collect();
    let writer = std::thread::spawn(move || input.write_all(hex.as_bytes()));
    let output = program.wait_with_output().expect("python3 runs");
    writer.join().expect("the writer ends").expect("python3 reads all");
    assert!(output.status.success(), "scan.py fails");
    let output = String::from_utf8(output.stdout).expect("UTF-8");
    let cases: Vec<Case> = output
        .lines()
        .zip(texts)
        .map(|(line, text)| {
            let said: Value = serde_json::from_str(line).expect("an answer");
            let word = |key: &str| said[key].as_str().expect("a string").to_owned();
            Case {
                code: word("kind").replace('_', "-"),
                at: said["at"].as_u64().expect("a number"),
                known_at: said["known_at"].as_u64(),
                pointer: word("path"),
                text: text.clone(),
                quote: None,
            }
        })
        .collect();
    assert_eq!(cases.len(), texts.len());
    Some(cases)
}

/// Prints what scan.py says of each text, and the least length at which it says `bad`: found by halving, as it is stable
/// for prefixes.
const DRIVER: &str = "
import sys, json
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from scan import scan
for line in sys.stdin:
    d = bytes.fromhex(line)
    r = scan(d)
    if r['status'] == 'bad':
        low, high = 0, len(d)
        while high - low > 1:
            middle = (low + high) // 2
            if scan(d[:middle])['status'] == 'bad': high = middle
            else: low = middle
        r['known_at'] = high
    print(json.dumps(r))
";

/// Writes 200 short cases, as many of each code as there are.
fn commit(cases: &[Case]) {
    let mut short: Vec<&Case> = cases.iter().filter(|case| (4..60).contains(&case.text.len())).collect();
    short.sort_by_key(|case| (&case.code, case.text.len()));
    short.dedup_by(|a, b| a.text == b.text);
    let mut chosen: Vec<&Case> = Vec::new();
    let mut round = 0;
    while chosen.len() < 200 {
        let mut code = "";
        for case in &short {
            let nth = short.iter().filter(|other| other.code == case.code).position(|other| other == case);
            if case.code != code && nth == Some(round * 7) && chosen.len() < 200 {
                code = &case.code;
                chosen.push(case);
            }
        }
        round += 1;
        assert!(round < 200, "too few cases");
    }
    chosen.sort_by_key(|case| (&case.code, case.text.len()));
    let mut file = String::from(
        "# Mutated calls and what scan.py says of them: see tests/support/lines.rs and tests/scan_parity.rs.\n",
    );
    for case in chosen {
        file.push_str(&lines::write(case));
        file.push('\n');
    }
    std::fs::write(COMMITTED, file).expect("tests/cases can be written");
}
