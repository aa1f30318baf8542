//! What the detectors find in recorded runs, told as findings.

use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, Mark, Part, Place, Variable};
use racewire_model::finding::{EventKind, Finding, Kind};
use racewire_trace::std_format::{StdReader, StdWriter};
use racewire_trace::{
    Analysis, Definition, DetectorName, Field, Process, Record, Site, TraceReader, TraceWriter,
};

fn std_records(text: &str) -> Vec<Record> {
    let mut reader = StdReader::new(text.as_bytes());
    let mut records = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        records.push(record);
    }
    records
}

fn analyse(detector: DetectorName, records: &[Record]) -> Vec<Finding> {
    let mut analysis = Analysis::new(&[detector]);
    for record in records {
        analysis.record(record).unwrap();
    }
    let analysed = analysis.finish().remove(0);
    assert_eq!((analysed.detector, analysed.notes), (detector, vec![]));
    analysed.findings
}

/// Writes them to a file and reads it.
fn through_a_file(records: &[Record]) -> Vec<Record> {
    let Some(Record::Process(process)) = records.first() else {
        panic!("no process")
    };
    let mut writer = TraceWriter::new(Vec::new(), process).unwrap();
    for record in records {
        writer.record(record).unwrap();
    }
    let bytes = writer.into_inner();
    let mut reader = TraceReader::new(&bytes[..]).unwrap();
    let mut again = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        again.push(record);
    }
    again
}

/// Kind, variable and the methods (locations) of the places.
fn brief(findings: &[Finding]) -> Vec<(Kind, &str, Vec<&str>)> {
    let findings = findings.iter();
    findings
        .map(|f| {
            let places = f.accesses.iter().map(|a| a.method.as_str()).collect();
            (f.kind, f.variable.as_str(), places)
        })
        .collect()
}

const RACES: &str = "\
T0|fork(T1)|1
T0|fork(T2)|2
T1|w(V1)|10
T2|r(V1)|11
T1|w(V2)|20
T1|acq(L1)|21
T1|w(V3)|22
T1|rel(L1)|23
T2|acq(L1)|24
T2|w(V4)|25
T2|rel(L1)|26
T2|w(V2)|27
T1|acq(L1)|30
T1|w(V5)|31
T1|rel(L1)|32
T2|acq(L1)|33
T2|r(V5)|34
T2|rel(L1)|35
";

#[test]
fn each_detector_says_what_it_is_for() {
    let records = std_records(RACES);
    let race = (Kind::Race, "V1", vec!["10", "11"]);
    let chance = |kind| (kind, "V2", vec!["20", "27"]);
    let found = |detector| analyse(detector, &records);
    assert_eq!(
        brief(&found(DetectorName::HappensBefore)),
        std::slice::from_ref(&race)
    );
    assert_eq!(
        brief(&found(DetectorName::Hybrid)),
        [race.clone(), chance(Kind::PotentialRace)]
    );
    assert_eq!(brief(&found(DetectorName::Racer)), [race, chance(Kind::Race)]);
    // ERASER lets the first write pass, and a read after it.
    assert_eq!(brief(&found(DetectorName::Eraser)), [chance(Kind::Race)]);
    assert_eq!(brief(&found(DetectorName::LockOrder)), []);
}

#[test]
fn a_file_gives_the_same_findings() {
    let records = std_records(RACES);
    let again = through_a_file(&records);
    assert_eq!(again, records);
    for detector in DetectorName::ALL {
        assert_eq!(analyse(detector, &again), analyse(detector, &records));
    }
}

#[test]
fn an_exported_trace_gives_the_same_places() {
    let records = std_records(RACES);
    let mut writer = StdWriter::new(Vec::new());
    for record in &records {
        writer.record(record).unwrap();
    }
    assert_eq!(writer.stronger(), 0);
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    let again = std_records(&text);
    let kinds = |findings: Vec<Finding>| findings.iter().map(|f| f.kind).collect::<Vec<_>>();
    for detector in DetectorName::ALL {
        assert_eq!(
            kinds(analyse(detector, &again)),
            kinds(analyse(detector, &records)),
            "{text}"
        );
    }
}

