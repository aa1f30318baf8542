//! Which orders of locking are reported as potential deadlocks, and which are not.

use crate::closure::{Closure, closure};
use crate::runs;
use proptest::prelude::*;
use racewire_detectors::event::{Event, Place};
use racewire_detectors::lock_order::{
    Acquisition, Cut, Cycle, FromEvents, HeldLock, Limits, LockOrder, Moment,
};
use std::collections::{BTreeMap, BTreeSet};

const MAIN: u32 = 0;
const T1: u32 = 1;
const T2: u32 = 2;
const T3: u32 = 3;
const A: u64 = 10;
const B: u64 = 11;
const C: u64 = 12;
const GATE: u64 = 13;
const DONE: u64 = 14;

fn fork(child: u32) -> Event {
    Event::Fork { thread: MAIN, child }
}

fn join(child: u32) -> Event {
    Event::Join { thread: MAIN, child }
}

/// Every thread takes each lock at a place of its own.
fn place(thread: u32, lock: u64) -> Place {
    Place {
        site: thread * 100 + lock as u32,
        stack: 0,
    }
}

fn take(thread: u32, object: u64, shared: bool, tried: bool) -> Event {
    Event::Lock {
        thread,
        object,
        shared,
        tried,
        at: place(thread, object),
    }
}

fn drop_lock(thread: u32, object: u64, shared: bool) -> Event {
    Event::Unlock {
        thread,
        object,
        shared,
    }
}

/// Takes the locks one inside the other and drops them again.
fn nested(thread: u32, locks: &[u64]) -> Vec<Event> {
    let mut events: Vec<Event> = locks.iter().map(|&l| take(thread, l, false, false)).collect();
    events.extend(locks.iter().rev().map(|&l| drop_lock(thread, l, false)));
    events
}

/// The same with (lock, for reading).
fn nested_modes(thread: u32, locks: &[(u64, bool)]) -> Vec<Event> {
    let mut events: Vec<Event> = locks.iter().map(|&(l, s)| take(thread, l, s, false)).collect();
    events.extend(locks.iter().rev().map(|&(l, s)| drop_lock(thread, l, s)));
    events
}

fn play(trace: impl IntoIterator<Item = Event>) -> Vec<Cycle> {
    let mut detector = FromEvents::default();
    let cycles = trace.into_iter().flat_map(|e| detector.event(&e)).collect();
    assert_eq!(detector.cut(), Cut::default());
    cycles
}

/// Main starts three threads that do this, in this order.
fn forked(parts: &[Vec<Event>]) -> Vec<Cycle> {
    let start = [fork(T1), fork(T2), fork(T3)];
    play(start.into_iter().chain(parts.iter().flatten().copied()))
}

#[test]
fn two_locks_taken_in_two_orders_are_a_cycle_with_all_four_acquisitions() {
    let cycles = forked(&[nested(T1, &[A, B]), nested(T2, &[B, A])]);
    let [cycle] = cycles.as_slice() else {
        panic!("{cycles:?}")
    };
    let mut links: Vec<_> = cycle.links.iter().map(|l| (l.thread, l.held, l.taken)).collect();
    links.sort_unstable();
    let held = |thread, lock| HeldLock {
        lock,
        shared: false,
        at: place(thread, lock),
    };
    assert_eq!(
        links,
        [(T1, held(T1, A), held(T1, B)), (T2, held(T2, B), held(T2, A))]
    );
    for pair in [[0, 1], [1, 0]] {
        let [one, next] = pair.map(|i| &cycle.links[i]);
        assert_eq!(one.taken.lock, next.held.lock);
    }
}

#[test]
fn three_locks_in_a_ring_are_a_cycle_of_three() {
    let cycles = forked(&[nested(T1, &[A, B]), nested(T2, &[B, C]), nested(T3, &[C, A])]);
    let [cycle] = cycles.as_slice() else {
        panic!("{cycles:?}")
    };
    assert_eq!(cycle.links.len(), 3);
    for (one, next) in cycle.links.iter().zip(cycle.links.iter().cycle().skip(1)) {
        assert_eq!(one.taken.lock, next.held.lock);
    }
    assert_eq!(
        forked(&[nested(T1, &[A, B]), nested(T2, &[B, C]), nested(T3, &[A, C])]),
        []
    );
}

