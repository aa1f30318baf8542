//! Optimistic reads: what a thread does between getting a stamp of a lock and asking whether it is still valid. It is
//! ordered after the lock's last writer only if the stamp turns out valid, and of no account if it does not; so what is
//! found there is held back until the stamp is asked about. A stamp that nobody asks about has ordered nothing.
//!
//! The same at run time is `racewire.rt.Optimistic`.

use super::{Order, Pair};
use crate::event::{Answer, ObjectId};
use rustc_hash::FxHashMap;

/// Sections of one lock that are remembered one by one: what is older is taken to be part of some.
const MAX_CLOSED: usize = 64;

#[derive(Default)]
pub(crate) struct Optimistic {
    sections: FxHashMap<u64, Section>,
    /// The sections that each thread is in.
    open: FxHashMap<u32, Vec<u64>>,
    /// The sections of each lock, oldest first.
    by_lock: FxHashMap<ObjectId, Vec<u64>>,
    held: FxHashMap<u64, Held>,
    /// How many were held back.
    count: u64,
}

struct Section {
    lock: ObjectId,
    slot: u32,
    from: u32,
    /// The last moment; none while it is open.
    to: Option<u32>,
    held: Vec<u64>,
}

/// A pair that is told unless one of the sections that it is part of turns out well.
struct Held {
    pair: Pair,
    /// Slot and time of the earlier access.
    earlier: (u32, u32),
    /// It was the earlier access that was optimistic.
    by_writer: bool,
    open: u32,
    forgiven: bool,
}

impl Optimistic {
    /// The thread has got a stamp.
    pub fn begin(&mut self, thread: u32, (slot, from): (u32, u32), lock: ObjectId, section: u64) {
        let made = Section {
            lock,
            slot,
            from,
            to: None,
            held: Vec::new(),
        };
        self.sections.insert(section, made);
        self.open.entry(thread).or_default().push(section);
        self.by_lock.entry(lock).or_default().push(section);
    }

    /// Whether the pair, whose later access the thread makes now, is none, or not yet.
    pub fn holds_back(
        &mut self,
        order: &Order,
        (thread, index): (u32, usize),
        earlier: (u32, u32),
        pair: &Pair,
    ) -> bool {
        if self.sections.is_empty() {
            return false;
        }
        let mine = self.open.get(&thread).cloned().unwrap_or_default();
        if !mine.is_empty() {
            self.hold(&mine, earlier, false, pair);
            return true;
        }
        let (slot, time) = earlier;
        let covers = |s: &Section| s.slot == slot && s.from <= time && s.to.is_none_or(|to| time <= to);
        let sections = order
            .exclusive(index)
            .filter_map(|lock| self.by_lock.get(&lock))
            .find_map(|of_lock| {
                let known = of_lock
                    .iter()
                    .rev()
                    .filter_map(|id| Some((*id, self.sections.get(id)?)));
                known.into_iter().find(|(_, s)| covers(s))
            });
        let Some((id, is_open)) = sections.map(|(id, section)| (id, section.to.is_none())) else {
            return false;
        };
        if is_open {
            self.hold(&[id], earlier, true, pair);
        }
        true
    }

    fn hold(&mut self, sections: &[u64], earlier: (u32, u32), by_writer: bool, pair: &Pair) {
        self.count += 1;
        for id in sections {
            if let Some(section) = self.sections.get_mut(id) {
                section.held.push(self.count);
            }
        }
        let held = Held {
            pair: pair.clone(),
            earlier,
            by_writer,
            open: sections.len() as u32,
            forgiven: false,
        };
        self.held.insert(self.count, held);
    }

    /// The thread's stamp was asked about, or never will be: what is to be told now.
    pub fn end(
        &mut self,
        order: &Order,
        (thread, index): (u32, usize),
        time: u32,
        section: u64,
        answer: Answer,
    ) -> Vec<Pair> {
        if let Some(open) = self.open.get_mut(&thread) {
            open.retain(|id| *id != section);
        }
        let Some(ended) = self.sections.get_mut(&section) else {
            return Vec::new();
        };
        ended.to = Some(time);
        let (lock, slot, held) = (ended.lock, ended.slot, std::mem::take(&mut ended.held));
        if answer.asked {
            self.forget_oldest(lock, slot);
        } else {
            self.remove(lock, section);
        }
        let is_of_writer = |(slot, time): (u32, u32)| {
            order.knows(index, slot, time)
                || !answer.valid && (answer.writing || order.has_told(answer.released, slot, time))
        };
        self.leave(&held, |h| {
            answer.asked && (h.by_writer || is_of_writer(h.earlier))
        })
    }

    /// Nobody will ask any more.
    pub fn give_up(&mut self) -> Vec<Pair> {
        let mut sections: Vec<(u64, Vec<u64>)> = self.sections.drain().map(|(id, s)| (id, s.held)).collect();
        sections.sort_unstable();
        let held: Vec<u64> = sections.into_iter().flat_map(|(_, held)| held).collect();
        self.leave(&held, |_| false)
    }

    fn leave(&mut self, held: &[u64], is_good: impl Fn(&Held) -> bool) -> Vec<Pair> {
        let mut told = Vec::new();
        for id in held {
            let Some(h) = self.held.get_mut(id) else {
                continue;
            };
            h.forgiven |= is_good(h);
            h.open -= 1;
            if h.open == 0
                && let Some(h) = self.held.remove(id)
                && !h.forgiven
            {
                told.push(h.pair);
            }
        }
        told
    }

    fn remove(&mut self, lock: ObjectId, section: u64) {
        self.sections.remove(&section);
        if let Some(of_lock) = self.by_lock.get_mut(&lock) {
            of_lock.retain(|id| *id != section);
        }
    }

    /// The two oldest of this thread become one, if there are too many.
    fn forget_oldest(&mut self, lock: ObjectId, slot: u32) {
        let of_lock = self.by_lock.get(&lock).map_or(&[][..], Vec::as_slice);
        if of_lock.len() <= MAX_CLOSED {
            return;
        }
        let closed = of_lock.iter().copied().filter(|id| {
            let section = self.sections.get(id);
            section.is_some_and(|s| s.slot == slot && s.to.is_some())
        });
        let [first, second] = *closed.take(2).collect::<Vec<_>>() else {
            return;
        };
        let to = self.sections.get(&second).and_then(|s| s.to);
        self.remove(lock, second);
        if let Some(both) = self.sections.get_mut(&first) {
            both.to = to;
        }
    }
}
