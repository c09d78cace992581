//! Events that the provider numbers (`sequence_number`): gaps, repeats and swaps.

use std::hash::{DefaultHasher, Hash, Hasher};

/// What is known of the numbers so far.
#[derive(Debug, Default)]
pub(super) enum Numbering {
    #[default]
    None,
    /// The number of the last event, and a hash of it.
    Last(u64, u64),
    /// Different events bear the same number: the numbers mean nothing.
    Meaningless,
}

/// What an event's number says about it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Order {
    /// It is the next one, or there is no order to speak of.
    Next,
    /// It is the next one that came, and events before it are missing.
    Gap { expected: u64, got: u64 },
    /// It came before, or it came too late: it must not be read.
    Stale { expected: u64, got: u64 },
    /// It bears the number of another event.
    Meaningless,
}

impl Numbering {
    /// The next event; `number` is its number, if it has one.
    pub(super) fn order(&mut self, number: Option<u64>, data: &str) -> Order {
        let Some(got) = number else { return Order::Next };
        let hash = || {
            let mut hasher = DefaultHasher::new();
            data.hash(&mut hasher);
            hasher.finish()
        };
        match *self {
            Self::Meaningless => Order::Next,
            Self::None => {
                *self = Self::Last(got, hash());
                Order::Next
            }
            Self::Last(last, before) => {
                let expected = last.saturating_add(1);
                let now = hash();
                if got == last && now != before {
                    *self = Self::Meaningless;
                    return Order::Meaningless;
                }
                if got < expected {
                    return Order::Stale { expected, got };
                }
                *self = Self::Last(got, now);
                if got == expected { Order::Next } else { Order::Gap { expected, got } }
            }
        }
    }

    /// A response begins.
    pub(super) fn restart(&mut self) {
        *self = Self::None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(events: &[(u64, &str)]) -> Vec<Order> {
        let mut numbering = Numbering::default();
        events.iter().map(|(number, data)| numbering.order(Some(*number), data)).collect()
    }

    #[test]
    fn gaps_repeats_and_swaps_are_seen() {
        use Order::{Gap, Meaningless, Next, Stale};
        assert_eq!(orders(&[(7, "a"), (8, "b"), (9, "c")]), [Next, Next, Next]);
        assert_eq!(orders(&[(0, "a"), (2, "c")]), [Next, Gap { expected: 1, got: 2 }]);
        assert_eq!(orders(&[(0, "a"), (0, "a"), (1, "b")]), [Next, Stale { expected: 1, got: 0 }, Next]);
        let swapped = [Next, Gap { expected: 1, got: 2 }, Stale { expected: 3, got: 1 }, Next];
        assert_eq!(orders(&[(0, "a"), (2, "c"), (1, "b"), (3, "d")]), swapped);
        assert_eq!(orders(&[(0, "a"), (0, "b"), (0, "c")]), [Next, Meaningless, Next]);
    }
}
