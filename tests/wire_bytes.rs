//! Any bytes into any format: no panic, no unbounded buffer, the same in every cut, in linear time.

mod support;

use argseal::calls::Payload;
use argseal::wire::ErrorKind;
use argseal::{Assembler, Call, Calls, Chunk, End, Format, Limits, Settings, Stream, Tools};
use serde_json::Value;
use std::path::Path;
use support::random::Random;

/// Pieces that take a stream far into the decoders.
const PIECES: [&str; 42] = [
    "data: ",
    "data:",
    "event: error\n",
    "event: content_block_stop\n",
    "\n",
    "\r\n\r\n",
    "\r",
    "\n\n",
    ": ping\n",
    "[DONE]",
    "{",
    "}",
    "[",
    "]",
    ",",
    "null",
    "\"\\ud83d\"",
    "\"\"",
    "\u{FEFF}",
    "{\"type\":\"message_start\"}\n\n",
    "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{}}}\n\n",
    "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"partial_json\":\"{\\\"x\\\":1}\"}}\n\n",
    "{\"type\":\"content_block_stop\",\"index\":0}\n\n",
    "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n",
    "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}}]}\n\n",
    "{\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"}\"}}]},\"finish_reason\":\"stop\"}]}\n\n",
    "{\"error\":{\"message\":\"boom\"}}\n\n",
    "error: boom\n\n",
    "{\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"f\"}}\n\n",
    "{\"type\":\"response.function_call_arguments.delta\",\"sequence_number\":3,\"output_index\":0,\"delta\":\"{}\"}\n\n",
    "{\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"function_call\",\"call_id\":\"a\",\"arguments\":\"{}\"}}\n\n",
    "{\"type\":\"response.completed\",\"response\":{}}\n\n",
    "{\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"willContinue\":true}}]}}]}\n\n",
    "{\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.a[0].b\",\"stringValue\":\"s\",\"willContinue\":true}],\"willContinue\":true}}]}}]}\n\n",
    "{\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.a[1]\",\"numberValue\":1}]}}]},\"finishReason\":\"STOP\"}]}\n\n",
    "{\"event_type\":\"step.start\",\"index\":0,\"step\":{\"type\":\"function_call\",\"id\":\"a\",\"name\":\"f\",\"arguments\":{\"x\":1}}}\n\n",
    "{\"event_type\":\"step.stop\",\"index\":0}\n\n",
    "{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{}}}]},\"done\":true}\n\n",
    "{\"contentBlockStart\":{\"contentBlockIndex\":0,\"start\":{\"toolUse\":{\"toolUseId\":\"a\",\"name\":\"f\"}}}}\n\n",
    "{\"contentBlockDelta\":{\"contentBlockIndex\":0,\"delta\":{\"toolUse\":{\"input\":\"{}\"}}}}\n\n",
    "{\"type\":\"tool-call-start\",\"index\":0,\"delta\":{\"message\":{\"tool_calls\":{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}}}}\n\n",
    "{\"output\":{\"choices\":[{\"message\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}}]}}\n\n",
];

fn read(format: Option<Format>, bytes: &[u8], step: usize, settings: &Settings) -> Stream {
    let tools = Tools::default();
    let mut assembler = match format {
        Some(format) => Assembler::new(format, &tools, settings),
        None => Assembler::detecting(&tools, settings),
    };
    bytes.chunks(step.min(bytes.len()).max(1)).for_each(|piece| assembler.push(piece, &mut |_| {}));
    assembler.finish()
}

fn formats() -> impl Iterator<Item = Option<Format>> {
    std::iter::once(None).chain(Format::ALL.into_iter().map(Some))
}

#[test]
fn any_bytes_are_read_the_same_in_every_cut() {
    let mut random = Random::seeded(7);
    let settings = Settings::default().with_limits(Limits::default().with_event(600));
    for _ in 0..1500 {
        let mut bytes = Vec::new();
        for _ in 0..random.below(14) {
            bytes.extend_from_slice(PIECES[random.below(PIECES.len())].as_bytes());
            if random.below(6) == 0 {
                bytes.push(random.below(256) as u8);
            }
        }
        for format in formats() {
            let told = |step| {
                let stream = read(format, &bytes, step, &settings);
                let texts: Vec<String> = stream.calls.iter().map(|call| call.raw().to_owned()).collect();
                format!("{stream:?} {texts:?}")
            };
            let whole = told(usize::MAX);
            for step in [1, 5] {
                assert_eq!(told(step), whole, "{format:?} by {step}: {:?}", String::from_utf8_lossy(&bytes));
            }
        }
    }
}

#[test]
fn binary_frames_with_flipped_bytes_are_errors() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/streams/bedrock/two-calls-eventstream.bin");
    let Ok(right) = std::fs::read(&file) else {
        println!("skipped: no recorded binary stream at {}", file.display());
        return;
    };
    let settings = Settings::default();
    for at in (0..right.len()).step_by(right.len() / 300 + 1) {
        let mut wrong = right.clone();
        wrong[at] ^= 0x10;
        let stream = read(Some(Format::Bedrock), &wrong, usize::MAX, &settings);
        assert!(stream.errors.iter().any(|error| error.kind == ErrorKind::Framing), "byte {at}");
    }
}

