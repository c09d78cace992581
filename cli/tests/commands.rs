//! The commands for people: exit codes, error paths, what is printed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use support::{Ran, file, program, run};

fn check(args: &[&str], text: &[u8]) -> Ran {
    run(&["check"].iter().chain(args).copied().collect::<Vec<_>>(), text)
}

const TOOLS: &str = r#"{"tools":[
  {"type":"function","function":{"name":"bash","parameters":{"type":"object","properties":
    {"command":{"type":"string","minLength":1},"description":{"type":"string","minLength":1},"timeout":{"type":"integer"}},
    "required":["command","description"]}},
   "closable":["description"],"may_lack":["timeout"]},
  {"functionDeclarations":[{"name":"now","parameters":{"type":"OBJECT","properties":{"zone":{"type":"STRING"}}}}]},
  {"name":"list","input_schema":{"type":"object"}},
  {"name":"mcp","inputSchema":{"type":"object"}}]}"#;

#[test]
fn exit_codes_of_check() {
    assert_eq!(check(&[], b"{\"a\":1}").code, 0);
    assert_eq!(check(&[], b"{\"a\":").code, 1);
    assert_eq!(check(&["--end", "soon"], b"{}").code, 2);
    assert_eq!(check(&["--policy", "lax"], b"{}").code, 2);
    assert_eq!(check(&["--with", "hope"], b"{}").code, 2);
    assert_eq!(check(&["--tool", "bash"], b"{}").code, 2);
    assert_eq!(run(&[], b"").code, 2);
    assert_eq!(run(&["judge"], b"").code, 2);
    assert_eq!(run(&["replay"], b"").code, 2);
}

#[test]
fn version_and_help() {
    let version = run(&["--version"], b"");
    assert_eq!((version.code, version.out), (0, format!("argseal {}\n", env!("CARGO_PKG_VERSION"))));
    for args in
        [&["--help"][..], &["batch", "--help"], &["check", "--help"], &["replay", "--help"], &["tools", "--help"]]
    {
        let help = run(args, b"");
        assert_eq!(help.code, 0, "{args:?}");
        assert!(help.out.contains("Examples:") && help.out.contains("Exit codes:"), "{args:?}");
    }
}

#[test]
fn check_prints_the_accepted_text() {
    let ran = check(&[], b"{ \"a\" : 1 }");
    assert_eq!(ran.out, "strict\n{ \"a\" : 1 }\n");
    let tools = file("check-tools.json", TOOLS);
    let ran = check(&["--tools", &tools, "--tool", "bash"], b"{\"command\":\"ls\",\"description\":\"List");
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.out,
        "repaired: close-description\n  byte 35: \"\\\"}\" inserted (close-description)\n{\"command\":\"ls\",\"description\":\"List\"}\n"
    );
}

#[test]
fn check_answers_in_json() {
    let ran = check(&["--json", "--end", "truncated"], b"{\"a\":\"\xe6\x9d");
    assert_eq!(ran.code, 1);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["diagnosis"]["code"], "truncated-in-utf8");
    assert_eq!(answer["diagnosis"]["fault"], "budget");
    assert_eq!(answer["id"], serde_json::Value::Null);
}

