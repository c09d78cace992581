//! Inputs for the laws, drawn from bytes: the same for a fuzzer, which chooses the bytes, and for a test, which seeds them.
//!
//! A draw never fails: where the bytes run out, the first choice is taken.

mod damage;
mod meant;
mod plain;
mod sample;
mod shape;
pub(super) mod tools;

pub use damage::{Damage, Damaged, Effect};
pub use meant::Meant;
pub use plain::fits;
pub use sample::Sample;
pub use shape::Shaped;
pub use tools::{Owned, owned};

use arbitrary::Unstructured;

/// Choices, drawn from bytes.
#[derive(Debug)]
pub struct Draw<'d>(Unstructured<'d>);

impl<'d> Draw<'d> {
    /// Choices that these bytes make.
    pub fn of(bytes: &'d [u8]) -> Self {
        Self(Unstructured::new(bytes))
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.int_in_range(0..=bound.saturating_sub(1)).unwrap_or_default()
    }

    /// True once in `n`.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    /// One of the choices.
    pub fn pick<'t, T>(&mut self, choices: &'t [T]) -> &'t T {
        &choices[self.below(choices.len())]
    }

    /// One of the words.
    pub fn word<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.below(words.len())]
    }

    /// All of them, in another order.
    pub fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        let mut out = Vec::with_capacity(items.len());
        while !items.is_empty() {
            out.push(items.remove(self.below(items.len())));
        }
        out
    }
}

/// Bytes of randomness from a seed, the same everywhere: enough for one draw of anything here.
pub fn seeded(seed: u64) -> Vec<u8> {
    const BYTES: u64 = 2048;
    let mut state = seed;
    let mut bits = || {
        // splitmix64
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    bits();
    (0..BYTES / 8).flat_map(|_| bits().to_le_bytes()).collect()
}
