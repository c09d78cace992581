//! Hiding contents and keeping form, character by character.

/// What stands in place of a character; `None`: the character itself.
pub(crate) trait Mask {
    /// Takes the next character.
    fn next(&mut self, c: char) -> Option<char>;
}

/// Hides every letter and digit.
#[derive(Debug, Default)]
pub(crate) struct PlainMask;

impl Mask for PlainMask {
    fn next(&mut self, c: char) -> Option<char> {
        hidden(c)
    }
}

/// Hides the contents of an argument text, which may come in pieces. Member names, literals and escapes stay, so that
/// the masked text gets the verdict of the text. From the byte that breaks the text on, every letter and digit is
/// hidden.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArgumentMask {
    state: State,
    /// The open containers: whether each is an object.
    open: Vec<bool>,
}

#[derive(Clone, Debug, Default)]
enum State {
    AfterValue,
    Broken,
    Colon,
    Key,
    /// A value begun with a letter, as far as it is a literal.
    Literal(String),
    /// A number; whether its first digit has come.
    Number {
        begun: bool,
    },
    Text {
        kind: Text,
        escape: Escape,
    },
    #[default]
    Value,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Text {
    Name,
    Value,
}

#[derive(Clone, Copy, Debug)]
enum Escape {
    Begun,
    /// The digits of `\uXXXX`.
    Digits(UnicodeMask),
    Outside,
}

impl Mask for ArgumentMask {
    fn next(&mut self, c: char) -> Option<char> {
        match &mut self.state {
            State::Broken => hidden(c),
            State::Text { kind, escape } => {
                let (kind, escape) = (*kind, *escape);
                self.in_text(kind, escape, c)
            }
            State::Number { begun } => match c {
                '0'..='9' => {
                    let first = !std::mem::replace(begun, true);
                    // A number keeps its form: no leading zero.
                    (c != '0').then_some(if first { '1' } else { '0' })
                }
                '.' | 'e' | 'E' | '+' | '-' => None,
                _ => self.after(c),
            },
            State::Literal(word) => {
                if !c.is_ascii_alphabetic() {
                    return self.after(c);
                }
                word.push(c);
                if LITERALS.iter().any(|literal| literal.starts_with(word.as_str())) { None } else { self.breaks(c) }
            }
            State::AfterValue | State::Colon | State::Key | State::Value => self.between(c),
        }
    }
}

impl ArgumentMask {
    fn in_text(&mut self, kind: Text, escape: Escape, c: char) -> Option<char> {
        let (escape, masked) = match (escape, c) {
            (Escape::Outside, '"') => {
                self.state = if kind == Text::Name { State::Colon } else { State::AfterValue };
                return None;
            }
            (Escape::Outside, '\\') => (Escape::Begun, None),
            (Escape::Outside, '\0'..='\x1f') => return self.breaks(c),
            (Escape::Outside, _) => (Escape::Outside, hidden(c)),
            (Escape::Begun, 'u') => (Escape::Digits(UnicodeMask::default()), None),
            (Escape::Begun, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't') => (Escape::Outside, None),
            (Escape::Digits(mut digits), _) if c.is_ascii_hexdigit() => {
                let masked = digits.next(c);
                (if digits.is_complete() { Escape::Outside } else { Escape::Digits(digits) }, masked)
            }
            (Escape::Begun | Escape::Digits(_), _) => return self.breaks(c),
        };
        self.state = State::Text { kind, escape };
        masked.filter(|_| kind == Text::Value)
    }

    fn between(&mut self, c: char) -> Option<char> {
        let text = |kind| State::Text { kind, escape: Escape::Outside };
        self.state = match (&self.state, c) {
            (_, ' ' | '\t' | '\n' | '\r') => return None,
            (State::Value, '"') => text(Text::Value),
            (State::Key, '"') => text(Text::Name),
            (State::Colon, ':') => State::Value,
            (State::Value, '{') => {
                self.open.push(true);
                State::Key
            }
            (State::Value, '[') => {
                self.open.push(false);
                State::Value
            }
            // A second text, such as the same one again, is masked as the first.
            (State::AfterValue, '{') if self.open.is_empty() => {
                self.open.push(true);
                State::Key
            }
            (State::AfterValue | State::Value | State::Key, ']' | '}') if self.open.last() == Some(&(c == '}')) => {
                self.open.pop();
                State::AfterValue
            }
            (State::AfterValue, ',') => match self.open.last() {
                Some(true) => State::Key,
                Some(false) => State::Value,
                None => State::Broken,
            },
            (State::Value, '-') => State::Number { begun: false },
            (State::Value, '0'..='9') => {
                self.state = State::Number { begun: false };
                return self.next(c);
            }
            (State::Value, 'A'..='Z' | 'a'..='z') => {
                self.state = State::Literal(String::new());
                return self.next(c);
            }
            _ => return self.breaks(c),
        };
        None
    }

