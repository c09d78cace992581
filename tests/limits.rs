//! Bounds: each at the bound and one past it; and hostile texts, in a thread with 64 KiB of stack: a clear limit error or
//! an answer under default limits, an answer under the largest.
#![allow(clippy::result_large_err, reason = "the answer of the library is handed on as it is")]

mod support;

use std::time::{Duration, Instant};

use argseal::{
    Accepted, Assembler, Call, Code, Cursor, End, Format, Judgement, Limits, Progress, Rejected, Settings, Tool, Tools,
    Unit, Verdict, judge,
};
use support::random::Random;

const STACK: usize = 64 << 10;
/// From this size on, in bytes, each step is done once.
const LARGE: usize = 4 << 20;

/// Runs in a thread with little stack; what overflows it aborts the test.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    thread.join().expect("no panic on a small stack");
}

fn judged(text: &str, limits: Limits) -> Result<Accepted, Rejected> {
    let mut call = Call::default().with_settings(&Settings::default().any_root().with_limits(limits));
    call.feed(text);
    call.finish(End::Complete)
}

/// The limit that a rejection names, with its unit; it was passed by one.
fn exceeded(rejected: &Rejected) -> Option<(u64, Unit)> {
    let exceeded = rejected.diagnosis().facts().exceeded?;
    assert_eq!(exceeded.size, exceeded.limit + 1);
    Some((exceeded.limit, exceeded.unit))
}

fn code(text: &str, limits: Limits) -> Option<Code> {
    judged(text, limits).err().map(|rejected| rejected.diagnosis().code())
}

/// Every public operation on an accepted call.
fn use_all(accepted: &Accepted) {
    let root = accepted.root();
    let _ = (root.to_value(), root.span(), root.text().len(), root.is_closed(), root.kind());
    assert!(root.same(root));
    assert_eq!(root.fingerprint(), accepted.fingerprint());
    let _ =
        (root.members().count(), root.elements().count(), root.get("a").is_some(), root.pointer("/0/0/a/a").is_some());
    let _ = accepted.get("a").is_some();
    let _ = (format!("{accepted:?}"), accepted.audit().apply(accepted.raw()).len(), accepted.notes().len());
    let _ = (accepted.clone().into_map().is_ok(), accepted.clone().into_value().is_ok(), accepted.clone().into_text());
}

fn use_all_of_rejected(rejected: &Rejected) {
    let diagnosis = rejected.diagnosis();
    let _ = (diagnosis.to_string(), diagnosis.advice(), serde_json::to_string(diagnosis).is_ok(), diagnosis.facts());
    let _ = (rejected.reply(), rejected.to_string(), format!("{rejected:?}"), rejected.notes().len());
    let _ = (
        rejected.transcript(argseal::Transcript::Marker),
        rejected.transcript(argseal::Transcript::Wrapped { key: "k" }),
    );
    drop(rejected.clone().into_raw());
}

/// Feeds it, looks at it in every way after some pieces, and ends it with every end and a full value.
fn exercise(text: &str, limits: Limits, piece: usize) -> Result<Accepted, Rejected> {
    let settings = Settings::default().any_root().with_limits(limits);
    let mut call = Call::default().with_settings(&settings);
    let mut cursors = [Cursor::member("a"), Cursor::at("/0/0/0/a"), Cursor::at("")];
    let pieces = text.len() / piece + 1;
    for (i, bytes) in text.as_bytes().chunks(piece).enumerate() {
        call.feed_bytes(bytes);
        let partial = call.partial();
        for cursor in &mut cursors {
            let _ = partial.take(cursor).is_some();
        }
        if i == pieces / 2 || text.len() < LARGE && i % (pieces / 3 + 1) == 0 {
            let _ = (
                partial.to_value(),
                partial.get("a").is_some(),
                partial.open().map(|(at, text)| (at.depth(), text.len())),
            );
            let _ =
                (format!("{partial:?} {call:?}"), call.raw().len(), call.raw_bytes().len(), call.diagnosis().is_some());
        }
    }
    if text.len() < LARGE {
        let mut again = Call::default().with_settings(&settings);
        again.feed(text);
        match again.finish_with(End::Complete, text) {
            Ok(accepted) => assert_eq!(accepted.text().len(), text.len()),
            Err(rejected) => use_all_of_rejected(&rejected),
        }
    }
    call.finish(End::Complete)
}

