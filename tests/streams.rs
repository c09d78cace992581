//! The recorded streams beside the checkout, read in several cuts, against what they are known to hold.

use argseal::{Assembler, End, Format, Payload, Settings, Stream, Tools};
use serde_json::Value;
use std::path::{Path, PathBuf};

const STEPS: [usize; 4] = [usize::MAX, 1, 7, 1400];

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/streams");
    if folder.join("expected.jsonl").is_file() {
        return Some(folder);
    }
    println!("skipped: the recorded streams are not at {}", folder.display());
    None
}

fn expectations(folder: &Path) -> Vec<Value> {
    let lines = std::fs::read_to_string(folder.join("expected.jsonl")).expect("readable");
    lines.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

fn tools_of(expected: &Value) -> Tools {
    let definitions = expected["tools"].as_array().cloned().unwrap_or_default();
    Tools::of(&definitions, &|_| Default::default(), None).0
}

fn read(mut assembler: Assembler, bytes: &[u8], step: usize) -> Stream {
    bytes.chunks(step.min(bytes.len()).max(1)).for_each(|piece| assembler.push(piece, &mut |_| {}));
    assembler.finish()
}

#[test]
fn every_recorded_stream_gives_its_calls_in_every_cut() {
    let Some(folder) = folder() else { return };
    let expectations = expectations(&folder);
    assert!(expectations.len() >= 57);
    let mut wrong = Vec::new();
    for expected in &expectations {
        let file = expected["file"].as_str().expect("a name");
        let bytes = std::fs::read(folder.join(file)).expect("readable");
        let format = Format::from_name(expected["format"].as_str().expect("a format")).expect("a known format");
        let tools = tools_of(expected);
        let whole = format!("{:?}", read(Assembler::new(format, &tools, &Settings::default()), &bytes, usize::MAX));
        for step in STEPS {
            let stream = read(Assembler::new(format, &tools, &Settings::default()), &bytes, step);
            wrong.extend(differences(expected, &stream).into_iter().map(|what| format!("{file} by {step}: {what}")));
            assert_eq!(format!("{stream:?}"), whole, "{file} by {step}");
            let found = read(Assembler::detecting(&tools, &Settings::default()), &bytes, step);
            if !stream.calls.is_empty() {
                assert_eq!(found.format, Some(format), "{file}: detection");
                assert_eq!(format!("{found:?}"), whole, "{file} by {step}, detected");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn differences(expected: &Value, stream: &Stream) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut same = |what: &str, found: String, wanted: String| {
        if found != wanted {
            wrong.push(format!("{what}: {found}, expected {wanted}"));
        }
    };
    let calls = expected["calls"].as_array().expect("calls");
    same("calls", stream.calls.len().to_string(), calls.len().to_string());
    let ideal = |at: usize, part: usize| expected["ideal"][at][part].as_str();
    for (at, (call, wanted)) in stream.calls.iter().zip(calls).enumerate() {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        same("index", format!("{:?}", call.index), format!("{:?}", wanted["index"].as_u64().or(call.index)));
        same("id", format!("{:?}", call.id), format!("{:?}", text(&wanted["id"])));
        let name = ideal(at, 1).map(str::to_owned).or_else(|| text(&wanted["name"]));
        same("name", format!("{:?}", call.name), format!("{name:?}"));
        let arguments = ideal(at, 2).or(wanted["arguments"].as_str()).unwrap_or_default();
        if wanted["kind"] == "partialArgs" {
            let value = |text: &str| serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
            same("value", format!("{:?}", value(call.raw())), format!("{:?}", value(arguments)));
        } else {
            same("arguments", call.raw().to_owned(), arguments.to_owned());
            same("deltas", call.ended.deltas.to_string(), wanted["deltas"].to_string());
        }
        let (accepted, end) = (matches!(call.payload, Payload::Arguments(Ok(_)) | Payload::Text(_)), call.ended.end);
        let normal = matches!(end, End::CallClosed | End::Complete);
        let complete = match wanted["expect"].as_str().expect("an expectation") {
            "complete" | "zero_args" => accepted && normal,
            "text" => matches!(&call.payload, Payload::Text(_)) && normal,
            "truncated" => !accepted && matches!(end, End::Truncated | End::Disconnected),
            "malformed" => accepted == expected["ideal"].is_array() && normal,
            other => panic!("an unknown expectation: {other}"),
        };
        same(&format!("{}: {end:?}, accepted {accepted}", wanted["expect"]), complete.to_string(), "true".to_owned());
        let reason = stream.terminal_of(call).map(|terminal| terminal.reason.clone());
        same("reason", format!("{reason:?}"), format!("{:?}", text(&expected["finish"])));
    }
    let native = stream.terminals.last().and_then(|terminal| terminal.native.clone());
    same(
        "native reason",
        format!("{native:?}"),
        format!("{:?}", expected["native_finish"].as_str().map(str::to_owned)),
    );
    let errors = stream.errors.iter().filter(|error| error.kind == argseal::wire::ErrorKind::Provider).count();
    let field = usize::from(expected["file"] == "reported/old-llamacpp-error-field.sse");
    same("errors", errors.to_string(), (expected["errors"].as_array().map_or(0, Vec::len) + field).to_string());
    wrong
}

/// A connection that breaks anywhere never gives a call that the whole stream does not hold.
#[test]
fn a_stream_cut_anywhere_gives_no_other_arguments() {
    let Some(folder) = folder() else { return };
    for expected in &expectations(&folder) {
        let file = expected["file"].as_str().expect("a name");
        let bytes = std::fs::read(folder.join(file)).expect("readable");
        let format = Format::from_name(expected["format"].as_str().expect("a format")).expect("a known format");
        let tools = tools_of(expected);
        let assembler = || Assembler::new(format, &tools, &Settings::default());
        let whole = read(assembler(), &bytes, usize::MAX);
        let accepted = |stream: &Stream| -> Vec<(usize, String)> {
            let calls = stream.calls.iter().filter(|call| matches!(call.payload, Payload::Arguments(Ok(_))));
            calls.map(|call| (call.key.position(), call.raw().to_owned())).collect()
        };
        let all = accepted(&whole);
        let step = (bytes.len() / 400).max(1);
        for cut in (0..bytes.len()).step_by(step) {
            for call in accepted(&read(assembler(), &bytes[..cut], usize::MAX)) {
                assert!(all.contains(&call), "{file} cut at {cut}: {call:?}");
            }
        }
    }
}
