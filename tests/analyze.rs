//! `racewire analyze`: the detectors over traces, as a user calls it.

use crate::harness::process::Output;
use crate::harness::racewire::{FOUND, findings, racewire};
use crate::harness::scratch::Scratch;
use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, Mark, Part, Place, Variable};
use racewire_model::finding::{EventKind, Kind, Report};
use racewire_trace::{Field, Process, Site, TraceWriter};
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

/// A race on V1, one on V2 that only the lock's order hides, and two locks taken in two orders.
const TRACE: &str = "\
T0|fork(T1)|1
T0|fork(T2)|2
T1|w(V1)|10
T2|r(V1)|11
T1|w(V2)|20
T1|acq(L1)|21
T1|acq(L2)|22
T1|rel(L2)|23
T1|rel(L1)|24
T2|acq(L2)|25
T2|acq(L1)|26
T2|rel(L1)|27
T2|rel(L2)|28
T2|w(V2)|29
";

fn trace(scratch: &Scratch, name: &str, text: &str) -> PathBuf {
    let path = scratch.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn analyze(trace: &Path, options: &[&str]) -> Output {
    let mut args: Vec<&OsStr> = vec!["analyze".as_ref(), trace.as_ref()];
    args.extend(options.iter().map(OsStr::new));
    racewire(args)
}

fn kinds(out: &Output) -> Vec<(Kind, String)> {
    let report: Report =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}\n{}", out.describe()));
    report
        .findings
        .into_iter()
        .map(|f| (f.kind, f.variable))
        .collect()
}

#[test]
fn findings_are_printed_as_a_report_and_give_the_exit_code() {
    let scratch = Scratch::new("analyze");
    let trace = trace(&scratch, "run.std", TRACE);
    let out = analyze(&trace, &[]);
    assert_eq!((out.code, out.stderr.as_str()), (FOUND, ""), "{}", out.describe());
    for part in [
        "Race 1 of 3: field 'V1' is accessed by two threads without a common lock",
        "Potential race 2 of 3: field 'V2'",
        "Earlier write at location:20 in location.20\n    by thread \"T1\", holding no lock",
        "Lock-order cycle 3 of 3: 2 threads each take a lock that the next one holds, and may wait for ever",
        "Lock of L1 at location:26 in location.26\n    by thread \"T2\", holding L2",
        "L1 was taken\n      at location.21(location:21)",
        "To fix: take L1 and L2 in the same order everywhere",
        "1 race, 1 potential race, 1 lock-order cycle in 1 process; 14 transitions",
    ] {
        assert!(
            out.stdout.contains(part),
            "'{part}' is missing\n{}",
            out.describe()
        );
    }
    // Fine traces are fine.
    let fine = self::trace(
        &scratch,
        "fine.std",
        "T0|fork(T1)|1\nT1|w(V1)|2\nT0|join(T1)|3\nT0|r(V1)|4\n",
    );
    let out = analyze(&fine, &[]);
    assert_eq!(out.code, 0, "{}", out.describe());
    assert!(out.stdout.starts_with("no races in "), "{}", out.describe());
}

#[test]
fn each_detector_can_be_asked() {
    let scratch = Scratch::new("analyze-detectors");
    let trace = trace(&scratch, "run.std", TRACE);
    let ask = |detectors: &str| kinds(&analyze(&trace, &["--detector", detectors, "--format", "json"]));
    let race = |v: &str| (Kind::Race, v.to_owned());
    assert_eq!(ask("happens_before"), [race("V1")]);
    assert_eq!(ask("racer"), [race("V1"), race("V2")]);
    assert_eq!(ask("eraser"), [race("V2")]);
    assert_eq!(
        ask("hybrid"),
        [race("V1"), (Kind::PotentialRace, "V2".to_owned())]
    );
    let cycle = ask("lock_order");
    assert_eq!(cycle.iter().map(|f| f.0).collect::<Vec<_>>(), [Kind::LockOrder]);
    // What several of them find is told once.
    assert_eq!(ask("racer,happens_before,racer"), [race("V1"), race("V2")]);
}

#[test]
fn kept_findings_are_read_by_report() {
    let scratch = Scratch::new("analyze-kept");
    let trace = trace(&scratch, "run.std", TRACE);
    let folder = scratch.join("deep/findings");
    let out = analyze(&trace, &["-o", folder.to_str().unwrap(), "--format", "json"]);
    assert_eq!(out.code, FOUND, "{}", out.describe());
    let kept: Vec<(Kind, String)> = findings(&folder)
        .into_iter()
        .map(|f| (f.kind, f.variable))
        .collect();
    assert_eq!(kept, kinds(&out));
    assert_eq!(kept.len(), 3);
}

