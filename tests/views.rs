//! The detector `views` in runs: exactly the marked halves are reported, alone and beside another detector, and a class
//! that was not woven for it is refused.

use crate::harness::java::{Compile, Java};
use crate::harness::racewire::{FOUND, findings, monitored, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{jdk, tests_dir};
use racewire_model::finding::{EventKind, Finding, Kind};
use std::collections::BTreeSet;

fn marked(text: &str) -> BTreeSet<u32> {
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| line.contains("// expect torn"))
        .map(|(number, _)| number)
        .collect()
}

/// Where the halves of what is torn were touched.
fn torn(findings: &[Finding]) -> BTreeSet<u32> {
    let high_level = findings.iter().filter(|f| f.kind == Kind::HighLevelRace);
    high_level
        .flat_map(|f| f.accesses.iter().take(2).map(|a| a.line))
        .collect()
}

#[test]
fn halves_of_what_belongs_together_are_reported() {
    let source = tests_dir().join("views/Pairs.java");
    let marks = marked(&std::fs::read_to_string(&source).unwrap());
    let scratch = Scratch::new("views");
    let classes = Compile::with(jdk::oldest(), [source]).classes();
    for detectors in ["views", "hybrid,views"] {
        let woven = scratch.join(format!("woven-{detectors}"));
        let options = ["--quiet", "--detector", detectors, "--main", "views.Pairs"];
        weave(&classes, &woven, &options);
        for jdk in jdk::all() {
            let folder = scratch.join(format!("findings-{detectors}-{}", jdk.version));
            let out = Java::new(jdk)
                .args(monitored(&folder))
                .arg(format!("-Dracewire.detector={detectors}"))
                .class_path(&[&woven])
                .arg("views.Pairs")
                .run();
            let found = findings(&folder);
            assert_eq!(
                torn(&found),
                marks,
                "{detectors}, JDK {}\n{}",
                jdk.version,
                out.describe()
            );
            assert_eq!(out.code, FOUND, "{}", out.describe());
            let whole_is_opposite = found.iter().filter(|f| f.kind == Kind::HighLevelRace).all(|f| {
                let kinds: Vec<EventKind> = f.accesses.iter().map(|a| a.kind).collect();
                kinds.len() == 4 && kinds[0] == kinds[1] && kinds[2] == kinds[3] && kinds[0] != kinds[2]
            });
            assert!(whole_is_opposite, "{found:#?}");
            // Each access with who called it: the lambda, and the thread that ran it.
            let accesses = || {
                found
                    .iter()
                    .filter(|f| f.kind == Kind::HighLevelRace)
                    .flat_map(|f| &f.accesses)
            };
            assert!(accesses().all(|a| a.stack.len() > 2), "{found:#?}");
            assert!(accesses().any(|a| a.stack_complete), "{found:#?}");
        }
    }
}

#[test]
fn what_was_not_woven_for_views_is_refused() {
    let scratch = Scratch::new("views-refused");
    let classes = Compile::with(jdk::oldest(), [tests_dir().join("views/Pairs.java")]).classes();
    let woven = scratch.join("woven");
    weave(&classes, &woven, &["--quiet", "--detector", "hybrid"]);
    let out = Java::new(jdk::oldest())
        .args(monitored(&scratch.join("findings")))
        .arg("-Dracewire.detector=hybrid,views")
        .class_path(&[&woven])
        .arg("views.Pairs")
        .run();
    assert!(out.stderr.contains("monitoring is off"), "{}", out.describe());
}