#[test]
fn a_ring_of_ten_philosophers_is_found_and_one_left_handed_makes_it_safe() {
    let philosophers = |left_handed: bool| {
        let mut trace: Vec<Event> = (1..=10).map(fork).collect();
        for n in 1..=10u32 {
            let forks = [u64::from(n), u64::from(n % 10 + 1)];
            let forks = if left_handed && n == 10 {
                [forks[1], forks[0]]
            } else {
                forks
            };
            trace.extend(nested(n, &forks));
        }
        play(trace)
    };
    let cycles = philosophers(false);
    assert_eq!(cycles.iter().map(|c| c.links.len()).collect::<Vec<_>>(), [10]);
    assert_eq!(philosophers(true), []);
}

#[test]
fn one_thread_does_not_deadlock_with_itself() {
    assert_eq!(forked(&[nested(T1, &[A, B]), nested(T1, &[B, A])]), []);
    // Nor does a ring in which a thread would have to be at two places.
    assert_eq!(
        forked(&[nested(T1, &[A, B]), nested(T2, &[B, C]), nested(T1, &[C, A])]),
        []
    );
}

#[test]
fn a_gate_lock_around_both_excludes_it() {
    assert_eq!(
        forked(&[nested(T1, &[GATE, A, B]), nested(T2, &[GATE, B, A])]),
        []
    );
    // Around one of them only, or taken inside, it does not.
    assert_eq!(forked(&[nested(T1, &[GATE, A, B]), nested(T2, &[B, A])]).len(), 1);
    // A gate that both hold for reading keeps nobody out.
    let gated = |shared| {
        forked(&[
            nested_modes(T1, &[(GATE, true), (A, false), (B, false)]),
            nested_modes(T2, &[(GATE, shared), (B, false), (A, false)]),
        ])
    };
    assert_eq!((gated(true).len(), gated(false).len()), (1, 0));
}

#[test]
fn what_start_or_join_orders_does_not_deadlock() {
    let before_start = [nested(MAIN, &[A, B]), vec![fork(T1)], nested(T1, &[B, A])].concat();
    assert_eq!(play(before_start), []);
    let after_join = [
        vec![fork(T1)],
        nested(T1, &[A, B]),
        vec![join(T1)],
        nested(MAIN, &[B, A]),
    ]
    .concat();
    assert_eq!(play(after_join), []);
    let one_after_the_other = [
        vec![fork(T1)],
        nested(T1, &[A, B]),
        vec![join(T1), fork(T2)],
        nested(T2, &[B, A]),
    ];
    assert_eq!(play(one_after_the_other.concat()), []);
    let between = [
        vec![fork(T1)],
        nested(T1, &[A, B]),
        nested(MAIN, &[B, A]),
        vec![join(T1)],
    ]
    .concat();
    assert_eq!(play(between).len(), 1);
}

#[test]
fn the_same_acquisition_again_after_a_start_counts_again() {
    let trace = [
        nested(MAIN, &[A, B]),
        vec![fork(T1)],
        nested(T1, &[B, A]),
        nested(MAIN, &[A, B]),
    ];
    assert_eq!(play(trace.concat()).len(), 1);
}

#[test]
fn other_synchronisation_orders_but_the_locks_themselves_do_not() {
    let handed = |release: bool| {
        let thread = if release { T1 } else { T3 };
        let signal = Event::Release { thread, object: DONE };
        let await_it = Event::Acquire {
            thread: T2,
            object: DONE,
        };
        forked(&[nested(T1, &[A, B]), vec![signal, await_it], nested(T2, &[B, A])])
    };
    assert_eq!((handed(true).len(), handed(false).len()), (0, 1));
    // Every one of these is ordered by the lock C in this run, and by chance.
    assert_eq!(
        forked(&[
            nested(T1, &[A, B]),
            nested(T1, &[C]),
            nested(T2, &[C]),
            nested(T2, &[B, A])
        ])
        .len(),
        1
    );
}

