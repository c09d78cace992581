//! `argseal replay`: a stream written here, and the recorded ones.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::path::Path;
use support::{file, run, shared};

/// Two parallel calls, the second with an unescaped inner quote.
const CHAT: &str = concat!(
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"now\",\"arguments\":\"\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"zone\\\":\\\"UTC\\\"}\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"c2\",\"function\":{\"name\":\"run\",\"arguments\":\"{\\\"code\\\":\\\"a \\\"b\\\"\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"function\":{\"arguments\":\" c\\\"}\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
);

#[test]
fn the_table_has_a_row_a_call() {
    let stream = file("chat.sse", CHAT);
    let ran = run(&["replay", &stream], b"");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(cells(lines[0])[1..8], ["call", "tool", "verdict", "what", "bytes", "deltas", "came after"]);
    assert_eq!(cells(lines[2])[1..8], ["0 c1", "now", "strict", "", "14", "2", ""]);
    assert_eq!(
        cells(lines[3])[1..8],
        ["1 c2", "run", "rejected", "unexpected-after-string at 12 in /code", "18", "2", "27 %"]
    );
    assert!(ran.out.contains("terminal reason: tool_calls (complete)"), "{}", ran.out);
    assert_eq!(run(&["replay", "-"], CHAT.as_bytes()).out, ran.out);
}

/// Two choices: the second cut by the length limit.
const CHOICES: &str = concat!(
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"now\",\"arguments\":\"{}\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":1,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"now\",\"arguments\":\"{\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":1,\"delta\":{},\"finish_reason\":\"length\"}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
);

#[test]
fn of_several_choices_each_call_and_reason_says_which() {
    let ran = run(&["replay", "--details", "-"], CHOICES.as_bytes());
    assert_eq!(ran.code, 1);
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(cells(lines[0])[7..9], ["came after", "choice"]);
    assert_eq!(cells(lines[2])[1..9], ["0 a", "now", "strict", "", "2", "1", "", "0"]);
    assert_eq!(cells(lines[3])[1..9], ["0 b", "now", "rejected", "truncated-in-container at 1", "1", "1", "", "1"]);
    for line in [
        "call 0 b of choice 1",
        "terminal reason of choice 0: tool_calls (complete)",
        "terminal reason of choice 1: length (truncated)",
    ] {
        assert!(lines.contains(&line), "{}", ran.out);
    }
    let ran = run(&["replay", "--json", "-"], CHOICES.as_bytes());
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |line: &Value| (line["call"]["choice"].clone(), line["call"]["terminal"].clone());
    assert_eq!(told(&lines[0]), (0.into(), "tool_calls".into()));
    assert_eq!(told(&lines[1]), (1.into(), "length".into()));
    assert_eq!(lines[2]["stream"]["terminal_reasons"][1]["choice"], 1);
    assert!(ran.out.lines().next().unwrap().ends_with("\"choice\":0}}"), "the last member: {}", ran.out);
}

#[test]
fn details_are_reports() {
    let ran = run(&["replay", "--details", "-"], CHAT.as_bytes());
    assert!(ran.out.contains("call 1 c2\nrejected[unexpected-after-string]: "), "{}", ran.out);
    assert!(ran.out.contains("this double quote ended the string"), "{}", ran.out);
}

#[test]
fn json_has_a_line_a_call_and_one_for_the_stream() {
    let ran = run(&["replay", "--json", "-"], CHAT.as_bytes());
    assert_eq!(ran.code, 1);
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["outcome"], "strict");
    assert_eq!(lines[0]["arguments"]["zone"], "UTC");
    let call = &lines[1]["call"];
    assert_eq!(
        (&call["format"], &call["index"], &call["id"], &call["name"]),
        (&"openai-chat".into(), &1.into(), &"c2".into(), &"run".into())
    );
    assert_eq!(call["raw"], "{\"code\":\"a \"b\" c\"}");
    assert_eq!((&call["deltas"], &call["bytes"], &call["root_closed"]), (&2.into(), &18.into(), &false.into()));
    assert_eq!((&call["end_marker"], &call["terminal"]), (&false.into(), &"tool_calls".into()));
    assert_eq!(lines[1]["diagnosis"]["code"], "unexpected-after-string");
    assert_eq!(lines[2]["stream"]["events"], 6);
    assert_eq!(lines[2]["stream"]["terminal_reasons"][0]["reason"], "tool_calls");
}

