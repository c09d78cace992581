//! The engine against the plain interpreter of the step table, which reads character by character and keeps everything.

#[cfg(test)]
mod tests;

use super::observation::Heard;
use super::{Shown, pieces, shown, values};
use argseal::_internals::Plain;
use argseal::{Call, Code, Limits, Settings};

/// What is known of a text once some of it was read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reading {
    /// What a sink heard, where one listens; adjacent text is merged.
    pub events: Option<Vec<String>>,
    /// The values that are shown, in text order.
    pub values: Vec<Shown>,
    /// The string that is being written: its place and its text.
    pub open: Option<(String, String)>,
    /// Why nothing more is read: code, offset, bytes consumed when it was known, place.
    pub stopped: Option<(Code, u64, u64, String)>,
    /// Nothing but blanks may follow.
    pub complete: bool,
}

/// How a call is read: each has a path of its own through the engine.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Way {
    /// With a sink.
    Heard,
    /// As bytes, and looked at only in the end.
    Unwatched,
    /// Looked at now and then, which makes decoded copies that have to grow with the text.
    Watched,
}

/// The engine reads the text as the plain interpreter does, however it is cut and read: events, values, the open string
/// and where it stops. What is shown at a cut is exactly what is certain there, neither more nor less.
pub fn reads_plainly(text: &str, cuts: &[usize]) {
    for way in [Way::Heard, Way::Unwatched, Way::Watched] {
        reads_plainly_of(|pieces| readings(pieces, way), text, cuts);
    }
}

/// [`reads_plainly`] of something else than the engine: it answers what is known after each piece, if it looked.
pub fn reads_plainly_of(read: impl Fn(&[&[u8]]) -> Vec<Option<Reading>>, text: &str, cuts: &[usize]) {
    let pieces = pieces(text.as_bytes(), cuts);
    let readings = read(&pieces);
    assert!(matches!(readings.last(), Some(Some(_))), "the whole text is not looked at");
    let mut plain = Plain::default();
    let (mut consumed, mut read) = (0, 0);
    for (piece, reading) in pieces.iter().zip(readings) {
        consumed += piece.len();
        // Of a character that is cut, each may know what it likes.
        let (Some(reading), true) = (reading, text.is_char_boundary(consumed)) else { continue };
        plain.read(&text[read..consumed]);
        read = consumed;
        let wanted = reading_of(&plain, reading.events.is_some());
        let context = || format!("cut at {cuts:?}, after {consumed}: {}", shown(text.as_bytes()));
        assert!(reading.events == wanted.events, "other events, {}\n{reading:#?}\n{wanted:#?}", context());
        assert!(reading.stopped == wanted.stopped, "another stop, {}\n{reading:#?}\n{wanted:#?}", context());
        assert!(reading.values == wanted.values, "other values, {}\n{reading:#?}\n{wanted:#?}", context());
        assert!(reading.open == wanted.open, "another open string, {}\n{reading:#?}\n{wanted:#?}", context());
        assert!(reading.complete == wanted.complete, "ends elsewhere, {}\n{reading:#?}\n{wanted:#?}", context());
    }
}

/// What the plain interpreter knows.
fn reading_of(plain: &Plain, heard: bool) -> Reading {
    let value = |(pointer, kind, text, closed)| Shown { pointer, kind, text, closed };
    Reading {
        events: heard.then(|| plain.events.clone()),
        values: plain.values().into_iter().map(value).collect(),
        open: plain.open().map(|(at, text)| (at.to_owned(), text.to_owned())),
        stopped: plain.stopped.clone().map(|stopped| (stopped.code, stopped.at, stopped.known_at, stopped.pointer)),
        complete: plain.is_complete(),
    }
}

/// What the engine knows.
pub(super) fn readings(pieces: &[&[u8]], way: Way) -> Vec<Option<Reading>> {
    const LOOKS: usize = 4;
    let settings = Settings::passthrough().any_root().with_limits(Limits::max());
    let mut call = Call::default().with_settings(&settings);
    let mut heard = Heard::default();
    let mut readings = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        match (way, std::str::from_utf8(piece)) {
            (Way::Heard, Ok(text)) => call.feed_with(text, &mut heard),
            (Way::Heard, Err(_)) => call.feed_bytes_with(piece, &mut heard),
            (Way::Watched, Ok(text)) => call.feed(text),
            (Way::Watched, Err(_)) | (Way::Unwatched, _) => call.feed_bytes(piece),
        };
        let last = i + 1 == pieces.len();
        let looks = last || way != Way::Unwatched && i % (pieces.len() / LOOKS + 1) == 0;
        readings.push(looks.then(|| Reading {
            events: (way == Way::Heard).then(|| heard.events.clone()),
            values: call.partial().root().map(values).unwrap_or_default(),
            open: call.partial().open().map(|(at, text)| (at.to_string(), text.to_owned())),
            stopped: call.diagnosis().map(|told| {
                let known = |offset: Option<u64>| offset.expect("a stop has its offsets");
                (told.code(), known(told.at()), known(told.known_at()), told.pointer().unwrap_or_default().to_owned())
            }),
            complete: call.is_complete(),
        }));
    }
    readings
}