#[test]
fn taking_a_lock_again_adds_nothing() {
    assert_eq!(forked(&[nested(T1, &[A, B, A]), nested(T2, &[A, B])]), []);
    // The inner unlock does not give it back.
    let again = [
        take(T1, A, false, false),
        take(T1, A, false, false),
        drop_lock(T1, A, false),
        take(T1, B, false, false),
    ];
    assert_eq!(forked(&[again.to_vec(), nested(T2, &[B, A])]).len(), 1);
}

#[test]
fn a_lock_that_was_dropped_is_not_held() {
    let one_by_one = [nested(T1, &[A]), nested(T1, &[B])].concat();
    assert_eq!(forked(&[one_by_one, nested(T2, &[B, A])]), []);
}

#[test]
fn readers_do_not_wait_for_each_other() {
    let modes = |a: [bool; 2], b: [bool; 2]| {
        let cycles = forked(&[
            nested_modes(T1, &[(A, a[0]), (B, a[1])]),
            nested_modes(T2, &[(B, b[0]), (A, b[1])]),
        ]);
        cycles.len()
    };
    assert_eq!(modes([true, true], [true, true]), 0);
    assert_eq!(modes([true, false], [false, true]), 0, "both read A");
    assert_eq!(modes([false, true], [true, false]), 0, "both read B");
    assert_eq!(modes([true, false], [true, false]), 1, "each waits for a reader");
    assert_eq!(
        modes([false, true], [false, true]),
        1,
        "readers wait for a writer"
    );
}

#[test]
fn an_attempt_does_not_wait_but_holds() {
    let attempt = [
        take(T1, A, false, false),
        take(T1, B, false, true),
        drop_lock(T1, B, false),
        drop_lock(T1, A, false),
    ];
    assert_eq!(forked(&[attempt.to_vec(), nested(T2, &[B, A])]), []);
    let holds = [take(T1, A, false, true), take(T1, B, false, false)];
    assert_eq!(forked(&[holds.to_vec(), nested(T2, &[B, A])]).len(), 1);
}

/// A server: each request has a thread, and whoever waits for it starts the next one.
#[test]
fn threads_one_after_the_other_share_a_slot_and_no_cycle() {
    let mut detector = FromEvents::default();
    let mut cycles = Vec::new();
    for child in 1..=5000u32 {
        let locks = if child % 2 == 0 { [A, B] } else { [B, A] };
        let end = [Event::End { thread: child }, join(child)];
        let request = [vec![fork(child)], nested(child, &locks), end.to_vec()].concat();
        cycles.extend(request.iter().flat_map(|e| detector.event(e)));
    }
    assert_eq!((cycles.len(), detector.slots()), (0, 2));
    // Who joins one of them again learns nothing of those that had its slot later.
    let last = [
        vec![fork(6000), fork(6001)],
        nested(6000, &[A, B]),
        vec![Event::Join {
            thread: 6001,
            child: 1,
        }],
        nested(6001, &[B, A]),
    ];
    cycles.extend(last.concat().iter().flat_map(|e| detector.event(e)));
    assert_eq!(cycles.len(), 1);
}

fn acquisition<'a>(thread: u32, held: &'a [HeldLock], lock: u64, site: u32) -> Acquisition<'a> {
    Acquisition {
        thread,
        lock,
        shared: false,
        at: Place { site, stack: 0 },
        held,
        moment: Moment {
            slot: thread,
            time: 1,
            clock: &[],
        },
    }
}

fn held(lock: u64, site: u32) -> HeldLock {
    HeldLock {
        lock,
        shared: false,
        at: Place { site, stack: 0 },
    }
}

