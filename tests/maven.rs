//! The Maven plugin in real builds: several versions of Maven, Surefire, JUnit; TestNG, Failsafe, JaCoCo, modules.

use crate::harness::integrations::{DISTRIBUTIONS, build, distribution, installed};
use crate::harness::jars::files_under;
use crate::harness::parallel::check_all;
use crate::harness::process::Output;
use crate::harness::racewire::{findings, summary};
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use racewire_model::finding::Report;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Findings as pairs of variable and test.
type Found = BTreeSet<(String, String)>;

/// A copy of the sample project.
fn project(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    for (file, content) in files_under(&tests_dir().join("maven").join(name)) {
        scratch.write(&file, content);
    }
    scratch
}

fn mvn(folder: &Path, arguments: &[&str]) -> Output {
    build(Path::new("mvn"), folder, arguments)
}

fn found(module: &Path) -> Found {
    let findings = findings(&module.join("target/racewire/findings"));
    let pairs = findings
        .iter()
        .map(|f| (f.variable.clone(), f.tests.join(" or ")));
    let pairs: Found = pairs.collect();
    assert_eq!(pairs.len(), findings.len(), "{}", summary(&findings));
    pairs
}

fn pairs(expected: &[(&str, &str)]) -> Found {
    let pairs = expected.iter().map(|(v, t)| ((*v).to_owned(), (*t).to_owned()));
    pairs.collect()
}

const BANK: &[(&str, &str)] = &[("com.acme.Account.balance", "com.acme.AccountTest.books")];

/// Each version of each at least once.
#[test]
fn a_seeded_race_is_told_with_its_test_by_every_maven_surefire_and_junit() {
    let cases = [
        (None, "2.22.2", "5.11.4"),
        (Some(DISTRIBUTIONS[0]), "3.0.0", "5.8.2"),
        (Some(DISTRIBUTIONS[1]), "3.5.3", "6.0.1"),
    ];
    check_all(
        &cases,
        |(maven, surefire, junit)| format!("Maven {maven:?}, Surefire {surefire}, JUnit {junit}"),
        |(maven, surefire, junit)| {
            let bank = project("bank");
            let (surefire, junit) = (
                format!("-Dsurefire.version={surefire}"),
                format!("-Djunit.version={junit}"),
            );
            let program = maven.map_or_else(|| PathBuf::from("mvn"), distribution);
            let out = build(&program, bank.path(), &["verify", &surefire, &junit]).expect_code(1);
            assert!(
                out.stdout.contains("Tests run: 2, Failures: 0, Errors: 0"),
                "{}",
                out.describe()
            );
            assert!(
                out.stdout.contains("Racewire found races in the tests of bank"),
                "{}",
                out.describe()
            );
            assert_eq!(found(bank.path()), pairs(BANK), "{}", out.describe());
        },
    );
}

/// Tested by nobody; what is wrong with it can be seen without a run.
const BRANCH: &str = "package com.acme;

public class Branch {
    private int visitors;

    public void enter() {
        int before;
        synchronized (this) {
            before = visitors;
        }
        synchronized (this) {
            visitors = before + 1;
        }
    }
}
";

