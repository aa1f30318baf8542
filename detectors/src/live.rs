//! Which threads can still act, and whether all of them see a period. Asked when a variable is handed over: what
//! everybody sees can be forgotten.
//!
//! A child sees what the thread that starts it sees, so what all living threads see stays seen by all; only a
//! thread that nobody started (an *orphan*) begins blind.

use crate::ids::ThreadId;
use crate::threads::Period;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A program has millions of periods, but hands over variables of a few at a time.
const MAX_SCANS: usize = 1 << 14;

#[derive(Default)]
pub(crate) struct Living {
    /// In order of age; memory is that of the living only.
    threads: BTreeSet<ThreadId>,
    orphans: u32,
    /// Per period: all living threads older than this one see it. That never changes, so a scan goes on where
    /// the last one stopped and a period costs one look at each thread, however often it is asked for.
    scans: FxHashMap<Period, ThreadId>,
}

impl Living {
    pub fn add(&mut self, thread: ThreadId, orphan: bool) {
        self.threads.insert(thread);
        self.orphans = self.orphans.saturating_add(u32::from(orphan));
    }

    pub fn bury(&mut self, thread: ThreadId) {
        self.threads.remove(&thread);
    }

    pub fn orphans(&self) -> u32 {
        self.orphans
    }

    /// Whether there is a living thread for which `sees` denies that it sees `period`.
    pub fn any_blind(&mut self, period: Period, sees: impl Fn(ThreadId) -> bool) -> bool {
        if self.scans.len() >= MAX_SCANS && !self.scans.contains_key(&period) {
            self.scans.clear();
        }
        let reached = self.scans.entry(period).or_default();
        for &thread in self.threads.range(*reached..) {
            *reached = thread;
            if !sees(thread) {
                return true;
            }
        }
        false
    }

    pub fn bytes(&self) -> usize {
        // A node of the set has room for eleven and is about two thirds full.
        self.threads.len() * 2 * size_of::<ThreadId>()
            + self.scans.capacity() * 8 / 7 * (size_of::<(Period, ThreadId)>() + 1)
    }
}
