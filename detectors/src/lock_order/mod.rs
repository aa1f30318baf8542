//! Potential deadlocks: a ring of threads, each of which takes a lock that the next one holds while it takes its own.
//!
//! In: acquisitions of a lock by a thread that holds others. Out: the rings, each once. A ring is reported although
//! the run went well: with another schedule the threads stop for ever. Not reported, because no schedule leads there:
//! - two threads of the ring hold a common lock (a *gate*) around their acquisitions, not both for reading;
//! - one acquisition comes before another whatever the schedule: by thread start, join and other synchronisation
//!   that is no lock (the *hard order*);
//! - a lock taken for reading by both threads concerned; a lock taken again by its holder; attempts that do not wait.
//!
//! [`LockOrder`] is incremental: it is told of an acquisition and answers with the rings that it closes. A running
//! program tells it only what is new. [`FromEvents`] drives it with the events of a trace.

mod from_events;
mod search;

pub use from_events::FromEvents;

use crate::event::{ObjectId, Place};
pub use crate::hard_order::Moment;
use rustc_hash::{FxHashMap, FxHashSet};

/// A lock in a thread's hands, and where the thread took it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeldLock {
    pub lock: ObjectId,
    pub shared: bool,
    pub at: Place,
}

/// A thread takes `lock` and waits until it gets it, while it holds others.
///
/// The caller may leave out what it has told already: the same thread with the same `held` and `lock` at the same
/// sites, if the thread has not synchronised with others by anything but locks meanwhile (then the time or the clock
/// of `moment` differs, and another ring may be possible).
#[derive(Debug, Clone, Copy)]
pub struct Acquisition<'a> {
    /// Never used for another thread.
    pub thread: u32,
    pub lock: ObjectId,
    pub shared: bool,
    pub at: Place,
    /// In any order. If `lock` is among them, the acquisition adds nothing.
    pub held: &'a [HeldLock],
    pub moment: Moment<'a>,
}

/// One thread of a ring: it holds `held` and takes `taken`, which the next one of the ring holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub thread: u32,
    pub held: HeldLock,
    pub taken: HeldLock,
    /// All locks that the thread holds, `held` among them.
    pub all_held: Vec<HeldLock>,
}

/// Two links or more; the last one takes what the first one holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    pub links: Vec<Link>,
}

/// What was left out to bound memory and time; all zero in most programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cut {
    /// Acquisitions that were not kept, because there were too many different ones.
    pub acquisitions: u64,
    /// Repetitions by other threads or at other moments that were not kept.
    pub repetitions: u64,
    /// Searches that were given up.
    pub searches: u64,
}

/// How much is kept and searched.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub acquisitions: usize,
    /// Threads of one acquisition, and moments of each. Of those beyond, every so often one takes the last place, more
    /// and more seldom.
    pub threads: usize,
    pub moments: usize,
    /// Steps of a search. Short cycles are looked for first.
    pub search: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            acquisitions: 200_000,
            threads: 8,
            moments: 8,
            search: 50_000,
        }
    }
}

/// An acquisition, whoever did it and when.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    lock: ObjectId,
    shared: bool,
    site: u32,
    /// Sorted by lock, each lock once; the stacks are no part of it.
    held: Box<[(ObjectId, bool, u32)]>,
}

#[derive(Debug)]
struct Known {
    taken: HeldLock,
    held: Box<[HeldLock]>,
    threads: Vec<ByThread>,
    /// Threads beyond the limit.
    further: u32,
    /// How many acquisitions there had been when none of them led back here.
    no_cycle_with: Option<u32>,
}

#[derive(Debug)]
struct ByThread {
    thread: u32,
    slot: u32,
    moments: Vec<Then>,
    /// Moments beyond the limit.
    further: u32,
}

#[derive(Debug, PartialEq, Eq)]
struct Then {
    time: u32,
    clock: Box<[u32]>,
}

/// The acquisitions of a program so far, and the cycles found.
#[derive(Default)]
pub struct LockOrder {
    limits: Limits,
    known: FxHashMap<u32, Known>,
    ids: FxHashMap<Key, u32>,
    next: u32,
    /// By lock: what holds it, what takes it.
    holders: FxHashMap<ObjectId, Vec<u32>>,
    takers: FxHashMap<ObjectId, Vec<u32>>,
    /// The sites of the cycles found.
    found: FxHashSet<search::Sites>,
    cut: Cut,
}

impl LockOrder {
    pub fn new(limits: Limits) -> LockOrder {
        LockOrder {
            limits,
            ..LockOrder::default()
        }
    }

