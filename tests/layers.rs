//! The rooms of `src`: a module imports modules of lower rows, and those left of it in its own; `docs/architecture.md`
//! draws what is imported; the files of a folder form no circle; and no file is long.

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

/// In a folder that has files below, its own file, `mod.rs`, is one of them: what it defines is what
/// the others may take from it, and what it hands on from one of them is taken from that one.
#[test]
fn files_of_a_folder_form_no_circle() {
    let mut circles = Vec::new();
    let mut read = 0;
    for folder in folders() {
        let imports = inside(&folder);
        read += imports.values().map(BTreeSet::len).sum::<usize>();
        circles.extend(circle(&imports).map(|circle| format!("{}: {}", folder.display(), circle.join(" -> "))));
    }
    assert!(circles.is_empty(), "{}", circles.join("\n"));
    assert!(read > 120, "{read} imports inside of folders");
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
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        expanded("super::{a, b::{C as D, e}, self}"),
        ["super::a", "super::b::C", "super::b::e", "super::self"].map(path)
    );
    let text = "use super::{a,\n b::C};\nuse std::fmt;\nlet x = crate::f::g(super::h::I);";
    assert_eq!(paths(text, &path("f::me"), false), ["f::a", "f::b::C", "f::g", "f::h::I"].map(path));
    assert_eq!(paths("pub use a::B;\nuse c::D;\ne::f();", &path("f"), true), ["f::c::D", "f::e::f"].map(path));
    let taken = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let of =
        |list: &[(&str, &[&str])]| list.iter().map(|(name, all)| ((*name).to_owned(), taken(all))).collect::<Imports>();
    assert_eq!(circle(&of(&[("a", &["b"]), ("b", &["c"]), ("c", &[])])), None);
    assert_eq!(
        circle(&of(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])])),
        Some(["b", "c", "b"].map(str::to_owned).to_vec())
    );
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

/// The folders of `src` below it.
fn folders() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![source()];
    while let Some(folder) = pending.pop() {
        let inner = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let inner: Vec<PathBuf> = inner.filter(|path| path.is_dir() && !path.ends_with("tests")).collect();
        pending.extend(inner.iter().cloned());
        found.extend(inner);
    }
    found.sort();
    found
}

type Imports = BTreeMap<String, BTreeSet<String>>;

/// What each file, or folder, of a folder takes from which others.
fn inside(folder: &Path) -> Imports {
    let own = Some(folder.join("mod.rs")).filter(|path| path.exists()).unwrap_or_else(|| folder.with_extension("rs"));
    let at = tokens_of_path(folder);
    let root = code(&own);
    let handed_on = handed_on(&root);
    let mut imports = Imports::new();
    for path in files().into_iter().filter(|path| path.starts_with(folder) || *path == own) {
        let mut place = tokens_of_path(&path);
        let name = place.get(at.len()).cloned().unwrap_or_else(|| OWN.to_owned());
        if path == own {
            place.clone_from(&at);
        }
        let text = if path == own { root.clone() } else { code(&path) };
        let mut taken = BTreeSet::new();
        for statement in paths(&text, &place, path == own) {
            let Some(rest) = statement.strip_prefix(&*at) else { continue };
            let Some(first) = rest.first() else { continue };
            let is_child = folder.join(first).exists() || folder.join(format!("{first}.rs")).exists();
            taken.insert(if is_child {
                first.clone()
            } else {
                handed_on.get(first).cloned().unwrap_or_else(|| OWN.to_owned())
            });
        }
        taken.remove(&name);
        imports.entry(name).or_default().extend(taken);
    }
    imports
}

/// The folder's own file.
const OWN: &str = "mod";

/// The module of a file or folder, from the root of the crate.
fn tokens_of_path(path: &Path) -> Vec<String> {
    let inside = path.strip_prefix(source()).expect("in src").with_extension("");
    let names = inside.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != OWN).collect()
}

/// The text of a file without comments, strings aside, and without its tests. In a module that stands in the file, `super` is
/// the file itself.
fn code(path: &Path) -> String {
    let text = without_tests(&fs::read_to_string(path).expect("a readable file"));
    let mut lines = Vec::new();
    let mut is_inner = false;
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        is_inner = if is_inner { line != "}" } else { line.contains("mod ") && line.ends_with('{') };
        lines.push(if is_inner { line.replace("super::", "self::") } else { line.to_owned() });
    }
    lines.join("\n")
}

