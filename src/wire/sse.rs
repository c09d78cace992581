//! Event-stream framing, sans-IO: <https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream>.
//!
//! Three deviations, all so that no argument byte is lost or altered unseen: a last event without its blank line is
//! delivered by [`Decoder::finish`] and flagged; invalid UTF-8 is an error, not U+FFFD; the field `error` (llama.cpp
//! through 2025) is read.

use std::fmt;
use std::ops::Range;

/// One frame of the stream, lent to the sink. The `raw` of all frames, joined, are the stream but for dropped frames.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Frame<'f> {
    /// The bytes as received, the blank line included: a proxy can forward them.
    pub raw: &'f [u8],
    /// The value of the last `event` field, if it is not empty.
    pub event: Option<&'f str>,
    /// The `data` fields, joined by LF. `None` for a frame without data: comments, `id`, `retry`.
    pub data: Option<&'f str>,
    /// The value of the non-standard field `error`.
    pub error: Option<&'f str>,
    /// How the frame ended.
    pub ending: Ending,
}

/// How a frame ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ending {
    /// By its blank line.
    BlankLine,
    /// By the end of the stream; a browser would discard it.
    Unterminated,
}

/// Why a frame could not be read. The decoder goes on with the next one.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FrameError {
    /// A frame longer than the wire event limit (bytes): it is dropped.
    EventLimit {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The frame is not UTF-8.
    InvalidUtf8,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EventLimit { limit } => write!(f, "an event is longer than the wire event limit of {limit} bytes"),
            Self::InvalidUtf8 => f.write_str("an event is not UTF-8"),
        }
    }
}

impl std::error::Error for FrameError {}

/// A push decoder of an event stream: bytes in, frames out. Every byte is looked at once, however the reads are cut.
pub struct Decoder {
    limit: usize,
    frame: Vec<u8>,
    /// Where the line under way starts in `frame`.
    line: usize,
    /// Bytes at the start of `frame` that end the frame before: a read has cut its last line end.
    owed: usize,
    fields: Fields,
    /// Bytes of a leading BOM that have come; `BOM.len()` once the question is settled.
    bom: usize,
    after: After,
    keeping: Keeping,
}

/// Prints sizes, never contents.
impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder").field("buffered", &self.frame.len()).finish_non_exhaustive()
    }
}

