//! Calls for the tests, from a seed: valid, with every kind of token, and damaged.

use super::random::Random;

/// A valid call: an object with every kind of token.
pub fn call(random: &mut Random) -> Vec<u8> {
    let mut text = Vec::new();
    blank(random, &mut text);
    object(random, &mut text, 0);
    blank(random, &mut text);
    text
}

/// One to three mutations of a text.
pub fn mutate(random: &mut Random, text: &mut Vec<u8>) {
    for _ in 0..=random.below(3) {
        let at = random.below(text.len() + 1);
        let there = at < text.len();
        match random.below(9) {
            0 if there => {
                text.remove(at);
            }
            1 => text.insert(at, *random.pick(TELLING)),
            2 if there => text[at] = *random.pick(TELLING),
            3 if there => {
                let other = random.below(text.len());
                text.swap(at, other);
            }
            4 => text.truncate(at),
            5 => {
                let end = at + random.below(text.len() - at + 1);
                let piece = text[at..end].to_vec();
                text.splice(end..end, piece);
            }
            6 if there => text[at] = random.below(256) as u8,
            7 => text.insert(at, random.below(256) as u8),
            _ => {
                text.splice(at..at, random.pick(PIECES).iter().copied());
            }
        }
    }
}

fn object(random: &mut Random, text: &mut Vec<u8>, depth: usize) {
    text.push(b'{');
    blank(random, text);
    for i in 0..random.below(5) {
        if i > 0 {
            text.push(b',');
            blank(random, text);
        }
        string(random, text, 2);
        blank(random, text);
        text.push(b':');
        blank(random, text);
        value(random, text, depth + 1);
        blank(random, text);
    }
    text.push(b'}');
}

fn value(random: &mut Random, text: &mut Vec<u8>, depth: usize) {
    match random.below(if depth > 4 { 8 } else { 11 }) {
        0 => text.extend(b"true"),
        1 => text.extend(b"false"),
        2 => text.extend(b"null"),
        3 | 4 => text.extend(random.pick(NUMBERS).iter()),
        5..=7 => string(random, text, 6),
        8 | 9 => object(random, text, depth),
        _ => {
            text.push(b'[');
            blank(random, text);
            for i in 0..random.below(4) {
                if i > 0 {
                    text.push(b',');
                    blank(random, text);
                }
                value(random, text, depth + 1);
                blank(random, text);
            }
            text.push(b']');
        }
    }
}

fn string(random: &mut Random, text: &mut Vec<u8>, most: usize) {
    text.push(b'"');
    for _ in 0..random.below(most + 1) {
        text.extend(random.pick(STRINGS).as_bytes());
    }
    text.push(b'"');
}

fn blank(random: &mut Random, text: &mut Vec<u8>) {
    if random.once_in(4) {
        text.extend(*random.pick(&[b" ".as_slice(), b"\n", b"\t", b"\r\n", b"  "]));
    }
}

const STRINGS: &[&str] = &[
    "a",
    "path",
    "content",
    "a~b",
    "x/y",
    "ls -la | head",
    "caf\u{e9}",
    "\u{1f600}",
    "\u{ffff}",
    "\u{feff}",
    "\u{80}",
    "\\n",
    "\\t",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b\\f\\r",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\uFFFF",
    "\\u0000",
    "{}",
    "[1,2]",
    "://",
    "'",
    "`",
    "\u{7f}",
    "a longer piece of plain text, over several words",
    "",
];

const NUMBERS: &[&[u8]] = &[
    b"0",
    b"-0",
    b"7",
    b"-12",
    b"3.25",
    b"0.5e10",
    b"1E-7",
    b"2e+3",
    b"12345678901234567890",
    b"0.1",
    b"1e400",
    b"1e-400",
    b"18446744073709551616",
];

/// Bytes that mean something somewhere.
const TELLING: &[u8] = b"{}[]:,\"\\'/`<tfnNITFuxde0189.+-_ \n\t\x00\x1f\x7f\xc3\xa9\xe2\x82\xef\xbb\xbf\xf0\x9f\xff";

const PIECES: &[&[u8]] = &[
    b"\xef\xbb\xbf",
    b"\\u",
    b"\\ud83d",
    b"\\udc00",
    b"\xe2\x82",
    b"\xf0\x9f\x98",
    b"```",
    b"//",
    b"/* */",
    b"None",
    b"True",
    b"NaN",
    b"-Infinity",
    b"{}",
    b"\"\"",
    b"\"",
    b",",
    b"null",
    b"1.",
    b"-",
    b"</tool_call>",
    b"\xed\xa0\x80",
    b"\xc0\xaf",
];
