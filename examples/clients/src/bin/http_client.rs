//! An async HTTP client with a streaming body, against a local server that replays recorded bytes in hostile reads: a live
//! preview of one member that grows, two parallel calls, one of them rejected while the stream goes on, a connection that
//! is lost, and a next request whose history the server accepts.
//!
//! `cargo run -p argseal-clients --bin http_client`

use std::net::SocketAddr;

use argseal::{Assembler, Cursor, Payload, Progress, Settled, Signal, Stream, Tools, Transcript};
use argseal_clients::http::{self, Body, Failure};
use argseal_clients::recorded::{self, HOSTILE, PARALLEL, Reads};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::{Request, Response, StatusCode};
use serde_json::{Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let server = http::serve(provider).await?;
    let tools = recorded::tools();
    for (at, reads) in HOSTILE.into_iter().enumerate() {
        let turn = ask(server, &format!("/{}/{at}", PARALLEL.name), &tools).await?;
        println!("{reads:?}: {} reads, {} previews, rejected at read {}", turn.reads, turn.previews, turn.rejected_at);
        if let Reads::Even(size) = reads {
            assert!(turn.longest_read <= size, "the reads are as hostile as asked for");
        }
        assert_eq!(turn.preview, CONTENT);
        assert!(turn.preview_at_rejection.len() < CONTENT.len(), "the rejection came while the other call grew");
        assert!(CONTENT.starts_with(&turn.preview_at_rejection));
        assert!(turn.rejected_at < turn.reads, "the stream went on");

        let messages = history(&turn.stream.calls)?;
        let (status, said) = follow_up(server, &messages).await?;
        assert_eq!(status, StatusCode::OK, "{said}");
        let (status, said) = follow_up(server, &with_raw_arguments(messages, &turn.stream.calls)).await?;
        assert_eq!(status, StatusCode::BAD_REQUEST, "the server refuses the model's own broken text");
        let lost = ask(server, &format!("/{}/{at}/lost", PARALLEL.name), &tools).await?;
        assert_eq!(lost.connection, Connection::Lost);
        assert!(
            lost.stream.calls.iter().all(|call| matches!(call.payload, Payload::Arguments(Err(_)))),
            "nothing runs"
        );
        if at == 0 {
            println!("with the broken text in the history it would be {status}: {said}");
        }
    }
    every_recording_in_every_reads(server, &tools).await
}

/// What one request showed while its answer streamed.
struct Turn {
    preview: String,
    previews: usize,
    preview_at_rejection: String,
    rejected_at: usize,
    reads: usize,
    longest_read: usize,
    connection: Connection,
    stream: Stream,
}

#[derive(Debug, Eq, PartialEq)]
enum Connection {
    Kept,
    Lost,
}

/// One request, its answer read as it comes.
async fn ask(server: SocketAddr, path: &str, tools: &Tools) -> Result<Turn, Failure> {
    let mut body = http::post(server, path, json!({"messages": question()}).to_string()).await?.into_body();
    let mut assembler = Assembler::detecting(tools, &recorded::settings());
    let mut content = Cursor::member("content");
    let (mut preview, mut previews) = (String::new(), 0);
    let mut rejection = None;
    let (mut reads, mut longest_read) = (0, 0);
    let mut connection = Connection::Kept;
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            connection = Connection::Lost;
            break;
        };
        let Ok(bytes) = frame.into_data() else { continue };
        reads += 1;
        longest_read = longest_read.max(bytes.len());
        assembler.push(&bytes, &mut |signal| {
            let Signal::Grown(live) = signal else { return };
            if live.name == Some("write_file")
                && let Some(grown) = live.call.and_then(|call| call.partial().take(&mut content))
            {
                preview.push_str(grown.text);
                previews += 1;
            }
            if live.progress == Progress::Rejected && rejection.is_none() {
                rejection = Some((reads, preview.clone()));
            }
        });
    }
    let stream = assembler.finish();
    assert!(connection == Connection::Lost || (stream.errors.is_empty() && stream.done), "{stream:?}");
    let (rejected_at, preview_at_rejection) = rejection.unwrap_or_default();
    Ok(Turn { preview, previews, preview_at_rejection, rejected_at, reads, longest_read, connection, stream })
}

