//! Framing of `application/vnd.amazon.eventstream`, sans-IO: the binary frames of Bedrock ConverseStream.
//!
//! ```text
//! u32 total length, u32 headers length, u32 CRC-32 of those 8 bytes,
//! headers { u8 name length, name, u8 type, value }, payload, u32 CRC-32 of all before
//! ```
//!
//! All numbers are big-endian; the CRC is the one of IEEE 802.3, reflected.

use std::fmt;

/// One frame, lent to the sink.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Message<'m> {
    /// The bytes as received: a proxy can forward them.
    pub raw: &'m [u8],
    /// `:event-type`, or `:exception-type` where that is what came.
    pub event: &'m str,
    /// `:message-type`: `event`, `exception` or `error`.
    pub kind: &'m str,
    /// The payload, JSON for all events of this API.
    pub data: &'m str,
}

/// Why a frame could not be read.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MessageError {
    /// A frame whose own CRC is wrong: it is dropped.
    BadChecksum,
    /// A frame longer than the wire event limit (bytes): it is dropped.
    EventLimit {
        /// The limit, in bytes.
        limit: usize,
    },
    /// A payload or a header that is not UTF-8, or headers that do not add up: the frame is dropped.
    Malformed,
    /// A prelude whose CRC or lengths are wrong: where the next frame begins is unknown, nothing more is read.
    Lost,
    /// The stream ended inside a frame.
    Truncated,
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadChecksum => f.write_str("a binary frame has a wrong checksum"),
            Self::EventLimit { limit } => write!(f, "an event is longer than the wire event limit of {limit} bytes"),
            Self::Malformed => f.write_str("a binary frame is malformed"),
            Self::Lost => f.write_str("a binary frame has a wrong prelude: the rest of the stream cannot be read"),
            Self::Truncated => f.write_str("the stream ended inside a binary frame"),
        }
    }
}

impl std::error::Error for MessageError {}

/// A push decoder of binary frames.
pub struct Decoder {
    limit: usize,
    frame: Vec<u8>,
    state: State,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum State {
    /// The 12 bytes of the prelude are being collected.
    Prelude,
    /// The frame of this many bytes is being collected.
    Frame(usize),
    /// This many bytes of a frame over the limit are still to come.
    Skipping(usize),
    Lost,
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
        Self { limit, frame: Vec::new(), state: State::Prelude }
    }

    /// Reads the next bytes; the sink gets every frame that they complete.
    pub fn push(&mut self, bytes: &[u8], sink: &mut dyn FnMut(Result<Message<'_>, MessageError>)) {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.state {
                State::Prelude => {
                    rest = self.collect(rest, PRELUDE);
                    if self.frame.len() == PRELUDE {
                        self.state = self.read_prelude(sink);
                    }
                }
                State::Frame(total) => {
                    rest = self.collect(rest, total);
                    if self.frame.len() == total {
                        sink(read(&self.frame));
                        self.frame.clear();
                        self.state = State::Prelude;
                    }
                }
                State::Skipping(left) => {
                    let skipped = left.min(rest.len());
                    rest = &rest[skipped..];
                    self.state = if skipped == left { State::Prelude } else { State::Skipping(left - skipped) };
                }
                State::Lost => return,
            }
        }
    }

    /// The stream ended.
    pub fn finish(self, sink: &mut dyn FnMut(Result<Message<'_>, MessageError>)) {
        match self.state {
            State::Prelude if self.frame.is_empty() => {}
            State::Prelude | State::Frame(_) | State::Skipping(_) => sink(Err(MessageError::Truncated)),
            State::Lost => {}
        }
    }

    fn collect<'b>(&mut self, bytes: &'b [u8], up_to: usize) -> &'b [u8] {
        let (taken, rest) = bytes.split_at((up_to - self.frame.len()).min(bytes.len()));
        self.frame.extend_from_slice(taken);
        rest
    }

    fn read_prelude(&mut self, sink: &mut dyn FnMut(Result<Message<'_>, MessageError>)) -> State {
        let total = number(&self.frame, 0);
        let headers = number(&self.frame, 4);
        let right = number(&self.frame, 8) == checksum(&self.frame[..8]);
        let (total, headers) = (total as usize, headers as usize);
        if !right || total < PRELUDE + TRAILER || headers > total - PRELUDE - TRAILER {
            self.frame.clear();
            sink(Err(MessageError::Lost));
            State::Lost
        } else if total > self.limit {
            self.frame.clear();
            sink(Err(MessageError::EventLimit { limit: self.limit }));
            State::Skipping(total - PRELUDE)
        } else {
            State::Frame(total)
        }
    }
}

