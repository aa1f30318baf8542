//! What bounds the tables: histories that come to rest, the safety valve, cheap threads.

use racewire_detectors::*;

fn sites(core: &mut Core, count: u8) -> (FieldId, Vec<SiteId>) {
    let field = core.field();
    let kind = |n: u8| {
        if n % 2 == 1 {
            AccessKind::Write
        } else {
            AccessKind::Read
        }
    };
    (
        field,
        (0..count)
            .map(|n| {
                core.site(SiteInfo {
                    field,
                    kind: kind(n),
                    ordinal: n.min(31),
                })
            })
            .collect(),
    )
}

/// One epoch and many places: no state, and no place is forgotten; threads that do the same share the set.
#[test]
fn more_places_than_bits_need_a_set_and_no_state_while_one_epoch_touches_a_variable() {
    for detector in [Detector::Racer, Detector::Eraser] {
        let mut core = Core::new(detector);
        let (field, sites) = sites(&mut core, 100);
        let main = core.thread(None);
        let start = core.epoch(main, 0, &[]).unwrap();
        let epochs: Vec<EpochId> = (0..2)
            .map(|_| {
                let worker = core.thread(Some(start));
                core.epoch(worker, 0, &[]).unwrap()
            })
            .collect();
        // Eraser forgets what was read before the first write.
        let order: Vec<SiteId> = sites.iter().rev().copied().collect();
        let words = [0, 1].map(|nth| {
            let step = |word, &site: &SiteId| core.step(word, epochs[nth], site).word;
            order.iter().fold(Word::VIRGIN, step)
        });
        let sets = words.map(|word| match word.decode() {
            Decoded::Set { epoch, set } => (epoch, set),
            other => panic!("{other:?}"),
        });
        assert_eq!(sets, [(epochs[0], sets[0].1), (epochs[1], sets[0].1)]);
        assert_eq!(core.stats().states, 0);
        let places: Vec<SiteId> = core.history(words[0], field).iter().map(|a| a.site).collect();
        assert_eq!(places, sites);
        for &site in &sites {
            assert_eq!(core.step(words[0], epochs[0], site).word, words[0]);
        }
        // The other thread comes: each of the places is named that it conflicts with.
        let read = core.step(words[0], epochs[1], sites[0]);
        let write = core.step(words[0], epochs[1], sites[99]);
        let expected = if detector == Detector::Racer { 50 } else { 0 };
        assert_eq!((read.conflicts.len(), write.conflicts.len()), (expected, 100));
    }
}

#[test]
fn a_variable_that_many_threads_use_comes_to_rest() {
    for detector in [Detector::Racer, Detector::Eraser] {
        let mut core = Core::new(detector);
        let (field, sites) = sites(&mut core, 2);
        let main = core.thread(None);
        let lock = core.lock();
        let mut word = Word::VIRGIN;
        for period in 0..10_000 {
            let start = core.epoch(main, period, &[]).unwrap();
            let worker = core.thread(Some(start));
            let epoch = core.epoch(worker, 0, &[Held { lock, shared: false }]).unwrap();
            for &site in &sites {
                word = core.step(word, epoch, site).word;
            }
        }
        assert!(core.stats().states <= 8, "{detector:?}: {:?}", core.stats());
        assert!(core.history(word, field).len() <= 4);
        assert!(!core.unprotected(word, field));
    }
}

/// Sixteen threads come by a thousand objects in all sorts of orders; when all of them have been there, the objects are
/// in one state, whoever was the first.
#[test]
fn objects_that_many_threads_use_end_in_one_state_whatever_the_order() {
    for detector in [Detector::Racer, Detector::Eraser] {
        let mut core = Core::new(detector);
        let (field, sites) = sites(&mut core, 2);
        let main = core.thread(None);
        let lock = core.lock();
        let held = [Held { lock, shared: false }];
        let workers: Vec<EpochId> = (0..16)
            .map(|period| {
                let start = core.epoch(main, period, &[]).unwrap();
                let worker = core.thread(Some(start));
                core.epoch(worker, 0, &held).unwrap()
            })
            .collect();
        let mut ends = std::collections::HashSet::new();
        let mut random = 1_u64;
        for _ in 0..1000 {
            let mut word = Word::VIRGIN;
            // Often enough that each has come by, and once more to see that nothing changes.
            for round in 0..400 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let nth = if round < 384 {
                    (random >> 33) as usize % 16
                } else {
                    round % 16
                };
                for &site in &sites {
                    let outcome = core.step(word, workers[nth], site);
                    assert!(outcome.conflicts.is_empty(), "one lock protects it");
                    word = outcome.word;
                }
            }
            ends.insert(word);
            let mut named: Vec<EpochId> = core.history(word, field).iter().map(|a| a.epoch).collect();
            named.sort_unstable();
            named.dedup();
            assert!(named.len() <= 2 && named.iter().all(|epoch| workers.contains(epoch)));
        }
        assert_eq!(ends.len(), 1, "{detector:?}: {:?}", core.stats());
    }
}

