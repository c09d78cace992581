//! History: the cases of `tests/cases/history`, and what no single case shows.

mod support;

use std::borrow::Cow;

use argseal::history::{Effect, Finding, Mended, Unpaired, Unparseable};
use argseal::{End, Grants, History, Policy, Settings, Tool, Tools, Verdict};
use serde_json::{Value, json};

#[test]
fn every_case() {
    for (form, file) in [
        ("anthropic", include_str!("cases/history/anthropic.txt")),
        ("openai-chat", include_str!("cases/history/openai-chat.txt")),
        ("openai-responses", include_str!("cases/history/openai-responses.txt")),
    ] {
        let cases: Vec<Case<'_>> = format!("\n{file}").leak().split("\n== ").skip(1).map(Case::of).collect();
        assert!(cases.len() >= 7, "{} cases", cases.len());
        for case in &cases {
            let title = format!("{form}: {}", case.title);
            let mut history = case.history();
            let mended = mend(&mut history, case.before);
            assert_eq!(said(&mended.findings), case.findings, "{title}");
            let after = case.after.unwrap_or(case.before);
            assert_eq!(mended.text, after, "{title}");
            assert_eq!(is_borrowed(&mended), case.after.is_none(), "{title}");
            // Remembered or not, the answer is the same; and the outcome needs no second pass.
            assert_eq!(mend(&mut history, case.before).text, after, "{title}, again");
            let changed = mended.findings.iter().any(|finding| finding.effect == Effect::Changed);
            assert_eq!(changed, case.after.is_some(), "{title}");
            for mut second in [case.history(), history] {
                let again = mend(&mut second, after);
                assert!(is_borrowed(&again), "{title}, second pass: {}", again.text);
            }
            let json = serde_json::from_str::<serde::de::IgnoredAny>(after);
            assert!(json.is_ok(), "{title}: {json:?}");
        }
    }
}

/// One case.
struct Case<'c> {
    title: &'c str,
    unparseable: Unparseable,
    unpaired: Unpaired,
    before: &'c str,
    after: Option<&'c str>,
    findings: Vec<String>,
}

impl<'c> Case<'c> {
    fn of(text: &'c str) -> Self {
        let (title, rest) = text.split_once('\n').unwrap_or_else(|| panic!("no case: {text}"));
        let (options, rest) = rest.split_once("before\n").unwrap_or_else(|| panic!("{title}: no `before`"));
        let (rest, findings) = rest.split_once("\nfindings\n").unwrap_or((rest, ""));
        let (before, after) = rest.split_once("\nafter\n").map_or((rest, None), |(a, b)| (a, Some(b.trim_end())));
        let mut case = Self {
            title,
            unparseable: Unparseable::Keep,
            unpaired: Unpaired::Report,
            before: before.trim_end(),
            after,
            findings: findings.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect(),
        };
        for option in options.lines() {
            match option {
                "unparseable marker" => case.unparseable = Unparseable::Marker,
                "unparseable wrapped" => case.unparseable = Unparseable::Wrapped,
                "unpaired close" => case.unpaired = Unpaired::Close,
                option => panic!("{title}: no option: {option}"),
            }
        }
        case
    }

    fn history(&self) -> History {
        full().with_unparseable(self.unparseable).with_unpaired(self.unpaired)
    }
}

fn full() -> History {
    History::new(&Settings::default().with_policy(Policy::Full))
}

fn tools() -> Tools {
    let definitions: Vec<Value> = serde_json::from_str(include_str!("cases/history/tools.json")).expect("definitions");
    let (tools, issues) = Tools::of(&definitions, &|_| Grants::default(), None);
    assert!(issues.is_empty(), "{issues:?}");
    tools
}

fn mend<'m>(history: &mut History, text: &'m str) -> Mended<'m> {
    thread_local!(static TOOLS: Tools = tools());
    TOOLS.with(|tools| history.mend(text, tools)).unwrap_or_else(|error| panic!("{error}"))
}

fn said(findings: &[Finding]) -> Vec<String> {
    let or_none = |name: &Option<String>| name.clone().unwrap_or_else(|| "-".to_owned());
    findings.iter().map(|f| format!("{} {} {} {f}", f.message, or_none(&f.id), or_none(&f.tool))).collect()
}

