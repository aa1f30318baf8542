//! `racewire check` as a user calls it: inputs, formats, what counts, exit codes. What the detectors claim is tested
//! beside them (`checks/tests`).

use crate::harness::jars::jar_of;
use crate::harness::java::Compile;
use crate::harness::process::{self, Output};
use crate::harness::racewire::{FOUND, command};
use crate::harness::scratch::Scratch;
use racewire_model::finding::{Finding, Kind, Tier};
use serde_json::Value;
use std::path::{Path, PathBuf};

const COUNTER: &str = "package com.acme;
public class Counter {
    private int count;
    public synchronized int get() {
        return count;
    }
    public synchronized void set(int value) {
        count = value;
    }
    public void twice() {
        int old = get();
        set(old * 2);
    }
    @SuppressRaces
    public void thrice() {
        int old = get();
        set(old * 3);
    }
    public void log() {
        System.out.println(get());
    }
    @interface SuppressRaces {}
}
";

const USER: &str = "package com.acme.app;
import com.acme.Counter;
public class User {
    private final Counter counter = new Counter();
    public void more() {
        int old = counter.get();
        counter.set(old + 1);
    }
    public static void main(String[] args) {}
}
";

struct Bench {
    scratch: Scratch,
    counter: PathBuf,
    user: PathBuf,
}

impl Bench {
    /// A jar with the counter, and a folder with its user.
    fn new(name: &str) -> Bench {
        let scratch = Scratch::new(name);
        let counter = scratch.write("src/com/acme/Counter.java", COUNTER);
        let user = scratch.write("src/com/acme/app/User.java", USER);
        let classes = scratch.folder("classes");
        Compile::new([counter, user]).compile_to(&classes);
        let user = scratch.folder("user");
        std::fs::create_dir_all(user.join("com/acme/app")).unwrap();
        std::fs::rename(
            classes.join("com/acme/app/User.class"),
            user.join("com/acme/app/User.class"),
        )
        .unwrap();
        let counter = jar_of(&classes, &scratch.join("counter.jar"), None);
        Bench {
            scratch,
            counter,
            user,
        }
    }

    fn check(&self, args: &[&str]) -> Output {
        process::run(command().current_dir(self.scratch.path()).arg("check").args(args))
    }

    fn json(&self, args: &[&str], code: i32) -> Value {
        let out = self
            .check(&[args, &["--format", "json"]].concat())
            .expect_code(code);
        serde_json::from_str(&out.stdout).unwrap()
    }

    fn findings(&self, args: &[&str], code: i32) -> Vec<Finding> {
        serde_json::from_value(self.json(args, code)["findings"].clone()).unwrap()
    }
}

fn methods(findings: &[Finding]) -> Vec<String> {
    let last = findings.iter().filter_map(|finding| finding.accesses.last());
    let mut methods: Vec<String> = last
        .map(|access| format!("{}.{}", access.class, access.method))
        .collect();
    methods.sort();
    methods
}

