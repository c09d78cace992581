//! Valid JSON of the wrong shape: a call as it was meant, moved away from its schema in one to four steps.

use serde_json::{Value, json};

use super::Draw;
use super::meant::{self, Meant};
use super::tools::{Owned, owned};
use argseal::End;

/// A call of a tool, of any shape.
#[derive(Debug)]
pub struct Shaped {
    /// Its tool, a variation of one of the twelve.
    pub owned: Owned,
    /// Its text.
    pub text: String,
    /// Its end.
    pub end: End,
}

impl Shaped {
    /// Draws one; `None` where the variation is no tool.
    pub fn of(draw: &mut Draw<'_>) -> Option<Self> {
        let owned = draw.pick(owned()).varied(draw)?;
        let mut members = Meant::of(draw, &owned).members;
        for _ in 0..draw.below(5) {
            step(draw, &owned, &mut members);
        }
        let mut text = meant::written(&members, draw.word(&[":", " : "]), draw.word(&[",", " , "]));
        for _ in 0..draw.below(4) {
            text = wrapped(draw, &owned, &text);
        }
        let end =
            *draw.pick(&[End::Complete, End::Complete, End::Complete, End::CallClosed, End::Truncated, End::Filtered]);
        Some(Self { owned, text, end })
    }
}

fn step(draw: &mut Draw<'_>, owned: &Owned, members: &mut Vec<(String, Value)>) {
    if members.is_empty() {
        return;
    }
    let at = draw.below(members.len());
    let (name, value) = members[at].clone();
    match draw.below(8) {
        0 => drop(members.remove(at)),
        1 => members[at].1 = json!(value.to_string()),
        2 => members[at].0 = alias(draw, owned, &name),
        3 => members[at].0 = name.to_uppercase().replace('_', ""),
        4 => {
            members[at].1 =
                draw.pick(&[json!(null), json!(""), json!("7"), json!({}), json!([1]), json!(true)]).clone();
        }
        5 => members.push((alias(draw, owned, &name), value)),
        6 => members.push((draw.word(&["extra", "arguments", "name", "input"]).to_owned(), value)),
        _ => {
            let inner = json!({draw.word(&["input", "value", "text"]).to_owned(): value});
            members[at].1 = inner;
        }
    }
}

fn alias(draw: &mut Draw<'_>, owned: &Owned, name: &str) -> String {
    let aliases = owned.definition["aliases"][name].as_array().filter(|aliases| !aliases.is_empty());
    aliases.and_then(|aliases| draw.pick(aliases).as_str()).map_or_else(|| format!("{name}s"), str::to_owned)
}

fn wrapped(draw: &mut Draw<'_>, owned: &Owned, text: &str) -> String {
    let key = draw.word(&[
        "arguments",
        "args",
        "parameters",
        "parameter",
        "params",
        "input",
        "properties",
        "values",
        "other",
    ]);
    let name = owned.tool.name();
    match draw.below(7) {
        0 => Value::from(text).to_string(),
        1 => format!("{{\"{key}\":{}}}", Value::from(text)),
        2 => format!("{{\"name\":\"{name}\",\"arguments\":{text}}}"),
        3 => format!("{{\"extra\":1,\"{key}\":{text}}}"),
        4 => format!("{{\"{key}\":{text}, \"description\":\"beside\"}}"),
        _ => format!("{{\"{key}\": {text}}}"),
    }
}
