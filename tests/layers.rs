//! The layers of `src`: a file imports files of lower rows, and those left of it in its own; and no file is long.

use std::fs;
use std::path::{Path, PathBuf};

/// The rows, from the ground up: `CONTRIBUTING.md` says what each is for.
const ROWS: [&[&str]; 9] = [
    &["span", "limits", "wide", "pointer", "code", "note", "settings"],
    &["lex"],
    &["event", "document"],
    &["syntax"],
    &["schema", "program", "audit", "diagnosis", "trailing"],
    &["partial", "repair", "normalize", "guard"],
    &["outcome", "judge", "call", "calls"],
    &["wire", "history", "stats"],
    &["internals"],
];

/// Lines of one file.
const LONGEST: usize = 420;

#[test]
fn files_import_what_is_below_them_or_to_their_left() {
    let mut wrong = Vec::new();
    for path in files() {
        let importer = module(&path);
        let text = without_tests(&fs::read_to_string(&path).expect("a readable file"));
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for imported in imports(line) {
                let (Some(above), Some(below)) = (place(&importer), place(&imported)) else {
                    wrong.push(format!("{importer} or {imported} has no row: {}", path.display()));
                    continue;
                };
                if below >= above && importer != imported {
                    wrong.push(format!("{} imports {imported}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_file_is_long() {
    for path in files() {
        let name = path.strip_prefix(source()).expect("in src").to_string_lossy().into_owned();
        let lines = fs::read_to_string(&path).expect("a readable file").lines().count();
        assert!(lines <= LONGEST, "{name} has {lines} lines; at most {LONGEST}: a file answers one question");
    }
}

#[test]
fn the_reader_of_imports_finds_them() {
    assert_eq!(imports("use crate::code::{Code, End};"), ["code"]);
    assert_eq!(imports("use crate::{audit, lex::inside};"), ["audit", "lex"]);
    assert_eq!(imports("pub(crate) use crate::wire::Format;"), ["wire"]);
    assert_eq!(imports("    let x = crate::pointer::parse(y);"), ["pointer"]);
    assert!(imports("use crate::ValueRef;").is_empty());
    assert!(place("code") < place("settings") && place("lex") < place("wire") && place("nothing").is_none());
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every file of the library but its root and those of tests.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![source()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            // Only tests use the generator of programs.
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs")
                && name != "tests.rs"
                && name != "lib.rs"
                && !path.ends_with("program/generate.rs")
            {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 60, "{} files", files.len());
    files
}

/// The module of `src` to which the file belongs.
fn module(path: &Path) -> String {
    let inside = path.strip_prefix(source()).expect("in src");
    let first = inside.iter().next().expect("a name").to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

fn without_tests(text: &str) -> String {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned()
}

/// The modules that a line names.
fn imports(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in line.split("crate::").skip(1) {
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default().split(',').map(str::trim).collect(),
            None => vec![rest],
        };
        for name in names {
            let end = name.find(|c: char| !(c.is_ascii_lowercase() || c == '_')).unwrap_or(name.len());
            // What the root re-exports begins with a capital.
            let word = &name[..end];
            if !word.is_empty() && !matches!(word, "judge" if name.starts_with("judge(")) {
                found.push(word.to_owned());
            }
        }
    }
    found
}

/// Row and place in it.
fn place(module: &str) -> Option<(usize, usize)> {
    ROWS.iter().enumerate().find_map(|(row, modules)| Some((row, modules.iter().position(|name| *name == module)?)))
}
