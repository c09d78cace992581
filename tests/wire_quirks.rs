//! The quirks of the providers, each as a stream of its own (`tests/cases/streams.txt`).

use argseal::{Assembler, End, Format, Grants, Payload, Settings, Stream, Tools};
use serde_json::Value;

const STEPS: [usize; 4] = [usize::MAX, 1, 7, 1400];

struct Case {
    name: String,
    format: Format,
    tools: Tools,
    events: Vec<String>,
    expected: Vec<String>,
}

#[test]
fn every_quirk_gives_its_calls_in_both_framings_and_every_cut() {
    let cases = cases();
    assert!(cases.len() > 60, "{}", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        for (framing, bytes) in [("lines", lines(&case.events)), ("events", events(&case.events, "\r\n"))] {
            for step in STEPS {
                let stream = read(case, &bytes, step);
                let found = told(&stream);
                if found != case.expected {
                    wrong.push(format!("{} as {framing} by {step}:\n  {}", case.name, found.join("\n  ")));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_format_is_found_by_its_first_events() {
    for case in cases() {
        let mut assembler = Assembler::detecting(&case.tools, &Settings::default());
        assembler.push(&events(&case.events, "\n"), &mut |_| {});
        assert_eq!(told(&assembler.finish()), case.expected, "{}", case.name);
    }
}

#[test]
fn a_host_that_cancels_accepts_nothing_that_is_open() {
    for case in cases().iter().filter(|case| case.format == Format::OpenaiChat) {
        let mut assembler = Assembler::new(case.format, &case.tools, &Settings::default());
        assembler.push(&lines(&case.events), &mut |_| {});
        for call in assembler.cancel().calls {
            assert_eq!(call.ended.end, End::Cancelled);
            assert!(!matches!(call.payload, Payload::Arguments(Ok(_))), "{}", case.name);
        }
    }
}

fn read(case: &Case, bytes: &[u8], step: usize) -> Stream {
    let mut assembler = Assembler::new(case.format, &case.tools, &Settings::default());
    bytes.chunks(step.min(bytes.len())).for_each(|piece| assembler.push(piece, &mut |_| {}));
    assembler.finish()
}

fn lines(events: &[String]) -> Vec<u8> {
    events.iter().flat_map(|event| [event, "\n"].concat().into_bytes()).collect()
}

fn events(events: &[String], end: &str) -> Vec<u8> {
    events.iter().flat_map(|event| format!(": keep-alive{end}{end}data: {event}{end}{end}").into_bytes()).collect()
}

fn told(stream: &Stream) -> Vec<String> {
    let part = |part: &Option<String>| part.clone().unwrap_or_else(|| ".".to_owned());
    let of_choice = |choice: Option<u64>| choice.filter(|choice| *choice > 0).map(|choice| format!("#{choice}"));
    let mut told = Vec::new();
    for call in &stream.calls {
        let verdict = match &call.payload {
            Payload::Arguments(Ok(accepted)) => accepted.verdict().name(),
            Payload::Arguments(Err(rejected)) => rejected.diagnosis().code().name(),
            Payload::Text(_) => "text",
        };
        let raw = if call.raw().is_empty() { "." } else { call.raw() };
        let choice = of_choice(call.choice).map(|choice| format!("{choice} ")).unwrap_or_default();
        let (id, name) = (part(&call.id), part(&call.name));
        told.push(format!("{choice}{id} {name} {verdict} {} {raw}", call.ended.end.name()));
    }
    told.extend(stream.errors.iter().map(|error| format!("error {}", error.kind.name())));
    told.extend(stream.terminals.iter().map(|terminal| {
        let choice = of_choice(terminal.choice).map(|choice| format!(" {choice}")).unwrap_or_default();
        format!("terminal {} {}{choice}", terminal.reason, terminal.end.name())
    }));
    told
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in include_str!("cases/streams.txt").lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            let (name, format) = heading.trim_end_matches(']').split_once(" [").expect("a name and a format");
            let format = Format::from_name(format).expect("a known format");
            let (name, tools) = (name.to_owned(), Tools::default());
            cases.push(Case { name, format, tools, events: Vec::new(), expected: Vec::new() });
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        if line.is_empty() {
        } else if let Some(expected) = line.strip_prefix("= ") {
            case.expected.push(expected.to_owned());
        } else if let Some(definitions) = line.strip_prefix("tools ") {
            let definitions: Vec<Value> = serde_json::from_str(definitions).expect("definitions");
            case.tools = Tools::of(&definitions, &|_| Grants::default(), None).0;
        } else if let Some(calls) = line.strip_prefix("calls ") {
            case.events.push(format!(
                r#"{{"object":"chat.completion.chunk","choices":[{{"index":0,"delta":{{"tool_calls":[{calls}]}},"finish_reason":null}}]}}"#
            ));
        } else if let Some(reason) = line.strip_prefix("finish ") {
            case.events.push(format!(r#"{{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#));
        } else {
            case.events.push(line.to_owned());
        }
    }
    cases
}
