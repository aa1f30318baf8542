//! Optimistic reads: what is found between a stamp and its answer waits for the answer.

use crate::events;
use racewire_detectors::AccessKind::{self, Read, Write};
use racewire_detectors::event::{Answer, Event};
use racewire_detectors::happens_before::HappensBefore;
use racewire_detectors::hybrid::Hybrid;

const LOCK: u64 = 70;
/// What the writer releases with its lock.
const RELEASED: u64 = 80;
const WRITER: u32 = 1;
const READER: u32 = 2;

fn access(thread: u32, kind: AccessKind) -> Event {
    events::access(thread, kind, 1, 10 + thread)
}

fn written() -> Vec<Event> {
    let release = Event::Release {
        thread: WRITER,
        object: RELEASED,
    };
    events::under(LOCK, false, &[access(WRITER, Write), release])
}

/// What comes before the answer is part of the read.
fn asked(answer: Answer) -> Vec<Event> {
    let (thread, section) = (READER, 1);
    let mut events = Vec::new();
    if answer.valid {
        events.push(Event::Acquire {
            thread,
            object: RELEASED,
        });
    }
    events.push(Event::Asked {
        thread,
        section,
        answer,
    });
    // Time goes on, as at run time.
    events.push(Event::Release { thread, object: 90 });
    events
}

fn stamp() -> Event {
    Event::Stamp {
        thread: READER,
        lock: LOCK,
        section: 1,
    }
}

/// How many findings there are during the run, and how many when it is over; the same by both detectors.
fn found(run: &[Vec<Event>]) -> (usize, usize) {
    let (mut exact, mut hybrid) = (HappensBefore::default(), Hybrid::default());
    let events = run.concat();
    let by_exact = events.iter().flat_map(|e| exact.event(e)).count();
    let by_hybrid = events.iter().flat_map(|e| hybrid.event(e)).count();
    let all = (by_exact, exact.finish().len());
    assert_eq!(all, (by_hybrid, hybrid.finish().len()));
    all
}

const VALID: Answer = Answer {
    asked: true,
    valid: true,
    writing: false,
    released: RELEASED,
};

const INVALID: Answer = Answer {
    valid: false,
    ..VALID
};

#[test]
fn a_valid_read_is_behind_the_writer() {
    let read = vec![stamp(), access(READER, Read)];
    assert_eq!(found(&[written(), read.clone(), asked(VALID)]), (0, 0));
    // Of what is written without the lock the answer says nothing.
    let plain = vec![access(WRITER, Write)];
    assert_eq!(found(&[plain, read, asked(VALID)]), (1, 0));
}

#[test]
fn a_read_that_nobody_asks_about_races() {
    let read = vec![stamp(), access(READER, Read)];
    assert_eq!(found(&[written(), read.clone()]), (0, 1));
    let given_up = asked(Answer::default());
    assert_eq!(found(&[written(), read, given_up]), (1, 0));
}

#[test]
fn an_invalid_read_is_of_no_account_if_it_met_a_writer() {
    let read = vec![stamp(), access(READER, Read)];
    assert_eq!(found(&[written(), read.clone(), asked(INVALID)]), (0, 0));
    let nothing_released = Answer {
        released: 0,
        ..INVALID
    };
    assert_eq!(found(&[written(), read.clone(), asked(nothing_released)]), (1, 0));
    let writing = Answer {
        writing: true,
        ..nothing_released
    };
    assert_eq!(found(&[written(), read, asked(writing)]), (0, 0));
}

#[test]
fn a_writer_that_comes_later_does_not_race_with_what_was_asked_about() {
    let read = vec![stamp(), access(READER, Read)];
    let outside = vec![access(READER, Read)];
    assert_eq!(found(&[read.clone(), asked(VALID), written()]), (0, 0));
    assert_eq!(found(&[read.clone(), written(), asked(INVALID)]), (0, 0));
    assert_eq!(found(&[read.clone(), written()]), (0, 1));
    let late = [vec![stamp()], asked(VALID), outside].concat();
    assert_eq!(found(&[late, written()]), (1, 0));
}
