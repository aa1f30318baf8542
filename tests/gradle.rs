//! The Gradle plugin in real builds, with the Gradle that Debian has (4.4.1): the oldest version that is supported.

use crate::harness::integrations::{gradle, gradle_plugin};
use crate::harness::jars::{content, files_under, names};
use crate::harness::process::Output;
use crate::harness::racewire::findings;
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use std::collections::BTreeSet;
use std::path::Path;

fn build(folder: &Path, arguments: &[&str]) -> Output {
    let plugin = format!("-PracewirePlugin={}", gradle_plugin().display());
    gradle(folder, &[&[plugin.as_str()], arguments].concat())
}

fn project() -> Scratch {
    let scratch = Scratch::new("gradle-bank");
    for (file, content) in files_under(&tests_dir().join("gradle/bank")) {
        scratch.write(&file, content);
    }
    scratch
}

fn assert_found(project: &Scratch, out: &Output) {
    let found: BTreeSet<(String, String)> = findings(&project.join("app/build/racewire/findings"))
        .into_iter()
        .map(|f| (f.variable, f.tests.join(" or ")))
        .collect();
    let expected = [
        ("com.acme.app.Bank.visits", "com.acme.app.BankTest.visits"),
        ("com.acme.lib.Account.balance", "com.acme.app.BankTest.books"),
    ];
    let expected = expected.map(|(v, t)| (v.to_owned(), t.to_owned()));
    assert_eq!(found, BTreeSet::from(expected), "{}", out.describe());
}

#[test]
fn tests_run_on_woven_classes_once_and_a_cache_gives_their_findings_again() {
    let bank = project();
    let first = build(bank.path(), &["check", "jar", "--build-cache", "--continue"]).expect_code(1);
    assert!(
        first.stderr.contains("Racewire found races; see above"),
        "{}",
        first.describe()
    );
    assert_found(&bank, &first);
    for jar in ["app/build/libs/app.jar", "lib/build/libs/lib.jar"] {
        for name in names(&bank.join(jar)).iter().filter(|n| n.ends_with(".class")) {
            let class = content(&bank.join(jar), name);
            let woven = class.windows(8).any(|w| w == b"racewire");
            assert!(!woven, "{jar}!/{name} is woven");
        }
    }

    let second = build(bank.path(), &["check", "racewireCheck", "--offline", "-PletPass"]).expect_code(0);
    assert!(
        second.stdout.contains("reads com.acme.app.Branch.visitors")
            && bank.join("app/build/racewire/check.json").is_file(),
        "{}",
        second.describe()
    );
    for task in [":app:racewireWeave", ":app:test"] {
        let line = format!("{task} UP-TO-DATE");
        assert!(second.stdout.contains(&line), "{line}\n{}", second.describe());
    }
    assert!(
        second.stdout.contains("2 races in 1 process"),
        "{}",
        second.describe()
    );

    // Another checkout, the same cache: nothing is woven and no test runs, yet the findings are there.
    let elsewhere = project();
    let cached = build(
        elsewhere.path(),
        &["check", "--offline", "--build-cache", "-PletPass"],
    )
    .expect_code(0);
    for task in [":app:racewireWeave", ":app:test"] {
        let line = format!("{task} FROM-CACHE");
        assert!(cached.stdout.contains(&line), "{line}\n{}", cached.describe());
    }
    assert_found(&elsewhere, &cached);
}

#[test]
fn a_test_fails_where_asked_and_nothing_is_woven_where_skipped() {
    let bank = project();
    let strict = build(bank.path(), &["test", "-PfailTests"]).expect_code(1);
    let report =
        std::fs::read_to_string(bank.join("app/build/test-results/test/TEST-com.acme.app.BankTest.xml"))
            .unwrap_or_else(|e| panic!("{e}\n{}", strict.describe()));
    let failed = |test: &str| {
        let case = report
            .split(&format!("name=\"{test}\""))
            .nth(1)
            .unwrap_or_default();
        let case = case.split("<testcase").next().unwrap_or_default();
        case.contains("Racewire found a race")
    };
    assert_eq!(
        ["visits", "books", "booksAlone"].map(failed),
        [true, true, false],
        "{report}"
    );

    let plain = project();
    let skipped = build(plain.path(), &["check", "--offline", "-Pracewire.skip"]).expect_code(0);
    assert!(
        !plain.join("app/build/racewire").exists(),
        "{}",
        skipped.describe()
    );
}
