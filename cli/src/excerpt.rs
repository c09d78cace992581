//! The part of a rejected text that a report shows, with the place that is spoken of.
//!
//! Where the place is in a string, the string is shown as the tool would have received it: decoded, in its own lines.
//! Elsewhere the text is shown as it was sent.

use std::collections::VecDeque;
use std::fmt::Write;
use std::ops::Range;

use argseal::{Call, Limits, Rejected, Settings};

use crate::printable::{clipped, printable};

/// Lines around a place, ready to print.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Excerpt {
    /// What the lines are of: a JSON Pointer, or words.
    pub(crate) origin: String,
    /// Line of the place, from 1, in all of the string or text.
    pub(crate) line: usize,
    /// Column of the place, from 1, in characters.
    pub(crate) column: usize,
    /// Number of the first line that is shown.
    pub(crate) first_line: usize,
    /// The lines that are shown, with what does not print as itself escaped.
    pub(crate) source: String,
    /// The place in `source`.
    pub(crate) span: Range<usize>,
}

impl Excerpt {
    /// Around the suspect quote, or else around the place of the diagnosis; `None` where it names no place.
    pub(crate) fn of(rejected: &Rejected) -> Option<Self> {
        let diagnosis = rejected.diagnosis();
        let at = diagnosis.suspect_quote().map(|quote| quote.at).or(diagnosis.at())?;
        let bytes = [rejected.raw().as_bytes(), rejected.raw_tail()].concat();
        let at = usize::try_from(at).ok()?.min(bytes.len());
        Some(match StringAt::of(&bytes, at) {
            Some(open) => {
                let marked = open.resume..(at + 1).min(bytes.len());
                let origin = if open.pointer.is_empty() { ROOT } else { &open.pointer };
                let rest = unescaped(&text(&bytes[marked.end..(marked.end + MAX_REST).min(bytes.len())]));
                Self::new(origin, &open.decoded, &text(&bytes[marked]), &rest)
            }
            None => {
                let marked = bytes[at..].utf8_chunks().next().map_or(0, |chunk| match chunk.valid().chars().next() {
                    Some(c) => c.len_utf8(),
                    None => chunk.invalid().len(),
                });
                let end = at + marked;
                let rest = text(&bytes[end..(end + MAX_REST).min(bytes.len())]);
                Self::new(SENT, &text(&bytes[..at]), &text(&bytes[at..end]), &rest)
            }
        })
    }

    /// Whether the column of the place in `source` is its column in the string: nothing before it on its line is cut or
    /// escaped.
    pub(crate) fn shows_its_column(&self) -> bool {
        let line = self.source[..self.span.start].rsplit('\n').next().unwrap_or_default();
        line.chars().count() + 1 == self.column
    }

    /// What is before the place, at it, and after it.
    fn new(origin: &str, before: &str, marked: &str, rest: &str) -> Self {
        let before = before.replace("\r\n", "\n").replace('\r', "\n");
        let line = before.matches('\n').count() + 1;
        let last = before.rsplit('\n').next().unwrap_or_default();
        let column = last.chars().count() + 1;
        let mut source = String::new();
        let shown: Vec<&str> = before.rsplit('\n').skip(1).take(LINES_BEFORE).collect();
        for earlier in shown.iter().rev() {
            source.push_str(&beginning(earlier, MAX_LINE));
            source.push('\n');
        }
        source.push_str(&ending(last));
        let start = source.len();
        // A line feed is shown by the line that it ends.
        let (marked, feed) = match marked {
            "\n" | "\r" => ("", "\n"),
            _ => (marked, ""),
        };
        source.push_str(&plain(marked));
        let span = start..source.len();
        source.push_str(feed);
        for (i, later) in rest.replace("\r\n", "\n").replace('\r', "\n").split('\n').take(LINES_AFTER + 1).enumerate() {
            if i > 0 {
                source.push('\n');
            }
            source.push_str(&beginning(later, if i == 0 { MAX_AFTER } else { MAX_LINE }));
        }
        Self {
            origin: clipped(origin, MAX_ORIGIN).into_owned(),
            line,
            column,
            first_line: line - shown.len(),
            source,
            span,
        }
    }
}

/// The string value that is open before a place.
struct StringAt {
    pointer: String,
    /// The string up to the place, without a half escape or sequence.
    decoded: String,
    /// Offset of the first byte that is not in `decoded`.
    resume: usize,
}

