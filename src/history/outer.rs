//! Where the messages stand in the text.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

/// The messages of a conversation.
pub(super) struct Outer {
    /// Each one's place in the text.
    pub(super) messages: Vec<Range<usize>>,
    /// Whether the whole conversation is here, not only what follows on a part that the provider keeps.
    pub(super) is_whole: bool,
}

/// A request body.
#[derive(Deserialize)]
struct Body<'b> {
    #[serde(borrow)]
    messages: Option<&'b RawValue>,
    #[serde(borrow)]
    input: Option<&'b RawValue>,
    #[serde(borrow)]
    previous_response_id: Option<&'b RawValue>,
    #[serde(borrow)]
    conversation: Option<&'b RawValue>,
}

impl Outer {
    /// Reads an array of messages, or a body that holds one.
    pub(super) fn read(text: &str) -> Result<Self, Unreadable> {
        if text.trim_start().starts_with('[') {
            return Ok(Self { messages: list(text, text)?, is_whole: true });
        }
        let body: Body<'_> = serde_json::from_str(text)?;
        let is_whole = body.previous_response_id.is_none() && body.conversation.is_none();
        let messages = match (body.messages, body.input) {
            (Some(messages), _) => list(messages.get(), text)?,
            // Responses takes one message of the user as a plain string.
            (None, Some(input)) if input.get().starts_with('"') => Vec::new(),
            (None, Some(input)) => list(input.get(), text)?,
            (None, None) => return Err(Unreadable("neither `messages` nor `input` is there".to_owned())),
        };
        Ok(Self { messages, is_whole })
    }
}

/// The elements of an array that is a part of `text`.
fn list(array: &str, text: &str) -> Result<Vec<Range<usize>>, Unreadable> {
    let elements: Vec<&RawValue> = serde_json::from_str(array)?;
    let place = |element: &&RawValue| {
        let start = element.get().as_ptr().addr() - text.as_ptr().addr();
        start..start + element.get().len()
    };
    Ok(elements.iter().map(place).collect())
}

/// Why there is no conversation to read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Unreadable(String);

impl From<serde_json::Error> for Unreadable {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no list of messages: {}", self.0)
    }
}

impl std::error::Error for Unreadable {}
