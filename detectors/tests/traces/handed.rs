//! What is kept at a hand-over, for how long, and what it costs.

use racewire_detectors::*;

/// Main in its second period (it has started `early`), and `late`, started after that.
struct Program {
    core: Core,
    field: FieldId,
    /// Even ones read, odd ones write.
    sites: Vec<SiteId>,
    main: ThreadId,
    init: EpochId,
    early: ThreadId,
    in_early: EpochId,
    in_late: EpochId,
}

fn program() -> Program {
    let mut core = Core::new(Detector::Racer);
    let field = core.field();
    let sites = (0..6)
        .map(|ordinal| {
            let kind = if ordinal % 2 == 1 {
                AccessKind::Write
            } else {
                AccessKind::Read
            };
            core.site(SiteInfo { field, kind, ordinal })
        })
        .collect();
    let main = core.thread(None);
    let first = core.epoch(main, 0, &[]).unwrap();
    let early = core.thread(Some(first));
    let init = core.epoch(main, 1, &[]).unwrap();
    let late = core.thread(Some(init));
    let [in_early, in_late] = [early, late].map(|t| core.epoch(t, 0, &[]).unwrap());
    Program {
        core,
        field,
        sites,
        main,
        init,
        early,
        in_early,
        in_late,
    }
}

fn is_simple(word: Word) -> bool {
    matches!(word.decode(), Decoded::Simple { .. })
}

fn exclusive(lock: LockId) -> Held {
    Held { lock, shared: false }
}

#[test]
fn the_handed_are_listed_last_and_named_every_time() {
    let mut p = program();
    let [write, read] = [p.sites[1], p.sites[0]];
    let made = p.core.step(Word::VIRGIN, p.init, write).word;
    let handed = p.core.step(made, p.in_late, read);
    let main_wrote = Access {
        site: write,
        epoch: p.init,
    };
    let late_read = Access {
        site: read,
        epoch: p.in_late,
    };
    assert_eq!(p.core.history(handed.word, p.field), [late_read, main_wrote]);
    assert!(handed.conflicts.is_empty() && !handed.shared);
    let first = p.core.step(handed.word, p.in_early, read);
    assert_eq!(
        (first.conflicts.as_slice(), first.shared),
        (&[main_wrote][..], true)
    );
    assert_eq!(p.core.state(first.word, p.field).phase, Phase::Shared);
    assert_eq!(
        p.core.step(first.word, p.in_early, read),
        first,
        "and nothing changes any more"
    );
}

#[test]
fn what_everybody_sees_is_not_kept() {
    let mut p = program();
    let before_all = p.core.epoch(p.main, 0, &[]).unwrap();
    let made = p.core.step(Word::VIRGIN, before_all, p.sites[1]).word;
    assert!(is_simple(p.core.step(made, p.in_late, p.sites[0]).word));
    assert!(is_simple(p.core.step(made, p.in_early, p.sites[0]).word));

    let made = p.core.step(Word::VIRGIN, p.init, p.sites[1]).word;
    let kept = p.core.step(made, p.in_late, p.sites[0]).word;
    assert!(!is_simple(kept));
    p.core.thread_dead(p.early);
    p.core.thread_dead(p.early);
    p.core.thread_dead(ThreadId(99));
    assert!(is_simple(p.core.step(made, p.in_late, p.sites[0]).word));
    // The next hand-over drops what the first one kept; what late did, main cannot see.
    let child = p.core.thread(Some(p.in_late));
    let in_child = p.core.epoch(child, 0, &[]).unwrap();
    let next = p.core.step(kept, in_child, p.sites[0]).word;
    let handed = p.core.state(next, p.field).handed;
    assert_eq!(
        handed,
        [Access {
            site: p.sites[0],
            epoch: p.in_late
        }]
    );
    p.core.thread_dead(p.main);
    assert!(is_simple(p.core.step(kept, in_child, p.sites[0]).word));
}

