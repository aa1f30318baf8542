//! `explain` says why each access is monitored or not, and the summary of `weave` adds up.

use crate::harness::java::Compile;
use crate::harness::process::Output;
use crate::harness::racewire::{racewire, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{jdk, tests_dir};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

fn program(name: &str) -> PathBuf {
    let source = tests_dir().join("explain").join(name).with_extension("java");
    Compile::new([source]).classes()
}

/// With the JDK that compiled it.
fn weave_for(classes: &Path, woven: &Path, options: &[&str]) -> Output {
    let home = jdk::oldest().home.to_string_lossy().into_owned();
    weave(classes, woven, &[&["--jdk", &home], options].concat())
}

fn explain(woven: &Path, target: &str) -> Output {
    racewire([OsStr::new("explain"), woven.as_os_str(), OsStr::new(target)])
}

/// What is said of a target that there is.
fn explained(woven: &Path, target: &str) -> String {
    explain(woven, target).expect_code(0).stdout
}

/// `Proofs.java:N`, the only line of the source with that text.
fn line_of(text: &str) -> String {
    let source = std::fs::read_to_string(tests_dir().join("explain/Proofs.java")).unwrap();
    let numbered = (1..).zip(source.lines());
    let found: Vec<u32> = numbered
        .filter(|(_, l)| l.contains(text))
        .map(|(n, _)| n)
        .collect();
    let [number] = found.as_slice() else {
        panic!("{text}: lines {found:?}");
    };
    format!("Proofs.java:{number}")
}

/// The verdict on an access on the only line with that text.
fn at(text: &str, verdict: &str) -> String {
    format!("({}): {verdict}", line_of(text))
}

fn assert_all<S: AsRef<str>>(text: &str, parts: &[S]) {
    for part in parts.iter().map(AsRef::as_ref) {
        assert!(text.contains(part), "'{part}' is not in\n{text}");
    }
}

#[test]
fn every_proof_is_told() {
    let scratch = Scratch::new("proofs");
    let woven = scratch.join("woven");
    weave_for(&program("Proofs"), &woven, &["--quiet", "--main", "Proofs"]);

    let class = explained(&woven, "Proofs");
    assert_all(
        &class,
        &[
            at(
                "counter = 7",
                "not monitored: nothing that the main class starts calls the method\n",
            ),
            at(
                "counter + counter",
                "not monitored: it repeats an earlier access, and nothing",
            ),
            at("mains++", "not monitored: only one thread touches the field\n"),
        ],
    );
    let field = |name| explained(&woven, name);
    assert_all(
        &field("Proofs$Worker.box"),
        &[": not monitored: its object is the task of one thread"],
    );
    assert_all(
        &field("Proofs$Point.x"),
        &[
            "0 of 2 accesses",
            ": not monitored: its object never leaves its thread",
        ],
    );
    let name = field("Proofs$Box.name");
    assert_all(
        &name,
        &[
            "0 of 2 accesses".to_owned(),
            at(
                "this.name = name",
                "not monitored: no other thread has seen the object yet\n",
            ),
            at(
                "println(box.name)",
                "not monitored: the field is written only before its object is published\n",
            ),
        ],
    );
    assert!(!name.contains("may be shared"), "{name}");
}

#[test]
fn monitored_fields_are_told_with_the_ways_of_their_threads() {
    let scratch = Scratch::new("ways");
    let woven = scratch.join("woven");
    weave_for(&program("Proofs"), &woven, &["--quiet", "--main", "Proofs"]);
    let counter = explained(&woven, "Proofs.counter");
    let why = "  may be shared: thread 'main' → Proofs.book → Proofs.twice; \
               thread 'Proofs$Worker.run' → Proofs$Worker.add\n";
    assert_all(&counter, &[why, &at("counter++", "monitored\n")]);
    assert_eq!(counter.matches("may be shared").count(), 1, "{counter}");
    assert_all(
        &explained(&woven, "Proofs.ticks"),
        &["  may be shared: many threads begin at Proofs$Ticker.run\n"],
    );

    let library = scratch.join("library");
    weave_for(&program("Proofs"), &library, &["--quiet"]);
    assert_all(
        &explained(&library, "Proofs.counter"),
        &["  may be shared: any caller may share it\n"],
    );

    let all = scratch.join("all");
    weave_for(&program("Proofs"), &all, &["--quiet", "--monitor", "all"]);
    let counter = explained(&all, "Proofs.counter");
    assert_all(&counter, &["Proofs.counter: 5 of 5 accesses monitored\n"]);
    assert!(!counter.contains("may be shared"), "{counter}");
}

#[test]
fn a_line_is_a_target() {
    let scratch = Scratch::new("line");
    let woven = scratch.join("woven");
    weave_for(&program("Proofs"), &woven, &["--quiet", "--main", "Proofs"]);
    // A nested class is in the file of its outer one.
    let file = line_of("println(box.name)");
    let by_file = explained(&woven, &file);
    let (_, line) = file.split_once(':').unwrap();
    assert_eq!(by_file, explained(&woven, &format!("Proofs:{line}")));
    assert_eq!(by_file, explained(&woven, &format!("Proofs$Worker:{line}")));
    assert_all(
        &by_file,
        &["Proofs$Box.name: 0 of 1", "Proofs$Worker.box: 0 of 1"],
    );
    assert_eq!(by_file.matches(" at ").count(), 3, "{by_file}");
    assert_eq!(by_file.matches(&format!("({file})")).count(), 3, "{by_file}");
    assert_eq!(explained(&woven, "Proofs:1"), "Proofs:1: no field accesses\n");
    for (bad, cause) in [
        ("Other.java:16", "has no class or source file named Other.java"),
        ("Proofs:", "has no line '': Proofs:"),
        ("Proofs:first", "has no line 'first': Proofs:first"),
        ("Proofs.nothing", "has no class or field named Proofs.nothing"),
    ] {
        let out = explain(&woven, bad).expect_code(2);
        assert_eq!(out.stderr, format!("racewire: {}: {cause}\n", woven.display()));
    }
}

#[test]
fn damaged_and_missing_proofs_are_named() {
    let scratch = Scratch::new("damaged");
    let woven = scratch.join("woven");
    weave_for(&program("Proofs"), &woven, &["--quiet"]);
    let proofs = woven.join("META-INF/racewire/proofs.json");
    std::fs::write(&proofs, "{").unwrap();
    let told = || explain(&woven, "Proofs").expect_code(2).stderr;
    let start = format!("racewire: {}: META-INF/racewire/proofs.json is ", woven.display());
    let damaged = told();
    assert!(damaged.starts_with(&(start.clone() + "damaged: ")), "{damaged}");
    assert_eq!(damaged.lines().count(), 1);
    std::fs::remove_file(&proofs).unwrap();
    assert_eq!(told(), start + "missing\n");
}

/// The paper's figure 1: two fields may be shared, the third is each task's own.
#[test]
fn figure_1_is_explained() {
    let scratch = Scratch::new("figure1");
    let source = tests_dir().join("../samples/figure1/Task.java");
    let woven = scratch.join("woven");
    let classes = Compile::new([source]).classes();
    weave_for(&classes, &woven, &["--quiet", "--main", "Task"]);
    let many = "  may be shared: many threads begin at Task.run\n";
    for (field, expected) in [
        ("shared", ["2 of 2 accesses monitored", many]),
        ("shared_protected", ["2 of 2 accesses monitored", many]),
        (
            "not_shared",
            [
                "0 of 2 accesses monitored",
                "its object is the task of one thread",
            ],
        ),
    ] {
        assert_all(&explained(&woven, &format!("Task.{field}")), &expected);
    }
}

/// `before`, `after` and the numbers of the rules, as the summary has them.
fn numbers(summary: &str) -> (u64, u64, Vec<u64>) {
    let number = |text: &str| text.parse::<u64>().unwrap();
    let mut lines = summary.lines().skip_while(|l| !l.starts_with("  accesses "));
    let first: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    let rules = lines.take_while(|l| l.contains(" %  "));
    let rules = rules.map(|l| {
        number(
            l.trim_start_matches("   removed")
                .split_whitespace()
                .next()
                .unwrap(),
        )
    });
    (number(first[1]), number(first[2]), rules.collect())
}

#[test]
fn the_summary_adds_up_and_fits_the_manifest() {
    let scratch = Scratch::new("summary");
    for (nth, options) in [&["--main", "Proofs"][..], &[], &["--monitor", "all"]]
        .iter()
        .enumerate()
    {
        let woven = scratch.join(format!("woven{nth}"));
        let told = weave_for(&program("Proofs"), &woven, options).stderr;
        let (before, after, rules) = numbers(&told);
        assert_eq!(before, after + rules.iter().sum::<u64>(), "{told}");
        assert!(told.lines().skip(1).all(|l| l.chars().count() <= 120), "{told}");
        let manifest = std::fs::read(woven.join("META-INF/racewire/manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
        assert_eq!(manifest["monitored_accesses"], after, "{manifest}");
        let left = manifest["left_alone"].as_object().unwrap().values();
        assert_eq!(left.filter_map(|n| n.as_u64()).sum::<u64>(), before - after);
        assert_eq!(manifest["fields"]["declared"], 7, "{manifest}");
        let fields = [3, 4, 7][nth];
        assert_eq!(manifest["fields"]["monitored"], fields, "{options:?}: {manifest}");
        if nth == 0 {
            let threads = "  threads: one begins at Proofs.main\n           \
                           many begin at Proofs$Ticker.run\n           one begins at Proofs$Worker.run\n";
            assert_all(&told, &[threads]);
        }
    }
}

#[test]
fn what_is_called_by_name_is_told_with_its_cost() {
    let scratch = Scratch::new("by-name");
    let woven = scratch.join("woven");
    let told = weave_for(&program("ByName"), &woven, &["--main", "ByName"]).stderr;
    assert_all(
        &told,
        &[
            "  unknown: any method may be called: 1 call by name \
             (java.lang.reflect.Method.invoke, first in ByName.main)\n",
            "\n           2 accesses would not be monitored if nothing were called or made by name\n",
        ],
    );
    assert_all(
        &explained(&woven, "ByName.count"),
        &[
            "  may be shared: java.lang.reflect.Method.invoke in ByName.main may call any method, in any thread\n",
        ],
    );
    let manifest = std::fs::read(woven.join("META-INF/racewire/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(manifest["monitored_for_unknown"], 2, "{manifest}");
    assert_eq!(manifest["unknown"][0]["what"], "calls-methods", "{manifest}");
    assert_eq!(manifest["unknown"][0]["places"], 1, "{manifest}");
}
