//! `docs/form.schema.json` against what the types write and read: a member or a name that only one of the two has fails.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::marker::PhantomData;

use argseal::history::{Effect, FindingKind, Unpaired};
use argseal::wire::ErrorKind;
use argseal::{
    Assembler, Calls, Chunk, Code, End, Fault, Format, Grants, History, InnerCallGrant, Judgement, Limits, NoteKind,
    Numbers, Policy, Progress, Rule, Settings, Tools, Verdict,
};
use argseal_form::{
    Answer, CallForm, FindingForm, HistoryForm, Refusal, Request, SignalForm, StreamForm, VerdictForm, compacted,
    grants_by_name, read, read_settings, tool,
};
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Value, json};
use support::Form;

#[test]
fn all_that_is_written_and_read_is_in_the_schema_and_all_of_the_schema_is_written_or_read() {
    let mut form = Form::load();
    let mut codes = BTreeSet::new();
    for entry in registry() {
        for (definition, sample) in answers_of(&entry) {
            form.check(definition, &sample);
            codes.insert(sample["diagnosis"]["code"].as_str().unwrap_or_default().to_owned());
        }
    }
    assert_eq!(codes, Code::ALL.iter().map(|code| code.name().to_owned()).collect());
    let mut outcomes = BTreeSet::new();
    for request in requests() {
        form.check("request", &request);
        let answer = answer(&request);
        form.check("answer", &answer);
        let mut verdict = answer.clone();
        verdict.as_object_mut().unwrap().remove("id");
        form.check("verdict", &verdict);
        outcomes.insert(answer["outcome"].as_str().unwrap().to_owned());
    }
    assert_eq!(outcomes, BTreeSet::from(["normalized", "rejected", "repaired", "strict"].map(str::to_owned)));
    form.check("refusal", &to_value(&Refusal::new(Some(&raw("7")), &Request::read(b"[").unwrap_err())));
    for stream in STREAMS {
        streams(&mut form, stream);
    }
    histories(&mut form);
    host_files(&mut form);
    assert_eq!(form.unseen(), Vec::<String>::new(), "the schema has what is neither written nor read");
}

#[test]
fn lists_of_names_are_those_of_the_types() {
    let form = Form::load();
    let same = |definition: &str, names: &[&str]| {
        assert_eq!(form.listed(definition), names.iter().copied().collect(), "{definition}");
    };
    same("code", &Code::ALL.iter().map(|code| code.name()).collect::<Vec<_>>());
    same("fault", &Fault::ALL.map(Fault::name));
    same("end", &End::ALL.map(End::name));
    same("rule", &Rule::ALL.map(Rule::name));
    same("policy", &Policy::ALL.map(Policy::name));
    same("judgement", &Judgement::ALL.map(Judgement::name));
    same("numbers", &Numbers::ALL.map(Numbers::name));
    same("note_kind", &NoteKind::ALL.map(NoteKind::name));
    same("format", &Format::ALL.map(Format::name));
    same("error_kind", &ErrorKind::ALL.map(ErrorKind::name));
    same("progress", &Progress::ALL.map(Progress::name));
    same("finding_kind", &FindingKind::NAMES);
    same("effect", &Effect::ALL.map(Effect::name));
    same("outcome", &VerdictForm::OUTCOMES);
    for kind in NoteKind::ALL {
        assert_eq!(to_value(&kind), kind.name());
    }
    assert!(Verdict::ALL.iter().all(|verdict| VerdictForm::OUTCOMES.contains(&verdict.name())));
}

#[test]
fn what_is_read_has_the_members_of_the_schema() {
    let form = Form::load();
    let same = |definition: &str, fields: &[&str]| {
        assert_eq!(form.properties(definition), fields.iter().copied().collect(), "{definition}");
    };
    same("request", fields_of::<Request<'static>>());
    same("settings", fields_of::<Settings>());
    same("limits", fields_of::<Limits>());
    same("grants", fields_of::<Grants>());
    same("grants", &Grants::FIELDS);
    same("inner_call", fields_of::<InnerCallGrant>());
}

#[test]
fn objects_are_closed() {
    let form = Form::load();
    let mut open = Vec::new();
    let mut stack = vec![("", &form.schema)];
    while let Some((name, node)) = stack.pop() {
        if node["properties"].is_object() && node["type"] == "object" && node["additionalProperties"] != json!(false) {
            open.push(name);
        }
        let members = node.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value));
        stack.extend(members.filter(|(name, _)| *name != "description"));
        stack.extend(node.as_array().into_iter().flatten().map(|value| (name, value)));
    }
    // The other members of a definition are the provider's.
    assert_eq!(open, ["tool"]);
}

