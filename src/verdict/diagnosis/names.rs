//! Names that someone else chose, made safe to print: clipped and escaped.

use std::borrow::Cow;
use std::fmt::Write;

/// The longest name in words, in characters.
pub(super) const NAME: usize = 40;

/// The longest name inside a path of several, in characters.
const SEGMENT: usize = 18;

/// The name in back quotes, with at most `most` characters between them; a clipped name ends in `…`.
pub(super) fn quoted(name: &str, most: usize) -> String {
    format!("`{}`", safe(name, most))
}

/// Words of the schema, with at most `most` characters; quotes in them stand as they are.
pub(super) fn clipped(words: &str, most: usize) -> String {
    clip(words, most, escape_unseen)
}

/// The place that a pointer names, as words: `the arguments`, ``member `a` ``, ``member `/a/0/b` ``.
pub(super) fn place(pointer: Option<&str>) -> String {
    match pointer.and_then(|pointer| pointer.strip_prefix('/')) {
        None => "the arguments".to_owned(),
        Some(path) if path.contains('/') => format!("member `{}`", shorten(path)),
        Some(name) => format!("member {}", quoted(&unescape(name), NAME)),
    }
}

/// The member of the root that the pointer leads through.
pub(super) fn member(pointer: &str) -> Option<Cow<'_, str>> {
    pointer.strip_prefix('/')?.split('/').next().map(unescape)
}

/// The class of the character that begins with this byte: what may be said of a text without repeating it.
pub(crate) fn byte_class(byte: u8) -> &'static str {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => "a letter",
        b'0'..=b'9' => "a digit",
        b'"' => "a double quote",
        b'\'' => "a single quote",
        b'`' => "a back quote",
        b'\\' => "a backslash",
        b',' => "a comma",
        b':' => "a colon",
        b'{' | b'[' => "an opening bracket",
        b'}' | b']' => "a closing bracket",
        b' ' | b'\t' | b'\r' | b'\n' => "a blank",
        0x00..=0x1F | 0x7F => "a control character",
        0x80..=0xFF => "a character outside ASCII",
        _ => "a punctuation mark",
    }
}

/// The first two and the last names of a path of several.
fn shorten(path: &str) -> String {
    let mut text = String::new();
    let mut rest = path;
    for _ in 0..2 {
        let Some((name, after)) = rest.split_once('/') else { break };
        text.push('/');
        text.push_str(&safe(name, SEGMENT));
        rest = after;
    }
    if let Some((_, last)) = rest.rsplit_once('/') {
        text.push_str("/…");
        rest = last;
    }
    text.push('/');
    text.push_str(&safe(rest, SEGMENT));
    text
}

fn safe(name: &str, most: usize) -> String {
    clip(name, most, escape)
}

/// Clips, and appends one character after the other by `push`, which may escape it.
fn clip(text: &str, most: usize, push: fn(char, &mut String)) -> String {
    let mut clipped = String::new();
    let mut length = 0;
    let mut kept = 0;
    for c in text.chars() {
        let at = clipped.len();
        push(c, &mut clipped);
        length += clipped[at..].chars().count();
        if length > most {
            clipped.truncate(kept);
            clipped.push('…');
            break;
        }
        // Room for the mark that it was clipped.
        if length < most {
            kept = clipped.len();
        }
    }
    clipped
}

/// Appends one character as in a JSON string; a back quote, which would end the quotation, is escaped too.
fn escape(c: char, text: &mut String) {
    match c {
        '"' | '\\' => {
            text.push('\\');
            text.push(c);
        }
        '`' => text.push_str("\\u0060"),
        c => escape_unseen(c, text),
    }
}

/// Appends one character, escaped if it is a control character, invisible, or turns the reading direction.
fn escape_unseen(c: char, text: &mut String) {
    match c {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        c if c.is_control() || is_invisible(c) => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
        c => text.push(c),
    }
}

/// Format characters: joiners, bidirectional controls, line separators, fillers, variation selectors and tags.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// The name that one reference token of a JSON Pointer stands for (RFC 6901, section 4).
fn unescape(token: &str) -> Cow<'_, str> {
    if token.contains('~') { Cow::Owned(token.replace("~1", "/").replace("~0", "~")) } else { Cow::Borrowed(token) }
}

#[cfg(test)]
mod tests {
    use super::{member, place, quoted};

    #[test]
    fn places_are_named() {
        let cases = [
            (None, "the arguments"),
            (Some(""), "the arguments"),
            (Some("/command"), "member `command`"),
            (Some("/"), "member ``"),
            (Some("/a~1b~0c"), "member `a/b~c`"),
            (Some("/edits/0/new_text"), "member `/edits/0/new_text`"),
            (Some("/a/b/c/d/e"), "member `/a/b/…/e`"),
            (Some("/a/b"), "member `/a/b`"),
            (Some("/an_exceedingly_long_name/x"), "member `/an_exceedingly_lo…/x`"),
        ];
        for (pointer, words) in cases {
            assert_eq!(place(pointer), words);
        }
        assert_eq!(member("/a~1b/0").as_deref(), Some("a/b"));
        assert_eq!(member(""), None);
    }

    #[test]
    fn names_are_clipped_and_escaped() {
        let cases = [
            ("plain", "`plain`"),
            ("12345678", "`12345678`"),
            ("123456789", "`1234567…`"),
            ("a\nb\"c", "`a\\nb\\\"c`"),
            ("1234567\n", "`1234567…`"),
            ("\u{202E}x", "`\\u202ex`"),
            ("\u{E0041}", "`…`"),
            ("`", "`\\u0060`"),
            ("日本語", "`日本語`"),
        ];
        for (name, words) in cases {
            assert_eq!(quoted(name, 8), words);
        }
    }
}
