//! Models of calls (`models/jdk-sync.toml`, docs/models.md) in real programs: what they order is not reported, what they
//! do not order is; woven classes verify and behave.

use crate::harness::java::{Compile, Java};
use crate::harness::jdk::{self, Jdk};
use crate::harness::racewire::{FOUND, findings, monitored, racewire, summary, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{jars, tests_dir};
use racewire_model::finding::Finding;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const WEAVING: [&str; 4] = ["--monitor", "all", "--detector", "hybrid,happens_before"];

fn folder() -> PathBuf {
    tests_dir().join("models")
}

fn run(jdk: &Jdk, woven: &Path, main: &str, detector: &str, out: &Path, expected: i32) -> Vec<Finding> {
    let output = Java::new(jdk)
        .args(monitored(out))
        .arg(format!("-Dracewire.detector={detector}"))
        .arg("-Xverify:all")
        .class_path(&[woven])
        .arg(main)
        .run()
        .expect_code(expected);
    assert!(!output.stderr.contains("Exception"), "{}", output.describe());
    findings(out)
}

/// Programs in which everything is handed over properly.
#[test]
fn what_models_order_is_not_reported() {
    let scratch = Scratch::new("models");
    let sources = ["Threads", "Latches", "Atomics", "Queues", "Pools", "Futures"];
    let classes = Compile::new(sources.map(|name| folder().join(format!("{name}.java")))).classes();
    let woven = scratch.join("woven");
    weave(&classes, &woven, &WEAVING);
    for jdk in jdk::all() {
        for name in &sources[1..] {
            let out = scratch.join(format!("{name}-{}", jdk.version));
            let found = run(jdk, &woven, &format!("models.{name}"), "happens_before", &out, 0);
            assert!(
                found.is_empty(),
                "JDK {}, {name}:\n{}",
                jdk.version,
                summary(&found)
            );
        }
    }
}

#[test]
fn shutdown_hooks_know_what_was_done_before_exit() {
    let scratch = Scratch::new("exit");
    let classes = Compile::new([folder().join("Exit.java")]).classes();
    let woven = scratch.join("woven");
    weave(&classes, &woven, &WEAVING);
    for jdk in jdk::all() {
        let out = scratch.join(jdk.version.to_string());
        let found = run(jdk, &woven, "models.Exit", "hybrid", &out, FOUND);
        let variables: BTreeSet<&str> = found.iter().map(|f| f.variable.as_str()).collect();
        assert_eq!(
            variables,
            BTreeSet::from(["models.Exit.others"]),
            "{}",
            summary(&found)
        );
    }
}

#[test]
fn virtual_threads_are_seen_to_begin() {
    let scratch = Scratch::new("virtual");
    let jdk = jdk::newest();
    assert!(jdk.version >= 21, "no JDK here has virtual threads");
    let classes = scratch.folder("classes");
    Compile::with(jdk, [folder().join("jdk25/Virtual.java")]).compile_to(&classes);
    let woven = scratch.join("woven");
    weave(&classes, &woven, &WEAVING);
    let found = run(
        jdk,
        &woven,
        "models.Virtual",
        "happens_before",
        &scratch.join("out"),
        0,
    );
    assert!(found.is_empty(), "{}", summary(&found));
}

/// Exactly the lines that say so.
#[test]
fn what_models_do_not_order_is_reported() {
    let scratch = Scratch::new("raced");
    let source = folder().join("Raced.java");
    let text = std::fs::read_to_string(&source).unwrap();
    let marked = (1u32..)
        .zip(text.lines())
        .filter(|(_, line)| line.contains("// expect race"));
    let marked: BTreeSet<u32> = marked.map(|(number, _)| number).collect();
    let classes = Compile::new([source]).classes();
    let woven = scratch.join("woven");
    weave(&classes, &woven, &WEAVING);
    for jdk in jdk::all() {
        let out = scratch.join(format!("out-{}", jdk.version));
        let found = run(jdk, &woven, "models.Raced", "happens_before", &out, FOUND);
        let lines: BTreeSet<u32> = found.iter().flat_map(|f| &f.accesses).map(|a| a.line).collect();
        assert_eq!(lines, marked, "JDK {}:\n{}", jdk.version, summary(&found));
    }
}

#[test]
fn users_declare_locks_and_queues_of_their_own() {
    let scratch = Scratch::new("own");
    let own = folder().join("own");
    let classes = scratch.folder("classes");
    Compile::new(["Own.java", "lib/SpinLock.java", "lib/Mailbox.java"].map(|f| own.join(f)))
        .compile_to(&classes);
    let models = own.join("models.toml");
    let with_models = ["--models", models.to_str().unwrap()];
    let jdk = jdk::newest();
    for (name, more, code) in [("without", &[][..], FOUND), ("with", &with_models[..], 0)] {
        let woven = scratch.join(name);
        let options: Vec<&str> = WEAVING
            .iter()
            .chain(&["--exclude", "lib.**"])
            .chain(more)
            .copied()
            .collect();
        weave(&classes, &woven, &options);
        let found = run(
            jdk,
            &woven,
            "Own",
            "hybrid",
            &scratch.join(format!("{name}-out")),
            code,
        );
        assert_eq!(found.is_empty(), code == 0, "{name} models:\n{}", summary(&found));
    }
}

#[test]
fn a_mistake_in_a_file_of_models_names_its_line() {
    let scratch = Scratch::new("mistake");
    let models = scratch.write("mine.toml", "[\"a.Lock\"]\n\"enter\" = { look = \"this\" }\n");
    let input = jars::JarWriter::create(&scratch.join("in.jar"))
        .manifest(&[])
        .finish();
    let output = scratch.join("out.jar");
    let arguments = [
        Path::new("weave"),
        &input,
        Path::new("-o"),
        &output,
        Path::new("--models"),
        &models,
    ];
    let out = racewire(arguments).expect_code(2);
    let expected = format!("{}:2: `enter`: unknown field `look`", models.display());
    assert!(out.stderr.contains(&expected), "{}", out.describe());
    assert!(!output.exists());
}

#[test]
fn an_enum_copies_its_constants_unobserved() {
    let scratch = Scratch::new("values");
    let source = scratch.write(
        "Colour.java",
        "enum Colour { RED; Colour[] others() { return values().clone(); } }",
    );
    let classes = Compile::new([source]).classes();
    let woven = scratch.join("woven");
    weave(&classes, &woven, &WEAVING);
    let class = |folder: &Path| std::fs::read(folder.join("Colour.class")).unwrap();
    let bridges = |bytes: &[u8]| {
        let name = b"$racewire$call$";
        bytes.windows(name.len()).filter(|w| w == name).count()
    };
    assert_eq!((bridges(&class(&classes)), bridges(&class(&woven))), (0, 1));
}
