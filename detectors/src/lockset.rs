//! Lock sets, interned: what a thread holds, and what protects a variable. Both are sets of [`Held`]; a
//! candidate set never has a shared mark. Candidate sets start as [`LockSetId::ALL`], "the locks of all possible
//! objects" (paper, section 4.1).
//!
//! Ids of lock sets do not leave the core, so a set whose lock died is rewritten wherever it is used and its id
//! is used again.

use crate::ids::LockId;
use crate::intern::Interner;
use racewire_model::sites::AccessKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// A lock in a thread's hands; `shared`: as the reader of a reader-writer lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Held {
    pub lock: LockId,
    pub shared: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LockSetId(u32);

impl LockSetId {
    pub const EMPTY: LockSetId = LockSetId(0);
    /// The owner's own monitor and nothing else; it never dies.
    pub const OWNER: LockSetId = LockSetId(1);
    /// The marker for "every lock there is".
    pub const ALL: LockSetId = LockSetId(u32::MAX);
}

type Set = Box<[Held]>;

pub struct LockSets {
    sets: Interner<Set>,
    /// Per set: what protects a read, what protects a write.
    effective: Vec<(LockSetId, LockSetId)>,
    /// Where a lock occurs, for its death. May name sets that are gone.
    sets_with: FxHashMap<LockId, Vec<LockSetId>>,
    /// One bit per lock id; dead locks cost nothing else.
    dead: Vec<u64>,
    locks: u32,
    intersections: Cache,
}

impl Default for LockSets {
    fn default() -> Self {
        let mut sets = LockSets {
            sets: Interner::new(0),
            effective: Vec::new(),
            sets_with: FxHashMap::default(),
            dead: Vec::new(),
            locks: LockId::FIRST.0,
            intersections: Cache::default(),
        };
        // The first ids: LockSetId::EMPTY and LockSetId::OWNER.
        sets.intern(Vec::new());
        sets.intern(vec![Held {
            lock: LockId::OWNER,
            shared: false,
        }]);
        sets
    }
}

impl LockSets {
    /// A new lock. After 2^32 locks the last id stands for all further ones.
    pub fn add_lock(&mut self) -> LockId {
        let id = LockId(self.locks);
        self.locks = self.locks.saturating_add(1);
        id
    }

    fn is_dead(&self, lock: LockId) -> bool {
        self.dead
            .get(lock.0 as usize / 64)
            .is_some_and(|bits| bits >> (lock.0 % 64) & 1 != 0)
    }

    /// The set of the locks in `held`. Order and repetition do not matter; a lock held in both modes is held
    /// exclusively.
    pub fn of(&mut self, held: &[Held]) -> LockSetId {
        let alive = |h: &Held| {
            if self.is_dead(h.lock) {
                Held {
                    lock: LockId::DEAD,
                    ..*h
                }
            } else {
                *h
            }
        };
        let locks = held.iter().map(alive).collect();
        self.intern(locks)
    }

    fn intern(&mut self, mut locks: Vec<Held>) -> LockSetId {
        // Exclusive sorts before shared, and of one lock only the first stays.
        locks.sort_unstable();
        locks.dedup_by_key(|h| h.lock);
        if let Some(id) = self.sets.find(locks.as_slice()) {
            return LockSetId(id);
        }
        // Sets die with their locks and their ids are used again: 2^31 at one time do not fit in memory.
        let Some((id, new)) = self.sets.intern(&locks.clone().into_boxed_slice(), u32::MAX) else {
            return LockSetId::EMPTY;
        };
        let id = LockSetId(id);
        if new {
            for held in locks.iter().filter(|h| h.lock >= LockId::FIRST) {
                let sets = &self.sets;
                let list = self.sets_with.entry(held.lock).or_default();
                push_compacting(list, id, |s| contains(sets, *s, held.lock));
            }
            let effective = if locks.iter().any(|h| h.shared) {
                let any = locks.iter().map(|h| Held { shared: false, ..*h }).collect();
                let exclusive = locks.iter().filter(|h| !h.shared).copied().collect();
                (self.intern(any), self.intern(exclusive))
            } else {
                (id, id)
            };
            let at = id.0 as usize;
            if self.effective.len() <= at {
                self.effective.resize(at + 1, Default::default());
            }
            if let Some(place) = self.effective.get_mut(at) {
                *place = effective;
            }
        }
        id
    }

