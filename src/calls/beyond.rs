//! The calls beyond the limit: counted, and not kept.

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
    /// What belongs to no call that is kept has come.
    pub(super) fn count(&mut self, event: Event, choice: Option<u64>, index: Option<u64>, id: Option<&str>) {
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
