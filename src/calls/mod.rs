//! The calls of one response: which delta belongs to which call, and when a call has ended.
//!
//! All rules of identity are here, once:
//!
//! * a known id is that call; a new id is a new call even on an index that was seen, unless the call there still lacks
//!   its id; `""` and null are no id and no name, and change nothing;
//! * without id the index decides; without index the call that was opened last; another name there, once the root of
//!   that call is closed, is a new call;
//! * a name is set once; pieces of one are joined only while no argument byte has come, the whole is a declared tool and
//!   no piece is one; any other second name is `call-conflict`;
//! * where a response holds several choices, each has indexes, ids, the last call and the terminal reason for itself; text
//!   alone in a choice without calls belongs to the calls of the one choice that has some;
//! * the first call beyond the limit stands for all of them, and is rejected; nothing of them is kept;
//! * a call is settled at its own end marker or at the end of the stream, never at the first text that parses. Calls may
//!   interleave.

mod beyond;
mod choices;
mod chunk;
mod ending;
mod entry;
mod halves;
mod settled;
mod text;

pub(crate) use chunk::{Carries, Start};
pub use chunk::{Chunk, Fed, Place};
pub(crate) use ending::worse;
pub use ending::{Marker, Next, Root, end_of};
pub use settled::{Ended, Key, Payload, Settled};
pub(crate) use text::Input;

use crate::call::{Call, Progress};
use crate::schema::Tools;
use crate::settings::Settings;
use crate::verdict::code::{Code, End};
use beyond::{Beyond, Event};
use choices::{Choices, Turn};
use entry::{Body, Entry, Free, Loss};
use std::fmt;
use text::{Resends, Text};

/// The calls of one response.
pub struct Calls {
    tools: Tools,
    settings: Settings,
    slots: Vec<Option<Box<Entry>>>,
    choices: Choices,
    beyond: Beyond,
    resends: Resends,
    /// Counts what happens; the times are counts.
    clock: u64,
    /// When an event was last lost.
    lost: u64,
}

/// Prints sizes, never contents.
impl fmt::Debug for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calls").field("calls", &self.slots.len()).field("tools", &self.tools).finish_non_exhaustive()
    }
}

impl Calls {
    /// No calls yet. With an empty list of tools every name is accepted and no schema judged.
    pub fn new(tools: &Tools, settings: &Settings) -> Self {
        Self {
            tools: tools.clone(),
            settings: settings.clone(),
            slots: Vec::new(),
            choices: Choices::default(),
            beyond: Beyond::default(),
            resends: Resends::Unknown,
            clock: 0,
            lost: 0,
        }
    }

    /// As [`Calls::new`], for a format whose deltas are documented to hold the whole text so far.
    pub(crate) fn cumulative(tools: &Tools, settings: &Settings) -> Self {
        Self { resends: Resends::Expected, ..Self::new(tools, settings) }
    }

    /// Takes one delta to its call, by the rules of identity.
    pub fn chunk(&mut self, chunk: Chunk<'_>) -> Fed {
        self.delta(&chunk, Carries::Arguments, chunk.arguments.map(str::as_bytes))
    }