#[test]
fn a_tool_list_is_heard() {
    let tools = file(
        "replay-tools.json",
        r#"[{"name":"now","parameters":{"type":"object","properties":{"zone":{"type":"integer"}}}}]"#,
    );
    let ran = run(&["replay", "--json", "--tools", &tools, "-"], CHAT.as_bytes());
    let codes: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["diagnosis"]["code"].clone()).collect();
    assert_eq!(codes, ["type-mismatch".into(), "unknown-tool".into(), Value::Null]);
}

#[test]
fn recorded_streams_give_their_calls() {
    let Some(folder) = shared("streams") else { return };
    let expectations = std::fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    let mut seen = 0;
    for (n, line) in expectations.lines().enumerate() {
        let expected: Value = serde_json::from_str(line).unwrap();
        let name = expected["file"].as_str().unwrap();
        let path = folder.join(name);
        let path = path.to_str().unwrap();
        let tools = expected["tools"]
            .is_array()
            .then(|| file(&format!("stream-tools-{n}.json"), &expected["tools"].to_string()));
        for format in ["auto", expected["format"].as_str().unwrap()] {
            let mut args = vec!["replay", "--json", "--format", format, path];
            if let Some(tools) = &tools {
                args.extend(["--tools", tools]);
            }
            let ran = run(&args, b"");
            let mut lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let stream = lines.pop().unwrap_or_else(|| panic!("{name}: {}", ran.err));
            assert!(stream["stream"].is_object(), "{name}");
            let rejected = lines.iter().any(|line| line["outcome"] == "rejected");
            assert_eq!(ran.code, i32::from(rejected), "{name}");
            compare(name, &expected, &lines);
            seen += 1;
        }
    }
    println!("{seen} streams read");
}

fn compare(name: &str, expected: &Value, lines: &[Value]) {
    let calls = expected["calls"].as_array().unwrap();
    let ideal = expected["ideal"].as_array();
    assert_eq!(lines.len(), ideal.map_or(calls.len(), Vec::len), "{name}: calls");
    for (i, line) in lines.iter().enumerate() {
        let raw = &line["call"]["raw"];
        match ideal {
            Some(ideal) => {
                assert_eq!((&line["call"]["name"], raw), (&ideal[i][1], &ideal[i][2]), "{name}");
            }
            None => {
                assert_eq!(line["call"]["name"], calls[i]["name"], "{name}");
                if expected["quirks"]["partial_args"].is_null() && !name.contains("partial-args") {
                    assert_eq!(raw, &calls[i]["arguments"], "{name}");
                }
            }
        }
    }
}

