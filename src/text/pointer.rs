//! Where the machine stands: the open containers and the member of each, shown as a JSON Pointer (RFC 6901).

use std::fmt;

use smallvec::SmallVec;

use crate::text::wide;

/// The kind of an open container.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Container {
    Array,
    Object,
}

/// One open container.
#[derive(Clone, Copy)]
struct Frame {
    /// Its node in the document.
    node: u32,
    /// Where the name of its current member begins in `Pointer::names`.
    name_start: u32,
    /// Index of its current element.
    index: u32,
    container: Container,
    /// Whether the name of the current member is complete.
    named: bool,
}

/// The place of a value in the text: the machine's own nesting stack, which costs no copy to lend.
///
/// [`Display`](fmt::Display) writes it as RFC 6901 says (`~0` for `~`, `~1` for `/`); the root is the empty string.
#[derive(Clone, Default)]
pub struct Pointer {
    frames: SmallVec<[Frame; 4]>,
    /// The current member names of the open objects, one after the other.
    names: String,
}

/// One step of a [`Pointer`].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Token<'p> {
    /// The element of an array, counted from 0.
    Index(u32),
    /// The member of an object, decoded.
    Name(&'p str),
}

impl Pointer {
    pub(crate) fn push(&mut self, container: Container, node: u32) {
        let name_start = self.names.len() as u32;
        self.frames.push(Frame { node, name_start, index: 0, container, named: false });
    }

    /// Leaves the innermost container; its node.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        let frame = self.frames.pop()?;
        self.names.truncate(frame.name_start as usize);
        Some(frame.node)
    }

    pub(crate) fn name(&mut self, name: &str) {
        if let Some(frame) = self.frames.last_mut() {
            self.names.truncate(frame.name_start as usize);
            if !wide::append(&mut self.names, name) {
                self.names.reserve(name.len() + wide::SHORT);
                self.names.push_str(name);
            }
            frame.named = true;
        }
    }

    /// Goes past the comma: to the next element, or to a member whose name is not known yet.
    #[inline]
    pub(crate) fn advance(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.index = frame.index.saturating_add(1);
            frame.named = false;
        }
    }

    /// The innermost open container.
    #[inline]
    pub(crate) fn innermost(&self) -> Option<Container> {
        self.frames.last().map(|frame| frame.container)
    }

    /// The name of the innermost object's current member.
    pub(crate) fn innermost_name(&self) -> &str {
        self.frames.last().and_then(|frame| self.names.get(frame.name_start as usize..)).unwrap_or_default()
    }

    /// The name of the member of the root that the machine is in, if it is in one.
    pub(crate) fn root_member(&self) -> Option<&str> {
        match self.tokens().next() {
            Some(Token::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// How many containers are open.
    #[inline]
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The steps from the root: for each open container the member or element that the machine is at. An object whose
    /// next name is not complete adds none.
    pub fn tokens(&self) -> impl Iterator<Item = Token<'_>> {
        self.frames.iter().enumerate().filter_map(|(i, frame)| match frame.container {
            Container::Array => Some(Token::Index(frame.index)),
            Container::Object if frame.named => {
                let end = self.frames.get(i + 1).map_or(self.names.len(), |next| next.name_start as usize);
                self.names.get(frame.name_start as usize..end).map(Token::Name)
            }
            Container::Object => None,
        })
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let frames = if self.frames.spilled() { self.frames.capacity() * size_of::<Frame>() } else { 0 };
        frames + self.names.capacity()
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tokens().try_for_each(|token| write_token(f, token))
    }
}

/// Writes `/` and the token, escaped.
pub(crate) fn write_token(out: &mut impl fmt::Write, token: Token<'_>) -> fmt::Result {
    out.write_char('/')?;
    match token {
        Token::Index(index) => write!(out, "{index}"),
        Token::Name(name) => name.chars().try_for_each(|c| match c {
            '~' => out.write_str("~0"),
            '/' => out.write_str("~1"),
            c => out.write_char(c),
        }),
    }
}

/// The decoded tokens of an RFC 6901 text. A text that does not begin with `/` names the root.
pub(crate) fn parse(pointer: &str) -> impl Iterator<Item = String> + '_ {
    pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~"))
}

/// The array index that a token is (RFC 6901, section 4): digits without a leading zero.
pub(crate) fn index(token: &str) -> Option<u32> {
    let plain = token.bytes().all(|byte| byte.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    if plain { token.parse().ok() } else { None }
}

impl PartialEq<str> for Pointer {
    fn eq(&self, other: &str) -> bool {
        struct Rest<'o>(&'o str);
        impl fmt::Write for Rest<'_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0 = self.0.strip_prefix(text).ok_or(fmt::Error)?;
                Ok(())
            }
        }
        let mut rest = Rest(other);
        self.tokens().try_for_each(|token| write_token(&mut rest, token)).is_ok() && rest.0.is_empty()
    }
}

impl PartialEq<&str> for Pointer {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

/// Prints the depth only: member names are contents.
impl fmt::Debug for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pointer").field("depth", &self.depth()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::index;

    #[test]
    fn an_index_has_one_spelling() {
        assert_eq!([index("0"), index("10")], [Some(0), Some(10)]);
        for token in ["", "-", "01", "00", "+1", "-1", " 1", "1.0", "4294967296", "\u{0661}"] {
            assert_eq!(index(token), None, "{token:?}");
        }
    }
}
