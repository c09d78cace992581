//! A host that starts a tool at the call's own end marker, while the stream still runs.
//!
//! `cargo run --example early_start`

use argseal::{Calls, Chunk, End, Payload, Settings, Tools};
use serde_json::json;

fn main() {
    let definitions = [
        json!({"name": "read", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}}),
    ];
    let (tools, issues) = Tools::of(&definitions, &|_| argseal::Grants::default(), None);
    assert!(issues.is_empty());
    let mut calls = Calls::new(&tools, &Settings::default());

    let first =
        calls.chunk(Chunk { index: Some(0), id: Some("call_a"), name: Some("read"), arguments: Some(r#"{"path":"#) });
    calls.chunk(Chunk { index: Some(0), arguments: Some(r#""a.md"}"#), ..Chunk::default() });
    // The provider's end marker of this call: its root is closed, so it is settled now.
    let settled = calls.close(first.key, None).expect("a closed root is settled at its end marker");
    match settled.payload {
        Payload::Arguments(Ok(accepted)) => println!("start {:?} with {}", settled.name, accepted.text()),
        Payload::Arguments(Err(rejected)) => println!("do not start: {rejected}"),
        Payload::Text(text) => println!("start with text {text}"),
    }
    // The stream goes on; what is still open is settled at its end.
    assert!(calls.finish(End::Complete).is_empty());
}
