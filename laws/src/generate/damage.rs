//! Twenty ways in which a call is damaged between the model's intention and the engine, and what comes of it.

use serde_json::Value;

use super::Draw;
use super::meant::{self, Meant};
use super::plain::fits;
use super::tools::Owned;
use argseal::{Call, End, Settings};

/// One kind of damage.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Damage {
    /// A backslash more before a quote.
    AddedBackslash,
    /// A granted alias stands for the member's name.
    Alias,
    /// An escape that JSON does not have.
    BadEscape,
    /// Cut anywhere, and the end says so.
    Cut,
    /// Cut anywhere, and the end says that it is complete.
    CutUnseen,
    /// One delta twice.
    DoubledDelta,
    /// A member stands twice, with an equal value or another.
    DuplicatedMember,
    /// Half of a surrogate pair as an escape.
    LoneSurrogate,
    /// A backslash less before a quote.
    LostBackslash,
    /// A string's closing quote is missing.
    LostClosingQuote,
    /// One delta less.
    LostDelta,
    /// A quote of the program or text inside of a string is missing, or ends the string.
    MissingInnerQuote,
    /// `True`, `False`, `None`.
    PythonLiteral,
    /// A line break inside of a string.
    RawNewline,
    /// Two neighbouring deltas in the wrong order.
    SwappedDelta,
    /// A comma before a closing brace.
    TrailingComma,
    /// Something after the end.
    TrailingJunk,
    /// The deltas of two calls arrive as those of one.
    TwoCalls,
    /// The whole text twice.
    WholeTwice,
    /// The arguments inside of a wrapper, or as text.
    Wrapper,
}

impl Damage {
    /// Every kind.
    pub const ALL: [Self; 20] = [
        Self::Cut,
        Self::CutUnseen,
        Self::LostBackslash,
        Self::AddedBackslash,
        Self::LostClosingQuote,
        Self::MissingInnerQuote,
        Self::LostDelta,
        Self::DoubledDelta,
        Self::SwappedDelta,
        Self::TwoCalls,
        Self::WholeTwice,
        Self::TrailingJunk,
        Self::RawNewline,
        Self::BadEscape,
        Self::Wrapper,
        Self::Alias,
        Self::PythonLiteral,
        Self::TrailingComma,
        Self::LoneSurrogate,
        Self::DuplicatedMember,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::AddedBackslash => "added backslash",
            Self::Alias => "alias",
            Self::BadEscape => "bad escape",
            Self::Cut => "cut, the end says so",
            Self::CutUnseen => "cut, `complete`",
            Self::DoubledDelta => "doubled delta",
            Self::DuplicatedMember => "duplicated member",
            Self::LoneSurrogate => "lone surrogate",
            Self::LostBackslash => "lost backslash",
            Self::LostClosingQuote => "lost closing quote",
            Self::LostDelta => "lost delta",
            Self::MissingInnerQuote => "missing inner quote",
            Self::PythonLiteral => "Python literal",
            Self::RawNewline => "raw newline",
            Self::SwappedDelta => "swapped deltas",
            Self::TrailingComma => "trailing comma",
            Self::TrailingJunk => "trailing junk",
            Self::TwoCalls => "two calls on one index",
            Self::WholeTwice => "whole text twice",
            Self::Wrapper => "wrapper",
        }
    }
}

/// A damaged call.
#[derive(Clone, Debug)]
pub struct Damaged<'t> {
    /// Its tool.
    pub owned: &'t Owned,
    /// What the model meant.
    pub meant: Meant,
    /// What became of it.
    pub damage: Damage,
    /// What arrives.
    pub deltas: Vec<Vec<u8>>,
    /// The end that is told.
    pub end: End,
}

/// What comes of a damaged call.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Effect {
    /// A program whose closing tokens were completed, as its owner granted: the one that was meant, the nested call's
    /// own description, blanks and the owner's epilogue apart.
    Completed,
    /// A program that was completed in the same way, while the one that was meant went on after the nested call.
    CompletedEarly,
    /// Only members differ that execute nothing.
    Decorative,
    /// The call runs with what was meant.
    Equal,
    /// A member that is executed differs from what was meant, or is missing, or is not one that was meant.
    Executed,
    /// The call does not run.
    Rejected,
}

