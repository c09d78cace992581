//! Text of others made safe to print on a terminal.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with every character escaped that moves the cursor, colours, reorders or hides what is printed.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_plain(c) {
            out.push(c);
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\u{{{:04x}}}", u32::from(c));
        }
    }
    out.into()
}

/// The text, cut to `max` characters.
pub(crate) fn clipped(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", printable(&text[..end])).into(),
        None => printable(text),
    }
}

/// Prints as itself, in its place. Not: controls (Cc), line and paragraph separators, the bidirectional and the invisible
/// format characters (Cf), variation tags. The zero-width joiner stays: emoji are written with it.
fn is_plain(c: char) -> bool {
    !(c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_does_not_print_as_itself() {
        assert_eq!(printable("ls -la 東京 👩‍💻"), "ls -la 東京 👩‍💻");
        assert_eq!(printable("\x1b[31mred"), r"\u{001b}[31mred");
        assert_eq!(printable("a\u{202e}b\u{200b}"), r"a\u{202e}b\u{200b}");
        assert_eq!(printable("\u{9b}31m\r\n\t"), r"\u{009b}31m\u{000d}\u{000a}\u{0009}");
    }

    #[test]
    fn clips_at_characters() {
        assert_eq!(clipped("äöü", 3), "äöü");
        assert_eq!(clipped("äöüß", 3), "äöü…");
    }
}
