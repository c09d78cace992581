//! Texts and streams that are made to cost memory, by a counting allocator: what each bound of `Limits` holds, measured
//! where it is reached. The figures are printed; the documentation of the bounds rests on them.

mod support;

use argseal::{Accepted, Assembler, Call, Code, End, Format, Limits, Payload, Progress, Settings, Tools, ValueRef};
use support::heap::{Counting, measured};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MIB: usize = 1 << 20;

fn any_root(limits: Limits) -> Settings {
    Settings::default().any_root().with_limits(limits)
}

/// Feeds pieces until the call is rejected.
fn fed(settings: &Settings, begin: &str, piece: &str, times: usize) -> Call {
    let mut call = Call::default().with_settings(settings);
    call.feed(begin);
    for _ in 0..times {
        if call.feed(piece) == Progress::Rejected {
            break;
        }
    }
    call
}

/// Reads every name and every string of the root's members or elements: what holds escapes gets its decoded copy.
fn look_at_all(root: ValueRef<'_>) -> usize {
    let length = |value: ValueRef<'_>| value.as_str().map_or(1, str::len);
    let names: usize = root.members().map(|member| member.name.len() + length(member.value)).sum();
    names + root.elements().map(length).sum::<usize>()
}

/// A million members, each as small as it can be: the tape is larger than the text. Names that hold escapes have decoded
/// copies, values have them once they are looked at.
#[test]
fn a_million_members_hold_at_most_what_the_limit_says() {
    let numbers = |name: &dyn Fn(usize) -> String, value: &str| {
        let members: Vec<String> = (0..1_000_000).map(|i| format!("\"{}\":{value}", name(i))).collect();
        format!("{{{}}}", members.join(","))
    };
    let texts = [
        ("elements", format!("[{}]", vec!["0"; 1_000_000].join(","))),
        ("empty objects", format!("[{}]", vec!["{}"; 1_000_000].join(","))),
        ("members", numbers(&|i| format!("{i:x}"), "0")),
        ("names with escapes", numbers(&|i| format!("\\n{i:x}"), "0")),
        ("names and values with escapes", numbers(&|i| format!("\\n{i:x}"), "\"\\n\"")),
    ];
    for (what, text) in texts {
        let (call, peak, _) = measured(|| {
            let mut call = Call::default().with_settings(&any_root(Limits::default()));
            for piece in text.as_bytes().chunks(4096) {
                call.feed_bytes(piece);
            }
            call
        });
        assert!(call.heap_bytes() + 4096 >= peak, "{what}: heap_bytes tells {} of {peak}", call.heap_bytes());
        let (accepted, judging, _): (Accepted, usize, usize) =
            measured(|| call.finish(End::Complete).expect("a million members are accepted"));
        let (_, looking, _) = measured(|| look_at_all(accepted.root()));
        println!(
            "{what}: text {:.1} MiB, peak while it streams {:.1}, judging it {:.1} more, looking at all {:.1} more",
            text.len() as f64 / MIB as f64,
            peak as f64 / MIB as f64,
            judging as f64 / MIB as f64,
            looking as f64 / MIB as f64,
        );
        let (streaming, all) = (peak - text.len(), peak - text.len() + judging + looking);
        assert!(streaming <= 110 * MIB && all <= 200 * MIB, "{what}: {streaming} bytes beside the text, then {all}");
    }
}

/// What is kept stays within the bound of the text, however much is sent.
#[test]
fn a_gigabyte_costs_what_the_limit_allows() {
    let mebibyte = "x".repeat(MIB);
    let (call, peak, _) = measured(|| fed(&Settings::default(), "{\"a\":\"", &mebibyte, 1024));
    println!("a string without end: peak {:.1} MiB for a limit of 64 MiB", peak as f64 / MIB as f64);
    assert_eq!((call.raw().len(), call.diagnosis().map(argseal::Diagnosis::code)), (64 * MIB, Some(Code::SizeLimit)));
    assert!(peak <= 130 * MIB, "{peak} bytes");
    // What comes after the rejection costs nothing.
    let mut call = call;
    let (_, more, calls) = measured(|| (0..100).for_each(|_| assert_eq!(call.feed(&mebibyte), Progress::Rejected)));
    assert_eq!((more, calls), (0, 0));
}

#[test]
fn what_follows_a_closed_root_costs_what_the_limit_allows() {
    let delta = "{} ".repeat(300);
    for limit in [0, 1, 4 << 10] {
        let settings = any_root(Limits::default().with_trailing(limit));
        let (_, peak, _) = measured(|| {
            let mut call = Call::default().with_settings(&settings);
            call.feed("{}");
            for _ in 0..20_000 {
                call.feed(&delta);
            }
            drop(call.finish(End::Complete));
        });
        // A delta is copied before it is read, into buffers that begin with 768 bytes and grow by quadrupling.
        assert!(peak <= 4 * limit as usize + delta.len() + 4096, "{peak} bytes for a limit of {limit}");
    }
}

