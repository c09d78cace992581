//! Event streams as providers send them, with the calls that they are asked to carry.

use std::fmt::Write as _;

use argseal::Format;
use serde_json::{Value, json};

use super::{Cut, deltas};

/// The formats that [`response`] writes.
pub const FORMATS: [Format; 3] = [Format::Anthropic, Format::OpenaiChat, Format::OpenaiResponses];

/// One response that makes these calls (name and arguments) one after the other, its arguments in deltas of 3 to 20
/// bytes. `None`: the format is not one of [`FORMATS`].
pub fn response(format: Format, calls: &[(&str, &str)]) -> Option<String> {
    let mut stream = String::new();
    match format {
        Format::Anthropic => anthropic(calls, &mut stream),
        Format::OpenaiChat => openai_chat(calls, &mut stream),
        Format::OpenaiResponses => openai_responses(calls, &mut stream),
        _ => return None,
    }
    Some(stream)
}

/// Chat Completions with `count` calls of `name` that are all open at once: each gets its first delta before any gets
/// its second.
pub fn interleaved(name: &str, first: &str, second: &str, count: usize) -> String {
    let mut stream = String::new();
    for index in 0..count {
        chat(chat_start(index, name), &mut stream);
        chat(chat_delta(index, first), &mut stream);
    }
    (0..count).for_each(|index| chat(chat_delta(index, second), &mut stream));
    chat_end(&mut stream);
    stream
}

fn anthropic(calls: &[(&str, &str)], stream: &mut String) {
    let mut event = |name: &str, mut data: Value| {
        data["type"] = name.into();
        // Writing to a String cannot fail.
        let _ = write!(stream, "event: {name}\ndata: {data}\n\n");
    };
    let message = json!({"id": "msg_01", "type": "message", "role": "assistant", "model": "m", "content": []});
    event("message_start", json!({"message": message}));
    for (index, (name, arguments)) in calls.iter().enumerate() {
        let block = json!({"type": "tool_use", "id": format!("toolu_{index:02}"), "name": name, "input": {}});
        event("content_block_start", json!({"index": index, "content_block": block}));
        for delta in deltas(arguments, LENGTHS) {
            let delta = json!({"type": "input_json_delta", "partial_json": delta});
            event("content_block_delta", json!({"index": index, "delta": delta}));
        }
        event("content_block_stop", json!({"index": index}));
    }
    event("message_delta", json!({"delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 900}}));
    event("message_stop", json!({}));
}

fn openai_chat(calls: &[(&str, &str)], stream: &mut String) {
    for (index, (name, arguments)) in calls.iter().enumerate() {
        chat(chat_start(index, name), stream);
        deltas(arguments, LENGTHS).into_iter().for_each(|delta| chat(chat_delta(index, delta), stream));
    }
    chat_end(stream);
}

fn chat_start(index: usize, name: &str) -> Value {
    let function = json!({"name": name, "arguments": ""});
    let call = json!({"index": index, "id": format!("call_{index}"), "type": "function", "function": function});
    json!({"delta": {"tool_calls": [call]}, "finish_reason": null})
}

fn chat_delta(index: usize, delta: &str) -> Value {
    json!({"delta": {"tool_calls": [{"index": index, "function": {"arguments": delta}}]}, "finish_reason": null})
}

fn chat(choice: Value, stream: &mut String) {
    let head = r#"{"id":"chatcmpl-0","object":"chat.completion.chunk","created":1764500000,"model":"m","choices":["#;
    // Writing to a String cannot fail.
    let _ = write!(stream, "data: {head}{choice}]}}\n\n");
}

fn chat_end(stream: &mut String) {
    chat(json!({"delta": {}, "finish_reason": "tool_calls"}), stream);
    stream.push_str("data: [DONE]\n\n");
}

fn openai_responses(calls: &[(&str, &str)], stream: &mut String) {
    let mut number = 0;
    let mut event = |name: &str, mut data: Value| {
        data["type"] = name.into();
        data["sequence_number"] = number.into();
        number += 1;
        // Writing to a String cannot fail.
        let _ = write!(stream, "event: {name}\ndata: {data}\n\n");
    };
    event("response.created", json!({"response": {"id": "resp_0", "status": "in_progress", "output": []}}));
    for (index, (name, arguments)) in calls.iter().enumerate() {
        let item = |status: &str, arguments: &str| {
            json!({
                "id": format!("fc_{index}"), "type": "function_call", "status": status, "name": name,
                "call_id": format!("call_{index}"), "arguments": arguments,
            })
        };
        event("response.output_item.added", json!({"output_index": index, "item": item("in_progress", "")}));
        for delta in deltas(arguments, LENGTHS) {
            let id = format!("fc_{index}");
            let delta = json!({"item_id": id, "output_index": index, "delta": delta});
            event("response.function_call_arguments.delta", delta);
        }
        let done = json!({"item_id": format!("fc_{index}"), "output_index": index, "arguments": arguments});
        event("response.function_call_arguments.done", done);
        event("response.output_item.done", json!({"output_index": index, "item": item("completed", arguments)}));
    }
    event("response.completed", json!({"response": {"id": "resp_0", "status": "completed", "output": []}}));
}

const LENGTHS: Cut = Cut::Between(3, 20);