#[test]
fn an_event_over_the_limit_is_an_error_that_names_it_and_the_next_is_read() {
    let settings = Settings::default().with_limits(Limits::default().with_event(1000));
    let chunk = |arguments: &str| {
        format!(
            "{{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":0,\"id\":\"a\",\"function\":{{\"name\":\"f\",\"arguments\":\"{arguments}\"}}}}]}}}}]}}"
        )
    };
    let long = chunk(&"x".repeat(2000));
    for (before, after) in [("", "\n"), ("data: ", "\n\n")] {
        let stream = [before, &long, after, before, &chunk("{}"), after, before, "[DONE]", after].concat();
        let stream = read(None, stream.as_bytes(), 7, &settings);
        assert_eq!(stream.errors.len(), 1);
        assert!(stream.errors[0].message.contains("limit of 1000 bytes"), "{}", stream.errors[0]);
        assert_eq!(stream.calls[0].raw(), "{}");
    }
}

/// Eight times the stream takes about eight times the time; quadratic work would take sixty-four times.
#[test]
fn reading_is_linear() {
    let settings = Settings::default();
    type Case = (&'static str, fn(usize) -> String);
    let cases: [Case; 6] = [
        ("one long frame byte by byte", |n| format!("data: {}\n\n", "x".repeat(n))),
        ("many data lines", |n| format!("{}\n", "data: x\n".repeat(n / 8))),
        ("a blank start", |n| " ".repeat(n)),
        ("many calls", |n| {
            (0..n / 100).fold(String::new(), |all, at| {
                all + &format!("{{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":{at},\"id\":\"c{at}\",\"function\":{{\"name\":\"f\",\"arguments\":\"{{}}\"}}}}]}}}}]}}\n")
            })
        }),
        ("one call, many deltas and starts", |n| {
            let start = "{\"type\":\"message_start\"}\n{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{}}}\n";
            start.to_owned()
                + &"{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"partial_json\":\" \"}}\n".repeat(n / 80)
        }),
        ("many errors and reasons", |n| {
            "{\"error\":\"e\"}\n{\"choices\":[{\"finish_reason\":\"stop\"}]}\n{\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"\",\"function\":{\"name\":\"f\"}}]}}]}\n".repeat(n / 150)
        }),
    ];
    for (name, make) in cases {
        let time = |n: usize| {
            let bytes = make(n).into_bytes();
            let watch = support::Stopwatch::start();
            read(None, &bytes, 1, &settings);
            watch.worked()
        };
        assert_eq!(support::is_within(24, || time(50_000), || time(400_000)), Ok(()), "{name}");
    }
}

/// The field cases that say how a provider's chunks make up calls.
#[test]
fn field_cases_of_assembly() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/field.jsonl");
    let Ok(lines) = std::fs::read_to_string(&file) else {
        println!("skipped: no field cases at {}", file.display());
        return;
    };
    let mut seen = 0;
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line).expect("a JSON line");
        let Some(deltas) = case["wire"]["deltas"].as_array() else { continue };
        seen += 1;
        let mut calls = Calls::new(&Tools::default(), &Settings::default());
        for delta in deltas {
            calls.chunk(Chunk {
                index: delta["index"].as_u64(),
                id: delta["id"].as_str(),
                name: delta["name"].as_str(),
                arguments: delta["arguments"].as_str(),
            });
        }
        let settled = calls.finish(End::Complete);
        let values: Option<Vec<Value>> = settled
            .into_iter()
            .map(|call| match call.payload {
                Payload::Arguments(Ok(accepted)) => accepted.into_value().ok(),
                Payload::Arguments(Err(_)) | Payload::Text(_) => None,
            })
            .collect();
        let expected = case["wire"]["calls"].as_array().cloned();
        assert_eq!(values, expected, "{}: {}", case["id"], case["wire"]["note"]);
    }
    assert!(seen > 0);
}

/// Random deltas through one call: what the assembly leaves in is what a call alone reads, unless a rule left bytes out.
#[test]
fn the_text_of_a_call_is_its_deltas() {
    let mut random = Random::seeded(11);
    for _ in 0..3000 {
        let deltas: Vec<String> = (0..random.below(6))
            .map(|_| {
                (0..random.below(5))
                    .map(|_| ["{", "}", "\"a\"", ":", "1", ",", "[", "]", " ", "é"][random.below(10)])
                    .collect()
            })
            .collect();
        let mut calls = Calls::new(&Tools::default(), &Settings::default());
        let mut alone = Call::default();
        for delta in &deltas {
            calls.chunk(Chunk { index: Some(0), arguments: Some(delta), ..Chunk::default() });
            alone.feed(delta);
        }
        let Some(call) = calls.finish(End::Complete).pop() else { continue };
        let found = match call.payload {
            Payload::Arguments(Ok(accepted)) => format!("{} {}", accepted.verdict().name(), accepted.text()),
            Payload::Arguments(Err(rejected)) => rejected.diagnosis().code().name().to_owned(),
            Payload::Text(text) => text,
        };
        let wanted = match alone.finish(End::Complete) {
            Ok(accepted) => format!("{} {}", accepted.verdict().name(), accepted.text()),
            Err(rejected) => rejected.diagnosis().code().name().to_owned(),
        };
        assert!(found == wanted || !call.notes.is_empty(), "{deltas:?}: {found}, alone {wanted}");
    }
}

#[test]
fn a_stated_format_of_lines_loses_only_the_line_that_is_none() {
    let mut assembler = Assembler::new(Format::Ollama, &Tools::default(), &Settings::default());
    let body = "garbage\n{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]}}\n{\"done\":true,\"done_reason\":\"stop\"}\n";
    for byte in body.as_bytes() {
        assembler.push(&[*byte], &mut |_| {});
    }
    let stream = assembler.finish();
    assert_eq!((stream.errors.len(), stream.calls.len()), (1, 1));
    assert_eq!(stream.calls[0].raw(), "{\"a\":1}");
}
