//! AWS binary frames, masked: lengths stay, checksums are those of the masked bytes.

use argseal::wire::eventstream::checksum;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Known;
use crate::protocol::is_term;

/// Whether the stream is one of frames: they begin with their length, whose first byte is a zero.
pub(super) fn are_in(stream: &[u8]) -> bool {
    stream.first() == Some(&0)
}

/// The stream masked. A frame whose checksum is wrong stays wrong; where the frames cannot be told apart any more, nothing
/// is kept.
pub(super) fn masked(stream: &[u8], known: &mut Known) -> Vec<u8> {
    let mut out = Vec::with_capacity(stream.len());
    let mut rest = stream;
    while let Some((total, headers)) = lengths(rest) {
        let Some((frame, after)) = rest.split_at_checked(total) else {
            // The stream ended inside it.
            out.extend_from_slice(&rest[..PRELUDE]);
            out.resize(stream.len(), HIDDEN);
            return out;
        };
        let (body, stated) = frame.split_at(total - TRAILER);
        let begin = out.len();
        out.extend_from_slice(&body[..PRELUDE]);
        mask_headers(&body[PRELUDE..PRELUDE + headers], &mut out);
        out.extend(super::masked(&body[PRELUDE + headers..], known));
        let wrong = number(stated) ^ checksum(body);
        let right = checksum(&out[begin..]);
        out.extend_from_slice(&(right ^ wrong).to_be_bytes());
        rest = after;
    }
    // No prelude: as many zeros are none either.
    out.resize(stream.len(), 0);
    out
}

/// The base64 text of an event of the model's own stream, as InvokeModel wraps it, masked inside and quoted.
pub(super) fn masked_chunk(text: &str, known: &mut Known) -> Option<String> {
    let event = STANDARD.decode(text).ok().filter(|event| event.trim_ascii_start().starts_with(b"{"))?;
    Some(format!("\"{}\"", STANDARD.encode(super::masked(&event, known))))
}

/// The length of the frame and that of its headers, if the bytes begin with the prelude of one.
fn lengths(bytes: &[u8]) -> Option<(usize, usize)> {
    let prelude = bytes.get(..PRELUDE)?;
    let (total, headers) = (number(prelude) as usize, number(&prelude[4..]) as usize);
    let fits = total.checked_sub(PRELUDE + TRAILER).is_some_and(|room| headers <= room);
    (fits && number(&prelude[8..]) == checksum(&prelude[..8])).then_some((total, headers))
}

/// Names and values of headers stay where they are words of the protocol. From where they do not add up, nothing is kept.
fn mask_headers(headers: &[u8], out: &mut Vec<u8>) {
    let end = out.len() + headers.len();
    let mut rest = headers;
    while let Some(header) = Header::read(rest) {
        out.push(header.name.len() as u8);
        mask_text(header.name, out);
        out.push(header.kind);
        out.extend_from_slice(header.length);
        match header.kind {
            STRING => mask_text(header.value, out),
            _ => out.resize(out.len() + header.value.len(), 0),
        }
        rest = header.after;
    }
    out.resize(end, HIDDEN);
}

fn mask_text(text: &[u8], out: &mut Vec<u8>) {
    let is_known = std::str::from_utf8(text).is_ok_and(|text| MEDIA.contains(&text) || is_term(text));
    if is_known {
        out.extend_from_slice(text);
    } else {
        out.resize(out.len() + text.len(), HIDDEN);
    }
}

struct Header<'h> {
    name: &'h [u8],
    kind: u8,
    /// The bytes of the value's length, where it has one.
    length: &'h [u8],
    value: &'h [u8],
    after: &'h [u8],
}

impl<'h> Header<'h> {
    /// The first header of these bytes.
    fn read(bytes: &'h [u8]) -> Option<Self> {
        let (&len, rest) = bytes.split_first()?;
        let (name, rest) = rest.split_at_checked(len.into())?;
        let (&kind, rest) = rest.split_first()?;
        let (length, rest) = rest.split_at_checked(if matches!(kind, BYTES | STRING) { 2 } else { 0 })?;
        let size = match kind {
            BYTES | STRING => length.iter().fold(0, |size, byte| size << 8 | usize::from(*byte)),
            // true, false
            0 | 1 => 0,
            2 => 1,
            3 => 2,
            4 => 4,
            // 64-bit integer, timestamp
            5 | 8 => 8,
            // UUID
            9 => 16,
            _ => return None,
        };
        let (value, after) = rest.split_at_checked(size)?;
        Some(Self { name, kind, length, value, after })
    }
}

/// The big-endian number that the bytes begin with; there are four or more.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |number, byte| number << 8 | u32::from(*byte))
}

const PRELUDE: usize = 12;
const TRAILER: usize = 4;

/// The kinds of header values that have a length.
const BYTES: u8 = 6;
const STRING: u8 = 7;

/// Stands for a byte of which nothing is kept.
const HIDDEN: u8 = b'x';

/// Media types that a frame may name.
const MEDIA: [&str; 2] = ["application/json", "text/plain"];
