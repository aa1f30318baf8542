//! Suppressions, baselines and annotations decide what counts.

use super::{all_kinds, findings_file, report, run_woven};
use crate::harness::java::Compile;
use crate::harness::process;
use crate::harness::racewire::{FOUND, command};
use crate::harness::scratch::Scratch;
use serde_json::Value;
use std::path::Path;

fn json(dir: &Path, args: &[&str], code: i32) -> Value {
    let out = report(dir, [&["findings", "--format", "json"], args].concat()).expect_code(code);
    serde_json::from_str(&out.stdout).unwrap()
}

fn count(report: &Value, list: &str) -> usize {
    report[list].as_array().map_or(0, Vec::len)
}

#[test]
fn suppressed_findings_do_not_fail_and_unused_suppressions_are_told() {
    let scratch = Scratch::new("suppressions");
    findings_file(&scratch, "findings", all_kinds());
    scratch.write(
        "all.toml",
        "# Everything here is known.\n\n[[suppress]]\nvariable = 'com.acme.**'\nreason = 'a test'\n\n\
         [[suppress]]\nclass = 'com.acme.Fixed'\nreason = 'was fixed long ago'\n",
    );
    let judged = json(scratch.path(), &["--suppressions", "all.toml"], 0);
    assert_eq!((count(&judged, "findings"), count(&judged, "suppressed")), (0, 9));
    assert_eq!(judged["suppressed"][0]["reason"], "a test");
    assert_eq!(judged["suppressed"][0]["suppressed_at"], "all.toml:3");
    assert_eq!(
        judged["unused_suppressions"],
        serde_json::json!(["all.toml:7: was fixed long ago"])
    );
    let text = report(scratch.path(), ["findings", "--suppressions", "all.toml"]).expect_code(0);
    assert!(
        text.stdout.contains("9 findings suppressed"),
        "{}",
        text.describe()
    );
    assert!(
        text.stdout
            .contains("match nothing and can go:\n  all.toml:7: was fixed"),
        "{}",
        text.describe()
    );
    scratch.write("one.toml", "[[suppress]]\nkind = 'race'\nreason = 'a test'\n");
    assert_eq!(
        count(
            &json(scratch.path(), &["--suppressions", "one.toml"], FOUND),
            "findings"
        ),
        8
    );
}

#[test]
fn mistakes_in_the_files_are_one_line_and_write_nothing() {
    let scratch = Scratch::new("bad-suppressions");
    findings_file(&scratch, "findings", all_kinds());
    scratch.write(
        "bad.toml",
        "[[suppress]]\nkind = 'race'\nreason = 'x'\nclas = 'y'\n",
    );
    scratch.write("why.toml", "\n[[suppress]]\nkind = 'race'\n");
    scratch.write("base.json", "{\"version\":1}");
    scratch.write("c.toml", "format = ['pdf']\n");
    for (args, part) in [
        (
            vec!["--suppressions", "bad.toml"],
            "bad.toml, line 4: unknown field `clas`",
        ),
        (
            vec!["--suppressions", "why.toml"],
            "why.toml, line 2: a suppression needs a reason",
        ),
        (vec!["--suppressions", "none.toml"], "none.toml"),
        (
            vec!["--baseline", "base.json"],
            "base.json, line 1: not a baseline",
        ),
        (vec!["--baseline", "none.json"], "none.json"),
        (vec!["--format", "pdf"], "no such format"),
        (
            vec!["--format", "json", "--format", "text"],
            "only one format can go to the terminal",
        ),
        (
            vec!["--format", "json=a.json", "-o", "b.json"],
            "--output is for the format without a file",
        ),
        (
            vec!["--config", "c.toml"],
            "c.toml: format \"pdf\": no such format",
        ),
    ] {
        let mut args = [&["findings"], args.as_slice()].concat();
        if !args.contains(&"-o") {
            args.extend(["-o", "out.txt"]);
        }
        let out = report(scratch.path(), &args).expect_code(2);
        assert!(out.stderr.contains(part), "{part}\n{}", out.describe());
        assert_eq!(out.stderr.lines().count(), 1, "{}", out.describe());
        assert!(!scratch.join("out.txt").exists() && !scratch.join("b.json").exists());
    }
}

