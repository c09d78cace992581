//! The command line: what it prints and how it ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn command(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_argseal-conformance")).args(arguments).output().expect("a process")
}

fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn small() -> String {
    own("tests/cases").display().to_string()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn check_counts_the_cases() {
    let output = command(&["check", "--cases", &small()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("accept       6"), "{}", text(&output.stdout));
}

#[test]
fn a_case_that_is_wrong_in_itself_is_named_by_file_and_line() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong-cases");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("a.jsonl");
    let line = r#"{"id":"place-a","level":"place","aspect":"syntax","deltas":["{]"],"expect":{"place":0},"why":"w"}"#;
    fs::write(&file, format!("# a remark\n\n{line}\n")).expect("a file");
    let output = command(&["check", "--cases", &folder.display().to_string()]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(told.contains("a.jsonl:3: place-a: the text is broken at byte 1, not broken at byte 0"), "{told}");
    let output = command(&["run", "--cases", &folder.display().to_string(), "--", "echo"]);
    assert_eq!(output.status.code(), Some(2), "nobody is judged by it");
    fs::write(&file, format!("{line}\n{line}\n")).expect("a file");
    let output = command(&["check", "--cases", &folder.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("a.jsonl:2: id \"place-a\" stands already at "), "{}", text(&output.stderr));
}

#[test]
fn what_speaks_no_protocol_is_one_sentence() {
    let output = command(&["run", "--cases", &small(), "--", "echo", "ready."]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(
        told.starts_with("argseal-conformance: `echo ready.` does not say hello: not an answer: ready. ("),
        "{told}"
    );
    let output = command(&["run", "--cases", &small(), "--", "/no/such/program"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot be started"), "{}", text(&output.stderr));
}

/// The subject of the README, as a file.
fn example(name: &str) -> PathBuf {
    let readme = fs::read_to_string(own("README.md")).expect("a file");
    let example = readme.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    assert!(example.lines().count() <= 27, "a subject is short");
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&script, example).expect("a file");
    script
}

#[test]
fn results_are_a_page_and_a_picture_and_can_be_compared() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let script = example("peer.py");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("results");
    let peers = folder.join("conformance/peers");
    fs::create_dir_all(peers.join("some")).expect("a folder");
    let entry = |name: &str, command: &str| {
        format!("[[subject]]\nname = \"{name}\"\nlanguage = \"python\"\ncommand = {command}\nsetup = [\"make\"]\n")
    };
    let there = entry("there", &format!("[\"python3\", {:?}]", script.display().to_string()));
    fs::write(peers.join("some/peers.toml"), there + &entry("absent", "[\"bin/absent\"]")).expect("a file");
    let (peers, to) = (peers.display().to_string(), folder.display().to_string());
    let arguments = ["results", "--cases", &small(), "--peers", &peers, "--to", &to];
    let output = command(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = fs::read_to_string(folder.join("RESULTS.md")).expect("a page");
    assert!(page.contains("| there | python |") && page.contains("**6/6**"), "{page}");
    assert!(page.contains("## Skipped\n\n* absent (python): `bin/absent` cannot be started: "), "{page}");
    let picture = fs::read_to_string(folder.join("results.svg")).expect("a picture");
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>") && picture.contains(">6/6<"));
    let check = [&arguments[..], &["--check"]].concat();
    assert!(command(&check).status.success());
    fs::write(folder.join("RESULTS.md"), page.replace("**6/6**", "5/6")).expect("a file");
    let output = command(&check);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the page says something else of there"), "{}", text(&output.stderr));
}

#[test]
fn the_subject_of_the_readme_runs() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let script = example("subject.py");
    let output = command(&["run", "--json", "--cases", &small(), "--", "python3", &script.display().to_string()]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(output.status.success(), "{}", told["failures"]);
    assert_eq!(told["levels"][0]["passed"], 6);
    assert_eq!(told["not_supported"]["views-number"], "takes no part in this level");
}