#[test]
fn an_idle_thread_costs_tens_of_bytes() {
    let mut core = Core::new(Detector::Racer);
    let main = core.thread(None);
    let threads = 200_000;
    for period in 0..threads {
        let start = core.epoch(main, period, &[]).unwrap();
        let child = core.thread(Some(start));
        core.epoch(child, 0, &[]).unwrap();
    }
    // Two epochs each: that of the start, and the thread's own.
    let each = core.stats().bytes / threads as usize;
    assert!(each <= 96, "{each} bytes");
}

#[test]
fn too_many_states_cost_history_but_no_detection() {
    for detector in [Detector::Racer, Detector::Eraser] {
        let mut exact = Core::new(detector);
        let mut tight = Core::new(detector);
        tight.set_max_states(3);
        let mut random = 7u32;
        let mut next = move |n: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 16) % n
        };
        let mut epochs = Vec::new();
        let mut all_sites = Vec::new();
        let mut field = FieldId(0);
        for core in [&mut exact, &mut tight] {
            (field, all_sites) = sites(core, 40);
            epochs = three_threads(core);
        }
        for _variable in 0..200 {
            let mut words = [Word::VIRGIN; 2];
            for _access in 0..60 {
                let (epoch, site) = (
                    epochs[next(epochs.len() as u32) as usize],
                    all_sites[next(40) as usize],
                );
                let full = exact.step(words[0], epoch, site);
                let coarse = tight.step(words[1], epoch, site);
                words = [full.word, coarse.word];
                let (x, y) = (exact.state(full.word, field), tight.state(coarse.word, field));
                assert_eq!((x.phase, full.shared), (y.phase, coarse.shared));
                assert_eq!(
                    exact.unprotected(full.word, field),
                    tight.unprotected(coarse.word, field)
                );
                // A variable that is reported is reported, if perhaps with fewer places.
                if !x.explained {
                    assert_eq!(full.conflicts.is_empty(), coarse.conflicts.is_empty());
                }
                assert!(y.history.len() <= 4 || tight.stats().states <= 3);
            }
        }
        assert!(tight.stats().coarsened > 0);
        assert!(
            tight.stats().states * 5 < exact.stats().states,
            "{:?} {:?}",
            tight.stats(),
            exact.stats()
        );
    }
}

/// Three threads, each with and without each of two locks.
fn three_threads(core: &mut Core) -> Vec<EpochId> {
    let main = core.thread(None);
    let start = core.epoch(main, 0, &[]).unwrap();
    let threads = [(main, 1), (core.thread(Some(start)), 0), (core.thread(None), 0)];
    let locks = [core.lock(), core.lock()];
    let mut epochs = Vec::new();
    for (thread, period) in threads {
        epochs.push(core.epoch(thread, period, &[]).unwrap());
        for lock in locks {
            epochs.push(
                core.epoch(thread, period, &[Held { lock, shared: false }])
                    .unwrap(),
            );
        }
    }
    epochs
}

#[test]
fn a_variable_under_ever_new_locks_keeps_a_bounded_history() {
    let mut core = Core::new(Detector::Racer);
    let (field, sites) = sites(&mut core, 2);
    let main = core.thread(None);
    let mut word = Word::VIRGIN;
    for _ in 0..1000 {
        let lock = core.lock();
        let epoch = core.epoch(main, 0, &[Held { lock, shared: false }]).unwrap();
        word = core.step(word, epoch, sites[1]).word;
    }
    // They have nothing in common, so one access without any lock stands for them all.
    let nothing = core.epoch(main, 0, &[]).unwrap();
    let access = Access {
        site: sites[1],
        epoch: nothing,
    };
    assert_eq!(core.history(word, field), [access]);
    // A later period makes room for itself: a thread started in between must be able to conflict with it.
    let start = core.epoch(main, 0, &[]).unwrap();
    let child = core.thread(Some(start));
    let late = core.epoch(main, 1, &[]).unwrap();
    word = core.step(word, late, sites[1]).word;
    let epoch = core.epoch(child, 0, &[]).unwrap();
    let outcome = core.step(word, epoch, sites[0]);
    assert_eq!(
        outcome.conflicts,
        [Access {
            site: sites[1],
            epoch: late
        }]
    );
}