#[test]
fn a_second_build_weaves_nothing_and_the_jar_is_that_of_a_build_without_racewire() {
    const LET_PASS: &str = "-Dracewire.failOnFindings=false";
    let (bank, plain) = (project("bank"), project("bank"));
    for project in [&bank, &plain] {
        project.write("src/main/java/com/acme/Branch.java", BRANCH);
    }
    let jar = |folder: &Path| std::fs::read(folder.join("target/bank-1.jar")).unwrap_or_default();
    let first = mvn(bank.path(), &["verify", LET_PASS]).expect_code(0);
    assert!(
        first.stdout.contains("2 of 2 classes in scope, 2 changed"),
        "{}",
        first.describe()
    );
    let woven = |class: &str| bank.join(format!("target/racewire/classes/com/acme/{class}.class"));
    // A file that is written anew is another one.
    let written = |class: &str| {
        let metadata = std::fs::metadata(woven(class)).unwrap_or_else(|e| panic!("{class}: {e}"));
        (metadata.ino(), metadata.modified().ok())
    };
    let before = ["Account", "Branch"].map(written);

    let second = mvn(bank.path(), &["verify", LET_PASS, "--offline"]).expect_code(0);
    assert!(second.stdout.contains("nothing woven"), "{}", second.describe());
    assert_eq!(
        ["Account", "Branch"].map(written),
        before,
        "the woven classes are the first build's"
    );
    assert_eq!(
        found(bank.path()),
        pairs(BANK),
        "the tests ran on it all the same"
    );
    let file_count = files_under(&bank.join("target/racewire/findings")).len();
    assert_eq!(file_count, 1, "findings of the first build are gone");

    let skipped = mvn(plain.path(), &["verify", "-Dracewire.skip"]).expect_code(0);
    assert!(!plain.join("target/racewire").exists(), "{}", skipped.describe());
    assert!(!jar(plain.path()).is_empty(), "{}", skipped.describe());
    assert!(
        jar(plain.path()) == jar(bank.path()),
        "the packaged jar is not that of a build without Racewire"
    );

    let source = bank.join("src/main/java/com/acme/Account.java");
    let text = std::fs::read_to_string(&source).unwrap_or_default();
    bank.write(
        "src/main/java/com/acme/Account.java",
        text.replace("public void book(", "public synchronized void book("),
    );
    // The goal that runs no test, called by name: it finds what is left.
    let check = format!("io.racewire:racewire-maven-plugin:{}:check", installed().version);
    let fixed = mvn(bank.path(), &["verify", &check, "--offline"]).expect_code(1);
    assert!(
        fixed
            .stdout
            .contains("Racewire found errors in the classes of bank"),
        "{}",
        fixed.describe()
    );
    let checked = std::fs::read(bank.join("target/racewire/check.json")).unwrap_or_default();
    let checked: Report =
        serde_json::from_slice(&checked).unwrap_or_else(|e| panic!("{e}\n{}", fixed.describe()));
    let claims: Vec<&str> = checked.findings.iter().map(|f| f.variable.as_str()).collect();
    assert_eq!(claims, ["com.acme.Branch.visitors"], "{}", fixed.describe());
    assert!(fixed.stdout.contains(" files as before"), "{}", fixed.describe());
    let [account, branch] = ["Account", "Branch"].map(written);
    assert!(account != before[0], "the changed class is not woven again");
    assert_eq!(branch, before[1], "the other class is the first build's");
    assert_eq!(found(bank.path()), pairs(&[]), "the race is fixed");
}

#[test]
fn modules_with_junit_4_testng_failsafe_and_jacoco_each_fail_the_right_test() {
    let shop = project("shop");
    let out = mvn(
        shop.path(),
        &[
            "verify",
            "-T2",
            "-Dmaven.test.failure.ignore",
            "-Dracewire.failTests",
            "-Dracewire.failOnFindings=false",
        ],
    )
    .expect_code(0);
    let expected: &[(&str, &[(&str, &str)])] = &[
        (
            "stock",
            &[
                ("com.acme.stock.Shelf.items", "com.acme.stock.ShelfTest.puts"),
                ("com.acme.stock.Scale.weight", "com.acme.stock.StrictTest.weighs"),
            ],
        ),
        // The second class comes from the module before, in a JVM of its own.
        (
            "till",
            &[
                ("com.acme.till.Till.sold", "com.acme.till.SellTest.sells"),
                (
                    "com.acme.stock.Shelf.items",
                    "com.acme.till.TakeBackTest.takeBacks",
                ),
            ],
        ),
        (
            "door",
            &[("com.acme.door.Door.visitors", "com.acme.door.DoorIT.enters")],
        ),
    ];
    for (module, races) in expected {
        assert_eq!(
            found(&shop.join(module)),
            pairs(races),
            "{module}\n{}",
            out.describe()
        );
    }
    let processes = files_under(&shop.join("till/target/racewire/findings")).len();
    assert_eq!(processes, 2, "each test class of till has a JVM of its own");
    // A test fails where the race is, and only there.
    let reports = |file: &str| std::fs::read_to_string(shop.join(file)).unwrap_or_default();
    let failures = |report: &str, name: &str| {
        let from = report.find(&format!("name=\"{name}\""));
        let case = &report[from.unwrap_or_else(|| panic!("no test {name}: {report}"))..];
        let case = case.split("<testcase").next().unwrap_or_default();
        case.contains("Racewire found a race")
    };
    let strict = reports("stock/target/surefire-reports/TEST-com.acme.stock.StrictTest.xml");
    assert!(failures(&strict, "weighs") && !failures(&strict, "weighsAlone"));
    let sell = reports("till/target/surefire-reports/TEST-com.acme.till.SellTest.xml");
    assert!(failures(&sell, "sells") && !failures(&sell, "sellsAlone"));
    let door = reports("door/target/failsafe-reports/TEST-com.acme.door.DoorIT.xml");
    assert!(failures(&door, "enters"));
    // JaCoCo beside it: the lines that ran and the one that did not.
    let coverage = reports("door/target/site/jacoco-it/jacoco.csv");
    let columns: Vec<&str> = coverage.lines().nth(1).unwrap_or_default().split(',').collect();
    assert_eq!(
        columns.get(7..9),
        Some(["2", "3"].as_slice()),
        "lines\n{coverage}"
    );
}

