//! [`LockOrder`] driven by the events of a run: who holds what, and the hard order.

use super::{Acquisition, Cut, Cycle, HeldLock, LockOrder, Moment};
use crate::clock::Clock;
use crate::event::{Event, ObjectId};
use rustc_hash::FxHashMap;

/// How many slots of ended threads are looked at for a new one.
const SLOTS_TRIED: usize = 64;

#[derive(Default)]
pub struct FromEvents {
    order: LockOrder,
    index: FxHashMap<u32, usize>,
    threads: Vec<Thread>,
    /// What was released with an object.
    objects: FxHashMap<ObjectId, Clock>,
    slots: u32,
    /// Slots of ended threads with their last times.
    free: Vec<(u32, u32)>,
}

struct Thread {
    slot: u32,
    time: u32,
    clock: Clock,
    /// A bag, in the order of acquisition: locks are re-entrant.
    held: Vec<HeldLock>,
    ended: bool,
}

impl FromEvents {
    pub fn new(order: LockOrder) -> FromEvents {
        FromEvents {
            order,
            ..FromEvents::default()
        }
    }

    /// The cycles that the event closes.
    pub fn event(&mut self, event: &Event) -> Vec<Cycle> {
        match *event {
            Event::Fork { thread, child } => {
                let known = self.thread(thread).release();
                if self.index.contains_key(&child) {
                    // It did something before it was started, as far as the trace tells.
                    self.thread(child).clock.join(&known);
                } else {
                    self.start(child, known);
                }
            }
            Event::Join { thread, child } => {
                let known = self.thread(child).release();
                self.thread(thread).clock.join(&known);
            }
            Event::End { thread } => {
                let thread = self.thread(thread);
                if !thread.ended {
                    thread.ended = true;
                    let last = (thread.slot, thread.time);
                    self.free.push(last);
                }
            }
            Event::Release { thread, object } => {
                let known = self.thread(thread).release();
                self.objects.entry(object).or_default().join(&known);
            }
            Event::Acquire { thread, object } => {
                let at = self.index_of(thread);
                if let (Some(known), Some(thread)) = (self.objects.get(&object), self.threads.get_mut(at)) {
                    thread.clock.join(known);
                }
            }
            Event::Lock {
                thread,
                object,
                shared,
                tried,
                at,
            } => {
                let taken = HeldLock {
                    lock: object,
                    shared,
                    at,
                };
                return self.lock(thread, taken, tried);
            }
            Event::Unlock {
                thread,
                object,
                shared,
            } => {
                let held = &mut self.thread(thread).held;
                if let Some(at) = held.iter().rposition(|h| h.lock == object && h.shared == shared) {
                    held.remove(at);
                }
            }
            Event::Begin { .. } | Event::Access { .. } => {}
        }
        Vec::new()
    }

    pub fn cut(&self) -> Cut {
        self.order.cut()
    }

    /// How long clocks can be.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    fn lock(&mut self, thread: u32, taken: HeldLock, tried: bool) -> Vec<Cycle> {
        let at = self.index_of(thread);
        let Some(state) = self.threads.get_mut(at) else {
            return Vec::new();
        };
        let cycles = if tried || state.held.is_empty() {
            Vec::new()
        } else {
            self.order.acquired(&Acquisition {
                thread,
                lock: taken.lock,
                shared: taken.shared,
                at: taken.at,
                held: &state.held,
                moment: Moment {
                    slot: state.slot,
                    time: state.time,
                    clock: state.clock.times(),
                },
            })
        };
        state.held.push(taken);
        cycles
    }

    /// A thread that comes after all that an ended one did goes on with its slot: to everybody else the two are one.
    fn start(&mut self, thread: u32, known: Clock) {
        let mut recent = self.free.iter().rev().take(SLOTS_TRIED);
        let usable = recent.position(|(slot, last)| known.get(*slot) >= *last);
        let (slot, time) = match usable {
            Some(from_end) => {
                let at = self.free.len() - 1 - from_end;
                let (slot, last) = self.free.swap_remove(at);
                (slot, last + 1)
            }
            None => (self.new_slot(), 1),
        };
        self.add(thread, slot, time, known);
    }

    fn new_slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots - 1
    }

    fn add(&mut self, thread: u32, slot: u32, time: u32, clock: Clock) -> usize {
        self.index.insert(thread, self.threads.len());
        self.threads.push(Thread {
            slot,
            time,
            clock,
            held: Vec::new(),
            ended: false,
        });
        self.threads.len() - 1
    }

    fn index_of(&mut self, thread: u32) -> usize {
        match self.index.get(&thread) {
            Some(&index) => index,
            None => {
                let slot = self.new_slot();
                self.add(thread, slot, 1, Clock::default())
            }
        }
    }

    #[expect(clippy::indexing_slicing, reason = "`index_of` gives indices that are there")]
    fn thread(&mut self, thread: u32) -> &mut Thread {
        let index = self.index_of(thread);
        &mut self.threads[index]
    }
}

impl Thread {
    /// What others learn from this thread; what it does from now on is not part of it.
    fn release(&mut self) -> Clock {
        let mut known = self.clock.clone();
        known.set(self.slot, self.time);
        // Who has ended does no more, and its slot may be another's by now.
        if !self.ended {
            self.time += 1;
        }
        known
    }
}
