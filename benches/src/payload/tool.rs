//! Tools to judge with: shaped like those that harnesses offer to models.

use serde_json::{Map, Value, json};

use super::{Random, WORDS};

/// The definition of a shell tool, with the grants of its owner beside it.
pub fn shell() -> Value {
    json!({
        "name": "bash",
        "description": "Runs a command in the project's shell.",
        "input_schema": {
            "type": "object",
            "properties": {
                "command": {"type": "string", "minLength": 1, "description": "The command line."},
                "description": {"type": "string", "description": "What the command is for, in five to ten words."},
                "timeout": {"type": "integer", "minimum": 1, "maximum": 600_000, "description": "Milliseconds."},
                "run_in_background": {"type": "boolean"},
            },
            "required": ["command", "description"],
            "additionalProperties": false,
        },
        "aliases": {"command": ["cmd"]},
        "closable": ["description"],
        "may_lack": ["timeout", "run_in_background"],
    })
}

/// The definition of a tool that writes a file.
pub fn write_file() -> Value {
    json!({
        "name": "write_file",
        "description": "Writes a file.",
        "input_schema": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["path", "content"],
            "additionalProperties": false,
        },
    })
}

/// A schema whose JSON text is about `bytes` long: scalars, enumerations, lists of objects, and words that explain them.
pub fn schema(bytes: usize, seed: u64) -> Value {
    let mut random = Random::new(seed);
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut size = 0;
    while size < bytes {
        let (word, other) = (random.one(WORDS), random.one(WORDS));
        let name = format!("{word}_{}", properties.len());
        let description = format!("The {word} of the {other}; left out, that of the {}.", random.one(WORDS));
        let property = match random.below(6) {
            0 => json!({"type": "integer", "minimum": 0, "maximum": random.below(5000), "description": description}),
            1 => json!({"type": "string", "enum": [word, other, "none"], "description": description}),
            2 => json!({"type": "array", "items": {"type": "string"}, "maxItems": 64, "description": description}),
            3 => json!({"type": "array", "items": {
                "type": "object",
                "properties": {"path": {"type": "string"}, "line": {"type": "integer", "minimum": 1}},
                "required": ["path"],
                "additionalProperties": false,
            }, "description": description}),
            4 => json!({"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}], "description": description}),
            _ => json!({"type": "string", "description": description}),
        };
        size += name.len() + property.to_string().len() + 4;
        if random.below(3) == 0 {
            required.push(name.clone());
        }
        properties.insert(name, property);
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// The definitions of `count` tools, each with a schema of its own of about 1 KiB.
pub fn definitions(count: usize) -> Vec<Value> {
    let definition = |i: usize| {
        json!({
            "name": format!("{}_{i}", WORDS[i % WORDS.len()]),
            "description": "One tool of many.",
            "input_schema": schema(1 << 10, i as u64 + 1),
        })
    };
    (0..count).map(definition).collect()
}

#[cfg(test)]
mod tests {
    use argseal::{Grants, Tool, Tools};

    use super::*;

    #[test]
    fn schemas_have_their_size_and_are_judged_in_full() {
        let schema = schema(4 << 10, 1);
        let size = schema.to_string().len();
        assert!((4000..4700).contains(&size), "{size}");
        assert_eq!(Tool::new("t", &schema).expect("a schema").unjudged(), []);
    }

    #[test]
    fn definitions_have_no_issues() {
        let (tools, issues) = Tools::of(&definitions(50), &|_| Grants::default(), None);
        assert_eq!((tools.names().count(), issues), (50, Vec::new()));
    }
}
