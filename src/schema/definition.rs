//! The shapes in which providers take the definition of a tool.

use serde_json::{Map, Value};

use super::{SchemaError, TypeSet};

/// A definition, read.
pub(super) enum Definition<'v> {
    /// What the provider offers of its own and the host only switches on: no call with arguments is made by its kind.
    BuiltIn { kind: &'v str },
    /// A tool that calls name.
    Tool {
        name: &'v str,
        /// `None`: the tool takes text, or its provider knows the schema.
        schema: Option<&'v Value>,
    },
}

impl<'v> Definition<'v> {
    pub(super) fn read(definition: &'v Value) -> Result<Self, SchemaError> {
        // Chat Completions nests under `function` or `custom`, Bedrock under `toolSpec`; the others are flat.
        let nested = ["function", "custom", "toolSpec"].into_iter().find_map(|key| definition.get(key));
        let body = nested.filter(|nested| nested.is_object()).unwrap_or(definition);
        let Some(name) = body.get("name").and_then(Value::as_str) else {
            return match definition.as_object().and_then(built_in) {
                Some(kind) => Ok(Self::BuiltIn { kind }),
                None => Err(SchemaError::new("", "a tool's definition has a `name`, itself or under `function`")),
            };
        };
        let schema = SCHEMAS.into_iter().find_map(|key| body.get(key)).filter(|schema| !schema.is_null());
        // Bedrock wraps the schema once more.
        let schema = match schema {
            Some(Value::Object(members)) if members.len() == 1 => members.get("json").or(schema),
            _ => schema,
        };
        Ok(Self::Tool { name, schema })
    }
}

/// What a definition without a name switches on, by its `type` (`{"type":"web_search"}`: nearly all providers) or by its key
/// (`{"googleSearch":{}}`: Gemini and Bedrock); `None` where a name is missing.
fn built_in(definition: &Map<String, Value>) -> Option<&str> {
    if definition.get("name").is_some_and(|name| !name.is_null()) {
        return None;
    }
    match definition.get("type") {
        Some(kind) => kind.as_str().filter(|kind| {
            // The type of a schema: one that stands in the list in place of a definition.
            !(NAMED.contains(kind) || kind.is_empty() || TypeSet::named(kind).is_some())
        }),
        None if definition.keys().all(|key| is_own_key(key)) => definition.keys().next().map(String::as_str),
        None => None,
    }
}

/// The types whose definitions have a name.
const NAMED: [&str; 2] = ["custom", "function"];

/// Whether Gemini, or Bedrock, takes something of its own under this key; Gemini in snake case too.
fn is_own_key(key: &str) -> bool {
    let spelt = || key.bytes().filter(|&byte| byte != b'_').map(|byte| byte.to_ascii_lowercase());
    OWN_KEYS.iter().any(|own| own.bytes().eq(spelt()))
}

/// In lower case. Bedrock's are `cachePoint` and `systemTool`.
const OWN_KEYS: [&str; 13] = [
    "cachepoint",
    "codeexecution",
    "computeruse",
    "enterprisewebsearch",
    "filesearch",
    "googlemaps",
    "googlesearch",
    "googlesearchretrieval",
    "mcpservers",
    "parallelaisearch",
    "retrieval",
    "systemtool",
    "urlcontext",
];

/// OpenAI and Gemini, Anthropic, MCP and Bedrock, Gemini's plain JSON Schema.
const SCHEMAS: [&str; 5] =
    ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema"];

/// The definitions in a list: Gemini's `{"functionDeclarations":[…]}` and OpenAI's `{"type":"namespace","tools":[…]}` hold
/// several.
pub(super) fn each(definitions: &[Value]) -> impl Iterator<Item = &Value> {
    definitions.iter().flat_map(|definition| {
        let is_namespace = definition.get("type").and_then(Value::as_str) == Some("namespace");
        let declared = ["functionDeclarations", "function_declarations"].into_iter();
        let several = declared.chain(is_namespace.then_some("tools")).find_map(|key| definition.get(key)?.as_array());
        several.map_or(std::slice::from_ref(definition), Vec::as_slice)
    })
}
