//! The assembler beside an SSE crate that is there already: `eventsource-stream` frames, [`Assembler::event`] reads.
//!
//! That crate follows the standard and drops a last event without its blank line; [`Assembler::push`] reads it.
//!
//! `cargo run -p argseal-clients --bin sse_crate`

use argseal::Assembler;
use argseal_clients::http::Failure;
use argseal_clients::recorded::{self, HOSTILE, Reads, Recording};
use eventsource_stream::Eventsource;
use futures_util::{StreamExt, stream};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    for recording in recorded::ALL {
        let whole = by_push(&recording, Reads::Even(usize::MAX));
        whole.iter().for_each(|call| println!("{}: {call}", recording.name));
        assert!(!whole.is_empty());
        for reads in HOSTILE {
            assert_eq!(by_events(&recording, reads).await?, whole, "{} in {reads:?}", recording.name);
            assert_eq!(by_push(&recording, reads), whole, "{} in {reads:?}", recording.name);
        }
    }
    println!("{} recordings, {} ways to cut each: the same calls", recorded::ALL.len(), HOSTILE.len());
    Ok(())
}

/// The calls, from the events of the SSE crate.
async fn by_events(recording: &Recording, reads: Reads) -> Result<Vec<String>, Failure> {
    let mut assembler = Assembler::detecting(&recorded::tools(), &recorded::settings());
    let pieces = reads.cut(recording.bytes).into_iter().map(Ok::<_, std::convert::Infallible>);
    let mut events = stream::iter(pieces).eventsource();
    while let Some(event) = events.next().await {
        let event = event?;
        assembler.event(Some(&event.event), &event.data, &mut |_| {});
    }
    let stream = assembler.finish();
    assert!(stream.errors.is_empty() && stream.done, "{stream:?}");
    Ok(recorded::verdicts(&stream))
}

/// The calls, from the bytes.
fn by_push(recording: &Recording, reads: Reads) -> Vec<String> {
    let mut assembler = Assembler::detecting(&recorded::tools(), &recorded::settings());
    reads.cut(recording.bytes).iter().for_each(|piece| assembler.push(piece, &mut |_| {}));
    recorded::verdicts(&assembler.finish())
}
