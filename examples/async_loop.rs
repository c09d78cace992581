//! An async loop in a spawned task: two parallel calls, a live preview of `content`, one call that is rejected, and a
//! history that stays valid for the next request.
//!
//! `cargo run --example async_loop`

use std::time::Duration;

use argseal::{Call, Cursor, End, Tool, Transcript};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// What a provider's client yields: the index of the call, and a piece of its arguments.
type Delta = (usize, &'static str);

const STREAM: [Delta; 7] = [
    (0, r##"{"path":"notes.md","content":"# No"##),
    (1, r#"{"command":"echo "hi" && l"#),
    (0, r"tes\nFirst "),
    (0, r#"line, with a \"quote\" "#),
    (1, r#"s","timeout":5}"#),
    (0, r"and an emoji \ud83d"),
    (0, r#"\ude00."}"#),
];

async fn read(mut deltas: mpsc::Receiver<Delta>, tools: [Tool; 2]) -> Vec<Value> {
    let mut calls: Vec<Call> = tools.iter().map(Call::new).collect();
    let mut content = Cursor::member("content");
    while let Some((index, delta)) = deltas.recv().await {
        calls[index].feed(delta);
        if let Some(grown) = calls[0].partial().take(&mut content) {
            print!("{}", grown.text);
        }
        if let Some(diagnosis) = calls[index].diagnosis() {
            println!("\n[call {index} is rejected while it streams: {diagnosis}]");
        }
    }
    println!();
    let mut history = Vec::new();
    for (call, tool) in calls.into_iter().zip(&tools) {
        let (arguments, result) = match call.finish(End::Complete) {
            Ok(accepted) => (accepted.into_value().expect("no number that a Value does not hold"), "done".to_owned()),
            Err(rejected) => {
                let reply = rejected.reply().unwrap_or_else(|| "The call was lost; please send it again.".to_owned());
                (rejected.transcript(Transcript::Marker), reply)
            }
        };
        history.push(json!({"role": "assistant", "tool": tool.name(), "input": arguments}));
        history.push(json!({"role": "tool", "content": result}));
    }
    history
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let write = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"],
    });
    let bash = json!({
        "type": "object",
        "properties": {"command": {"type": "string"}, "timeout": {"type": "integer"}},
        "required": ["command"],
    });
    let tools = [Tool::new("write", &write)?, Tool::new("bash", &bash)?];

    let (sender, receiver) = mpsc::channel(4);
    let reader = tokio::spawn(read(receiver, tools));
    for delta in STREAM {
        sender.send(delta).await?;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    drop(sender);
    let history = reader.await?;
    println!("{}", serde_json::to_string_pretty(&history)?);
    assert_eq!(history[0]["input"]["content"], "# Notes\nFirst line, with a \"quote\" and an emoji 😀.");
    assert_eq!(history[2]["input"], json!({"_rejected": "unexpected-after-string"}));
    Ok(())
}