fn is_borrowed(mended: &Mended<'_>) -> bool {
    matches!(mended.text, Cow::Borrowed(_))
}

fn anthropic(name: &str, input: &str) -> String {
    format!(
        r#"[{{"role":"assistant","content":[{{"type":"tool_use","id":"t","name":"{name}","input":{input}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t"}}]}}]"#
    )
}

fn chat(name: &str, arguments: &str) -> String {
    json!([{"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": name, "arguments": arguments}}]},
           {"role": "tool", "tool_call_id": "c", "content": ""}])
    .to_string()
}

#[test]
fn a_wrapper_of_38_layers_is_gone_after_one_pass() {
    let keys = ["arguments", "args", "parameters", "params", "input"];
    // The second holds no call of the tool in the end: a violation is left, and the wrappers go all the same.
    for (name, inside) in [("bash", r#"{"command":"ls"}"#), ("write", r#"{"path":"a"}"#)] {
        let mut input = inside.to_owned();
        for layer in 0..38 {
            input = format!(r#"{{"{}":{input}}}"#, keys[layer % keys.len()]);
        }
        for (before, after) in
            [(anthropic(name, &input), anthropic(name, inside)), (chat(name, &input), chat(name, inside))]
        {
            let mended = mend(&mut full(), &before).text.into_owned();
            assert_eq!(mended, after);
            assert!(is_borrowed(&mend(&mut full(), &mended)));
        }
    }
}

#[test]
fn a_wrapper_deeper_than_the_limit_is_left() {
    let input = r#"{"arguments":"#.repeat(100_000) + "{}" + &"}".repeat(100_000);
    for text in [anthropic("bash", &input), chat("bash", &input)] {
        let mended = mend(&mut full(), &text);
        assert!(is_borrowed(&mended));
        assert!(said(&mended.findings)[0].ends_with("bash depth-limit: left as it is"));
    }
}

#[test]
fn the_tools_are_those_of_the_request_at_hand() {
    let mut history = full();
    let text = anthropic("bash", r#"{"arguments":{"command":"ls"}}"#);
    let other = json!({"type": "object", "properties": {"arguments": {"type": "object"}}, "required": ["arguments"]});
    let declares: Tools = [Tool::new("bash", &other).expect("a schema")].into_iter().collect();
    let without: Tools = [Tool::opaque("now")].into_iter().collect();
    for _ in 0..2 {
        assert!(!is_borrowed(&mend(&mut history, &text)));
        assert!(is_borrowed(&history.mend(&text, &declares).expect("messages")));
        assert!(is_borrowed(&history.mend(&text, &without).expect("messages")));
        assert!(is_borrowed(&history.mend(&text, &Tools::default()).expect("messages")));
    }
}

#[test]
fn without_tools_text_that_is_not_json_gets_its_choice_all_the_same() {
    let mut history = full().with_unparseable(Unparseable::Marker);
    let text = chat("any", "{\"a\":");
    let mended = history.mend(&text, &Tools::default()).expect("messages");
    assert_eq!(mended.text, chat("any", r#"{"_rejected":"truncated-after-colon"}"#));
}

#[test]
fn the_kill_switch_leaves_shapes_alone() {
    let mut history = History::new(&Settings::passthrough());
    assert!(is_borrowed(&mend(&mut history, &anthropic("bash", r#"{"arguments":{"command":"ls"}}"#))));
    assert!(is_borrowed(&mend(&mut history, &chat("bash", r#""{\"command\":\"ls\"}""#))));
}

#[test]
fn one_call_of_a_host_that_holds_no_text_of_messages() {
    let mut history = full().with_unparseable(Unparseable::Wrapped);
    let tools = tools();
    assert_eq!(history.arguments("bash", r#"{"args":{"command":"ls"}}"#, &tools), r#"{"command":"ls"}"#);
    assert!(matches!(history.arguments("bash", r#"{"command":"ls"}"#, &tools), Cow::Borrowed(_)));
    assert_eq!(history.arguments("bash", r#"{"comm"#, &tools), r#"{"INVALID_JSON":"{\"comm"}"#);
    assert_eq!(history.arguments("other", r#"{"comm"#, &tools), r#"{"comm"#);
}

#[test]
fn what_holds_no_messages_is_an_error() {
    for text in
        ["", "{", "[1,", "{}", r#"{"messages":1}"#, r#"{"input":{}}"#, "true", r#"{"messages":[],"messages":[]}"#]
    {
        assert!(full().mend(text, &Tools::default()).is_err(), "{text}");
    }
    for text in
        ["[]", " [ ] ", "[1,null,[],{},\"a\",{\"role\":1}]", r#"{"messages":[]}"#, r#"{"messages":null,"input":[]}"#]
    {
        let mended = full().with_unpaired(Unpaired::Close).mend(text, &Tools::default()).expect("messages");
        assert!(is_borrowed(&mended) && mended.findings.is_empty(), "{text}");
    }
}

/// Cut anywhere, with any byte replaced: no panic, and what is changed can be read again.
#[test]
fn damaged_conversations() {
    let mut random = support::random::Random::seeded(5);
    let files = [
        include_str!("cases/history/anthropic.txt"),
        include_str!("cases/history/openai-chat.txt"),
        include_str!("cases/history/openai-responses.txt"),
    ];
    for text in files.iter().flat_map(|file| file.lines()).filter(|line| line.starts_with(['[', '{'])) {
        for _ in 0..200 {
            let mut bytes = text.as_bytes().to_vec();
            let at = random.below(bytes.len());
            bytes[at] = *random.pick(b"{}[]\",:\\aton1 ");
            let damaged = String::from_utf8_lossy(&bytes);
            let mut history = full().with_unpaired(Unpaired::Close).with_unparseable(Unparseable::Wrapped);
            let Ok(mended) = history.mend(&damaged, &tools()) else { continue };
            let again =
                full().with_unpaired(Unpaired::Close).mend(&mended.text, &tools()).map(|again| is_borrowed(&again));
            assert_eq!(again, Ok(true), "{damaged}\n{}", mended.text);
        }
    }
}

#[test]
fn ten_thousand_messages_in_linear_time() {
    // A call that is answered, one that is not, a result without a call, text that is not JSON, and wrappers.
    let conversation = |messages: usize| {
        let mut all = Vec::new();
        for i in 0..messages / 4 {
            let input = match i % 3 {
                0 => json!({"command": format!("echo {i}"), "description": "x".repeat(200)}),
                1 => json!({"arguments": {"command": format!("echo {i}")}}),
                _ => json!(format!("{{\"command\":\"{i}")),
            };
            all.push(json!({"role": "assistant", "content": [{"type": "tool_use", "id": format!("t{i}"), "name": "bash", "input": input}]}));
            all.push(json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": format!("t{}", i + i % 2), "content": "y".repeat(300)}]}));
            all.push(json!({"type": "function_call", "call_id": "same", "name": "now", "arguments": ""}));
            all.push(json!({"role": "tool", "tool_call_id": "none", "content": ""}));
        }
        Value::Array(all).to_string()
    };
    let time = |messages: usize| {
        let (text, tools) = (conversation(messages), tools());
        let mut history = full().with_unpaired(Unpaired::Close).with_unparseable(Unparseable::Wrapped);
        let watch = support::Stopwatch::start();
        let mended = history.mend(&text, &tools).expect("messages");
        let spent = watch.worked();
        assert_eq!(mended.messages, messages);
        assert!(mended.findings.len() > messages / 2);
        spent
    };
    // Ten times the messages; quadratic work would take a hundred times as long.
    assert_eq!(support::is_within(30, || time(1000), || time(10_000)), Ok(()));
}

/// A run of 20,000 calls that nobody answers, and of as many results that nobody asked for.
#[test]
fn long_runs_in_linear_time() {
    let run = |len: usize, message: &dyn Fn(usize) -> Value| {
        let text = Value::Array((0..len).map(message).collect()).to_string();
        let mut history = full().with_unpaired(Unpaired::Close);
        let watch = support::Stopwatch::start();
        history.mend(&text, &Tools::default()).expect("messages");
        watch.worked()
    };
    let call =
        |i: usize| json!({"type": "function_call", "call_id": format!("c{i}"), "name": "now", "arguments": "{}"});
    let result = |i: usize| json!({"role": "tool", "tool_call_id": format!("c{i}"), "content": ""});
    let messages: [&dyn Fn(usize) -> Value; 2] = [&call, &result];
    for message in messages {
        assert_eq!(support::is_within(30, || run(2_000, message), || run(20_000, message)), Ok(()));
    }
}

/// Every call of the field that is strict stays as it is, byte for byte, in each form.
#[test]
fn field_cases() {
    let Some(path) = support::shared("cases/field.jsonl", "the history of field cases") else { return };
    let (mut strict, mut others) = (0, 0);
    for line in std::fs::read_to_string(path).expect("a readable file").lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        let (Some(text), Ok(tool)) = (case["text"].as_str(), Tool::from_json(&case["tool"])) else { continue };
        let grants = Grants::beside(&case["tool"]).expect("grants");
        let Ok(tool) = tool.with_grants(grants) else { continue };
        let name = tool.name().to_owned();
        let settings = Settings::default().with_policy(Policy::Full).with_judgement(argseal::Judgement::Schema);
        let mut call = argseal::Call::new(&tool).with_settings(&settings);
        call.feed(text);
        let verdict = call.finish(End::Complete);
        let tools: Tools = [tool].into_iter().collect();
        let mut history = History::new(&settings).with_unparseable(Unparseable::Wrapped);
        let bodies = [
            Some(chat(&name, text)),
            serde_json::from_str::<&serde_json::value::RawValue>(text).ok().map(|_| anthropic(&name, text)),
        ];
        for body in bodies.iter().flatten() {
            let mended = history.mend(body, &tools).expect("messages");
            let again = history.mend(&mended.text, &tools).expect("messages");
            assert!(is_borrowed(&again), "{}: a second pass", case["id"]);
            match &verdict {
                Ok(accepted) if accepted.verdict() == Verdict::Strict => {
                    strict += 1;
                    assert!(is_borrowed(&mended), "{}: {:?}", case["id"], mended.findings);
                }
                Ok(accepted) if accepted.verdict() == Verdict::Normalized => {
                    others += 1;
                    let written =
                        |text: &str| if body.contains("tool_use") { anthropic(&name, text) } else { chat(&name, text) };
                    // Blank text becomes `{}` alone.
                    let expected = [written(accepted.text()), written(accepted.text().trim())];
                    assert!(expected.contains(&mended.text.to_string()), "{}: {}", case["id"], mended.text);
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
    println!("{strict} strict and {others} normalized calls of the field");
    assert!(strict > 20 && others > 20, "{strict} strict, {others} others");
}

/// Every recorded call that is one JSON object stays as it is, whatever is known of its tool.
#[test]
fn recorded_calls() {
    let Some(path) = support::shared("streams/expected.jsonl", "the history of recorded calls") else { return };
    let mut calls = 0;
    for line in std::fs::read_to_string(path).expect("a readable file").lines() {
        let stream: Value = serde_json::from_str(line).expect("a stream");
        let definitions = stream["tools"].as_array().cloned().unwrap_or_default();
        let (known, _) = Tools::of(&definitions, &|_| Grants::default(), None);
        for call in stream["calls"].as_array().into_iter().flatten() {
            let (Some(name), Some(text)) = (call["name"].as_str(), call["arguments"].as_str()) else { continue };
            if !serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object()) {
                continue;
            }
            calls += 1;
            let opaque: Tools = [Tool::opaque(name)].into_iter().collect();
            let item = json!([{"type": "function_call", "call_id": "c", "name": name, "arguments": text},
                              {"type": "function_call_output", "call_id": "c", "output": ""}]);
            for body in [anthropic(name, text), chat(name, text), item.to_string()] {
                for tools in [&known, &opaque, &Tools::default()] {
                    let mut history = full().with_unpaired(Unpaired::Close).with_unparseable(Unparseable::Marker);
                    let mended = history.mend(&body, tools).expect("messages");
                    assert!(is_borrowed(&mended), "{}: {body}\n{:?}", stream["file"], mended.findings);
                }
            }
        }
    }
    assert!(calls > 40, "{calls} calls");
}