    /// The call's own end marker came, with the full value where the provider states one.
    ///
    /// The answer is the settled call if its root is closed or it is rejected whatever comes: run it now. A call with an
    /// open root, or without text, waits for the terminal reason ([`Calls::finish`]).
    pub fn close(&mut self, key: Key, r#final: Option<&str>) -> Option<Settled> {
        self.mark(key, Marker::Normal, r#final)
    }

    /// The stream has ended: settles every call that is left, in the order of start.
    pub fn finish(mut self, end: End) -> Vec<Settled> {
        self.choices.end_all(end);
        self.settle_all()
    }

    /// The call under way of this key; `None` once it is settled, and for the free text of a custom tool.
    pub fn get(&self, key: Key) -> Option<&Call> {
        self.entry(key).and_then(Entry::call)
    }

    /// How many calls came beyond [`Limits::calls`](crate::Limits::calls), the first of them apart: that is settled as
    /// rejected with `call-limit`, and stands for them all. Of the others nothing is kept.
    pub fn left_out(&self) -> u64 {
        self.beyond.others()
    }

    /// There are calls, all of those under way are rejected whatever comes, and none is settled: the stream may be cut.
    pub fn all_rejected(&self) -> bool {
        !self.slots.is_empty() && self.slots.iter().all(|slot| slot.as_ref().is_some_and(|entry| entry.is_decided()))
    }

    /// As [`Calls::chunk`], for text in which the wire may have escaped half a surrogate pair.
    pub(crate) fn delta(&mut self, chunk: &Chunk<'_>, carries: Carries, arguments: Option<&[u8]>) -> Fed {
        let id = chunk.id.filter(|id| !id.is_empty());
        let name = chunk.name.filter(|name| !name.is_empty());
        let (key, place) = match self.locate(chunk.index, id, name) {
            Some(key) if self.entry(key).is_none() => (key, Place::Late),
            Some(key) => (key, Place::Later),
            None if self.is_full() => (self.count_beyond(Event::Delta, chunk.index, id), Place::Beyond),
            None => (self.add(carries, Input::Absent), Place::First),
        };
        if place != Place::Beyond {
            self.identify(key, chunk.index, id, name);
        }
        let progress = self.feed(key, arguments);
        Fed { key, place, progress }
    }

    /// A start event: a known id is that call, everything else a new one.
    pub(crate) fn open(&mut self, start: &Start<'_>) -> Fed {
        let id = start.id.filter(|id| !id.is_empty());
        let name = start.name.filter(|name| !name.is_empty());
        let (key, place) = match id.and_then(|id| self.of_id(id)) {
            Some(key) if self.entry(key).is_none() => (key, Place::Late),
            Some(key) => (key, Place::Later),
            None if self.is_full() => (self.count_beyond(Event::Start, start.index, id), Place::Beyond),
            None => (self.add(start.carries, start.input), Place::First),
        };
        if place != Place::Beyond {
            self.identify(key, start.index, id, name);
        }
        Fed { key, place, progress: self.feed(key, None) }
    }

    /// The next piece of a known call.
    pub(crate) fn feed(&mut self, key: Key, arguments: Option<&[u8]>) -> Progress {
        self.clock += 1;
        let Some(entry) = self.slots.get_mut(key.position()).and_then(Option::as_deref_mut) else {
            return Progress::Complete;
        };
        let Some(arguments) = arguments else {
            return entry.progress();
        };
        if !arguments.is_empty() {
            if entry.bytes == 0 {
                self.choices.begin(entry.choice, self.clock);
            }
            entry.touched = self.clock;
            entry.hurt |= self.lost > entry.opened;
        }
        entry.feed(arguments, &self.settings)
    }

    /// The call of this handle, unless it is settled; or the handle is of other calls.
    fn entry_mut(&mut self, key: Key) -> Option<&mut Entry> {
        self.slots.get_mut(key.position())?.as_deref_mut()
    }

    /// The full value as an event states it, beside the deltas or in their place.
    pub(crate) fn state(&mut self, key: Key, statement: &str) {
        self.clock += 1;
        if let Some(entry) = self.entry_mut(key) {
            entry.state(statement);
        }
    }

    /// The value that the call's start event carried.
    pub(crate) fn state_initially(&mut self, key: Key, statement: &str) {
        if let Some(entry) = self.entry_mut(key) {
            entry.state_initially(statement);
        }
    }

    /// The wire gives this call two texts: it is rejected whatever comes.
    pub(crate) fn conflict(&mut self, key: Key) {
        if let Some(entry) = self.entry_mut(key) {
            entry.refuse(Code::CallConflict);
        }
    }

    /// What is not a call has begun at this index.
    pub(crate) fn forget_index(&mut self, index: u64) {
        self.choices.forget_index(index);
    }

    /// As [`Calls::close`], for a marker that may say that the call is cut.
    pub(crate) fn mark(&mut self, key: Key, marker: Marker, statement: Option<&str>) -> Option<Settled> {
        if let Some(statement) = statement {
            self.state(key, statement);
        }
        let entry = self.slots.get_mut(key.position())?.as_deref_mut()?;
        entry.marker = marker;
        entry.end();
        // What stands for all calls beyond the limit is not done before the stream is.
        if matches!(entry.body, Body::Beyond { .. }) {
            return None;
        }
        let ended = entry.is_decided() || entry.root(&self.settings) == Root::Closed;
        (ended && marker == Marker::Normal).then(|| self.settle(key)).flatten()
    }

    /// What comes from now on belongs to this choice of the response, if the format has several.
    pub(crate) fn turn_to(&mut self, choice: Option<u64>) {
        self.choices.turn_to(choice);
    }

    /// A terminal reason came for the choice at hand, which stands for this end; the answer is its number. None if the
    /// choice holds no call and too many of its kind have been seen.
    pub(crate) fn terminal(&mut self, end: End) -> Option<usize> {
        self.choices.terminal(end)
    }

    /// The format's last event has come: where no reason came, the reason of another choice counts (gateways let another
    /// number leak into that of the choice), or else this end.
    pub(crate) fn done(&mut self, otherwise: Option<End>) {
        self.choices.done(otherwise);
    }

    /// The host ends every call that is open.
    pub(crate) fn cancel(&mut self) {
        self.choices.cancel();
    }

    /// An event of the stream was lost or is an error: no open call can be trusted, unless its full value is stated.
    pub(crate) fn lose(&mut self) {
        self.clock += 1;
        self.lost = self.clock;
        self.choices.lose();
    }

    /// The response starts again: what is open is dropped, and its indexes and ids mean other calls from now on.
    pub(crate) fn restart(&mut self) {
        self.choices.restart();
    }

    /// Settles every call that is left; a call without a terminal reason is disconnected.
    pub(crate) fn settle_all(mut self) -> Vec<Settled> {
        (0..self.slots.len()).filter_map(|at| self.settle(Key(at as u32))).collect()
    }

    /// The call at this index.
    pub(crate) fn at_index(&self, index: u64) -> Option<Key> {
        self.choices.at_index(index)
    }

    /// The call of this id.
    pub(crate) fn of_id(&self, id: &str) -> Option<Key> {
        self.choices.of_id(id)
    }

    /// The id and the name of a call under way.
    pub(crate) fn identity(&self, key: Key) -> Option<(Option<&str>, Option<&str>)> {
        self.entry(key).map(|entry| (entry.id.as_deref(), entry.name()))
    }

    /// How many calls have been opened.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    fn entry(&self, key: Key) -> Option<&Entry> {
        self.slots.get(key.position()).and_then(Option::as_deref)
    }

