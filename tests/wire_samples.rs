//! The sample streams of the repository, with their tools.

use argseal::calls::Payload;
use argseal::{Assembler, Grants, Judgement, Settings, Stream, Tools};
use serde_json::Value;
use std::path::Path;

fn read(name: &str, step: usize) -> Stream {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let definitions: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(folder.join("tools.json")).expect("readable")).expect("JSON");
    let grants = |name: &str| {
        let named = |definition: &&Value| definition["name"] == name || definition["function"]["name"] == name;
        definitions.iter().find(named).map_or_else(Grants::default, |found| Grants::beside(found).expect("grants"))
    };
    let (tools, issues) = Tools::of(&definitions, &grants, None);
    assert!(issues.is_empty(), "{issues:?}");
    let mut assembler = Assembler::detecting(&tools, &Settings::default().with_judgement(Judgement::Schema));
    let bytes = std::fs::read(folder.join(name)).expect("readable");
    bytes.chunks(step).for_each(|piece| assembler.push(piece, &mut |_| {}));
    assembler.finish()
}

fn verdicts(name: &str) -> Vec<String> {
    let told = |step| -> Vec<String> {
        let stream = read(name, step);
        assert!(stream.errors.is_empty() && stream.done, "{stream:?}");
        let verdict = |payload: &Payload| match payload {
            Payload::Arguments(Ok(accepted)) => accepted.verdict().name(),
            Payload::Arguments(Err(rejected)) => rejected.diagnosis().code().name(),
            Payload::Text(_) => "text",
        };
        let name = |name: &Option<String>| name.clone().unwrap_or_default();
        stream.calls.iter().map(|call| format!("{} {}", name(&call.name), verdict(&call.payload))).collect()
    };
    assert_eq!(told(1), told(usize::MAX));
    told(1400)
}

#[test]
fn the_samples_have_these_verdicts() {
    let inner_quote = verdicts("anthropic-inner-quote.sse");
    // `repaired`, once inner-call is part of the judgement.
    assert!(matches!(inner_quote[0].as_str(), "exec missing-required" | "exec repaired"), "{inner_quote:?}");
    assert_eq!(inner_quote[1], "bash repaired");
    assert_eq!(verdicts("openai-chat-parallel-cut.sse"), ["get_weather strict", "write_file truncated-in-string"]);
    assert_eq!(verdicts("openai-responses.sse"), ["write_file strict", "get_weather unknown-property"]);
}
