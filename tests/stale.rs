//! The detector `stale` in runs: exactly the marked uses are reported, alone and beside other detectors; `racewire check`
//! puts first what a run confirms; a class that was not woven for it is refused.

use crate::harness::java::{Compile, Java};
use crate::harness::jdk::Jdk;
use crate::harness::process::Output;
use crate::harness::racewire::{FOUND, findings, monitored, racewire, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{jdk, tests_dir};
use racewire_model::finding::{Access, Confidence, EventKind, Finding, Kind, Report, Tier};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const MAIN: &str = "stale.Flows";
/// What decides who comes when is not to be seen.
const OPTIONS: [&str; 5] = ["--quiet", "--exclude", "stale.Turns", "--main", MAIN];

fn marked() -> BTreeSet<u32> {
    let text = std::fs::read_to_string(tests_dir().join("stale/Flows.java")).unwrap();
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| line.contains("// expect stale"))
        .map(|(number, _)| number)
        .collect()
}

/// Where old values were used.
fn stale(findings: &[Finding]) -> BTreeSet<u32> {
    let stale = findings.iter().filter(|f| f.kind == Kind::StaleValue);
    stale.filter_map(|f| Some(f.accesses.last()?.line)).collect()
}

fn compile() -> PathBuf {
    let sources = ["stale/Flows.java", "stale/Turns.java"].map(|name| tests_dir().join(name));
    Compile::with(jdk::oldest(), sources).classes()
}

fn run(jdk: &Jdk, detectors: &str, woven: &Path, folder: &Path) -> Output {
    Java::new(jdk)
        .args(monitored(folder))
        .arg(format!("-Dracewire.detector={detectors}"))
        .class_path(&[woven])
        .arg(MAIN)
        .run()
}

#[test]
fn values_that_others_have_changed_are_reported() {
    let scratch = Scratch::new("stale");
    let classes = compile();
    for detectors in ["stale", "hybrid,views,stale"] {
        let woven = scratch.join(format!("woven-{detectors}"));
        weave(
            &classes,
            &woven,
            &[&OPTIONS[..], &["--detector", detectors]].concat(),
        );
        for jdk in jdk::all() {
            let folder = scratch.join(format!("findings-{detectors}-{}", jdk.version));
            let out = run(jdk, detectors, &woven, &folder);
            let found = findings(&folder);
            let case = format!("{detectors}, JDK {}\n{}", jdk.version, out.describe());
            assert_eq!(stale(&found), marked(), "{case}");
            assert_eq!(out.code, FOUND, "{case}");
            for finding in found.iter().filter(|f| f.kind == Kind::StaleValue) {
                let [read, write, used] = finding.accesses.as_slice() else {
                    panic!("{finding:#?}");
                };
                assert_eq!((read.kind, write.kind), (EventKind::Read, EventKind::Write));
                let threads = [read, write, used].map(|access| access.thread.as_str());
                assert_eq!(threads, ["one", "other", "one"], "{finding:#?}");
                assert!(used.stack_complete, "{finding:#?}");
            }
            // Two variables are read on its line, and only one of them is written.
            let by_ways = found
                .iter()
                .filter(|f| f.accesses.iter().any(|a| a.method == "byWays"));
            let variables: Vec<&str> = by_ways.map(|f| f.variable.as_str()).collect();
            assert_eq!(variables, ["stale.Flows$Counter.count"], "{case}");
            let twice = found
                .iter()
                .find(|f| f.accesses.iter().any(|a| a.method == "lostUpdate"))
                .unwrap();
            assert!(twice.accesses.iter().all(|a| a.stack_complete), "{twice:#?}");
        }
    }
}

/// Variable, fingerprint, and where it was read, written and used.
type Uses = BTreeSet<(String, String, Vec<(String, u32)>)>;

fn uses(findings: &[Finding]) -> Uses {
    let place = |a: &Access| (a.method.clone(), a.line);
    let stale = findings.iter().filter(|f| f.kind == Kind::StaleValue);
    stale
        .map(|f| {
            let places = f.accesses.iter().map(place).collect();
            (f.variable.clone(), f.fingerprint.clone(), places)
        })
        .collect()
}

#[test]
fn a_recorded_run_gives_the_stale_uses_of_the_run() {
    let scratch = Scratch::new("stale-recorded");
    let classes = compile();
    for detectors in ["stale", "hybrid,views,stale"] {
        let woven = scratch.join(format!("woven-{detectors}"));
        weave(
            &classes,
            &woven,
            &[&OPTIONS[..], &["--detector", detectors]].concat(),
        );
        let folder = scratch.join(format!("findings-{detectors}"));
        let trace = scratch.join(format!("{detectors}.trace"));
        let out = Java::new(jdk::oldest())
            .args(monitored(&folder))
            .arg(format!("-Dracewire.detector={detectors}"))
            .arg(format!("-Dracewire.trace={}", trace.display()))
            .class_path(&[&woven])
            .arg(MAIN)
            .run();
        assert_eq!(out.code, FOUND, "{}", out.describe());
        let run = findings(&folder);
        assert_eq!(stale(&run), marked(), "{}", out.describe());
        let analyze = ["analyze", "--detector", "stale", "--format", "json"].map(PathBuf::from);
        let out = racewire(analyze.into_iter().chain([trace.clone()])).expect_code(FOUND);
        let report: Report = serde_json::from_str(&out.stdout).unwrap();
        assert_eq!(uses(&report.findings), uses(&run), "{detectors}");
        let threads = |f: &Finding| f.accesses.iter().map(|a| a.thread.clone()).collect::<Vec<_>>();
        assert!(
            report
                .findings
                .iter()
                .all(|f| threads(f) == ["one", "other", "one"]),
            "{:#?}",
            report.findings
        );
    }
}