fn read(frame: &[u8]) -> Result<Message<'_>, MessageError> {
    let (body, _) = frame.split_at(frame.len() - TRAILER);
    if number(frame, body.len()) != checksum(body) {
        return Err(MessageError::BadChecksum);
    }
    let (mut headers, payload) = body[PRELUDE..].split_at(number(frame, 4) as usize);
    let mut message = Message { raw: frame, event: "", kind: "event", data: text(payload)? };
    while !headers.is_empty() {
        let (name, rest) = sized(headers, 1).ok_or(MessageError::Malformed)?;
        let (kind, rest) = rest.split_first().ok_or(MessageError::Malformed)?;
        let (value, rest) = match kind {
            // true, false
            0 | 1 => Some(rest.split_at(0)),
            2 => rest.split_at_checked(1),
            3 => rest.split_at_checked(2),
            4 => rest.split_at_checked(4),
            // 64-bit integer, timestamp
            5 | 8 => rest.split_at_checked(8),
            // bytes, string
            6 | 7 => sized(rest, 2),
            // UUID
            9 => rest.split_at_checked(16),
            _ => None,
        }
        .ok_or(MessageError::Malformed)?;
        match (name, kind) {
            (b":event-type" | b":exception-type" | b":error-code", 7) => message.event = text(value)?,
            (b":message-type", 7) => message.kind = text(value)?,
            _ => {}
        }
        headers = rest;
    }
    Ok(message)
}

/// A length of `width` bytes, that many bytes, and the rest.
fn sized(bytes: &[u8], width: usize) -> Option<(&[u8], &[u8])> {
    let (len, rest) = bytes.split_at_checked(width)?;
    rest.split_at_checked(len.iter().fold(0, |len, byte| len << 8 | usize::from(*byte)))
}

fn text(bytes: &[u8]) -> Result<&str, MessageError> {
    std::str::from_utf8(bytes).map_err(|_| MessageError::Malformed)
}

/// The big-endian number at this offset of a frame whose length is known to hold it.
fn number(frame: &[u8], at: usize) -> u32 {
    frame[at..at + 4].iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// The checksum of these bytes, as a frame states it of its prelude and of itself.
pub fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8))
}

const PRELUDE: usize = 12;
const TRAILER: usize = 4;

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(headers: &[(&str, &str)], payload: &[u8]) -> Vec<u8> {
        let mut head = Vec::new();
        for (name, value) in headers {
            head.push(name.len() as u8);
            head.extend_from_slice(name.as_bytes());
            head.push(7);
            head.extend_from_slice(&(value.len() as u16).to_be_bytes());
            head.extend_from_slice(value.as_bytes());
        }
        let mut frame = ((PRELUDE + head.len() + payload.len() + TRAILER) as u32).to_be_bytes().to_vec();
        frame.extend_from_slice(&(head.len() as u32).to_be_bytes());
        frame.extend_from_slice(&checksum(&frame).to_be_bytes());
        frame.extend_from_slice(&head);
        frame.extend_from_slice(payload);
        frame.extend_from_slice(&checksum(&frame).to_be_bytes());
        frame
    }

    fn read_all(bytes: &[u8], step: usize, limit: usize) -> Vec<String> {
        let mut seen = Vec::new();
        let mut sink = |message: Result<Message<'_>, MessageError>| {
            seen.push(message.map_or_else(
                |error| format!("{error:?}"),
                |message| format!("{} {} {}", message.kind, message.event, message.data),
            ));
        };
        let mut decoder = Decoder::new(limit);
        bytes.chunks(step).for_each(|piece| decoder.push(piece, &mut sink));
        decoder.finish(&mut sink);
        seen
    }

    #[test]
    fn the_checksum_is_the_one_of_the_standard() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn frames_are_the_same_however_the_reads_are_cut() {
        let mut stream = frame(&[(":event-type", "messageStart"), (":message-type", "event")], b"{}");
        stream
            .extend(frame(&[(":exception-type", "throttlingException"), (":message-type", "exception")], b"{\"a\":1}"));
        let mut bad = frame(&[], b"{}");
        bad[13] ^= 1;
        stream.extend(bad);
        stream.extend(frame(&[(":event-type", "x")], &[b' '; 200]));
        stream.extend(frame(&[], b"\xFF"));
        stream.extend(frame(&[(":event-type", "last")], b""));
        for step in 1..stream.len() {
            assert_eq!(
                read_all(&stream, step, 150),
                [
                    "event messageStart {}",
                    "exception throttlingException {\"a\":1}",
                    "BadChecksum",
                    "EventLimit { limit: 150 }",
                    "Malformed",
                    "event last "
                ]
            );
        }
    }

    #[test]
    fn every_flipped_bit_is_seen() {
        let right = frame(&[(":event-type", "messageStart")], b"{\"role\":\"assistant\"}");
        for bit in 0..right.len() * 8 {
            let mut wrong = right.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            let seen = read_all(&wrong, wrong.len(), 1 << 20);
            assert!(matches!(seen[0].as_str(), "BadChecksum" | "Lost"), "bit {bit}: {seen:?}");
        }
        assert_eq!(read_all(&right[..right.len() - 1], 5, 1 << 20), ["Truncated"]);
    }
}
