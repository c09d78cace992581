//! Tool definitions in the forms of the providers, and the grants beside them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use argseal::{Grants, JsonSchema, Tool, ToolIssue, Tools};
use serde_json::{Map, Value};

use crate::args::ToolOptions;
use crate::failure::Failure;
use crate::input;
use crate::printable::{clipped, printable};

/// The tool of one definition, with the grants beside it.
pub(crate) fn tool(definition: &Value) -> Result<Tool, String> {
    let tool = Tool::from_json(definition).map_err(|error| format!("tool: {error}"))?;
    let grants = grants_beside(definition).map_err(|error| format!("tool: {error}"))?;
    let tool = tool.with_grants(grants).map_err(|error| format!("tool: {error}"))?;
    Ok(wholly_judged(tool, definition))
}

/// The tool, with a validator that knows every keyword where the built-in one leaves some to the host.
fn wholly_judged(tool: Tool, definition: &Value) -> Tool {
    if tool.unjudged().is_empty() {
        return tool;
    }
    match JsonSchema::from_json(definition) {
        Ok(Some(validator)) => tool.with_validator(Arc::new(validator)),
        // What stays unjudged is told in a note of each verdict.
        Ok(None) | Err(_) => tool,
    }
}

/// What a file of tools holds.
#[derive(Debug, Default)]
pub(crate) struct ToolList {
    pub(crate) tools: Tools,
    /// The definitions, one a tool.
    pub(crate) definitions: Vec<Value>,
    /// The kinds of what the provider has built in: no tools that a call names.
    pub(crate) built_in: Vec<String>,
    /// What could not be understood, a line each: such a definition or grant is not in force.
    pub(crate) issues: Vec<String>,
    /// Grants that are in force and never apply, a line each.
    pub(crate) warnings: Vec<String>,
}

impl ToolList {
    /// The tools of the options' files; none if no file is named.
    pub(crate) fn read(options: &ToolOptions) -> Result<Self, Failure> {
        let Some(path) = &options.tools else { return Ok(Self::default()) };
        let (definitions, mut issues) = definitions(json(path)?);
        if definitions.is_empty() {
            return Err(Failure::Unusable(format!(
                "{} holds no tool definition; a list of definitions or {{\"tools\": […]}} is expected",
                path.display()
            )));
        }
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
        if let Some(path) = &options.grants {
            let file: HashMap<String, Grants> = serde_json::from_value(json(path)?).map_err(|error| {
                Failure::Unusable(format!("{}: {error}; grants by tool name are expected", path.display()))
            })?;
            let named: HashSet<&str> = definitions.iter().filter_map(name_of).collect();
            let mut idle: Vec<&String> = file.keys().filter(|name| !named.contains(name.as_str())).collect();
            idle.sort_unstable();
            warnings
                .extend(idle.iter().map(|name| {
                    format!("grants for `{}` never apply: no tool has this name", clipped(name, MAX_NAME))
                }));
            grants.extend(file);
        }
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
        Ok(Self { tools, definitions, built_in, issues, warnings })
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

impl ToolList {
    /// Says on standard error what is wrong with the configuration, a line each.
    pub(crate) fn warn(&self) {
        for line in self.issues.iter().chain(&self.warnings) {
            eprintln!("argseal: warning: {}", printable(line));
        }
    }
}

/// The JSON value of a file.
fn json(path: &std::path::Path) -> Result<Value, Failure> {
    let bytes = input::read(path)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Failure::Unusable(format!("{} is not JSON: {error}; correct the file", path.display())))
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

/// The name that a definition gives, in whatever form.
pub(crate) fn name_of(definition: &Value) -> Option<&str> {
    body(definition).get("name")?.as_str()
}

/// The schema of the parameters that a definition gives, in whatever form.
pub(crate) fn schema_of(definition: &Value) -> Option<&Value> {
    let body = body(definition);
    let schema = SCHEMAS.iter().find_map(|key| body.get(key))?;
    Some(schema.get("json").unwrap_or(schema))
}

fn body(definition: &Value) -> &Value {
    FORMS.iter().find_map(|key| definition.get(key)).filter(|inner| inner.is_object()).unwrap_or(definition)
}

/// Where the providers nest one definition.
const FORMS: [&str; 3] = ["function", "custom", "toolSpec"];

/// Characters of a name that are shown.
const MAX_NAME: usize = 80;

/// Where the providers put the schema.
const SCHEMAS: [&str; 5] =
    ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema"];

/// The grants among the members of a definition, whether they stand beside the provider's envelope or in it.
fn grants_beside(definition: &Value) -> Result<Grants, serde_json::Error> {
    let mut grants = Map::new();
    for object in FORMS.iter().filter_map(|key| definition.get(key)).chain([definition]).filter_map(Value::as_object) {
        let granted = object.iter().filter(|(key, value)| Grants::FIELDS.contains(&key.as_str()) && !value.is_null());
        grants.extend(granted.map(|(key, value)| (key.clone(), value.clone())));
    }
    serde_json::from_value(Value::Object(grants))
}
