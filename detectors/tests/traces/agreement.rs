//! The core, with words, interning, shortened histories, caches and dying locks, against the definition.

use crate::generate::{self, FIELDS, Orphans, SITES, Step, kind_of, owner_of};
use crate::replay::{Replay, Seen};
use proptest::prelude::*;
use racewire_detectors::reference::{self, Verdict};
use racewire_detectors::{Detector, Phase, Word};
use std::collections::BTreeSet;

pub fn replay(detector: Detector, trace: &[Step]) -> (Replay, Vec<Seen>) {
    let mut replay = Replay::new(detector, FIELDS, SITES, kind_of);
    for variable in 0..generate::VARIABLES {
        if let Some(lock) = owner_of(variable) {
            replay.owner(variable, lock);
        }
    }
    let mut seen = Vec::new();
    let mut index = 0;
    for step in trace {
        match *step {
            Step::LockDies(lock) => replay.lock_dies(lock),
            Step::ThreadDies(thread) => replay.thread_dies(thread),
            Step::Event(event) => {
                seen.extend(replay.play(index, event));
                index += 1;
            }
        }
    }
    (replay, seen)
}

fn same_phase(replay: &mut Replay, phase: Phase, expected: reference::Phase) -> bool {
    let mut same = |p: racewire_detectors::Period, thread: u32, period: u32| {
        p.thread == replay.thread(thread) && p.index == period
    };
    match (phase, expected) {
        (Phase::Virgin, reference::Phase::Virgin) => true,
        (Phase::Exclusive(p), reference::Phase::Exclusive { thread, period }) => same(p, thread, period),
        (Phase::ExclusiveModified(p), reference::Phase::ExclusiveModified { thread, period }) => {
            same(p, thread, period)
        }
        (Phase::Shared, reference::Phase::Shared) => true,
        (Phase::SharedModified, reference::Phase::SharedModified) => true,
        _ => false,
    }
}

fn agree(detector: Detector, trace: &[Step]) -> Result<(), TestCaseError> {
    let events = generate::events(trace);
    let expected = reference::run(detector, &events);
    let (mut replay, seen) = replay(detector, trace);
    prop_assert_eq!(seen.len(), expected.len());
    for (seen, expected) in seen.iter().zip(&expected) {
        let at = format!(
            "event {} ({:?}): {seen:?}, but {expected:?}",
            seen.event, events[seen.event]
        );
        prop_assert!(
            same_phase(&mut replay, seen.state.phase, expected.phase),
            "phase at {}",
            at
        );
        prop_assert_eq!(
            seen.unprotected,
            expected.candidates_empty,
            "candidates at {}",
            &at
        );
        prop_assert_eq!(seen.shared, seen.state.phase.is_shared(), "shared at {}", &at);
        same_conflicts(seen, expected, &at)?;
    }
    Ok(())
}

fn same_conflicts(seen: &Seen, expected: &Verdict, at: &str) -> Result<(), TestCaseError> {
    let conflicts: BTreeSet<u32> = seen.conflicts.iter().copied().collect();
    prop_assert_eq!(
        conflicts.len(),
        seen.conflicts.len(),
        "a place is named once at {}",
        at
    );
    let missed: Vec<&u32> = expected.conflicts.difference(&conflicts).collect();
    prop_assert!(missed.is_empty(), "missed {:?} at {}", missed, at);
    let allowed = &expected.conflicts | &expected.perhaps;
    let others: Vec<&u32> = conflicts.difference(&allowed).collect();
    if expected.one_of.is_empty() || conflicts.iter().any(|c| expected.perhaps.contains(c)) {
        prop_assert!(others.is_empty(), "wrongly {:?} at {}", others, at);
    } else {
        prop_assert!(
            conflicts.len() == 1 && conflicts.is_subset(&expected.one_of),
            "fallback at {}",
            at
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn racer_agrees_with_its_definition(trace in generate::trace(120, Orphans::AnyTime)) {
        agree(Detector::Racer, &trace)?;
    }

    #[test]
    fn eraser_agrees_with_its_definition(trace in generate::trace(120, Orphans::AnyTime)) {
        agree(Detector::Eraser, &trace)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn long_traces_agree_too(trace in generate::trace(3000, Orphans::AnyTime)) {
        agree(Detector::Racer, &trace)?;
        agree(Detector::Eraser, &trace)?;
    }

    /// A step is a function: asked again at the end, with the words of the end, it gives the same again.
    #[test]
    fn steps_repeat(trace in generate::trace(200, Orphans::AnyTime)) {
        for detector in [Detector::Racer, Detector::Eraser] {
            let (mut replay, _) = replay(detector, &trace);
            let words: Vec<(u32, Word)> = replay.words.iter().map(|(v, w)| (*v, *w)).collect();
            for (variable, word) in words {
                let epoch = replay.epoch(0, owner_of(variable));
                let (_, field) = replay.field(variable);
                let before = replay.core.state(word, field);
                for access in replay.core.history(word, field) {
                    let first = replay.core.step(word, epoch, access.site);
                    let states = replay.core.stats().states;
                    prop_assert_eq!(&replay.core.step(word, epoch, access.site), &first);
                    prop_assert_eq!(replay.core.stats().states, states);
                }
                prop_assert_eq!(replay.core.state(word, field), before);
            }
        }
    }
}
