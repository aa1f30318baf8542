//! `happens_before` and `hybrid` against the closure of the happens-before graph, on generated runs.

use crate::closure::{access, closure, hybrid, may_give_way};
use crate::runs;
use proptest::prelude::*;
use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, Mark, Part, Place, Variable};
use racewire_detectors::happens_before::{Claim, HappensBefore, Pair};
use racewire_detectors::hybrid::Hybrid;
use std::collections::BTreeSet;

fn happens_before(run: &[Event]) -> Vec<Pair> {
    let mut detector = HappensBefore::default();
    run.iter().flat_map(|e| detector.event(e)).collect()
}

fn hybrid_pairs(run: &[Event]) -> Vec<Pair> {
    let mut detector = Hybrid::default();
    run.iter().flat_map(|e| detector.event(e)).collect()
}

/// The two events of a pair in a numbered run.
fn events(pair: &Pair) -> (usize, usize) {
    let number = |stack: u32| stack as usize - 1;
    (number(pair.earlier.at.stack), number(pair.later.at.stack))
}

fn places(pairs: &[Pair]) -> Vec<(Claim, u32, u32)> {
    let pairs = pairs.iter();
    pairs
        .map(|p| (p.claim, p.earlier.at.site, p.later.at.site))
        .collect()
}

fn variables(run: &[Event], races: &BTreeSet<(usize, usize)>) -> BTreeSet<Variable> {
    let variable = |at: usize| access(&run[at]).unwrap().variable;
    races.iter().map(|(_, later)| variable(*later)).collect()
}

