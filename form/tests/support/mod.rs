//! The schema of the form, and which of its members samples have shown.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use serde_json::{Value, json};

/// `docs/form.schema.json`.
pub(crate) struct Form {
    pub(crate) schema: Value,
    validators: BTreeMap<String, Validator>,
    /// Pointers of properties that a sample held, not as null.
    seen: BTreeSet<String>,
}

impl Form {
    pub(crate) fn load() -> Self {
        let schema = serde_json::from_str(include_str!("../../../docs/form.schema.json")).expect("JSON");
        Self { schema, validators: BTreeMap::new(), seen: BTreeSet::new() }
    }

    /// Checks a sample against a definition, and remembers what it held.
    pub(crate) fn check(&mut self, definition: &str, sample: &Value) {
        let place = format!("/$defs/{definition}");
        let errors: Vec<String> = self
            .validator(&place)
            .iter_errors(sample)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{definition}: {errors:#?} in {sample:#}");
        self.mark(&place, sample);
    }

    pub(crate) fn allows(&mut self, definition: &str, sample: &Value) -> bool {
        self.validator(&format!("/$defs/{definition}")).is_valid(sample)
    }

    /// The names of the properties of a definition.
    pub(crate) fn properties(&self, definition: &str) -> BTreeSet<&str> {
        let properties = self.schema["$defs"][definition]["properties"].as_object().expect("properties");
        properties.keys().map(String::as_str).collect()
    }

    /// The values that a definition lists.
    pub(crate) fn listed(&self, definition: &str) -> BTreeSet<&str> {
        let values = self.schema["$defs"][definition]["enum"].as_array().expect("an enum");
        values.iter().map(|value| value.as_str().expect("a name")).collect()
    }

    /// Properties that no sample held.
    pub(crate) fn unseen(&self) -> Vec<String> {
        let mut all = Vec::new();
        collect(&self.schema, "", &mut all);
        all.retain(|place| !self.seen.contains(place));
        all
    }

    fn mark(&mut self, place: &str, sample: &Value) {
        let node = self.schema.pointer(place).expect("a part of the schema").clone();
        if let Some(target) = node["$ref"].as_str() {
            self.mark(target.trim_start_matches('#'), sample);
        }
        for branches in ["anyOf", "oneOf"] {
            for i in 0..node[branches].as_array().map_or(0, Vec::len) {
                let branch = format!("{place}/{branches}/{i}");
                if self.validator(&branch).is_valid(sample) {
                    self.mark(&branch, sample);
                }
            }
        }
        for element in sample.as_array().into_iter().flatten().filter(|_| node["items"].is_object()) {
            self.mark(&format!("{place}/items"), element);
        }
        for (name, value) in sample.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
            if node["properties"][name].is_object() {
                let property = format!("{place}/properties/{name}");
                self.mark(&property, value);
                self.seen.insert(property);
            } else if node["additionalProperties"].is_object() {
                self.mark(&format!("{place}/additionalProperties"), value);
            }
        }
    }

    fn validator(&mut self, place: &str) -> &Validator {
        let Self { schema, validators, .. } = self;
        validators.entry(place.to_owned()).or_insert_with(|| {
            let part = json!({"$ref": format!("#{place}"), "$defs": schema["$defs"]});
            jsonschema::draft202012::new(&part).expect("a schema")
        })
    }
}

/// The places of all properties.
fn collect(node: &Value, place: &str, all: &mut Vec<String>) {
    match node {
        Value::Object(members) => {
            for (key, value) in members {
                let below = format!("{place}/{key}");
                if key == "properties" && value.is_object() && !place.ends_with("/properties") {
                    all.extend(value.as_object().into_iter().flatten().map(|(name, _)| format!("{below}/{name}")));
                }
                collect(value, &below, all);
            }
        }
        Value::Array(list) => {
            for (i, value) in list.iter().enumerate() {
                collect(value, &format!("{place}/{i}"), all);
            }
        }
        _ => {}
    }
}
