//! Section 4.7, "no missed races", stated without the machine: two accesses of one variable by different threads,
//! one of them a write, the first not visible to the second, no protecting lock in common. Every such pair is
//! named, whatever happened in between.

use crate::agreement::replay;
use crate::generate::{self, FIELDS, Orphans, SITES, kind_of};
use crate::replay::Replay;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use racewire_detectors::reference::{self, Event, Seen, World};
use racewire_detectors::{AccessKind, Detector};
use std::collections::BTreeMap;

/// The pairs that the claim is about, as indices of events.
fn racing_pairs(events: &[Event]) -> Vec<(Seen, Seen)> {
    let mut world = World::default();
    let accesses: Vec<Seen> = events
        .iter()
        .enumerate()
        .filter_map(|(i, e)| world.observe(i, *e))
        .collect();
    let mut pairs = Vec::new();
    for (at, later) in accesses.iter().enumerate() {
        for earlier in &accesses[..at] {
            let racing = earlier.variable == later.variable
                && earlier.thread != later.thread
                && (earlier.kind == AccessKind::Write || later.kind == AccessKind::Write)
                && !world.visible(later, earlier)
                && earlier.locks.is_disjoint(&later.locks);
            if racing {
                pairs.push((earlier.clone(), later.clone()));
            }
        }
    }
    pairs
}

fn conflicts(trace: &[Event]) -> Vec<(usize, u32)> {
    let mut replay = Replay::new(Detector::Racer, FIELDS, SITES, kind_of);
    let seen = trace.iter().enumerate().filter_map(|(i, e)| replay.play(i, *e));
    seen.flat_map(|s| s.conflicts.into_iter().map(move |site| (s.event, site)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_racing_pair_is_named(trace in generate::trace(160, Orphans::Early)) {
        let (_, seen) = replay(Detector::Racer, &trace);
        let named: BTreeMap<usize, Vec<u32>> = seen.into_iter().map(|s| (s.event, s.conflicts)).collect();
        for (earlier, later) in racing_pairs(&generate::events(&trace)) {
            prop_assert!(named[&later.event].contains(&earlier.site), "{earlier:?} and {later:?}");
        }
    }
}

/// The property above is about something: many of the pairs are across a hand-over.
#[test]
fn random_traces_have_races_across_hand_overs() {
    let mut runner = TestRunner::deterministic();
    let (mut across, mut lost) = (0, 0);
    for _ in 0..200 {
        let trace = generate::trace(160, Orphans::AnyTime)
            .new_tree(&mut runner)
            .unwrap()
            .current();
        let events = generate::events(&trace);
        let verdicts = reference::run(Detector::Racer, &events);
        let hand_overs: Vec<_> = verdicts.iter().filter(|v| v.reset).collect();
        across += racing_pairs(&events)
            .iter()
            .filter(|(a, b)| {
                let between = |at| a.event < at && at <= b.event;
                hand_overs
                    .iter()
                    .any(|v| v.variable == a.variable && between(v.event))
            })
            .count();
        lost += verdicts.iter().filter(|v| !v.perhaps.is_empty()).count();
    }
    assert!(
        across > 500 && lost > 50,
        "{across} across, {lost} with late orphans"
    );
}

const MAIN: u32 = 0;
const EARLY: u32 = 1;
const LATE: u32 = 2;
const LOCK: u32 = 4;

fn start(child: u32) -> Event {
    Event::Start { parent: MAIN, child }
}

fn read(thread: u32, site: u32) -> Event {
    Event::Read {
        thread,
        variable: 0,
        site,
    }
}

fn write(thread: u32, site: u32) -> Event {
    Event::Write {
        thread,
        variable: 0,
        site,
    }
}

/// Going back to Virgin alone would forget the write, which a third thread cannot see.
#[test]
fn a_hand_over_keeps_what_a_third_thread_cannot_see() {
    let trace = [
        start(EARLY),
        write(MAIN, 1),
        start(LATE),
        read(LATE, 0),
        read(EARLY, 2),
    ];
    let pairs = racing_pairs(&trace);
    assert_eq!(pairs.len(), 1);
    assert_eq!((pairs[0].0.event, pairs[0].1.event), (1, 4));
    assert_eq!(conflicts(&trace), [(4, 1)]);
}

/// The machine is content, two threads under one lock; the write before the hand-over had none.
#[test]
fn a_lock_of_the_later_owners_does_not_hide_what_was_handed_over() {
    let acquire = |thread| Event::Acquire {
        thread,
        lock: LOCK,
        shared: false,
    };
    let mut trace = vec![
        start(EARLY),
        write(MAIN, 1),
        start(LATE),
        acquire(LATE),
        write(LATE, 4),
        acquire(EARLY),
        write(EARLY, 7),
    ];
    assert_eq!(conflicts(&trace), [(6, 1)]);
    // With the lock there, too, all is well.
    trace.insert(1, acquire(MAIN));
    assert_eq!(conflicts(&trace), []);
}

#[test]
fn a_chain_of_hand_overs_forgets_nothing() {
    let chain = |parent, child| Event::Start { parent, child };
    let trace = [
        start(EARLY),
        write(MAIN, 1),
        start(LATE),
        write(LATE, 4),
        chain(LATE, 3),
        write(3, 7),
        chain(3, 4),
        read(4, 0),
        read(EARLY, 2),
    ];
    assert_eq!(conflicts(&trace), [(8, 1), (8, 4), (8, 7)]);
}