/// Two threads book accounts under their own monitor and that of another account, any of thousands: it is the own
/// one that counts, and the account comes to rest.
#[test]
fn ever_new_locks_beside_the_same_one_come_to_rest() {
    let mut core = Core::new(Detector::Racer);
    let (_, sites) = sites(&mut core, 2);
    let main = core.thread(None);
    let started = core.epoch(main, 0, &[]).unwrap();
    let threads = [(main, 1), (core.thread(Some(started)), 0)];
    let mut word = Word::VIRGIN;
    let mut changes = 0;
    for n in 0..4000 {
        let held = [LockId::OWNER, core.lock()].map(|lock| Held { lock, shared: false });
        let (thread, period) = threads[n % 2];
        let epoch = core.epoch(thread, period, &held).unwrap();
        for site in sites.iter().copied() {
            let outcome = core.step(word, epoch, site);
            changes += usize::from(outcome.word != word);
            assert!(outcome.conflicts.is_empty());
            if outcome.word == word {
                assert_eq!(outcome.settled, Settled::OwnerHeld);
            }
            word = outcome.word;
        }
    }
    assert!(changes <= 20, "{changes} changes");
    // Without the account's own monitor it is a race, also with a lock that was once held beside it.
    let epoch = core.epoch(main, 1, &[]).unwrap();
    assert!(!core.step(word, epoch, sites[1]).conflicts.is_empty());
}

#[test]
fn a_chain_of_threads_that_start_each_other_is_followed() {
    let mut core = Core::new(Detector::Racer);
    let mut thread = core.thread(None);
    let first = core.epoch(thread, 0, &[]).unwrap();
    let later = core.epoch(thread, 1, &[]).unwrap();
    for _ in 0..100_000 {
        let epoch = core.epoch(thread, 0, &[]).unwrap();
        thread = core.thread(Some(epoch));
    }
    let last = core.epoch(thread, 0, &[]).unwrap();
    for _ in 0..1_000 {
        assert!(core.visible(last, first) && !core.visible(last, later) && !core.visible(first, last));
    }
}

#[test]
fn what_the_core_did_not_make_changes_nothing() {
    let mut core = Core::new(Detector::Racer);
    let (field, sites) = sites(&mut core, 1);
    let thread = core.thread(None);
    let epoch = core.epoch(thread, 0, &[]).unwrap();
    let unknown = Word::interned(StateId(77));
    let virgin_step = core.step(Word::VIRGIN, epoch, sites[0]);
    assert_eq!(core.step(Word::VIRGIN, EpochId(0), sites[0]).word, Word::VIRGIN);
    assert_eq!(core.step(Word::VIRGIN, epoch, SiteId(99)).word, Word::VIRGIN);
    assert_eq!(core.step(unknown, epoch, sites[0]), virgin_step);
    assert_eq!(
        core.step(Word::simple(EpochId(99), 1), epoch, sites[0]),
        virgin_step
    );
    assert_eq!(core.history(unknown, field), []);
    assert_eq!(core.history(virgin_step.word, FieldId(99)), []);
    core.lock_dead(LockId(99));
    core.thread(Some(EpochId(99)));
}

#[test]
fn a_class_loaded_twice_keeps_its_words() {
    let mut core = Core::new(Detector::Racer);
    let (field, old) = sites(&mut core, 2);
    let thread = core.thread(None);
    let epoch = core.epoch(thread, 0, &[]).unwrap();
    let word = core.step(Word::VIRGIN, epoch, old[1]).word;
    let new = core.site(SiteInfo {
        field,
        kind: AccessKind::Write,
        ordinal: 1,
    });
    assert_eq!(core.step(word, epoch, old[1]).word, word);
    assert_eq!(core.step(word, epoch, new).word, word);
    assert_eq!(core.history(word, field), [Access { site: new, epoch }]);
}
