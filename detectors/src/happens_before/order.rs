//! The order of a run's events: per thread what it knows of the others, and which locks it holds.
//!
//! Two orders are kept. The *full* one has every edge there is. The *hard* one leaves out those from an unlock to a
//! later lock, which another schedule may turn round; [`Order::observe`] puts those back that a thread has observed.
//! A thread has one time for both. It goes up after every release, so what a thread does after it is not known to
//! those who learned of the release.

use crate::AccessKind;
use crate::clock::Clock;
use crate::event::{Event, ObjectId};
use crate::ids::LockId;
use crate::lockset::{Held, LockSetId, LockSets};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How many slots of ended threads are looked at for a new one.
const SLOTS_TRIED: usize = 64;

#[derive(Default)]
pub struct Order {
    index: FxHashMap<u32, usize>,
    threads: Vec<Thread>,
    /// What was released with an object.
    objects: FxHashMap<ObjectId, Known>,
    locks: FxHashMap<ObjectId, Lock>,
    slots: u32,
    /// Slots of ended threads with their last times.
    free: Vec<(u32, u32)>,
    pub(crate) sets: LockSets,
    lock_ids: FxHashMap<ObjectId, LockId>,
    lock_objects: FxHashMap<LockId, ObjectId>,
}

/// What is known, in the full and in the hard order.
#[derive(Clone, Default)]
struct Known {
    full: Clock,
    hard: Clock,
}

struct Thread {
    slot: u32,
    time: u32,
    known: Known,
    held: Vec<HeldNow>,
    /// `None`: to be made when it is needed.
    held_set: Option<LockSetId>,
    ended: bool,
}

pub struct HeldNow {
    pub object: ObjectId,
    pub shared: bool,
    /// The thread's time when it was taken, be it in the other mode.
    since: u32,
    /// How often it is held.
    depth: u32,
    /// What the lock's earlier holders had told when it was taken.
    told: [Option<Arc<Clock>>; 2],
}

#[derive(Default)]
struct Lock {
    by_writer: Option<Arc<Clock>>,
    by_readers: Option<Arc<Clock>>,
}

/// When a thread does something, and under which locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    pub index: usize,
    pub slot: u32,
    pub time: u32,
    pub held: LockSetId,
}

impl Order {
    /// Takes in what an event means for the order; accesses mean nothing.
    pub fn event(&mut self, event: &Event) {
        let thread = self.thread(event.thread());
        match *event {
            Event::Fork { child, .. } => self.fork(thread, child),
            Event::Join { child, .. } => {
                let child = self.thread(child);
                let Some(known) = self.threads.get(child).map(|c| c.known.clone()) else {
                    return;
                };
                // Without its end in the trace, the child may do more.
                if self.threads.get(child).is_some_and(|c| !c.ended) {
                    self.tick(child);
                }
                self.learn(thread, &known);
            }
            Event::End { .. } => {
                if let Some(t) = self.threads.get_mut(thread)
                    && !t.ended
                {
                    t.ended = true;
                    self.free.push((t.slot, t.time));
                }
            }
            Event::Release { object, .. } => {
                if let Some(t) = self.threads.get(thread) {
                    self.objects.entry(object).or_default().join(&t.known);
                }
                self.tick(thread);
            }
            Event::Acquire { object, .. } => {
                if let (Some(known), Some(t)) = (self.objects.get(&object), self.threads.get_mut(thread)) {
                    t.known.join(known);
                }
            }
            Event::Lock { object, shared, .. } => self.lock(thread, object, shared),
            Event::Unlock { object, shared, .. } => self.unlock(thread, object, shared),
            Event::Merge { object, of, .. } => {
                let mut both = Known::default();
                for known in of.iter().filter_map(|o| self.objects.get(o)) {
                    both.join(known);
                }
                self.objects.insert(object, both);
            }
            Event::Observe { .. } => self.observe(thread),
            Event::Begin { .. }
            | Event::Access { .. }
            | Event::Flag { .. }
            | Event::Nested { .. }
            | Event::Flow { .. }
            | Event::Stamp { .. }
            | Event::Asked { .. } => {}
        }
    }