fn survives(text: String, wanted: Option<Code>) {
    on_small_stack(move || {
        // Large texts are read one way only: this is no test of chunks.
        let ways = if text.len() < LARGE { vec![text.len(), 1 << 16] } else { vec![1 << 20] };
        for piece in ways {
            match exercise(&text, Limits::max(), piece) {
                Ok(accepted) => {
                    assert_eq!(accepted.verdict(), Verdict::Strict);
                    use_all(&accepted);
                }
                Err(rejected) => use_all_of_rejected(&rejected),
            }
            match (exercise(&text, Limits::default(), piece), wanted) {
                (Ok(accepted), None) => use_all(&accepted),
                (Err(rejected), Some(code)) => {
                    assert_eq!(rejected.diagnosis().code(), code);
                    use_all_of_rejected(&rejected);
                }
                (answer, wanted) => panic!("{answer:?}, not {wanted:?}"),
            }
        }
    });
}

#[test]
fn a_hundred_thousand_levels() {
    const LEVELS: usize = 100_000;
    survives("[".repeat(LEVELS) + &"]".repeat(LEVELS), Some(Code::DepthLimit));
    survives("{\"a\":".repeat(LEVELS) + "1" + &"}".repeat(LEVELS), Some(Code::DepthLimit));
    survives("[{\"a\":".repeat(LEVELS), Some(Code::DepthLimit));
    survives("[".repeat(LEVELS) + "x", Some(Code::DepthLimit));
    // The same value twice, so that two deep values are compared.
    let deep = "[".repeat(LEVELS) + &"]".repeat(LEVELS);
    survives(format!("{{\"a\":{deep},\"a\":{deep}}}"), Some(Code::DepthLimit));
    survives(format!("{deep} {deep}"), Some(Code::DepthLimit));
}

/// `to` recurses as the type does that is made, at most 128 levels deep: it wants a common stack.
#[test]
fn types_are_made_of_deep_texts() {
    for (levels, fits) in [(127, true), (100_000, false)] {
        let text = "{\"a\":".repeat(levels) + "1" + &"}".repeat(levels);
        let accepted = judged(&text, Limits::max()).expect("accepted");
        assert_eq!(accepted.to::<serde_json::Value>().is_ok(), fits);
        assert_eq!(accepted.to::<serde::de::IgnoredAny>().is_ok(), fits);
        let mut call = Call::default().with_settings(&Settings::default().with_limits(Limits::max()));
        call.feed(&text[..text.len() - 1]);
        assert_eq!(call.partial().to::<serde_json::Value>().is_ok(), fits);
    }
}

/// As deep as the default limit allows, `serde_json` values are made and dropped.
#[test]
fn as_deep_as_the_default_limit() {
    survives("[".repeat(128) + &"]".repeat(128), None);
    survives("{\"a\":".repeat(128) + "1" + &"}".repeat(128), None);
    survives("{\"a\":".repeat(127) + "{\"a\":1,\"a\":1}" + &"}".repeat(127), None);
}

#[test]
fn a_string_of_64_mib() {
    let plain = format!("\"{}\"", "x".repeat(64 << 20));
    survives(plain, Some(Code::SizeLimit));
    let escapes = format!("{{\"a\":\"{}\"}}", "\\n".repeat((32 << 20) - 8));
    survives(escapes, None);
}

#[test]
fn a_million_members() {
    use std::fmt::Write;
    let mut object = String::from("{");
    let mut array = String::from("[");
    for i in 0..1_000_000 {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(object, "{comma}\"k{i}\":{i}");
        let _ = write!(array, "{comma}{{}}");
    }
    assert_eq!(code(&(object.clone() + ",\"one\":1}"), Limits::default()), Some(Code::SizeLimit));
    assert_eq!(code(&(array.clone() + ",0]"), Limits::default()), Some(Code::SizeLimit));
    survives(object + "}", None);
    survives(array + "]", None);
    // One key very often.
    survives(format!("{{{}}}", vec!["\"k\":[1]"; 100_000].join(",")), None);
}

#[test]
fn random_bytes() {
    on_small_stack(|| {
        let mut random = Random::seeded(64);
        for round in 0..300 {
            let len = random.below(2_000);
            let mut bytes: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
            if round % 2 == 0 {
                bytes.splice(0..0, b"{\"a\":\"".iter().copied());
            }
            let mut call = Call::default();
            for piece in argseal_laws::pieces(&bytes, &random.cuts(bytes.len(), 9)) {
                call.feed_bytes(piece);
                let _ = (call.partial().to_value(), call.raw_bytes().len());
            }
            match call.finish(*random.pick(&End::ALL)) {
                Ok(accepted) => use_all(&accepted),
                Err(rejected) => use_all_of_rejected(&rejected),
            }
        }
    });
}

