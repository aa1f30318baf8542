//! [`LockOrder`] driven by the events of a run: who holds what, and the hard order.

use super::{Acquisition, Cut, Cycle, HeldLock, LockOrder};
use crate::event::Event;
use crate::hard_order::HardOrder;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct FromEvents {
    order: LockOrder,
    hard: HardOrder,
    /// A bag for each thread, in the order of acquisition: locks are re-entrant.
    held: FxHashMap<u32, Vec<HeldLock>>,
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
        self.hard.event(event);
        match *event {
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
                let held = self.held.entry(thread).or_default();
                if let Some(at) = held.iter().rposition(|h| h.lock == object && h.shared == shared) {
                    held.remove(at);
                }
            }
            Event::Nested {
                thread,
                object,
                shared,
                at,
            } => {
                let held = self.held.entry(thread).or_default().iter();
                let others: Vec<HeldLock> = held.filter(|h| h.lock != object).copied().collect();
                return self.order.acquired(&Acquisition {
                    thread,
                    lock: object,
                    shared,
                    at,
                    held: &others,
                    moment: self.hard.moment(thread),
                });
            }
            _ => {}
        }
        Vec::new()
    }

    pub fn cut(&self) -> Cut {
        self.order.cut()
    }

    /// How long clocks can be.
    pub fn slots(&self) -> u32 {
        self.hard.slots()
    }

    fn lock(&mut self, thread: u32, taken: HeldLock, tried: bool) -> Vec<Cycle> {
        let held = self.held.entry(thread).or_default();
        let cycles = if tried || held.is_empty() {
            Vec::new()
        } else {
            self.order.acquired(&Acquisition {
                thread,
                lock: taken.lock,
                shared: taken.shared,
                at: taken.at,
                held,
                moment: self.hard.moment(thread),
            })
        };
        held.push(taken);
        cycles
    }
}
