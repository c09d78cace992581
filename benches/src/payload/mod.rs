//! Texts to measure on: seeded, so that every run reads the same bytes, and shaped like what models write.

mod cut;
pub mod stream;
pub mod tool;

pub use cut::{Cut, byte_deltas, deltas, deltas_of_each};

/// A small generator of pseudo-random numbers (xorshift64*): the same everywhere and for ever.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Uniform below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize) % bound
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// A `write_file` call whose JSON text is about `bytes` long; its content reads like source code.
pub fn write_file(bytes: usize) -> String {
    call(&source(bytes, 7))
}

/// As many writes of `bytes` each as make `total` bytes, each of other text: what learns a short text by heart learns
/// nothing here.
pub fn write_files(bytes: usize, total: usize) -> Vec<String> {
    (0..total.div_ceil(bytes)).map(|i| call(&source(bytes, 7 + i as u64))).collect()
}

/// The same size without any escape inside of the content.
pub fn plain(bytes: usize) -> String {
    call(&source(bytes, 7).replace(['\n', '"', '\\', '\t'], " "))
}

/// The same size in Chinese, with line feeds and quotes as prose has them.
pub fn chinese(bytes: usize) -> String {
    let mut random = Random::new(3);
    let mut text = String::new();
    while text.len() < bytes {
        for _ in 0..20 + random.below(40) {
            text.extend(char::from_u32(0x4e00 + random.below(0x3000) as u32));
        }
        text.push_str(random.one(&["。", "，", "：“", "。\n"]));
    }
    call(&text)
}

/// Every character of the content as a `\u` escape.
pub fn escaped(bytes: usize) -> String {
    let mut random = Random::new(4);
    let mut text = String::from(r#"{"content":""#);
    while text.len() < bytes {
        text.push_str(&format!("\\u{:04x}", 0x4e00 + random.below(0x3000)));
    }
    text.push_str("\"}");
    text
}

/// A shell call of about 300 bytes.
pub fn shell() -> String {
    serde_json::json!({"command": COMMAND, "description": "Fetch, list the recent commits of the server and run its tests", "timeout": 120000})
        .to_string()
}

/// The command of [`shell`].
pub const COMMAND: &str = "cd /srv/app && git fetch --all --prune && git log --oneline -n 20 origin/main -- src/server \
                           | grep -v \"merge\" | head -n 12 && npm test -- --runInBand 2>&1 | tail -n 40";

/// Nested numbers and short strings, as an editing tool or a table of results has them.
pub fn nested(bytes: usize) -> String {
    let mut random = Random::new(5);
    let mut text = String::from(r#"{"rows":["#);
    let mut first = true;
    while text.len() < bytes {
        if !std::mem::take(&mut first) {
            text.push(',');
        }
        let (a, b, c) = (random.below(100_000), random.below(1000), random.below(100));
        let word = random.one(WORDS);
        let flag = random.one(&["true", "false", "null"]);
        text.push_str(&format!(
            r#"{{"id":{a},"at":[{b},{c}.5,-{b}.25e-3],"name":"{word}_{c}","tags":["{word}","x"],"ok":{flag},"in":{{"k":{c}}}}}"#
        ));
    }
    text.push_str("]}");
    text
}

/// Escapes inside of strings per 1000 bytes of JSON text.
pub fn escapes_per_kilobyte(text: &str) -> f64 {
    let mut bytes = text.bytes();
    let mut escapes = 0;
    while let Some(byte) = bytes.next() {
        if byte == b'\\' {
            escapes += 1;
            bytes.next();
        }
    }
    f64::from(escapes) * 1000.0 / text.len() as f64
}

fn call(content: &str) -> String {
    serde_json::json!({"path": "src/server/handlers.ts", "content": content}).to_string()
}

const WORDS: &[&str] = &[
    "request", "response", "config", "handler", "value", "index", "result", "error", "state", "buffer", "session",
    "token", "user", "path", "name", "options", "listener", "callback", "entries", "cache", "timeout", "retry",
    "logger", "payload", "stream", "id",
];

/// Text that reads like source code: indented lines of statements, comments and blank lines.
fn source(bytes: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::new();
    let mut depth = 0;
    // What the quotes and line feeds add when they are escaped is part of the size.
    let mut size = 0;
    while size < bytes {
        let line = line(&mut random, &mut depth);
        size += line.len() + line.bytes().filter(|byte| b"\n\"\\\t".contains(byte)).count();
        text.push_str(&line);
    }
    text
}

fn line(random: &mut Random, depth: &mut usize) -> String {
    let (a, b, c) = (random.one(WORDS), random.one(WORDS), random.one(WORDS));
    let n = random.below(5000);
    let indent = "  ".repeat(*depth);
    match random.below(16) {
        0 => "\n".to_owned(),
        1 | 2 if *depth < 5 => {
            *depth += 1;
            format!("{indent}if ({a}.{b} && {c} > {n}) {{\n")
        }
        3 if *depth < 5 => {
            *depth += 1;
            format!("{indent}for (const {a} of {b}.{c}) {{\n")
        }
        1..=4 if *depth > 0 => {
            *depth -= 1;
            format!("{}}}\n", "  ".repeat(*depth))
        }
        5 => format!("{indent}// The {a} of the {b} is kept until the {c} has been read in full.\n"),
        6 => format!("{indent}throw new Error(\"no {a} for this {b}\");\n"),
        7 => format!("{indent}const {a} = await {b}.fetch(`/{c}/${{{a}Id}}`);\n"),
        8 => format!("{indent}return {a}.map(({b}) => {b}.{c} + {n}).flat();\n"),
        9 => format!("{indent}logger.debug(\"{a}\", {{ {b}, {c}: {n} }});\n"),
        10 => format!("{indent}this.{a} = {b} ?? {c};\n"),
        11 => format!("{indent}await {a}.write({b}, \"utf8\");\n"),
        12 => format!("{indent}import {{ {a}, {b} }} from \"./{c}\";\n"),
        13 => format!("{indent}expect({a}.{b}).toBe({c});\n"),
        14 => format!("{indent}if (/\\d+/.test({a})) {b}.{c}();\n"),
        _ => format!("{indent}{a}.{b}({c}, {n});\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_write_has_the_escape_density_of_source_code() {
        let density = escapes_per_kilobyte(&write_file(256 << 10));
        assert!((31.0..35.0).contains(&density), "{density}");
        assert!(escapes_per_kilobyte(&plain(256 << 10)) == 0.0);
    }
}
