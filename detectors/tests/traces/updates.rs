//! A write stands for the read that its value was computed from (`x++`): without the read RACER reports the same variables.

use crate::generate::{self, Orphans};
use proptest::prelude::*;
use racewire_detectors::Detector;
use racewire_detectors::reference::{self, Event};
use std::collections::BTreeSet;

/// Not a site of a generated trace.
const UPDATE: u32 = 1000;

/// Behind some of the reads their thread writes the same variable next, whatever others do meanwhile: the trace with these
/// reads, and without.
fn updated(events: &[Event]) -> (Vec<Event>, Vec<Event>) {
    let mut before: Vec<Vec<Event>> = vec![Vec::new(); events.len() + 1];
    let mut reads = BTreeSet::new();
    for (at, event) in events.iter().enumerate() {
        if let Event::Read {
            thread,
            variable,
            site,
        } = *event
            && site % 2 == 0
        {
            let is_next = |later: &Event| later.thread() == thread;
            let next = events[at + 1..].iter().position(is_next);
            reads.insert(at);
            before[next.map_or(events.len(), |next| at + 1 + next)].push(Event::Write {
                thread,
                variable,
                site: UPDATE + site,
            });
        }
    }
    let (mut all, mut without) = (Vec::new(), Vec::new());
    for (at, writes) in before.iter().enumerate() {
        all.extend(writes);
        without.extend(writes);
        if let Some(event) = events.get(at) {
            all.push(*event);
            without.extend((!reads.contains(&at)).then_some(*event));
        }
    }
    (all, without)
}

fn reported(detector: Detector, events: &[Event]) -> BTreeSet<u32> {
    let verdicts = reference::run(detector, events);
    let is_reported = |v: &&reference::Verdict| !v.conflicts.is_empty() || !v.one_of.is_empty();
    verdicts.iter().filter(is_reported).map(|v| v.variable).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn racer_needs_no_read_that_a_write_follows(trace in generate::trace(60, Orphans::Early)) {
        let (all, without) = updated(&generate::events(&trace));
        let (expected, found) = (reported(Detector::Racer, &all), reported(Detector::Racer, &without));
        prop_assert_eq!(expected, found, "{:?}", all);
    }
}
