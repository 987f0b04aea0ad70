//! Where every choice comes from: [`Dice`].

/// Numbers that follow from a seed: SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(super) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From `least` to `most`.
    pub(super) fn among(&mut self, least: u64, most: u64) -> u64 {
        least + self.number() % (most - least + 1)
    }

    /// Whether something happens that happens so often in a thousand times.
    pub(super) fn chance(&mut self, per_thousand: u64) -> bool {
        self.number() % 1000 < per_thousand
    }

    /// One of them, if there is any.
    pub(super) fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        if of.is_empty() { None } else { Some(of[self.number() as usize % of.len()].clone()) }
    }
}
