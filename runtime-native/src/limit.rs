//! How many findings a process writes. A program can be raced on at tens of thousands of pairs of places: nobody reads
//! them all, and each costs stacks, memory and a write. After the limit, pairs are only counted.

use rustc_hash::FxHashSet;

pub const DEFAULT_MAX_FINDINGS: usize = 1_000;

/// So many pairs are told apart while counting; the rest is not counted.
const COUNTED: usize = 100_000;

#[derive(Debug)]
pub struct Limit<P> {
    max: usize,
    cut: FxHashSet<P>,
}

impl<P: Eq + std::hash::Hash> Limit<P> {
    pub fn new(max: usize) -> Limit<P> {
        Limit {
            max,
            cut: FxHashSet::default(),
        }
    }

    pub fn max(&self) -> u64 {
        self.max as u64
    }

    pub fn reached(&self, written: usize) -> bool {
        written >= self.max
    }

    /// A pair that is not written.
    pub fn count(&mut self, pair: P) {
        if self.cut.len() < COUNTED {
            self.cut.insert(pair);
        }
    }

    pub fn cut(&self) -> u64 {
        self.cut.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_beyond_the_limit_are_counted_once_each_and_not_without_end() {
        let mut limit = Limit::new(2);
        assert!(!limit.reached(1) && limit.reached(2));
        for pair in [9, 9, 10] {
            limit.count(pair);
        }
        assert_eq!(limit.cut(), 2);
        for pair in 0..COUNTED + 10 {
            limit.count(pair);
        }
        assert_eq!(limit.cut(), COUNTED as u64);
    }
}
