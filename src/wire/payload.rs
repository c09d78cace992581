//! Reading the JSON around the calls: borrowed, tolerant of members that have an unexpected type.

use serde::de::{Deserialize, Deserializer, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Calls `read` with every object of an event's data.
///
/// Usually there is one. Proxies that drop blank lines put several into one event; keep-alives hold `null` or nothing.
/// `Err` if the data is not JSON, or if an object is not a payload of the format.
pub(super) fn objects<'d, P: Deserialize<'d>>(data: &'d str, mut read: impl FnMut(P)) -> Result<(), serde_json::Error> {
    if let Ok(payload) = serde_json::from_str(data) {
        read(payload);
        return Ok(());
    }
    for value in serde_json::Deserializer::from_str(data).into_iter::<&RawValue>() {
        let value = value?.get();
        if value.starts_with('{') {
            read(serde_json::from_str(value)?);
        }
    }
    Ok(())
}

/// Argument text, from the member that carries it: the content of a string, or else the source text of the value.
///
/// Half a surrogate pair, escaped alone, stays what it is, three bytes; the call joins or rejects it.
pub(super) fn piece(value: Option<&RawValue>) -> Option<Cow<'_, [u8]>> {
    let source = value?.get();
    if source.starts_with('"') {
        serde_json::from_str::<Piece<'_>>(source).ok().map(|piece| piece.0)
    } else {
        Some(Cow::Borrowed(source.as_bytes()))
    }
}

/// The content of a member that is a string.
pub(super) fn text(value: Option<&RawValue>) -> Option<Cow<'_, str>> {
    let source = value?.get();
    let piece = serde_json::from_str::<Piece<'_>>(source).ok()?;
    Some(match piece.0 {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    })
}

/// A member that is a count, as a number or as a string of digits.
pub(super) fn number(value: Option<&RawValue>) -> Option<u64> {
    value?.get().trim_matches('"').parse().ok()
}

/// A member that is an array; anything else counts as an empty one.
pub(super) fn list<'d, T: Deserialize<'d>>(value: Option<&'d RawValue>) -> Result<Vec<T>, serde_json::Error> {
    match value.map(RawValue::get) {
        Some(source) if source.starts_with('[') => serde_json::from_str(source),
        Some(_) | None => Ok(Vec::new()),
    }
}

/// As [`complaint`], of data that may be no JSON.
pub(super) fn complaint_in(data: &str) -> String {
    serde_json::from_str(data).map_or_else(|_| clip(data), complaint)
}

/// One line that says what an error payload says: its type or code, and its message.
pub(super) fn complaint(error: &RawValue) -> String {
    let Ok(outer) = serde_json::from_str::<Complaint<'_>>(error.get()) else {
        return clip(&text(Some(error)).unwrap_or_default());
    };
    let inner = outer.error.and_then(|inner| serde_json::from_str(inner.get()).ok());
    let said: Complaint<'_> = inner.unwrap_or(outer);
    let kind = text(said.kind).filter(|kind| kind != "error");
    let code = text(said.code).or_else(|| number(said.code).map(|code| code.to_string().into()));
    let message = text(said.message).or_else(|| text(said.error));
    clip(&[kind, code, message].into_iter().flatten().collect::<Vec<_>>().join(": "))
}

#[derive(serde::Deserialize)]
struct Complaint<'c> {
    #[serde(borrow)]
    code: Option<&'c RawValue>,
    /// The error itself, in the payloads that wrap it.
    error: Option<&'c RawValue>,
    message: Option<&'c RawValue>,
    #[serde(rename = "type")]
    kind: Option<&'c RawValue>,
}

fn clip(said: &str) -> String {
    let mut clipped: String = said.chars().filter(|c| !c.is_control()).take(MAX_COMPLAINT).collect();
    if clipped.is_empty() {
        clipped.push_str("an error without a message");
    }
    clipped
}

/// Characters of a provider's message that are kept.
const MAX_COMPLAINT: usize = 300;

/// The content of a JSON string, which need not be UTF-8.
struct Piece<'p>(Cow<'p, [u8]>);

impl<'de> Deserialize<'de> for Piece<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Content;
        impl<'de> Visitor<'de> for Content {
            type Value = Piece<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Piece<'de>, E> {
                Ok(Piece(Cow::Borrowed(bytes)))
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Piece<'de>, E> {
                Ok(Piece(Cow::Owned(bytes.to_vec())))
            }
        }
        deserializer.deserialize_bytes(Content)
    }
}
