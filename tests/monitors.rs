//! Monitors that users write: the paper's figures, every kind of advice, RACER in Java, and the agreement of pointcuts
//! with AspectJ's compiler.

mod agreement;

use crate::corpus;
use crate::harness::java::{Compile, Java};
use crate::harness::racewire::{findings, monitored, racewire, runtime_jar, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{jars, jdk, tests_dir};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let names = jars::files_under(folder).into_keys();
    names
        .filter(|n| n.ends_with(".java"))
        .map(|n| folder.join(n))
        .collect()
}

/// A program and the jar of its monitors, compiled together: monitors may name classes of the program.
struct Pair {
    program: PathBuf,
    monitors: PathBuf,
}

fn compile(scratch: &Scratch, program: &str, monitors: &[&str]) -> Pair {
    let folder = tests_dir().join("monitors");
    let all = scratch.folder(&format!("{program}-all"));
    let runtime = runtime_jar(&scratch.join("api.jar"));
    let mut files = sources(&folder.join(program));
    for package in monitors {
        files.extend(sources(&folder.join(package)));
    }
    Compile::new(files).class_path([runtime]).compile_to(&all);
    let split = |packages: &[&str], jar: &str, main: Option<&str>| {
        let main = main.map(|m| format!("Main-Class: {m}"));
        let lines: Vec<&str> = main.iter().map(String::as_str).collect();
        let mut writer = jars::JarWriter::create(&scratch.join(jar)).manifest(&lines);
        for package in packages {
            writer = writer.tree(&all.join(package), &format!("{package}/"));
        }
        writer.finish()
    };
    Pair {
        program: split(
            &[program],
            &format!("{program}.jar"),
            Some(&format!("{program}.Main")),
        ),
        monitors: split(monitors, &format!("{program}-monitors.jar"), None),
    }
}

/// Weaves with the monitors, runs on every JDK, gives what was printed.
fn run(scratch: &Scratch, pair: &Pair, options: &[&str]) -> String {
    let woven = scratch.join("woven.jar");
    let monitors = pair.monitors.display().to_string();
    let mut all = vec!["--monitor", &monitors];
    all.extend(options);
    weave(&pair.program, &woven, &all);
    let mut printed = BTreeSet::new();
    for jdk in jdk::all() {
        let out = Java::new(jdk).arg("-jar").arg(&woven).run().expect_code(0);
        assert_eq!(out.stderr, "", "JDK {}", jdk.version);
        printed.insert(out.stdout);
    }
    assert_eq!(printed.len(), 1, "{printed:?}");
    printed.into_iter().next().unwrap_or_default()
}

fn expected(name: &str) -> String {
    let file = tests_dir().join("monitors").join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

#[test]
fn the_figures_of_the_paper_work_as_monitors() {
    let scratch = Scratch::new("figures");
    let pair = compile(&scratch, "app", &["figures"]);
    assert_eq!(
        run(&scratch, &pair, &["--main", "app.Main"]),
        expected("figures.txt")
    );
}

#[test]
fn advice_of_every_kind_sees_what_it_asks_for() {
    let scratch = Scratch::new("behaviour");
    let pair = compile(&scratch, "program", &["behaviour"]);
    assert_eq!(run(&scratch, &pair, &[]), expected("behaviour.txt"));
}
