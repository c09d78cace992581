//! Law 2 against a second, independent reader (`json-event-parser`), which keeps numbers as their text: big ones are
//! compared too, and nesting of any depth.

use argseal::{Call, Code, End, Kind, Limits, Settings, ValueRef};
use json_event_parser::{JsonEvent, SliceJsonParser};

/// Both read the bytes, and find the same; or neither does.
pub fn agrees(bytes: &[u8]) {
    // The other reader passes over a byte order mark.
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return;
    }
    let settings = Settings::passthrough().any_root().with_limits(Limits::max());
    let mut call = Call::default().with_settings(&settings);
    call.feed_bytes(bytes);
    let ours = match call.finish(End::Complete) {
        Ok(accepted) => Some(tokens(accepted.root())),
        Err(rejected) if rejected.diagnosis().code() == Code::DuplicateKey => return,
        Err(_) => None,
    };
    let theirs = events(bytes);
    assert!(ours == theirs, "{ours:?}\n{theirs:?}\n`{}`", bytes.escape_ascii());
}

fn events(bytes: &[u8]) -> Option<Vec<String>> {
    let mut parser = SliceJsonParser::new(bytes);
    let mut tokens = Vec::new();
    loop {
        tokens.push(match parser.parse_next().ok()? {
            JsonEvent::Boolean(value) => value.to_string(),
            JsonEvent::EndArray => "]".to_owned(),
            JsonEvent::EndObject => "}".to_owned(),
            JsonEvent::Eof => return Some(tokens),
            JsonEvent::Null => "null".to_owned(),
            JsonEvent::Number(text) => text.into_owned(),
            JsonEvent::ObjectKey(text) => format!("key {text}"),
            JsonEvent::StartArray => "[".to_owned(),
            JsonEvent::StartObject => "{".to_owned(),
            JsonEvent::String(text) => format!("string {text}"),
        });
    }
}

fn tokens(root: ValueRef<'_>) -> Vec<String> {
    enum Step<'v> {
        Key(&'v str),
        Token(&'static str),
        Value(ValueRef<'v>),
    }
    let mut tokens = Vec::new();
    let mut steps = vec![Step::Value(root)];
    while let Some(step) = steps.pop() {
        let value = match step {
            Step::Key(name) => {
                tokens.push(format!("key {name}"));
                continue;
            }
            Step::Token(token) => {
                tokens.push(token.to_owned());
                continue;
            }
            Step::Value(value) => value,
        };
        match value.kind() {
            Kind::Array => {
                tokens.push("[".to_owned());
                steps.push(Step::Token("]"));
                let elements: Vec<_> = value.elements().collect();
                steps.extend(elements.into_iter().rev().map(Step::Value));
            }
            Kind::Object => {
                tokens.push("{".to_owned());
                steps.push(Step::Token("}"));
                let members: Vec<_> = value.members().collect();
                let both =
                    members.into_iter().rev().flat_map(|member| [Step::Value(member.value), Step::Key(member.name)]);
                steps.extend(both);
            }
            Kind::String => tokens.push(format!("string {}", value.as_str().unwrap_or_default())),
            _ => tokens.push(value.text().to_owned()),
        }
    }
    tokens
}
