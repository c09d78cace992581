use std::io::Write;
use std::process::{Command, Stdio};

use super::{related, words};

/// The tool is named `tool`.
const APART: [(&str, &str); 54] = [
    ("content_type", "content"),
    ("command_description", "command"),
    ("exclude_path", "path"),
    ("parent_id", "id"),
    ("skip_confirm", "confirm"),
    ("configuration", "description"),
    ("dir", "direction"),
    ("old_path", "path"),
    ("new_path", "path"),
    ("description", "configuration"),
    ("content", "command"),
    ("text", "content"),
    ("cmd", "command"),
    ("comm", "command"),
    ("command", "comm"),
    ("pat", "path"),
    ("file", "path"),
    ("file", "file_path"),
    ("path", "file"),
    ("path_file", "path"),
    ("query_text", "query"),
    ("search_query", "query"),
    ("q", "query"),
    ("url", "uri"),
    ("link", "url"),
    ("name", "skill_name"),
    ("user_name", "name"),
    ("username", "name"),
    ("from_line", "to_line"),
    ("start_line", "end_line"),
    ("startLine", "endLine"),
    ("min", "minimum"),
    ("max_len", "max"),
    ("old_string", "new_string"),
    ("ol_string", "old_string"),
    ("new_st", "new_string"),
    ("olds", "new"),
    ("source_dir", "target_dir"),
    ("src", "source"),
    ("id", "ids_list"),
    ("is_open", "open"),
    ("not_recursive", "recursive"),
    ("no_cache", "cache"),
    ("timeout_ms", "timeout"),
    ("timeout", "timeout_ms"),
    ("line2", "line3"),
    ("a", "b"),
    ("", "a"),
    ("_", "path"),
    ("größe", "größen"),
    ("pathé", "path"),
    ("path", "pathé"),
    ("files_path", "path"),
    ("class", "cla"),
];

const TOGETHER: [(&str, &str, &str); 24] = [
    ("path", "file_path", "tool"),
    ("file_path", "path", "tool"),
    ("filePath", "file_path", "tool"),
    ("FilePath", "path", "tool"),
    ("FILE_PATH", "filepath", "tool"),
    ("file-path", "file path", "tool"),
    ("filepath", "file_path", "tool"),
    ("skill_name", "name", "skill"),
    ("name", "skill_name", "skill"),
    ("webSearchQuery", "query", "web_search"),
    ("query", "queries", "tool"),
    ("queries", "query", "tool"),
    ("path", "paths", "tool"),
    ("box", "boxes", "tool"),
    ("Query", "QUERIES", "tool"),
    ("new_str", "new_string", "tool"),
    ("newString", "new_str", "tool"),
    ("old_str", "oldString", "tool"),
    ("max_tok", "max_tokens", "tool"),
    ("file_paths", "file_path", "tool"),
    ("HTTPUrl", "http_url", "tool"),
    ("line_2", "line2", "tool"),
    ("tool_name", "name", "tool"),
    ("", "_", "tool"),
];

#[test]
fn names_that_do_not_mean_the_same() {
    for (undeclared, required) in APART {
        assert!(!related(undeclared, required, "tool"), "{undeclared} {required}");
    }
}

#[test]
fn names_that_mean_the_same() {
    for (undeclared, required, tool) in TOGETHER {
        assert!(related(undeclared, required, tool), "{undeclared} {required} {tool}");
    }
}

#[test]
fn words_of_every_spelling() {
    let cases = [
        ("XMLHttp", "XML Http"),
        ("aB", "a B"),
        ("ABCd", "AB Cd"),
        ("Ab1C", "Ab 1 C"),
        ("HTTPServer2x", "HTTP Server 2 x"),
        ("_a--b_", "a b"),
        ("AbcÉd", "Abc d"),
        ("", ""),
    ];
    for (name, expected) in cases {
        assert_eq!(words(name).join(" "), expected);
    }
}

#[test]
fn long_hostile_names_in_linear_time() {
    let start = std::time::Instant::now();
    for unit in ["A", "aB", "a_", "1a", "_"] {
        let name = unit.repeat(1_000_000);
        assert!(related(&name, &(name.clone() + "_"), "tool"));
        related(&name, "path", "tool");
    }
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn agrees_with_the_reference() {
    let reference = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/reference");
    if !std::path::Path::new(reference).is_dir() {
        return println!("skipped: no {reference}");
    }
    let parts = [
        "file", "path", "Path", "name", "query", "Queries", "str", "string", "new", "old", "tool", "skill", "x", "s",
        "2", "ID", "XMLHttp",
    ];
    let glue = ["_", "", "-"];
    let mut state = 7u32;
    let mut draw = move |n: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % n
    };
    let mut name = || {
        let mut name = parts[draw(parts.len())].to_owned();
        for _ in 0..draw(3) {
            name = name + glue[draw(glue.len())] + parts[draw(parts.len())];
        }
        name
    };
    let mut triples: Vec<(String, String, String)> = (0..20_000).map(|_| (name(), name(), name())).collect();
    triples.extend(APART.map(|(a, b)| (a.to_owned(), b.to_owned(), "tool".to_owned())));
    triples.extend(TOGETHER.map(|(a, b, tool)| (a.to_owned(), b.to_owned(), tool.to_owned())));
    let script = "import sys,json\ntry: import judge\nexcept ImportError: sys.exit(9)\n\
        print(''.join('01'[judge.related(*t)] for t in json.load(sys.stdin)))";
    let python = Command::new("python3")
        .args(["-c", script])
        .env("PYTHONPATH", reference)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut python) = python else { return println!("skipped: no python3") };
    let input = serde_json::to_vec(&triples).expect("strings");
    python.stdin.take().expect("piped").write_all(&input).expect("python reads");
    let output = python.wait_with_output().expect("python ends");
    if output.status.code() == Some(9) {
        return println!("skipped: no jsonschema for python3");
    }
    let answers = String::from_utf8(output.stdout).expect("ASCII");
    assert_eq!(answers.trim().len(), triples.len());
    for ((a, b, tool), answer) in triples.iter().zip(answers.chars()) {
        assert_eq!(related(a, b, tool), answer == '1', "{a} {b} {tool}");
    }
    println!("{} names compared, {} related", triples.len(), answers.matches('1').count());
}
