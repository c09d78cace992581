//! Which framing a stream of bytes has, and its events.

use super::sse::{Ending, FrameError};
use super::{eventstream, lines, sse};

/// One event, or what is wrong with the frame that should have held one.
pub(super) enum Unit<'u> {
    Event {
        event: Option<&'u str>,
        data: &'u str,
    },
    /// The last event, which came without its blank line.
    Unterminated {
        event: Option<&'u str>,
        data: &'u str,
    },
    /// An error that the provider put into the framing.
    Reported(&'u str),
    Broken(String),
}

/// The framing of one stream, found by its first byte that is not blank.
pub(super) enum Framing {
    /// Only blanks so far; those of the line under way are kept, since a line of an event stream may begin with them.
    Unknown {
        limit: usize,
        blanks: Vec<u8>,
        otherwise: Otherwise,
    },
    Binary(eventstream::Decoder),
    Elements(lines::Elements),
    Events(sse::Decoder),
    Lines(lines::Lines),
}

/// What a stream is that begins like none of the framings.
#[derive(Clone, Copy)]
pub(super) enum Otherwise {
    Events,
    Lines,
}

impl Framing {
    pub(super) fn new(limit: usize) -> Self {
        Self::Unknown { limit, blanks: Vec::new(), otherwise: Otherwise::Events }
    }

    /// The same where JSON lines are what the format has: what begins like no field of an event stream is a line, if a
    /// broken one.
    pub(super) fn of_lines(limit: usize) -> Self {
        Self::Unknown { limit, blanks: Vec::new(), otherwise: Otherwise::Lines }
    }

    pub(super) fn push(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Unit<'_>)) {
        let mut bytes = bytes;
        if let Self::Unknown { limit, blanks, otherwise } = self {
            let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(bytes.len());
            let line = bytes[..start].iter().rposition(|byte| matches!(byte, b'\r' | b'\n')).map_or(0, |at| at + 1);
            if line > 0 {
                blanks.clear();
            }
            blanks.extend_from_slice(&bytes[line..start]);
            bytes = &bytes[start..];
            let (limit, otherwise) = (*limit, *otherwise);
            if blanks.len() > limit {
                blanks.clear();
                sink(Unit::Broken(FrameError::EventLimit { limit }.to_string()));
            }
            let Some(first) = bytes.first() else { return };
            let blanks = std::mem::take(blanks);
            *self = match (first, otherwise) {
                // A control character: the length of a frame, which is shorter than 16 MiB and so begins with a zero.
                (0..0x20, _) => Self::Binary(eventstream::Decoder::new(limit)),
                (b'[', _) => Self::Elements(lines::Elements::new(limit)),
                (b'{', _) => Self::Lines(lines::Lines::new(limit)),
                // `data`, `event`, `id`, `retry`, a comment, a byte order mark.
                (b'd' | b'e' | b'i' | b'r' | b':' | 0xef, _) | (_, Otherwise::Events) => {
                    Self::Events(sse::Decoder::new(limit))
                }
                (_, Otherwise::Lines) => Self::Lines(lines::Lines::new(limit)),
            };
            if matches!(self, Self::Events(_)) {
                self.push_known(&blanks, sink);
            }
        }
        self.push_known(bytes, sink);
    }

    pub(super) fn finish(self, sink: &mut dyn FnMut(Unit<'_>)) {
        match self {
            Self::Unknown { .. } => {}
            Self::Binary(decoder) => decoder.finish(&mut |message| of_message(message, sink)),
            Self::Elements(decoder) => decoder.finish(&mut |element| of_text(element, sink)),
            Self::Events(decoder) => decoder.finish(&mut |frame| of_frame(frame, sink)),
            Self::Lines(decoder) => decoder.finish(&mut |line| of_text(line, sink)),
        }
    }

    fn push_known(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Unit<'_>)) {
        match self {
            Self::Unknown { .. } => {}
            Self::Binary(decoder) => decoder.push(bytes, &mut |message| of_message(message, sink)),
            Self::Elements(decoder) => decoder.push(bytes, &mut |element| of_text(element, sink)),
            Self::Events(decoder) => decoder.push(bytes, &mut |frame| of_frame(frame, sink)),
            Self::Lines(decoder) => decoder.push(bytes, &mut |line| of_text(line, sink)),
        }
    }
}

fn of_frame(frame: Result<sse::Frame<'_>, FrameError>, sink: &mut dyn FnMut(Unit<'_>)) {
    match frame {
        Ok(frame) => {
            if let Some(error) = frame.error {
                sink(Unit::Reported(error));
            }
            if let Some(data) = frame.data {
                let event = frame.event;
                sink(match frame.ending {
                    Ending::BlankLine => Unit::Event { event, data },
                    Ending::Unterminated => Unit::Unterminated { event, data },
                });
            }
        }
        Err(error) => sink(Unit::Broken(error.to_string())),
    }
}

fn of_text(text: Result<&str, FrameError>, sink: &mut dyn FnMut(Unit<'_>)) {
    sink(match text {
        Ok(data) => Unit::Event { event: None, data },
        Err(error) => Unit::Broken(error.to_string()),
    });
}

fn of_message(message: Result<eventstream::Message<'_>, eventstream::MessageError>, sink: &mut dyn FnMut(Unit<'_>)) {
    sink(match message {
        Ok(message) if message.kind == "event" => Unit::Event { event: Some(message.event), data: message.data },
        Ok(message) => Unit::Reported(if message.data.is_empty() { message.event } else { message.data }),
        Err(error) => Unit::Broken(error.to_string()),
    });
}
