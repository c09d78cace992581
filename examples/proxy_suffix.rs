//! A proxy that forwards every delta at once and can only append: of all repairs it still can do those that end the text.
//!
//! `cargo run --example proxy_suffix`

use argseal::{Call, End, Grants, Settings, Tool};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = json!({
        "type": "object",
        "properties": {"command": {"type": "string"}, "description": {"type": "string"}},
        "required": ["command", "description"],
    });
    let grants: Grants = serde_json::from_value(json!({"closable": ["description"]}))?;
    let tool = Tool::new("bash", &schema)?.with_grants(grants)?;

    let mut call = Call::new(&tool).with_settings(&Settings::default().suffix_edits_only());
    let mut forwarded = String::new();
    for delta in [r#"{"command":"cargo test","#, r#""description":"Run the te"#] {
        call.feed(delta);
        forwarded.push_str(delta);
    }
    let accepted = call.finish(End::Complete)?;
    if let Some(suffix) = accepted.audit().suffix() {
        forwarded.push_str(suffix);
    }
    println!("{}: {forwarded}", accepted.verdict().name());
    assert_eq!(forwarded, accepted.text());
    Ok(())
}
