//! Who closes a door: one critical section looks at a flag and then accesses something, a later one of the same lock sets
//! the flag, and what follows that uses the same thing without the lock. The other way round the first would have found
//! the flag set, so the order of the two is no chance for what came *behind* the look; for what came before it, it is.
//! That is so if the flag had its old value before the one who sets it came, whatever the schedule: otherwise somebody
//! may open the door again. Values are not known: who writes what was there before closes the door all the same. The flag may
//! be a field, whether a container has something in it, or a volatile or atomic variable ([`Event::Flag`]).
//!
//! So each access has with it what its thread had looked at under the locks that it still held, and a write under a lock
//! that overwrites what others have looked at is a door that was closed. Whether one was, between two accesses, is asked
//! before they are called a potential race. The same at run time is `racewire.rt.Looks` and `Doors`.

use crate::AccessKind;
use crate::event::{Event, Mark, ObjectId, Part, Variable};
use crate::happens_before::{Entry, Now, Order};
use crate::lockset::LockSetId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// So many looks count under one lock, from the moment it was taken: the first ones. As at run time.
const MAX_LOOKS: usize = 16;

/// What was looked at: a variable, who had written it and when, and a lock that was held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Look {
    lock: ObjectId,
    variable: Variable,
    written: Option<(u32, u32)>,
}

/// A write of what is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Written {
    thread: u32,
    slot: u32,
    time: u32,
    held: LockSetId,
}

impl Written {
    pub fn of(access: &Entry) -> Written {
        Written {
            thread: access.thread,
            slot: access.slot,
            time: access.time,
            held: access.held,
        }
    }
}

/// What the thread of an access had looked at before it, under locks that it has not given back since.
pub type Behind = Option<Arc<[Look]>>;

#[derive(Default)]
pub struct Doors {
    threads: FxHashMap<u32, Looking>,
    /// Slot and time of who overwrote what had been looked at.
    closed: FxHashMap<Look, (u32, u32)>,
    /// Volatile and atomic variables.
    flags: FxHashMap<ObjectId, Flag>,
}

#[derive(Default, Clone, Copy)]
struct Flag {
    written: Option<Written>,
    /// Since then.
    is_looked_at: bool,
}

#[derive(Default)]
struct Looking {
    /// With whether the lock is held for reading.
    now: Vec<(Look, bool)>,
    behind: Behind,
    /// By site: what was looked at when the thread first came there at this time and with these locks.
    came: FxHashMap<u32, (u32, LockSetId, Behind)>,
}

impl Doors {
    /// A lock was given back: what was looked at under it says nothing of what follows.
    pub fn event(&mut self, order: &Order, event: &Event) {
        if let Event::Unlock {
            thread,
            object,
            shared,
        } = *event
            && let Some(looking) = self.threads.get_mut(&thread)
            && !looking.now.is_empty()
            && !order.holds(thread, object, shared)
        {
            looking
                .now
                .retain(|(look, mode)| (look.lock, *mode) != (object, shared));
            looking.remember();
        }
    }

    /// A volatile or atomic variable is looked at, or overwritten.
    pub fn flag(&mut self, order: &mut Order, thread: u32, kind: AccessKind, object: ObjectId) {
        let Some(now) = order.now(thread) else {
            return;
        };
        let variable = Variable {
            owner: object,
            part: Part::State,
        };
        let before = self.flags.get(&object).copied().unwrap_or_default();
        let mut flag = Flag {
            is_looked_at: true,
            ..before
        };
        match kind {
            AccessKind::Read => self.look(order, thread, variable, before.written),
            AccessKind::Write => {
                if before.is_looked_at {
                    self.close(order, &now, variable, before.written);
                }
                let written = Written {
                    thread,
                    slot: now.slot,
                    time: now.time,
                    held: now.held,
                };
                flag = Flag {
                    written: Some(written),
                    is_looked_at: false,
                };
            }
        }
        self.flags.insert(object, flag);
    }

    /// Behind what the access comes. One place counts once at one time: for the first of its accesses then.
    pub fn behind(&mut self, me: &Entry) -> Behind {
        let looking = self.threads.get_mut(&me.thread)?;
        let first = looking
            .came
            .entry(me.at.site)
            .and_modify(|(time, held, behind)| {
                if (*time, *held) != (me.time, me.held) {
                    (*time, *held, *behind) = (me.time, me.held, looking.behind.clone());
                }
            })
            .or_insert_with(|| (me.time, me.held, looking.behind.clone()));
        first.2.clone()
    }

    /// The thread reads what was written then. Elements of arrays are no flags.
    pub fn look(&mut self, order: &Order, thread: u32, variable: Variable, written: Option<Written>) {
        if matches!(variable.part, Part::Element(_)) {
            return;
        }
        let looking = self.threads.entry(thread).or_default();
        let before = looking.now.len();
        for held in order.held_by(thread) {
            let (lock, shared) = (held.object, held.shared);
            if written.is_some_and(|w| w.thread == thread && order.was_under(held, w.time, w.held)) {
                // What it wrote itself since it took the lock it finds in any case.
                continue;
            }
            let look = (Look::new(lock, variable, written), shared);
            let under_it = looking.now.iter().filter(|(l, s)| (l.lock, *s) == (lock, shared));
            if under_it.count() < MAX_LOOKS && !looking.now.contains(&look) {
                looking.now.push(look);
            }
        }
        if looking.now.len() > before {
            looking.remember();
        }
    }

    /// The thread overwrites what others have read, under locks that order the two by chance only.
    pub fn close(&mut self, order: &Order, now: &Now, variable: Variable, written: Option<Written>) {
        let was_there = written.is_none_or(|w| order.must_know(now.index, w.slot, w.time));
        if matches!(variable.part, Part::Element(_)) || !was_there {
            return;
        }
        for lock in order.exclusive(now.index) {
            let look = Look::new(lock, variable, written);
            self.closed.insert(look, (now.slot, now.time));
        }
    }

    /// Whether the earlier access would have been none if the thread at `index` had come first.
    pub fn are_closed(&self, order: &Order, earlier: &Entry, index: usize) -> bool {
        let looks = earlier.behind.iter().flat_map(|looks| looks.iter());
        looks
            .filter_map(|look| self.closed.get(look))
            .any(|&(slot, time)| order.must_know(index, slot, time))
    }

    /// Whether such an access is a look.
    pub fn is_look(kind: AccessKind, mark: Mark) -> bool {
        // Of exact ones nobody knows the locks.
        kind == AccessKind::Read && mark.observes(kind) && !mark.exact
    }
}

impl Look {
    fn new(lock: ObjectId, variable: Variable, written: Option<Written>) -> Look {
        Look {
            lock,
            variable,
            written: written.map(|w| (w.slot, w.time)),
        }
    }
}

impl Looking {
    fn remember(&mut self) {
        let looks = self.now.iter().map(|(look, _)| *look);
        self.behind = (!self.now.is_empty()).then(|| looks.collect());
    }
}
