//! What is kept of classes between runs changes nothing but the time.

use crate::harness::jars;
use crate::harness::java::Compile;
use crate::harness::process;
use crate::harness::racewire::command;
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use racewire::pattern::Scope;
use racewire::pipeline::{self, Request};
use racewire::sharing::Sharing;
use racewire_model::detectors::DetectorName;
use std::path::{Path, PathBuf};

fn jar(scratch: &Scratch) -> PathBuf {
    let source = |name: &str| tests_dir().join("archives").join(name);
    let classes = Compile::new([source("Racy.java"), source("Box.java")]).classes();
    jars::jar_of(&classes, &scratch.join("app.jar"), Some("app.Racy"))
}

/// The woven jar.
fn weave(scratch: &Scratch, jar: &Path, name: &str, options: &[&str]) -> Vec<u8> {
    let woven = scratch.join(name);
    let mut command = command();
    command.env("XDG_CACHE_HOME", scratch.join("cache"));
    command
        .current_dir(scratch.path())
        .arg("weave")
        .arg(jar)
        .arg("-o")
        .arg(&woven);
    process::run(command.args(options)).expect_code(0);
    std::fs::read(&woven).unwrap()
}

/// Facts and verdicts; what is known of earlier output is another matter (`incremental`).
fn kept(scratch: &Scratch) -> Vec<PathBuf> {
    let mut files = cached(scratch);
    files.retain(|file| file.extension().is_none_or(|e| e != "woven"));
    files
}

/// All files of the cache.
fn cached(scratch: &Scratch) -> Vec<PathBuf> {
    let files = std::fs::read_dir(scratch.join("cache/racewire/facts"));
    let mut files: Vec<PathBuf> = files
        .into_iter()
        .flatten()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    files
}

#[test]
fn the_second_time_weaves_the_same() {
    let scratch = Scratch::new("facts-cache");
    let jar = jar(&scratch);
    let woven = weave(&scratch, &jar, "1.jar", &["--no-cache"]);
    assert!(cached(&scratch).is_empty());
    let config = scratch.write("racewire.toml", "cache = false\n");
    assert_eq!(weave(&scratch, &jar, "2.jar", &[]), woven);
    assert!(cached(&scratch).is_empty());
    std::fs::remove_file(config).unwrap();
    // Where everything is monitored nobody asks for facts.
    weave(&scratch, &jar, "3.jar", &["--monitor", "all"]);
    assert!(kept(&scratch).is_empty());

    assert_eq!(weave(&scratch, &jar, "4.jar", &[]), woven);
    let files = kept(&scratch);
    let (facts, verdicts) = (
        with_extension(&files, "facts"),
        with_extension(&files, "verdicts"),
    );
    assert_eq!(files.len(), 2);
    let judged = modified(&verdicts);
    assert_eq!(weave(&scratch, Path::new("./app.jar"), "5.jar", &[]), woven);
    assert_eq!(kept(&scratch), files);
    // Nothing was judged anew.
    assert_eq!(modified(&verdicts), judged);

    let content = std::fs::read(&facts).unwrap();
    std::fs::write(&facts, &content[..content.len() / 2]).unwrap();
    std::fs::write(&verdicts, "damaged").unwrap();
    assert_eq!(weave(&scratch, &jar, "6.jar", &[]), woven);
    // The classes are in it as their threads came, so not always in the same order.
    let repaired = std::fs::read(&facts).unwrap();
    assert_eq!(repaired.len(), content.len());
    std::fs::write(&verdicts, "damaged").unwrap();
    assert_eq!(weave(&scratch, &jar, "again.jar", &[]), woven);
    assert!(std::fs::read(&facts).unwrap() == repaired, "written once more");
    // The index is whole, the facts are not: that is seen only when they are needed.
    let mut bad = repaired;
    *bad.last_mut().unwrap() ^= 1;
    std::fs::write(&facts, bad).unwrap();
    std::fs::write(&verdicts, "damaged").unwrap();
    assert_eq!(weave(&scratch, &jar, "7.jar", &["--include", "app.**"]), {
        weave(&scratch, &jar, "8.jar", &["--no-cache", "--include", "app.**"])
    });
}

