//! A harness whose handlers are trait objects: deltas come in through `&mut self`, and the call is finished by taking it
//! out with `mem::take`.
//!
//! `cargo run --example trait_object`

use argseal::{Accepted, Call, End, Rejected, Tool};
use serde_json::json;

trait Handler {
    fn delta(&mut self, text: &str);
    fn end(&mut self, end: End) -> Result<Accepted, Rejected>;
}

struct ToolCall {
    call: Call,
}

impl Handler for ToolCall {
    fn delta(&mut self, text: &str) {
        self.call.feed(text);
    }

    fn end(&mut self, end: End) -> Result<Accepted, Rejected> {
        std::mem::take(&mut self.call).finish(end)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = json!({"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]});
    let tool = Tool::new("bash", &schema)?;
    let mut handler: Box<dyn Handler + Send> = Box::new(ToolCall { call: Call::new(&tool) });
    for delta in [r#"{"comm"#, r#"and":"cargo "#, r#"test"}"#] {
        handler.delta(delta);
    }
    let accepted = handler.end(End::Complete)?;
    println!("run {:?}", accepted.get("command").and_then(argseal::ValueRef::as_str));
    assert_eq!(accepted.text(), r#"{"command":"cargo test"}"#);
    Ok(())
}