#[test]
fn numbers_are_held_to_what_the_reader_holds() {
    let text = br#"{"id":18446744073709551616,"share":0.1234567890123456789}"#;
    let exact = check(&["--json"], text);
    assert_eq!(exact.code, 0);
    assert!(
        exact.out.contains(r#""arguments":{"id":18446744073709551616,"share":0.1234567890123456789}"#),
        "{}",
        exact.out
    );
    assert!(exact.out.contains(r#"{"note":"rounded-number","at":35,"detail":"/share"}"#), "{}", exact.out);
    let double = check(&["--json", "--numbers", "double"], text);
    assert_eq!(double.code, 1);
    assert!(
        double.out.contains(r#""code":"number-not-held","fault":"model","at":6,"pointer":"/id","known_at":27"#),
        "{}",
        double.out
    );
}

#[test]
fn a_report_shows_the_decoded_program() {
    let text =
        r#"{"code":"const r = await tools.bash({\n\tcommand: `東京`,\n\tdescription: "List \u202e errors", x: 1\n})"}"#;
    let ran = check(&[], text.as_bytes());
    assert_eq!(ran.code, 1);
    let report: Vec<&str> = ran.out.lines().collect();
    assert!(report[0].starts_with("rejected[unexpected-after-string]: a string in member `code`"), "{}", ran.out);
    assert!(ran.out.contains("2 |     command: `東京`,"), "{}", ran.out);
    let line = report
        .iter()
        .position(|line| line.contains(r#"3 |     description: "List \u202e errors", x: 1"#))
        .expect(&ran.out);
    let column = |needle: &str, line: &str| line.find(needle).map(|at| line[..at].chars().count());
    assert_eq!(column("^", report[line + 1]), column("\"", report[line]), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}') && !ran.out.contains('\u{202e}'));
    assert!(ran.out.contains("% came later"));
}

#[test]
fn wide_characters_keep_the_caret_in_place() {
    let ran = check(&[], "{\"a\":\"東京\"x\"}".as_bytes());
    let report: Vec<&str> = ran.out.lines().collect();
    let line = report.iter().position(|line| line.contains("東京")).expect(&ran.out);
    let before = report[line].split('"').next().unwrap();
    let columns = before.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
    assert_eq!(report[line + 1].find('^'), Some(columns), "{}", ran.out);
}

#[test]
fn control_characters_are_escaped() {
    let ran = check(&[], b"{\"a\":\"b\x1b[31mc\"}");
    assert!(ran.out.contains(r"b\u{001b}[31mc"), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'));
    let ran = check(&[], b"{\"\x1b]0;x\": tru}");
    assert!(!ran.out.contains('\u{1b}'));
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let text = format!(r#"{{"a":"{}"b{}"}}"#, "x".repeat(100_000), "y".repeat(100_000));
    let ran = check(&[], text.as_bytes());
    assert!(ran.out.contains("column 100001"), "{}", ran.out);
    assert!(ran.out.lines().filter(|line| line.contains("xxxx")).all(|line| line.chars().count() < 200), "{}", ran.out);
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let broken = file("broken.json", "{\"tools\": [");
    let empty = file("empty.json", "[]");
    let tools = file("several-tools.json", TOOLS);
    let grants = file("grants-typo.json", r#"{"bash":{"closeable":["description"]}}"#);
    let cases: &[(&[&str], &str)] = &[
        (&["check", "--tools", "no-such.json"], "cannot read no-such.json: no such file or directory; check the path"),
        (&["check", "--tools", &broken], "is not JSON"),
        (&["check", "--tools", &empty], "holds no tool definition"),
        (&["check", "--tools", &tools], "holds several tools; name one with --tool: bash, now, list, mcp"),
        (&["check", "--tools", &tools, "--tool", "cat"], "no tool cat in"),
        (&["check", "--tools", &tools, "--tool", "bash", "--grants", &grants], "closeable"),
        (&["replay", "no-such.sse"], "cannot read no-such.sse"),
        (&["replay", "."], "is a directory; name the files in it"),
        (&["replay", "-"], "standard input holds no event"),
        (&["tools", "no-such.json"], "cannot read no-such.json"),
        (&["explain", "unexpected-after"], "did you mean unexpected-after-string?"),
        (&["explain", "zzz"], "argseal explain lists all codes"),
    ];
    for (args, said) in cases {
        let ran = run(args, b"");
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.starts_with("argseal: ") && ran.err.contains(said), "{args:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
    }
}

#[test]
fn tools_lists_what_was_understood() {
    let tools = file("tools.json", TOOLS);
    let ran = run(&["tools", &tools], b"");
    assert_eq!(ran.code, 0);
    for line in [
        "bash",
        "  command      string, minLength 1, required",
        "  description  string, minLength 1, required",
        "  timeout      integer",
        "  grant closable: description",
        "  grant may_lack: timeout",
        "now",
        "  zone  string",
    ] {
        assert!(ran.out.lines().any(|printed| printed == line), "{line:?} in\n{}", ran.out);
    }
    assert!(!ran.out.contains("warning"), "{}", ran.out);
}

#[test]
fn tools_warns() {
    let tools = file(
        "doubtful-tools.json",
        r#"[{"name":"edit","input_schema":{"type":"object","properties":{"file_path":{"type":"string"},"filePath":{"type":"string"},
             "count":{"type":"integer"},"note":{"type":"string","minLength":1}},"required":["file_path"]}}]"#,
    );
    let grants = file(
        "doubtful-grants.json",
        r#"{"edit":{"may_lack":["file_path","gone"],"max_inline_bytes":{"count":10},"inner_call":{"payload":"file_path","object":"tools"}}}"#,
    );
    let ran = run(&["tools", &tools, "--grants", &grants], b"");
    assert_eq!(ran.code, 0);
    for warning in [
        "edit: file_path and filePath are two spellings of one name",
        "edit: the required string file_path has no minLength",
        "edit: inner_call never applies",
        "edit: may_lack never applies to file_path",
        "edit: max_inline_bytes never applies to count",
        "`gone`",
    ] {
        assert!(ran.out.contains(warning), "{warning:?} in\n{}", ran.out);
    }
}

#[test]
fn what_the_provider_has_built_in_is_listed_and_no_mistake() {
    let tools = file(
        "built-in-tools.json",
        r#"{"tools":[{"type":"web_search"},{"type":"function","name":"now","parameters":{"type":"object"}},
            {"type":"bash_20250124","name":"bash"},{"type":"mcp","server_label":"s"},
            {"functionDeclarations":[{"name":"f"}],"googleSearch":{}},
            {"type":"custom","name":"sql","format":{"type":"grammar","syntax":"regex","definition":"a"}}]}"#,
    );
    let listed = run(&["tools", &tools], b"");
    assert_eq!((listed.code, listed.err.as_str()), (0, ""), "{}", listed.out);
    assert!(!listed.out.contains("error") && !listed.out.contains("warning"), "{}", listed.out);
    for line in [
        "web_search    built in by the provider: no call of it is judged",
        "mcp           built in by the provider: no call of it is judged",
        "googleSearch  built in by the provider: no call of it is judged",
        "bash",
        "sql",
    ] {
        assert!(listed.out.lines().any(|printed| printed == line), "{line:?} in\n{}", listed.out);
    }
    let replayed = run(&["replay", "--tools", &tools, "-"], b"data: {\"choices\":[]}\n\n");
    assert_eq!((replayed.code, replayed.err.as_str()), (0, ""));
    assert_eq!(check(&["--tools", &tools, "--tool", "bash"], b"{\"command\":\"ls\"}").code, 0);
    let only = file("only-built-in.json", r#"[{"type":"web_search"}]"#);
    let ran = check(&["--tools", &only], b"{}");
    assert!(ran.code == 2 && ran.err.contains("holds no tool that a call names"), "{}", ran.err);
    assert_eq!(run(&["tools", &only], b"").code, 0);
}

#[test]
fn tools_that_are_not_understood_are_errors() {
    let tools = file("bad-tools.json", r#"[{"name":"a","parameters":{"type":5}},{"parameters":{}},{"name":"b"}]"#);
    let ran = run(&["tools", &tools], b"");
    assert_eq!((ran.code, ran.out.matches("error: ").count()), (1, 2), "{}", ran.out);
    let refused = check(&["--tools", &tools, "--tool", "a"], b"{}");
    assert_eq!(refused.code, 2);
}

#[test]
fn configuration_that_never_applies_is_named() {
    let tools = file(
        "idle-tools.json",
        r#"["text",{"name":"run","parameters":{"type":"object","properties":{"code":{"type":"string","minLength":1}}},
            "may_lack":["gone"],"inner_call":{"payload":"code","object":"a b"}},7]"#,
    );
    let grants = file("idle-grants.json", r#"{"rum":{"closable":["code"]}}"#);
    let said = [
        "a string stands after 0 definitions",
        "a number stands after 1 definitions",
        "`may_lack` names `gone`",
        "its object `a b` is no identifier",
        "grants for `rum` never apply",
    ];
    let listed = run(&["tools", &tools, "--grants", &grants], b"");
    assert_eq!(listed.code, 1);
    let replayed = run(&["replay", "--tools", &tools, "--grants", &grants, "-"], b"data: {\"choices\":[]}\n\n");
    assert_eq!(replayed.code, 0);
    for words in said {
        assert!(listed.out.contains(words), "{words:?} in\n{}", listed.out);
        assert!(replayed.err.contains(words), "{words:?} in\n{}", replayed.err);
    }
    let tools = file("idle-tools-2.json", r#"{"name":"run","parameters":{"type":"object"}}"#);
    let checked = check(&["--tools", &tools, "--grants", &grants], b"{}");
    assert_eq!((checked.code, checked.err.lines().count()), (0, 1), "{}", checked.err);
    assert!(checked.err.starts_with("argseal: warning: grants for `rum`"), "{}", checked.err);
    let empty = file("empty-object.json", "{}");
    let listed = run(&["tools", &empty], b"");
    assert!(listed.out.starts_with("error: "), "{}", listed.out);
}

#[test]
fn names_of_any_length_are_clipped() {
    let ran = check(&[], format!("{{\"{}\":\"a\\q\"}}", "k".repeat(1_000_000)).as_bytes());
    assert!(ran.out.len() < 2_000, "{}", ran.out.len());
    let ran = check(&[], format!("{{\"{}\":{{\"b\":tru}}}}", "k/".repeat(500_000)).as_bytes());
    assert!(ran.out.len() < 2_000, "{}", ran.out.len());
}

#[test]
fn explain_lists_and_explains() {
    let list = run(&["explain"], b"");
    assert_eq!((list.code, list.out.lines().count()), (0, argseal::Code::ALL.len()));
    let one = run(&["explain", "truncated-in-string"], b"");
    assert_eq!(one.code, 0);
    for part in ["truncated-in-string: ", "Example: {\"a\":\"b", "Fault by end: ", "Told to the model: "] {
        assert!(one.out.contains(part), "{part:?} in\n{}", one.out);
    }
}

#[test]
fn a_broken_pipe_is_quiet() {
    for args in [&["explain"][..], &["--help"], &["check"]] {
        let mut command = program(args);
        let mut child = command
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{args:?}");
        assert_eq!(ended.status.code(), Some(0), "{args:?}");
    }
}