#[test]
fn depth_at_its_bound_and_one_past_it() {
    for depth in [0, 1, 3, 128] {
        let limits = Limits::default().with_depth(depth);
        let nested = |n: usize| "[".repeat(n) + &"]".repeat(n);
        let depth = depth as usize;
        if depth > 0 {
            assert_eq!(code(&nested(depth), limits), None);
        }
        let rejected = judged(&nested(depth + 1), limits).expect_err("too deep");
        let diagnosis = rejected.diagnosis();
        assert_eq!(
            (diagnosis.code(), diagnosis.at(), diagnosis.known_at()),
            (Code::DepthLimit, Some(depth as u64), Some(depth as u64 + 1))
        );
        assert_eq!(exceeded(&rejected), Some((depth as u64, Unit::Levels)));
    }
    assert_eq!(code("1", Limits::default().with_depth(0)), None);
    assert_eq!(code("[]", Limits::default()), None);
}

#[test]
fn text_at_its_bound_and_one_past_it() {
    let text = "{\"a\":\"caf\u{e9}\"}";
    let len = text.len() as u32;
    assert_eq!(code(text, Limits::default().with_text(len)), None);
    for limit in 0..len {
        let settings = Settings::default().with_limits(Limits::default().with_text(limit));
        let every: Vec<usize> = (1..text.len()).collect();
        argseal_laws::chunking(text.as_bytes(), &every, None, &settings, End::Complete);
        argseal_laws::bounds(text.as_bytes(), &every, settings.limits());
        let rejected = judged(text, settings.limits()).expect_err("too long");
        let diagnosis = rejected.diagnosis();
        assert_eq!(
            (diagnosis.code(), diagnosis.at(), diagnosis.known_at()),
            (Code::SizeLimit, Some(limit.into()), Some(u64::from(limit) + 1)),
            "limit {limit}"
        );
        assert_eq!(exceeded(&rejected), Some((limit.into(), Unit::Bytes)));
        assert_eq!(rejected.raw().len() + rejected.raw_tail().len(), limit as usize);
    }
    assert_eq!(Limits::default().with_text(u32::MAX), Limits::default().with_text(u32::MAX - 1));
}

/// The limit may stand inside of a character, and a piece may end there, too.
#[test]
fn the_bound_of_text_is_the_same_however_it_is_cut() {
    for text in
        [&b"{\"k\xc3\xa9\":\"\xe2\x82\xac\xf0\x9f\x90\x9bz\"}"[..], b"{\"\xc3\xa9\":\"\xe2\x82\xac\xe2\x82x\xc3"]
    {
        for limit in 0..=text.len() as u32 {
            let settings = Settings::default().with_limits(Limits::default().with_text(limit));
            for a in 0..=text.len() {
                for b in a..=text.len() {
                    argseal_laws::chunking(text, &[a, b], None, &settings, End::Complete);
                }
            }
        }
    }
}

#[test]
fn members_at_their_bound_and_one_past_it() {
    let limits = Limits::default().with_members(3);
    for text in ["{\"a\":1,\"b\":2,\"c\":3}", "[1,2,3]", "{\"a\":[1,2]}", "[[1],2]", "[{\"a\":1},[]]"] {
        assert_eq!(code(text, limits), None, "{text}");
    }
    for (text, at) in
        [("{\"a\":1,\"b\":2,\"c\":3,\"d\":4}", 19), ("[1,2,3,\"4", 7), ("{\"a\":[1,2,true]}", 10), ("[[1],2,[]]", 7)]
    {
        let rejected = judged(text, limits).expect_err("too many");
        let diagnosis = rejected.diagnosis();
        assert_eq!(
            (diagnosis.code(), diagnosis.at(), diagnosis.known_at()),
            (Code::SizeLimit, Some(at), Some(at + 1)),
            "{text}"
        );
        assert_eq!(exceeded(&rejected), Some((3, Unit::Members)), "{text}");
    }
    assert_eq!(code("[]", Limits::default().with_members(0)), None);
    assert_eq!(code("[1]", Limits::default().with_members(0)), Some(Code::SizeLimit));
}

#[test]
fn trailing_bytes_at_their_bound_and_one_past_it() {
    for trailing in [0, 1, 8] {
        let limits = Limits::default().with_trailing(trailing);
        let kept = |more: usize| judged(&format!("{{}}{}", "x".repeat(more)), limits).expect_err("trailing");
        let trailing = trailing as usize;
        for more in [trailing.max(1), trailing + 1, trailing + 1000] {
            let rejected = kept(more);
            assert_eq!(rejected.diagnosis().code(), Code::TrailingData);
            assert_eq!(rejected.raw().len(), 2 + more.min(trailing));
            let cut = rejected.notes().iter().any(|note| note.kind() == argseal::NoteKind::Cut);
            assert_eq!(cut, more > trailing);
        }
    }
}

