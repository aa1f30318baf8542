//! Section 4.7, "no missed races", stated without the machine: two accesses of one variable by different threads,
//! one of them a write, the first not visible to the second, no protecting lock in common.

use crate::agreement::replay;
use crate::generate::{self, FIELDS, SITES, kind_of};
use crate::replay::Replay;
use proptest::prelude::*;
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_racing_pair_since_the_last_hand_over_is_named(trace in generate::trace(120)) {
        let events = generate::events(&trace);
        // Only to know where a variable was handed over; the claim itself is about the events.
        let mut hand_overs: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for verdict in reference::run(Detector::Racer, &events).iter().filter(|v| v.reset) {
            hand_overs.entry(verdict.variable).or_default().push(verdict.event);
        }
        let (_, seen) = replay(Detector::Racer, &trace);
        let named: BTreeMap<usize, Vec<u32>> = seen.into_iter().map(|s| (s.event, s.conflicts)).collect();
        for (earlier, later) in racing_pairs(&events) {
            let between = |&at: &usize| earlier.event < at && at <= later.event;
            let forgotten = hand_overs.get(&earlier.variable).is_some_and(|at| at.iter().any(between));
            if !forgotten {
                prop_assert!(named[&later.event].contains(&earlier.site), "{earlier:?} and {later:?}");
            }
        }
    }
}

/// The paper's claim does not hold across a hand-over: going back to Virgin forgets accesses that are visible to
/// the thread that took over, but not to a third one. Kept as a test so that a change of this is noticed.
#[test]
fn a_hand_over_forgets_what_a_third_thread_cannot_see() {
    let (main, early, late) = (0, 1, 2);
    let trace = [
        Event::Start {
            parent: main,
            child: early,
        },
        Event::Write {
            thread: main,
            variable: 0,
            site: 1,
        },
        Event::Start {
            parent: main,
            child: late,
        },
        // Visible: the write is forgotten.
        Event::Read {
            thread: late,
            variable: 0,
            site: 0,
        },
        // The write was not visible to this thread.
        Event::Read {
            thread: early,
            variable: 0,
            site: 2,
        },
    ];
    let pairs = racing_pairs(&trace);
    assert_eq!(pairs.len(), 1);
    assert_eq!((pairs[0].0.event, pairs[0].1.event), (1, 4));
    let mut replay = Replay::new(Detector::Racer, FIELDS, SITES, kind_of);
    let conflicts: Vec<u32> = trace
        .iter()
        .enumerate()
        .filter_map(|(i, e)| replay.play(i, *e))
        .flat_map(|s| s.conflicts)
        .collect();
    assert_eq!(conflicts, []);
}