#[test]
fn an_orphan_that_is_there_in_time_is_thought_of() {
    let mut p = program();
    p.core.thread_dead(p.early);
    let made = p.core.step(Word::VIRGIN, p.init, p.sites[1]).word;
    let dropped = p.core.step(made, p.in_late, p.sites[0]).word;
    let orphans = p.core.orphans();
    let child = p.core.thread(Some(p.in_late));
    assert_eq!(p.core.orphans(), orphans, "a child of somebody is no news");
    p.core.thread_dead(child);
    let orphan = p.core.thread(None);
    assert_eq!(p.core.orphans(), orphans + 1);
    let in_orphan = p.core.epoch(orphan, 0, &[]).unwrap();
    let kept = p.core.step(made, p.in_late, p.sites[0]).word;
    assert_ne!(kept, dropped, "a result kept from before would be wrong");
    let write = Access {
        site: p.sites[1],
        epoch: p.init,
    };
    assert_eq!(p.core.step(kept, in_orphan, p.sites[2]).conflicts, [write]);
    // The limit: this one was handed over before anybody knew of the orphan.
    assert_eq!(p.core.step(dropped, in_orphan, p.sites[2]).conflicts, []);
}

#[test]
fn objects_with_the_same_past_share_their_states() {
    let mut p = program();
    for object in 0..10_000 {
        let mut word = Word::VIRGIN;
        for (epoch, site) in [
            (p.init, 1),
            (p.init, 3),
            (p.in_late, 0),
            (p.in_late, 1),
            (p.in_early, 2),
        ] {
            word = p.core.step(word, epoch, p.sites[site]).word;
        }
        assert!(
            p.core.stats().states <= 3,
            "object {object}: {:?}",
            p.core.stats()
        );
    }
}

#[test]
fn a_long_chain_of_hand_overs_keeps_the_newest_per_place() {
    let mut p = program();
    let mut word = p.core.step(Word::VIRGIN, p.init, p.sites[5]).word;
    let mut epoch = p.in_late;
    for _ in 0..2_000 {
        for &site in &p.sites[..2] {
            word = p.core.step(word, epoch, site).word;
        }
        let next = p.core.thread(Some(epoch));
        epoch = p.core.epoch(next, 0, &[]).unwrap();
    }
    assert_eq!(p.core.state(word, p.field).handed.len(), 3);
    let conflicts = p.core.step(word, p.in_early, p.sites[1]).conflicts;
    let places: Vec<SiteId> = conflicts.iter().map(|c| c.site).collect();
    assert_eq!(places, [p.sites[0], p.sites[1], p.sites[5]]);
}

#[test]
fn a_hundred_thousand_living_threads_are_looked_at_once() {
    let mut p = program();
    p.core.thread_dead(p.early);
    let made = p.core.step(Word::VIRGIN, p.init, p.sites[1]).word;
    let after = 100_000;
    let mut epochs = Vec::new();
    for _ in 0..after {
        let worker = p.core.thread(Some(p.init));
        epochs.push(p.core.epoch(worker, 0, &[]).unwrap());
    }
    // Looking at all of them each time would take minutes.
    for epoch in epochs {
        assert!(is_simple(p.core.step(made, epoch, p.sites[0]).word));
    }
}