#[test]
fn a_torn_view_tells_both_halves_and_the_whole() {
    let records = std_records(
        "T0|fork(T1)|1\nT0|fork(T2)|2\n\
         T1|acq(L)|10\nT1|w(X)|11\nT1|w(Y)|12\nT1|rel(L)|13\n\
         T2|acq(L)|20\nT2|r(X)|21\nT2|rel(L)|22\n\
         T2|acq(L)|30\nT2|r(Y)|31\nT2|rel(L)|32\n",
    );
    let findings = analyse(DetectorName::Views, &records);
    let [finding] = findings.as_slice() else {
        panic!("{findings:?}")
    };
    assert_eq!(
        (finding.kind, finding.detector.as_str(), finding.variable.as_str()),
        (Kind::HighLevelRace, "views", "X, Y")
    );
    let places: Vec<(EventKind, &str, u32)> = finding
        .accesses
        .iter()
        .map(|a| (a.kind, a.thread.as_str(), a.line))
        .collect();
    assert_eq!(
        places,
        [
            (EventKind::Read, "T2", 21),
            (EventKind::Read, "T2", 31),
            (EventKind::Write, "T1", 11),
            (EventKind::Write, "T1", 12)
        ]
    );
    assert!(
        finding.message.contains("writes both in one"),
        "{}",
        finding.message
    );
}

#[test]
fn a_cycle_tells_all_its_acquisitions() {
    let records = std_records(
        "T0|fork(T1)|1\nT0|fork(T2)|2\n\
         T1|acq(A)|10\nT1|acq(B)|11\nT1|rel(B)|12\nT1|rel(A)|13\n\
         T2|acq(B)|20\nT2|acq(A)|21\nT2|rel(A)|22\nT2|rel(B)|23\n",
    );
    let findings = analyse(DetectorName::LockOrder, &records);
    let [finding] = findings.as_slice() else {
        panic!("{findings:?}")
    };
    assert_eq!(
        (finding.kind, finding.detector.as_str()),
        (Kind::LockOrder, "lock_order")
    );
    let mut links: Vec<_> = finding
        .accesses
        .iter()
        .map(|a| {
            let held = a.holding.as_ref().unwrap();
            (
                a.kind,
                a.thread.as_str(),
                held.lock.as_str(),
                held.stack.join(""),
                a.lock.as_deref().unwrap(),
                a.stack.join(""),
                a.locks.join(""),
            )
        })
        .collect();
    links.sort();
    let at = |line: u32| format!("location.{line}(location:{line})");
    assert_eq!(
        links,
        [
            (EventKind::Lock, "T1", "A", at(10), "B", at(11), "A".to_owned()),
            (EventKind::Lock, "T2", "B", at(20), "A", at(21), "B".to_owned()),
        ]
    );
}

/// A run of a Java program: `x++` in two threads, with stacks.
fn counter() -> Vec<Record> {
    let site = |kind, line, nth| {
        Record::Define(Definition::Site(Site {
            kind,
            mark: Mark::default(),
            class: "com.acme.Counter".into(),
            method: "add".into(),
            descriptor: "()V".into(),
            file: Some("Counter.java".into()),
            line,
            field: Some(Field {
                class: "com.acme.Counter".into(),
                name: "x".into(),
                kind: "int".into(),
                is_static: false,
                number: 3,
            }),
            named_by: (AccessKind::Write, nth),
            repeated_at: vec![9],
        }))
    };
    let frames = |last: &str| vec!["com.acme.Counter.add(Counter.java:7)".to_owned(), last.to_owned()];
    let thread = |thread: u32, name: &str, started_at| {
        Record::Define(Definition::Thread {
            thread,
            name: name.into(),
            started_at,
        })
    };
    let access = |thread, kind, site, stack| {
        Record::Event(Event::Access {
            thread,
            kind,
            variable: Variable {
                owner: 5,
                part: Part::Field(3),
            },
            at: Place { site, stack },
            mark: Mark::default(),
        })
    };
    let mut records = vec![
        Record::Process(Process {
            pid: 7,
            started_ms: 1,
            java: "17".into(),
            unwoven: 2,
            annotated: Vec::new(),
            detectors: String::new(),
        }),
        site(EventKind::Read, 7, 0),
        site(EventKind::Write, 7, 0),
        Record::Define(Definition::Stack(frames("com.acme.Main.run(Main.java:1)"))),
        Record::Define(Definition::Stack(frames("com.acme.Main.run(Main.java:2)"))),
        Record::Define(Definition::Stack(vec!["com.acme.Main.main(Main.java:5)".into()])),
        Record::Define(Definition::Object {
            object: 5,
            description: "com.acme.Counter@1f2e".into(),
        }),
        thread(0, "main", 0),
        thread(1, "one", 3),
        thread(2, "two", 3),
    ];
    records.extend([1, 2].map(|child| Record::Event(Event::Fork { thread: 0, child })));
    for (thread, stack) in [(1, 1), (2, 2), (1, 0)] {
        records.push(access(thread, AccessKind::Read, 1, stack));
        records.push(access(thread, AccessKind::Write, 2, stack));
    }
    records.push(Record::End);
    records
}

