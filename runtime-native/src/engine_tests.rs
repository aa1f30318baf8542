use super::*;
use crate::lock_order::Nested;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const TABLE: &str = "racewire-sites 4\ta/B\tB.java\t*\nF\ta/B\tx\tI\ti\tnumbering\nM\tone\t()V\nM\ttwo\t()V\n\
    S\t0\t5\t0\tr\t0\nS\t0\t5\t0\tw\t1\nS\t1\t9\t0\tw\t2\nS\t1\t9\t0\tw\t31\n";
const READ: u32 = 0;
const WRITE: u32 = 1;
const OTHER_WRITE: u32 = 2;
const OVERFLOW: u32 = 3;

struct Setup {
    engine: Engine,
    dir: TempDir,
    one: u32,
    two: u32,
}

fn setup(detector: &str) -> Setup {
    setup_about(detector, About::default())
}

fn setup_about(detector: &str, about: About) -> Setup {
    let dir = TempDir::new().unwrap();
    let file = FindingsFile::create(dir.path(), 1, 2).unwrap();
    let mut engine = Engine::new(detector, file, 1, 2, "17", about).unwrap();
    assert_eq!(engine.register(TABLE).unwrap(), 0);
    let started = ["Main.main(Main.java:1)".to_owned()];
    let (a, b) = (engine.thread("T1", 0, &[]), engine.thread("T2", 0, &started));
    let (one, two) = (engine.epoch(a, 0, &[]).unwrap(), engine.epoch(b, 0, &[]).unwrap());
    Setup {
        engine,
        dir,
        one,
        two,
    }
}

