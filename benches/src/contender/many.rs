//! Many texts that are all kept: read one after the other, or a delta of each in turns. Both orders ask for the same
//! memory.

use argseal::Call;

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Order {
    /// Each text to its end before the next.
    AfterEachOther,
    /// The first delta of each text, then the second of each.
    InTurns,
}

/// Calls, as a gateway has them.
pub fn argseal(deltas: &[&str], count: usize, order: Order) -> usize {
    let feed = |call: &mut Call, delta: &str| {
        call.feed(delta);
    };
    read(deltas, count, order, feed, |call| usize::from(call.is_complete()))
}

/// Appending, and nothing else: what the memory costs anyone.
pub fn append(deltas: &[&str], count: usize, order: Order) -> usize {
    let feed = |text: &mut Vec<u8>, delta: &str| text.extend_from_slice(delta.as_bytes());
    read(deltas, count, order, feed, |text| usize::from(!text.is_empty()))
}

fn read<T: Default>(
    deltas: &[&str],
    count: usize,
    order: Order,
    feed: impl Fn(&mut T, &str),
    done: impl Fn(&T) -> usize,
) -> usize {
    let mut texts: Vec<T> = std::iter::repeat_with(T::default).take(count).collect();
    match order {
        Order::AfterEachOther => {
            for text in &mut texts {
                deltas.iter().for_each(|delta| feed(text, std::hint::black_box(delta)));
            }
        }
        Order::InTurns => {
            for delta in deltas {
                texts.iter_mut().for_each(|text| feed(text, std::hint::black_box(delta)));
            }
        }
    }
    let done = std::hint::black_box(&texts).iter().map(done).sum();
    assert_eq!(done, count, "every text is read to its end");
    done
}