#[test]
fn a_run_that_was_not_recorded_for_stale_is_refused() {
    let scratch = Scratch::new("stale-not-recorded");
    let (woven, trace) = (scratch.join("woven"), scratch.join("of.trace"));
    weave(
        &compile(),
        &woven,
        &[&OPTIONS[..], &["--detector", "hybrid"]].concat(),
    );
    Java::new(jdk::oldest())
        .args(monitored(&scratch.join("findings")))
        .arg(format!("-Dracewire.trace={}", trace.display()))
        .class_path(&[&woven])
        .arg(MAIN)
        .run();
    let analyze = ["analyze", "--detector", "stale"].map(PathBuf::from);
    let out = racewire(analyze.into_iter().chain([trace])).expect_code(2);
    assert!(out.stderr.contains("stale"), "{}", out.describe());
}

#[test]
fn what_a_run_confirms_comes_first() {
    let scratch = Scratch::new("stale-confirmed");
    let classes = compile();
    let (woven, folder) = (scratch.join("woven"), scratch.join("findings"));
    weave(
        &classes,
        &woven,
        &[&OPTIONS[..], &["--detector", "stale"]].concat(),
    );
    run(jdk::oldest(), "stale", &woven, &folder);
    let arguments = [
        "check",
        "--exclude",
        "stale.Turns",
        "--main",
        MAIN,
        "--format",
        "json",
    ];
    let arguments = arguments.into_iter().map(PathBuf::from).chain([classes.clone()]);
    let confirmed_by = [PathBuf::from("--confirmed-by"), folder.clone()];
    let out = racewire(arguments.clone().chain(confirmed_by)).expect_code(FOUND);
    let report: Report = serde_json::from_str(&out.stdout).unwrap();
    let confirmed: Vec<bool> = report
        .findings
        .iter()
        .map(|f| {
            let confirmed = f.confidence == Some(Confidence::Confirmed);
            assert_eq!(confirmed, f.tier == Tier::StaticAndRun, "{f:#?}");
            assert_eq!(confirmed, f.message.contains("A run confirms it"), "{f:#?}");
            confirmed
        })
        .collect();
    assert!(confirmed.is_sorted_by(|one, next| one >= next), "{confirmed:?}");
    let (seen, others) = report.findings.split_at(confirmed.iter().filter(|c| **c).count());
    // Whose values nobody changed in the run is still found in the code.
    let of = |findings: &[Finding], method: &str| {
        let mut last = findings.iter().filter_map(|f| f.accesses.last());
        last.any(|access| access.method == method)
    };
    assert!(
        of(seen, "lostUpdate") && of(seen, "byCalls") && of(seen, "inMap"),
        "{seen:#?}"
    );
    assert!(
        of(others, "lostInTime") && of(others, "byCallsInTime"),
        "{others:#?}"
    );
    assert!(!of(seen, "lostInTime") && !of(seen, "byCallsInTime"), "{seen:#?}");
    let lines = stale(seen);
    assert!(marked().is_subset(&lines), "{lines:?}");

    // Without the run there is the same to be found, and nothing is certain.
    let out = racewire(arguments.clone()).expect_code(FOUND);
    let plain: Report = serde_json::from_str(&out.stdout).unwrap();
    assert_eq!(plain.findings.len(), report.findings.len());
    assert!(
        plain
            .findings
            .iter()
            .all(|f| f.tier == Tier::Static && f.confidence.is_some())
    );

    let nowhere = [PathBuf::from("--confirmed-by"), scratch.join("nowhere")];
    let out = racewire(arguments.chain(nowhere)).expect_code(2);
    assert!(out.stderr.contains("nowhere"), "{}", out.describe());
}

#[test]
fn what_was_not_woven_for_stale_is_refused() {
    let scratch = Scratch::new("stale-refused");
    let woven = scratch.join("woven");
    weave(
        &compile(),
        &woven,
        &[&OPTIONS[..], &["--detector", "hybrid"]].concat(),
    );
    let out = run(jdk::oldest(), "hybrid,stale", &woven, &scratch.join("findings"));
    assert!(out.stderr.contains("monitoring is off"), "{}", out.describe());
    assert!(
        out.stderr.contains("racewire weave --detector hybrid,stale"),
        "{}",
        out.describe()
    );
}