    /// The call that a chunk belongs to, if it is not a new one.
    fn locate(&self, index: Option<u64>, id: Option<&str>, name: Option<&str>) -> Option<Key> {
        let there = self.choices.there(index, id.is_none() && name.is_none());
        let Some(id) = id else {
            // A name on a settled call's index begins another call; text alone is late.
            let begins = |entry: &Entry| {
                let other = entry.name().is_some() && entry.name() != name;
                other && entry.root(&self.settings) == Root::Closed
            };
            return there.filter(|key| name.is_none() || self.entry(*key).is_some_and(|entry| !begins(entry)));
        };
        self.of_id(id).or_else(|| {
            there.filter(|key| {
                self.entry(*key).is_some_and(|entry| {
                    let same = name.is_none() || name == entry.name();
                    entry.id.is_none() && (entry.name().is_none() || same && entry.root(&self.settings) != Root::Closed)
                })
            })
        })
    }

    fn add(&mut self, carries: Carries, input: Input) -> Key {
        self.clock += 1;
        let limit = self.settings.limits().calls;
        let body = match carries {
            Carries::Arguments | Carries::Free if self.slots.len() == limit as usize => {
                Body::Beyond { limit: limit.into(), others: 0 }
            }
            Carries::Arguments => {
                Body::Arguments(Box::new(Text::new(input, self.resends.clone(), None, &self.settings)))
            }
            Carries::Free => Body::Free(Free::default()),
        };
        let key = Key(u32::try_from(self.slots.len()).unwrap_or(u32::MAX));
        let (choice, turn) = self.choices.open(key);
        let mut entry = Entry::new(key, body, self.clock, turn);
        entry.choice = choice;
        self.slots.push(Some(Box::new(entry)));
        key
    }

    /// What belongs to no call that is kept, and would open one.
    fn count_beyond(&mut self, event: Event, index: Option<u64>, id: Option<&str>) -> Key {
        self.beyond.count(event, self.choices.now(), index, id);
        let key = Key(self.settings.limits().calls);
        self.choices.divert(key, index);
        key
    }

    fn identify(&mut self, key: Key, index: Option<u64>, id: Option<&str>, name: Option<&str>) {
        let first = self.entry(key).is_some_and(|entry| entry.index.is_none());
        let room = first || index.is_none_or(|index| self.choices.has_room(index, self.settings.limits()));
        self.choices.identify(key, index.filter(|_| room), id);
        let Some(entry) = self.slots.get_mut(key.position()).and_then(Option::as_deref_mut) else { return };
        entry.index = entry.index.or(index);
        if !room {
            entry.refuse(Code::CallLimit);
        }
        if entry.id.is_none() {
            entry.id = id.map(Box::from);
        }
        if let Some(name) = name {
            entry.set_name(name, &self.tools);
        }
    }

    fn settle(&mut self, key: Key) -> Option<Settled> {
        let mut entry = self.slots.get_mut(key.position())?.take()?;
        entry.end();
        if let Body::Beyond { others, .. } = &mut entry.body {
            *others = self.beyond.others();
        }
        let root = entry.root(&self.settings);
        let (begun, begun_at_loss) = self.choices.begun(entry.choice);
        let next = if begun > entry.touched { Next::Begun } else { Next::Absent };
        let Turn { number, end: terminal } = self.choices.turn(entry.turn);
        entry.turn = number;
        let terminal = terminal.unwrap_or(End::Disconnected);
        let ended_before_loss = root == Root::Closed && entry.touched < begun_at_loss;
        let hurt = entry.hurt || self.lost > entry.opened && !ended_before_loss;
        let end = match end_of(root, entry.marker, next, terminal) {
            End::Cancelled => End::Cancelled,
            _ if hurt && !entry.is_stated(&self.settings) => End::Disconnected,
            end if !end.is_normal() && !entry.is_certain() => End::Disconnected,
            // Rejected at its own end marker: no terminal reason is waited for.
            End::Disconnected if entry.marker == Marker::Normal && entry.is_decided() => End::CallClosed,
            end => end,
        };
        let loss = if hurt { Loss::Suffered } else { Loss::None };
        Some(entry.settle(root, next, end, loss, self.tools_given().then_some(&self.tools)))
    }

    /// The limit is passed: no more calls are opened.
    fn is_full(&self) -> bool {
        self.slots.len() > self.settings.limits().calls as usize
    }

    fn tools_given(&self) -> bool {
        self.tools.names().next().is_some()
    }
}

#[cfg(test)]
mod tests;