impl<'t> Damaged<'t> {
    /// Draws a call of the tool with this damage; `None` where the call has no place for it.
    pub fn of(draw: &mut Draw<'_>, owned: &'t Owned, damage: Damage) -> Option<Self> {
        let meant = Meant::of(draw, owned);
        let (deltas, end) = apply(draw, owned, &meant, damage)?;
        let damaged = Self { owned, meant, damage, deltas, end };
        (damaged.text() != damaged.meant.text.as_bytes()).then_some(damaged)
    }

    /// All that arrives.
    pub fn text(&self) -> Vec<u8> {
        self.deltas.concat()
    }

    /// Whether anyone can see it: the text is not JSON, or not what the schema asks for.
    pub fn is_detectable(&self) -> bool {
        let value = serde_json::from_slice::<Value>(&self.text());
        !value.is_ok_and(|value| value.is_object() && fits(self.owned.schema(), &value))
    }

    /// What the engine makes of it.
    pub fn effect(&self, settings: &Settings) -> Effect {
        let mut call = Call::new(&self.owned.tool).with_settings(settings);
        for delta in &self.deltas {
            call.feed_bytes(delta);
        }
        let Ok(accepted) = call.finish(self.end) else { return Effect::Rejected };
        let completed = accepted.audit().completes_program();
        let value = accepted.into_value().unwrap_or_default();
        if completed {
            return self.completion(&value);
        }
        self.compare(&value)
    }

    /// How an accepted value differs from the one that was meant.
    pub fn compare(&self, value: &Value) -> Effect {
        let meant = self.meant.value();
        let (Some(members), Some(wanted)) = (value.as_object(), meant.as_object()) else { return Effect::Executed };
        let names = members.keys().chain(wanted.keys());
        let mut differing = names.filter(|name| members.get(*name) != wanted.get(*name)).peekable();
        if differing.peek().is_none() {
            Effect::Equal
        } else if differing.all(|name| self.owned.is_decorative(name)) {
            Effect::Decorative
        } else {
            Effect::Executed
        }
    }

    /// Whether only tokens that close were added to the payload that arrived, while every other member that is executed
    /// is as it was meant; and whether the program is the one that was meant.
    fn completion(&self, value: &Value) -> Effect {
        let meant = self.meant.value();
        let sent = serde_json::from_slice::<Value>(&self.text()).unwrap_or_default();
        let payload = self.owned.payload().unwrap_or_default();
        let executed = |name: &&String| *name != payload && !self.owned.is_decorative(name);
        let names = value.as_object().into_iter().chain(meant.as_object()).flat_map(serde_json::Map::keys);
        let same = names.filter(executed).all(|name| value.get(name) == meant.get(name));
        let (Some(wanted), Some(sent), Some(made)) =
            (meant[payload].as_str(), sent[payload].as_str(), value[payload].as_str())
        else {
            return Effect::Executed;
        };
        let sent = sent.trim_end();
        let added = made.strip_prefix(sent).unwrap_or("?");
        let epilogue = self.owned.definition["inner_call"]["epilogue"].is_string();
        let mut lines = added.lines().map(str::trim).filter(|line| !line.is_empty());
        let closes = lines.next() == Some("\"") && lines.next() == Some("});");
        let ends =
            lines.next().is_none_or(|line| epilogue && line.starts_with("console.log(")) && lines.next().is_none();
        // What stands before the nested description is executed.
        let executed_of = |program: &str| program.rfind("escription").map(|at| program[..at].to_owned());
        if !same || !closes || !ends || executed_of(sent) != executed_of(wanted) {
            Effect::Executed
        } else if wanted.ends_with("});") {
            Effect::Completed
        } else {
            Effect::CompletedEarly
        }
    }
}

/// The deltas that arrive, and the end.
fn apply(draw: &mut Draw<'_>, owned: &Owned, meant: &Meant, damage: Damage) -> Option<(Vec<Vec<u8>>, End)> {
    let end = match damage {
        Damage::Cut => *draw.pick(&[End::Truncated, End::Filtered, End::Disconnected, End::Cancelled]),
        _ => *draw.pick(&[End::Complete, End::Complete, End::CallClosed]),
    };
    let deltas = match damage {
        Damage::DoubledDelta | Damage::LostDelta | Damage::SwappedDelta => misrouted(draw, &meant.text, damage)?,
        Damage::TwoCalls => {
            let other = Meant::of(draw, owned);
            let (one, two) = (delivered(draw, meant.text.as_bytes()), delivered(draw, other.text.as_bytes()));
            if draw.once_in(2) { interleaved(one, two) } else { [one, two].concat() }
        }
        other => {
            let text = altered(draw, owned, meant, other)?;
            delivered(draw, &text)
        }
    };
    Some((deltas, end))
}