#[test]
fn traces_are_dumped_and_exported() {
    let scratch = Scratch::new("analyze-forms");
    let trace = trace(&scratch, "run.std", TRACE);
    let out = analyze(&trace, &["--dump"]);
    assert_eq!(out.code, 0, "{}", out.describe());
    assert!(
        out.stdout
            .contains("thread 1 \"T1\": locks L2 at location.22(location:22)\n"),
        "{}",
        out.describe()
    );

    let exported = scratch.join("again.std");
    let out = analyze(&trace, &["--export-std", exported.to_str().unwrap()]);
    assert_eq!(
        (out.code, out.stdout.as_str(), out.stderr.as_str()),
        (0, "", ""),
        "{}",
        out.describe()
    );
    let found = analyze(&exported, &["--format", "json"]);
    let kinds: Vec<Kind> = kinds(&found).into_iter().map(|f| f.0).collect();
    assert_eq!(kinds, [Kind::Race, Kind::PotentialRace, Kind::LockOrder]);
}

#[test]
fn bad_traces_are_named_with_the_line_and_nothing_is_written() {
    let scratch = Scratch::new("analyze-bad");
    let good = trace(&scratch, "good.std", TRACE);
    let bad = trace(&scratch, "bad.std", "T0|w(V1)|1\nT0|steal(V1)|2\n");
    let damaged = trace(&scratch, "damaged.trace", "RWTRACE\u{5}\u{7f}");
    let newer = trace(&scratch, "newer.trace", "RWTRACE\u{9}");
    let folder = scratch.join("findings");
    for (path, cause) in [
        (&bad, "bad.std: line 2: unknown operation \"steal\"\n"),
        (&damaged, "damaged.trace: damaged at byte 8: "),
        (
            &newer,
            "newer.trace: a trace of version 9, this racewire reads version 5\n",
        ),
        (&scratch.join("none"), "none: No such file or directory"),
    ] {
        let args = [
            "analyze".as_ref(),
            good.as_os_str(),
            path.as_os_str(),
            "-o".as_ref(),
            folder.as_os_str(),
        ];
        let out = racewire(args);
        assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{}", out.describe());
        assert!(
            out.stderr.contains(cause) && out.stderr.lines().count() == 1,
            "{}",
            out.describe()
        );
        assert!(!folder.exists(), "findings were written\n{}", out.describe());
    }
    let out = analyze(&good, &["--from", "racewire"]);
    assert!(
        out.code == 2 && out.stderr.contains("good.std: not a racewire trace"),
        "{}",
        out.describe()
    );
    let out = analyze(&good, &["--detector", "magic"]);
    assert!(
        out.code == 2 && out.stderr.contains("no such detector"),
        "{}",
        out.describe()
    );
    let out = analyze(&bad, &["--export-std", scratch.join("out.std").to_str().unwrap()]);
    assert!(
        out.code == 2 && !scratch.join("out.std").exists(),
        "{}",
        out.describe()
    );
}

/// A trace of Racewire's own form: two threads write a field, and its class is annotated if `annotated` says so.
fn written_trace(path: &Path, annotated: Vec<String>) {
    let site = Site {
        kind: EventKind::Write,
        class: "com.acme.Counter".into(),
        method: "add".into(),
        descriptor: "()V".into(),
        file: Some("Counter.java".into()),
        line: 7,
        field: Some(Field {
            class: "com.acme.Counter".into(),
            name: "hits".into(),
            kind: "int".into(),
            is_static: true,
            number: 0,
        }),
        mark: Mark::default(),
        named_by: (AccessKind::Write, 0),
        repeated_at: Vec::new(),
    };
    let process = Process {
        pid: 7,
        started_ms: 1,
        java: "17".into(),
        unwoven: 0,
        detectors: String::new(),
        annotated,
    };
    let mut trace = TraceWriter::new(File::create(path).unwrap(), &process).unwrap();
    let site = trace.site(&site).unwrap();
    for child in [1, 2] {
        trace.thread(child, "worker", 0).unwrap();
        trace.event(&Event::Fork { thread: 0, child }).unwrap();
    }
    for thread in [1, 2] {
        let variable = Variable {
            owner: 0,
            part: Part::Field(0),
        };
        let at = Place { site, stack: 0 };
        trace
            .event(&Event::Access {
                thread,
                kind: AccessKind::Write,
                variable,
                at,
                mark: Mark::default(),
            })
            .unwrap();
    }
    trace.end().unwrap();
}

#[test]
fn annotations_suppressions_and_baselines_hold_for_traces_too() {
    let scratch = Scratch::new("analyze-living");
    let at = |name: &str| scratch.join(name);
    written_trace(&at("plain"), Vec::new());
    written_trace(&at("annotated"), vec!["class com.acme.Counter".into()]);
    let out = analyze(&at("plain"), &[]);
    assert_eq!(out.code, FOUND, "{}", out.describe());
    assert!(
        out.stdout.contains("'int com.acme.Counter.hits'"),
        "{}",
        out.describe()
    );
    analyze(&at("annotated"), &[]).expect_code(0);
    let accepted = scratch.write(
        "accepted.toml",
        "[[suppress]]\nvariable = 'com.acme.Counter.hits'\nreason = 'a test'\n",
    );
    analyze(&at("plain"), &["--suppressions", accepted.to_str().unwrap()]).expect_code(0);
    let report = analyze(&at("plain"), &["--format", "json"]).stdout;
    let known = scratch.write("known.json", report);
    analyze(&at("plain"), &["--baseline", known.to_str().unwrap()]).expect_code(0);
}