/// A level costs a few bytes of heap, and no stack (`tests/limits.rs`).
#[test]
fn levels_cost_what_the_limit_allows() {
    let settings = any_root(Limits::default());
    for piece in ["[", "{\"a\":", "[{\"k\":"] {
        let (_, peak, _) = measured(|| fed(&settings, "", piece, 1_000_000));
        assert!(peak <= 32 << 10, "{piece}: {peak} bytes for 128 levels");
        let settings = any_root(Limits::max());
        let (_, peak, _) = measured(|| fed(&settings, "", piece, 100_000));
        println!("100,000 times {piece}: {:.0} bytes each", peak as f64 / 100_000.0);
        assert!(peak <= 200 * 100_000, "{piece}: {peak} bytes for 100,000 levels");
    }
}

#[test]
fn an_event_without_end_costs_what_the_limit_allows() {
    let tools = Tools::default();
    let mebibyte = "x".repeat(MIB);
    for (format, begin) in
        [(Format::OpenaiChat, "data: "), (Format::Ollama, "{\"message\":\""), (Format::Gemini, "[{\"candidates\":\"")]
    {
        let settings = Settings::default().with_limits(Limits::default().with_event(4 << 20));
        let (stream, peak, _) = measured(|| {
            let mut assembler = Assembler::new(format, &tools, &settings);
            assembler.push(begin.as_bytes(), &mut |_| {});
            (0..256).for_each(|_| assembler.push(mebibyte.as_bytes(), &mut |_| {}));
            assembler.finish()
        });
        println!("{format:?}: peak {:.1} MiB for a limit of 4 MiB", peak as f64 / MIB as f64);
        assert!(peak <= 12 * MIB, "{format:?}: {peak} bytes");
        assert_eq!(stream.errors.len(), 1, "{format:?}: {stream:?}");
    }
}

#[test]
fn a_call_costs_less_than_two_kibibytes() {
    let tools = Tools::default();
    let settings = Settings::default().with_limits(Limits::default().with_calls(u32::MAX));
    let mut most = 0;
    for entry in [
        "{\"index\":N}",
        "{\"index\":N,\"id\":\"N\"}",
        "{\"index\":N,\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}",
    ] {
        const CALLS: usize = 20_000;
        let entries: Vec<String> = (0..CALLS).map(|i| entry.replace('N', &i.to_string())).collect();
        let event =
            format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":[{}]}}}}]}}\n\n", entries.join(","));
        let (stream, peak, _) = measured(|| {
            let mut assembler = Assembler::new(Format::OpenaiChat, &tools, &settings);
            assembler.push(event.as_bytes(), &mut |_| {});
            assembler.finish()
        });
        println!(
            "{entry}: {} calls, {} bytes of heap for each, {} for each byte of the stream",
            stream.calls.len(),
            peak / CALLS,
            peak / event.len()
        );
        most = most.max(peak / CALLS);
    }
    assert!(most < 2048, "{most} bytes for a call");
}

/// A stream that opens calls without end: what the limit allows is held, and nothing more however many come.
#[test]
fn calls_without_end_cost_what_the_limit_allows() {
    const EVENTS: usize = 2_000;
    const EACH: usize = 100;
    let chat = |entry: &str, choice: &str| {
        format!("data: {{\"choices\":[{{\"index\":{choice},\"delta\":{{\"tool_calls\":[{entry}]}}}}]}}\n\n")
    };
    let anthropic = "data: {\"type\":\"content_block_start\",\"index\":N,\"content_block\":{\"type\":\"tool_use\",\"id\":\"tN\",\"name\":\"f\",\"input\":{}}}\n\n";
    let gemini = "data: {\"candidates\":[{\"index\":N,\"content\":{\"parts\":[{\"functionCall\":{\"name\":\"f\",\"willContinue\":true}}]},\"finishReason\":\"OTHER\"}]}\n\n";
    let named = "{\"index\":N,\"id\":\"cN\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\"}}";
    let streams = [
        ("index, id and name", Format::OpenaiChat, chat(named, "0"), true),
        ("an index alone", Format::OpenaiChat, chat("{\"index\":N}", "0"), true),
        ("one id on indexes without end", Format::OpenaiChat, chat("{\"index\":N,\"id\":\"a\"}", "0"), false),
        ("choices without end", Format::OpenaiChat, chat(named, "N"), true),
        ("start events", Format::Anthropic, anthropic.to_owned(), true),
        ("candidates without end", Format::Gemini, gemini.to_owned(), true),
    ];
    let limits = Limits::default();
    for (what, format, event, opens) in streams {
        let (stream, peak, _) = measured(|| {
            let mut assembler = Assembler::new(format, &Tools::default(), &Settings::default());
            for at in 0..EVENTS {
                let events: String = (0..EACH).map(|i| event.replace('N', &(at * EACH + i).to_string())).collect();
                assembler.push(events.as_bytes(), &mut |_| {});
            }
            assembler.finish()
        });
        println!("{what}: {} calls, peak {:.2} MiB", EVENTS * EACH, peak as f64 / MIB as f64);
        assert!(peak <= 3 * MIB, "{what}: {peak} bytes");
        let code = |call: &argseal::Settled| match &call.payload {
            Payload::Arguments(Err(rejected)) => Some(rejected.diagnosis().code()),
            Payload::Arguments(Ok(_)) | Payload::Text(_) => None,
        };
        assert_eq!(stream.calls.last().and_then(code), Some(Code::CallLimit), "{what}");
        if opens {
            assert_eq!(stream.calls.len(), limits.calls as usize + 1, "{what}");
            assert_eq!(stream.calls_left_out as usize, EVENTS * EACH - stream.calls.len(), "{what}");
        }
    }
}