impl Decoder {
    /// A decoder that drops frames of more than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            frame: Vec::new(),
            line: 0,
            owed: 0,
            fields: Fields::default(),
            bom: 0,
            after: After::Other,
            keeping: Keeping::Frame,
        }
    }

    /// Reads the next bytes; the sink gets every frame that they complete.
    pub fn push(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Result<Frame<'_>, FrameError>)) {
        let mut rest = self.without_bom(bytes, sink);
        if self.after == After::Cr && rest.first() == Some(&b'\n') {
            self.after = After::Other;
            self.end_cut_line();
            rest = &rest[1..];
        }
        while !rest.is_empty() {
            self.after = After::Other;
            let Some(at) = memchr::memchr2(b'\n', b'\r', rest) else {
                self.keep(rest, sink);
                return;
            };
            self.keep(&rest[..at], sink);
            let len = match &rest[at..] {
                [b'\r', b'\n', ..] => 2,
                [b'\r'] => {
                    self.after = After::Cr;
                    1
                }
                _ => 1,
            };
            self.end_line(&rest[at..at + len], sink);
            rest = &rest[at + len..];
        }
    }

    /// The stream ended: delivers what is left, flagged [`Ending::Unterminated`].
    pub fn finish(mut self, sink: &mut dyn FnMut(Result<Frame<'_>, FrameError>)) {
        if self.bom < BOM.len() {
            let held = self.bom;
            self.bom = BOM.len();
            self.keep(&BOM[..held], sink);
        }
        if self.frame.len() > self.line {
            self.read_line();
        }
        self.dispatch(Ending::Unterminated, sink);
    }

    /// One leading BOM is dropped, wherever the reads cut it.
    fn without_bom<'b>(
        &mut self,
        mut bytes: &'b [u8],
        sink: &mut dyn FnMut(Result<Frame<'_>, FrameError>),
    ) -> &'b [u8] {
        while self.bom < BOM.len() {
            match bytes.split_first() {
                None => break,
                Some((byte, rest)) if *byte == BOM[self.bom] => {
                    self.bom += 1;
                    bytes = rest;
                }
                Some(_) => {
                    let held = self.bom;
                    self.bom = BOM.len();
                    self.keep(&BOM[..held], sink);
                }
            }
        }
        bytes
    }

    fn keep(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Result<Frame<'_>, FrameError>)) {
        if bytes.is_empty() {
            return;
        }
        match self.keeping {
            Keeping::Frame if self.frame.len() - self.owed + bytes.len() <= self.limit => {
                self.frame.extend_from_slice(bytes);
            }
            Keeping::Frame => {
                self.keeping = Keeping::Nothing { line: LineSoFar::Started };
                self.frame.clear();
                self.line = 0;
                self.owed = 0;
                self.fields = Fields::default();
                sink(Err(FrameError::EventLimit { limit: self.limit }));
            }
            Keeping::Nothing { .. } => self.keeping = Keeping::Nothing { line: LineSoFar::Started },
        }
    }

    /// The LF of a CRLF that a read has cut: the line has ended with the CR.
    fn end_cut_line(&mut self) {
        if matches!(self.keeping, Keeping::Frame) {
            if self.frame.is_empty() {
                self.owed = 1;
            }
            self.frame.push(b'\n');
            self.line = self.frame.len();
        }
    }

    fn end_line(&mut self, ending: &[u8], sink: &mut dyn FnMut(Result<Frame<'_>, FrameError>)) {
        match self.keeping {
            Keeping::Frame => {
                let blank = self.frame.len() == self.line;
                if !blank {
                    self.read_line();
                }
                // The line's own end counts neither against the limit nor as text of the next line.
                self.frame.extend_from_slice(ending);
                self.line = self.frame.len();
                if blank {
                    self.dispatch(Ending::BlankLine, sink);
                }
            }
            Keeping::Nothing { line: LineSoFar::Started } => {
                self.keeping = Keeping::Nothing { line: LineSoFar::Blank };
            }
            Keeping::Nothing { line: LineSoFar::Blank } => self.keeping = Keeping::Frame,
        }
    }

    fn read_line(&mut self) {
        let line = &self.frame[self.line..];
        let colon = memchr::memchr(b':', line).unwrap_or(line.len());
        let mut value = (colon + 1).min(line.len());
        if line.get(value) == Some(&b' ') {
            value += 1;
        }
        let value = self.line + value..self.frame.len();
        match &line[..colon] {
            b"data" => self.fields.add_data(&self.frame, value),
            b"event" => self.fields.event = value,
            b"error" => self.fields.error = value,
            _ => {}
        }
    }

    fn dispatch(&mut self, ending: Ending, sink: &mut dyn FnMut(Result<Frame<'_>, FrameError>)) {
        if !self.frame.is_empty() {
            sink(self.fields.frame(&self.frame, ending));
        }
        self.frame.clear();
        self.line = 0;
        self.owed = 0;
        self.fields = Fields::default();
    }
}

/// The fields of the frame under way, as ranges of its bytes.
#[derive(Debug, Default)]
struct Fields {
    event: Range<usize>,
    error: Range<usize>,
    data: Data,
}

impl Fields {
    fn add_data(&mut self, frame: &[u8], value: Range<usize>) {
        self.data = match std::mem::take(&mut self.data) {
            Data::Absent => Data::Line(value),
            Data::Line(first) => {
                let mut joined = frame[first].to_vec();
                joined.push(b'\n');
                joined.extend_from_slice(&frame[value]);
                Data::Joined(joined)
            }
            Data::Joined(mut joined) => {
                joined.push(b'\n');
                joined.extend_from_slice(&frame[value]);
                Data::Joined(joined)
            }
        };
    }

    fn frame<'f>(&'f self, raw: &'f [u8], ending: Ending) -> Result<Frame<'f>, FrameError> {
        let text = |bytes: &'f [u8]| std::str::from_utf8(bytes).map_err(|_| FrameError::InvalidUtf8);
        let data = match &self.data {
            Data::Absent => None,
            Data::Line(range) => Some(text(&raw[range.clone()])?),
            Data::Joined(joined) => Some(text(joined)?),
        };
        let event = text(&raw[self.event.clone()])?;
        let error = text(&raw[self.error.clone()])?;
        Ok(Frame {
            raw,
            event: (!event.is_empty()).then_some(event),
            data,
            error: (!error.is_empty()).then_some(error),
            ending,
        })
    }
}

#[derive(Debug, Default)]
enum Data {
    #[default]
    Absent,
    Line(Range<usize>),
    Joined(Vec<u8>),
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum After {
    /// The last read ended with CR: an LF that comes next belongs to the same line end.
    Cr,
    Other,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Keeping {
    Frame,
    /// The frame is over the limit: nothing is kept up to its blank line.
    Nothing {
        line: LineSoFar,
    },
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum LineSoFar {
    Blank,
    Started,
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

#[cfg(test)]
mod tests {
    use super::*;

    /// Event, data and error of every frame that has any, or the error.
    fn read(bytes: &[u8], step: usize, limit: usize) -> Vec<String> {
        let mut seen = Vec::new();
        let mut raw = Vec::new();
        let mut sink = |frame: Result<Frame<'_>, FrameError>| match frame {
            Ok(frame) => {
                raw.extend_from_slice(frame.raw);
                if frame.data.is_some() || frame.error.is_some() {
                    let flag = if frame.ending == Ending::Unterminated { " unterminated" } else { "" };
                    seen.push(format!("{:?} {:?} {:?}{flag}", frame.event, frame.data, frame.error));
                }
            }
            Err(error) => seen.push(error.to_string()),
        };
        let mut decoder = Decoder::new(limit);
        for piece in bytes.chunks(step.max(1)) {
            decoder.push(piece, &mut sink);
        }
        decoder.finish(&mut sink);
        if !seen.iter().any(|line| line.starts_with("an event")) {
            assert_eq!(raw, bytes.strip_prefix(BOM).unwrap_or(bytes), "the frames' bytes are the stream's");
        }
        seen
    }

    #[test]
    fn frames_are_the_same_however_the_reads_are_cut() {
        let cases: &[(&[u8], &[&str])] = &[
            (b"data: a\n\n", &[r#"None Some("a") None"#]),
            (
                b"data:a\r\rdata: b\r\n\r\ndata:  c\n\n",
                &[r#"None Some("a") None"#, r#"None Some("b") None"#, r#"None Some(" c") None"#],
            ),
            (b"\xEF\xBB\xBFdata: a\n\n", &[r#"None Some("a") None"#]),
            (b"\xEF\xBB\xBF\xEF\xBB\xBFdata: a\n\n", &[]),
            (b"\xEF\xBBdata: a\n\ndata: b\n\n", &[r#"None Some("b") None"#]),
            (b": keep-alive\n\nid: 7\nretry: 1\n\n", &[]),
            (b"event: x\ndata: 1\ndata: 2\ndata\ndata:3\n\n", &[r#"Some("x") Some("1\n2\n\n3") None"#]),
            (b"event: x\n\ndata: 1\n\n", &[r#"None Some("1") None"#]),
            (b"event: x\nevent:\ndata:\n\n", &[r#"None Some("") None"#]),
            (b" data: lost\n\ndata: b\n\n", &[r#"None Some("b") None"#]),
            (b"error: {\"code\":400}\n\n", &[r#"None None Some("{\"code\":400}")"#]),
            (b"data: tail", &[r#"None Some("tail") None unterminated"#]),
            (b"data: tail\r", &[r#"None Some("tail") None unterminated"#]),
            (b"data: \xFF\n\ndata: b\n\n", &["an event is not UTF-8", r#"None Some("b") None"#]),
            ("data: é😀\r\n\r\n".as_bytes(), &[r#"None Some("é😀") None"#]),
            (b"\n\n\r\n\r\r", &[]),
            (b"", &[]),
        ];
        for (bytes, expected) in cases {
            for step in 1..=bytes.len().max(1) {
                assert_eq!(read(bytes, step, 1 << 20), *expected, "{:?} by {step}", String::from_utf8_lossy(bytes));
            }
        }
    }

    #[test]
    fn a_frame_over_the_limit_is_one_error_that_names_it_and_the_next_is_read() {
        let stream = b"data: 0123456789\nevent: more\n\ndata: ok\n\n";
        for step in 1..stream.len() {
            assert_eq!(
                read(stream, step, 12),
                ["an event is longer than the wire event limit of 12 bytes", r#"None Some("ok") None"#]
            );
        }
        assert_eq!(read(b"data: 012345", 1, 12), [r#"None Some("012345") None unterminated"#]);
    }

    /// A line end that a read cuts counts no more than one that comes whole.
    #[test]
    fn the_limit_is_the_same_however_the_reads_are_cut() {
        let stream = b"data: ok\r\n\r\ndata: 0123456789\r\nevent: more\r\n\r\ndata: 012345\r\n\r\ndata: ok\r\n\r\n";
        for step in 1..=stream.len() {
            assert_eq!(
                read(stream, step, 12),
                [
                    r#"None Some("ok") None"#,
                    "an event is longer than the wire event limit of 12 bytes",
                    r#"None Some("012345") None"#,
                    r#"None Some("ok") None"#,
                ],
                "by {step}"
            );
        }
    }
}