/// Cut into deltas as providers do.
fn delivered(draw: &mut Draw<'_>, text: &[u8]) -> Vec<Vec<u8>> {
    let most = *draw.pick(&[4, 12, 40]);
    let mut rest = text;
    let mut deltas = Vec::new();
    while !rest.is_empty() {
        let (delta, after) = rest.split_at((1 + draw.below(most)).min(rest.len()));
        deltas.push(delta.to_vec());
        rest = after;
    }
    deltas
}

fn misrouted(draw: &mut Draw<'_>, text: &str, damage: Damage) -> Option<Vec<Vec<u8>>> {
    let mut deltas = delivered(draw, text.as_bytes());
    let at = draw.below(deltas.len());
    match damage {
        Damage::DoubledDelta => deltas.insert(at, deltas[at].clone()),
        Damage::LostDelta => drop(deltas.remove(at)),
        _ if at + 1 < deltas.len() => deltas.swap(at, at + 1),
        _ => return None,
    }
    Some(deltas)
}

fn interleaved(one: Vec<Vec<u8>>, two: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let (mut one, mut two) = (one.into_iter(), two.into_iter());
    let mut out = Vec::new();
    loop {
        let next = (one.next(), two.next());
        if next == (None, None) {
            return out;
        }
        out.extend(next.0.into_iter().chain(next.1));
    }
}

/// The text with this damage, where it is one of the text.
fn altered(draw: &mut Draw<'_>, owned: &Owned, meant: &Meant, damage: Damage) -> Option<Vec<u8>> {
    let text = meant.text.as_str();
    let marks = Marks::of(text);
    let inserted = |at: usize, what: &str| [&text.as_bytes()[..at], what.as_bytes(), &text.as_bytes()[at..]].concat();
    let removed = |at: usize, len: usize| [&text.as_bytes()[..at], &text.as_bytes()[at + len..]].concat();
    Some(match damage {
        Damage::AddedBackslash => {
            let all: Vec<usize> = marks.quotes().collect();
            inserted(*draw.pick(some(&all)?), "\\")
        }
        Damage::Alias => {
            let aliases: Vec<(&String, &Value)> = owned.definition["aliases"].as_object()?.iter().collect();
            let (name, aliases) = *draw.pick(some(&aliases)?);
            let alias = draw.pick(some(aliases.as_array()?)?).as_str()?;
            let member =
                |(n, value): &(String, Value)| (if n == name { alias.to_owned() } else { n.clone() }, value.clone());
            meant::written(&meant.members.iter().map(member).collect::<Vec<_>>(), ":", ",").into_bytes()
        }
        Damage::BadEscape => inserted(marks.interior(draw)?, draw.word(&["\\x41", "\\'", "\\u12", "\\ ", "\\0"])),
        Damage::Cut | Damage::CutUnseen => text.as_bytes()[..draw.below(text.len())].to_vec(),
        Damage::DuplicatedMember => {
            let mut members = meant.members.clone();
            let (name, old) = draw.pick(some(&meant.members)?).clone();
            let fresh = meant::value(draw, &name, &owned.schema()["properties"][&name]);
            let value = if draw.once_in(2) { old } else { fresh };
            let at = draw.below(members.len() + 1);
            members.insert(at, (name, value));
            meant::written(&members, ":", ",").into_bytes()
        }
        Damage::LoneSurrogate => inserted(marks.interior(draw)?, draw.word(&["\\ud83d", "\\udc00"])),
        Damage::LostBackslash => removed(*draw.pick(some(&marks.escaped)?), 1),
        Damage::LostClosingQuote => removed(*draw.pick(some(&marks.closing)?), 1),
        Damage::MissingInnerQuote if owned.payload().is_some() => inner_quote(draw, owned, meant)?,
        Damage::MissingInnerQuote => removed(*draw.pick(some(&marks.escaped)?), 2),
        Damage::PythonLiteral => python(draw, meant)?,
        Damage::RawNewline => inserted(marks.interior(draw)?, draw.word(&["\n", "\r\n"])),
        Damage::TrailingComma => inserted(text.len() - 1, ","),
        Damage::TrailingJunk => {
            inserted(text.len(), draw.word(&["}", "\"", "```", "</tool_call>", "\n\nDone.", " null", "{}", ",", "\"}"]))
        }
        Damage::WholeTwice => [text, text].concat().into_bytes(),
        Damage::Wrapper => {
            let quoted = Value::from(text).to_string();
            let inner = if draw.once_in(4) { quoted.as_str() } else { text };
            let name = owned.tool.name();
            match draw.below(4) {
                0 => quoted.into_bytes(),
                1 => format!("{{\"name\":\"{name}\",\"arguments\":{inner}}}").into_bytes(),
                _ => format!("{{\"{}\":{inner}}}", draw.word(&["arguments", "args", "parameters", "params", "input"]))
                    .into_bytes(),
            }
        }
        Damage::DoubledDelta | Damage::LostDelta | Damage::SwappedDelta | Damage::TwoCalls => return None,
    })
}