#[test]
fn a_cycle_is_told_once_whatever_threads_and_locks_make_it() {
    let mut order = LockOrder::default();
    let mut told = 0;
    for n in 0..200u64 {
        let (a, b) = (1000 + n * 2, 1001 + n * 2);
        told += order
            .acquired(&acquisition(2 * n as u32, &[held(a, 1)], b, 2))
            .len();
        told += order
            .acquired(&acquisition(2 * n as u32 + 1, &[held(b, 3)], a, 4))
            .len();
    }
    assert_eq!(told, 1);
    // Other places, another cycle.
    assert_eq!(
        order
            .acquired(&acquisition(7000, &[held(1001, 5)], 1000, 6))
            .len(),
        1
    );
}

#[test]
fn dead_locks_are_forgotten() {
    let mut order = LockOrder::default();
    for n in 0..1000u64 {
        assert_eq!(
            order.acquired(&acquisition(1, &[held(A, 1), held(n + 100, 1)], n + 5000, 2)),
            []
        );
        order.lock_dead(if n % 2 == 0 { n + 100 } else { n + 5000 });
    }
    assert!(order.is_empty());
    assert_eq!(order.acquired(&acquisition(1, &[held(A, 1)], B, 2)), []);
    assert_eq!(order.acquired(&acquisition(2, &[held(B, 3)], A, 4)).len(), 1);
}

#[test]
fn what_is_left_out_is_counted() {
    let mut order = LockOrder::new(Limits {
        acquisitions: 2,
        threads: 2,
        moments: 1,
        search: 10,
    });
    for n in 0..4 {
        order.acquired(&acquisition(1, &[held(A, 1)], 100 + n, 2));
    }
    for thread in 2..5 {
        order.acquired(&acquisition(thread, &[held(A, 1)], 100, 2));
    }
    let cut = order.cut();
    assert_eq!((cut.acquisitions, cut.repetitions), (2, 2));

    // A dense graph without a cycle costs little: a lock is only taken by who holds lesser ones.
    let dense = |limit: usize, ring: bool| {
        let mut order = LockOrder::new(Limits {
            search: limit,
            ..Limits::default()
        });
        let mut cycles = 0;
        for thread in (0..60u32).rev() {
            for inner in (0..60).filter(|&inner| if ring { inner != thread } else { inner > thread }) {
                let outer = [held(u64::from(thread), thread)];
                let taken = acquisition(thread, &outer, u64::from(inner), inner);
                cycles += order.acquired(&taken).len();
            }
        }
        (cycles, order.cut().searches)
    };
    assert_eq!(dense(2000, false), (0, 0));
    // Everything in every order: far more cycles than anybody wants to read. Those of two are all found.
    let (cycles, given_up) = dense(2000, true);
    assert!(
        cycles >= 60 * 59 / 2 && given_up > 0,
        "{cycles} cycles, {given_up} searches given up"
    );
}

/// An acquisition as the definition sees it.
struct Taken {
    event: usize,
    thread: u32,
    lock: (u64, bool),
    site: u32,
    /// By lock: for reading only, where.
    held: BTreeMap<u64, (bool, u32)>,
}

fn acquisitions(run: &[Event]) -> Vec<Taken> {
    let mut bags: BTreeMap<u32, Vec<(u64, bool, u32)>> = BTreeMap::new();
    let mut all = Vec::new();
    for (event, e) in run.iter().enumerate() {
        let bag = bags.entry(e.thread()).or_default();
        match *e {
            Event::Lock {
                thread,
                object,
                shared,
                tried,
                at,
            } => {
                let mut held = BTreeMap::new();
                for shared in [true, false] {
                    for &(lock, _, site) in bag.iter().rev().filter(|h| h.1 == shared) {
                        held.insert(lock, (shared, site));
                    }
                }
                if !tried && !held.contains_key(&object) {
                    all.push(Taken {
                        event,
                        thread,
                        lock: (object, shared),
                        site: at.site,
                        held,
                    });
                }
                bag.push((object, shared, at.site));
            }
            Event::Unlock { object, shared, .. } => {
                let at = bag.iter().rposition(|h| (h.0, h.1) == (object, shared)).unwrap();
                bag.remove(at);
            }
            _ => {}
        }
    }
    all
}

