//! The whole text at once: for providers that send no deltas, and for recorded calls.
//!
//! `cargo run --example whole_text`

use argseal::{End, Tool, judge};
use serde::Deserialize;
use serde_json::json;

#[derive(Debug, Deserialize, PartialEq)]
struct Read<'a> {
    path: &'a str,
    #[serde(default)]
    offset: Option<u64>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "offset": {"type": "integer"}},
        "required": ["path"],
    });
    let tool = Tool::new("read", &schema)?;

    let accepted = judge(&tool, r#"{"path":"src/lib.rs","offset":40}"#, End::Complete)?;
    let read: Read<'_> = accepted.to()?;
    assert_eq!(read, Read { path: "src/lib.rs", offset: Some(40) });
    println!("{}: {read:?}", accepted.verdict().name());

    let cut = judge(&tool, r#"{"path":"src/lib.rs","offset":4"#, End::Truncated).expect_err("a cut number may go on");
    println!("rejected: {cut}");
    assert_eq!(cut.diagnosis().code().name(), "truncated-in-number");
    Ok(())
}
