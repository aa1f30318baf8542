//! `-Dracewire.trace=FILE`: a run records its events, and `racewire analyze` finds in them what the run found.

use crate::harness::java::Java;
use crate::harness::jdk::{self, Jdk};
use crate::harness::parallel;
use crate::harness::process::Output;
use crate::harness::racewire::{FOUND, findings, monitored, racewire, weave};
use crate::harness::scratch::Scratch;
use crate::order::Program;
use racewire_model::finding::{Access, Finding, Report};
use racewire_trace::{Definition, Record, TraceReader};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Kind, variable and places; two runs may see the two sides in either order.
type Claims = BTreeSet<(String, String, Vec<(String, u32)>)>;

fn claims(findings: &[Finding]) -> Claims {
    let claim = |f: &Finding| {
        let place = |a: &Access| (a.file.clone().unwrap_or_default(), a.line);
        let mut places: Vec<(String, u32)> = f.accesses.iter().map(place).collect();
        places.sort();
        (format!("{:?}", f.kind), f.variable.clone(), places)
    };
    findings.iter().map(claim).collect()
}

fn analyze(trace: &Path, options: &[&str]) -> Output {
    let mut args: Vec<&OsStr> = vec!["analyze".as_ref(), trace.as_ref()];
    args.extend(options.iter().map(OsStr::new));
    racewire(args)
}

fn analyzed(trace: &Path, options: &[&str]) -> Vec<Finding> {
    let out = analyze(trace, &[options, &["--format", "json"]].concat());
    assert_eq!((out.code, out.stderr.as_str()), (FOUND, ""), "{}", out.describe());
    let report: Report =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}\n{}", out.describe()));
    report.findings
}

/// The cases of `order`, woven for these detectors.
fn woven(program: &Program, scratch: &Scratch, detectors: &str) -> PathBuf {
    let woven = scratch.join(format!("woven-{detectors}"));
    let home = program.jdk.home.to_string_lossy();
    let options = [
        "--quiet",
        "--jdk",
        &home,
        "--detector",
        detectors,
        "--monitor",
        "all",
    ];
    weave(
        &program.classes,
        &woven,
        &[&options[..], &["--exclude", "invisible.**"]].concat(),
    );
    woven
}

fn java(jdk: &Jdk, woven: &Path, found: &Path, detectors: &str, trace: &str) -> Java {
    Java::new(jdk)
        .lightly()
        .args(monitored(found))
        .arg(format!("-Dracewire.detector={detectors}"))
        .arg(format!("-Dracewire.trace={trace}"))
        .class_path(&[woven])
        .arg(crate::order::MAIN)
}

#[test]
fn a_recorded_run_gives_the_findings_of_the_run() {
    let ways = [
        (jdk::oldest(), "hybrid,lock_order"),
        (jdk::newest(), "happens_before"),
        (jdk::oldest(), "racer"),
    ];
    parallel::check_all(
        &ways,
        |(jdk, detectors)| format!("JDK {}, {detectors}", jdk.version),
        |(jdk, detectors)| {
            let (program, scratch) = (Program::on(jdk), Scratch::new("recorded"));
            let woven = woven(program, &scratch, detectors);
            let found = scratch.join(format!("findings-{detectors}"));
            let trace = scratch.join("of-%p.trace");
            let out = java(jdk, &woven, &found, detectors, &trace.to_string_lossy())
                .args(program.families())
                .run();
            assert_eq!(out.code, FOUND, "{}", out.describe());
            let trace = scratch.join(format!("of-{}.trace", pid(&found)));
            let (run, offline) = (findings(&found), analyzed(&trace, &["--detector", *detectors]));
            assert!(run.len() > 100, "{}", out.describe());
            let [a, b] = [claims(&run), claims(&offline)];
            let only = |x: &Claims, y: &Claims| x.difference(y).cloned().collect::<Vec<_>>();
            assert_eq!(
                (only(&a, &b), only(&b, &a)),
                (vec![], vec![]),
                "only the run, only the trace"
            );
        },
    );
}

/// What a final field orders is asked of the heap, which a trace does not have: the run tells it.
#[test]
fn final_fields_order_in_recorded_runs_as_in_others() {
    let (program, scratch) = (Program::on(jdk::oldest()), Scratch::new("recorded"));
    for detector in ["hybrid", "happens_before"] {
        let woven = woven(program, &scratch, detector);
        let [plain, recorded] = ["plain", "recorded"].map(|n| scratch.join(format!("{n}-{detector}")));
        let trace = scratch.join(format!("{detector}.trace"));
        let run = |found: &Path, trace: &str| {
            let java = java(program.jdk, &woven, found, detector, trace);
            let out = java.arg("Initialisers").run();
            assert_eq!(out.code, FOUND, "{}", out.describe());
            claims(&findings(found))
        };
        let expected = run(&plain, "");
        assert!(expected.len() > 10, "{expected:#?}");
        assert_eq!(run(&recorded, &trace.to_string_lossy()), expected, "{detector}");
        assert_eq!(
            claims(&analyzed(&trace, &["--detector", detector])),
            expected,
            "{detector}"
        );
    }
}

