//! The sharing log names exactly the places that the program marks, and a class that was woven for one detector is
//! of no use to another.

mod apps;
mod oracle;

use crate::harness::java::{Compile, Java};
use crate::harness::jdk;
use crate::harness::racewire::{Detector, FOUND, findings, monitored, thread_patch, weave, weave_apart};
use crate::harness::scratch::Scratch;
use crate::harness::{parallel, tests_dir};
use oracle::{Log, analyse, analyse_for, marks, refuted, traps};
use racewire_analysis::maybe_shared::Proof;
use racewire_model::detectors::DetectorName;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Category, line, kind and field.
type Line = (String, String, String, String);

fn source() -> PathBuf {
    tests_dir().join("sharing/Sharing.java")
}

/// Each says more than the one before.
const CATEGORIES: [&str; 3] = ["touched", "late", "common"];

/// Marks are `//# late write n, touched read m`; what is late is touched, too, and what is common is both.
fn marked() -> BTreeSet<Line> {
    let source = std::fs::read_to_string(source()).unwrap();
    let mut lines = BTreeSet::new();
    for (number, line) in (1..).zip(source.lines()) {
        let Some((_, marks)) = line.split_once("//# ") else {
            continue;
        };
        for mark in marks.split(", ") {
            let [category, kind, field] = *mark.split(' ').collect::<Vec<_>>() else {
                panic!("line {number}: {mark}");
            };
            let last = CATEGORIES.iter().position(|c| *c == category).unwrap();
            for category in &CATEGORIES[..=last] {
                lines.insert((
                    (*category).to_owned(),
                    number.to_string(),
                    kind.to_owned(),
                    field.to_owned(),
                ));
            }
        }
    }
    lines
}

#[test]
fn the_log_names_exactly_the_marked_places() {
    let scratch = Scratch::new("sharing");
    let woven = scratch.join("woven");
    weave(
        &Compile::new([source()]).classes(),
        &woven,
        &["--quiet", "--monitor", "all"],
    );
    for jdk in jdk::all() {
        for (nth, exits) in [false, true].into_iter().enumerate() {
            let log = scratch.join(format!("{}-{nth}.tsv", jdk.version));
            let found = scratch.join("findings");
            let mut java = Java::new(jdk)
                .args(monitored(&found))
                .arg(format!("-Dracewire.sharing={}", log.display()));
            if exits {
                java = java.arg(thread_patch(jdk));
            }
            let mut java = java.class_path(&[&woven]).arg("Sharing");
            if exits {
                java = java.arg("exit");
            }
            let out = java.run().expect_code(if exits { 3 } else { 0 });
            assert_eq!(out.stdout, "done\n", "{}", out.describe());
            assert!(!found.exists(), "races are not looked for");

            let text = std::fs::read_to_string(&log).unwrap_or_else(|e| panic!("{e}\n{}", out.describe()));
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines.is_sorted(), "{text}");
            assert!(
                lines
                    .iter()
                    .any(|l| l.starts_with("touched\tSharing$Point\t<init>\t()V\t")
                        && l.ends_with("\twrite\tSharing$Point\tx")),
                "{text}"
            );
            let logged: BTreeSet<Line> = lines
                .iter()
                .map(|line| match *line.split('\t').collect::<Vec<_>>() {
                    [category, _, _, _, line, kind, _, field] => {
                        (category.into(), line.into(), kind.into(), field.into())
                    }
                    _ => panic!("{line}"),
                })
                .collect();
            assert_eq!(lines.len(), logged.len(), "each once\n{text}");
            let marked = marked();
            assert!(
                logged == marked,
                "JDK {}\nnot logged: {:?}\nnot marked: {:?}",
                jdk.version,
                marked.difference(&logged),
                logged.difference(&marked)
            );
        }
    }
}

#[test]
fn what_is_woven_for_one_detector_is_not_monitored_with_another() {
    let scratch = Scratch::new("valid-for");
    let plain = Compile::new([tests_dir().join("programs/TryLockRaces.java")]).classes();
    let woven = scratch.join("woven");
    weave(&plain, &woven, &["--quiet", "--detector", "eraser"]);
    for jdk in jdk::all() {
        for detector in Detector::ALL {
            let found = scratch.join(format!("{}-{}", detector.name(), jdk.version));
            let out = Java::new(jdk)
                .arg(format!("-Dracewire.findings={}", found.display()))
                .arg(detector.jvm_option())
                .class_path(&[&woven])
                .arg("TryLockRaces")
                .run();
            let refused = "racewire: monitoring is off: TryLockRaces";
            let expected = if detector == Detector::Eraser { FOUND } else { 0 };
            assert_eq!(out.code, expected, "{}", out.describe());
            assert_eq!(
                (findings(&found).is_empty(), out.stderr.contains(refused)),
                (expected == 0, expected == 0),
                "{}",
                out.describe()
            );
        }
    }
}

