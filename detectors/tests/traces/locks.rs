//! Locks that come and go.

use racewire_detectors::*;

struct Program {
    core: Core,
    field: FieldId,
    read: SiteId,
    write: SiteId,
    main: ThreadId,
    other: EpochId,
}

fn program(detector: Detector) -> Program {
    let mut core = Core::new(detector);
    let field = core.field();
    let read = core.site(SiteInfo {
        field,
        kind: AccessKind::Read,
        ordinal: 0,
    });
    let write = core.site(SiteInfo {
        field,
        kind: AccessKind::Write,
        ordinal: 1,
    });
    let main = core.thread(None);
    let other = core.thread(None);
    let other = core.epoch(other, 0, &[]).unwrap();
    Program {
        core,
        field,
        read,
        write,
        main,
        other,
    }
}

fn exclusive(lock: LockId) -> Held {
    Held { lock, shared: false }
}

#[test]
fn dead_locks_leave_a_few_bytes_each() {
    let mut p = program(Detector::Racer);
    let global = p.core.lock();
    let locks = 200_000;
    let bytes_at_start = p.core.stats().bytes;
    for _ in 0..locks {
        let lock = p.core.lock();
        let alone = p.core.epoch(p.main, 0, &[exclusive(lock)]).unwrap();
        let pair = p
            .core
            .epoch(p.main, 0, &[exclusive(lock), exclusive(global)])
            .unwrap();
        // Two lock sets in one thread: an interned state; then a second thread.
        let simple = p.core.step(Word::VIRGIN, alone, p.write).word;
        let both = p.core.step(simple, pair, p.read).word;
        assert!(matches!(both.decode(), Decoded::Interned(_)));
        p.core.step(both, p.other, p.write);
        p.core.lock_dead(lock);
    }
    let stats = p.core.stats();
    assert!(
        stats.states <= 4 && stats.epochs <= 5 && stats.lock_sets <= 5,
        "{stats:?}"
    );
    // Two epoch ids and two state ids, four bytes each, in vectors that double; and one bit.
    let each = (stats.bytes - bytes_at_start) / locks;
    assert!(each <= 36, "{each} bytes per dead lock");
}

#[test]
fn words_with_a_dead_lock_stay_valid() {
    for detector in [Detector::Racer, Detector::Eraser] {
        let mut p = program(detector);
        let [a, b] = [p.core.lock(), p.core.lock()];
        let [in_a, in_b] = [a, b].map(|l| p.core.epoch(p.main, 0, &[exclusive(l)]).unwrap());
        let [simple_a, simple_b] = [in_a, in_b].map(|e| p.core.step(Word::VIRGIN, e, p.write).word);
        let interned_a = p.core.step(simple_a, p.other, p.write).word;
        let interned_b = p.core.step(simple_b, p.other, p.write).word;
        let outcomes = [simple_a, simple_b].map(|w| p.core.step(w, p.other, p.read).conflicts);
        p.core.lock_dead(a);
        p.core.lock_dead(b);
        assert_ne!(interned_a, interned_b);
        assert_eq!(
            p.core.state(interned_a, p.field),
            p.core.state(interned_b, p.field)
        );
        assert_eq!(
            p.core.history(simple_a, p.field),
            p.core.history(simple_b, p.field)
        );
        assert_eq!(p.core.held(in_b), [exclusive(LockId::DEAD)]);
        // The same places conflict as before.
        for (word, before) in [simple_a, simple_b].into_iter().zip(outcomes) {
            let after = p.core.step(word, p.other, p.read).conflicts;
            let places = |c: &[Access]| c.iter().map(|a| a.site).collect::<Vec<_>>();
            assert_eq!(places(&after), places(&before));
        }
    }
}

#[test]
fn two_dead_locks_protect_nothing_together() {
    let mut p = program(Detector::Racer);
    let other = p.core.thread(None);
    let [a, b] = [p.core.lock(), p.core.lock()];
    let in_a = p.core.epoch(p.main, 0, &[exclusive(a)]).unwrap();
    let in_b = p.core.epoch(other, 0, &[exclusive(b)]).unwrap();
    let word = p.core.step(Word::VIRGIN, in_a, p.write).word;
    p.core.lock_dead(a);
    let outcome = p.core.step(word, in_b, p.write);
    assert_eq!(
        outcome.conflicts,
        [Access {
            site: p.write,
            epoch: in_a
        }]
    );
    p.core.lock_dead(b);
    let third = p.core.step(outcome.word, p.other, p.write);
    assert_eq!(third.conflicts.len(), 1, "one per place");
}