#[test]
fn a_finding_tells_all_that_the_trace_knows() {
    for detector in [
        DetectorName::HappensBefore,
        DetectorName::Hybrid,
        DetectorName::Racer,
    ] {
        let records = through_a_file(&counter());
        let findings = analyse(detector, &records);
        // Read and write of one line are one place.
        let [finding] = findings.as_slice() else {
            panic!("{detector:?}: {findings:?}")
        };
        assert_eq!(finding.variable, "com.acme.Counter.x");
        assert_eq!(finding.variable_type, "int");
        assert_eq!(finding.owner, "com.acme.Counter@1f2e");
        let [earlier, later] = finding.accesses.as_slice() else {
            panic!("{finding:?}")
        };
        assert_eq!((earlier.thread.as_str(), later.thread.as_str()), ("one", "two"));
        assert_eq!(earlier.stack[1], "com.acme.Main.run(Main.java:1)");
        assert_eq!(later.stack[1], "com.acme.Main.run(Main.java:2)");
        assert!(earlier.stack_complete && later.stack_complete);
        assert_eq!(earlier.thread_started_at, ["com.acme.Main.main(Main.java:5)"]);
        assert_eq!((earlier.line, earlier.repeated_at.as_slice()), (7, &[9][..]));
        assert_eq!(earlier.file.as_deref(), Some("Counter.java"));
        assert!(
            finding.message.contains("com.acme.Counter.add (Counter.java:7)"),
            "{}",
            finding.message
        );
    }
}

#[test]
fn fingerprints_do_not_depend_on_the_detector() {
    let findings = DetectorName::ALL.map(|d| analyse(d, &counter()));
    let fingerprints: Vec<&str> = findings
        .iter()
        .flatten()
        .map(|f| f.fingerprint.as_str())
        .collect();
    assert!(fingerprints.len() >= 3 && fingerprints.iter().all(|f| *f == fingerprints[0]));
}

#[test]
fn the_owners_monitor_is_told_by_its_name() {
    // Locks and variables of a std trace are never the same object; here the owner is its own lock.
    let mut records = counter();
    let lock = |thread, unlock: bool| {
        let (object, shared) = (5, false);
        Record::Event(if unlock {
            Event::Unlock {
                thread,
                object,
                shared,
            }
        } else {
            Event::Lock {
                thread,
                object,
                shared,
                tried: false,
                at: Place::default(),
            }
        })
    };
    let first = records
        .iter()
        .position(|r| matches!(r, Record::Event(Event::Access { .. })))
        .unwrap();
    records.insert(first + 2, lock(1, true));
    records.insert(first, lock(1, false));
    for detector in [DetectorName::Hybrid, DetectorName::Racer] {
        let findings = analyse(detector, &records);
        assert_eq!(findings[0].accesses[0].locks, ["com.acme.Counter@1f2e"]);
        assert_eq!(findings[0].accesses[1].locks, [""; 0]);
    }
}

#[test]
fn a_dump_has_a_line_per_event() {
    let mut dump = racewire_trace::dump::Dump::default();
    let lines: Vec<String> = counter().iter().filter_map(|r| dump.line(r)).collect();
    assert_eq!(
        lines[..4],
        [
            "process 7, started at 1 ms, Java 17",
            "thread 0 \"main\": starts thread 1 \"one\"",
            "thread 0 \"main\": starts thread 2 \"two\"",
            "thread 1 \"one\": reads com.acme.Counter.x of com.acme.Counter@1f2e at com.acme.Counter.add(Counter.java:7)",
        ]
    );
    assert_eq!(lines.last().unwrap(), "end");
}
