//! The calls beyond the limit: counted, and not kept.

use super::{Calls, Key};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How many there are beside the first, which stands for them all.
///
/// Nothing is kept of them but who the newest is, so that its pieces are not counted as calls.
#[derive(Default)]
pub(super) struct Beyond {
    others: u64,
    newest: Option<Newest>,
}

/// What a call beyond the limit is known by.
struct Newest {
    choice: Option<u64>,
    index: Option<u64>,
    /// A hash of it.
    id: Option<u64>,
}

/// What came for it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Event {
    Delta,
    /// A start event, which without an id always begins another.
    Start,
}

impl Beyond {
    fn count(&mut self, event: Event, choice: Option<u64>, index: Option<u64>, id: Option<&str>) {
        let id = id.map(|id| {
            let mut hasher = DefaultHasher::new();
            id.hash(&mut hasher);
            hasher.finish()
        });
        let same = self.newest.as_ref().is_some_and(|newest| match (newest.id, id) {
            (Some(newest), Some(id)) => newest == id,
            (None, _) | (_, None) => event == Event::Delta && (newest.choice, newest.index) == (choice, index),
        });
        if !same {
            self.others += 1;
            self.newest = Some(Newest { choice, index, id });
        }
    }

    pub(super) fn others(&self) -> u64 {
        self.others
    }
}

impl Calls {
    /// How many calls came beyond [`Limits::calls`](crate::Limits::calls), the first of them apart: that is settled as
    /// rejected with `call-limit`, and stands for them all. Of the others nothing is kept.
    pub fn left_out(&self) -> u64 {
        self.beyond.others()
    }

    /// The limit is passed: no more calls are opened.
    pub(super) fn is_full(&self) -> bool {
        self.slots.len() > self.settings.limits().calls as usize
    }

    /// What belongs to no call that is kept, and would open one.
    pub(super) fn count_beyond(&mut self, event: Event, index: Option<u64>, id: Option<&str>) -> Key {
        self.beyond.count(event, self.choices.now(), index, id);
        let key = Key(self.settings.limits().calls);
        self.choices.divert(key, index);
        key
    }
}