    fn after(&mut self, c: char) -> Option<char> {
        self.state = State::AfterValue;
        self.between(c)
    }

    fn breaks(&mut self, c: char) -> Option<char> {
        self.state = State::Broken;
        hidden(c)
    }
}

/// Hides the four digits of a `\u` escape, and keeps what kind of character it is: half of a surrogate pair, or not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnicodeMask {
    seen: u8,
    /// Whether the first digit is that of the surrogates.
    d: bool,
}

impl UnicodeMask {
    fn is_complete(self) -> bool {
        self.seen == 4
    }
}

impl Mask for UnicodeMask {
    fn next(&mut self, c: char) -> Option<char> {
        let masked = match (self.seen, self.d) {
            (0, _) => {
                self.d = c.eq_ignore_ascii_case(&'d');
                if self.d { 'd' } else { '0' }
            }
            (1, true) => match c {
                '8' | '9' | 'a' | 'b' | 'A' | 'B' => '8',
                'c'..='f' | 'C'..='F' => 'c',
                _ => '0',
            },
            (2, false) => '7',
            (3, false) => '8',
            _ => '0',
        };
        self.seen += 1;
        (masked != c).then_some(masked)
    }
}

/// Stands for a byte that is not UTF-8; it is no character, and shows nothing.
pub(crate) const NOT_UTF8: char = '\u{ffff}';

/// What hides a letter or digit: of the same length in UTF-8, so that offsets stay. `None` for what shows nothing.
fn hidden(c: char) -> Option<char> {
    match (c, c.len_utf8()) {
        ('a'..='z' | 'A'..='Z', _) => Some('x'),
        ('0'..='9', _) => Some('0'),
        (NOT_UTF8, _) | (_, 1) => None,
        (_, 2) => Some('é'),
        (_, 3) => Some('文'),
        _ => Some('𝑥'),
    }
}

/// The literals of JSON, and those of other languages that have a code of their own.
const LITERALS: [&str; 9] = ["true", "false", "null", "None", "True", "False", "NaN", "Infinity", "undefined"];

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(text: &str) -> String {
        let mut mask = ArgumentMask::default();
        text.chars().map(|c| mask.next(c).unwrap_or(c)).collect()
    }

    #[test]
    fn contents_go_and_form_stays() {
        for (text, expected) in [
            (
                r#"{"path": "/etc/Pass 12", "n": -120.5e3, "ok": true}"#,
                r#"{"path": "/xxx/xxxx 00", "n": -100.0e0, "ok": true}"#,
            ),
            (r#"{"a\u00e9": "\u00e9\n\ud83d\ude00 東é"}"#, r#"{"a\u00e9": "\u0078\n\ud800\udc00 文é"}"#),
            (r#"[0, 7, ["a", null], {"b": [false]}]"#, r#"[0, 1, ["x", null], {"b": [false]}]"#),
            (r#"{"code":"say "hi" to 3", "x": "y"}"#, r#"{"code":"xxx "xx" xx 0", "x": "x"}"#),
            (r#"{"a": None, "b": 1}"#, r#"{"a": None, "b": 1}"#),
            (r#"{"a": secret, "b": 12}"#, r#"{"a": xxxxxx, "x": 00}"#),
            (r#"{"a":1}{"a":2}"#, r#"{"a":1}{"a":1}"#),
            ("```json {\"a\": 1}", "```xxxx {\"x\": 0}"),
            (r#"{"a":"C:\dir"}"#, r#"{"x":"x:\xxx"}"#.replace("{\"x\"", "{\"a\"").as_str()),
        ] {
            assert_eq!(masked(text), expected);
        }
    }
}
