//! Random traces: valid by construction, whatever numbers they are made of.

use proptest::prelude::*;
use racewire_detectors::AccessKind;
use racewire_detectors::reference::Event;
use std::collections::{BTreeMap, BTreeSet};

pub const THREADS: u32 = 6;
pub const VARIABLES: u32 = 4;
pub const FIELDS: usize = 2;
/// More than a word has bits for.
pub const SITES: u32 = 40;
/// Locks 0 and 1 are the monitors of the owners of variables 0 and 1.
const LOCKS: u32 = 5;
const OWNER_LOCKS: u32 = 2;

/// An orphan: a thread that nobody started.
const ORPHAN: u32 = 50;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Event(Event),
    /// The lock's object is collected.
    LockDies(u32),
}

pub fn kind_of(site: u32) -> AccessKind {
    if site % 3 == 1 {
        AccessKind::Write
    } else {
        AccessKind::Read
    }
}

pub fn owner_of(variable: u32) -> Option<u32> {
    (variable < OWNER_LOCKS).then_some(variable)
}

/// Traces of up to `length` steps.
pub fn trace(length: usize) -> impl Strategy<Value = Vec<Step>> {
    let raw = (0..12u8, any::<u8>(), any::<u8>(), any::<u8>());
    (
        prop::collection::vec(raw, 1..length),
        prop_oneof![Just(4u32), Just(8), Just(SITES)],
        1..=VARIABLES,
    )
        .prop_map(|(raw, sites, variables)| build(&raw, sites, variables))
}

pub fn events(trace: &[Step]) -> Vec<Event> {
    trace
        .iter()
        .filter_map(|s| match s {
            Step::Event(event) => Some(*event),
            Step::LockDies(_) => None,
        })
        .collect()
}

fn build(raw: &[(u8, u8, u8, u8)], sites: u32, variables: u32) -> Vec<Step> {
    let mut threads = vec![0, ORPHAN];
    let mut held: BTreeMap<u32, Vec<(u32, bool)>> = BTreeMap::new();
    // A slot's lock number changes when its lock dies.
    let mut locks: Vec<u32> = (0..LOCKS).collect();
    let mut next_lock = LOCKS;
    let mut steps = Vec::new();
    for &(what, a, b, c) in raw {
        let thread = threads[a as usize % threads.len()];
        let bag = held.entry(thread).or_default();
        match what {
            0 if (threads.len() as u32) < THREADS => {
                let child = threads.len() as u32;
                threads.push(child);
                steps.push(Step::Event(Event::Start {
                    parent: thread,
                    child,
                }));
            }
            0..=2 => {
                let (lock, shared) = (locks[b as usize % locks.len()], c % 3 == 0);
                bag.push((lock, shared));
                steps.push(Step::Event(Event::Acquire { thread, lock, shared }));
            }
            3..=4 if !bag.is_empty() => {
                let (lock, shared) = bag.remove(b as usize % bag.len());
                steps.push(Step::Event(Event::Release { thread, lock, shared }));
            }
            5 => {
                let slot = OWNER_LOCKS as usize + b as usize % (LOCKS - OWNER_LOCKS) as usize;
                let in_use: BTreeSet<u32> = held.values().flatten().map(|h| h.0).collect();
                if !in_use.contains(&locks[slot]) {
                    steps.push(Step::LockDies(locks[slot]));
                    locks[slot] = next_lock;
                    next_lock += 1;
                }
            }
            _ => {
                let (variable, site) = (u32::from(b) % variables, u32::from(c) % sites);
                steps.push(Step::Event(match kind_of(site) {
                    AccessKind::Read => Event::Read {
                        thread,
                        variable,
                        site,
                    },
                    AccessKind::Write => Event::Write {
                        thread,
                        variable,
                        site,
                    },
                }));
            }
        }
    }
    steps
}