#[test]
fn locks_of_handed_accesses_may_die() {
    let mut p = program();
    let words = [0, 1].map(|_| {
        let lock = p.core.lock();
        let epoch = p.core.epoch(p.main, 1, &[exclusive(lock)]).unwrap();
        let made = p.core.step(Word::VIRGIN, epoch, p.sites[1]).word;
        let word = p.core.step(made, p.in_late, p.sites[0]).word;
        let guarded = p.core.epoch(p.early, 0, &[exclusive(lock)]).unwrap();
        assert_eq!(p.core.step(word, guarded, p.sites[0]).conflicts, []);
        assert_eq!(p.core.step(word, p.in_early, p.sites[0]).conflicts.len(), 1);
        p.core.lock_dead(lock);
        assert_eq!(
            p.core.step(word, guarded, p.sites[0]).conflicts.len(),
            1,
            "not the same lock again"
        );
        word
    });
    assert_ne!(words[0], words[1]);
    let [a, b] = words.map(|w| p.core.state(w, p.field));
    assert_eq!((&a, a.handed.len()), (&b, 1));
    // Of a thousand more nothing is left.
    let states = p.core.stats().states;
    for _ in 0..1_000 {
        let lock = p.core.lock();
        let epoch = p.core.epoch(p.main, 1, &[exclusive(lock)]).unwrap();
        let made = p.core.step(Word::VIRGIN, epoch, p.sites[1]).word;
        p.core.step(made, p.in_late, p.sites[0]);
        p.core.lock_dead(lock);
    }
    assert_eq!(p.core.stats().states, states);
}

/// Main initialises under several locks, late takes over, early comes with each lock: the same accesses race,
/// whether or not there are too many states to remember every place.
#[test]
fn too_many_states_cost_no_race_across_a_hand_over() {
    let outcome = |crowded: bool, locks_held: &[usize], lock_of_early: Option<usize>| {
        let mut p = program();
        if crowded {
            for mask in 0..64 {
                let mut shared = p.core.step(Word::VIRGIN, p.init, p.sites[0]).word;
                for site in (0..6).filter(|site| mask >> site & 1 != 0) {
                    shared = p.core.step(shared, p.in_early, p.sites[site]).word;
                }
            }
            // Twice as many, and hand-overs would forget.
            let states = p.core.stats().states;
            assert!(states > 20);
            p.core.set_max_states(states);
        }
        let locks = [p.core.lock(), p.core.lock()].map(exclusive);
        let mut word = Word::VIRGIN;
        for (at, &lock) in locks_held.iter().enumerate() {
            let held: Vec<Held> = locks.get(lock).copied().into_iter().collect();
            let epoch = p.core.epoch(p.main, 1, &held).unwrap();
            word = p.core.step(word, epoch, p.sites[[1, 3, 5][at % 3]]).word;
        }
        word = p.core.step(word, p.in_late, p.sites[0]).word;
        let held: Vec<Held> = lock_of_early.map(|at| locks[at]).into_iter().collect();
        let epoch = p.core.epoch(p.early, 0, &held).unwrap();
        let races = !p.core.step(word, epoch, p.sites[2]).conflicts.is_empty();
        assert_eq!(p.core.stats().forgetful, 0);
        (races, p.core.stats().coarsened)
    };
    let mut coarsened = 0;
    for first in 0..3 {
        for second in 0..3 {
            for third in 0..3 {
                for early in [None, Some(0), Some(1)] {
                    let held = [first, second, third];
                    let (expected, _) = outcome(false, &held, early);
                    let (races, coarse) = outcome(true, &held, early);
                    assert_eq!(races, expected, "{held:?}, {early:?}");
                    coarsened += coarse;
                }
            }
        }
    }
    assert!(coarsened > 50, "{coarsened}");
}

#[test]
fn a_thread_per_request_stops_growing_at_twice_the_limit() {
    let mut p = program();
    p.core.set_max_states(100);
    for request in 1..2_000 {
        let made_in = p.core.epoch(p.main, request, &[]).unwrap();
        let worker = p.core.thread(Some(made_in));
        let epoch = p.core.epoch(worker, 0, &[]).unwrap();
        let mut word = p.core.step(Word::VIRGIN, made_in, p.sites[1]).word;
        for &site in &p.sites {
            word = p.core.step(word, epoch, site).word;
        }
    }
    let stats = p.core.stats();
    assert!(stats.states <= 210 && stats.forgetful > 1_900, "{stats:?}");
}