impl StringAt {
    fn of(bytes: &[u8], at: usize) -> Option<Self> {
        let settings = Settings::default().with_limits(Limits::max()).any_root();
        let mut call = Call::default().with_settings(&settings);
        let start = at.saturating_sub(LONGEST_HELD_BACK);
        call.feed_bytes(&bytes[..start]);
        let mut len = call.partial().open().map(|(_, text)| text.len());
        let mut resume = start;
        for i in start..at {
            call.feed_bytes(&bytes[i..=i]);
            let now = call.partial().open().map(|(_, text)| text.len());
            if now != len {
                len = now;
                resume = i + 1;
            }
        }
        let partial = call.partial();
        let (pointer, decoded) = partial.open()?;
        Some(Self { pointer: pointer.to_string(), decoded: decoded.to_owned(), resume })
    }
}

/// Bytes of two `\uXXXX` escapes: no more is ever held back inside a string.
const LONGEST_HELD_BACK: usize = 12;

/// Bytes as text; those that are not UTF-8 as `\xNN`.
fn text(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// What was probably meant to be inside the string: its plain escapes decoded, all others as they are.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some(c @ ('"' | '\\' | '/')) => out.push(c),
            Some(c) => out.extend(['\\', c]),
            None => out.push('\\'),
        }
    }
    out
}

/// One line without what moves the cursor; tabs as four blanks.
fn plain(line: &str) -> String {
    printable(&line.replace('\t', "    ")).into_owned()
}

/// The beginning of one line, of at most so many columns.
fn beginning(line: &str, max: usize) -> String {
    let mut columns = 0;
    let mut end = 0;
    for unit in units(line) {
        columns += width(unit);
        if columns > max {
            return plain(&line[..end]) + "…";
        }
        end += unit.len();
    }
    plain(line)
}

/// The end of one line, up to the place.
fn ending(line: &str) -> String {
    let mut window: VecDeque<&str> = VecDeque::new();
    let mut columns = 0;
    let mut start = unit_start(line, line.len().saturating_sub(MAX_BEFORE * LONGEST_UNIT));
    for unit in units(&line[start..]) {
        columns += width(unit);
        window.push_back(unit);
        while columns > MAX_BEFORE
            && let Some(first) = window.pop_front()
        {
            columns -= width(first);
            start += first.len();
        }
    }
    let cut = if start > 0 { "…" } else { "" };
    format!("{cut}{}", plain(&line[start..]))
}

/// What is never cut in two: an escape as it was sent, or a character, which may be shown as an escape.
fn units(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let mut chars = rest.chars();
        let mut len = chars.next()?.len_utf8();
        if rest.starts_with('\\')
            && let Some(kind) = chars.next()
        {
            let digits = match kind {
                'u' => 4,
                'x' => 2,
                _ => 0,
            };
            len += kind.len_utf8() + chars.take(digits).take_while(char::is_ascii_hexdigit).count();
        }
        let (unit, after) = rest.split_at(len);
        rest = after;
        Some(unit)
    })
}

/// The last start of a unit before an offset, or at it.
fn unit_start(line: &str, at: usize) -> usize {
    let bytes = line.as_bytes();
    let near = at.saturating_sub(LONGEST_UNIT);
    match bytes[near..at].iter().position(|&byte| byte == b'\\') {
        // The first backslash of several begins a unit: what is before it is no part of an escape that goes on.
        Some(slash) => bytes[..near + slash].iter().rposition(|&byte| byte != b'\\').map_or(0, |before| before + 1),
        None => (near..=at).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0),
    }
}

