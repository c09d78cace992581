//! The shapes in which providers take the definition of a tool.

use serde_json::Value;

use super::SchemaError;

/// A definition, read: whose schema it is, and the schema.
pub(super) struct Definition<'v> {
    pub(super) name: &'v str,
    /// `None`: the tool takes text, or a provider runs it.
    pub(super) schema: Option<&'v Value>,
}

impl<'v> Definition<'v> {
    pub(super) fn read(definition: &'v Value) -> Result<Self, SchemaError> {
        // Chat Completions nests under `function` or `custom`, Bedrock under `toolSpec`; the others are flat.
        let nested = ["function", "custom", "toolSpec"].into_iter().find_map(|key| definition.get(key));
        let body = nested.filter(|nested| nested.is_object()).unwrap_or(definition);
        let Some(name) = body.get("name").and_then(Value::as_str) else {
            return Err(SchemaError::new("", "a tool's definition has a `name`, itself or under `function`"));
        };
        let schema = SCHEMAS.into_iter().find_map(|key| body.get(key)).filter(|schema| !schema.is_null());
        // Bedrock wraps the schema once more.
        let schema = match schema {
            Some(Value::Object(members)) if members.len() == 1 => members.get("json").or(schema),
            _ => schema,
        };
        Ok(Self { name, schema })
    }
}

/// OpenAI and Gemini, Anthropic, MCP and Bedrock, Gemini's plain JSON Schema.
const SCHEMAS: [&str; 5] =
    ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema"];

/// The definitions in a list: Gemini's `{"functionDeclarations":[…]}` holds several.
pub(super) fn each(definitions: &[Value]) -> impl Iterator<Item = &Value> {
    definitions.iter().flat_map(|definition| {
        let declared = ["functionDeclarations", "function_declarations"];
        let several = declared.into_iter().find_map(|key| definition.get(key)).and_then(Value::as_array);
        several.map_or(std::slice::from_ref(definition), Vec::as_slice)
    })
}
