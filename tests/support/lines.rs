//! The line format of the cases in `tests/cases`.
//!
//! `CODE AT KNOWN_AT POINTER TEXT`, divided by single spaces; `-` where only the end makes it known, `""` for the root.
//! In POINTER and TEXT `<hh>` is the byte hh; every other character stands for itself. `#` begins a comment.

/// One text and what is said of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Case {
    /// `ok` for a text that is accepted.
    pub code: String,
    pub at: u64,
    pub known_at: Option<u64>,
    pub pointer: String,
    pub text: Vec<u8>,
    pub quote: Option<Quote>,
}

/// A suspect quote: a line `quote AT LINE:COLUMN POINTER` after the case.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Quote {
    pub at: u64,
    pub line: u32,
    pub column: u32,
    pub pointer: String,
}

pub fn parse(file: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (number, line) in file.lines().enumerate() {
        let read = match line {
            "" => Some(()),
            line if line.starts_with('#') => Some(()),
            line => match line.strip_prefix("quote ") {
                Some(quote) => cases.last_mut().zip(parse_quote(quote)).map(|(case, quote)| case.quote = Some(quote)),
                None => parse_case(line).map(|case| cases.push(case)),
            },
        };
        assert!(read.is_some(), "line {} is no case: {line}", number + 1);
    }
    cases
}

pub fn write(case: &Case) -> String {
    let known_at = case.known_at.map_or("-".into(), |known| known.to_string());
    let pointer = if case.pointer.is_empty() { "\"\"".into() } else { escape(case.pointer.as_bytes(), b" ") };
    format!("{} {} {known_at} {pointer} {}", case.code, case.at, escape(&case.text, b""))
}

fn parse_case(line: &str) -> Option<Case> {
    let mut parts = line.splitn(5, ' ');
    let code = parts.next()?.to_owned();
    let at = parts.next()?.parse().ok()?;
    let known_at = match parts.next()? {
        "-" => None,
        known => Some(known.parse().ok()?),
    };
    let pointer = pointer(parts.next()?)?;
    Some(Case { code, at, known_at, pointer, text: unescape(parts.next().unwrap_or("")), quote: None })
}

fn parse_quote(line: &str) -> Option<Quote> {
    let mut parts = line.split(' ');
    let at = parts.next()?.parse().ok()?;
    let (line, column) = parts.next()?.split_once(':')?;
    let pointer = pointer(parts.next()?)?;
    Some(Quote { at, line: line.parse().ok()?, column: column.parse().ok()?, pointer })
}

fn pointer(part: &str) -> Option<String> {
    if part == "\"\"" { Some(String::new()) } else { String::from_utf8(unescape(part)).ok() }
}

fn escape(bytes: &[u8], also: &[u8]) -> String {
    let last = bytes.len().saturating_sub(1);
    let mut out = String::new();
    for (i, &byte) in bytes.iter().enumerate() {
        let plain =
            matches!(byte, b' '..=b'~') && byte != b'<' && !(byte == b' ' && i == last) && !also.contains(&byte);
        if plain {
            out.push(byte as char);
        } else {
            out.push_str(&format!("<{byte:02x}>"));
        }
    }
    out
}

pub fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.extend(rest[..at].bytes());
        let byte = rest.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        assert!(rest.get(at + 3..at + 4) == Some(">"), "`<hh>` is expected: {rest}");
        out.push(byte.expect("two hexadecimal digits"));
        rest = &rest[at + 4..];
    }
    out.extend(rest.bytes());
    out
}
