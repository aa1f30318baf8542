//! [`LockOrder`] driven by the events of a run: who holds what, and the hard order.

use super::{Acquisition, Cut, Cycle, HeldLock, LockOrder, Moment};
use crate::clock::Clock;
use crate::event::{Event, ObjectId};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct FromEvents {
    order: LockOrder,
    /// The place of a thread is its slot.
    slots: FxHashMap<u32, u32>,
    threads: Vec<Thread>,
    /// What was released with an object.
    objects: FxHashMap<ObjectId, Clock>,
}

struct Thread {
    time: u32,
    clock: Clock,
    /// A bag, in the order of acquisition: locks are re-entrant.
    held: Vec<HeldLock>,
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
        let slot = self.slot(event.thread());
        match *event {
            Event::Fork { child, .. } => {
                let child = self.slot(child);
                let known = self.thread(slot).release(slot);
                self.thread(child).clock.join(&known);
            }
            Event::Join { child, .. } => {
                let child = self.slot(child);
                let known = self.thread(child).release(child);
                self.thread(slot).clock.join(&known);
            }
            Event::Release { object, .. } => {
                let known = self.thread(slot).release(slot);
                self.objects.entry(object).or_default().join(&known);
            }
            Event::Acquire { object, .. } => {
                if let (Some(known), Some(thread)) =
                    (self.objects.get(&object), self.threads.get_mut(slot as usize))
                {
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
                return self.lock(thread, slot, taken, tried);
            }
            Event::Unlock { object, shared, .. } => {
                let held = &mut self.thread(slot).held;
                if let Some(at) = held.iter().rposition(|h| h.lock == object && h.shared == shared) {
                    held.remove(at);
                }
            }
            Event::Begin { .. } | Event::End { .. } | Event::Access { .. } => {}
        }
        Vec::new()
    }

    pub fn cut(&self) -> Cut {
        self.order.cut()
    }

    fn lock(&mut self, thread: u32, slot: u32, taken: HeldLock, tried: bool) -> Vec<Cycle> {
        let Some(state) = self.threads.get_mut(slot as usize) else {
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
                    slot,
                    time: state.time,
                    clock: state.clock.times(),
                },
            })
        };
        state.held.push(taken);
        cycles
    }

    fn slot(&mut self, thread: u32) -> u32 {
        let next = self.threads.len() as u32;
        let slot = *self.slots.entry(thread).or_insert(next);
        if slot == next {
            self.threads.push(Thread {
                time: 1,
                clock: Clock::default(),
                held: Vec::new(),
            });
        }
        slot
    }

    #[expect(clippy::indexing_slicing, reason = "slots are made by `slot`")]
    fn thread(&mut self, slot: u32) -> &mut Thread {
        &mut self.threads[slot as usize]
    }
}

impl Thread {
    /// What others learn from this thread; what it does from now on is not part of it.
    fn release(&mut self, slot: u32) -> Clock {
        let mut known = self.clock.clone();
        known.set(slot, self.time);
        self.time += 1;
        known
    }
}
