//! Randomness from a seed: the same everywhere.

/// A splitmix64 generator.
pub struct Random(u64);

impl Random {
    pub fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound as u64) as usize
    }

    /// True once in `n`.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'t, T>(&mut self, choices: &'t [T]) -> &'t T {
        &choices[self.below(choices.len())]
    }

    /// Up to `most` offsets in a text of `len` bytes, ascending.
    pub fn cuts(&mut self, len: usize, most: usize) -> Vec<usize> {
        let mut cuts: Vec<usize> = (0..self.below(most + 1)).map(|_| self.below(len + 1)).collect();
        cuts.sort_unstable();
        cuts
    }
}
