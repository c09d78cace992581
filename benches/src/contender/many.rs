//! Many texts that are all kept: read one after the other, or a delta of each in turns. Both orders ask for the same
//! memory, and in both the deltas lie in the order in which they come, as they do in what a connection delivers.

use argseal::Call;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Order {
    /// Each text to its end before the next.
    AfterEachOther,
    /// The first delta of each text, then the second of each.
    InTurns,
}

/// Deltas of many texts, in the order in which they come.
pub struct Arrivals {
    count: usize,
    text: String,
    /// Which text the next delta is of, and its length.
    deltas: Vec<(usize, usize)>,
}

impl Arrivals {
    pub fn new(each: &[Vec<&str>], order: Order) -> Self {
        let mut arrivals = Self { count: each.len(), text: String::new(), deltas: Vec::new() };
        match order {
            Order::AfterEachOther => {
                for (i, deltas) in each.iter().enumerate() {
                    deltas.iter().for_each(|delta| arrivals.push(i, delta));
                }
            }
            Order::InTurns => {
                let longest = each.iter().map(Vec::len).max().unwrap_or_default();
                for turn in 0..longest {
                    let of_turn = each.iter().enumerate().filter_map(|(i, deltas)| Some((i, deltas.get(turn)?)));
                    of_turn.for_each(|(i, delta)| arrivals.push(i, delta));
                }
            }
        }
        arrivals
    }

    fn push(&mut self, text: usize, delta: &str) {
        self.text.push_str(delta);
        self.deltas.push((text, delta.len()));
    }

    /// How many deltas there are.
    pub fn deltas(&self) -> usize {
        self.deltas.len()
    }

    fn read<T: Default>(&self, feed: impl Fn(&mut T, &str), is_done: impl Fn(&T) -> bool) -> usize {
        let mut texts: Vec<T> = std::iter::repeat_with(T::default).take(self.count).collect();
        let mut rest = self.text.as_str();
        for &(text, len) in &self.deltas {
            let (delta, others) = rest.split_at(len);
            feed(&mut texts[text], std::hint::black_box(delta));
            rest = others;
        }
        let done = std::hint::black_box(&texts).iter().filter(|text| is_done(text)).count();
        assert_eq!(done, self.count, "every text is read to its end");
        done
    }
}

/// Calls, as a gateway has them.
pub fn argseal(arrivals: &Arrivals) -> usize {
    let feed = |call: &mut Call, delta: &str| {
        call.feed(delta);
    };
    arrivals.read(feed, Call::is_complete)
}

/// Appending, and nothing else: what the memory costs anyone.
pub fn append(arrivals: &Arrivals) -> usize {
    arrivals.read(|text: &mut Vec<u8>, delta| text.extend_from_slice(delta.as_bytes()), |text| text.ends_with(b"}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_have_the_same_deltas() {
        let each = [vec!["{\"a\":", "1", "}"], vec!["{", "}"]];
        let text = |order| Arrivals::new(&each, order).text;
        assert_eq!(text(Order::AfterEachOther), "{\"a\":1}{}");
        assert_eq!(text(Order::InTurns), "{\"a\":{1}}");
        for order in [Order::AfterEachOther, Order::InTurns] {
            let arrivals = Arrivals::new(&each, order);
            assert_eq!((arrivals.deltas(), argseal(&arrivals), append(&arrivals)), (5, 2, 2));
        }
    }
}
