//! Between the decoders and the calls: what a decoder may say, and what the host hears of it.

use super::Format;
use super::stop_reason::of_native_reason;
use super::stream::{ErrorKind, Live, Signal, StreamError, Terminal};
use crate::calls::{Calls, Carries, Chunk, Fed, Key, Marker, Place, Settled, Start};
use crate::verdict::code::End;
use std::borrow::Cow;

/// What has been seen of the stream so far, beside its calls.
#[derive(Default)]
pub(super) struct Log {
    pub(super) events: u64,
    pub(super) errors: Vec<StreamError>,
    pub(super) errors_left_out: u64,
    /// Errors that cost the open calls.
    pub(super) failures: u64,
    /// The terminal reason of each turn.
    pub(super) terminals: Vec<Terminal>,
    pub(super) settled: Vec<Settled>,
    pub(super) done: bool,
}

/// Takes what a decoder reads to the calls, and tells the host.
pub(super) struct Router<'r> {
    pub(super) format: Format,
    pub(super) calls: &'r mut Calls,
    pub(super) log: &'r mut Log,
    pub(super) sink: &'r mut dyn FnMut(Signal<'_>),
    /// The choice of the response that is read, if the format has several.
    pub(super) choice: Option<u64>,
}

impl Router<'_> {
    /// What follows in this event belongs to this choice.
    pub(super) fn turn_to(&mut self, choice: Option<u64>) {
        self.choice = choice;
        self.calls.turn_to(choice);
    }

    /// A start event.
    pub(super) fn open(&mut self, start: &Start<'_>) -> Key {
        let fed = self.calls.open(start);
        self.tell(&fed, 0);
        fed.key
    }

    /// A delta that names its call as well as it can.
    pub(super) fn delta(&mut self, chunk: &Chunk<'_>, carries: Carries, arguments: Option<Cow<'_, [u8]>>) -> Key {
        let fed = self.calls.delta(chunk, carries, arguments.as_deref());
        self.tell(&fed, arguments.map_or(0, |arguments| arguments.len()));
        fed.key
    }

    /// The next piece of a known call.
    pub(super) fn feed(&mut self, key: Key, arguments: &[u8]) {
        let place = if self.calls.identity(key).is_some() { Place::Later } else { Place::Late };
        let progress = self.calls.feed(key, Some(arguments));
        self.tell(&Fed { key, place, progress }, arguments.len());
    }

    /// The call's end marker.
    pub(super) fn mark(&mut self, key: Key, marker: Marker, statement: Option<&str>) {
        if let Some(settled) = self.calls.mark(key, marker, statement) {
            (self.sink)(Signal::Settled(&settled));
            self.log.settled.push(settled);
        }
    }

    /// The stream's terminal reason; `native` is that of the provider behind a gateway.
    pub(super) fn terminal(&mut self, reason: &str, native: Option<&str>) {
        let mut end = End::of_stop_reason(self.format, reason);
        if let Some(native) = native.and_then(of_native_reason) {
            end = crate::calls::worse(end, native);
        }
        let Some(turn) = self.calls.terminal(end) else { return };
        let choice = self.choice;
        let terminal = Terminal { reason: clip(reason), native: native.map(clip), end, choice, turn };
        (self.sink)(Signal::Terminal(&terminal));
        match self.log.terminals.binary_search_by_key(&turn, |terminal| terminal.turn) {
            Ok(at) => self.log.terminals[at] = terminal,
            Err(at) => self.log.terminals.insert(at, terminal),
        }
    }

    /// The format's own last event. It follows errors too: no evidence of completeness.
    pub(super) fn done(&mut self) {
        self.log.done = true;
        self.calls.done(self.log.errors.is_empty().then_some(End::Truncated));
    }

    /// The provider reports an error.
    pub(super) fn error(&mut self, message: String) {
        self.fail(ErrorKind::Provider, message);
    }

    /// An event is lost or cannot be trusted: so is every call that is open.
    pub(super) fn fail(&mut self, kind: ErrorKind, message: String) {
        self.calls.lose();
        self.log.failures += 1;
        self.report(kind, message);
    }

    /// Something is wrong that costs no call.
    pub(super) fn report(&mut self, kind: ErrorKind, message: String) {
        let error = StreamError { kind, message, event: self.log.events };
        (self.sink)(Signal::Error(&error));
        if self.log.errors.len() < MAX_ERRORS {
            self.log.errors.push(error);
        } else {
            self.log.errors_left_out += 1;
        }
    }

    fn tell(&mut self, fed: &Fed, bytes: usize) {
        match fed.place {
            Place::Late if bytes > 0 => {
                self.report(ErrorKind::Late, format!("{bytes} bytes came for a call that had been settled"));
            }
            Place::Beyond | Place::Late => {}
            Place::First | Place::Later => {
                let (id, name) = self.calls.identity(fed.key).unwrap_or_default();
                let live = Live { key: fed.key, id, name, call: self.calls.get(fed.key), progress: fed.progress };
                (self.sink)(if fed.place == Place::First { Signal::Opened(live) } else { Signal::Grown(live) });
            }
        }
    }
}

fn clip(reason: &str) -> String {
    reason.chars().take(MAX_REASON).collect()
}

/// Errors that are kept in full; a hostile stream may hold millions.
const MAX_ERRORS: usize = 100;

/// Characters of a terminal reason that are kept.
const MAX_REASON: usize = 100;