fn records(dir: &Path) -> Vec<Record> {
    let text = fs::read_to_string(dir.join("1-2.jsonl")).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn findings(dir: &Path) -> Vec<Finding> {
    let found = records(dir).into_iter();
    found
        .filter_map(|r| if let Record::Finding(f) = r { Some(f) } else { None })
        .collect()
}

#[test]
fn the_steps_that_java_takes_itself_are_those_of_the_core() {
    let mut s = setup("racer");
    let mut word = 0;
    for (site, ordinal) in [(READ, 0), (WRITE, 1), (OTHER_WRITE, 2)] {
        word = s.engine.step(word, s.one, site);
        assert_eq!(word >> 32, u64::from(s.one));
        assert_ne!(word & 1 << ordinal, 0);
        assert_eq!(word & 0xffff_ffff & !0b111, 0);
    }
    let with_set = s.engine.step(0, s.one, OVERFLOW);
    assert_eq!(with_set >> 32, u64::from(s.one));
    assert_ne!(with_set & 1 << 31, 0, "a site without a bit needs a set of sites");
}

#[test]
fn a_race_is_reported_once_and_again_when_the_earlier_stack_comes() {
    let mut s = setup("racer");
    let first = s.engine.step(0, s.one, WRITE);
    let second = s.engine.step(first, s.two, OTHER_WRITE);
    assert_ne!(second & REPORT, 0);
    let stack = |name: &str| {
        vec![
            format!("a.B.{name}(B.java:5)"),
            "Main.main(Main.java:1)".to_owned(),
        ]
    };
    let wanted = s
        .engine
        .found(first, (s.two, OTHER_WRITE), "a.B@1f", &stack("two"))
        .unwrap();
    assert_eq!(wanted, [WRITE], "the earlier access was seen without its stack");
    assert_eq!(
        s.engine.step(first, s.two, OTHER_WRITE) & REPORT,
        0,
        "known by now"
    );

    s.engine.stack(WRITE, s.one, &stack("one")).unwrap();
    let written = findings(s.dir.path());
    let [early, late] = written.as_slice() else {
        panic!("{written:?}")
    };
    assert_eq!(early.fingerprint, late.fingerprint);
    assert_eq!(
        (early.accesses[0].stack_complete, late.accesses[0].stack_complete),
        (false, true)
    );
    assert_eq!(early.accesses[0].stack, ["a.B.one(B.java:5)"]);
    assert_eq!(
        (late.accesses[0].stack.clone(), late.accesses[1].stack.clone()),
        (stack("one"), stack("two"))
    );
    assert_eq!(late.accesses[1].thread_started_at, ["Main.main(Main.java:1)"]);
    assert_eq!((late.variable.as_str(), late.owner.as_str()), ("a.B.x", "a.B@1f"));

    s.engine.end().unwrap();
    assert_eq!(s.engine.finding_count(), 1);
    assert!(matches!(
        records(s.dir.path()).last(),
        Some(Record::End { events: 3, cut: 0 })
    ));
}

#[test]
fn the_same_places_on_another_object_are_no_news_unless_both_stacks_are_there_now() {
    let mut s = setup("racer");
    let first = s.engine.step(0, s.one, WRITE);
    s.engine
        .found(first, (s.two, OTHER_WRITE), "a.B@1", &["x".to_owned()])
        .unwrap();
    assert_eq!(s.engine.step(first, s.two, OTHER_WRITE) & REPORT, 0);
    // Java captures the stacks of suspects also where it takes the step itself.
    let again = s.engine.epoch(0, 7, &[]).unwrap();
    s.engine.stack(WRITE, again, &["y".to_owned()]).unwrap();
    let other = s.engine.step(0, again, WRITE);
    assert_ne!(s.engine.step(other, s.two, OTHER_WRITE) & REPORT, 0);
    s.engine
        .found(other, (s.two, OTHER_WRITE), "a.B@2", &["x".to_owned()])
        .unwrap();
    let written = findings(s.dir.path());
    assert!(
        written.last().unwrap().accesses.iter().all(|a| a.stack_complete),
        "{written:?}"
    );
    s.engine.end().unwrap();
    assert_eq!(s.engine.finding_count(), 1);
}

#[test]
fn stacks_are_asked_for_only_under_suspicion() {
    let mut s = setup("racer");
    let first = s.engine.step(0, s.one, READ);
    let shared = s.engine.step(first, s.two, READ);
    assert_eq!(shared & STACK, 0);
    s.engine.depot.suspect(READ);
    assert_ne!(s.engine.step(first, s.two, READ) & STACK, 0);
    s.engine.stack(READ, s.two, &["x".to_owned()]).unwrap();
    assert_eq!(s.engine.step(first, s.two, READ) & STACK, 0, "it is there now");
}

#[test]
fn locks_are_described_and_the_owners_is_named_after_the_owner() {
    let mut s = setup("racer");
    let lock = s.engine.lock("java.lang.Object@77ab");
    let one = s.engine.epoch(0, 0, &[lock << 1 | 1, lock << 1 | 1]).unwrap();
    let two = s.engine.epoch(1, 0, &[0]).unwrap();
    let first = s.engine.step(0, one, WRITE);
    s.engine.found(first, (two, OTHER_WRITE), "a.B@1", &[]).unwrap();
    let written = findings(s.dir.path());
    assert_eq!(written[0].accesses[0].locks, ["java.lang.Object@77ab (read)"]);
    assert_eq!(written[0].accesses[1].locks, ["a.B@1"]);
}

#[test]
fn a_table_is_registered_once_and_a_bad_one_not_at_all() {
    let mut s = setup("racer");
    assert_eq!(s.engine.register(TABLE).unwrap(), 0);
    let other = TABLE.replace("a/B\tB.java", "a/C\tC.java");
    assert_eq!(s.engine.register(&other).unwrap(), 4);
    assert!(s.engine.register("nonsense").is_err());
}

#[test]
fn eraser_is_another_machine_and_others_are_unknown() {
    let mut s = setup("eraser");
    let child = s.engine.thread("child", s.one, &[]);
    let epoch = s.engine.epoch(child, 0, &[]).unwrap();
    let first = s.engine.step(0, s.one, WRITE);
    assert_ne!(
        s.engine.step(first, epoch, WRITE) & REPORT,
        0,
        "it knows no thread start"
    );
    assert!(matches!(detector("psychic"), Err(EngineError::Detector(_))));
}

#[test]
fn after_the_last_record_nothing_is_written() {
    let mut s = setup("racer");
    let first = s.engine.step(0, s.one, WRITE);
    s.engine.end().unwrap();
    assert_eq!(s.engine.finding_count(), 0);
    assert_eq!(s.engine.step(first, s.two, OTHER_WRITE) & REPORT, 0);
    assert!(
        s.engine
            .found(first, (s.two, OTHER_WRITE), "a.B@1", &[])
            .unwrap()
            .is_empty()
    );
    assert!(matches!(records(s.dir.path()).last(), Some(Record::End { .. })));
}

/// One field, 15 places in each of two threads: 225 pairs.
#[test]
fn a_field_raced_on_everywhere_is_told_of_with_measure() {
    let mut s = setup("racer");
    let mut table = String::from("racewire-sites 4\ta/C\tC.java\t*\nF\ta/C\ty\tI\ti\tnumbering\nM\tm\t()V\n");
    for ordinal in 0..30 {
        table += &format!("S\t0\t{}\t0\tw\t{ordinal}\n", 100 + ordinal);
    }
    let first = s.engine.register(&table).unwrap();
    let mut word = 0;
    for site in first..first + 15 {
        word = s.engine.step(word, s.one, site);
    }
    let stack = ["a.C.m(C.java:1)".to_owned()];
    let (mut with, mut without) = (0, 0);
    for site in first + 15..first + 30 {
        let next = s.engine.step(word, s.two, site);
        assert_ne!(next & REPORT, 0);
        let asked = next & STACK != 0;
        *(if asked { &mut with } else { &mut without }) += 1;
        let stack: &[String] = if asked { &stack } else { &[] };
        let wanted = s.engine.found(word, (s.two, site), "a.C@1", stack).unwrap();
        assert_eq!(
            wanted.is_empty(),
            !asked,
            "no stacks are waited for that would not be told"
        );
        word = next & !(REPORT | STACK);
    }
    let written = findings(s.dir.path());
    assert_eq!(written.len(), 225, "every pair is named");
    let histories = written.iter().filter(|f| !f.history.is_empty()).count();
    assert_eq!(histories, HISTORIES_PER_FIELD as usize);
    assert!(with > 0 && without > 0, "{with} with stacks, {without} without");
}

#[test]
fn a_finding_belongs_to_the_tests_it_was_first_made_in() {
    let mut s = setup("racer");
    let first = s.engine.step(0, s.one, WRITE);
    s.engine.set_tests(vec!["BankTest.one".to_owned()]);
    s.engine
        .found(first, (s.two, OTHER_WRITE), "a.B@1", &["x".to_owned()])
        .unwrap();
    // The same pair again, now with the earlier stack: written anew, while another test runs.
    let again = s.engine.epoch(0, 7, &[]).unwrap();
    s.engine.stack(WRITE, again, &["y".to_owned()]).unwrap();
    let other = s.engine.step(0, again, WRITE);
    s.engine.set_tests(vec!["BankTest.two".to_owned()]);
    s.engine
        .found(other, (s.two, OTHER_WRITE), "a.B@2", &["x".to_owned()])
        .unwrap();
    let written = findings(s.dir.path());
    assert!(
        written.len() >= 2 && written.iter().all(|f| f.tests == ["BankTest.one"]),
        "{written:?}"
    );
    assert_eq!(s.engine.take_findings("BankTest.two"), [""; 0]);
    let told = s.engine.take_findings("BankTest.one");
    assert!(told.len() == 1 && told[0].contains("a.B.x"), "{told:?}");
    assert_eq!(s.engine.take_findings("BankTest.one"), [""; 0], "told once");
}

/// Two threads write at two places: three pairs of places.
fn race_everywhere(s: &mut Setup) {
    let stack = ["a.B.two(B.java:9)".to_owned()];
    for (first, second) in [(WRITE, WRITE), (WRITE, OTHER_WRITE), (OTHER_WRITE, OTHER_WRITE)] {
        let word = s.engine.step(0, s.one, first);
        if s.engine.step(word, s.two, second) & REPORT != 0 {
            s.engine.found(word, (s.two, second), "a.B@1", &stack).unwrap();
        }
    }
    s.engine.end().unwrap();
}

#[test]
fn after_the_limit_findings_are_only_counted() {
    let mut s = setup_about(
        "racer",
        About {
            max_findings: 1,
            ..About::default()
        },
    );
    race_everywhere(&mut s);
    let records = records(s.dir.path());
    let written = records.iter().filter(|r| matches!(r, Record::Finding(_)));
    assert_eq!(written.count(), 1);
    assert!(records.contains(&Record::Full { limit: 1 }));
    assert!(matches!(records.last(), Some(Record::End { cut: 2, .. })));
    assert_eq!(s.engine.finding_count(), 3);
}

#[test]
fn what_the_source_excuses_is_written_but_does_not_count() {
    let mut s = setup_about(
        "racer",
        About {
            annotated: vec!["method a.B.one".into()],
            ..About::default()
        },
    );
    s.engine.set_tests(vec!["BankTest.one".to_owned()]);
    race_everywhere(&mut s);
    assert_eq!(findings(s.dir.path()).len(), 3);
    assert_eq!(s.engine.finding_count(), 1);
    assert_eq!(
        s.engine.take_findings("BankTest.one").len(),
        1,
        "nor does it fail a test"
    );
    let first = records(s.dir.path()).into_iter().next();
    assert!(matches!(first, Some(Record::Process { annotated, .. }) if annotated == ["method a.B.one"]));
}

fn thread_of(s: &Setup, epoch: u32) -> u32 {
    s.engine.known((WRITE, epoch)).thread.unwrap()
}

/// Two threads take two locks in opposite orders, in this method.
fn deadlock(s: &mut Setup, method: &str) {
    let (a, b) = (s.engine.lock("a.L@1") << 1, s.engine.lock("a.M@2") << 1);
    let stack = [format!("a.B.{method}(B.java:9)")];
    for (epoch, slot, held, lock, hard) in [(s.one, 0, a, b, [1, 0]), (s.two, 1, b, a, [0, 1])] {
        let nested = Nested {
            thread: thread_of(s, epoch),
            lock,
            held: &[held],
            held_at: &[0],
            slot,
            time: 1,
            hard: &hard,
            stack: &stack,
        };
        s.engine.nested(&nested).unwrap();
    }
}

#[test]
fn the_limit_holds_for_races_and_cycles_together() {
    let mut s = setup_about(
        "happens_before",
        About {
            max_findings: 2,
            ..About::default()
        },
    );
    let stack = ["a.B.two(B.java:9)".to_owned()];
    let race = |s: &mut Setup, site: u32| {
        let earlier = Met {
            thread: thread_of(s, s.one),
            site: WRITE,
            locks: 0,
            element: None,
        };
        let race = s.engine.race(Kind::Race, (s.two, site), earlier, "a.B@1", &stack);
        race.unwrap()
    };
    deadlock(&mut s, "first");
    race(&mut s, WRITE);
    assert_eq!(s.engine.finding_count(), 2);
    deadlock(&mut s, "second");
    deadlock(&mut s, "second");
    race(&mut s, OTHER_WRITE);
    s.engine.end().unwrap();
    let kinds: Vec<Kind> = findings(s.dir.path()).iter().map(|f| f.kind).collect();
    assert_eq!(kinds, [Kind::LockOrder, Kind::Race]);
    let records = records(s.dir.path());
    assert!(records.contains(&Record::Full { limit: 2 }));
    assert!(matches!(records.last(), Some(Record::End { cut: 2, .. })));
    assert_eq!(s.engine.finding_count(), 4);
}

#[test]
fn a_cycle_that_the_source_excuses_does_not_count() {
    let mut s = setup_about(
        "racer",
        About {
            annotated: vec!["method a.B.first".into()],
            ..About::default()
        },
    );
    deadlock(&mut s, "first");
    assert_eq!((findings(s.dir.path()).len(), s.engine.finding_count()), (1, 0));
}
