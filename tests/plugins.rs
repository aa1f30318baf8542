//! Detectors of a user's own, in Rust: built by Cargo, run in a JVM and over the trace of the same run. And plug-ins that
//! are none, or fail: one line says so, and the program runs as ever.

use crate::harness::java::{Compile, Java};
use crate::harness::jdk;
use crate::harness::process::{self, Output};
use crate::harness::racewire::{FOUND, findings, monitored, racewire, weave};
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use racewire_model::finding::{Finding, Kind, Report};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A library that Cargo has built, by the artifacts that it tells of. In a folder of its own, since a build of one package
/// has other features than one of all and would compile what both need anew in any folder; so it need not optimize.
fn built(package: &[&str]) -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--release", "--message-format=json"])
        .args(package)
        .arg("--target-dir")
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins"))
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .current_dir(tests_dir().join(".."));
    let out = process::run(&mut cargo).expect_code(0);
    let mut messages = out.stdout.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let library = message["target"]["crate_types"][0] == "cdylib";
        let file = message["filenames"][0].as_str()?.to_owned();
        library.then(|| PathBuf::from(file))
    });
    messages
        .next_back()
        .unwrap_or_else(|| panic!("{}", out.describe()))
}

struct Shop {
    scratch: Scratch,
    woven: PathBuf,
}

impl Shop {
    fn woven() -> Shop {
        let scratch = Scratch::new("plugins");
        let classes = Compile::with(jdk::oldest(), [tests_dir().join("plugins/Shop.java")]).classes();
        let woven = scratch.join("woven");
        weave(
            &classes,
            &woven,
            &["--quiet", "--detector", "hybrid", "--monitor", "all"],
        );
        Shop { scratch, woven }
    }

    /// Runs it; what was found goes to a folder of this name.
    fn run(&self, name: &str, options: &[String]) -> (Output, Vec<Finding>) {
        let found = self.scratch.join(name);
        let out = Java::new(jdk::oldest())
            .args(monitored(&found))
            .arg("-Dracewire.detector=hybrid")
            .args(options.iter().map(String::as_str))
            .class_path(&[&self.woven])
            .arg("plugins.Shop")
            .run();
        (out, findings(&found))
    }
}

fn of_plugins(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.retain(|f| f.detector == "guarded_by");
    findings
}

fn line_of(source: &str, text: &str) -> u32 {
    let source = std::fs::read_to_string(tests_dir().join(source)).unwrap();
    let at = source.lines().position(|line| line.contains(text));
    at.unwrap_or_else(|| panic!("{text}")) as u32 + 1
}

#[test]
fn a_detector_finds_the_same_in_a_run_and_in_its_trace() {
    let plugin = built(&["-p", "guarded-by"]);
    let shop = Shop::woven();
    let trace = shop.scratch.join("run.trace");
    let options = [
        format!("-Dracewire.plugin={}", plugin.display()),
        format!("-Dracewire.trace={}", trace.display()),
    ];
    let (out, online) = shop.run("both", &options);
    assert_eq!(out.code, FOUND, "{}", out.describe());
    let online = of_plugins(online);
    let told: Vec<(&str, &str, u32)> = online
        .iter()
        .map(|f| {
            let suspect = f.accesses.last().unwrap();
            (f.variable.as_str(), suspect.method.as_str(), suspect.line)
        })
        .collect();
    let source = "plugins/Shop.java";
    let expected = [
        (
            "plugins.Shop$Till.total",
            "peek",
            line_of(source, "return total;"),
        ),
        (
            "plugins.Shop.customers",
            "enter",
            line_of(source, "customers = 0;"),
        ),
    ];
    assert_eq!(told, expected, "{online:#?}");
    let (till, customers) = (&online[0], &online[1]);
    assert!(
        till.message
            .starts_with("guarded by the monitor of its own object in ")
            && customers.message.starts_with("guarded by java.lang.Object@"),
        "{online:#?}"
    );
    assert!(online.iter().all(|f| f.kind == Kind::Other));

    let offline = |more: &[&OsStr]| {
        let mut args: Vec<&OsStr> = vec!["analyze".as_ref(), trace.as_ref(), "--plugin".as_ref()];
        args.push(plugin.as_ref());
        args.extend(["--format", "json"].map(OsStr::new));
        args.extend(more);
        racewire(args)
    };
    let out = offline(&[]);
    assert_eq!(out.code, FOUND, "{}", out.describe());
    let report: Report =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}\n{}", out.describe()));
    assert_eq!(of_plugins(report.findings), online);
    let none = shop.scratch.join("none.so");
    let out = offline(&["--plugin".as_ref(), none.as_ref()]);
    let said = format!("racewire: plug-in {}: ", none.display());
    assert!(
        out.code == 2 && out.stderr.starts_with(&said) && out.stderr.lines().count() == 1,
        "{}",
        out.describe()
    );
}

#[test]
fn what_is_no_plugin_or_fails_costs_one_line_each() {
    let failing = built(&["-p", "racewire-plugin", "--example", "failing"]);
    let shop = Shop::woven();
    let file = |name: &str, text: &str| {
        let path = shop.scratch.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let library = |name: &str, source: &str| {
        let (source, path) = (file(&format!("{name}.rs"), source), shop.scratch.join(name));
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc
            .args(["--crate-name", "none", "--crate-type", "cdylib", "-o"])
            .arg(&path)
            .arg(source);
        process::run(&mut rustc).expect_code(0);
        path
    };
    let missing = shop.scratch.join("missing.so");
    let text = file("text.so", "no library at all");
    let other = library("other.so", "#[no_mangle] pub static OTHER: u32 = 1;");
    let newer = library(
        "newer.so",
        "#[no_mangle] pub static RACEWIRE_PLUGIN: [u32; 32] = [77; 32];",
    );
    let plugins: Vec<&Path> = vec![&missing, &text, &other, &newer, &failing];
    let list: Vec<String> = plugins.iter().map(|path| path.display().to_string()).collect();
    let (alone, expected) = shop.run("alone", &[]);
    let (out, found) = shop.run("with", &[format!("-Dracewire.plugin={}", list.join(","))]);
    assert_eq!(
        (out.code, &out.stdout),
        (alone.code, &alone.stdout),
        "{}",
        out.describe()
    );
    let keys =
        |findings: &[Finding]| -> Vec<String> { findings.iter().map(|f| f.fingerprint.clone()).collect() };
    assert_eq!(keys(&found), keys(&expected), "{}", out.describe());
    let lines: Vec<&str> = out
        .stderr
        .lines()
        .filter(|line| line.contains("plug-in"))
        .collect();
    let causes = [
        "No such file or directory (os error 2)",
        "",
        "no plug-in of racewire, it has no RACEWIRE_PLUGIN",
        "built for version 77.77 of racewire's plug-ins, this is version 1.5: build it anew",
        "it panicked at plugin/examples/failing.rs:16 (this detector cannot stand accesses)",
    ];
    assert_eq!(lines.len(), causes.len(), "{}", out.describe());
    for ((line, path), cause) in lines.iter().zip(&list).zip(causes) {
        let said = format!("racewire: plug-in {path}: {cause}");
        assert!(
            line.starts_with(&said) && line.ends_with("; the run goes on without it"),
            "{said}\n{}",
            out.describe()
        );
    }
}