#[test]
fn a_redacted_stream_keeps_its_form_and_loses_its_contents() {
    let stream = file("secret.sse", &CHAT.replace("UTC", r"Zür\\nich 12"));
    let out = file("redacted.sse", "");
    let ran = run(&["replay", &stream, "--redact", &out], b"");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let redacted = std::fs::read_to_string(out).unwrap();
    assert_eq!(
        redacted,
        CHAT.replace("UTC", r"xéx\\nxxx 00").replace(r#"a \"b\""#, r#"x \"x\""#).replace(r#"" c\"}"#, r#"" x\"}"#)
    );
    let refused = run(&["replay", &stream, &stream, "--redact", "out"], b"");
    assert_eq!((refused.code, refused.err.as_str()), (2, "argseal: --redact writes one stream; name one FILE\n"));
}

#[test]
fn recorded_streams_keep_their_verdicts_when_redacted() {
    let Some(folder) = shared("streams") else { return };
    let expectations = std::fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    let mut wrong = Vec::new();
    for (n, line) in expectations.lines().enumerate() {
        let expected: Value = serde_json::from_str(line).unwrap();
        let name = expected["file"].as_str().unwrap();
        let path = folder.join(name);
        let out = file(&format!("redacted-{n}"), "");
        let lines = |args: &[&str]| -> Vec<Value> {
            run(args, b"").out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        let before = lines(&["replay", "--json", path.to_str().unwrap(), "--redact", &out]);
        let after = lines(&["replay", "--json", &out]);
        let facts = |lines: &[Value]| -> Vec<Value> {
            lines
                .iter()
                .map(|line| {
                    let (known, call, stream) = (&line["diagnosis"], &line["call"], &line["stream"]);
                    serde_json::json!([
                        line["id"],
                        line["outcome"],
                        line["notes"],
                        known["code"],
                        known["fault"],
                        known["at"],
                        known["pointer"],
                        call["index"],
                        call["name"],
                        call["deltas"],
                        call["bytes"],
                        call["root_closed"],
                        call["end_marker"],
                        call["terminal"],
                        stream["format"],
                        stream["events"],
                        stream["terminal_reasons"],
                        stream["done"],
                    ])
                })
                .collect()
        };
        let (before, after) = (facts(&before), facts(&after));
        if before != after {
            wrong.push(format!("{name}:\n  {}\n  {}", Value::from(before), Value::from(after)));
        }
        let redacted = std::fs::read(&out).unwrap();
        if name.ends_with(".bin") {
            assert!(checked_frames(&redacted) > 0, "{name}");
        }
        let redacted = String::from_utf8_lossy(&redacted);
        for call in expected["calls"].as_array().unwrap() {
            let Ok(Value::Object(arguments)) = serde_json::from_str(call["arguments"].as_str().unwrap()) else {
                continue;
            };
            for text in arguments.values().filter_map(Value::as_str).filter(|text| text.len() > 12) {
                if redacted.contains(text) {
                    wrong.push(format!("{name}: shows {text:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The checksum of IEEE 802.3, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

/// How many frames there are; each has both checksums right.
fn checked_frames(bytes: &[u8]) -> usize {
    assert_eq!(crc(b"123456789"), 0xCBF4_3926);
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    let (mut at, mut seen) = (0, 0);
    while at < bytes.len() {
        let end = at + number(at) as usize;
        assert_eq!(number(at + 8), crc(&bytes[at..at + 8]), "the prelude of frame {seen}");
        assert_eq!(number(end - 4), crc(&bytes[at..end - 4]), "frame {seen}");
        (at, seen) = (end, seen + 1);
    }
    seen
}

fn frame(headers: &[(&str, &str)], payload: &str) -> Vec<u8> {
    let mut head = Vec::new();
    for (name, value) in headers {
        head.push(u8::try_from(name.len()).unwrap());
        head.extend(name.bytes());
        head.push(7);
        head.extend(u16::try_from(value.len()).unwrap().to_be_bytes());
        head.extend(value.bytes());
    }
    let total = u32::try_from(16 + head.len() + payload.len()).unwrap();
    let mut frame = [total.to_be_bytes(), u32::try_from(head.len()).unwrap().to_be_bytes()].concat();
    frame.extend(crc(&frame).to_be_bytes());
    frame.extend(head);
    frame.extend(payload.bytes());
    frame.extend(crc(&frame).to_be_bytes());
    frame
}

#[test]
fn binary_frames_are_masked_and_their_checksums_right() {
    let event = |name: &str, payload: &str| {
        let kind = [(":event-type", name), (":content-type", "application/json"), (":message-type", "event")];
        frame(&[&kind[..], &[("x-secret", "the Secret")]].concat(), payload)
    };
    let events = [
        event("messageStart", r#"{"p":"abSecret","role":"assistant"}"#),
        event("contentBlockStart", r#"{"contentBlockIndex":0,"start":{"toolUse":{"name":"now","toolUseId":"t1"}}}"#),
        event("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{\"zone\": \"Sec"}}}"#),
        event("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"toolUse":{"input":"ret \\u00e9\"}"}}}"#),
        event("contentBlockStop", r#"{"contentBlockIndex":0}"#),
        event("contentBlockStart", r#"{"contentBlockIndex":1,"start":{"toolUse":{"name":"run","toolUseId":"t2"}}}"#),
        event(
            "contentBlockDelta",
            r#"{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"code\":\"Secret \"b\""}}}"#,
        ),
        event("contentBlockStop", r#"{"contentBlockIndex":1}"#),
        event("messageStop", r#"{"stopReason":"tool_use"}"#),
    ];
    let stream = Path::new(env!("CARGO_TARGET_TMPDIR")).join("frames.bin");
    let out = file("frames-redacted.bin", "");
    let redacted = |bytes: &[u8]| {
        std::fs::write(&stream, bytes).unwrap();
        let ran = run(&["replay", stream.to_str().unwrap(), "--redact", &out], b"");
        let masked = std::fs::read(&out).unwrap();
        assert_eq!(masked.len(), bytes.len());
        assert!(!String::from_utf8_lossy(&masked).contains("ecret"), "{}", String::from_utf8_lossy(&masked));
        assert_eq!(run(&["replay", &out], b"").out, ran.out);
        (ran, masked)
    };
    let whole = events.concat();
    let (ran, masked) = redacted(&whole);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(ran.out.contains("unexpected-after-string at 17 in /code"), "{}", ran.out);
    assert_eq!(checked_frames(&masked), events.len());
    // A frame whose checksum is wrong, and a stream that breaks off, stay so.
    let mut wrong = whole.clone();
    let last = events[0].len() - 1;
    wrong[last] ^= 1;
    assert!(redacted(&wrong).0.out.contains("wrong checksum"));
    assert!(redacted(&whole[..whole.len() - 3]).0.out.contains("ended inside a binary frame"));
    let lost = [&events[0][..], b"\0\0Secret and more Secret"].concat();
    std::fs::write(&stream, &lost).unwrap();
    run(&["replay", "--format", "bedrock", stream.to_str().unwrap(), "--redact", &out], b"");
    assert!(!String::from_utf8_lossy(&std::fs::read(&out).unwrap()).contains("ecret"));
}

#[test]
fn an_event_inside_base64_is_masked_too() {
    let inner = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Secret 12"}}"#;
    let wrapped = format!(r#"{{"bytes":"{}","p":"Secret"}}"#, STANDARD.encode(inner));
    let chunk = frame(&[(":event-type", "chunk"), (":message-type", "event")], &wrapped);
    let stop = frame(&[(":event-type", "messageStop"), (":message-type", "event")], r#"{"stopReason":"end_turn"}"#);
    let stream = Path::new(env!("CARGO_TARGET_TMPDIR")).join("chunks.bin");
    let out = file("chunks-redacted.bin", "");
    std::fs::write(&stream, [&chunk[..], &stop].concat()).unwrap();
    let ran = run(&["replay", "--format", "bedrock", stream.to_str().unwrap(), "--redact", &out], b"");
    assert_eq!(ran.err, "");
    let masked = std::fs::read(&out).unwrap();
    assert_eq!((masked.len(), checked_frames(&masked)), (chunk.len() + stop.len(), 2));
    let shown = String::from_utf8_lossy(&masked);
    let bytes = shown.split("\"bytes\":\"").nth(1).unwrap().split('"').next().unwrap();
    let inner_masked = String::from_utf8(STANDARD.decode(bytes).unwrap()).unwrap();
    assert_eq!(inner_masked, inner.replace("Secret 12", "xxxxxx 00"));
    assert!(!shown.contains("ecret"), "{shown}");
}

#[test]
fn what_is_no_event_is_hidden_too() {
    let secrets = [
        "data: <html>Internal secret 500</html>\n\n",
        ": comment secretcomment\n\n",
        "data: notjsonsecret\n\n",
        "event: secretevent\ndata: {\"y\":truesecret}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\ndata: secret \"}}]}\n\n",
        "plain secret\n",
    ];
    let stream = file("secrets.sse", &(secrets.concat() + CHAT));
    let out = file("secrets-redacted.sse", "");
    let ran = run(&["replay", &stream, "--redact", &out], b"");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let redacted = std::fs::read_to_string(&out).unwrap();
    assert!(!redacted.contains("secret"), "{redacted}");
    assert_eq!(run(&["replay", &out], b"").out, ran.out);
}

#[test]
fn what_shows_no_format_is_refused() {
    for (input, said) in [("{}", "no event of a known format"), ("{\"a\":1}\n{}\n", "no event of a known format")] {
        let ran = run(&["replay", "-"], input.as_bytes());
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (2, "", 1), "{input}");
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    let error = run(&["replay", "-"], b"{\"error\":{\"message\":\"overloaded\"}}");
    assert_eq!(error.code, 0);
    assert!(error.out.contains("overloaded"), "{}", error.out);
}

#[test]
fn calls_beyond_the_limit_are_told_and_counted() {
    let event = |n: usize| {
        format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":[{{\"index\":{n},\"id\":\"c{n}\",\"function\":{{\"name\":\"now\",\"arguments\":\"{{}}\"}}}}]}}}}]}}\n\n"
        )
    };
    let stream: String = (0..1100).map(event).collect();
    let stream = stream + "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n";
    let ran = run(&["replay", "--details", "-"], stream.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("and 75 more calls beyond the limit"), "{}", ran.out);
    assert!(ran.out.contains("call 1024 c1024\nrejected[call-limit]: "), "{}", ran.out);
    let ran = run(&["replay", "--json", "-"], stream.as_bytes());
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((ran.code, lines.len()), (1, 1026));
    assert_eq!(lines[1023]["outcome"], "strict");
    assert_eq!(lines[1024]["diagnosis"]["code"], "call-limit");
    assert_eq!(lines[1024]["diagnosis"]["fault"], "host");
    let message = lines[1024]["diagnosis"]["message"].as_str().unwrap();
    assert!(message.contains("more calls than the limit of 1024 calls; size 1100"), "{message}");
    assert_eq!(lines[1025]["stream"]["calls_left_out"], 75);
}