/// The process that wrote the only findings file.
fn pid(found: &Path) -> String {
    let mut files = std::fs::read_dir(found).unwrap();
    let name = files.next().unwrap().unwrap().file_name();
    name.to_string_lossy().split('-').next().unwrap().to_owned()
}

/// Where the places of a trace are, by their numbers, which are all that the std format says of them.
fn places(trace: &Path) -> BTreeMap<u32, (String, u32)> {
    let file = BufReader::new(File::open(trace).unwrap());
    let mut reader = TraceReader::new(file).unwrap();
    let mut places = BTreeMap::new();
    while let Some(record) = reader.next_record().unwrap() {
        if let Record::Define(Definition::Site(site)) = record {
            places.insert(
                places.len() as u32 + 1,
                (site.file.unwrap_or_default(), site.line),
            );
        }
    }
    places
}

#[test]
fn an_exported_run_has_the_races_of_the_run() {
    let (program, scratch) = (Program::on(jdk::oldest()), Scratch::new("recorded"));
    let woven = woven(program, &scratch, "happens_before");
    let (found, trace) = (scratch.join("findings"), scratch.join("run.trace"));
    // Without read locks and atomic variables, which the std format does not know.
    let families = [
        "Monitors",
        "Volatiles",
        "Threads",
        "Queues",
        "Executors",
        "Barriers",
        "Arrays",
    ];
    let java = java(
        program.jdk,
        &woven,
        &found,
        "happens_before",
        &trace.to_string_lossy(),
    );
    java.args(families).run().expect_code(FOUND);
    let exported = scratch.join("run.std");
    analyze(&trace, &["--export-std", exported.to_str().unwrap()]).expect_code(0);
    let places = places(&trace);
    let lines = |finding: &Finding, place: &dyn Fn(&Access) -> (String, u32)| {
        let mut lines: Vec<(String, u32)> = finding.accesses.iter().map(place).collect();
        lines.sort();
        lines
    };
    let of_run: BTreeSet<_> = findings(&found)
        .iter()
        .map(|f| lines(f, &|a| (a.file.clone().unwrap_or_default(), a.line)))
        .collect();
    let of_std: BTreeSet<_> = analyzed(&exported, &["--detector", "happens_before"])
        .iter()
        .map(|f| lines(f, &|a| places[&a.line].clone()))
        .collect();
    assert!(of_run.len() > 50, "{of_run:?}");
    assert_eq!(of_std, of_run);
}

#[test]
fn what_cannot_be_recorded_is_said_once_and_the_run_goes_on() {
    let (program, scratch) = (Program::on(jdk::oldest()), Scratch::new("unrecorded"));
    let woven = woven(program, &scratch, "racer");
    let run = |trace: &str, name: &str| {
        let found = scratch.join(name);
        let out = java(program.jdk, &woven, &found, "racer", trace)
            .arg("Fields")
            .run();
        assert_eq!(out.code, FOUND, "{}", out.describe());
        (out, claims(&findings(&found)))
    };
    let trace = scratch.join("run.trace");
    let (out, claims) = run(trace.to_str().unwrap(), "recorded");
    assert!(!out.stderr.contains("trace"), "{}", out.describe());
    // One cannot be made, the other has no room.
    for bad in ["/nowhere/at/all.trace", "/dev/full"] {
        let (out, same) = run(bad, bad.rsplit('/').next().unwrap());
        let said: Vec<&str> = out
            .stderr
            .lines()
            .filter(|l| l.contains("the trace ends here"))
            .collect();
        assert_eq!(said.len(), 1, "{}", out.describe());
        assert!(said[0].contains(bad), "{}", out.describe());
        assert_eq!(same, claims, "{}", out.describe());
    }
    // What the run did not look at is not there.
    let out = analyze(&trace, &["--detector", "hybrid"]).expect_code(2);
    assert!(
        out.stderr
            .contains("recorded with racewire.detector=racer, it lacks what hybrid looks at"),
        "{}",
        out.describe()
    );
    assert_eq!(
        analyze(&trace, &[]).code,
        FOUND,
        "by default the run's own detector"
    );
}