#[test]
fn a_finding_says_what_is_read_where_and_what_comes_of_it() {
    let bench = Bench::new("check-text");
    let found = bench.findings(&["counter.jar"], FOUND);
    let [finding] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!((finding.kind, finding.tier), (Kind::StaleValue, Tier::Static));
    assert!(
        finding.detector.starts_with("block-local,stale-value"),
        "{}",
        finding.detector
    );
    assert_eq!(finding.variable, "com.acme.Counter.count");
    let lines: Vec<u32> = finding.accesses.iter().map(|access| access.line).collect();
    assert_eq!(lines, [5, 11, 12]);
    assert!(
        finding.message.contains("That change is then lost."),
        "{}",
        finding.message
    );

    let text = bench
        .check(&["counter.jar", "--source", "src"])
        .expect_code(FOUND)
        .stdout;
    for part in [
        "Stale value 1 of 1: field 'int com.acme.Counter.count' may have changed before its value is used",
        "That change is then lost. To fix it, hold this from the read to the use,",
        "12 | set(old * 2);",
        "1 stale value in 2 classes; 1 finding suppressed",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn several_inputs_are_one_program_and_libraries_are_only_looked_into() {
    let bench = Bench::new("check-inputs");
    let both = bench.findings(&["counter.jar", "user"], FOUND);
    assert_eq!(
        methods(&both),
        ["com.acme.Counter.twice", "com.acme.app.User.more"]
    );
    let user = bench.findings(&["user", "--classpath", "counter.jar"], FOUND);
    assert_eq!(methods(&user), ["com.acme.app.User.more"]);
    // Nobody knows what the counter does.
    assert!(bench.findings(&["user"], 0).is_empty());
    let chosen = bench.findings(&["counter.jar", "user", "--exclude", "com.acme.app.**"], FOUND);
    assert_eq!(methods(&chosen), ["com.acme.Counter.twice"]);
    // Nothing of it is reached from main.
    let main = ["counter.jar", "user", "--main", "com.acme.app.User"];
    assert!(bench.findings(&main, 0).is_empty());
    assert!(bench.counter.is_file() && bench.user.is_dir());
}

/// They are read once, and nothing else is told.
#[test]
fn inputs_that_are_on_the_class_path_too_are_checked_as_if_they_were_not() {
    let bench = Bench::new("check-class-path");
    let alone = bench.json(&["counter.jar", "user"], FOUND);
    let both = ["counter.jar", "user", "--classpath", "user:./counter.jar"];
    assert_eq!(bench.json(&both, FOUND), alone);
}

#[test]
fn snapshots_are_told_on_demand_and_detectors_can_be_chosen() {
    let bench = Bench::new("check-detectors");
    let out = bench
        .check(&["counter.jar", "--format", "json"])
        .expect_code(FOUND);
    assert!(
        out.stderr.contains("1 more may be meant as they are"),
        "{}",
        out.describe()
    );
    let all = bench.findings(&["counter.jar", "--all"], FOUND);
    assert_eq!(methods(&all), ["com.acme.Counter.log", "com.acme.Counter.twice"]);
    // What matters most comes first.
    assert_eq!(all[0].accesses.last().unwrap().method, "twice");
    let one = bench.findings(&["counter.jar", "--all", "--detector", "stale-value"], FOUND);
    assert_eq!(methods(&one), ["com.acme.Counter.twice"]);
    assert_eq!(one[0].detector, "stale-value");
    // The same mistake has the same fingerprint, whoever finds it.
    assert_eq!(one[0].fingerprint, all[0].fingerprint);
}

#[test]
fn suppressions_baselines_and_annotations_count() {
    let bench = Bench::new("check-living");
    let judged = bench.json(&["counter.jar"], FOUND);
    assert_eq!(
        judged["suppressed"][0]["accesses"][0]["class"],
        "com.acme.Counter"
    );
    assert_eq!(judged["suppressed"][0]["suppressed_by"], "annotation");
    bench.scratch.write(
        "known.toml",
        "[[suppress]]\nkind = 'stale-value'\nvariable = 'com.acme.Counter.count'\nreason = 'a test'\n",
    );
    bench.json(&["counter.jar", "--suppressions", "known.toml"], 0);
    bench
        .check(&["counter.jar", "--write-baseline", "base.json"])
        .expect_code(0);
    let judged = bench.json(&["counter.jar", "--baseline", "base.json"], 0);
    assert_eq!(judged["known"].as_array().map(Vec::len), Some(1));
}

#[test]
fn every_format_tells_it() {
    let bench = Bench::new("check-formats");
    let formats = [
        "sarif=o.sarif",
        "html=o.html",
        "junit=o.xml",
        "github=o.txt",
        "json=o.json",
        "text=o.log",
    ];
    let mut args = vec!["counter.jar"];
    formats
        .iter()
        .for_each(|format| args.extend(["--format", format]));
    bench.check(&args).expect_code(FOUND);
    for file in ["o.sarif", "o.html", "o.xml", "o.txt", "o.json", "o.log"] {
        let text = std::fs::read_to_string(bench.scratch.join(file)).unwrap();
        assert!(text.contains("com.acme.Counter.count"), "{file}: {text}");
    }
    assert_eq!(bench.check(&args).expect_code(FOUND).stdout, "");
}

#[test]
fn bad_input_is_one_line() {
    let bench = Bench::new("check-bad");
    bench.scratch.write("not.jar", "PK? no");
    let folder = bench.scratch.folder("damaged");
    std::fs::write(folder.join("Bad.class"), [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0]).unwrap();
    bench.scratch.folder("empty");
    for (args, part) in [
        (&["missing.jar"][..], "missing.jar"),
        (&["not.jar"], "not.jar"),
        (&["damaged"], "Bad.class"),
        (&["empty"], "empty: no classes in it"),
        (
            &["counter.jar", "--main", "com.acme.Nobody"],
            "there is no class com.acme.Nobody",
        ),
        (
            &["counter.jar", "--main", "com.acme.Counter"],
            "com.acme.Counter has no main method",
        ),
        (&["counter.jar", "--classpath", "missing.jar"], "missing.jar"),
        (
            &["counter.jar", "--detector", "racer"],
            "no such detector; there are block-local",
        ),
        (
            &["counter.jar", "--without", "luck"],
            "no such rule; there are hand-over",
        ),
        (&["counter.jar", "--plain", "--without", "written"], "--without"),
        (&["counter.jar", "--suppressions", "missing.toml"], "missing.toml"),
        (&[], "INPUT"),
    ] {
        let out = bench.check(args);
        assert_eq!(out.code, 2, "{}", out.describe());
        assert!(
            out.stdout.is_empty() && out.stderr.lines().count() == 1,
            "{}",
            out.describe()
        );
        assert!(
            out.stderr.starts_with("racewire: ") && out.stderr.contains(part),
            "{}",
            out.describe()
        );
    }
    assert!(Path::new(&bench.counter).is_file());
}