    pub fn locks(&self, set: LockSetId) -> &[Held] {
        self.sets.get(set.0).map_or(&[], |locks| locks)
    }

    /// Eraser's rule for reader-writer locks: a read is protected by the locks held in any mode, a write only by
    /// those held exclusively.
    pub fn protecting(&self, held: LockSetId, kind: AccessKind) -> LockSetId {
        let (read, write) = self.effective.get(held.0 as usize).copied().unwrap_or_default();
        if kind == AccessKind::Read { read } else { write }
    }

    /// The candidates that remain after an access protected by `protecting`.
    pub fn refine(&mut self, candidates: LockSetId, protecting: LockSetId) -> LockSetId {
        if candidates == LockSetId::EMPTY || protecting == LockSetId::EMPTY {
            return LockSetId::EMPTY;
        }
        if candidates == LockSetId::ALL {
            return protecting;
        }
        if candidates == protecting && !has_dead(self.locks(candidates)) {
            return candidates;
        }
        if let Some(known) = self.intersections.get(candidates, protecting) {
            return known;
        }
        let both = common(self.locks(candidates), self.locks(protecting)).collect();
        let result = self.intern(both);
        self.intersections.put(candidates, protecting, result);
        result
    }

    /// What two sets of held locks have in common; a lock held in both modes counts as shared.
    pub fn meet(&mut self, a: LockSetId, b: LockSetId) -> LockSetId {
        if a == b {
            return a;
        }
        let others = self.locks(b);
        let both = self.locks(a).iter().filter_map(|h| {
            let other = others.iter().find(|o| o.lock == h.lock)?;
            (h.lock != LockId::DEAD).then_some(Held {
                lock: h.lock,
                shared: h.shared || other.shared,
            })
        });
        let both = both.collect();
        self.intern(both)
    }

    /// Whether two protecting sets have a lock in common.
    pub fn share_a_lock(&self, a: LockSetId, b: LockSetId) -> bool {
        if a == LockSetId::EMPTY || b == LockSetId::EMPTY {
            return false;
        }
        common(self.locks(a), self.locks(b)).next().is_some()
    }

    /// Whether `part` has no lock that `whole` has not; dead ones do not count.
    pub fn is_covered(&self, part: LockSetId, whole: LockSetId) -> bool {
        if part == whole || part == LockSetId::EMPTY {
            return true;
        }
        let living = |h: &&Held| h.lock != LockId::DEAD;
        let (part, whole) = (self.locks(part), self.locks(whole));
        common(part, whole).count() == part.iter().filter(living).count()
    }

    /// Whether the set names a lock that can die.
    pub fn is_mortal(&self, set: LockSetId) -> bool {
        self.locks(set).last().is_some_and(|h| h.lock >= LockId::FIRST)
    }

