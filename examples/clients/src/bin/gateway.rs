//! A gateway: every frame of the provider's stream is forwarded as it came, at once. Of all repairs it can do those that
//! only append; where a call needs one, it sends one chunk more, before the chunk that carries the finish reason.
//!
//! `cargo run -p argseal-clients --bin gateway`

use std::net::SocketAddr;

use argseal::wire::sse::{Decoder, Frame, FrameError};
use argseal::{Assembler, Format, Payload, Policy, Settings, Settled, Signal, Stream, Tools, Verdict};
use argseal_clients::http::{self, Body, Failure};
use argseal_clients::recorded::{self, HOSTILE, Reads, Recording};
use http_body_util::BodyExt;
use hyper::body::{self, Bytes, Incoming};
use hyper::{Request, Response, StatusCode};
use serde_json::{Value, json};
use tokio::sync::mpsc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let tools = recorded::tools();
    let provider = http::serve(provider).await?;
    let offered = tools.clone();
    let gateway = http::serve(move |request| forward(provider, offered.clone(), request)).await?;
    for (recording, appended) in [(recorded::OPEN_DESCRIPTION, 1), (recorded::CUT, 0), (recorded::PARALLEL, 0)] {
        stays_honest_when_cut(&recording, &tools);
        for (at, reads) in HOSTILE.into_iter().enumerate() {
            let response = http::post(gateway, &format!("/{}/{at}", recording.name), String::new()).await?;
            let downstream = response.into_body().collect().await?.to_bytes();
            let chunks = added(recording.bytes, &downstream);
            assert_eq!(chunks.len(), appended, "{} in {reads:?}", recording.name);
            agrees(&recording, &downstream, &tools);
            let lost = http::post(gateway, &format!("/{}/{at}/lost", recording.name), String::new()).await?;
            assert!(lost.into_body().collect().await.is_err(), "a break upstream is a break downstream");
            forwards_at_once(&recording, reads, &tools);
            if at == 0 {
                println!("{}: {} bytes forwarded, added {chunks:?}", recording.name, recording.bytes.len());
            }
        }
    }
    Ok(())
}

/// One response on its way through.
struct Passage {
    frames: Decoder,
    appending: Appending,
}

/// Whether a suffix can still be sent.
enum Appending {
    /// The finish reason has come, or a frame was lost: what follows is sent on, and nothing else.
    Over,
    /// Until the finish reason.
    Possible(Box<Assembler>),
}

impl Passage {
    fn new(tools: &Tools) -> Self {
        let settings = recorded::settings().suffix_edits_only();
        Self {
            frames: Decoder::new(settings.limits().event as usize),
            appending: Appending::Possible(Box::new(Assembler::new(Format::OpenaiChat, tools, &settings))),
        }
    }

    /// The bytes to send on for these that came: whole frames.
    fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        self.frames.push(bytes, &mut |frame| self.appending.pass(frame, &mut out));
        out
    }

    /// What is left when the stream ends without a last blank line.
    fn finish(mut self) -> Vec<u8> {
        let mut out = Vec::new();
        self.frames.finish(&mut |frame| self.appending.pass(frame, &mut out));
        out
    }
}

impl Appending {
    /// Sends a frame on; before the one that carries the finish reason, the chunks that the calls need.
    fn pass(&mut self, frame: Result<Frame<'_>, FrameError>, out: &mut Vec<u8>) {
        // A frame that cannot be read is not sent on; whoever reads downstream must see the calls without it.
        let Ok(frame) = frame else { return *self = Self::Over };
        if frame.error.is_some() {
            *self = Self::Over;
        }
        if let Self::Possible(assembler) = self
            && let Some(data) = frame.data
        {
            let (mut finishes, mut grows) = (0, 0);
            assembler.event(frame.event, data, &mut |signal| {
                finishes += usize::from(matches!(signal, Signal::Terminal(_)));
                grows += usize::from(matches!(signal, Signal::Grown(_)));
            });
            if finishes > 0
                && let Self::Possible(assembler) = std::mem::replace(self, Self::Over)
                // A finish chunk that itself ends the arguments leaves no place for a suffix.
                && grows == 0
            {
                out.extend(chunks(&assembler.finish(), data));
            }
        }
        out.extend_from_slice(frame.raw);
    }
}

/// A chunk for each suffix, of the same response as the finish chunk. Responses of one choice are what gateways see.
fn chunks(ended: &Stream, finish: &str) -> Vec<u8> {
    // The assembler has read it: it is JSON.
    let finish: Value = serde_json::from_str(finish).unwrap_or_default();
    let mut chunks = Vec::new();
    for call in &ended.calls {
        let Payload::Arguments(Ok(accepted)) = &call.payload else { continue };
        let suffix = accepted.audit().suffix().filter(|suffix| !suffix.is_empty());
        let (Some(suffix), Some(index)) = (suffix, call.index) else { continue };
        let delta = json!({"tool_calls": [{"index": index, "function": {"arguments": suffix}}]});
        let chunk = json!({
            "id": finish["id"], "object": finish["object"], "created": finish["created"], "model": finish["model"],
            "choices": [{"index": finish["choices"][0]["index"], "delta": delta, "finish_reason": null}],
        });
        chunks.extend_from_slice(format!("data: {chunk}\n\n").as_bytes());
    }
    chunks
}