    pub fn now(&mut self, thread: u32) -> Option<Now> {
        let index = self.thread(thread);
        let t = self.threads.get_mut(index)?;
        let held = match t.held_set {
            Some(set) => set,
            None => {
                let (sets, ids, objects) = (&mut self.sets, &mut self.lock_ids, &mut self.lock_objects);
                let held: Vec<Held> = t
                    .held
                    .iter()
                    .map(|h| Held {
                        lock: *ids.entry(h.object).or_insert_with(|| {
                            let id = sets.add_lock();
                            objects.insert(id, h.object);
                            id
                        }),
                        shared: h.shared,
                    })
                    .collect();
                *t.held_set.insert(sets.of(&held))
            }
        };
        Some(Now {
            index,
            slot: t.slot,
            time: t.time,
            held,
        })
    }

    /// Whether what the slot's thread did at `time` comes before what the thread at `index` does now.
    pub fn knows(&self, index: usize, slot: u32, time: u32) -> bool {
        self.threads
            .get(index)
            .is_some_and(|t| t.known.full.get(slot) >= time)
    }

    /// The same in the hard order.
    pub fn must_know(&self, index: usize, slot: u32, time: u32) -> bool {
        self.threads
            .get(index)
            .is_some_and(|t| t.known.hard.get(slot) >= time)
    }

    /// Whether that was known to who released the object.
    pub fn has_told(&self, object: ObjectId, slot: u32, time: u32) -> bool {
        let known = self.objects.get(&object);
        known.is_some_and(|known| known.full.get(slot) >= time)
    }

    /// The locks that the thread at `index` holds for writing.
    pub fn exclusive(&self, index: usize) -> impl Iterator<Item = ObjectId> {
        let held = self.threads.get(index).map_or(&[][..], |t| t.held.as_slice());
        held.iter().rev().filter(|h| !h.shared).map(|h| h.object)
    }

    /// The locks that the thread holds.
    pub fn held_by(&self, thread: u32) -> &[HeldNow] {
        let index = self.index.get(&thread);
        let thread = index.and_then(|index| self.threads.get(*index));
        thread.map_or(&[], |t| t.held.as_slice())
    }

    pub fn holds(&self, thread: u32, object: ObjectId, shared: bool) -> bool {
        let mut held = self.held_by(thread).iter();
        held.any(|h| (h.object, h.shared) == (object, shared))
    }

    /// Whether what the lock's thread did then, with these locks, it did since it took the lock.
    pub fn was_under(&self, lock: &HeldNow, time: u32, held: LockSetId) -> bool {
        let mut held = self.held(held).into_iter();
        time >= lock.since && held.any(|(object, _)| object == lock.object)
    }

    /// The thread has seen what another one did under a lock that it holds now: that the other's critical section
    /// came first is no accident any more, here and in what follows.
    pub fn observe(&mut self, index: usize) {
        if let Some(t) = self.threads.get_mut(index) {
            for told in t.held.iter().flat_map(|h| &h.told).flatten() {
                t.known.hard.join(told);
            }
        }
    }

    /// Whether accesses of these kinds under these locks protect each other.
    pub fn protected(&self, a: (LockSetId, AccessKind), b: (LockSetId, AccessKind)) -> bool {
        let [a, b] = [a, b].map(|(set, kind)| self.sets.protecting(set, kind));
        self.sets.share_a_lock(a, b)
    }

    pub fn held(&self, set: LockSetId) -> Vec<(ObjectId, bool)> {
        let locks = self.sets.locks(set).iter();
        locks
            .filter_map(|h| Some((*self.lock_objects.get(&h.lock)?, h.shared)))
            .collect()
    }

    pub fn slots(&self) -> u32 {
        self.slots
    }

