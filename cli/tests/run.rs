//! `run` in this process, with buffers for streams; files of settings; and that every member of the form is printed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use serde_json::{Value, json};
use support::{Ran, file};

/// Runs the command line in this process.
fn run(args: &[&str], input: &[u8]) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["argseal"].iter().chain(args);
    let code = argseal_cli::run(args, &mut &*input, &mut out, &mut err);
    Ran { code: code.into(), out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

fn lines(ran: &Ran) -> Vec<Value> {
    assert_eq!(ran.err, "");
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn members(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn runs_from_two_threads_are_apart() {
    let runs = || {
        for i in 0..50 {
            let text = format!("{{\"a\":{i}}}");
            let ran = run(&["check"], text.as_bytes());
            assert_eq!((ran.code, ran.out, ran.err), (0, format!("strict\n{text}\n"), String::new()));
            let ran = run(&["check"], b"{\"a\":tru");
            assert!(ran.code == 1 && ran.out.starts_with("rejected[truncated-in-literal]"), "{}", ran.out);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(runs);
        scope.spawn(runs);
    });
}

#[test]
fn the_program_and_the_library_say_the_same() {
    let inputs: [(&[&str], &[u8]); 9] = [
        (&["check"], b"{\"a\":\"b \"c\"\"}"),
        (&["check", "--json"], b"{}"),
        (&["check", "--end", "soon"], b"{}"),
        (&["batch"], b"{\"id\":1,\"text\":\"{}\"}\n[\n"),
        (&["explain", "zzz"], b""),
        (&["replay", "-"], b"data: {\"choices\":[]}\n\n"),
        (&["--help"], b""),
        (&["--version"], b""),
        (&[], b""),
    ];
    for (args, input) in inputs {
        let (here, there) = (run(args, input), support::run(args, input));
        assert_eq!((here.code, here.out, here.err), (there.code, there.out, there.err), "{args:?}");
    }
}

#[test]
fn a_reader_that_left_is_no_failure_and_a_full_disk_is_one() {
    struct Broken(std::io::ErrorKind);
    impl std::io::Write for Broken {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for (kind, wanted) in [(std::io::ErrorKind::BrokenPipe, 0), (std::io::ErrorKind::StorageFull, 2)] {
        let mut err = Vec::new();
        let code = argseal_cli::run(["argseal", "check"], &mut &b"{}"[..], &mut Broken(kind), &mut err);
        assert_eq!((code, err.is_empty()), (wanted, wanted == 0), "{}", String::from_utf8_lossy(&err));
    }
}

#[test]
fn a_file_of_settings_is_heard_and_options_override_it() {
    let tools = file(
        "settings-tools.json",
        r#"{"name":"t","parameters":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},"aliases":{"a":["b"]}}"#,
    );
    let settings = file("settings.json", r#"{"policy":"full","limits":{"text":12}}"#);
    let outcome = |args: &[&str], text: &[u8]| {
        let args: Vec<&str> = ["check", "--json", "--tools", &tools].iter().chain(args).copied().collect();
        let answer = lines(&run(&args, text)).remove(0);
        (answer["outcome"].clone(), answer["diagnosis"]["code"].clone())
    };
    let aliased = b"{\"b\":\"x\"}";
    assert_eq!(outcome(&[], aliased), (json!("rejected"), json!("missing-required")));
    assert_eq!(outcome(&["--settings", &settings], aliased), (json!("normalized"), Value::Null));
    assert_eq!(outcome(&["--settings", &settings, "--policy", "strict"], aliased).0, "rejected");
    assert_eq!(outcome(&["--settings", &settings, "--without", "alias"], aliased).0, "rejected");
    assert_eq!(outcome(&["--settings", &settings], b"{\"a\":\"longer\"}").1, "size-limit");
    // What the file leaves out is the command line's own: the whole schema is judged.
    let closed =
        file("closed-tool.json", r#"{"name":"t","parameters":{"type":"object","additionalProperties":false}}"#);
    assert_eq!(run(&["check", "--tools", &closed, "--settings", &settings], b"{\"a\":1}").code, 1);
    let batch = run(
        &["batch", "--settings", &settings],
        b"{\"text\":\"[]\",\"settings\":{\"any_root\":true}}\n{\"text\":\"[]\"}",
    );
    assert_eq!(lines(&batch).iter().map(|answer| &answer["outcome"]).collect::<Vec<_>>(), ["strict", "rejected"]);
    let replay = run(&["replay", "--settings", &settings, "--json", "-"], CHAT.as_bytes());
    assert_eq!(lines(&replay)[0]["diagnosis"]["code"], "size-limit");
    let history = run(&["history", "--settings", &settings, "--json", "-"], b"[]");
    assert_eq!(history.code, 0, "{}", history.err);
}

#[test]
fn settings_that_cannot_be_used_are_named() {
    let cases = [
        (r#"{"polcy":"full"}"#, "polcy: no such member; there are policy, with,"),
        (r#"{"polcy":"full"}"#, "did you mean `policy`?"),
        (
            r#"{"policy":"fulll"}"#,
            "policy: \"fulll\" is none of them; there are strict, narrow, full; did you mean `full`?",
        ),
        (r#"{"with":["rename","unrap"]}"#, "with[1]: \"unrap\" is none of them; there are alias,"),
        (r#"{"limits":{"dept":3}}"#, "limits.dept: no such member; there are depth, text,"),
        (
            r#"{"limits":{"text":"1 MiB"}}"#,
            "limits.text: a whole number of bytes, at most 4294967294 is expected, not string \"1 MiB\"",
        ),
        (
            r#"{"limits":{"text":1.5}}"#,
            "limits.text: a whole number of bytes, at most 4294967294 is expected, not floating point `1.5`",
        ),
        (
            r#"{"limits":{"depth":-1}}"#,
            "limits.depth: a whole number of levels, at most 4294967295 is expected, not integer `-1`",
        ),
        (r#"{"limits":{"event":4294967296}}"#, "limits.event: a whole number of bytes, at most 4294967295 is expected"),
        (r#"{"limits":64}"#, "limits: an object of limits is expected, not integer `64`"),
        (r#"{"any_root":"yes"}"#, "any_root: a boolean is expected, not string \"yes\""),
        (r#"{"any_root":true,"any_root":false}"#, "duplicate field `any_root`"),
        ("[]", "an object of settings is expected, not sequence"),
        ("{", "not JSON: "),
    ];
    for (text, said) in cases {
        let settings = file("bad-settings.json", text);
        for command in ["check", "batch"] {
            let ran = run(&[command, "--settings", &settings], b"");
            assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (2, "", 1), "{text}: {}", ran.err);
            assert!(
                ran.err.starts_with("argseal: ") && ran.err.contains(&settings) && ran.err.contains(said),
                "{}",
                ran.err
            );
        }
        let request = format!("{{\"id\":1,\"text\":\"{{}}\",\"settings\":{text}}}");
        if text.starts_with('{') && text.len() > 1 && !said.starts_with("duplicate") && said.contains(':') {
            let answer = lines(&run(&["batch"], request.as_bytes())).remove(0);
            assert!(answer["error"].as_str().unwrap().starts_with(&format!("settings.{said}")), "{answer}");
        }
    }
}

#[test]
fn a_misspelt_grant_is_told_the_nearest_name() {
    let tools = file("near-tools.json", r#"{"name":"bash","parameters":{"type":"object"}}"#);
    let grants = file("near-grants.json", r#"{"bash":{"closeable":["description"]}}"#);
    let ran = run(&["tools", &tools, "--grants", &grants], b"");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("bash.closeable: no such member; there are aliases, closable,"), "{}", ran.err);
    assert!(ran.err.contains("did you mean `closable`?"), "{}", ran.err);
}

#[test]
fn every_member_of_the_form_is_printed() {
    let verdict = ["actions", "arguments", "diagnosis", "edits", "notes", "outcome", "text"];
    let answers = lines(&run(&["batch"], b"{\"id\":1,\"text\":\"{\\\"a\\\":\\\"b\\\"c\"}\n{\"id\":2}"));
    assert_eq!(members(&answers[0]), ["actions", "arguments", "diagnosis", "edits", "id", "notes", "outcome", "text"]);
    let diagnosis = &answers[0]["diagnosis"];
    assert_eq!(
        members(diagnosis),
        ["advice", "at", "code", "fault", "known_at", "message", "pointer", "suspect_quote"]
    );
    assert_eq!(members(&diagnosis["suspect_quote"]), ["at", "column", "line", "pointer"]);
    assert_eq!(members(&answers[1]), ["error", "id"]);
    let empty = lines(&run(&["batch"], b"{\"text\":\"\"}\n{\"text\":\"{}{}\"}"));
    assert_eq!(members(&empty[0]["edits"][0]), ["at", "delete", "insert", "rules"]);
    assert_eq!(members(&empty[1]["notes"][0]), ["at", "note"]);
    let stream = lines(&run(&["replay", "--json", "-"], CHAT.as_bytes()));
    assert_eq!(members(&stream[0]).len(), verdict.len() + 2);
    assert!(verdict.iter().chain(&["call", "id"]).all(|name| stream[0].get(name).is_some()));
    assert_eq!(
        members(&stream[0]["call"]),
        [
            "bytes",
            "choice",
            "deltas",
            "end",
            "end_marker",
            "format",
            "id",
            "index",
            "name",
            "raw",
            "root_closed",
            "terminal"
        ]
    );
    assert_eq!(members(&stream[1]), ["stream"]);
    assert_eq!(
        members(&stream[1]["stream"]),
        ["calls_left_out", "done", "errors", "errors_left_out", "events", "file", "format", "terminal_reasons"]
    );
    assert_eq!(members(&stream[1]["stream"]["terminal_reasons"][0]), ["choice", "end", "native", "reason"]);
    assert_eq!(members(&stream[1]["stream"]["errors"][0]), ["event", "kind", "message"]);
    let history = lines(&run(&["history", "--json", "-"], br#"[{"role":"tool","tool_call_id":"c1","content":"a"}]"#));
    assert_eq!(members(&history[0]), ["actions", "code", "effect", "finding", "id", "message", "tool", "words"]);
    assert_eq!(history[0]["finding"], "orphaned");
    assert_eq!(members(&history[1]["history"]), ["bytes", "bytes_before", "calls", "changed", "messages", "reported"]);
}

const CHAT: &str = concat!(
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"now\",\"arguments\":\"{\\\"zone\\\":\\\"UTC\\\"}\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: {\"error\":{\"message\":\"late\"}}\n\n",
);