#[test]
fn a_changed_class_or_option_is_judged_anew() {
    let scratch = Scratch::new("verdicts");
    // Compiled once for each path: a folder of its own for each version.
    let source = |version: &str, content: &str| {
        let file = format!("{version}/Counter.java");
        let source = scratch.write(&file, format!("class Counter {{ static int n; {content} }}"));
        let classes = Compile::new([source]).classes();
        jars::jar_of(&classes, &scratch.join("app.jar"), None)
    };
    let same_as_without = |jar: &Path, options: &[&str]| {
        let woven = weave(&scratch, jar, "woven.jar", options);
        let without = [&["--no-cache"], options].concat();
        assert!(woven == weave(&scratch, jar, "without.jar", &without));
        woven
    };
    // Written in the initialiser only, then elsewhere too.
    let before = same_as_without(
        &source("1", "static { n = 1; } static int get() { return n; }"),
        &[],
    );
    let verdicts = with_extension(&kept(&scratch), "verdicts");
    let judged = std::fs::read(&verdicts).unwrap();
    let jar = source(
        "2",
        "static { n = 1; } static int get() { return n; } static void set() { n = 2; }",
    );
    assert!(same_as_without(&jar, &[]) != before);
    assert!(std::fs::read(&verdicts).unwrap() != judged);
    same_as_without(&jar, &["--detector", "eraser"]);
    assert_eq!(kept(&scratch).len(), 3);
    same_as_without(&jar, &[]);
}

fn with_extension(files: &[PathBuf], extension: &str) -> PathBuf {
    let mut found = files
        .iter()
        .filter(|file| file.extension().is_some_and(|e| e == extension));
    found.next().unwrap().clone()
}

fn modified(file: &Path) -> std::time::SystemTime {
    std::fs::metadata(file).unwrap().modified().unwrap()
}

#[test]
fn facts_of_the_class_path_are_kept_too() {
    let scratch = Scratch::new("facts-reused");
    let (jar, folder) = (jar(&scratch), scratch.join("facts"));
    let library = scratch.join("library.jar");
    std::fs::copy(&jar, &library).unwrap();
    let weave = |classpath: &[PathBuf]| {
        let request = Request {
            input: &jar,
            output: &scratch.join("woven.jar"),
            scope: &Scope::default(),
            classpath,
            bundle_runtime: false,
            sharing: Some(Sharing {
                main: Vec::new(),
                detectors: vec![DetectorName::Racer],
                ignore_reflection: false,
                jdk: None,
            }),
            main: None,
            detectors: &[DetectorName::Racer],
            follow: None,
            facts_cache: Some(folder.clone()),
            models: &|| Ok(None),
            level: 1,
            progress: None,
        };
        let summary = pipeline::weave(&request).unwrap();
        (summary.classes, summary.facts_reused)
    };
    let (classes, reused) = weave(&[]);
    assert_eq!(reused, 0);
    assert_eq!(weave(&[]), (classes, classes));
    assert_eq!(weave(&[library]), (classes, 2 * classes));
}

#[test]
fn many_at_once_share_the_folder() {
    let scratch = Scratch::new("facts-shared");
    let jar = jar(&scratch);
    let woven = weave(&scratch, &jar, "woven.jar", &["--no-cache"]);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (scratch, jar, woven) = (&scratch, &jar, &woven);
            scope.spawn(move || {
                for _ in 0..5 {
                    let name = format!("{thread}.jar");
                    assert_eq!(weave(scratch, jar, &name, &[]), *woven);
                }
            });
        }
    });
    assert_eq!(kept(&scratch).len(), 2);
}
