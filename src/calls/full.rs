//! What the limit of calls does to those of a response.

use super::beyond::Event;
use super::{Calls, Key};

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
