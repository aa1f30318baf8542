//! Random traces: valid by construction, whatever numbers they are made of.

use proptest::prelude::*;
use racewire_detectors::AccessKind;
use racewire_detectors::reference::Event;
use std::collections::{BTreeMap, BTreeSet};

/// At one time.
pub const THREADS: usize = 7;
pub const VARIABLES: u32 = 4;
pub const FIELDS: usize = 2;
/// More than a word has bits for.
pub const SITES: u32 = 40;
/// Locks 0 and 1 are the monitors of the owners of variables 0 and 1.
const LOCKS: u32 = 5;
const OWNER_LOCKS: u32 = 2;

/// From here on: orphans, threads that nobody started.
const FIRST_ORPHAN: u32 = 1_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Event(Event),
    /// The lock's object is collected.
    LockDies(u32),
    /// The thread has had its last event, and the runtime has noticed.
    ThreadDies(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orphans {
    /// They are there from the beginning.
    Early,
    /// They may also turn up late.
    AnyTime,
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
pub fn trace(length: usize, orphans: Orphans) -> impl Strategy<Value = Vec<Step>> {
    let raw = (0..16u8, any::<u8>(), any::<u8>(), any::<u8>());
    (
        prop::collection::vec(raw, 1..length),
        prop_oneof![Just(4u32), Just(8), Just(SITES)],
        1..=VARIABLES,
    )
        .prop_map(move |(raw, sites, variables)| build(&raw, sites, variables, orphans))
}

pub fn events(trace: &[Step]) -> Vec<Event> {
    trace
        .iter()
        .filter_map(|s| match s {
            Step::Event(event) => Some(*event),
            Step::LockDies(_) | Step::ThreadDies(_) => None,
        })
        .collect()
}

/// The numbers that the next new thing gets.
struct Fresh {
    child: u32,
    orphan: u32,
    lock: u32,
    variable: u32,
}

fn take(next: &mut u32) -> u32 {
    *next += 1;
    *next - 1
}

fn build(raw: &[(u8, u8, u8, u8)], sites: u32, variables: u32, orphans: Orphans) -> Vec<Step> {
    let mut fresh = Fresh {
        child: 1,
        orphan: FIRST_ORPHAN,
        lock: LOCKS,
        variable: VARIABLES,
    };
    let mut threads = Vec::new();
    let mut held: BTreeMap<u32, Vec<(u32, bool)>> = BTreeMap::new();
    // A slot's lock changes when the lock dies, a slot's variable when its object is replaced by a new one.
    let mut locks: Vec<u32> = (0..LOCKS).collect();
    let mut variables: Vec<u32> = (0..variables).collect();
    let mut steps = Vec::new();
    // An event of its own makes a thread known.
    for parent in [0, take(&mut fresh.orphan)] {
        let child = take(&mut fresh.child);
        threads.extend([parent, child]);
        steps.push(Step::Event(Event::Start { parent, child }));
    }
    for &(what, a, b, c) in raw {
        let thread = threads[a as usize % threads.len()];
        let slot = b as usize % variables.len();
        let bag = held.entry(thread).or_default();
        match what {
            0..=1 if threads.len() < THREADS => {
                let child = take(&mut fresh.child);
                threads.push(child);
                // Half of the children take over an object that was made for them.
                let made = (c % 2 == 0).then(|| take(&mut fresh.variable));
                let (before, after) = (u32::from(b) % sites, u32::from(c / 2) % sites);
                steps.extend(made.map(|variable| access(thread, variable, before)));
                steps.push(Step::Event(Event::Start {
                    parent: thread,
                    child,
                }));
                steps.extend(made.map(|variable| access(child, variable, after)));
                variables[slot] = made.unwrap_or(variables[slot]);
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
                    locks[slot] = take(&mut fresh.lock);
                }
            }
            6 if threads.len() > 2 => {
                threads.retain(|t| *t != thread);
                held.remove(&thread);
                steps.push(Step::ThreadDies(thread));
            }
            7 if orphans == Orphans::AnyTime && c % 4 == 0 && threads.len() < THREADS => {
                threads.push(take(&mut fresh.orphan));
            }
            8 if c % 2 == 0 => variables[slot] = take(&mut fresh.variable),
            _ => steps.push(access(thread, variables[slot], u32::from(c) % sites)),
        }
    }
    steps
}

fn access(thread: u32, variable: u32, site: u32) -> Step {
    Step::Event(match kind_of(site) {
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
    })
}