    /// The cycles that this acquisition closes and that have not been told yet: each is told once, whatever threads
    /// and locks make it, by the sites of its acquisitions.
    pub fn acquired(&mut self, acquisition: &Acquisition) -> Vec<Cycle> {
        let held = normal(acquisition.held);
        if held.is_empty() || held.iter().any(|h| h.lock == acquisition.lock) {
            return Vec::new();
        }
        let taken = HeldLock {
            lock: acquisition.lock,
            shared: acquisition.shared,
            at: acquisition.at,
        };
        let key = key(&taken, &held);
        let id = match self.ids.get(&key) {
            Some(&id) => id,
            None if self.known.len() >= self.limits.acquisitions => {
                self.cut.acquisitions += 1;
                return Vec::new();
            }
            None => self.add(key, taken, held),
        };
        match self.note(id, acquisition) {
            Some(occurrence) => self.search(occurrence),
            None => Vec::new(),
        }
    }

    /// The lock's object was collected: no cycle can be closed over it any more.
    pub fn lock_dead(&mut self, lock: ObjectId) {
        let holding = self.holders.remove(&lock).unwrap_or_default();
        let taking = self.takers.remove(&lock).unwrap_or_default();
        for id in holding.into_iter().chain(taking) {
            let Some(gone) = self.known.remove(&id) else {
                continue;
            };
            self.ids.remove(&key(&gone.taken, &gone.held));
            let others = gone.held.iter().map(|h| h.lock);
            for other in others.filter(|&l| l != lock) {
                leave(&mut self.holders, other, id);
            }
            if gone.taken.lock != lock {
                leave(&mut self.takers, gone.taken.lock, id);
            }
        }
    }

    pub fn cut(&self) -> Cut {
        self.cut
    }

    /// Different acquisitions that are kept.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    fn add(&mut self, key: Key, taken: HeldLock, held: Box<[HeldLock]>) -> u32 {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        for h in &held {
            self.holders.entry(h.lock).or_default().push(id);
        }
        self.takers.entry(taken.lock).or_default().push(id);
        self.ids.insert(key, id);
        let known = Known {
            taken,
            held,
            threads: Vec::new(),
            further: 0,
            no_cycle_with: None,
        };
        self.known.insert(id, known);
        id
    }

    /// Keeps thread and moment; `None` if they are known, or too many to keep.
    fn note(&mut self, id: u32, acquisition: &Acquisition) -> Option<search::Occurrence> {
        let (limits, cut) = (self.limits, &mut self.cut);
        let known = self.known.get_mut(&id)?;
        let Moment { slot, time, clock } = acquisition.moment;
        let then = Then {
            time,
            clock: clock.into(),
        };
        let thread = match known.threads.iter().position(|t| t.thread == acquisition.thread) {
            Some(at) => at,
            None => {
                make_room(&mut known.threads, limits.threads, &mut known.further, cut)?;
                known.threads.push(ByThread {
                    thread: acquisition.thread,
                    slot,
                    moments: Vec::new(),
                    further: 0,
                });
                known.threads.len() - 1
            }
        };
        let by_thread = known.threads.get_mut(thread)?;
        if by_thread.moments.contains(&then) {
            return None;
        }
        make_room(
            &mut by_thread.moments,
            limits.moments,
            &mut by_thread.further,
            cut,
        )?;
        by_thread.moments.push(then);
        Some(search::Occurrence {
            id,
            thread,
            moment: by_thread.moments.len() - 1,
        })
    }
}

fn key(taken: &HeldLock, held: &[HeldLock]) -> Key {
    Key {
        lock: taken.lock,
        shared: taken.shared,
        site: taken.at.site,
        held: held.iter().map(|h| (h.lock, h.shared, h.at.site)).collect(),
    }
}

/// The earliest ones stay; the last one goes for the first, second, fourth, eighth … of the further ones, so that the
/// work comes to an end and what is kept is not all old. `None`: there is no room.
fn make_room<T>(list: &mut Vec<T>, limit: usize, further: &mut u32, cut: &mut Cut) -> Option<()> {
    if list.len() < limit.max(1) {
        return Some(());
    }
    cut.repetitions += 1;
    *further = further.saturating_add(1);
    further.is_power_of_two().then(|| drop(list.pop()))
}

fn leave(lists: &mut FxHashMap<ObjectId, Vec<u32>>, lock: ObjectId, id: u32) {
    if let Some(list) = lists.get_mut(&lock) {
        list.retain(|&i| i != id);
        if list.is_empty() {
            lists.remove(&lock);
        }
    }
}

/// Sorted by lock; of a lock that is held several times, the exclusive hold counts, and of those the first.
fn normal(held: &[HeldLock]) -> Box<[HeldLock]> {
    let mut held = held.to_vec();
    // Stable: the first of equals stays the first.
    held.sort_by_key(|h| (h.lock, h.shared));
    held.dedup_by_key(|h| h.lock);
    held.into()
}
