//! The tools of a file or of a request's body, and what is to be said of them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::marker::PhantomData;

use argseal::{Grants, Tool, ToolIssue, Tools};
use serde_json::Value;

use crate::tool::{grants_beside, name_of, wholly_judged};
use crate::{FormError, reader};

/// The tools that a text defines.
///
/// ```
/// use argseal_form::{ToolList, grants_by_name};
/// use serde_json::json;
/// let body = json!({"tools": [{"name": "bash", "input_schema": {"type": "object"}}, 7]});
/// let grants = grants_by_name(&json!({"rum": {"may_lack": ["timeout"]}}))?;
/// let list = ToolList::new(body, grants);
/// assert!(list.tools.get("bash").is_some());
/// assert_eq!((list.issues.len(), list.warnings.len()), (1, 1));
/// # Ok::<(), argseal_form::FormError>(())
/// ```
#[derive(Debug, Default)]
pub struct ToolList {
    /// The tools, with their grants in force.
    pub tools: Tools,
    /// The definitions, one a tool.
    pub definitions: Vec<Value>,
    /// The kinds of what the provider has built in: no tools that a call names.
    pub built_in: Vec<String>,
    /// What could not be understood, a line each: such a definition or grant is not in force.
    pub issues: Vec<String>,
    /// Grants that are in force and never apply, a line each.
    pub warnings: Vec<String>,
}

impl ToolList {
    /// The tools of these definitions, in any form that a provider takes, in lists or alone, or of a body that holds
    /// them; with the grants beside them, or in their place those of `granted`, by tool name.
    pub fn new(definitions: Value, granted: HashMap<String, Grants>) -> Self {
        let (definitions, mut issues) = self::definitions(definitions);
        let mut warnings = Vec::new();
        let mut grants: HashMap<String, Grants> = HashMap::new();
        for definition in &definitions {
            let Some(name) = name_of(definition) else { continue };
            match grants_beside(definition) {
                Ok(beside) => {
                    grants.insert(name.to_owned(), beside);
                }
                Err(error) => issues.push(format!("{name}: {error}")),
            }
        }
        {
            let named: HashSet<&str> = definitions.iter().filter_map(name_of).collect();
            let mut idle: Vec<&String> = granted.keys().filter(|name| !named.contains(name.as_str())).collect();
            idle.sort_unstable();
            warnings
                .extend(idle.iter().map(|name| {
                    format!("grants for `{}` never apply: no tool has this name", clipped(name, MAX_NAME))
                }));
        }
        grants.extend(granted);
        let granted = |name: &str| grants.get(name).cloned().unwrap_or_default();
        let (tools, unreadable) = Tools::of(&definitions, &granted, None);
        let judged = |tool: &Tool| match definitions.iter().find(|definition| name_of(definition) == Some(tool.name()))
        {
            Some(definition) => wholly_judged(tool.clone(), definition),
            None => tool.clone(),
        };
        let tools: Tools = tools.names().filter_map(|name| tools.get(name)).map(judged).collect();
        for issue in &unreadable {
            let list = if matches!(issue, ToolIssue::UnusedGrant { .. }) { &mut warnings } else { &mut issues };
            list.push(issue.to_string());
        }
        warnings.extend(tools.names().filter_map(|name| tools.get(name)).filter_map(idle_inner_call));
        let built_in = definitions.iter().filter_map(Tool::built_in).map(str::to_owned).collect();
        Self { tools, definitions, built_in, issues, warnings }
    }
}

/// An inner-call grant that no program can match, since its object is no name.
fn idle_inner_call(tool: &Tool) -> Option<String> {
    let object = &tool.grants().inner_call.as_ref()?.object;
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, '_' | '$');
    let is_identifier = object.starts_with(is_letter) && object.chars().all(|c| is_letter(c) || c.is_numeric());
    (!is_identifier).then(|| {
        let (name, object) = (clipped(tool.name(), MAX_NAME), clipped(object, MAX_NAME));
        format!("tool `{name}`: `inner_call` never applies: its object `{object}` is no identifier")
    })
}

/// Reads grants by tool name, as a file holds them: `{"bash": {"closable": ["description"]}}`.
///
/// # Errors
/// A member that is no grant, or of another type.
pub fn grants_by_name(value: &Value) -> Result<HashMap<String, Grants>, FormError> {
    reader::read(PhantomData, value)
}

/// The definitions in a value, in text order, and what stands among them and is none: lists, `tools`, Gemini's
/// `functionDeclarations` and Bedrock's `toolConfig` are opened, whatever the depth.
fn definitions(value: Value) -> (Vec<Value>, Vec<String>) {
    let mut found = Vec::new();
    let mut issues = Vec::new();
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        let kind = match value {
            Value::Array(list) => {
                stack.extend(list.into_iter().rev());
                continue;
            }
            Value::Object(mut object) => {
                let inner = LISTS.iter().find_map(|key| object.remove(*key));
                let is_list = inner.is_some();
                stack.extend(inner);
                let definition = Value::Object(object);
                // Gemini takes what is built in beside a list, under a key of the same object.
                if !is_list || definition.get("type").is_none() && Tool::built_in(&definition).is_some() {
                    found.push(definition);
                }
                continue;
            }
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
        };
        issues.push(format!(
            "{kind} stands after {} definitions: a definition is an object; it is left out",
            found.len()
        ));
    }
    (found, issues)
}

/// Where the providers put lists of definitions.
const LISTS: [&str; 5] = ["tools", "functionDeclarations", "function_declarations", "toolConfig", "tool_config"];

/// The text, cut to `max` characters.
fn clipped(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Characters of a name that are shown.
const MAX_NAME: usize = 80;
