//! The figures of paper 001 as runs for `happens_before` and `hybrid`: what each claims, and how surely.

use crate::events::{access, under};
use racewire_detectors::AccessKind::{Read, Write};
use racewire_detectors::event::Event;
use racewire_detectors::happens_before::{Claim, HappensBefore, Pair};
use racewire_detectors::hybrid::Hybrid;

const MAIN: u32 = 0;
const T1: u32 = 1;
const T2: u32 = 2;
const LOCK: u64 = 70;
const OTHER_LOCK: u64 = 71;

const RACE: Claim = Claim::Race;
const POTENTIAL: Claim = Claim::PotentialRace;

fn fork(child: u32) -> Event {
    Event::Fork { thread: MAIN, child }
}

fn sites(pairs: Vec<Pair>) -> Vec<(Claim, u32, u32)> {
    let mut sites: Vec<_> = pairs
        .iter()
        .map(|p| (p.claim, p.earlier.at.site, p.later.at.site))
        .collect();
    sites.sort_unstable();
    sites
}

fn exact(run: &[Event]) -> Vec<(Claim, u32, u32)> {
    let mut detector = HappensBefore::default();
    sites(run.iter().flat_map(|e| detector.event(e)).collect())
}

fn hybrid(run: &[Event]) -> Vec<(Claim, u32, u32)> {
    let mut detector = Hybrid::default();
    sites(run.iter().flat_map(|e| detector.event(e)).collect())
}

#[test]
fn figure_1_the_shared_field_is_a_race_unless_the_lock_happens_to_order_it() {
    let (shared, protected, not_shared) = (1, 2, 3);
    let (read, write) = (10, 11);
    let task = |thread, own| {
        let unprotected = [
            access(thread, Read, shared, read),
            access(thread, Write, shared, write),
            access(thread, Write, own, 30),
        ];
        let guarded = [
            access(thread, Read, protected, 20),
            access(thread, Write, protected, 21),
        ];
        (unprotected.to_vec(), under(LOCK, false, &guarded))
    };
    let ((first, first_guarded), (second, second_guarded)) = (task(T1, not_shared), task(T2, not_shared + 1));
    let start = vec![fork(T1), fork(T2)];

    // Both tasks do the unprotected part first: nothing orders them.
    let run = [
        start.clone(),
        first.clone(),
        second.clone(),
        first_guarded.clone(),
        second_guarded.clone(),
    ];
    let pairs = [(RACE, read, write), (RACE, write, read), (RACE, write, write)];
    let found = exact(&run.concat());
    assert!(
        !found.is_empty() && found.iter().all(|p| pairs.contains(p)),
        "{found:?}"
    );
    assert_eq!(hybrid(&run.concat()), found);

    // One task is through when the other begins, which has to do with what the first one left under the lock.
    let run = [start, first, first_guarded, second_guarded, second].concat();
    assert_eq!(exact(&run), []);
    assert_eq!(
        hybrid(&run),
        [],
        "the second task has seen what the first did under the lock, and did not touch the field before"
    );
}

#[test]
fn locks_that_protect_nothing_in_common_order_by_chance_only() {
    // The critical sections of LOCK have nothing to do with the field.
    let run = [
        vec![fork(T1), fork(T2), access(T1, Write, 1, 10)],
        under(LOCK, false, &[access(T1, Write, 2, 20)]),
        under(LOCK, false, &[access(T2, Write, 3, 30)]),
        vec![access(T2, Write, 1, 11)],
    ]
    .concat();
    assert_eq!(exact(&run), []);
    assert_eq!(hybrid(&run), [(POTENTIAL, 10, 11)]);
}

#[test]
fn a_flag_under_a_lock_orders_what_it_guards() {
    let run = [
        vec![fork(T1), fork(T2), access(T1, Write, 1, 10)],
        under(LOCK, false, &[access(T1, Write, 2, 20)]),
        under(LOCK, false, &[access(T2, Read, 2, 21)]),
        vec![access(T2, Read, 1, 11)],
    ]
    .concat();
    assert_eq!(hybrid(&run), []);
}

#[test]
fn figure_10_the_escaping_this_is_a_race() {
    let run = [fork(T1), access(MAIN, Write, 1, 10), access(T1, Read, 1, 11)];
    assert_eq!(exact(&run), [(RACE, 10, 11)]);
    assert_eq!(hybrid(&run), [(RACE, 10, 11)]);
}

#[test]
fn figure_11_a_value_handed_over_at_the_start_is_none() {
    let run = [access(MAIN, Write, 1, 10), fork(T1), access(T1, Read, 1, 11)];
    assert_eq!((exact(&run), hybrid(&run)), (vec![], vec![]));
}

#[test]
fn figure_13_only_the_read_and_the_second_write_are_a_race() {
    let [first, start, println, second] = [
        access(MAIN, Write, 1, 10),
        fork(T1),
        access(T1, Read, 1, 11),
        access(MAIN, Write, 1, 12),
    ];
    for (run, pair) in [
        ([first, start, println, second], (RACE, 11, 12)),
        ([first, start, second, println], (RACE, 12, 11)),
    ] {
        assert_eq!(exact(&run), [pair]);
        assert_eq!(hybrid(&run), [pair]);
    }
    // With a join before the second write there is none; with a lock around both there is none either.
    let join = Event::Join {
        thread: MAIN,
        child: T1,
    };
    assert_eq!(hybrid(&[first, start, println, join, second]), []);
    let guarded = [
        vec![first, start],
        under(LOCK, false, &[println]),
        under(LOCK, false, &[second]),
    ]
    .concat();
    assert_eq!(hybrid(&guarded), []);
}