    fn thread(&mut self, number: u32) -> usize {
        if let Some(&index) = self.index.get(&number) {
            return index;
        }
        let slot = self.slots;
        self.slots += 1;
        self.add(number, slot, 1, Known::default())
    }

    fn add(&mut self, number: u32, slot: u32, time: u32, mut known: Known) -> usize {
        let index = self.threads.len();
        self.index.insert(number, index);
        known.full.set(slot, time);
        known.hard.set(slot, time);
        self.threads.push(Thread {
            slot,
            time,
            known,
            held: Vec::new(),
            held_set: Some(LockSetId::EMPTY),
            ended: false,
        });
        index
    }

    fn fork(&mut self, thread: usize, child: u32) {
        let Some(known) = self.threads.get(thread).map(|t| t.known.clone()) else {
            return;
        };
        self.tick(thread);
        if let Some(&known_child) = self.index.get(&child) {
            // It did something before it was started, as far as the trace tells.
            self.learn(known_child, &known);
            return;
        }
        // A thread that comes after all that an ended one did may go on with its slot: to everybody else the two
        // are one. Otherwise programs with a thread per request would have clocks without end.
        let recent = self.free.iter().rev().take(SLOTS_TRIED);
        let mut usable = recent
            .enumerate()
            .filter(|(_, (slot, last))| known.full.get(*slot) >= *last && known.hard.get(*slot) >= *last);
        let (slot, time) = match usable.next() {
            Some((from_end, &(slot, last))) => {
                let at = self.free.len() - 1 - from_end;
                self.free.swap_remove(at);
                (slot, last + 1)
            }
            None => {
                self.slots += 1;
                (self.slots - 1, 1)
            }
        };
        self.add(child, slot, time, known);
    }

    fn learn(&mut self, thread: usize, known: &Known) {
        if let Some(t) = self.threads.get_mut(thread) {
            t.known.join(known);
        }
    }

    fn tick(&mut self, thread: usize) {
        // Another thread may go on with the slot of one that has ended, which does nothing more.
        if let Some(t) = self.threads.get_mut(thread).filter(|t| !t.ended) {
            t.time += 1;
            t.known.full.set(t.slot, t.time);
            t.known.hard.set(t.slot, t.time);
        }
    }

    fn lock(&mut self, thread: usize, object: ObjectId, shared: bool) {
        let Some(t) = self.threads.get_mut(thread) else {
            return;
        };
        if let Some(held) = t
            .held
            .iter_mut()
            .find(|h| h.object == object && h.shared == shared)
        {
            held.depth += 1;
            return;
        }
        let lock = self.locks.entry(object).or_default();
        let by_readers = if shared { None } else { lock.by_readers.clone() };
        let told = [lock.by_writer.clone(), by_readers];
        let in_other_mode = t.held.iter().find(|h| h.object == object);
        let since = in_other_mode.map_or(t.time, |h| h.since);
        for clock in told.iter().flatten() {
            t.known.full.join(clock);
        }
        t.held.push(HeldNow {
            object,
            shared,
            since,
            depth: 1,
            told,
        });
        t.held_set = None;
    }

    fn unlock(&mut self, thread: usize, object: ObjectId, shared: bool) {
        let Some(t) = self.threads.get_mut(thread) else {
            return;
        };
        if let Some(at) = t
            .held
            .iter()
            .position(|h| h.object == object && h.shared == shared)
        {
            if let Some(held) = t.held.get_mut(at)
                && held.depth > 1
            {
                held.depth -= 1;
                return;
            }
            t.held.remove(at);
            t.held_set = None;
        }
        let lock = self.locks.entry(object).or_default();
        if shared {
            let known = lock.by_readers.get_or_insert_default();
            Arc::make_mut(known).join(&t.known.full);
        } else {
            lock.by_writer = Some(Arc::new(t.known.full.clone()));
        }
        self.tick(thread);
    }
}

impl Known {
    fn join(&mut self, other: &Known) {
        self.full.join(&other.full);
        self.hard.join(&other.hard);
    }
}
