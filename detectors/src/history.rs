//! The normal form of a history: as few entries as possible, so that variables meet in the same state, without
//! losing a place that any later access could conflict with.
//!
//! An entry *covers* another of the same site if it had no lock that the other had not: what conflicts with the
//! other for want of a lock conflicts with it, too. An access is redundant if
//! - one entry covers it and is ordered after it (same thread, or handed over at a start): who is ordered after
//!   that entry is ordered after both;
//! - or two entries cover it that are not ordered with each other. What one thread is ordered after forms a
//!   chain (its own past, its parent's before the start, and so on), so nobody is ordered after both: every
//!   later access that would conflict with the redundant one has at least one of the two to conflict with.
//!
//! So a variable that a million threads use under one lock comes to rest. Of those who say the same the entries of the
//! oldest threads are kept, not the most recent: "most recent" would give each of the million a state of its own, and
//! would make every access of a shared variable a change. Nor the first that came by: sixteen threads that use a hundred
//! thousand objects come by in any order, and each object would stay in the state of the two that happened to be its
//! first. So they all end in the state of the two oldest ([`Order::makes_way`]). For the same reason there is no record
//! of the last access; where one access has to be singled out, the one with the youngest epoch is.
//!
//! A site keeps at most [`MAX_PER_SITE`] entries, because a program may touch one variable under any number of
//! locks. Beyond that an entry ordered before the new one makes room, else the new one is dropped: then a
//! pair of places may go unnamed, but phase and candidates, which decide whether there is a race, are exact.
//!
//! Long before that, a thread that comes to one place under ever other locks is taken to hold there what it always
//! held ([`widened`]): an account that is booked under its own monitor and any of a million others' comes to rest, too.
//! Whoever shares a lock with some of the accesses, but not what they have in common, conflicts with one of the others;
//! only who holds a lock of each of them is named with a place that he is safe from.
//!
//! What was handed over (module `handed`) has the same form and the same limit; there, no phase or candidates stand
//! in for an entry that was dropped.

use crate::Detector;
use crate::epoch::{Epoch, EpochsExhausted};
use crate::lockset::LockSetId;
use crate::retire::Uses;
use crate::state::Access;
use crate::tables::{Event, Tables};

pub const MAX_PER_SITE: usize = 32;

/// So many different lock sets of one thread at one site, with a lock in common, become that lock.
const WIDEN: usize = 4;
/// So many without a lock in common become the empty set.
const WIDEN_TO_NOTHING: usize = 16;

/// `event`, which `history` does not absorb, or an event in its place that stands for it and for the accesses of the
/// same period at the same site.
pub(crate) fn widened(
    tables: &mut Tables,
    uses: &mut Uses,
    history: &[Access],
    event: Event,
) -> Result<Event, EpochsExhausted> {
    let mut held = event.epoch.held;
    let mut sets = 0;
    for access in history.iter().filter(|a| a.site == event.access.site) {
        match tables.epochs.get(access.epoch) {
            Some(epoch) if epoch.period == event.epoch.period => {
                held = tables.locks.meet(held, epoch.held);
                sets += 1;
            }
            _ => {}
        }
    }
    let enough = if held == LockSetId::EMPTY {
        WIDEN_TO_NOTHING
    } else {
        WIDEN
    };
    if sets < enough {
        return Ok(event);
    }
    let period = event.epoch.period;
    let (epoch, new) = tables.epochs.intern(Epoch { period, held })?;
    if new {
        uses.add_epoch(tables, epoch, held);
    }
    Ok(tables.event(event.access.site, epoch).unwrap_or(event))
}

/// The tables with the rules by which accesses are compared.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    pub tables: &'a Tables,
    pub detector: Detector,
    rule: Rule,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// The normal form described above.
    PlaceAndLocks,
    /// One kind of access is as good as another, with any locks: candidates and phase know the rest.
    Kind,
    /// The same with the locks, for accesses that are judged pair by pair.
    KindAndLocks,
}

impl<'a> Order<'a> {
    pub fn normal(tables: &'a Tables, detector: Detector) -> Self {
        Order {
            tables,
            detector,
            rule: Rule::PlaceAndLocks,
        }
    }

    /// What is left when there are too many states: places are given up, races are not. `pairwise`: for accesses
    /// that were handed over, or may be.
    pub fn coarse(tables: &'a Tables, detector: Detector, pairwise: bool) -> Self {
        Order {
            tables,
            detector,
            rule: if pairwise { Rule::KindAndLocks } else { Rule::Kind },
        }
    }