/// The coaster writes its ride number under the lock and reads it without; passengers read it under the lock.
#[test]
fn the_roller_coaster_is_a_false_alarm_of_lock_sets_alone() {
    let (coaster, passenger) = (T1, T2);
    let mut run = vec![fork(coaster), fork(passenger)];
    for _ in 0..3 {
        run.push(access(coaster, Read, 1, 31));
        run.extend(under(LOCK, false, &[access(coaster, Write, 1, 40)]));
        run.extend(under(LOCK, false, &[access(passenger, Read, 1, 52)]));
        run.extend(under(LOCK, false, &[access(coaster, Read, 2, 60)]));
    }
    assert_eq!(exact(&run), []);
    assert_eq!(hybrid(&run), []);
}

#[test]
fn volatile_variables_and_queues_order_for_good() {
    let volatile = 90;
    let run = [
        fork(T1),
        fork(T2),
        access(T1, Write, 1, 10),
        Event::Release {
            thread: T1,
            object: volatile,
        },
        Event::Acquire {
            thread: T2,
            object: volatile,
        },
        access(T2, Write, 1, 11),
        // After the release: not handed over.
        access(T1, Write, 1, 12),
    ];
    assert_eq!(exact(&run), [(RACE, 11, 12)]);
    assert_eq!(hybrid(&run), [(RACE, 11, 12)]);
}

#[test]
fn read_locks_order_with_writers_only_and_protect_reads_only() {
    let run = |writes_under_read_lock: bool| {
        [
            vec![fork(T1), fork(T2)],
            under(LOCK, true, &[access(T1, Read, 1, 10)]),
            under(LOCK, writes_under_read_lock, &[access(T2, Write, 1, 11)]),
        ]
        .concat()
    };
    assert_eq!(hybrid(&run(false)), []);
    assert_eq!(hybrid(&run(true)), [(RACE, 10, 11)]);
    // Two readers do not order each other's writes, even if a writer came by before.
    let readers = [
        vec![fork(T1), fork(T2)],
        under(LOCK, false, &[access(MAIN, Write, 2, 20)]),
        under(LOCK, true, &[access(T1, Write, 1, 10)]),
        under(LOCK, true, &[access(T2, Write, 1, 11)]),
    ]
    .concat();
    assert_eq!(exact(&readers), [(RACE, 10, 11)]);
}

#[test]
fn a_pair_of_places_is_told_once_and_again_only_as_a_race() {
    let chance = |variable| {
        [
            vec![access(T1, Write, variable, 10)],
            under(LOCK, false, &[access(T1, Write, 100, 1)]),
            under(LOCK, false, &[access(T2, Write, 200, 2)]),
            vec![access(T2, Write, variable, 11)],
        ]
        .concat()
    };
    let race = vec![access(T1, Write, 9, 10), access(T2, Write, 9, 11)];
    let forks = vec![fork(T1), fork(T2)];
    let run = [forks.clone(), chance(1), chance(2), race.clone(), race.clone()].concat();
    assert_eq!(hybrid(&run), [(RACE, 10, 11), (POTENTIAL, 10, 11)]);
    assert_eq!(hybrid(&[forks, race, chance(1)].concat()), [(RACE, 10, 11)]);
}

#[test]
fn two_locks_in_hand_tell_what_both_told() {
    // T2 shares LOCK with the writer; what it learns with OTHER_LOCK counts as well.
    let run = [
        vec![fork(T1), fork(T2), access(T1, Write, 1, 10)],
        under(OTHER_LOCK, false, &[access(T1, Read, 5, 50)]),
        under(LOCK, false, &[access(T1, Write, 2, 20)]),
        under(
            OTHER_LOCK,
            false,
            &under(LOCK, false, &[access(T2, Read, 2, 21), access(T2, Write, 1, 11)]),
        ),
    ]
    .concat();
    assert_eq!(hybrid(&run), []);
}

/// A server: each request has a thread, and whoever waits for it starts the next one.
#[test]
fn threads_one_after_the_other_use_little() {
    let mut detector = Hybrid::default();
    let mut found = Vec::new();
    for child in 1..=20_000u32 {
        for event in [
            fork(child),
            access(child, Write, 1, 10),
            Event::End { thread: child },
            Event::Join { thread: MAIN, child },
        ] {
            found.extend(detector.event(&event));
        }
    }
    // A thread that nobody waited for is still told from those after it.
    let last = [
        fork(30_000),
        access(30_000, Write, 2, 10),
        Event::End { thread: 30_000 },
        fork(30_001),
        access(30_001, Write, 2, 11),
    ];
    found.extend(last.iter().flat_map(|e| detector.event(e)));
    assert_eq!(sites(found), [(RACE, 10, 11)]);
    assert!(detector.slots() <= 4, "{} slots", detector.slots());
}
