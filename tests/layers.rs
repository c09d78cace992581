//! The rooms of `src`: a module imports modules of lower rows, and those left of it in its own; `docs/architecture.md`
//! draws what is imported; and no file is long.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rows, from the ground up: `docs/architecture.md` says what each is for. A room (a folder) stands in one row, but
/// for the files of it that are named: they are what others are told with, or what they are made of.
const ROWS: [&[&str]; 9] = [
    &["text", "settings", "verdict::code", "verdict::note"],
    &["lex"],
    &["syntax::event", "document"],
    &["syntax"],
    &["schema", "program", "verdict::audit", "verdict::diagnosis"],
    &["call::partial", "repair", "normalize", "judge::guard"],
    &["verdict::outcome", "judge", "call", "calls"],
    &["wire", "history", "stats"],
    &["internals"],
];

/// Lines of one file.
const LONGEST: usize = 420;

#[test]
fn modules_import_what_is_below_them_or_to_their_left() {
    let wrong: Vec<String> = edges()
        .into_iter()
        .filter(|(importer, imported)| place(imported) >= place(importer))
        .map(|(importer, imported)| format!("{importer} imports {imported}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What follows from other arrows is not drawn.
#[test]
fn the_picture_of_the_modules_is_that_of_the_imports() {
    let mut below: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (importer, imported) in edges() {
        below.entry(importer).or_default().insert(imported);
    }
    let mut arrows = String::new();
    for (importer, direct) in below.iter().filter(|(importer, _)| *importer != "internals") {
        for imported in direct {
            if !direct.iter().any(|other| other != imported && reaches(&below, other, imported)) {
                arrows.push_str(&format!("  {} --> {}\n", node(importer), node(imported)));
            }
        }
    }
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md")).expect("the page");
    let drawn = page.split("```mermaid\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a picture");
    let drawn: String = drawn.lines().filter(|line| line.contains("-->")).map(|line| format!("{line}\n")).collect();
    assert!(drawn == arrows, "docs/architecture.md draws other imports; there are\n{arrows}");
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
    assert_eq!(imports("use crate::verdict::code::{Code, End};"), ["verdict::code"]);
    assert_eq!(imports("use crate::{schema, lex::inside};"), ["schema", "lex::inside"]);
    assert_eq!(imports("pub(crate) use crate::wire::Format;"), ["wire"]);
    assert_eq!(imports("    let x = crate::text::pointer::parse(y);"), ["text::pointer::parse"]);
    assert!(imports("use crate::ValueRef;").is_empty());
    assert_eq!(module("verdict::code::Code"), Some("verdict::code"));
    assert_eq!(module("lex::inside"), Some("lex"));
    assert!(module("verdict").is_none() && module("codec").is_none());
    assert!(place("verdict::code") < place("verdict::audit") && place("lex") < place("wire"));
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

/// Who imports whom, each pair once.
fn edges() -> BTreeSet<(String, String)> {
    let mut edges = BTreeSet::new();
    for path in files() {
        let importer = path_of(&path);
        let text = without_tests(&fs::read_to_string(&path).expect("a readable file"));
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for imported in imports(line) {
                let Some(above) = module(&importer) else { panic!("{importer} has no row: {}", path.display()) };
                let Some(below) = module(&imported) else { panic!("{imported} has no row: {}", path.display()) };
                if above != below {
                    edges.insert((above.to_owned(), below.to_owned()));
                }
            }
        }
    }
    edges
}

fn reaches(below: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    below.get(from).is_some_and(|direct| direct.iter().any(|next| next == to || reaches(below, next, to)))
}

/// How the picture writes a module.
fn node(module: &str) -> String {
    match module.split_once("::") {
        Some((room, file)) => format!("{room}_{file}[{room}/{file}]"),
        None => module.to_owned(),
    }
}

/// The path of the module that a file is.
fn path_of(path: &Path) -> String {
    let inside = path.strip_prefix(source()).expect("in src").with_extension("");
    let names: Vec<String> = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    names.join("::").trim_end_matches("::mod").to_owned()
}

/// The module in the rows that a path leads into.
fn module(path: &str) -> Option<&'static str> {
    let leads =
        |module: &&&str| path.strip_prefix(**module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    ROWS.iter().copied().flatten().filter(leads).max_by_key(|module| module.len()).copied()
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
            let end = name.find(|c: char| !(c.is_ascii_lowercase() || matches!(c, '_' | ':'))).unwrap_or(name.len());
            // What the root re-exports begins with a capital.
            let path = name[..end].trim_end_matches(':');
            if !path.is_empty() && !matches!(path, "judge" if name.starts_with("judge(")) {
                found.push(path.to_owned());
            }
        }
    }
    found
}

/// Row and place in it.
fn place(module: &str) -> Option<(usize, usize)> {
    ROWS.iter().enumerate().find_map(|(row, modules)| Some((row, modules.iter().position(|name| *name == module)?)))
}
