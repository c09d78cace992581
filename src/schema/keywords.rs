//! Which keywords say nothing of values, and which say all there is to say of members.

use serde_json::Value;

/// Keywords that never reject a value (JSON Schema 2020-12, sections 8 and 9; those of OpenAPI and Gemini that say
/// nothing about values).
const ANNOTATIONS: [&str; 19] = [
    "$anchor",
    "$comment",
    "$defs",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "deprecated",
    "description",
    "discriminator",
    "example",
    "examples",
    "externalDocs",
    "propertyOrdering",
    "readOnly",
    "title",
    "writeOnly",
    "xml",
];

/// Whether the members of a value, and what is said of them, can be told from the schema's `properties` alone. Where
/// `allOf`, `$ref`, `patternProperties` and the like may say more, no gate can tell what may have followed a cut.
pub(super) fn declares_all(root: &Value) -> bool {
    let known =
        ["$id", "$schema", "additionalProperties", "maxProperties", "minProperties", "properties", "required", "type"];
    let told = |keyword: &String| known.contains(&keyword.as_str()) || is_annotation(keyword);
    root.as_object().is_none_or(|keywords| keywords.keys().all(told))
}

pub(super) fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword) || keyword.starts_with("x-")
}
