//! One tool: its definition in the form of a provider, and the grants beside it.

use std::marker::PhantomData;

use argseal::{Grants, Tool};
use serde_json::{Map, Value};

use crate::{FormError, reader};

/// The tool of one definition, with the grants beside it.
///
/// # Errors
/// No name, a malformed schema, or grants that cannot be read or contradict each other or the schema.
///
/// ```
/// let definition = serde_json::json!({"name": "bash", "parameters": {"type": "object"}, "may_lack": ["timeout"]});
/// let tool = argseal_form::tool::of_definition(&definition)?;
/// assert_eq!(tool.grants().may_lack, ["timeout"]);
/// # Ok::<(), argseal_form::FormError>(())
/// ```
pub fn of_definition(definition: &Value) -> Result<Tool, FormError> {
    let unusable = |error: &dyn std::fmt::Display| FormError::new("", error);
    let tool = Tool::from_json(definition).map_err(|error| unusable(&error))?;
    let grants = grants_beside(definition)?;
    let tool = tool.with_grants(grants).map_err(|error| unusable(&error))?;
    Ok(wholly_judged(tool, definition))
}

/// The tool, with a validator that knows every keyword where the built-in one leaves some to the host.
#[cfg(feature = "jsonschema")]
pub(crate) fn wholly_judged(tool: Tool, definition: &Value) -> Tool {
    if tool.unjudged().is_empty() {
        return tool;
    }
    match argseal::JsonSchema::from_json(definition) {
        Ok(Some(validator)) => tool.with_validator(std::sync::Arc::new(validator)),
        // What stays unjudged is told in a note of each verdict.
        Ok(None) | Err(_) => tool,
    }
}

/// The tool as it is: what stays unjudged is told in a note of each verdict.
#[cfg(not(feature = "jsonschema"))]
pub(crate) fn wholly_judged(tool: Tool, _: &Value) -> Tool {
    tool
}

/// The name that a definition gives, in whatever form.
pub fn name_of(definition: &Value) -> Option<&str> {
    body(definition).get("name")?.as_str()
}

/// The schema of the parameters that a definition gives, in whatever form.
pub fn schema_of(definition: &Value) -> Option<&Value> {
    let body = body(definition);
    let schema = SCHEMAS.iter().find_map(|key| body.get(key))?;
    Some(schema.get("json").unwrap_or(schema))
}

fn body(definition: &Value) -> &Value {
    FORMS.iter().find_map(|key| definition.get(key)).filter(|inner| inner.is_object()).unwrap_or(definition)
}

/// Where the providers nest one definition.
const FORMS: [&str; 3] = ["function", "custom", "toolSpec"];

/// Where the providers put the schema.
const SCHEMAS: [&str; 5] =
    ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema"];

/// The grants among the members of a definition, whether they stand beside the provider's envelope or in it.
pub(crate) fn grants_beside(definition: &Value) -> Result<Grants, FormError> {
    let mut grants = Map::new();
    for object in FORMS.iter().filter_map(|key| definition.get(key)).chain([definition]).filter_map(Value::as_object) {
        grants.extend(reader::chosen(object, &Grants::FIELDS));
    }
    reader::read(PhantomData, &Value::Object(grants))
}