/// The columns that a unit may take on a terminal.
fn width(unit: &str) -> usize {
    if unit.bytes().all(|byte| byte.is_ascii_graphic()) {
        return unit.len();
    }
    plain(unit).chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

/// Of a text that is shown as it was sent.
const SENT: &str = "text as sent";

/// Of a string that is the root.
const ROOT: &str = "root";

const LINES_BEFORE: usize = 3;
const LINES_AFTER: usize = 1;

/// Bytes of `\uXXXX`.
const LONGEST_UNIT: usize = 6;

/// Columns of a line before the place.
const MAX_BEFORE: usize = 60;

/// Columns of its line after the place.
const MAX_AFTER: usize = 40;

/// Columns of the lines around.
const MAX_LINE: usize = 100;

/// Characters of a pointer that are shown.
const MAX_ORIGIN: usize = 80;

/// Bytes read after the place: enough for two lines.
const MAX_REST: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::*;
    use argseal::End;

    fn excerpt(text: &[u8]) -> Excerpt {
        let mut call = Call::default();
        call.feed_bytes(text);
        Excerpt::of(&call.finish(End::Complete).expect_err("rejected")).expect("a place")
    }

    #[test]
    fn a_place_in_a_string_is_shown_decoded() {
        let shown = excerpt(br#"{"code":"a\nb\n\u6771 say \"hi\"","x":"y \d z"}"#);
        assert_eq!((shown.origin.as_str(), shown.line, shown.column), ("/x", 1, 3));
        assert_eq!(shown.source, r#"y \d z"}"#);
        assert_eq!(&shown.source[shown.span], r"\d");
    }

    #[test]
    fn what_follows_a_suspect_quote_is_shown_as_it_was_meant() {
        let shown = excerpt(br#"{"code":"let a = 1;\nrun(\u6771, "x y")\n","d":1}"#);
        assert_eq!((shown.origin.as_str(), shown.line, shown.column, shown.first_line), ("/code", 2, 8, 1));
        assert_eq!(shown.source, "let a = 1;\nrun(東, \"x y\")\n\",\"d\":1}");
        assert_eq!(&shown.source[shown.span], "\"");
    }

    #[test]
    fn elsewhere_the_text_is_shown_as_sent() {
        let shown = excerpt(b"{\n  \"a\": 1,\n}");
        assert_eq!((shown.origin.as_str(), shown.line, shown.column), (SENT, 3, 1));
        assert_eq!(shown.source, "{\n  \"a\": 1,\n}");
        assert_eq!(&shown.source[shown.span], "}");
    }

    #[test]
    fn what_does_not_print_is_escaped() {
        let shown = excerpt("{\"a\":\"\u{202e}\u{1b}[31m\"}".as_bytes());
        assert_eq!(shown.source, r#"\u{202e}\u{001b}[31m"}"#);
        assert_eq!(&shown.source[shown.span], r"\u{001b}");
        let shown = excerpt(b"{\"a\":\"b\xff\"}");
        assert_eq!(&shown.source[shown.span.clone()], r"\xff");
        let shown = excerpt(b"{\"a\":\"one\ntwo\"}");
        assert_eq!((shown.source.as_str(), shown.span), ("one\ntwo\"}", 3..3));
    }

    #[test]
    fn a_cut_text_is_shown_to_its_end() {
        let shown = excerpt(br#"{"a":"b\u00e"#);
        assert_eq!((shown.source.as_str(), shown.span), (r"b\u00e", 1..6));
        let shown = excerpt(b"{");
        assert_eq!((shown.source.as_str(), shown.span), ("{", 1..1));
    }

    #[test]
    fn long_texts_are_cut_around_the_place() {
        let text =
            format!("{{\"a\":\"{}\\n{}\\q{}\"}}", "x\\n".repeat(5_000), "y".repeat(100_000), "z".repeat(100_000));
        let shown = excerpt(text.as_bytes());
        assert_eq!((shown.line, shown.column, shown.first_line), (5_002, 100_001, 4_999));
        assert!(shown.source.len() < 500);
    }

    #[test]
    fn a_window_begins_and_ends_with_whole_units() {
        for shift in 0..12 {
            let text = format!("{{\"a\":\"{}{}\\q", "x".repeat(shift), "\u{202e}".repeat(300));
            let shown = excerpt(text.as_bytes());
            let before = shown.source[..shown.span.start].strip_prefix('…').expect("cut");
            assert_eq!(before.replace(r"\u{202e}", "").len(), 0, "{before}");
            let text = format!("{{{}\"{}\": 1 \\{}", " ".repeat(shift), r"\u202e".repeat(300), r"\u202e".repeat(300));
            let shown = excerpt(text.as_bytes());
            let before = shown.source[..shown.span.start].strip_prefix('…').expect("cut");
            assert_eq!(before.replace(r"\u202e", ""), "\": 1 ", "{before}");
            let after = shown.source[shown.span.end..].strip_suffix('…').expect("cut");
            assert_eq!(after.replace(r"\u202e", ""), "", "{after}");
        }
    }

    #[test]
    fn a_long_pointer_is_clipped() {
        let shown = excerpt(format!("{{\"{}\":\"a\\q", "k".repeat(100_000)).as_bytes());
        assert!(shown.origin.len() < 100 && shown.origin.ends_with('…'), "{}", shown.origin.len());
    }
}
