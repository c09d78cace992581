//! Which keywords say something of values, and which say all there is to say of members.

use serde_json::Value;

/// The keywords of JSON Schema that may reject a value or change what others mean, of every draft from 3 to 2020-12, and
/// `nullable` of OpenAPI 3.0; in lower case. Every other keyword is an annotation: that of a vendor (`x-order`), that of
/// another library, one that no one knows.
const ASSERTIONS: [&str; 54] = [
    "$dynamicanchor",
    "$dynamicref",
    "$id",
    "$recursiveanchor",
    "$recursiveref",
    "$ref",
    "$schema",
    "$vocabulary",
    "additionalitems",
    "additionalproperties",
    "allof",
    "anyof",
    "const",
    "contains",
    "dependencies",
    "dependentrequired",
    "dependentschemas",
    "disallow",
    "divisibleby",
    "else",
    "enum",
    "exclusivemaximum",
    "exclusiveminimum",
    "extends",
    "format",
    "id",
    "if",
    "items",
    "maxcontains",
    "maximum",
    "maxitems",
    "maxlength",
    "maxproperties",
    "mincontains",
    "minimum",
    "minitems",
    "minlength",
    "minproperties",
    "multipleof",
    "not",
    "nullable",
    "oneof",
    "pattern",
    "patternproperties",
    "prefixitems",
    "properties",
    "propertynames",
    // Gemini reads `$ref` by the name of its field too.
    "ref",
    "required",
    "then",
    "type",
    "unevaluateditems",
    "unevaluatedproperties",
    "uniqueitems",
];

/// Whether the members of a value, and what is said of them, can be told from the schema's `properties` alone. Where
/// `allOf`, `$ref`, `patternProperties` and the like may say more, no gate can tell what may have followed a cut.
pub(super) fn declares_all(root: &Value) -> bool {
    let known =
        ["$id", "$schema", "additionalProperties", "maxProperties", "minProperties", "properties", "required", "type"];
    let told = |keyword: &String| known.contains(&keyword.as_str()) || is_annotation(keyword);
    root.as_object().is_none_or(|keywords| keywords.keys().all(told))
}

/// Whether the keyword never rejects a value. One that is spelt in another way than a draft spells it (`min_length`,
/// which Gemini understands; `minlength`, which may be an error) is taken for no annotation.
pub(super) fn is_annotation(keyword: &str) -> bool {
    let spelt = || keyword.bytes().filter(|byte| !matches!(byte, b'_' | b'-')).map(|byte| byte.to_ascii_lowercase());
    !ASSERTIONS.iter().any(|assertion| assertion.bytes().eq(spelt()))
}

/// Whether a string beside this keyword is still a plain one: whatever text is put in, it stays valid. The text of
/// `contentEncoding` and the like is another language's.
pub(super) fn is_plain(keyword: &str) -> bool {
    let is_bound = matches!(keyword, "type" | "minLength" | "maxLength");
    let is_content = matches!(keyword, "contentEncoding" | "contentMediaType" | "contentSchema");
    is_bound || is_annotation(keyword) && !is_content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_of_vendors_are_annotations_and_those_of_drafts_are_not() {
        for keyword in [
            "$comment",
            "$defs",
            "cache_control",
            "deprecated",
            "description",
            "discriminator",
            "enumDescriptions",
            "example",
            "examples",
            "markdownDescription",
            "options",
            "order",
            "propertyOrdering",
            "property_ordering",
            "strict",
            "title",
            "x-enumNames",
            "x-order",
            "x-required",
            "",
        ] {
            assert!(is_annotation(keyword) && is_plain(keyword), "{keyword}");
        }
        for keyword in [
            "$dynamicRef",
            "dependentRequired",
            "divisibleBy",
            "extends",
            "format",
            "if",
            "minLength",
            "min_length",
            "minlength",
            "any_of",
            "anyof",
            "Required",
            "nullable",
            "pattern",
            "uniqueItems",
        ] {
            assert!(!is_annotation(keyword), "{keyword}");
        }
        assert!(
            is_plain("minLength") && !is_plain("contentEncoding") && !is_plain("pattern") && !is_plain("min_length")
        );
    }
}