#[test]
fn only_what_the_baseline_does_not_know_fails() {
    let scratch = Scratch::new("baseline");
    findings_file(&scratch, "findings", all_kinds().into_iter().take(4));
    report(scratch.path(), ["findings", "--write-baseline", "base.json"]).expect_code(0);
    let known = json(scratch.path(), &["--baseline", "base.json"], 0);
    assert_eq!((count(&known, "findings"), count(&known, "known")), (0, 4));

    findings_file(&scratch, "findings", all_kinds().into_iter().skip(1));
    let judged = json(scratch.path(), &["--baseline", "base.json"], FOUND);
    assert_eq!((count(&judged, "findings"), count(&judged, "known")), (5, 3));
    assert_eq!(judged["baseline_gone"], 1);
    // A JSON report serves as well, and so does racewire.toml.
    report(scratch.path(), ["findings", "--format", "json=old.json"]).expect_code(FOUND);
    scratch.write(
        "racewire.toml",
        "baseline = 'old.json'\nfindings = 'findings'\nformat = ['json', 'junit=j.xml']\n",
    );
    let out = report(scratch.path(), [""; 0]).expect_code(0);
    assert_eq!(count(&serde_json::from_str(&out.stdout).unwrap(), "known"), 8);
    assert!(scratch.join("j.xml").is_file());
    // Writing twice gives the same bytes.
    report(scratch.path(), ["--write-baseline", "again.json"]).expect_code(0);
    report(scratch.path(), ["--write-baseline", "base.json"]).expect_code(0);
    let read = |name| std::fs::read(scratch.join(name)).unwrap();
    assert_eq!(read("again.json"), read("base.json"));
}

const ANNOTATED: &str = "import java.lang.annotation.*;
public class Annotated {
    @Retention(RetentionPolicy.CLASS) @interface SuppressRaces { String[] value() default {}; }
    @SuppressRaces({ \"statistics\", \"may be off by a few\" }) static int hits;
    static int meant;
    static int quiet;
    static int racy;
    @SuppressRaces static class Cache { static Object last; }
    @SuppressRaces static void work() { meant++; Runnable r = () -> quiet++; r.run(); }
    static void serve() { hits++; Cache.last = new Object(); work(); if (fail) racy++; }
    static boolean fail;
    public static void main(String[] args) throws Exception {
        fail = args.length > 0;
        Thread[] all = { new Thread(Annotated::serve), new Thread(Annotated::serve) };
        for (Thread t : all) t.start();
        for (Thread t : all) t.join();
    }
}
";

#[test]
fn annotated_classes_fields_and_methods_are_suppressed() {
    let scratch = Scratch::new("annotated");
    let source = scratch.write("Annotated.java", ANNOTATED);
    let (findings, out) = run_woven(&scratch, &source, "Annotated", &["-Dracewire.halt=on"]);
    assert_eq!(
        out.code,
        0,
        "excused findings neither fail the run nor end it\n{}",
        out.describe()
    );
    std::fs::rename(findings, scratch.join("findings")).unwrap();
    let judged = json(scratch.path(), &[], 0);
    let mut reasons: Vec<(String, String)> = (judged["suppressed"].as_array().unwrap().iter())
        .map(|s| {
            let text = |key: &str| s[key].as_str().unwrap().to_owned();
            (text("variable"), text("reason"))
        })
        .collect();
    reasons.sort();
    reasons.dedup();
    let expected = [
        ("Annotated$Cache.last", "class Annotated$Cache"),
        ("Annotated.hits", "field Annotated.hits"),
        ("Annotated.meant", "method Annotated.work"),
        ("Annotated.quiet", "method Annotated.work"),
    ]
    .map(|(v, element)| (v.to_owned(), format!("annotation @SuppressRaces on {element}")));
    assert_eq!(reasons, expected);
}

/// The exit code of `run` is that of the report, not that of the monitored JVM.
#[test]
fn run_goes_by_suppressions_too() {
    let scratch = Scratch::new("run-living");
    let source = scratch.write("Annotated.java", ANNOTATED);
    let classes = Compile::new([source]).classes();
    let run = |args: &[&str]| {
        let mut command = command();
        command.current_dir(scratch.path()).arg("run").args(args);
        process::run(command.args(["--main", "Annotated"]).arg(&classes).arg("fail"))
    };
    let out = run(&[]).expect_code(FOUND);
    assert!(out.stderr.contains("'int Annotated.racy'"), "{}", out.describe());
    assert!(!out.stderr.contains("'int Annotated.hits'"), "{}", out.describe());
    scratch.write(
        "s.toml",
        "[[suppress]]\nvariable = 'Annotated.racy'\nreason = 'a test'\n",
    );
    let out = run(&["--suppressions", "s.toml"]).expect_code(0);
    assert!(out.stderr.contains("findings suppressed"), "{}", out.describe());
    run(&["--suppressions", "s.toml", "--jvm-arg", "-Dracewire.exitcode=66"]).expect_code(FOUND);
}