#[test]
fn a_module_is_tested_on_the_module_path() {
    let modular = project("modular");
    let out = mvn(modular.path(), &["verify"]).expect_code(1);
    assert!(
        out.stdout.contains("Tests run: 1, Failures: 0, Errors: 0"),
        "{}",
        out.describe()
    );
    let expected = [(
        "com.acme.modular.Counter.count",
        "com.acme.modular.CounterTest.adds",
    )];
    assert_eq!(found(modular.path()), pairs(&expected));
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let bank = project("bank");
    let out = mvn(
        bank.path(),
        &["process-test-classes", "-Dracewire.executable=/no/such/program"],
    )
    .expect_code(1);
    let line = "no racewire program at /no/such/program, given by racewire.executable";
    assert!(out.stdout.contains(line), "{}", out.describe());
}

/// How each test ended, by class and name; parameterized ones run several times.
fn results(module: &Path) -> BTreeMap<(String, String), Vec<&'static str>> {
    let mut results: BTreeMap<(String, String), Vec<&'static str>> = BTreeMap::new();
    for (file, content) in files_under(&module.join("target/surefire-reports")) {
        if !file.ends_with(".xml") {
            continue;
        }
        let text = String::from_utf8_lossy(&content);
        for case in text.split("<testcase ").skip(1) {
            let attribute = |name: &str| {
                let from = case.split(&format!("{name}=\"")).nth(1).unwrap_or_default();
                from.split('"').next().unwrap_or_default().to_owned()
            };
            let outcome = ["<failure", "<error", "<skipped"]
                .into_iter()
                .find(|tag| case.contains(tag))
                .unwrap_or("passed");
            let test = (attribute(" classname"), attribute("name"));
            results.entry(test).or_default().push(outcome);
        }
    }
    results.values_mut().for_each(|outcomes| outcomes.sort());
    results
}

/// Both publish their tests as a jar. Some of those want files of the source tree and fail, woven or not.
#[test]
fn the_own_tests_of_two_libraries_end_woven_as_they_do_unwoven() {
    const WOVEN: &[&str] = &["-Dracewire.failOnFindings=false"];
    // Only its results count: a third less to compute without the optimizing compiler.
    const PLAIN: &[&str] = &[
        "-Dracewire.skip",
        "-DargLine=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    ];
    let libraries = [("commons-collections4", 60_000), ("commons-cli", 500)];
    let runs = libraries.map(|(library, _)| [(library, WOVEN), (library, PLAIN)]);
    let all_results = Mutex::new(HashMap::new());
    check_all(
        runs.as_flattened(),
        |(library, options)| format!("{library} {options:?}"),
        |(library, options)| {
            let project = project("libraries");
            let library_option = format!("-Dlibrary={library}");
            let arguments = ["verify", "-Dmaven.test.failure.ignore", &library_option];
            let out = mvn(project.path(), &[&arguments, *options].concat()).expect_code(0);
            if *options == WOVEN {
                assert!(out.stdout.contains(" classes in scope"), "{}", out.describe());
                let processes = files_under(&project.join("target/racewire/findings")).len();
                assert!(processes > 0, "no woven test has run\n{}", out.describe());
            }
            let mut all_results = all_results.lock().unwrap_or_else(|e| e.into_inner());
            all_results.insert((*library, *options == WOVEN), results(project.path()));
        },
    );
    let all_results = all_results.into_inner().unwrap_or_else(|e| e.into_inner());
    for (library, at_least) in libraries {
        let (woven, plain) = (&all_results[&(library, true)], &all_results[&(library, false)]);
        assert!(plain.len() > at_least, "{library}: only {} tests", plain.len());
        let different: Vec<_> = plain
            .iter()
            .filter(|(test, outcome)| woven.get(test) != Some(outcome))
            .take(20)
            .collect();
        assert!(
            different.is_empty() && plain.len() == woven.len(),
            "{library}: {different:?}"
        );
    }
}
