//! [`Calls`] fed from the stream types of an LLM client: `async-openai`'s chunks of a Chat completion.
//!
//! Only its types are used here. With its client the loop is the same: `while let Some(chunk) = stream.next().await`.
//!
//! `cargo run -p argseal-clients --bin llm_client`

use argseal::wire::sse;
use argseal::{Assembler, Calls, Chunk, End, Payload, Settled};
use argseal_clients::http::Failure;
use argseal_clients::recorded::{self, Recording};
use async_openai::types::chat::{CreateChatCompletionStreamResponse, FinishReason};

fn main() -> Result<(), Failure> {
    for recording in [recorded::CUT, recorded::OPEN_DESCRIPTION, recorded::PARALLEL] {
        let chunks = chunks(&recording)?;
        let calls = judged(&chunks);
        calls.iter().for_each(|call| println!("{}: {}", recording.name, line(call)));
        let expected = assembled(&recording);
        assert!(!expected.is_empty());
        assert_eq!(calls.iter().map(line).collect::<Vec<_>>(), expected);
    }
    Ok(())
}

/// The calls of a response, from the client's chunks.
fn judged(chunks: &[CreateChatCompletionStreamResponse]) -> Vec<Settled> {
    let mut calls = Calls::new(&recorded::tools(), &recorded::settings());
    // A stream that stops without a reason is a lost connection.
    let mut end = End::Disconnected;
    for choice in chunks.iter().flat_map(|chunk| &chunk.choices) {
        for call in choice.delta.tool_calls.iter().flatten() {
            let function = call.function.as_ref();
            calls.chunk(Chunk {
                index: Some(call.index.into()),
                id: call.id.as_deref(),
                name: function.and_then(|function| function.name.as_deref()),
                arguments: function.and_then(|function| function.arguments.as_deref()),
            });
        }
        if let Some(reason) = choice.finish_reason {
            end = end_of(reason);
        }
    }
    calls.finish(end)
}

fn end_of(reason: FinishReason) -> End {
    match reason {
        FinishReason::ContentFilter => End::Filtered,
        FinishReason::FunctionCall | FinishReason::Stop | FinishReason::ToolCalls => End::Complete,
        FinishReason::Length => End::Truncated,
    }
}

/// The recording as the client's types, without its client.
fn chunks(recording: &Recording) -> Result<Vec<CreateChatCompletionStreamResponse>, Failure> {
    let mut chunks = Vec::new();
    let mut decoder = sse::Decoder::new(1 << 20);
    decoder.push(recording.bytes, &mut |frame| {
        let data = frame.ok().and_then(|frame| frame.data);
        chunks.extend(data.filter(|data| *data != "[DONE]").map(serde_json::from_str));
    });
    Ok(chunks.into_iter().collect::<Result<_, _>>()?)
}

/// What argseal's own decoder makes of the bytes.
fn assembled(recording: &Recording) -> Vec<String> {
    let mut assembler = Assembler::detecting(&recorded::tools(), &recorded::settings());
    assembler.push(recording.bytes, &mut |_| {});
    assembler.finish().calls.iter().map(line).collect()
}

fn line(call: &Settled) -> String {
    let verdict = match &call.payload {
        Payload::Arguments(Ok(accepted)) => accepted.verdict().name(),
        Payload::Arguments(Err(rejected)) => rejected.diagnosis().code().name(),
        Payload::Text(_) => "text",
    };
    let name = call.name.as_deref().unwrap_or_default();
    format!("{} {name} {verdict} {}", call.id.as_deref().unwrap_or_default(), call.raw())
}