/// The gateway's handler: the provider's stream, sent on while it is read.
async fn forward(provider: SocketAddr, tools: Tools, request: Request<Incoming>) -> Result<Response<Body>, Failure> {
    let mut upstream = http::post(provider, request.uri().path(), String::new()).await?.into_body();
    let (sender, receiver) = mpsc::channel(8);
    tokio::spawn(async move {
        let mut passage = Passage::new(&tools);
        while let Some(frame) = upstream.frame().await {
            let out = match frame.map(body::Frame::into_data) {
                Ok(Ok(bytes)) => Ok(Bytes::from(passage.push(&bytes))),
                Ok(Err(_trailers)) => continue,
                // Downstream the connection breaks too: an end without a break would say that this was all.
                Err(error) => Err(error.into()),
            };
            let lost = out.is_err();
            if sender.send(out).await.is_err() || lost {
                return;
            }
        }
        // The reader may be gone: then nobody is waiting for it.
        let _ = sender.send(Ok(Bytes::from(passage.finish()))).await;
    });
    Ok(http::event_channel(receiver))
}

/// The local provider: `/NAME/READS` replays a recording.
async fn provider(request: Request<Incoming>) -> Result<Response<Body>, Failure> {
    Ok(match recorded::replay(request.uri().path()) {
        Some(pieces) => http::event_stream(pieces),
        None => http::answer(StatusCode::NOT_FOUND, "no such recording"),
    })
}

/// The frames that are downstream only. All others are upstream's, byte for byte and in order.
fn added(upstream: &[u8], downstream: &[u8]) -> Vec<String> {
    let (sent, mut received) = (frames(upstream), frames(downstream).into_iter());
    let mut added = Vec::new();
    for frame in sent {
        loop {
            let next = received.next().expect("every frame of upstream is downstream");
            if next == frame {
                break;
            }
            added.push(String::from_utf8(next).expect("UTF-8"));
        }
    }
    assert!(received.next().is_none(), "nothing comes after upstream's last frame");
    added
}

fn frames(stream: &[u8]) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    let mut decoder = Decoder::new(1 << 20);
    let mut sink = |frame: Result<Frame<'_>, _>| frames.push(frame.expect("a frame").raw.to_vec());
    decoder.push(stream, &mut sink);
    decoder.finish(&mut sink);
    frames
}

/// Downstream, a reader that repairs nothing sees the texts that a repairing reader accepts upstream.
fn agrees(recording: &Recording, downstream: &[u8], tools: &Tools) {
    let repairing = read(recording.bytes, tools, &recorded::settings().suffix_edits_only());
    let strict = read(downstream, tools, &recorded::settings().with_policy(Policy::Strict));
    assert_eq!(repairing.len(), strict.len());
    for (upstream, downstream) in repairing.iter().zip(&strict) {
        match (&upstream.payload, &downstream.payload) {
            (Payload::Arguments(Ok(accepted)), Payload::Arguments(Ok(strict))) => {
                assert_eq!((strict.text(), strict.verdict()), (accepted.text(), Verdict::Strict));
            }
            (Payload::Arguments(Err(upstream)), Payload::Arguments(Err(downstream))) => {
                assert_eq!(upstream.raw(), downstream.raw());
                assert_eq!(upstream.diagnosis().code(), downstream.diagnosis().code());
            }
            (upstream, downstream) => panic!("{upstream:?} became {downstream:?}"),
        }
    }
}

/// Wherever the provider's connection is lost, nothing runs downstream that would not run after the whole stream.
fn stays_honest_when_cut(recording: &Recording, tools: &Tools) {
    let whole = read(recording.bytes, tools, &recorded::settings().suffix_edits_only());
    for end in 0..recording.bytes.len() {
        let mut passage = Passage::new(tools);
        let mut downstream = passage.push(&recording.bytes[..end]);
        downstream.extend(passage.finish());
        for call in read(&downstream, tools, &recorded::settings().with_policy(Policy::Strict)) {
            let Payload::Arguments(Ok(accepted)) = &call.payload else { continue };
            match &whole[call.key.position()].payload {
                Payload::Arguments(Ok(expected)) => assert_eq!(accepted.text(), expected.text(), "cut at {end}"),
                other => panic!("cut at {end}, {accepted:?} runs where the whole is {other:?}"),
            }
        }
    }
}

fn read(stream: &[u8], tools: &Tools, settings: &Settings) -> Vec<Settled> {
    let mut assembler = Assembler::new(Format::OpenaiChat, tools, settings);
    assembler.push(stream, &mut |_| {});
    assembler.finish().calls
}

/// After each read, all frames that are complete have been sent on.
fn forwards_at_once(recording: &Recording, reads: Reads, tools: &Tools) {
    let mut passage = Passage::new(tools);
    let (mut received, mut sent) = (Vec::new(), Vec::new());
    for piece in reads.cut(recording.bytes) {
        received.extend_from_slice(&piece);
        sent.extend(passage.push(&piece));
        // The recordings end their frames with two line feeds.
        let complete = received.windows(2).rposition(|pair| pair == b"\n\n").map_or(0, |at| at + 2);
        let kept: usize = added(&received[..complete], &sent).iter().map(String::len).sum();
        assert_eq!(sent.len() - kept, complete, "{} in {reads:?}", recording.name);
    }
    assert!(passage.finish().is_empty());
}
