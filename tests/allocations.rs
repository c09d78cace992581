//! What a call costs in memory, by a counting allocator: a file that is written in small deltas, an idle call, the live
//! view.

mod support;

use argseal::{Call, Cursor, End, Event, Limits, Pointer, Settings, Sink};
use support::heap::{Counting, measured};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const PAYLOAD: usize = 256 << 10;
const DELTA: usize = 16;

/// A call of 256 KiB that writes a file, whose content repeats `piece`; and the decoded length of the content.
fn write_file(piece: &str) -> (String, usize) {
    let decoded: String = serde_json::from_str(&format!("\"{piece}\"")).expect("a string");
    let times = PAYLOAD / piece.len();
    (format!("{{\"path\":\"src/main.rs\",\"content\":\"{}\"}}", piece.repeat(times)), times * decoded.len())
}

fn deltas(text: &str) -> Vec<&str> {
    let mut rest = text;
    let mut deltas = Vec::new();
    while !rest.is_empty() {
        let (delta, others) = rest.split_at(rest.floor_char_boundary(DELTA));
        deltas.push(delta);
        rest = others;
    }
    deltas
}

const CODE: &str = "    let value = map.get(\\\"key\\\").unwrap();\\n    if value > 3 && other { return Ok(()); }\\n";

#[test]
fn a_written_file_costs_at_most_twice_its_size() {
    for (what, piece) in [("plain", "a line of plain text without any escape, and so on; "), ("code", CODE)] {
        let (text, _) = write_file(piece);
        let deltas = deltas(&text);
        let (call, peak, calls) = measured(|| {
            let mut call = Call::default();
            for delta in &deltas {
                call.feed(delta);
            }
            call
        });
        println!(
            "{what}: peak {:.2} of the payload, {calls} allocations in {} deltas",
            peak as f64 / text.len() as f64,
            deltas.len()
        );
        assert!(peak <= 2 * text.len() + (8 << 10), "{what}: {peak} bytes for {}", text.len());
        assert!(calls * 100 <= deltas.len(), "{what}: {calls} allocations in {} deltas", deltas.len());
        assert!(call.heap_bytes() + (4 << 10) >= peak, "{what}: heap_bytes tells {} of {peak}", call.heap_bytes());
        let (accepted, more, _) = measured(|| call.finish(End::Complete).expect("accepted"));
        assert!(more <= 8 << 10, "{what}: judging it costs {more} bytes more");
        assert_eq!(accepted.text().len(), text.len());
    }
}

#[test]
fn an_idle_open_call_is_small() {
    let (call, peak, _) = measured(|| {
        let mut call = Call::default();
        call.feed("{\"path\":\"src/main.rs\",\"con");
        call
    });
    let all = peak + size_of::<Call>();
    assert!(all < 2 << 10, "{all} bytes");
    assert!(call.heap_bytes() <= peak);
    let (_, peak, calls) = measured(Call::default);
    assert_eq!((peak, calls), (0, 0), "a call that has not begun");
}

#[test]
fn what_a_call_tells_of_its_memory_counts_its_levels() {
    for piece in ["[", "{\"a\":"] {
        let text = piece.repeat(10_000);
        let (call, peak, _) = measured(|| {
            let mut call = Call::default().with_settings(&Settings::default().any_root().with_limits(Limits::max()));
            call.feed(&text);
            call
        });
        let told = call.heap_bytes();
        assert!(told + (4 << 10) >= peak, "{piece}: heap_bytes tells {told} of {peak}");
    }
}

#[derive(Default)]
struct Lengths {
    text: usize,
    depth: usize,
}

impl Sink for Lengths {
    fn event(&mut self, at: &Pointer, event: Event<'_>) {
        self.depth = self.depth.max(at.depth());
        if let Event::Text(text) = event {
            self.text += text.len();
        }
    }
}

/// The buffers grow now and then; nothing else asks for memory. A string with escapes that is looked at has a second one.
#[test]
fn watching_costs_nothing() {
    let (text, payload) = write_file(CODE);
    let deltas = deltas(&text);
    let feed = || {
        let mut call = Call::default();
        deltas.iter().for_each(|delta| {
            call.feed(delta);
        });
        call
    };
    let (_, _, fed) = measured(feed);
    let (lengths, _, heard) = measured(|| {
        let mut call = Call::default();
        let mut lengths = Lengths::default();
        deltas.iter().for_each(|delta| {
            call.feed_with(delta, &mut lengths);
        });
        lengths
    });
    assert_eq!((lengths.text, lengths.depth, heard), (payload + "src/main.rs".len(), 1, fed), "feed_with");
    let mut cursor = Cursor::member("content");
    let (taken, peak, watched) = measured(|| {
        let mut call = Call::default();
        let mut taken = 0;
        for delta in &deltas {
            call.feed(delta);
            let partial = call.partial();
            taken += partial.take(&mut cursor).map_or(0, |grown| grown.text.len());
            let _ = (partial.open().is_some(), partial.get("content").is_some(), call.diagnosis().is_some());
        }
        taken
    });
    assert_eq!(taken, payload, "take, open, get, diagnosis");
    assert!(watched <= 2 * fed && watched * 100 <= deltas.len(), "{watched} allocations; {fed} unwatched");
    assert!(peak <= 2 * text.len() + (8 << 10), "{peak} bytes for {}", text.len());
}

/// One byte after the other of everything that is not string text.
#[test]
fn structure_costs_no_allocation_for_each_delta() {
    let text = format!("[{}0]", "{\"key\":[1,true,null,\"s\"]},".repeat(8_000));
    let settings = Settings::default().any_root();
    let (call, peak, calls) = measured(|| {
        let mut call = Call::default().with_settings(&settings);
        for byte in text.as_bytes().chunks(1) {
            call.feed_bytes(byte);
        }
        call
    });
    assert!(calls * 100 <= text.len(), "{calls} allocations for {} bytes", text.len());
    assert!(peak <= 16 * text.len(), "{peak} bytes for {}", text.len());
    drop(call);
}

/// What limits bound is bounded: hostile texts of 4 MiB through small limits.
#[test]
fn limits_bound_what_is_held() {
    let limits = Limits::default().with_text(64 << 10).with_members(1_000).with_depth(50);
    let settings = Settings::default().any_root().with_limits(limits);
    let hostile =
        ["[", "{\"a\":", "[1,", "\\n", "x", "{}", " ", "\"\",", "\u{1f600}", "1", "{\"a\":{},", "\\ud83d\\ude00"];
    for begin in ["", "[", "{\"a\":\"", "{}", "\""] {
        for piece in hostile {
            let text = format!("{begin}{}", piece.repeat((4 << 20) / piece.len()));
            let ((), peak, _) = measured(|| {
                let mut call = Call::default().with_settings(&settings);
                for delta in text.as_bytes().chunks(1_000) {
                    call.feed_bytes(delta);
                }
                drop(call.finish(End::Complete));
            });
            // Raw, decoded, the larger buffers while they grow, and the judged copy of what was repaired.
            assert!(peak <= 4 * (64 << 10) + 64 * 1_000, "{begin}{piece}…: {peak} bytes");
        }
    }
}
