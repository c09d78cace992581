//! A call as a model means it: valid, its members in any order, its strings as they are in practice.

use serde_json::{Value, json};

use super::Draw;
use super::tools::Owned;

/// A valid call of a tool.
#[derive(Clone, Debug)]
pub struct Meant {
    /// Names and values, in text order.
    pub members: Vec<(String, Value)>,
    /// The text.
    pub text: String,
}

impl Meant {
    /// Draws a call of this tool.
    pub fn of(draw: &mut Draw<'_>, owned: &Owned) -> Self {
        let schema = owned.schema();
        let required = |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
        let declared: Vec<(&String, &Value)> = schema["properties"].as_object().into_iter().flatten().collect();
        let mut members: Vec<(String, Value)> = Vec::new();
        for (name, member) in declared {
            if required(name) || draw.once_in(2) {
                let value =
                    if owned.payload() == Some(name) { json!(program(draw)) } else { value(draw, name, member) };
                members.push((name.clone(), value));
            }
        }
        let members = draw.shuffled(members);
        let text = written(&members, draw.word(&[":", ": "]), draw.word(&[",", ", "]));
        Self { members, text }
    }

    /// The value.
    pub fn value(&self) -> Value {
        Value::Object(self.members.iter().cloned().collect())
    }
}

/// The members as an object's text.
pub(super) fn written(members: &[(String, Value)], colon: &str, comma: &str) -> String {
    let member = |(name, value): &(String, Value)| format!("{}{colon}{value}", Value::from(name.as_str()));
    format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(comma))
}

/// A value of the member's type; its text depends on what members of this name hold.
pub(super) fn value(draw: &mut Draw<'_>, name: &str, schema: &Value) -> Value {
    if let Some(values) = schema["enum"].as_array() {
        return draw.pick(values).clone();
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or("string");
    match kind {
        "array" if schema["items"].is_object() => {
            json!((0..=draw.below(3)).map(|_| value(draw, name, &schema["items"])).collect::<Vec<_>>())
        }
        "array" => json!(
            (0..draw.below(4))
                .map(|_| draw.pick(&[json!(1), json!("x"), json!(null), json!(2.5)]).clone())
                .collect::<Vec<_>>()
        ),
        "boolean" => json!(draw.once_in(2)),
        "integer" => json!(*draw.pick(&[1, 5, 30, 120, 417, 1_000])),
        "number" => json!(*draw.pick(&[0.5, 2.0, -7.25])),
        "object" => json!({draw.word(&["Accept", "X-Trace"]): draw.word(&["application/json", "a\"b"])}),
        _ => json!(text(draw, name)),
    }
}

fn text(draw: &mut Draw<'_>, name: &str) -> String {
    let pieces: &[&str] = match name {
        "command" | "script" => COMMANDS,
        "content" | "old_string" | "new_string" => CODE,
        "from" | "path" | "paths" | "to" => PATHS,
        "sql" => SQL,
        "url" => &["https://example.org/a?b=c&d=%20", "http://localhost:8080/v1/items"],
        _ => PROSE,
    };
    let most = if pieces == PATHS || name == "url" { 1 } else { 3 };
    (0..=draw.below(most)).map(|_| draw.word(pieces)).collect::<Vec<_>>().join(if pieces == CODE { "\n" } else { " " })
}

/// A program with one nested call, whose last member is its own description.
fn program(draw: &mut Draw<'_>) -> String {
    let before = draw.word(&["", "const dir = 'logs';\n", "let n = 3;\n", "// look first\n"]);
    let binding = draw.word(&["const r1 = ", "let out = ", "const result = "]);
    let command =
        draw.word(&["`ls -la ${dir} | head -30`", "'grep -rn TODO src'", "`git log --oneline`", "\"rm -rf build\""]);
    let key = draw.word(&["description", "description", "\"description\""]);
    let description = draw.word(DESCRIPTIONS);
    let after = draw.word(&["", "", "\nconsole.log(r1);", "\nreturn out;"]);
    format!("{before}{binding}await tools.bash({{\n  command: {command},\n  {key}: \"{description}\"\n}});{after}")
}

const DESCRIPTIONS: &[&str] = &[
    "List recent errors",
    "Show the last commits on main",
    "Look for open ends (first pass)",
    "Räumt das Verzeichnis auf",
    "Count lines, then stop",
];

const COMMANDS: &[&str] = &[
    "ls -la",
    "rm -rf build/*",
    "grep -rn \"TODO: fix\" src | head -20",
    "echo 'a, b' && git commit -m \"fix: \\\"quoted\\\" things\"",
    "cd /tmp; find . -name '*.log' -delete",
    "python3 -c \"print({'a': 1})\"",
    "cat <<EOF > x.json\n{\"a\": [1, 2]}\nEOF",
    "awk '{print $1}' access.log\\\n | sort -u",
];

const CODE: &[&str] = &[
    "fn main() {\n\tprintln!(\"Hello, {}\", name);\n}",
    "<a href=\"/x\">caf\u{e9} \u{1f600}</a>",
    "{\"key\": \"value\", \"list\": [true, null]}",
    "const re = /\\d+\\\\/g;",
    "# Title\n\nSome *text*, with a comma.",
    "",
    "if x == \"\": return None",
    "\\section{A}\r\n",
];

const PATHS: &[&str] =
    &["src/main.rs", "/etc/hosts", "C:\\Users\\me\\notes.txt", "docs/caf\u{e9}.md", "a b/\"c\".txt", "build"];

const SQL: &[&str] = &[
    "SELECT * FROM users WHERE name = \"O'Neil\" AND id = 7",
    "DELETE FROM sessions WHERE age > 30",
    "UPDATE t SET a = 'x, y' WHERE b IS NULL;",
];

const PROSE: &[&str] = &[
    "List recent errors",
    "Run the tests, then report",
    "the \"quoted\" part",
    "d\u{e9}placer le fichier",
    "Zeile eins\nZeile zwei",
    "ok \u{1f680}",
    "see {\"a\":1} and [2]",
    "Clean up: step 2 of 3",
];