    fn covers(&self, entry: &Event, other: &Event) -> bool {
        let fewer_locks = || self.tables.locks.is_covered(entry.protecting, other.protecting);
        match self.rule {
            Rule::PlaceAndLocks => entry.access.site == other.access.site && fewer_locks(),
            Rule::Kind => entry.site.kind == other.site.kind,
            Rule::KindAndLocks => entry.site.kind == other.site.kind && fewer_locks(),
        }
    }

    fn ordered(&self, older: &Event, newer: &Event) -> bool {
        self.tables.ordered(self.detector, &older.epoch, &newer.epoch)
    }

    fn unordered(&self, a: &Event, b: &Event) -> bool {
        !self.ordered(a, b) && !self.ordered(b, a)
    }

    /// Where the entries are that `event` has to be compared with; histories are sorted by site.
    fn range(&self, history: &[Access], event: &Event) -> std::ops::Range<usize> {
        match self.rule {
            Rule::Kind | Rule::KindAndLocks => 0..history.len(),
            Rule::PlaceAndLocks => {
                let start = history.partition_point(|a| a.site < event.access.site);
                let length = history
                    .iter()
                    .skip(start)
                    .take_while(|a| a.site == event.access.site)
                    .count();
                start..start + length
            }
        }
    }

    fn events<'h>(&self, entries: &'h [Access]) -> impl Iterator<Item = Event> + use<'a, 'h> {
        let tables = self.tables;
        entries.iter().filter_map(|a| tables.event(a.site, a.epoch))
    }

    /// Whether `history` says as much without `event`.
    pub fn absorbs(&self, history: &[Access], event: &Event) -> bool {
        let entries = history.get(self.range(history, event)).unwrap_or_default();
        if entries.contains(&event.access) {
            return true;
        }
        // The newest of those that cover the event; as long as no two are unordered, they form a chain.
        let mut newest: Option<Event> = None;
        for entry in self.events(entries).filter(|entry| self.covers(entry, event)) {
            if self.ordered(event, &entry) {
                return true;
            }
            newest = match newest {
                Some(other) if self.unordered(&other, &entry) => {
                    return !self.makes_way(&other, &entry, event) && !self.makes_way(&entry, &other, event);
                }
                Some(other) if self.ordered(&entry, &other) => Some(other),
                _ => Some(entry),
            };
        }
        false
    }

    /// Whether `entry`, one of two that cover `event`, is redundant with `event` and the other one, and of a younger
    /// thread: then those two are kept. Each time a thread gives way to an older one, so this comes to rest.
    fn makes_way(&self, entry: &Event, other: &Event, event: &Event) -> bool {
        event.epoch.period.thread < entry.epoch.period.thread
            && self.covers(event, entry)
            && self.covers(other, entry)
            && self.unordered(other, event)
    }

    /// Adds an event that is not absorbed; entries that it makes redundant leave, those of younger threads first.
    pub fn add(&self, history: &mut Vec<Access>, event: &Event) {
        let range = self.range(history, event);
        let mut end = range.end;
        let thread_at = |history: &[Access], at: usize| {
            let epoch = history.get(at).and_then(|a| self.tables.epochs.get(a.epoch));
            epoch.map(|e| e.period.thread)
        };
        while let Some(at) = (range.start..end)
            .filter(|at| self.is_redundant(history, range.start..end, *at, event))
            .max_by_key(|at| thread_at(history, *at))
        {
            history.remove(at);
            end -= 1;
        }
        if end - range.start >= MAX_PER_SITE {
            let entries = history.get(range.start..end).unwrap_or_default();
            let makes_room = |e: &Event| e.epoch.period != event.epoch.period && self.ordered(e, event);
            let Some(at) = self.events(entries).position(|e| makes_room(&e)) else {
                return;
            };
            history.remove(range.start + at);
        }
        let at = history.partition_point(|a| *a < event.access);
        history.insert(at, event.access);
    }

    /// Whether `event`, alone or with another entry in `range`, makes the entry at `at` redundant.
    fn is_redundant(
        &self,
        history: &[Access],
        range: std::ops::Range<usize>,
        at: usize,
        event: &Event,
    ) -> bool {
        let Some(entry) = history.get(at).and_then(|a| self.tables.event(a.site, a.epoch)) else {
            return true;
        };
        if !self.covers(event, &entry) {
            return false;
        }
        let others = history.get(range).unwrap_or_default();
        self.ordered(&entry, event)
            || self.events(others).any(|other| {
                other.access != entry.access && self.covers(&other, &entry) && self.unordered(&other, event)
            })
    }

    /// The same accesses in this form, `history` first (its entries win, so that this comes to rest), then `event`.
    pub fn rebuild(&self, history: &[Access], event: Option<&Event>, into: &mut Vec<Access>) {
        into.clear();
        for event in self.events(history).chain(event.copied()) {
            if !self.absorbs(into, &event) {
                self.add(into, &event);
            }
        }
    }
}
