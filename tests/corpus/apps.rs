//! Real programs under a multi-threaded load, every class of the library and of the driver woven: they must
//! print what they print unwoven. What Racewire found stands in `findings-<app>.txt` of the corpus folder,
//! for a person to review.

use super::{folder, jar};
use crate::generated;
use crate::harness::java::{Compile, Java};
use crate::harness::jdk::{self, Jdk};
use crate::harness::racewire::{FOUND, findings, monitored, summary, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{parallel, tests_dir};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

struct App {
    /// The driver class, in `corpus/apps`.
    main: &'static str,
    /// Jars by id; all are woven.
    jars: &'static [&'static str],
}

#[test]
fn h2_under_load() {
    check(
        &App {
            main: "H2Load",
            jars: &["h2"],
        },
        &[],
    );
}

#[test]
fn lucene_under_load() {
    check(
        &App {
            main: "LuceneLoad",
            jars: &["lucene-core", "lucene-analysis-common"],
        },
        &[],
    );
}

#[test]
fn tomcat_under_load() {
    check(
        &App {
            main: "TomcatLoad",
            jars: &["tomcat-embed-core", "annotation-api"],
        },
        &[],
    );
}

#[test]
fn ecj_compiles_the_same_classes() {
    let scratch = Scratch::new("ecj-sources");
    generated::write_sources(scratch.path(), 30);
    check(
        &App {
            main: "EcjCompile",
            jars: &["ecj"],
        },
        &[scratch.path().to_owned()],
    );
}

fn check(app: &App, args: &[PathBuf]) {
    let jars: Vec<PathBuf> = app.jars.iter().map(|id| jar(id).path.clone()).collect();
    let driver = Compile::new([tests_dir().join(format!("corpus/apps/{}.java", app.main))])
        .class_path(jars.clone())
        .classes();

    let scratch = Scratch::new(app.main);
    let mut woven = vec![scratch.join("driver")];
    weave(&driver, &woven[0], &["--quiet"]);
    for (i, jar) in jars.iter().enumerate() {
        // Several woven parts on one class path share the runtime of the first.
        let output = scratch.join(format!("woven-{i}.jar"));
        weave(jar, &output, &["--quiet", "--no-bundle-runtime"]);
        woven.push(output);
    }
    let plain: Vec<PathBuf> = std::iter::once(driver).chain(jars).collect();

    let reviews = Mutex::new(BTreeMap::new());
    let check = |jdk: &Jdk| {
        let dir = scratch.folder(&format!("work-{}", jdk.version));
        // Only its output counts.
        let before = Java::new(jdk)
            .lightly()
            .dir(&dir)
            .class_path(&plain)
            .arg(app.main)
            .args(args)
            .run()
            .expect_code(0);
        let found = scratch.join(format!("findings-{}", jdk.version));
        let after = Java::new(jdk)
            .dir(&dir)
            .args(monitored(&found))
            .class_path(&woven)
            .arg(app.main)
            .args(args)
            .run();
        assert_eq!(
            after.stdout,
            before.stdout,
            "JDK {}: woven output differs\n{}",
            jdk.version,
            after.describe()
        );
        let findings = findings(&found);
        let expected = if findings.is_empty() { 0 } else { FOUND };
        assert_eq!(after.code, expected, "JDK {}\n{}", jdk.version, after.describe());
        let review = format!(
            "== JDK {}: {} findings\n{}\n",
            jdk.version,
            findings.len(),
            summary(&findings)
        );
        let mut reviews = reviews.lock().unwrap_or_else(|e| e.into_inner());
        reviews.insert(jdk.version, review);
    };
    parallel::check_all(jdk::all(), |jdk| format!("JDK {}", jdk.version), check);
    let reviews = reviews.into_inner().unwrap_or_else(|e| e.into_inner());
    let review: String = reviews.into_values().collect();
    let file = folder().join(format!("findings-{}.txt", app.main));
    std::fs::write(&file, review).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
}
