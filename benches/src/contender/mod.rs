//! What runs side by side: each function reads the same deltas from the beginning to the end and returns something that
//! depends on all of them.

pub mod many;
pub mod whole;

use actson::feeder::PushJsonFeeder;
use actson::{JsonEvent, JsonParser};
use argseal::{Call, Cursor, Progress};
use jiter::{JsonValue, PartialMode};

/// What a contender does with the deltas; the result keeps the work from being left out.
pub type Work = fn(&[&str]) -> usize;

/// Appending, and nothing else: the floor.
pub fn append(deltas: &[&str]) -> usize {
    let mut text = Vec::new();
    for delta in deltas {
        text.extend_from_slice(std::hint::black_box(delta).as_bytes());
    }
    std::hint::black_box(&text).len()
}

/// The state is readable after every delta.
pub fn argseal(deltas: &[&str]) -> usize {
    let mut call = Call::default();
    let mut open = 0;
    for delta in deltas {
        let progress = call.feed(std::hint::black_box(delta));
        open += usize::from(progress == Progress::Open);
    }
    assert!(call.is_complete(), "the payload is read to its end");
    open + std::hint::black_box(&call).raw().len()
}

/// The same with a look after every delta: a string with escapes is decoded only where someone looks at it.
pub fn argseal_watched(deltas: &[&str]) -> usize {
    let mut call = Call::default();
    let mut cursor = Cursor::member("content");
    let mut shown = 0;
    for delta in deltas {
        call.feed(std::hint::black_box(delta));
        shown += call.partial().take(&mut cursor).map_or(0, |grown| std::hint::black_box(grown.text).len());
    }
    assert!(call.is_complete(), "the payload is read to its end");
    shown
}

/// As [`argseal_watched`], by asking for the whole text of the member each time.
pub fn argseal_asked(deltas: &[&str]) -> usize {
    let mut call = Call::default();
    let mut shown = 0;
    for delta in deltas {
        call.feed(std::hint::black_box(delta));
        let content = call.partial().get("content").and_then(|value| value.as_str());
        shown ^= std::hint::black_box(content).map_or(0, str::len);
    }
    assert!(call.is_complete(), "the payload is read to its end");
    shown
}

/// Bytes that may be cut inside of a character.
pub fn argseal_bytes(deltas: &[&[u8]]) -> usize {
    let mut call = Call::default();
    for delta in deltas {
        call.feed_bytes(std::hint::black_box(delta));
    }
    assert!(call.is_complete(), "the payload is read to its end");
    std::hint::black_box(&call).raw().len()
}

/// [`append`] for bytes.
pub fn append_bytes(deltas: &[&[u8]]) -> usize {
    let mut text = Vec::new();
    for delta in deltas {
        text.extend_from_slice(std::hint::black_box(delta));
    }
    std::hint::black_box(&text).len()
}

/// No state while it streams: one value at the end.
pub fn accumulate_serde_json(deltas: &[&str]) -> usize {
    let text = accumulate(deltas);
    serde_json::from_str::<serde_json::Value>(&text).map_or(0, |value| std::hint::black_box(&value).is_object().into())
}

/// As [`accumulate_serde_json`].
pub fn accumulate_sonic_rs(deltas: &[&str]) -> usize {
    let text = accumulate(deltas);
    sonic_rs::from_str::<sonic_rs::Value>(&text).map_or(0, |value| {
        std::hint::black_box(&value);
        text.len()
    })
}

fn accumulate(deltas: &[&str]) -> String {
    let mut text = String::new();
    for delta in deltas {
        text.push_str(std::hint::black_box(delta));
    }
    text
}

/// A push parser: whole scalars only, no text of an open string.
pub fn actson(deltas: &[&str]) -> usize {
    let mut parser = JsonParser::new(PushJsonFeeder::new());
    let mut seen = 0;
    for delta in deltas {
        let mut rest = std::hint::black_box(delta).as_bytes();
        while !rest.is_empty() {
            let taken = parser.feeder.push_bytes(rest);
            rest = &rest[taken..];
            seen += actson_events(&mut parser);
        }
    }
    parser.feeder.done();
    seen + actson_events(&mut parser)
}

fn actson_events(parser: &mut JsonParser<PushJsonFeeder>) -> usize {
    let mut seen = 0;
    while let Ok(Some(event)) = parser.next_event() {
        match event {
            JsonEvent::NeedMoreInput => break,
            JsonEvent::FieldName | JsonEvent::ValueString => seen += parser.current_str().map_or(0, str::len),
            _ => seen += 1,
        }
    }
    seen
}

/// A push parser with events per delta.
pub fn jsonmodem(deltas: &[&str]) -> usize {
    let mut parser = jsonmodem::StreamingParser::new(jsonmodem::ParserOptions::default());
    let mut seen = 0;
    for delta in deltas {
        parser.feed(std::hint::black_box(delta));
        seen += parser.by_ref().count();
    }
    seen
}

/// What harnesses do today: the whole buffer, parsed again at every delta. `looks` deltas are parsed, evenly spread,
/// because all of them would take minutes; the answer is about one delta.
pub fn jiter(deltas: &[&str], looks: usize) -> usize {
    again(deltas, looks, |text| {
        JsonValue::parse_with_config(text.as_bytes(), false, PartialMode::TrailingStrings)
            .map_or(0, |value| matches!(std::hint::black_box(&value), JsonValue::Object(_)).into())
    })
}

/// As [`jiter`]: the text is closed, then parsed.
pub fn partial_json_fixer(deltas: &[&str], looks: usize) -> usize {
    again(deltas, looks, |text| {
        let fixed = partial_json_fixer::fix_json(text);
        serde_json::from_str::<serde_json::Value>(&fixed)
            .map_or(0, |value| std::hint::black_box(&value).is_object().into())
    })
}

fn again(deltas: &[&str], looks: usize, look: impl Fn(&str) -> usize) -> usize {
    let text = deltas.concat();
    let mut end = 0;
    let mut seen = 0;
    let every = deltas.len().div_ceil(looks);
    for (i, delta) in deltas.iter().enumerate() {
        end += delta.len();
        if i % every == every / 2 {
            seen += look(&text[..end]);
        }
    }
    seen
}

/// How many deltas [`jiter`] looks at.
pub fn looked(deltas: usize, looks: usize) -> usize {
    let every = deltas.div_ceil(looks);
    (0..deltas).filter(|i| i % every == every / 2).count()
}

/// At how many deltas a contender that parses again does so.
pub const LOOKS: usize = 32;