#[test]
fn every_member_of_a_request_is_heard() {
    let form = Form::load();
    let base = json!({"text": "{\"a\":1", "end": "complete"});
    let said = [
        ("id", json!(9), base.clone()),
        ("tool", json!({"name": "t", "parameters": {"type": "object", "required": ["a"]}}), json!({"text": "{}"})),
        ("text", json!("{}"), json!({"final": ""})),
        ("deltas", json!(["{", "}"]), json!({"final": ""})),
        ("deltas_b64", json!(["ew", "fQ=="]), json!({"final": ""})),
        ("end", json!("truncated"), base.clone()),
        ("final", json!("{}"), json!({"text": ""})),
        ("settings", json!({"any_root": true}), json!({"text": "[]"})),
    ];
    assert_eq!(form.properties("request"), said.iter().map(|(name, ..)| *name).collect());
    for (name, value, without) in said {
        let mut with = without.clone();
        with[name] = value;
        assert_ne!(answer(&with), answer(&without), "{name}");
    }
}

/// A host's files: each comes back as it was read, and a member that does not exist is refused by schema and type alike.
fn host_files(form: &mut Form) {
    let settings = json!({"policy": "full", "with": ["rename"], "without": ["coerce"], "judgement": "schema", "numbers": "double", "any_root": true,
        "limits": {"depth": 64, "text": 1_048_576, "members": 1_000, "trailing": 100, "event": 5_000, "calls": 9}, "suffix_edits_only": true});
    form.check("settings", &settings);
    assert_eq!(to_value(&read_settings(&settings.to_string(), &Settings::default()).unwrap()), settings);
    form.check("settings", &to_value(&Settings::passthrough()));
    form.check("limits", &to_value(&Limits::max()));
    let grants = json!({"aliases": {"command": ["cmd"]}, "closable": ["description"], "may_lack": ["timeout"],
        "inner_call": {"payload": "code", "object": "tools", "epilogue": "text({binding})"}, "max_inline_bytes": {"a": 1},
        "max_inline_chars": {"a": 1}, "max_inline_utf16": {"a": 1},
        "placeholders": {"a": [{"exact": "x"}, {"prefix": "y"}, {"contains": "z"}]}});
    form.check("grants", &grants);
    assert_eq!(to_value(&read(PhantomData::<Grants>, &grants).unwrap()), grants);
    let by_name = json!({"bash": {"placeholders": {"a": ["bare"]}}});
    form.check("grants_by_name", &by_name);
    assert!(grants_by_name(&by_name).is_ok());
    for misspelt in [json!({"polcy": "full"}), json!({"limits": {"dept": 1}}), json!({"limits": {"text": "1 MiB"}})] {
        assert!(!form.allows("settings", &misspelt), "{misspelt}");
        assert!(read(Settings::default(), &misspelt).is_err(), "{misspelt}");
    }
    for misspelt in [json!({"closeable": []}), json!({"inner_call": {"payload": "a", "object": "b", "c": 1}})] {
        assert!(!form.allows("grants", &misspelt), "{misspelt}");
        assert!(read(PhantomData::<Grants>, &misspelt).is_err(), "{misspelt}");
    }
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    for definition in [
        json!({"name": "t", "parameters": schema}),
        json!({"name": "t", "input_schema": schema}),
        json!({"name": "t", "inputSchema": schema}),
        json!({"name": "t", "parametersJsonSchema": schema}),
        json!({"name": "t", "parameters_json_schema": schema}),
        json!({"type": "function", "function": {"name": "t", "parameters": schema}}),
        json!({"toolSpec": {"name": "t", "inputSchema": {"json": schema}}}),
    ] {
        form.check("tool", &definition);
        assert!(tool::of_definition(&definition).unwrap().has_schema(), "{definition}");
    }
    let mut granted = grants.clone();
    granted["name"] = json!("t");
    form.check("tool", &granted);
    assert_eq!(to_value(tool::of_definition(&granted).unwrap().grants()), grants);
    let custom = json!({"type": "custom", "custom": {"name": "t"}});
    form.check("tool", &custom);
    assert!(!tool::of_definition(&custom).unwrap().has_schema());
}