/// Of a stream of lines the line counts, up to its LF; of an array the element; of server-sent events all lines of the
/// event, with their ends but the last.
#[test]
fn events_at_their_bound_and_one_past_it() {
    let event = r#"{"message":{"tool_calls":[{"function":{"name":"f","arguments":{}}}]}}"#;
    let chat =
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}"#;
    let gemini = r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}}}]}}]}"#;
    for (format, text, event) in [
        (Format::Ollama, format!("{event}\n"), event.len()),
        (Format::Ollama, format!("{event}\r\n"), event.len() + 1),
        (Format::OpenaiChat, format!("data: {chat}\n\n"), "data: ".len() + chat.len()),
        (Format::OpenaiChat, format!("event: e\r\ndata: {chat}\r\n\r\n"), "event: e\r\ndata: ".len() + chat.len()),
        (Format::Gemini, format!("[{gemini}]"), gemini.len()),
    ] {
        for (limit, fits) in [(event, true), (event - 1, false), (0, false)] {
            let settings = Settings::default().with_limits(Limits::default().with_event(limit as u32));
            for step in [1, 7, text.len()] {
                let mut assembler = Assembler::new(format, &Tools::default(), &settings);
                text.as_bytes().chunks(step).for_each(|piece| assembler.push(piece, &mut |_| {}));
                let stream = assembler.finish();
                assert_eq!(stream.calls.len(), usize::from(fits), "{format:?}, limit {limit}: {stream:?}");
                let named =
                    stream.errors.iter().any(|error| error.message.contains(&format!("limit of {limit} bytes")));
                assert_eq!(named, !fits, "{format:?}, limit {limit}: {stream:?}");
            }
        }
    }
}

#[test]
fn a_gigabyte_through_a_limit_of_64_mib_stops_early() {
    let mebibyte = "x".repeat(1 << 20);
    let mut call = Call::default();
    call.feed("{\"a\":\"");
    let before = Instant::now();
    for i in 1..=1024 {
        let progress = call.feed(&mebibyte);
        assert_eq!(progress == Progress::Rejected, i >= 64, "after {i} MiB");
    }
    assert!(call.heap_bytes() <= 160 << 20, "{} bytes", call.heap_bytes());
    assert!(before.elapsed() < Duration::from_secs(20));
    assert_eq!(call.raw().len(), 64 << 20);
}

/// Twice the text may take about twice the time, not four times.
#[test]
fn small_deltas_cost_their_own_length() {
    let plain = "word and more words, ";
    let shapes: [(&str, &str, &str); 4] = [
        ("{\"a\":\"", plain, "\"}"),
        ("{\"a\":\"", "x\\n\\u00e9\\\"\u{e9}", "\"}"),
        ("[", "{\"k\":[1,true,\"s\"]},", "0]"),
        ("[", "12345.678e9,", "0]"),
    ];
    for (begin, middle, end) in shapes {
        let run = |bytes: usize| {
            let text = format!("{begin}{}{end}", middle.repeat(bytes / middle.len()));
            let mut random = Random::seeded(3);
            let settings = Settings::default().any_root().with_limits(Limits::max());
            let mut call = Call::default().with_settings(&settings);
            let mut cursor = Cursor::member("a");
            let watch = support::Stopwatch::start();
            let mut rest = text.as_bytes();
            let mut taken = 0;
            while !rest.is_empty() {
                let (piece, others) = rest.split_at((3 + random.below(18)).min(rest.len()));
                call.feed_bytes(piece);
                let partial = call.partial();
                taken += partial.take(&mut cursor).map_or(0, |grown| grown.text.len());
                let _ = partial.open().is_some();
                rest = others;
            }
            let accepted = call.finish(End::Complete).expect("accepted");
            assert!(taken == 0 || Some(taken) == accepted.get("a").and_then(argseal::ValueRef::as_str).map(str::len));
            watch.worked()
        };
        let linear = support::is_within(3, || run(4 << 20), || run(8 << 20));
        assert_eq!(linear, Ok(()), "{begin}{middle}");
    }
}

#[test]
fn settings_that_come_late_do_not_panic() {
    let mut call = Call::default();
    call.feed("{\"a\":\"0123456789");
    let mut call = call.with_settings(&Settings::default().with_limits(Limits::default().with_text(4)));
    assert_eq!(call.feed("more"), Progress::Rejected);
    assert!(call.finish(End::Complete).is_err());
}

#[test]
fn a_whole_text_is_judged_on_a_small_stack() {
    on_small_stack(|| {
        let tool = Tool::opaque("t");
        let text = "{\"a\":".repeat(100) + "\"b\"" + &"}".repeat(100);
        use_all(&judge(&tool, &text, End::Complete).expect("accepted"));
        let _ = Settings::default().with_judgement(Judgement::Schema);
    });
}
