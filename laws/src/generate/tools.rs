//! Twelve tools as harnesses declare them, with what their owners grant.
//!
//! No alias is the beginning of its member's name: of `query` in two deltas, swapped, becomes `q`, and then the grant says
//! that nothing is wrong. `docs/damage.md` tells of it.

use std::sync::OnceLock;

use serde_json::{Value, json};

use super::Draw;
use argseal::{Grants, Tool};

/// A tool and what it was built from.
#[derive(Debug)]
pub struct Owned {
    /// Name, parameters and grants, as one line of `argseal batch` has them.
    pub definition: Value,
    /// The tool.
    pub tool: Tool,
}

impl Owned {
    /// Builds the tool, if the definition is one.
    pub fn of(definition: Value) -> Option<Self> {
        let tool = Tool::from_json(&definition).ok()?.with_grants(Grants::beside(&definition).ok()?).ok()?;
        Some(Self { definition, tool })
    }

    /// The schema of its arguments.
    pub fn schema(&self) -> &Value {
        &self.definition["parameters"]
    }

    /// Whether a difference in this member executes nothing: the owner named it closable, or said that it may lack.
    pub fn is_decorative(&self, member: &str) -> bool {
        let named = |grant: &str| {
            self.definition[grant].as_array().is_some_and(|names| names.iter().any(|name| name == member))
        };
        named("closable") || named("may_lack")
    }

    /// The member that holds a program, where the owner granted its completion.
    pub fn payload(&self) -> Option<&str> {
        self.definition["inner_call"]["payload"].as_str()
    }

    /// The same tool with other optional members, other rights, or open for unknown members.
    pub fn varied(&self, draw: &mut Draw<'_>) -> Option<Self> {
        let mut definition = self.definition.clone();
        let parameters = definition.get_mut("parameters")?;
        let names: Vec<String> = parameters["properties"].as_object()?.keys().cloned().collect();
        let required: Vec<&String> = names
            .iter()
            .filter(|name| {
                parameters["required"].as_array().is_some_and(|all| all.iter().any(|one| one == *name))
                    != draw.once_in(6)
            })
            .collect();
        let required = json!(required);
        parameters["required"] = required;
        if draw.once_in(3) {
            parameters["additionalProperties"] = json!(draw.once_in(2));
        }
        if draw.once_in(3) {
            definition["may_lack"] = json!(names.iter().filter(|_| draw.once_in(2)).collect::<Vec<_>>());
        }
        if draw.once_in(4) {
            definition["closable"] = json!(names.iter().filter(|_| draw.once_in(3)).collect::<Vec<_>>());
        }
        Self::of(definition)
    }
}

/// The twelve tools.
pub fn owned() -> &'static [Owned] {
    static TOOLS: OnceLock<Vec<Owned>> = OnceLock::new();
    TOOLS.get_or_init(|| definitions().into_iter().map(|it| Owned::of(it).expect("a tool with its grants")).collect())
}

fn definitions() -> [Value; 12] {
    let text = || json!({"type": "string"});
    let flag = || json!({"type": "boolean"});
    let count = || json!({"type": "integer", "minimum": 0});
    [
        json!({"name": "bash", "parameters": {"type": "object", "properties": {
            "command": text(), "description": text(), "timeout": count(), "run_in_background": flag()},
            "required": ["command", "description"], "additionalProperties": false},
            "closable": ["description"], "aliases": {"command": ["cmd", "script"]}}),
        json!({"name": "write", "parameters": {"type": "object", "properties": {
            "path": text(), "content": text(), "mode": {"type": "string", "enum": ["overwrite", "append"]}, "executable": flag(), "summary": text()},
            "required": ["path", "content"], "additionalProperties": false},
            "closable": ["summary"], "aliases": {"path": ["file_path", "filename"]}}),
        json!({"name": "edit", "parameters": {"type": "object", "properties": {
            "path": text(), "old_string": text(), "new_string": text(), "replace_all": flag(), "expected_count": count()},
            "required": ["path", "old_string", "new_string"], "additionalProperties": false},
            "aliases": {"path": ["file"], "old_string": ["old_text"], "new_string": ["new_text"]}}),
        json!({"name": "run", "parameters": {"type": "object", "properties": {
            "code": text(), "description": text()},
            "required": ["code", "description"], "additionalProperties": false},
            "closable": ["description"], "inner_call": {"payload": "code", "object": "tools"}}),
        json!({"name": "run_timed", "parameters": {"type": "object", "properties": {
            "code": text(), "description": {"type": "string", "minLength": 1, "maxLength": 400}, "timeout": count(), "dry_run": flag()},
            "required": ["code", "description"], "additionalProperties": false},
            "closable": ["description"], "may_lack": ["timeout"], "aliases": {"code": ["program"]},
            "inner_call": {"payload": "code", "object": "tools", "epilogue": "console.log({binding});"}}),
        json!({"name": "search", "parameters": {"type": "object", "properties": {
            "query": text(), "path": text(), "limit": count(), "case_sensitive": flag(), "explanation": text()},
            "required": ["query"]},
            "closable": ["explanation"], "aliases": {"query": ["pattern", "search_for"]}}),
        json!({"name": "fetch", "parameters": {"type": "object", "properties": {
            "url": text(), "method": {"type": "string", "enum": ["GET", "POST", "DELETE"]}, "headers": {"type": "object"}, "body": {"type": ["string", "null"]}},
            "required": ["url"], "additionalProperties": false},
            "aliases": {"url": ["uri", "link"]}}),
        json!({"name": "query_database", "parameters": {"type": "object", "properties": {
            "database": text(), "sql": text(), "bindings": {"type": "array"}, "reason": text(), "dry_run": flag(), "limit": count()},
            "required": ["database", "sql", "reason"], "additionalProperties": false},
            "closable": ["reason"]}),
        json!({"name": "move_file", "parameters": {"type": "object", "properties": {
            "from": text(), "to": text(), "force": flag(), "description": text()},
            "required": ["from", "to", "description"], "additionalProperties": false},
            "closable": ["description"], "aliases": {"from": ["source"], "to": ["destination", "target"]}}),
        json!({"name": "schedule", "parameters": {"type": "object", "properties": {
            "title": text(), "at": text(), "duration_minutes": {"type": "integer", "minimum": 1, "maximum": 1440},
            "attendees": {"type": "array", "items": text()}, "note": text(), "reminder": flag()},
            "required": ["title", "at", "duration_minutes"], "additionalProperties": false},
            "closable": ["note"]}),
        json!({"name": "send_message", "parameters": {"type": "object", "properties": {
            "recipient": text(), "text": text(), "urgent": flag(), "thread_id": {"type": "integer"}},
            "required": ["recipient", "text"], "additionalProperties": false},
            "aliases": {"text": ["message", "body"]}}),
        json!({"name": "delete_files", "parameters": {"type": "object", "properties": {
            "paths": {"type": "array", "items": text(), "minItems": 1}, "reason": text(), "recursive": flag(), "dry_run": flag()},
            "required": ["paths", "reason"]},
            "closable": ["reason"]}),
    ]
}
