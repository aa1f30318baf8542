//! Who closes a door: what came behind a look, in a critical section, cannot come after the one that overwrites what was
//! looked at.

use crate::events;
use racewire_detectors::AccessKind::{self, Read, Write};
use racewire_detectors::event::Event;
use racewire_detectors::happens_before::Claim;
use racewire_detectors::hybrid::Hybrid;

const USER: u32 = 1;
const CLOSER: u32 = 2;
const OTHER: u32 = 3;
const LOCK: u64 = 70;
const OTHER_LOCK: u64 = 71;

const FLAG: u64 = 1;
const DATA: u64 = 2;

fn access(thread: u32, kind: AccessKind, variable: u64) -> Event {
    let site = thread * 100 + variable as u32 * 10 + u32::from(kind == Write);
    events::access(thread, kind, variable, site)
}

fn under(object: u64, events: &[Event]) -> Vec<Event> {
    events::under(object, false, events)
}

/// The sections of a run in which main starts three threads: whether the data are called a potential race.
fn is_told(parts: &[&[Event]]) -> bool {
    let fork = |child| Event::Fork { thread: 0, child };
    let starts = [USER, CLOSER, OTHER].map(fork);
    let run = [&[starts.as_slice()], parts].concat().concat();
    let mut detector = Hybrid::default();
    let found: Vec<_> = run.iter().flat_map(|e| detector.event(e)).collect();
    assert!(
        found
            .iter()
            .all(|p| (p.claim, p.variable.owner) == (Claim::PotentialRace, DATA)),
        "{found:#?}"
    );
    !found.is_empty()
}

fn look() -> Event {
    access(USER, Read, FLAG)
}

fn used() -> Event {
    access(USER, Write, DATA)
}

fn closed() -> Vec<Event> {
    under(LOCK, &[access(CLOSER, Write, FLAG)])
}

fn taken() -> Vec<Event> {
    vec![access(CLOSER, Write, DATA)]
}

#[test]
fn what_comes_behind_the_look_cannot_come_later() {
    let section = under(LOCK, &[look(), used()]);
    assert!(!is_told(&[&section, &closed(), &taken()]));
    // Nor what another does who learns of it.
    let (thread, object) = (CLOSER, 80);
    let told = [Event::Release { thread, object }];
    let heard = [
        Event::Acquire {
            thread: OTHER,
            object,
        },
        access(OTHER, Write, DATA),
    ];
    assert!(!is_told(&[&section, &closed(), &told, &heard]));
}

#[test]
fn what_comes_before_the_look_may_come_later() {
    assert!(is_told(&[&under(LOCK, &[used(), look()]), &closed(), &taken()]));
    // The access behind it stands for the one before it, too.
    assert!(is_told(&[
        &under(LOCK, &[used(), look(), used()]),
        &closed(),
        &taken()
    ]));
}

#[test]
fn the_look_must_be_in_the_same_critical_section_of_the_same_lock() {
    let sections = [under(LOCK, &[look()]), under(LOCK, &[used()])].concat();
    assert!(is_told(&[&sections, &closed(), &taken()]));
    // The outer lock is still held when the inner one is given back.
    let outer = under(LOCK, &[under(OTHER_LOCK, &[look()]), vec![used()]].concat());
    assert!(!is_told(&[&outer, &closed(), &taken()]));
    let inner = under(OTHER_LOCK, &[under(LOCK, &[look()]), vec![used()]].concat());
    let passed = under(OTHER_LOCK, &[access(CLOSER, Write, 3)]);
    assert!(is_told(&[&inner, &closed(), &passed, &taken()]));
}

#[test]
fn nobody_is_kept_out_by_what_was_there_before() {
    // Nobody closes it.
    let section = under(LOCK, &[look(), used()]);
    let other_flag = under(LOCK, &[access(CLOSER, Write, 3)]);
    assert!(is_told(&[&section, &other_flag, &taken()]));
    // Somebody may open it after the one who closes it.
    let opened = under(LOCK, &[access(OTHER, Write, FLAG)]);
    let looked = under(LOCK, &[look(), used()]);
    assert!(is_told(&[&opened, &looked, &closed(), &taken()]));
    // Who closes it opened it.
    let opened = under(LOCK, &[access(CLOSER, Write, FLAG)]);
    assert!(!is_told(&[&opened, &looked, &closed(), &taken()]));
    // Who has set it himself finds it so whatever others did before.
    let own = under(LOCK, &[access(USER, Write, FLAG), look(), used()]);
    assert!(is_told(&[&own, &closed(), &taken()]));
}

#[test]
fn who_has_not_learned_of_the_closing_is_told() {
    let section = under(LOCK, &[look(), used()]);
    let passed = under(LOCK, &[access(OTHER, Write, 3)]);
    let taken = [access(OTHER, Write, DATA)];
    assert!(is_told(&[&section, &closed(), &passed, &taken]));
}

/// A volatile variable, whose reads and writes hand over as well.
const VOLATILE: u64 = 90;

fn flag(thread: u32, kind: AccessKind) -> [Event; 2] {
    let object = VOLATILE;
    let flag = Event::Flag { thread, kind, object };
    match kind {
        Read => [Event::Acquire { thread, object }, flag],
        Write => [flag, Event::Release { thread, object }],
    }
}

#[test]
fn a_volatile_flag_is_one_too() {
    let behind = under(LOCK, &[flag(USER, Read).to_vec(), vec![used()]].concat());
    let before = under(LOCK, &[vec![used()], flag(USER, Read).to_vec()].concat());
    let closed = under(LOCK, &flag(CLOSER, Write));
    assert!(!is_told(&[&behind, &closed, &taken()]));
    assert!(is_told(&[&before, &closed, &taken()]));
    // Who learns of it by the flag itself.
    let heard = [flag(OTHER, Read).to_vec(), vec![access(OTHER, Write, DATA)]].concat();
    assert!(!is_told(&[&behind, &closed, &heard]));
    // Written without the lock.
    let passed = under(LOCK, &[access(CLOSER, Write, 3)]);
    assert!(is_told(&[&behind, &passed, &flag(CLOSER, Write), &taken()]));
    // Somebody may open it after the one who closes it.
    let opened = under(LOCK, &flag(OTHER, Write));
    assert!(is_told(&[&opened, &behind, &closed, &taken()]));
    let opened = under(LOCK, &flag(CLOSER, Write));
    assert!(!is_told(&[&opened, &behind, &closed, &taken()]));
}