fn waits(taker: &Taken, holder: &Taken) -> bool {
    let held = holder.held.get(&taker.lock.0);
    held.is_some_and(|(shared, _)| !(*shared && taker.lock.1))
}

/// Whether the two can be in one deadlock.
fn compatible(closure: &Closure, a: &Taken, b: &Taken) -> bool {
    let common = a
        .held
        .iter()
        .filter_map(|(lock, (shared, _))| Some((*shared, b.held.get(lock)?.0)));
    a.thread != b.thread
        && a.lock.0 != b.lock.0
        && common.into_iter().all(|(one, other)| one && other)
        && !closure.hard[b.event].contains(&a.event)
        && !closure.hard[a.event].contains(&b.event)
}

type Sites = Vec<(u32, u32)>;

fn least_turn(sites: Sites) -> Sites {
    let turned = |by| {
        let mut turned = sites.clone();
        turned.rotate_left(by);
        turned
    };
    (0..sites.len()).map(turned).min().unwrap()
}

/// The sites of all rings of two and three; of those of three apart the ones with a ring of two among their members.
fn rings(run: &[Event]) -> (BTreeSet<Sites>, BTreeSet<Sites>) {
    let (closure, all) = (closure(run), acquisitions(run));
    let site = |taker: &Taken, holder: &Taken| (holder.held[&taker.lock.0].1, holder.site);
    let (mut rings, mut roundabout) = (BTreeSet::new(), BTreeSet::new());
    for a in &all {
        for b in all.iter().filter(|b| waits(a, b) && compatible(&closure, a, b)) {
            if waits(b, a) {
                rings.insert(least_turn(vec![site(b, a), site(a, b)]));
            }
            for c in all.iter().filter(|c| waits(b, c) && waits(c, a)) {
                if compatible(&closure, b, c) && compatible(&closure, c, a) {
                    let short = waits(b, a) || waits(c, b) || waits(a, c);
                    let ring = least_turn(vec![site(c, a), site(a, b), site(b, c)]);
                    if short { &mut roundabout } else { &mut rings }.insert(ring);
                }
            }
        }
    }
    (rings, roundabout)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn cycles_are_those_of_the_definition(run in runs::run(140)) {
        let mut detector = FromEvents::new(LockOrder::new(Limits {
            acquisitions: 10_000,
            threads: 1000,
            moments: 1000,
            search: 10_000_000,
        }));
        let cycles: Vec<Cycle> = run.iter().flat_map(|e| detector.event(e)).collect();
        prop_assert_eq!(detector.cut(), Cut::default());
        let sites = |c: &Cycle| c.links.iter().map(|l| (l.held.at.site, l.taken.at.site)).collect();
        let short = cycles.iter().filter(|c| c.links.len() <= 3);
        let found: BTreeSet<Sites> = short.map(|c| least_turn(sites(c))).collect();
        let (rings, roundabout) = rings(&run);
        let missed: Vec<_> = rings.difference(&found).collect();
        prop_assert!(missed.is_empty(), "missed {missed:?}");
        let all = &rings | &roundabout;
        let wrong: Vec<_> = found.difference(&all).collect();
        prop_assert!(wrong.is_empty(), "wrongly {wrong:?}");
    }
}

/// The property above is about something.
#[test]
fn generated_runs_have_cycles() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let (mut two, mut three) = (0, 0);
    for _ in 0..300 {
        let run = runs::run(140).new_tree(&mut runner).unwrap().current();
        let (rings, _) = rings(&run);
        two += usize::from(rings.iter().any(|r| r.len() == 2));
        three += usize::from(rings.iter().any(|r| r.len() == 3));
    }
    assert!(two > 50 && three > 5, "{two} and {three}");
}