    /// Rewrites `lock` to DEAD. Returns which set became which; the old ids are free now, and whoever holds one
    /// has to change it before the next set is made.
    pub fn bury(&mut self, lock: LockId) -> FxHashMap<LockSetId, LockSetId> {
        if lock < LockId::FIRST || lock.0 >= self.locks || self.is_dead(lock) {
            return FxHashMap::default();
        }
        let at = lock.0 as usize / 64;
        if self.dead.len() <= at {
            self.dead.resize(at + 1, 0);
        }
        if let Some(bits) = self.dead.get_mut(at) {
            *bits |= 1 << (lock.0 % 64);
        }
        let mut old: Vec<LockSetId> = self.sets_with.remove(&lock).unwrap_or_default();
        old.retain(|&set| contains(&self.sets, set, lock));
        let old: FxHashSet<LockSetId> = old.into_iter().collect();
        let mut renamed = FxHashMap::default();
        for &set in &old {
            let locks = self.locks(set).to_vec();
            renamed.insert(set, self.of(&locks));
        }
        for set in old {
            self.sets.remove(set.0);
        }
        if !renamed.is_empty() {
            self.intersections.forget();
        }
        renamed
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sets.len() == 0
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sets.bytes(|locks| size_of_val::<[Held]>(locks))
            + self.effective.capacity() * size_of::<(LockSetId, LockSetId)>()
            + lists_bytes(&self.sets_with)
            + self.dead.capacity() * size_of::<u64>()
            + self.intersections.entries.capacity() * size_of::<Intersection>()
    }
}

fn contains(sets: &Interner<Set>, set: LockSetId, lock: LockId) -> bool {
    sets.get(set.0)
        .is_some_and(|locks| locks.iter().any(|h| h.lock == lock))
}

/// DEAD protects nothing that is still to come: two dead locks have the name in common, nothing else.
fn has_dead(locks: &[Held]) -> bool {
    locks.iter().take(2).any(|h| h.lock == LockId::DEAD)
}

fn common<'a>(a: &'a [Held], b: &'a [Held]) -> impl Iterator<Item = Held> + 'a {
    let mut rest = b;
    a.iter().copied().filter(move |held| {
        while let [first, tail @ ..] = rest
            && first.lock < held.lock
        {
            rest = tail;
        }
        held.lock != LockId::DEAD && rest.first().is_some_and(|first| first.lock == held.lock)
    })
}

/// Adds to a list of users; before it would grow, entries that are no users any more leave it.
pub(crate) fn push_compacting<T: Copy + Ord>(list: &mut Vec<T>, item: T, in_use: impl Fn(&T) -> bool) {
    if list.len() == list.capacity() && list.len() >= 8 {
        list.sort_unstable();
        list.dedup();
        list.retain(in_use);
        if list.len() < list.capacity() / 4 {
            list.shrink_to(list.len() * 2);
        }
    }
    list.push(item);
}

pub(crate) fn lists_bytes<K, T>(lists: &FxHashMap<K, Vec<T>>) -> usize {
    lists.capacity() * 8 / 7 * (size_of::<(K, Vec<T>)>() + 1)
        + lists
            .values()
            .map(|list| list.capacity() * size_of::<T>())
            .sum::<usize>()
}

/// Recent intersections, direct mapped.
struct Cache {
    entries: Vec<Intersection>,
    /// Entries of another generation are forgotten.
    generation: u32,
}

#[derive(Clone, Copy, Default)]
struct Intersection {
    generation: u32,
    a: LockSetId,
    b: LockSetId,
    result: LockSetId,
}

impl Default for Cache {
    fn default() -> Self {
        Cache {
            entries: vec![Intersection::default(); 1024],
            generation: 1,
        }
    }
}

impl Cache {
    fn at(&self, a: LockSetId, b: LockSetId) -> usize {
        (a.0.wrapping_mul(0x9E37_79B1) ^ b.0.wrapping_mul(0x85EB_CA77)) as usize >> 7
            & (self.entries.len() - 1)
    }

    fn get(&self, a: LockSetId, b: LockSetId) -> Option<LockSetId> {
        let entry = self.entries.get(self.at(a, b))?;
        (entry.generation == self.generation && entry.a == a && entry.b == b).then_some(entry.result)
    }

    fn put(&mut self, a: LockSetId, b: LockSetId, result: LockSetId) {
        let (at, generation) = (self.at(a, b), self.generation);
        if let Some(entry) = self.entries.get_mut(at) {
            *entry = Intersection {
                generation,
                a,
                b,
                result,
            };
        }
    }

