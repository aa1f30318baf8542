//! The figures of the paper as traces, with the verdicts the paper gives.

use crate::replay::{Replay, Seen};
use Event::{Acquire, Read, Release, Start, Write};
use racewire_detectors::reference::Event;
use racewire_detectors::*;

const MAIN: u32 = 0;
const THREAD1: u32 = 1;
const THREAD2: u32 = 2;

/// Plays a trace in which odd sites write; every variable has its own field.
fn play(detector: Detector, trace: &[Event]) -> (Replay, Vec<Seen>) {
    let kind = |site: u32| {
        if site % 2 == 1 {
            AccessKind::Write
        } else {
            AccessKind::Read
        }
    };
    let mut replay = Replay::new(detector, 4, 8, kind);
    let seen = trace
        .iter()
        .enumerate()
        .filter_map(|(i, e)| replay.play(i, *e))
        .collect();
    (replay, seen)
}

/// (variable, earlier site, later site) of every report.
fn reports(detector: Detector, trace: &[Event]) -> Vec<(u32, u32, u32)> {
    let (_, seen) = play(detector, trace);
    let mut all = Vec::new();
    for seen in seen {
        let (Read { variable, site, .. } | Write { variable, site, .. }) = trace[seen.event] else {
            continue;
        };
        all.extend(seen.conflicts.iter().map(|&earlier| (variable, earlier, site)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn figure_1_only_the_unprotected_shared_field_is_reported() {
    let (shared, protected, not_shared) = (0, 1, 2);
    let (lock, increment_read, increment_write) = (7, 0, 1);
    let mut trace = vec![
        Start {
            parent: MAIN,
            child: THREAD1,
        },
        Start {
            parent: MAIN,
            child: THREAD2,
        },
    ];
    for thread in [THREAD1, THREAD2, THREAD1] {
        trace.extend([
            Read {
                thread,
                variable: shared,
                site: increment_read,
            },
            Write {
                thread,
                variable: shared,
                site: increment_write,
            },
            Acquire {
                thread,
                lock,
                shared: false,
            },
            Read {
                thread,
                variable: protected,
                site: increment_read,
            },
            Write {
                thread,
                variable: protected,
                site: increment_write,
            },
            Release {
                thread,
                lock,
                shared: false,
            },
        ]);
    }
    // Each task has its own object; here one stands for all of those that one thread has to itself.
    for _ in 0..3 {
        trace.push(Write {
            thread: THREAD1,
            variable: not_shared,
            site: increment_write,
        });
    }
    let expected = [(shared, 0, 1), (shared, 1, 0), (shared, 1, 1)];
    assert_eq!(reports(Detector::Racer, &trace), expected);
    assert!(reports(Detector::Eraser, &trace).iter().all(|r| r.0 == shared));
    assert!(!reports(Detector::Eraser, &trace).is_empty());
}

#[test]
fn figure_10_racer_finds_the_escaping_this_and_eraser_misses_it() {
    let (i, constructor, listener) = (0, 1, 2);
    // The event-processing thread runs before the object is made.
    let trace = [
        Start {
            parent: MAIN,
            child: THREAD1,
        },
        Write {
            thread: MAIN,
            variable: i,
            site: constructor,
        },
        Read {
            thread: THREAD1,
            variable: i,
            site: listener,
        },
    ];
    assert_eq!(reports(Detector::Racer, &trace), [(i, constructor, listener)]);
    assert_eq!(reports(Detector::Eraser, &trace), []);
    let (_, seen) = play(Detector::Eraser, &trace);
    assert_eq!(seen[1].state.phase, Phase::Shared);
}

const VAR: u32 = 0;
const FIRST_WRITE: Event = Write {
    thread: MAIN,
    variable: VAR,
    site: 1,
};
const SECOND_WRITE: Event = Write {
    thread: MAIN,
    variable: VAR,
    site: 3,
};
const START: Event = Start {
    parent: MAIN,
    child: THREAD1,
};
const PRINTLN: Event = Read {
    thread: THREAD1,
    variable: VAR,
    site: 2,
};

#[test]
fn figure_11_a_value_handed_over_at_the_start_is_no_race() {
    let trace = [FIRST_WRITE, START, PRINTLN];
    assert_eq!(reports(Detector::Racer, &trace), []);
    assert_eq!(reports(Detector::Eraser, &trace), []);
}

#[test]
fn figure_13_only_the_read_and_the_second_write_are_a_race() {
    assert_eq!(
        reports(Detector::Racer, &[FIRST_WRITE, START, PRINTLN, SECOND_WRITE]),
        [(VAR, 2, 3)]
    );
    assert_eq!(
        reports(Detector::Racer, &[FIRST_WRITE, START, SECOND_WRITE, PRINTLN]),
        [(VAR, 3, 2)]
    );
}

#[test]
fn section_4_6_step_by_step() {
    let (mut replay, seen) = play(Detector::Racer, &[FIRST_WRITE, START, PRINTLN, SECOND_WRITE]);
    let [main, thread1] = [MAIN, THREAD1].map(|t| replay.thread(t));
    let phases: Vec<Phase> = seen.iter().map(|s| s.state.phase).collect();
    let expected = [
        Phase::ExclusiveModified(Period {
            thread: main,
            index: 0,
        }),
        Phase::Exclusive(Period {
            thread: thread1,
            index: 0,
        }),
        Phase::SharedModified,
    ];
    assert_eq!(phases, expected);
    // Refined to the empty set by the very first write, and again after the reset.
    assert!(seen.iter().all(|s| s.unprotected));
    // "Moving back to Virgin not only resets the lock sets but also the access information."
    let places: Vec<usize> = seen.iter().map(|s| s.state.history.len()).collect();
    assert_eq!(places, [1, 1, 2]);
}

#[test]
fn a_lock_that_guards_both_sides_makes_figure_13_safe() {
    let guarded = |thread, event| {
        [
            Acquire {
                thread,
                lock: 9,
                shared: false,
            },
            event,
            Release {
                thread,
                lock: 9,
                shared: false,
            },
        ]
    };
    let mut trace = vec![FIRST_WRITE, START];
    trace.extend(guarded(THREAD1, PRINTLN));
    trace.extend(guarded(MAIN, SECOND_WRITE));
    assert_eq!(reports(Detector::Racer, &trace), []);
}

#[test]
fn a_write_under_a_read_lock_is_unprotected() {
    let lock = |thread, shared| Acquire {
        thread,
        lock: 9,
        shared,
    };
    let write = |thread| Write {
        thread,
        variable: VAR,
        site: 1,
    };
    let read = |thread| Read {
        thread,
        variable: VAR,
        site: 2,
    };
    let run = |writer_shared| {
        let trace = [
            START,
            lock(MAIN, writer_shared),
            write(MAIN),
            lock(THREAD1, true),
            read(THREAD1),
        ];
        reports(Detector::Racer, &trace)
    };
    assert_eq!(run(false), []);
    assert_eq!(run(true), [(VAR, 1, 2)]);
}

#[test]
fn three_locks_pairwise_shared_name_one_pair() {
    let hold = |thread, a, b| {
        [
            Acquire {
                thread,
                lock: a,
                shared: false,
            },
            Acquire {
                thread,
                lock: b,
                shared: false,
            },
        ]
    };
    let write = |thread, site| Write {
        thread,
        variable: VAR,
        site,
    };
    let mut trace = vec![
        START,
        Start {
            parent: MAIN,
            child: THREAD2,
        },
    ];
    trace.extend(hold(MAIN, 1, 2));
    trace.push(write(MAIN, 1));
    trace.extend(hold(THREAD1, 2, 3));
    trace.push(write(THREAD1, 3));
    trace.extend(hold(THREAD2, 1, 3));
    trace.push(write(THREAD2, 5));
    assert_eq!(
        reports(Detector::Racer, &trace),
        [(VAR, 3, 5)],
        "of the two, the one in the younger epoch"
    );
    // ERASER has not counted the locks of the first access: it needs one more.
    assert_eq!(reports(Detector::Eraser, &trace), []);
    trace.push(write(MAIN, 1));
    assert_eq!(reports(Detector::Eraser, &trace), [(VAR, 5, 1)]);
}

#[test]
fn a_true_pair_explains_the_empty_set() {
    let write = |thread, site| Write {
        thread,
        variable: VAR,
        site,
    };
    let lock = |thread, lock| Acquire {
        thread,
        lock,
        shared: false,
    };
    // Main and Thread1 race; Thread2 shares a lock with each of them.
    let trace = [
        START,
        Start {
            parent: MAIN,
            child: THREAD2,
        },
        lock(MAIN, 1),
        write(MAIN, 1),
        lock(THREAD1, 2),
        write(THREAD1, 3),
        lock(THREAD2, 1),
        lock(THREAD2, 2),
        write(THREAD2, 5),
    ];
    assert_eq!(reports(Detector::Racer, &trace), [(VAR, 1, 3)]);
}
