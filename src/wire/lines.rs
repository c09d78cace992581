//! Framing of newline-delimited JSON, and of one JSON array of events (Gemini without `alt=sse`).

use super::sse::FrameError;
use std::fmt;

/// A push decoder of lines: bytes in, one text a line out, blank lines skipped.
pub struct Lines {
    limit: usize,
    line: Vec<u8>,
    keeping: Keeping,
}

/// Prints sizes, never contents.
impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("buffered", &self.line.len()).finish_non_exhaustive()
    }
}

impl Lines {
    /// A decoder that drops lines of more than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, line: Vec::new(), keeping: Keeping::Event }
    }

    /// Reads the next bytes; the sink gets every line that they complete, without its line end.
    pub fn push(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Result<&str, FrameError>)) {
        let mut rest = bytes;
        while let Some(at) = memchr::memchr(b'\n', rest) {
            self.keep(&rest[..at], sink);
            self.dispatch(sink);
            rest = &rest[at + 1..];
        }
        self.keep(rest, sink);
    }

    /// The stream ended: delivers a last line without its LF.
    pub fn finish(mut self, sink: &mut dyn FnMut(Result<&str, FrameError>)) {
        self.dispatch(sink);
    }

    fn keep(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Result<&str, FrameError>)) {
        self.keeping = keep(&mut self.line, bytes, self.limit, self.keeping, sink);
    }

    fn dispatch(&mut self, sink: &mut dyn FnMut(Result<&str, FrameError>)) {
        deliver(&mut self.line, sink);
        self.keeping = Keeping::Event;
    }
}

/// A push decoder of the elements of one JSON array of objects.
///
/// Anything between the elements is skipped: whether it is right JSON is not a question of framing.
pub struct Elements {
    limit: usize,
    element: Vec<u8>,
    keeping: Keeping,
    depth: u64,
    place: Place,
}

/// Prints sizes, never contents.
impl fmt::Debug for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elements").field("buffered", &self.element.len()).finish_non_exhaustive()
    }
}

impl Elements {
    /// A decoder that drops elements of more than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, element: Vec::new(), keeping: Keeping::Event, depth: 0, place: Place::Outside }
    }

    /// Reads the next bytes; the sink gets every element that they complete.
    pub fn push(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Result<&str, FrameError>)) {
        let mut from = 0;
        for (at, byte) in bytes.iter().enumerate() {
            match (self.place, byte) {
                (Place::Escape, _) => self.place = Place::String,
                (Place::String, b'\\') => self.place = Place::Escape,
                (Place::String, b'"') => self.place = Place::Outside,
                (Place::String, _) => {}
                (Place::Outside, b'"') => self.place = Place::String,
                (Place::Outside, b'{') => {
                    if self.depth == 0 {
                        from = at;
                    }
                    self.depth += 1;
                }
                (Place::Outside, b'}') if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.keeping = keep(&mut self.element, &bytes[from..=at], self.limit, self.keeping, sink);
                        deliver(&mut self.element, sink);
                        self.keeping = Keeping::Event;
                    }
                }
                (Place::Outside, _) => {}
            }
        }
        if self.depth > 0 {
            self.keeping = keep(&mut self.element, &bytes[from..], self.limit, self.keeping, sink);
        }
    }

    /// The stream ended: delivers a last element that was cut.
    pub fn finish(mut self, sink: &mut dyn FnMut(Result<&str, FrameError>)) {
        deliver(&mut self.element, sink);
    }
}

fn keep(
    buffer: &mut Vec<u8>,
    bytes: &[u8],
    limit: usize,
    keeping: Keeping,
    sink: &mut dyn FnMut(Result<&str, FrameError>),
) -> Keeping {
    match keeping {
        Keeping::Event if buffer.len() + bytes.len() <= limit => {
            buffer.extend_from_slice(bytes);
            Keeping::Event
        }
        Keeping::Event => {
            buffer.clear();
            sink(Err(FrameError::EventLimit { limit }));
            Keeping::Nothing
        }
        Keeping::Nothing => Keeping::Nothing,
    }
}

fn deliver(buffer: &mut Vec<u8>, sink: &mut dyn FnMut(Result<&str, FrameError>)) {
    let text = buffer.trim_ascii();
    if !text.is_empty() {
        sink(std::str::from_utf8(text).map_err(|_| FrameError::InvalidUtf8));
    }
    buffer.clear();
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Keeping {
    Event,
    /// The event is over the limit: nothing of it is kept.
    Nothing,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Place {
    Escape,
    Outside,
    String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(seen: &mut Vec<String>) -> impl FnMut(Result<&str, FrameError>) {
        |event| seen.push(event.map_or_else(|error| error.to_string(), str::to_owned))
    }

    #[test]
    fn lines_are_the_same_however_the_reads_are_cut() {
        let stream = "{\"a\":\"é\"}\r\n\n {}\n0123456789ABCDEF\n\u{1}x".as_bytes();
        for step in 1..=stream.len() {
            let mut seen = Vec::new();
            let mut lines = Lines::new(12);
            stream.chunks(step).for_each(|piece| lines.push(piece, &mut collect(&mut seen)));
            lines.finish(&mut collect(&mut seen));
            let limit = "an event is longer than the wire event limit of 12 bytes";
            assert_eq!(seen, ["{\"a\":\"é\"}", "{}", limit, "\u{1}x"], "by {step}");
        }
    }

    #[test]
    fn elements_are_the_same_however_the_reads_are_cut() {
        let stream = "[{\"a\":\"}\\\"{\"}\r\n,\r\n{\"b\":{\"c\":[]}},{\"0123456789ABCDEF\":{}},{}\n]{\"cut".as_bytes();
        for step in 1..=stream.len() {
            let mut seen = Vec::new();
            let mut elements = Elements::new(14);
            stream.chunks(step).for_each(|piece| elements.push(piece, &mut collect(&mut seen)));
            elements.finish(&mut collect(&mut seen));
            let limit = "an event is longer than the wire event limit of 14 bytes";
            assert_eq!(seen, ["{\"a\":\"}\\\"{\"}", "{\"b\":{\"c\":[]}}", limit, "{}", "{\"cut"], "by {step}");
        }
    }
}