    fn forget(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            // Entries from four billion forgettings ago would look new.
            *self = Cache::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AccessKind::{Read, Write};

    fn held(lock: LockId, shared: bool) -> Held {
        Held { lock, shared }
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let mut sets = LockSets::default();
        let (a, b) = (sets.add_lock(), sets.add_lock());
        let set = sets.of(&[held(b, false), held(a, false), held(b, false)]);
        assert_eq!(set, sets.of(&[held(a, false), held(b, false)]));
        assert_eq!(
            sets.of(&[held(a, true), held(a, false)]),
            sets.of(&[held(a, false)])
        );
        assert_eq!(sets.of(&[]), LockSetId::EMPTY);
    }

    #[test]
    fn a_read_lock_protects_reads_only() {
        let mut sets = LockSets::default();
        let (a, b) = (sets.add_lock(), sets.add_lock());
        let set = sets.of(&[held(a, true), held(b, false)]);
        let (both, only_b) = (
            sets.of(&[held(a, false), held(b, false)]),
            sets.of(&[held(b, false)]),
        );
        assert_eq!(sets.protecting(set, Read), both);
        assert_eq!(sets.protecting(set, Write), only_b);
        assert_eq!(sets.protecting(only_b, Write), only_b);
    }

    #[test]
    fn refining_starts_with_all_locks_and_ends_with_none() {
        let mut sets = LockSets::default();
        let locks = [sets.add_lock(), sets.add_lock(), sets.add_lock()];
        let [a, b, c] = locks.map(|l| held(l, false));
        let (ab, bc, ac) = (sets.of(&[a, b]), sets.of(&[b, c]), sets.of(&[a, c]));
        let one = sets.refine(LockSetId::ALL, ab);
        let two = sets.refine(one, bc);
        assert_eq!((one, two), (ab, sets.of(&[b])));
        assert_eq!(sets.refine(two, ac), LockSetId::EMPTY);
        assert_eq!(sets.refine(one, bc), two, "from the cache");
        assert!(sets.share_a_lock(ab, ac) && !sets.share_a_lock(two, ac));
    }

    #[test]
    fn a_dead_lock_is_in_no_intersection_and_its_sets_become_one() {
        let mut sets = LockSets::default();
        let (a, b, global) = (sets.add_lock(), sets.add_lock(), sets.add_lock());
        let global = held(global, false);
        let with_a = sets.of(&[held(a, false), global]);
        let with_b = sets.of(&[held(b, false), global]);
        let after_a = sets.bury(a)[&with_a];
        let after_b = sets.bury(b)[&with_b];
        assert_eq!(after_a, after_b);
        assert_eq!(sets.locks(after_a), [held(LockId::DEAD, false), global]);
        let only_global = sets.of(&[global]);
        assert_eq!(sets.refine(after_a, after_b), only_global);
        let only_dead = sets.of(&[held(a, false)]);
        assert_eq!(sets.locks(only_dead), [held(LockId::DEAD, false)]);
        assert!(!sets.share_a_lock(only_dead, only_dead));
        assert_eq!(sets.refine(only_dead, only_dead), LockSetId::EMPTY);
        assert!(
            sets.bury(a).is_empty()
                && sets.bury(LockId::OWNER).is_empty()
                && sets.bury(LockId(99)).is_empty()
        );
    }

    #[test]
    fn dead_sets_leave_no_cached_intersections() {
        let mut sets = LockSets::default();
        let (a, b, c) = (sets.add_lock(), sets.add_lock(), sets.add_lock());
        let ab = sets.of(&[held(a, false), held(b, false)]);
        let only_b = sets.of(&[held(b, false)]);
        assert_eq!(sets.refine(ab, only_b), only_b);
        sets.bury(a);
        let bc = sets.of(&[held(b, false), held(c, false)]);
        let only_c = sets.of(&[held(c, false)]);
        assert_eq!(sets.refine(bc, only_c), only_c);
        let sets_of_b = [only_b, bc];
        assert!(sets_of_b.iter().all(|&s| sets.refine(s, only_b) == only_b));
    }
}