/// Names that the folder's own file hands on, by `pub use` or `use`, and from which file below.
fn handed_on(text: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (_, list) in uses(text) {
        for path in list {
            if let (Some(first), Some(last)) = (path.first(), path.last())
                && first != "crate"
                && first != "super"
            {
                names.insert(last.clone(), first.clone());
            }
        }
    }
    names
}

/// The paths that a file at `place` takes something from, from the root of the crate. Of the folder's own file also those that
/// begin with a name, which may be that of a file below; handing on takes nothing.
fn paths(text: &str, place: &[String], is_own: bool) -> Vec<Vec<String>> {
    let mut rest = text.to_owned();
    let mut found = Vec::new();
    for (statement, list) in uses(text) {
        rest = rest.replace(&statement, "");
        if !(is_own && statement.starts_with("pub")) {
            found.extend(list);
        }
    }
    for line in rest.lines() {
        let words = line.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ':')));
        let path = |word: &str| word.split("::").map(str::to_owned).collect::<Vec<_>>();
        found.extend(words.filter(|word| word.contains("::")).map(path));
    }
    found.into_iter().filter_map(|path| absolute(&path, place, is_own)).collect()
}

fn absolute(path: &[String], place: &[String], is_own: bool) -> Option<Vec<String>> {
    let ups = path.iter().take_while(|word| *word == "super").count();
    match path.first().map(String::as_str) {
        Some("crate") => Some(path[1..].to_vec()),
        Some("self") => Some([place, &path[1..]].concat()),
        Some("super") => Some([&place[..place.len().checked_sub(ups)?], &path[ups..]].concat()),
        // A type that the file itself names begins with a capital.
        Some(first) if is_own && first.starts_with(|c: char| c.is_ascii_lowercase()) => Some([place, path].concat()),
        _ => None,
    }
}

/// The imports of a file: each as it stands, and the paths that it names.
fn uses(text: &str) -> Vec<(String, Vec<Vec<String>>)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("use ") {
        let start = rest[..at].rfind('\n').map_or(0, |line| line + 1);
        let before = rest[start..at].trim();
        let Some(len) = rest[at..].find(';').filter(|_| before.is_empty() || before.starts_with("pub")) else {
            rest = &rest[at + 4..];
            continue;
        };
        let list = &rest[at + 4..at + len];
        found.push((rest[start..=at + len].trim_start().to_owned(), expanded(list)));
        rest = &rest[at + len..];
    }
    found
}

/// The paths of a list: `a::{b, c::{d, e}}` names three.
fn expanded(list: &str) -> Vec<Vec<String>> {
    let mut open: Vec<Vec<String>> = Vec::new();
    let mut found = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut is_renamed = false;
    for c in list.chars().chain([',']) {
        match c {
            '{' => open.push(path.clone()),
            ',' | '}' => {
                if !word.is_empty() {
                    path.push(std::mem::take(&mut word));
                    found.push(path.clone());
                }
                is_renamed = false;
                let outer = if c == '}' { open.pop() } else { open.last().cloned() };
                path = outer.unwrap_or_default();
            }
            ':' => path.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            c if c.is_whitespace() => is_renamed = !word.is_empty(),
            c if !is_renamed => word.push(c),
            _ => {}
        }
    }
    found
}

/// The files of one circle, if there is one.
fn circle(imports: &Imports) -> Option<Vec<String>> {
    let mut left = imports.clone();
    // What imports nothing that is left stands in no circle.
    loop {
        let known: BTreeSet<String> = left.keys().cloned().collect();
        let before = left.len();
        left.retain(|_, taken| taken.iter().any(|name| known.contains(name)));
        if left.len() == before {
            break;
        }
    }
    let mut way: Vec<String> = vec![left.keys().next()?.clone()];
    loop {
        let next = left[way.last()?].iter().find(|name| left.contains_key(*name))?.clone();
        if let Some(at) = way.iter().position(|name| *name == next) {
            way.push(next);
            return Some(way.split_off(at));
        }
        way.push(next);
    }
}
