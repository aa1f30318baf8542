//! The stack depot: stacks of accesses at sites under suspicion, by site and epoch. The earlier access of a
//! finding is known only as site and epoch; if it recurs after the suspicion arose, its stack is here.

use rustc_hash::FxHashMap;

/// Stacks kept per site, and in all: a finding needs one per side, the rest is chance of meeting that one.
const PER_SITE: usize = 64;
const TOTAL: usize = 100_000;

#[derive(Default)]
pub struct Depot {
    stacks: FxHashMap<(u32, u32), u32>,
    /// Sites under suspicion, and in which epochs their stacks were taken.
    suspects: FxHashMap<u32, Vec<u32>>,
}

impl Depot {
    pub fn suspect(&mut self, site: u32) {
        self.suspects.entry(site).or_default();
    }

    /// Whether the stack of this access is worth its cost.
    pub fn wants(&self, site: u32, epoch: u32) -> bool {
        self.stacks.len() < TOTAL
            && self.suspects.get(&site).is_some_and(|kept| kept.len() < PER_SITE)
            && !self.stacks.contains_key(&(site, epoch))
    }

    pub fn add(&mut self, site: u32, epoch: u32, stack: u32) {
        if self.stacks.insert((site, epoch), stack).is_none() {
            self.suspects.entry(site).or_default().push(epoch);
        }
    }

    /// The epochs in which stacks of the site were taken.
    pub fn epochs(&self, site: u32) -> impl Iterator<Item = u32> {
        self.suspects.get(&site).into_iter().flatten().copied()
    }

    pub fn get(&self, site: u32, epoch: u32) -> Option<u32> {
        self.stacks.get(&(site, epoch)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_stacks_of_suspects_are_wanted_once_per_epoch_and_not_without_end() {
        let mut depot = Depot::default();
        assert!(!depot.wants(1, 1));
        depot.suspect(1);
        assert!(depot.wants(1, 1));
        depot.add(1, 1, 77);
        assert_eq!(
            (depot.wants(1, 1), depot.wants(1, 2), depot.get(1, 1)),
            (false, true, Some(77))
        );
        for epoch in 2..=PER_SITE as u32 {
            depot.add(1, epoch, 77);
        }
        assert!(!depot.wants(1, 999));
        assert_eq!(depot.epochs(1).take(2).collect::<Vec<_>>(), [1, 2]);
    }
}