fn requests() -> Vec<Value> {
    let schema = json!({"type": "object", "required": ["command", "description"], "properties": {
        "command": {"type": "string"}, "description": {"type": "string"}}});
    let bash =
        json!({"name": "bash", "parameters": schema, "closable": ["description"], "aliases": {"command": ["cmd"]}});
    vec![
        json!({"id": 1, "text": "{\"a\":1}"}),
        json!({"id": [2], "tool": bash, "deltas": ["{\"command\":\"ls\",\"description\":\"L"]}),
        json!({"tool": bash, "text": "{\"cmd\":\"ls\",\"description\":\"L\"}", "settings": {"policy": "full"}}),
        json!({"tool": bash, "text": "{\"command\":1}", "settings": {"judgement": "text"}}),
        json!({"text": "{\"a\":\"b\"}", "final": "{\"a\":\"b\"}", "end": "closed"}),
        json!({"text": "{\"a\":1}{\"a\":1}"}),
        json!({"text": "{\"code\":\"a \"b\" c\"}"}),
        json!({"deltas_b64": ["eyJhIjoi/w=="]}),
        json!({"tool": {"name": "t", "parameters": {"type": "object", "patternProperties": {"a": {}}, "additionalProperties": false}},
            "text": "{\"c\":1}", "settings": {"judgement": "shape"}}),
    ]
}

fn answer(request: &Value) -> Value {
    let line = request.to_string();
    let request = Request::read(line.as_bytes()).unwrap();
    let verdict = request.prepare(&Settings::default()).unwrap().judge();
    to_value(&Answer::new(request.id().map(compacted).as_deref(), &verdict))
}

/// The examples of the registry of codes.
fn registry() -> Vec<toml::Table> {
    let registry: toml::Table = toml::from_str(argseal::code::REGISTRY).unwrap();
    registry["code"].as_array().unwrap().iter().map(|entry| entry.as_table().unwrap().clone()).collect()
}

/// What is answered to the example of one code.
fn answers_of(entry: &toml::Table) -> Vec<(&'static str, Value)> {
    let entry: Value = serde_json::to_value(entry).unwrap();
    let definition: Option<Value> = entry["tool"].as_str().map(|text| serde_json::from_str(text).unwrap());
    let mut settings = json!({});
    for (name, value) in entry["settings"].as_object().into_iter().flatten() {
        let place =
            if matches!(name.as_str(), "calls" | "depth" | "text") { &mut settings["limits"] } else { &mut settings };
        place[name] = value.clone();
    }
    if !(entry["called"].is_null() && entry["chunks"].is_null()) {
        let tools: Tools = definition.iter().map(|definition| tool::of_definition(definition).unwrap()).collect();
        let settings: Settings = serde_json::from_value(settings).unwrap();
        let mut calls = Calls::new(&tools, &settings);
        let whole = [json!({"id": "1", "name": entry["called"], "arguments": entry["example"]})];
        for chunk in entry["chunks"].as_array().map_or(&whole[..], Vec::as_slice) {
            let [id, name, arguments] = ["id", "name", "arguments"].map(|key| chunk[key].as_str());
            calls.chunk(Chunk { index: Some(0), id, name, arguments });
        }
        return calls
            .finish(End::Complete)
            .iter()
            .map(|call| ("replay_call", to_value(&CallForm::new(call, None, None))))
            .collect();
    }
    let mut request = json!({"tool": definition, "end": entry["end"], "final": entry["final"], "settings": settings});
    match &entry["example"] {
        Value::Null => request["deltas_b64"] = json!([entry["example_b64"]]),
        text => request["text"] = text.clone(),
    }
    vec![("answer", answer(&request))]
}

