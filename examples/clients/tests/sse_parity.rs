//! The framing of event streams against an independent reader of them, `sse-core`: the same events from the same bytes,
//! however the reads are cut.
//!
//! One rule differs by intent: a last event without its blank line is delivered, flagged, and left out here. The two
//! others of [`argseal::wire::sse`] (bytes that are not UTF-8; the field `error`) are not generated.

use argseal::wire::sse::{Decoder, Ending};
use sse_core::{SseDecoder, SseEvent};

/// Name and data of one event.
type Message = (String, String);

/// What argseal reads in these pieces: the events that a blank line ended, and those that the end of the stream ended.
fn ours(pieces: std::slice::Chunks<'_, u8>) -> (Vec<Message>, usize) {
    let mut messages = Vec::new();
    let mut unterminated = 0;
    let mut decoder = Decoder::new(1 << 20);
    let mut sink = |frame: Result<argseal::wire::sse::Frame<'_>, _>| {
        let frame = frame.expect("UTF-8, within the limit");
        match (frame.ending, frame.data) {
            (Ending::BlankLine, Some(data)) => {
                messages.push((frame.event.unwrap_or("message").to_owned(), data.to_owned()));
            }
            (Ending::Unterminated, _) => unterminated += 1,
            (Ending::BlankLine, None) => {}
        }
    };
    pieces.for_each(|piece| decoder.push(piece, &mut sink));
    decoder.finish(&mut sink);
    (messages, unterminated)
}

/// What the independent reader reads in these pieces.
fn theirs(pieces: std::slice::Chunks<'_, u8>) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut decoder = SseDecoder::new();
    for mut piece in pieces {
        while let Some(event) = decoder.next(&mut piece) {
            match event.expect("within the limit") {
                SseEvent::Message(message) => messages.push((message.event.into_owned(), message.data)),
                SseEvent::Retry(_) => {}
            }
        }
    }
    messages
}

/// Both readers, at this read size. The answer is how many events they agree on.
fn agree(stream: &[u8], size: usize) -> usize {
    let (messages, unterminated) = ours(stream.chunks(size));
    assert_eq!(messages, theirs(stream.chunks(size)), "{:?} by {size}", String::from_utf8_lossy(stream));
    assert!(unterminated <= 1, "one event at most can be the last: {:?}", String::from_utf8_lossy(stream));
    messages.len()
}

/// Xorshift: a seeded sequence, the same in every run.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    fn stream(&mut self) -> Vec<u8> {
        let mut stream = String::from(self.one_of(&["", "", "", "\u{feff}", "\u{feff}\u{feff}", "\n", " "]));
        // One line end throughout, or another at each line.
        let fixed = self.one_of(&["\n", "\r", "\r\n", "", ""]);
        for _ in 0..self.below(32) {
            stream.push_str(&self.line());
            stream.push_str(if fixed.is_empty() { self.one_of(&["\n", "\r", "\r\n"]) } else { fixed });
        }
        // Now and then the last line has no end.
        if self.below(3) == 0 {
            stream.push_str(&self.line());
        }
        stream.into_bytes()
    }

    fn line(&mut self) -> String {
        if self.below(3) == 0 {
            return String::new();
        }
        let name = self.one_of(&[
            "data",
            "data",
            "data",
            "data",
            "data",
            "data",
            "data",
            "data",
            "data",
            "data",
            "data",
            "event",
            "event",
            "event",
            "id",
            "retry",
            "",
            "",
            "dat",
            "dataa",
            "Data",
            "events",
            " data",
            "field",
            "日本",
            "\u{feff}data",
        ]);
        let colon = self.one_of(&[":", ": ", ": ", ": ", ":  ", "::", ":\t", " :", ""]);
        let value = self.one_of(&[
            "",
            "",
            "{}",
            "{\"a\":1}",
            "x",
            " x ",
            "7",
            "1000",
            "a: b",
            "é😀",
            "\u{feff}",
            "\u{2028}",
            "\u{0}",
            "[DONE]",
            "message",
            "content_block_delta",
            "data: x",
            "0123456789012345678901234567890123456789",
        ]);
        format!("{name}{colon}{value}")
    }
}

#[test]
fn generated_streams_are_read_alike_at_all_read_sizes() {
    let mut seeded = Seeded(0x9e37_79b9_7f4a_7c15);
    let (mut bytes, mut events, mut readings) = (0, 0, 0);
    for _ in 0..STREAMS {
        let stream = seeded.stream();
        let whole = agree(&stream, stream.len().max(1));
        for size in 1..stream.len() {
            assert_eq!(agree(&stream, size), whole);
        }
        bytes += stream.len();
        events += whole;
        readings += stream.len();
    }
    println!("{STREAMS} streams, {bytes} bytes, {events} events, {readings} readings");
    assert!(events > STREAMS, "the generator makes events: {events}");
}

#[test]
fn a_last_event_without_its_blank_line_is_the_one_difference() {
    for stream in ["data: tail", "data: tail\n", "data: a\n\ndata: tail\r", "event: x\ndata: tail\r\n"] {
        let (messages, unterminated) = ours(stream.as_bytes().chunks(1));
        assert_eq!(messages, theirs(stream.as_bytes().chunks(1)));
        assert_eq!(unterminated, 1, "{stream:?}");
    }
}

#[test]
fn every_short_sequence_of_tokens_is_read_alike_whole_and_byte_by_byte() {
    let mut sequences: Vec<usize> = vec![0];
    let (mut count, mut events) = (0, 0);
    let mut stream = Vec::new();
    while sequences.len() <= LONGEST {
        stream.clear();
        sequences.iter().for_each(|at| stream.extend_from_slice(TOKENS[*at]));
        let whole = agree(&stream, stream.len());
        assert_eq!(agree(&stream, 1), whole);
        count += 1;
        events += whole;
        advance(&mut sequences);
    }
    println!("{count} sequences, {events} events");
    assert!(events > 0);
}

/// The next sequence: shorter ones first.
fn advance(sequence: &mut Vec<usize>) {
    for at in (0..sequence.len()).rev() {
        if sequence[at] + 1 < TOKENS.len() {
            sequence[at] += 1;
            return;
        }
        sequence[at] = 0;
    }
    sequence.push(0);
}

const STREAMS: usize = 1_000;
const LONGEST: usize = 6;
const TOKENS: [&[u8]; 8] = [b"\n", b"\r", b"data", b"data:", b"event:", b" ", b":", b"\xEF\xBB\xBF"];