fn sides_are_told_as_they_were(
    run: &[Event],
    held: &[BTreeSet<(u64, bool)>],
    pair: &Pair,
) -> Result<(), TestCaseError> {
    let (earlier, later) = events(pair);
    for (side, at) in [(&pair.earlier, earlier), (&pair.later, later)] {
        let access = access(&run[at]).unwrap();
        prop_assert_eq!(
            (side.thread, side.kind, pair.variable),
            (access.thread, access.kind, access.variable)
        );
        // A lock held in both modes is told as the stronger one.
        let expected: BTreeSet<_> = held[at]
            .iter()
            .filter(|(object, shared)| !(*shared && held[at].contains(&(*object, false))))
            .copied()
            .collect();
        prop_assert_eq!(&side.held.iter().copied().collect::<BTreeSet<_>>(), &expected);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn exact_races_are_those_of_the_closure(run in runs::run(140)) {
        let closure = closure(&run);
        let races = closure.races(&run);
        let numbered = runs::numbered(&run);
        let found = happens_before(&numbered);
        for pair in &found {
            prop_assert!(races.contains(&events(pair)), "no race: {pair:?}");
            sides_are_told_as_they_were(&run, &closure.held, pair)?;
        }
        let reported: BTreeSet<Variable> = found.iter().map(|p| p.variable).collect();
        prop_assert_eq!(reported, variables(&run, &races));
        prop_assert_eq!(places(&found), places(&happens_before(&run)), "skipped repetitions change something");
    }

    #[test]
    fn hybrid_finds_the_races_and_no_potential_race_is_ordered_or_protected(run in runs::run(140)) {
        let closure = closure(&run);
        let races = closure.races(&run);
        let numbered = runs::numbered(&run);
        let found = hybrid_pairs(&numbered);
        for pair in &found {
            let (earlier, later) = events(pair);
            sides_are_told_as_they_were(&run, &closure.held, pair)?;
            if pair.claim == Claim::Race {
                prop_assert!(races.contains(&(earlier, later)), "no race: {pair:?}");
                continue;
            }
            prop_assert!(closure.full[later].contains(&earlier), "a race is called potential: {pair:?}");
            prop_assert!(!closure.hard[later].contains(&earlier), "ordered: {pair:?}");
            let [one, other] = [(earlier, pair.earlier.kind), (later, pair.later.kind)]
                .map(|(at, kind)| closure.protecting(at, kind));
            prop_assert!(one.is_disjoint(&other), "protected: {pair:?}");
        }
        let reported: BTreeSet<Variable> = found
            .iter()
            .filter(|p| p.claim == Claim::Race)
            .map(|p| p.variable)
            .collect();
        prop_assert_eq!(reported, variables(&run, &races));
        prop_assert_eq!(places(&found), places(&hybrid_pairs(&run)), "skipped repetitions change something");
    }

    /// Clocks, slots used again and single reads against sets of events; each pair of places once.
    #[test]
    fn hybrid_agrees_with_its_definition(run in runs::run(140)) {
        agrees_with_its_definition(&run)?;
    }

    #[test]
    fn hybrid_agrees_with_its_definition_where_doors_are_closed(run in runs::run_with_doors(100)) {
        agrees_with_its_definition(&run)?;
    }
}

fn agrees_with_its_definition(run: &[Event]) -> Result<(), TestCaseError> {
    let site = |at: usize| match run[at] {
        Event::Access { at, .. } => at.site,
        _ => u32::MAX,
    };
    let places = |a: u32, b: u32| (a.min(b), a.max(b));
    let mut expected = hybrid(run);
    expected.sort_unstable_by_key(|&(claim, _, later)| (later, claim));
    let found = hybrid_pairs(&runs::numbered(run));
    let closure = closure(run);
    if expected
        .iter()
        .any(|&(_, a, b)| may_give_way(run, &closure, a, b))
    {
        // Which of several races with the same places is told first is not certain then.
        let possible = |p: &Pair| {
            let (_, later) = events(p);
            let is_it = |&(claim, a, b): &(Claim, usize, usize)| {
                (claim, site(a), b) == (p.claim, p.earlier.at.site, later)
            };
            expected.iter().any(is_it)
        };
        prop_assert!(found.iter().all(possible), "{found:?} {expected:?}");
        let told: BTreeSet<_> = found
            .iter()
            .map(|p| places(p.earlier.at.site, p.later.at.site))
            .collect();
        expected.retain(|&(_, a, b)| !may_give_way(run, &closure, a, b));
        let missed = expected
            .iter()
            .find(|&&(_, a, b)| !told.contains(&places(site(a), site(b))));
        prop_assert!(missed.is_none(), "{missed:?}");
        return Ok(());
    }
    let mut told = BTreeSet::new();
    expected.retain(|&(claim, a, b)| {
        let pair = places(site(a), site(b));
        let called_a_race = claim == Claim::PotentialRace && told.contains(&(pair, Claim::Race));
        !called_a_race && told.insert((pair, claim))
    });
    // If two threads were at one place, either may be named.
    let expected: BTreeSet<_> = expected
        .into_iter()
        .map(|(claim, a, b)| (claim, site(a), b))
        .collect();
    let found: BTreeSet<_> = found
        .iter()
        .map(|p| (p.claim, p.earlier.at.site, events(p).1))
        .collect();
    prop_assert_eq!(found, expected);
    Ok(())
}

/// The child of who joined a reader goes on with the reader's slot, and its read stands for both.
#[test]
fn a_read_gives_way_to_that_of_who_goes_on_with_its_slot() {
    let variable = Variable {
        owner: 1,
        part: Part::Field(3),
    };
    let access = |thread: u32, kind: AccessKind, site: u32| Event::Access {
        thread,
        kind,
        variable,
        at: Place { site, stack: 0 },
        mark: Mark::default(),
    };
    let fork = |thread: u32, child: u32| Event::Fork { thread, child };
    let run = [
        fork(0, 1),
        fork(0, 2),
        fork(0, 3),
        access(0, AccessKind::Read, 18),
        Event::End { thread: 0 },
        fork(1, 4),
        access(2, AccessKind::Read, 21),
        Event::Join { thread: 4, child: 0 },
        fork(4, 5),
        access(5, AccessKind::Read, 20),
        access(3, AccessKind::Write, 23),
    ];
    agrees_with_its_definition(&run).unwrap();
    let found = places(&hybrid_pairs(&run));
    assert_eq!(found, [(Claim::Race, 20, 23), (Claim::Race, 21, 23)]);
}

/// The properties above are about something.
#[test]
fn generated_runs_have_races_potential_races_and_neither() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let (mut races, mut potential, mut neither) = (0, 0, 0);
    for _ in 0..200 {
        let run = runs::run(140).new_tree(&mut runner).unwrap().current();
        let found = hybrid_pairs(&run);
        let is = |claim| found.iter().any(|p| p.claim == claim);
        races += usize::from(is(Claim::Race));
        potential += usize::from(is(Claim::PotentialRace));
        neither += usize::from(found.is_empty());
    }
    let numbers = (races, potential, neither);
    assert!(races > 50 && potential > 30 && neither > 20, "{numbers:?}");
}

#[test]
fn what_a_final_field_orders_does_not_race_and_the_next_read_does() {
    let read = |site, frozen| {
        let mut read = crate::events::access(2, AccessKind::Read, 1, site);
        if let Event::Access { mark, .. } = &mut read {
            mark.frozen = frozen;
        }
        read
    };
    let fork = |child| Event::Fork { thread: 0, child };
    let write = crate::events::access(1, AccessKind::Write, 1, 10);
    let run = [fork(1), fork(2), write, read(20, true), read(21, false)];
    let expected = vec![(Claim::Race, 10, 21)];
    assert_eq!(places(&happens_before(&run)), expected);
    assert_eq!(places(&hybrid_pairs(&run)), expected);
    // Who writes later races with it.
    let again = crate::events::access(1, AccessKind::Write, 1, 11);
    let run = [fork(1), fork(2), write, read(20, true), again];
    let expected = vec![(Claim::Race, 20, 11)];
    assert_eq!(places(&happens_before(&run)), expected);
    assert_eq!(places(&hybrid_pairs(&run)), expected);
}