/// A stream with an early rejection and an end marker; one with a call of a custom tool; one through a gateway, with an
/// error.
const STREAMS: [&str; 3] = [
    include_str!("../../samples/anthropic-inner-quote.sse"),
    concat!(
        "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"custom_tool_call\",\"id\":\"i1\",\"call_id\":\"c1\",\"name\":\"exec\",\"input\":\"\"}}\n\n",
        "data: {\"type\":\"response.custom_tool_call_input.delta\",\"output_index\":0,\"item_id\":\"i1\",\"delta\":\"ls\"}\n\n",
        "data: {\"type\":\"response.custom_tool_call_input.done\",\"output_index\":0,\"item_id\":\"i1\",\"input\":\"ls\"}\n\n",
        "data: {\"type\":\"response.output_item.added\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"id\":\"i2\",\"call_id\":\"c2\",\"name\":\"run\",\"arguments\":\"\"}}\n\n",
        "data: {\"type\":\"response.function_call_arguments.delta\",\"output_index\":1,\"item_id\":\"i2\",\"delta\":\"{]\"}\n\n",
        "data: {\"type\":\"response.function_call_arguments.done\",\"output_index\":1,\"item_id\":\"i2\",\"arguments\":\"{]\"}\n\n",
        "data: {\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"id\":\"i2\",\"call_id\":\"c2\",\"name\":\"run\",\"arguments\":\"{]\",\"status\":\"completed\"}}\n\n",
    ),
    concat!(
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"now\",\"arguments\":\"{}\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"c2\",\"function\":{\"name\":\"run\",\"arguments\":\"{\\\"a\\\":\\\"b\\\"c\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"function\":{\"arguments\":\"}\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\",\"native_finish_reason\":\"STOP\"}]}\n\n",
        "data: {\"error\":{\"message\":\"overloaded\"}}\n\n",
    ),
];

fn streams(form: &mut Form, text: &str) {
    let mut assembler = Assembler::detecting(&Tools::default(), &Settings::default());
    // Line by line: which format it is is known once an event of it was read.
    for line in text.split_inclusive('\n') {
        let format = assembler.format();
        assembler.push(line.as_bytes(), &mut |signal| {
            let told = to_value(&SignalForm::new(&signal, format).expect("every signal has a form"));
            form.check("signal", &told);
        });
    }
    let stream = assembler.finish();
    for call in &stream.calls {
        form.check("replay_call", &to_value(&CallForm::of(&stream, call)));
    }
    form.check("replay_stream", &to_value(&StreamForm::new(&stream, Some("a.sse"))));
}

fn histories(form: &mut Form) {
    let bash = json!({"name": "bash", "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}});
    let tools: Tools = [tool::of_definition(&bash).unwrap()].into_iter().collect();
    let call = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "bash", "arguments": arguments}});
    let body = json!([
        {"role": "assistant", "tool_calls": [
            call("c1", "{\"arguments\":{\"command\":\"ls\"}}"), call("c2", "{\"command\":\"l"), call("c3", "{\"command\":1,\"command\":2}")]},
        {"role": "tool", "tool_call_id": "c1", "content": "a"},
        {"role": "tool", "tool_call_id": "c9", "content": "b"}])
    .to_string();
    let settings = Settings::default().with_policy(Policy::Full);
    for unpaired in [Unpaired::Report, Unpaired::Close] {
        let mended = History::new(&settings).with_unpaired(unpaired).mend(&body, &tools).unwrap();
        for finding in &mended.findings {
            form.check("finding", &to_value(&FindingForm::new(finding)));
        }
        form.check("history", &to_value(&HistoryForm::new(&mended, body.len())));
    }
}

fn to_value(form: &impl serde::Serialize) -> Value {
    serde_json::from_str(&serde_json::to_string(form).unwrap()).unwrap()
}

fn raw(text: &str) -> Box<serde_json::value::RawValue> {
    serde_json::from_str(text).unwrap()
}

/// The members that a type reads.
fn fields_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let fields = Cell::new(&[][..]);
    assert!(T::deserialize(Asked(&fields)).is_err());
    fields.get()
}

/// Hears which members a type asks for, and gives none.
struct Asked<'c>(&'c Cell<&'static [&'static str]>);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(de::Error::custom("no struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.set(fields);
        Err(de::Error::custom("asked"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
