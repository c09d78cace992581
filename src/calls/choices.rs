//! The choices of one response: each numbers its calls for itself and ends for a reason of its own.
//!
//! Most responses have one. The number of the choice is not evidence by itself: gateways let the number of a block leak
//! into it.

use super::ending::worse;
use super::settled::Key;
use crate::settings::limits::Limits;
use crate::verdict::code::End;
use std::collections::HashMap;

/// What is known of each choice.
#[derive(Default)]
pub(super) struct Choices {
    /// The choice at hand.
    now: Option<u64>,
    all: HashMap<u64, Choice>,
    /// By the number of the choice, and the index in it.
    by_index: HashMap<(u64, u64), Key>,
    /// The choice that was the first to hold a call, and whether others do.
    first: Option<(u64, Others)>,
    /// The terminal reasons so far; a call opened after one waits for the next of its choice.
    turns: Vec<Reason>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Others {
    HoldCalls,
    None,
}

struct Choice {
    by_id: HashMap<Box<str>, Key>,
    last: Option<Key>,
    /// When the newest first argument byte of a call came.
    begun: u64,
    /// `begun` as it was when an event was last lost.
    begun_at_loss: u64,
    turn: usize,
}

/// A terminal reason, or that one is waited for.
struct Reason {
    choice: u64,
    end: Option<End>,
    /// The reason of another choice, which counts if none comes.
    instead: Option<usize>,
}

/// The terminal reason that counts for a call.
pub(super) struct Turn {
    pub(super) number: usize,
    pub(super) end: Option<End>,
}

impl Choices {
    pub(super) fn turn_to(&mut self, choice: Option<u64>) {
        self.now = choice;
    }

    /// A call is opened in the choice at hand: the provider's number of that, and the turn of the call.
    pub(super) fn open(&mut self, key: Key) -> (Option<u64>, usize) {
        let number = self.number();
        self.first = match self.first {
            None => Some((number, Others::None)),
            Some((first, _)) if first != number => Some((first, Others::HoldCalls)),
            first => first,
        };
        let turns = &mut self.turns;
        let choice = self.all.entry(number).or_insert_with(|| Choice::new(number, turns));
        if turns[choice.turn].is_known() {
            choice.turn = Reason::awaited(number, turns);
        }
        choice.last = Some(key);
        (self.now, choice.turn)
    }

    /// Index and id in the choice at hand mean this call from now on; an id that is known keeps its call.
    pub(super) fn identify(&mut self, key: Key, index: Option<u64>, id: Option<&str>) {
        let number = self.number();
        if let Some(index) = index {
            self.by_index.insert((number, index), key);
        }
        let Some(choice) = self.all.get_mut(&number) else { return };
        if let Some(id) = id.filter(|id| !choice.by_id.contains_key(*id)) {
            choice.by_id.insert(id.into(), key);
        }
    }

    /// A call that is not kept has come: what means a call of its index, or the last one, is not theirs any more.
    pub(super) fn divert(&mut self, key: Key, index: Option<u64>) {
        let number = self.number();
        if let Some(known) = index.and_then(|index| self.by_index.get_mut(&(number, index))) {
            *known = key;
        }
        if let Some(choice) = self.all.get_mut(&number) {
            choice.last = Some(key);
        }
        self.first = self.first.map(|(first, _)| (first, Others::HoldCalls));
    }

    pub(super) fn forget_index(&mut self, index: u64) {
        self.by_index.remove(&(self.number(), index));
    }

    /// The first argument byte of a call came.
    pub(super) fn begin(&mut self, choice: Option<u64>, clock: u64) {
        if let Some(choice) = self.all.get_mut(&choice.unwrap_or_default()) {
            choice.begun = clock;
        }
    }

    pub(super) fn lose(&mut self) {
        self.all.values_mut().for_each(|choice| choice.begun_at_loss = choice.begun);
    }

    /// The worst reason of a turn counts.
    pub(super) fn terminal(&mut self, end: End) -> Option<usize> {
        let number = self.number();
        let room = self.all.len() < MAX_CHOICES;
        let turns = &mut self.turns;
        let turn = match self.all.get(&number) {
            Some(choice) => choice.turn,
            None if room => self.all.entry(number).or_insert_with(|| Choice::new(number, turns)).turn,
            None => return None,
        };
        self.turns[turn].add(end);
        Some(turn)
    }