#[test]
fn a_run_that_names_no_detector_goes_by_the_one_it_was_woven_for() {
    let scratch = Scratch::new("woven-for");
    let plain = Compile::new([tests_dir().join("programs/TryLockRaces.java")]).classes();
    // Or names one that there is not.
    for (detector, options, named) in [
        ("eraser", &["--detector", "eraser"][..], Some("psychic")),
        ("racer", &["--detector", "racer", "--monitor", "all"], None),
        ("hybrid", &[], None),
    ] {
        let woven = scratch.join(detector);
        weave(&plain, &woven, &[&["--quiet"], options].concat());
        let found = scratch.join(format!("{detector}-findings"));
        let java = Java::new(jdk::oldest()).arg(format!("-Dracewire.findings={}", found.display()));
        let java = java.args(named.map(|name| format!("-Dracewire.detector={name}")));
        let out = java.class_path(&[&woven]).arg("TryLockRaces").run();
        assert_eq!(out.code, FOUND, "{}", out.describe());
        assert_eq!(
            out.stderr.contains(&format!("; using {detector}\n")),
            named.is_some(),
            "{}",
            out.describe()
        );
        let by: BTreeSet<String> = findings(&found).into_iter().map(|f| f.detector).collect();
        assert_eq!(by, BTreeSet::from([detector.to_owned()]), "{}", out.describe());
    }
}

/// Runs the main class with everything woven and gives what two threads shared.
fn seen(classes: &Path, main: &str, jdk: &jdk::Jdk, scratch: &Scratch) -> Log {
    let woven = scratch.join("woven-all");
    if !woven.exists() {
        weave_apart(classes, &woven, &["--quiet", "--monitor", "all"]);
    }
    let log = scratch.join(format!("{}.tsv", jdk.version));
    Java::new(jdk)
        .args(monitored(&scratch.join("findings")))
        .arg(format!("-Dracewire.sharing={}", log.display()))
        .woven_apart(jdk, &woven)
        .arg(main)
        .run();
    Log::read(&log)
}

/// What runs see of the traps refutes nothing that the analysis says of them, with the main class known or not; what
/// they mark as shared is never taken for a thread's own.
#[test]
fn no_trap_is_fallen_into() {
    let (proved, local) = (AtomicU32::new(0), AtomicU32::new(0));
    parallel::check_all(
        &traps(),
        |source| source.file_stem().unwrap().to_string_lossy().into_owned(),
        |source| {
            let main = source.file_stem().unwrap().to_string_lossy().into_owned();
            let scratch = Scratch::new(&main);
            let classes = Compile::new([source.clone()]).classes();
            for jdk in jdk::all() {
                let log = seen(&classes, &main, jdk, &scratch);
                for known in [Some(main.as_str()), None] {
                    let answer = analyse(&classes, &[], known, &jdk.home);
                    let mut wrong = refuted(&answer, &log);
                    for (line, field, kind) in marks(source) {
                        let verdicts = answer.at(line, &field);
                        let is_own = |v: &Option<Proof>| {
                            matches!(v, Some(Proof::NeverRuns | Proof::ThreadLocal | Proof::OneThread))
                        };
                        if kind == "shared" && verdicts.iter().any(is_own) {
                            wrong.push(format!("line {line}: {field} is marked shared: {verdicts:?}"));
                        } else if kind == "local" && known.is_some() && jdk.version == jdk::oldest().version {
                            local.fetch_add(1, Ordering::Relaxed);
                            let is_proved = verdicts.iter().all(Option::is_some);
                            proved.fetch_add(u32::from(is_proved), Ordering::Relaxed);
                        }
                    }
                    assert!(
                        wrong.is_empty(),
                        "JDK {}, main {known:?}:\n{}",
                        jdk.version,
                        wrong.join("\n")
                    );
                }
            }
        },
    );
    println!("{proved:?} of {local:?} accesses marked local are proved to be");
}

/// An access that repeats an earlier one goes only if nothing was released in between.
#[test]
fn a_release_ends_the_stretch_in_which_accesses_repeat_each_other() {
    let source = tests_dir().join("sharing/programs/ReleasesBetween.java");
    let classes = Compile::new([source.clone()]).classes();
    for detector in [DetectorName::HappensBefore, DetectorName::Hybrid] {
        for main in [Some("ReleasesBetween"), None] {
            let answer = analyse_for(detector, &classes, &[], main, &jdk::oldest().home);
            let mut wrong = Vec::new();
            for (line, field, kind) in marks(&source) {
                let verdicts = answer.at(line, &field);
                let goes = match kind.as_str() {
                    "stays" => false,
                    "locked" => detector == DetectorName::HappensBefore,
                    // A library's users may have callbacks of their own.
                    "goes" if main.is_none() => continue,
                    "goes" => true,
                    other => panic!("line {line}: {other}"),
                };
                let expected = goes.then_some(Proof::Redundant);
                if verdicts.is_empty() || verdicts.iter().any(|v| *v != expected) {
                    wrong.push(format!("line {line}: {kind}: {verdicts:?}"));
                }
            }
            assert!(
                wrong.is_empty(),
                "{detector}, main {main:?}:\n{}",
                wrong.join("\n")
            );
        }
    }
}