/// The conversation so far, valid whatever the model wrote.
fn history(calls: &[Settled]) -> Result<Vec<Value>, Failure> {
    let mut tool_calls = Vec::new();
    let mut results = Vec::new();
    for call in calls {
        let (arguments, result) = match &call.payload {
            Payload::Arguments(Ok(accepted)) => (accepted.text().to_owned(), "done".to_owned()),
            Payload::Arguments(Err(rejected)) => {
                let reply = rejected.reply().unwrap_or_else(|| "The call was lost; please send it again.".to_owned());
                (rejected.transcript(Transcript::Marker).to_string(), reply)
            }
            Payload::Text(text) => return Err(format!("no custom tool was offered: {} bytes", text.len()).into()),
        };
        tool_calls
            .push(json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}));
        results.push(json!({"role": "tool", "tool_call_id": call.id, "content": result}));
    }
    assert_eq!(tool_calls.len(), 2);
    assert_eq!(tool_calls[0]["function"]["arguments"], r#"{"_rejected":"unexpected-after-string"}"#);
    assert_eq!(results[1]["content"], "done");
    let mut messages = question();
    messages.push(json!({"role": "assistant", "content": null, "tool_calls": tool_calls}));
    messages.extend(results);
    Ok(messages)
}

/// The same conversation, as a harness that keeps the raw string would send it.
fn with_raw_arguments(mut messages: Vec<Value>, calls: &[Settled]) -> Vec<Value> {
    for (at, call) in calls.iter().enumerate() {
        messages[1]["tool_calls"][at]["function"]["arguments"] = json!(call.raw());
    }
    messages
}

async fn follow_up(server: SocketAddr, messages: &[Value]) -> Result<(StatusCode, String), Failure> {
    let response = http::post(server, "/check", json!({"messages": messages}).to_string()).await?;
    let status = response.status();
    Ok((status, String::from_utf8(response.into_body().collect().await?.to_bytes().to_vec())?))
}

/// However the reads are cut, the calls are those of the whole stream.
async fn every_recording_in_every_reads(server: SocketAddr, tools: &Tools) -> Result<(), Failure> {
    for recording in recorded::ALL {
        let mut whole = Assembler::detecting(tools, &recorded::settings());
        whole.push(recording.bytes, &mut |_| {});
        let whole = recorded::verdicts(&whole.finish());
        for (at, reads) in HOSTILE.iter().enumerate() {
            let turn = ask(server, &format!("/{}/{at}", recording.name), tools).await?;
            assert_eq!(turn.connection, Connection::Kept);
            assert_eq!(recorded::verdicts(&turn.stream), whole, "{} in {reads:?}", recording.name);
        }
    }
    println!("{} recordings in {} ways: the same calls", recorded::ALL.len(), HOSTILE.len());
    Ok(())
}

fn question() -> Vec<Value> {
    vec![json!({"role": "user", "content": "Find the TODOs, and write the notes."})]
}

/// The local provider: `/NAME/READS` replays a recording, `/check` says whether it would take the conversation.
async fn provider(request: Request<Incoming>) -> Result<Response<Body>, Failure> {
    let path = request.uri().path().to_owned();
    let body: Value = serde_json::from_slice(&request.into_body().collect().await?.to_bytes())?;
    if path == "/check" {
        return Ok(match complaint(&body["messages"]) {
            None => http::answer(StatusCode::OK, "taken"),
            Some(complaint) => http::answer(StatusCode::BAD_REQUEST, &complaint),
        });
    }
    Ok(match recorded::replay(&path) {
        Some(pieces) => http::event_stream(pieces),
        None => http::answer(StatusCode::NOT_FOUND, "no such recording"),
    })
}

/// Why a provider answers this conversation with 400: arguments that are not a JSON object, or a call without its result.
fn complaint(messages: &Value) -> Option<String> {
    let Some(messages) = messages.as_array() else { return Some("no messages".to_owned()) };
    let mut open: Vec<&Value> = Vec::new();
    for message in messages {
        if message["role"] == "tool" {
            let Some(at) = open.iter().position(|id| **id == message["tool_call_id"]) else {
                return Some("a result without its call".to_owned());
            };
            open.remove(at);
            continue;
        }
        if !open.is_empty() {
            return Some("a call without its result".to_owned());
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            match serde_json::from_str::<Value>(arguments) {
                Ok(Value::Object(_)) => open.push(&call["id"]),
                Ok(_) => return Some("arguments that are no object".to_owned()),
                Err(error) => return Some(format!("arguments that are no JSON: {error}")),
            }
        }
    }
    (!open.is_empty()).then(|| "a call without its result".to_owned())
}

/// What the second call of [`PARALLEL`] writes.
const CONTENT: &str = "# Three things\n1. An emoji \u{1f600} in two halves\n2. A \"quote\"\n3. 東京\n";