    /// One reason for all choices.
    pub(super) fn end_all(&mut self, end: End) {
        for choice in self.all.values() {
            self.turns[choice.turn].add(end);
        }
    }

    pub(super) fn done(&mut self, otherwise: Option<End>) {
        for turn in self.awaiting() {
            let number = self.turns[turn].choice;
            let other = self.turns.iter().rposition(|reason| reason.choice != number && reason.end.is_some());
            self.turns[turn].instead = other;
            if let (None, Some(end)) = (other, otherwise) {
                self.turns[turn].add(end);
            }
        }
    }

    pub(super) fn cancel(&mut self) {
        self.turns.iter_mut().for_each(|reason| reason.end = Some(End::Cancelled));
    }

    /// Indexes and ids mean other calls from now on, and those that wait for a reason get none.
    pub(super) fn restart(&mut self) {
        for turn in self.awaiting() {
            self.turns[turn].add(End::Disconnected);
        }
        self.all.values_mut().for_each(|choice| choice.by_id.clear());
        self.by_index.clear();
    }

    /// Whether one more index of a call that has one can be remembered.
    pub(super) fn has_room(&self, index: u64, limits: Limits) -> bool {
        self.at_index(index).is_some() || self.by_index.len() / 2 <= limits.calls as usize
    }

    /// The call at this index of the choice at hand.
    pub(super) fn at_index(&self, index: u64) -> Option<Key> {
        self.by_index.get(&(self.number(), index)).copied()
    }

    /// The call of this id in the choice at hand.
    pub(super) fn of_id(&self, id: &str) -> Option<Key> {
        self.all.get(&self.number())?.by_id.get(id).copied()
    }

    /// The call at this index, or without one the last, of the choice at hand. Where that holds no call, what is a
    /// continuation belongs to the one choice that does.
    pub(super) fn there(&self, index: Option<u64>, continues: bool) -> Option<Key> {
        let last = |number| self.all.get(&number).and_then(|choice: &Choice| choice.last);
        let number = match (last(self.number()), self.first) {
            (None, Some((first, Others::None))) if continues => first,
            (Some(_) | None, _) => self.number(),
        };
        match index {
            Some(index) => self.by_index.get(&(number, index)).copied(),
            None => last(number),
        }
    }

    /// When the newest first argument byte of a call in this choice came, and how that stood at the last loss.
    pub(super) fn begun(&self, choice: Option<u64>) -> (u64, u64) {
        self.all.get(&choice.unwrap_or_default()).map_or((0, 0), |choice| (choice.begun, choice.begun_at_loss))
    }

    /// The reason that counts for the calls of this turn.
    pub(super) fn turn(&self, number: usize) -> Turn {
        let reason = &self.turns[number];
        match (reason.end, reason.instead) {
            (None, Some(other)) => Turn { number: other, end: self.turns[other].end },
            (end, _) => Turn { number, end },
        }
    }

    /// The turns of calls that wait for a reason.
    fn awaiting(&self) -> Vec<usize> {
        let choices = self.all.values().filter(|choice| choice.last.is_some() && !self.turns[choice.turn].is_known());
        choices.map(|choice| choice.turn).collect()
    }

    /// The choice at hand, as the provider gave it.
    pub(super) fn now(&self) -> Option<u64> {
        self.now
    }

    fn number(&self) -> u64 {
        self.now.unwrap_or_default()
    }
}

impl Choice {
    fn new(number: u64, turns: &mut Vec<Reason>) -> Self {
        let turn = Reason::awaited(number, turns);
        Self { by_id: HashMap::new(), last: None, begun: 0, begun_at_loss: 0, turn }
    }
}

impl Reason {
    fn awaited(choice: u64, turns: &mut Vec<Self>) -> usize {
        turns.push(Self { choice, end: None, instead: None });
        turns.len() - 1
    }

    fn add(&mut self, end: End) {
        self.end = Some(self.end.map_or(end, |before| worse(before, end)));
    }

    fn is_known(&self) -> bool {
        self.end.is_some() || self.instead.is_some()
    }
}

/// Choices without calls whose reasons are heard; the most that an API gives is 128.
const MAX_CHOICES: usize = 1024;