/// The nested description's closing quote: missing, or bare, so that it ends the payload and nothing after it is written.
fn inner_quote(draw: &mut Draw<'_>, owned: &Owned, meant: &Meant) -> Option<Vec<u8>> {
    let payload = owned.payload()?;
    let mut members = meant.members.clone();
    let at = members.iter().position(|(name, _)| name == payload)?;
    let program = members[at].1.as_str()?.to_owned();
    let quote = program.rfind("\"\n});")?;
    if draw.once_in(3) {
        members[at].1 = Value::from([&program[..quote], &program[quote + 1..]].concat());
        return Some(meant::written(&members, ":", ",").into_bytes());
    }
    members[at].1 = Value::from(&program[..quote]);
    let cut = members.remove(at);
    members.retain(|(name, _)| name != "description");
    members.push(cut);
    Some(meant::written(&members, ":", ",").into_bytes())
}

fn python(draw: &mut Draw<'_>, meant: &Meant) -> Option<Vec<u8>> {
    let word = |value: &Value| match value {
        Value::Bool(true) => Some("True"),
        Value::Bool(false) => Some("False"),
        Value::Null => Some("None"),
        Value::Array(_) | Value::Number(_) | Value::Object(_) | Value::String(_) => None,
    };
    let literals: Vec<&(String, Value)> = meant.members.iter().filter(|(_, value)| word(value).is_some()).collect();
    let (name, value) = *draw.pick(some(&literals)?);
    let key = Value::from(name.as_str());
    [":", ": "].into_iter().find_map(|colon| {
        let (old, new) = (format!("{key}{colon}{value}"), format!("{key}{colon}{}", word(value)?));
        meant.text.contains(&old).then(|| meant.text.replacen(&old, &new, 1).into_bytes())
    })
}

fn some<T>(choices: &[T]) -> Option<&[T]> {
    (!choices.is_empty()).then_some(choices)
}

/// The quotes of a valid text.
struct Marks {
    opening: Vec<usize>,
    closing: Vec<usize>,
    /// The backslash of each escaped quote.
    escaped: Vec<usize>,
    /// Places between the characters of strings.
    interior: Vec<usize>,
}

impl Marks {
    fn of(text: &str) -> Self {
        let mut marks = Self { opening: Vec::new(), closing: Vec::new(), escaped: Vec::new(), interior: Vec::new() };
        let mut inside = false;
        let mut characters = text.char_indices();
        while let Some((at, character)) = characters.next() {
            if inside {
                marks.interior.push(at);
            }
            match character {
                '"' if inside => marks.closing.push(at),
                '"' => marks.opening.push(at),
                '\\' if characters.next().is_some_and(|(_, escaped)| escaped == '"') => marks.escaped.push(at),
                _ => {}
            }
            inside ^= character == '"';
        }
        marks
    }

    fn quotes(&self) -> impl Iterator<Item = usize> {
        self.opening.iter().chain(&self.closing).chain(&self.escaped).copied()
    }

    fn interior(&self, draw: &mut Draw<'_>) -> Option<usize> {
        some(&self.interior).map(|places| *draw.pick(places))
    }
}
