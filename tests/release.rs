//! The release archive, packed from what this test run has built anyway: everything is in it, it is the same bytes
//! every time, and a user who unpacks it gets to a first report by the commands of `docs/five-minutes.md`.

use crate::harness::integrations::{gradle_plugin, installed};
use crate::harness::java::{Compile, Java};
use crate::harness::process;
use crate::harness::program::program;
use crate::harness::racewire::runtime_jar;
use crate::harness::scratch::Scratch;
use crate::harness::{jdk, tests_dir};
use racewire_release::{Parts, Platform, pack, third_party};
use std::path::{Path, PathBuf};
use std::process::Command;

fn host() -> Platform {
    let here = Platform::ALL.into_iter().find(Platform::is_host);
    here.unwrap_or_else(|| panic!("no release for this platform"))
}

fn archive(folder: &Path, licences: &str) -> PathBuf {
    let racewire = program();
    gradle_plugin();
    let integrations = installed();
    let parts = Parts {
        platform: host(),
        program: racewire,
        here: racewire,
        integrations: &integrations.folder,
        integrations_version: &integrations.version,
        sources: &tests_dir().join(".."),
        third_party: licences,
    };
    pack(&parts, folder).unwrap_or_else(|e| panic!("{e}"))
}

/// The commands of a page in their order: blocks of `sh`.
fn commands(page: &str) -> String {
    page.split("\n```sh\n")
        .skip(1)
        .filter_map(|rest| rest.split("\n```").next())
        .fold(String::new(), |all, block| all + block + "\n")
}

/// What the page says they print: lines of the blocks of `text`, but for those that are left out.
fn promised(page: &str) -> Vec<&str> {
    page.split("\n```text\n")
        .skip(1)
        .filter_map(|rest| rest.split("\n```").next())
        .flat_map(str::lines)
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && *line != "…")
        .collect()
}

#[test]
fn who_unpacks_it_gets_to_a_first_report_by_the_page() {
    let scratch = Scratch::new("release");
    let licences = third_party(&tests_dir().join("..")).unwrap_or_else(|e| panic!("{e}"));
    for library in ["\n==== clap ", "\n==== serde ", "\n==== jni-sys "] {
        assert!(licences.contains(library), "{library}");
    }
    for tests_only in ["\n==== proptest ", "\n==== jsonschema ", "\n==== racewire"] {
        assert!(!licences.contains(tests_only), "{tests_only}");
    }
    let first = archive(&scratch.join("dist"), &licences);
    let second = archive(&scratch.join("again"), &licences);
    let bytes = |file: &Path| std::fs::read(file).unwrap_or_default();
    assert!(bytes(&first) == bytes(&second), "packed twice, not the same");

    let name = format!("racewire-{}-{}", env!("CARGO_PKG_VERSION"), host().name());
    assert!(first.ends_with(format!("{name}.tar.gz")), "{first:?}");
    let mut list = Command::new("tar");
    let listed = process::run(list.arg("-tzf").arg(&first)).expect_code(0).stdout;
    let version = &installed().version;
    for file in [
        "bin/racewire",
        "lib/racewire-runtime.jar",
        "share/man/man1/racewire.1",
        "share/man/man1/racewire-weave.1",
        "share/bash-completion/completions/racewire",
        "share/zsh/site-functions/_racewire",
        "share/fish/vendor_completions.d/racewire.fish",
        "docs/five-minutes.md",
        "docs/options.md",
        "README.md",
        "LICENSE",
        "THIRD-PARTY-LICENCES",
        &format!("maven/io/racewire/racewire-maven-plugin/{version}/racewire-maven-plugin-{version}.jar"),
        &format!("maven/io/racewire/racewire-gradle-plugin/{version}/racewire-gradle-plugin-{version}.jar"),
        &format!("maven/io/racewire/racewire-junit/{version}/racewire-junit-{version}.pom"),
    ] {
        let line = format!("{name}/{file}");
        assert!(listed.lines().any(|l| l == line), "{line} in\n{listed}");
    }

    let page = std::fs::read_to_string(tests_dir().join("../docs/five-minutes.md"))
        .unwrap_or_else(|e| panic!("five-minutes.md: {e}"));
    let script = commands(&page);
    // The page unpacks the archive of the commonest platform.
    let script = script.replace("linux-x86_64", &host().name());
    assert!(script.contains(&format!("{name}.tar.gz")), "{script}");
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", &script])
        .current_dir(scratch.join("dist"))
        .env("JAVA_HOME", &jdk::oldest().home)
        .env("XDG_CACHE_HOME", scratch.join("cache"))
        .env_remove("RACEWIRE_OPTIONS");
    let out = process::run(&mut bash).expect_code(0);
    let said = out.stdout.clone() + &out.stderr;
    let promised = promised(&page);
    assert!(promised.len() > 5, "{promised:?}");
    for line in promised {
        assert!(said.lines().any(|l| fits(line, l)), "{line}\n{}", out.describe());
    }
}

/// Dots in a line stand for anything.
fn fits(promised: &str, line: &str) -> bool {
    let mut rest = Some(line);
    for part in promised.split('…') {
        rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
    }
    rest.is_some()
}

/// The runtime looks for its library, and the plugins for their program, where a release puts them.
#[test]
fn every_platform_is_called_the_same_everywhere() {
    let scratch = Scratch::new("platforms");
    let program = installed().folder.join(format!(
        "program/target/racewire-program-{}.jar",
        installed().version
    ));
    let mut class_path = vec![runtime_jar(&scratch.join("runtime.jar")), program];
    let classes = Compile::new([tests_dir().join("release/Platforms.java")])
        .class_path(class_path.clone())
        .classes();
    class_path.push(classes);
    let out = Java::new(jdk::oldest())
        .class_path(&class_path)
        .arg("racewire.rt.Platforms")
        .run()
        .expect_code(0);
    let said: Vec<&str> = out.stdout.lines().collect();
    let expected: Vec<String> = Platform::ALL
        .iter()
        .map(|p| format!("{0} {0} {1}", p.name(), p.program()))
        .collect();
    assert_eq!(said, expected, "{}", out.describe());
    let library = out.stderr.trim().to_owned();
    assert_eq!(library, host().library());
}
