//! The oracle over real programs: driver and libraries woven whole, a multi-threaded load, and nothing that the run
//! sees two threads share was removed, with the main class known or not.

use super::oracle::{Log, analyse, refuted};
use crate::corpus::jar;
use crate::harness::java::{Compile, Java};
use crate::harness::process;
use crate::harness::racewire::{monitored, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{jdk, tests_dir};
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn h2_shares_nothing_that_is_removed() {
    java_app("H2Load", &["h2"]);
}

#[test]
fn lucene_shares_nothing_that_is_removed() {
    java_app("LuceneLoad", &["lucene-core", "lucene-analysis-common"]);
}

#[test]
fn tomcat_shares_nothing_that_is_removed() {
    java_app("TomcatLoad", &["tomcat-embed-core", "annotation-api"]);
}

#[test]
fn a_kotlin_program_shares_nothing_that_is_removed() {
    let scratch = Scratch::new("kotlin-classes");
    let classes = scratch.join("classes");
    let path = |id: &str| jar(id).path.clone();
    let compiler = [
        "kotlin-compiler-embeddable",
        "kotlin-stdlib",
        "kotlinx-coroutines",
        "kotlin-script-runtime",
        "trove4j",
        "jetbrains-annotations",
    ];
    let libraries = [path("kotlin-stdlib"), path("kotlinx-coroutines")];
    let join = |paths: &[PathBuf]| std::env::join_paths(paths).unwrap();
    let mut kotlinc = Command::new(jdk::oldest().home.join("bin/java"));
    kotlinc
        .args(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"])
        .arg(join(&compiler.map(path)))
        .args([
            "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
            "-no-reflect",
            "-no-stdlib",
            "-cp",
        ])
        .arg(join(&libraries))
        .arg("-d")
        .arg(&classes)
        .arg(tests_dir().join("sharing/Workers.kt"));
    process::run(&mut kotlinc).expect_code(0);
    check("WorkersKt", &classes, &libraries);
}

fn java_app(main: &str, jars: &[&str]) {
    let jars: Vec<PathBuf> = jars.iter().map(|id| jar(id).path.clone()).collect();
    let driver = Compile::new([tests_dir().join(format!("corpus/apps/{main}.java"))])
        .class_path(jars.clone())
        .classes();
    check(main, &driver, &jars);
}

fn check(main: &str, driver: &Path, jars: &[PathBuf]) {
    let scratch = Scratch::new(&format!("oracle-{main}"));
    let mut woven = vec![scratch.join("driver")];
    weave(driver, &woven[0], &["--quiet", "--monitor", "all"]);
    for (i, jar) in jars.iter().enumerate() {
        let output = scratch.join(format!("woven-{i}.jar"));
        weave(
            jar,
            &output,
            &["--quiet", "--monitor", "all", "--no-bundle-runtime"],
        );
        woven.push(output);
    }
    let jdk = jdk::oldest();
    let log = scratch.join("sharing.tsv");
    Java::new(jdk)
        .dir(&scratch.folder("work"))
        .args(monitored(&scratch.join("findings")))
        .arg(format!("-Dracewire.sharing={}", log.display()))
        .class_path(&woven)
        .arg(main)
        .run()
        .expect_code(0);
    let log = Log::read(&log);
    assert!(log.touched.len() > 20, "{log:?}");
    for known in [Some(main), None] {
        let answer = analyse(driver, jars, known, &jdk.home);
        let wrong = refuted(&answer, &log);
        assert!(wrong.is_empty(), "main {known:?}:\n{}", wrong.join("\n"));
    }
}
