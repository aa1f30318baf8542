//! Reports: every format, suppressions, baselines, annotations, fingerprints, and the page in a real browser.

mod cut;
mod fingerprints;
mod formats;
mod living;
mod page;
mod sarif;

use crate::harness::java::{Compile, Java};
use crate::harness::jdk;
use crate::harness::process::{self, Output};
use crate::harness::racewire::{command, monitored, weave};
use crate::harness::scratch::Scratch;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Weaves and runs a program of one source file; the folder of its findings. By racer, which finds the same however threads
/// are scheduled.
fn run_woven(scratch: &Scratch, source: &Path, main: &str, jvm_args: &[&str]) -> (PathBuf, Output) {
    let woven = scratch.folder("woven-parent").join(main);
    let classes = Compile::new([source.to_owned()]).classes();
    weave(&classes, &woven, &["--quiet", "--detector", "racer"]);
    let findings = scratch.join(format!("findings-{main}"));
    let out = Java::new(jdk::oldest())
        .args(monitored(&findings))
        .args(jvm_args)
        .class_path(&[&woven])
        .arg(main)
        .run();
    (findings, out)
}

/// `racewire report` in a folder of its own, so that paths are relative to it.
fn report<S: AsRef<OsStr>>(dir: &Path, args: impl IntoIterator<Item = S>) -> Output {
    let mut command = command();
    process::run(
        command
            .current_dir(dir)
            .env("NO_COLOR", "1")
            .arg("report")
            .args(args),
    )
}

/// A findings file with one finding of each of these JSON texts.
fn findings_file(scratch: &Scratch, name: &str, findings: impl IntoIterator<Item = String>) -> PathBuf {
    let mut text = String::from(
        "{\"record\":\"process\",\"version\":1,\"pid\":7,\"started_ms\":1,\"detector\":\"racer\",\"java\":\"17\"}\n",
    );
    for finding in findings {
        text.push_str(&finding);
        text.push('\n');
    }
    text.push_str("{\"record\":\"end\",\"events\":3}\n");
    scratch.write(&format!("{name}/7-1.jsonl"), text)
}

/// Every kind of finding with one to three accesses, with names that would do harm if they were taken for markup.
fn all_kinds() -> Vec<String> {
    let hostile = "<script>hacked=1</script><img src=x onerror=hacked=1>\u{1}\"'&]]>";
    let kinds = [
        "race",
        "potential-race",
        "lock-order",
        "high-level-race",
        "stale-value",
        "method-consistency",
        "causal-dependency",
        "deadlock",
        "other",
    ];
    let mut all = Vec::new();
    for (nth, kind) in kinds.into_iter().enumerate() {
        let about_locks = matches!(kind, "lock-order" | "deadlock");
        let access = |n: usize| {
            serde_json::json!({
                "kind": if about_locks { "lock" } else { ["read", "write", "call"][n % 3] },
                "thread": format!("T{n} {hostile}"), "class": format!("com.acme.k{nth}.{hostile}"), "method": "m",
                "file": if n == 2 { None } else { Some("Bank.java") }, "line": n * 10,
                "stack": [format!("com.acme.Bank.m(Bank.java:{})", n * 10), "java.base/java.lang.Thread.run(Thread.java:840)"],
                "stack_complete": n == 0, "locks": [format!("com.acme.Lock@{n}")],
                "thread_started_at": ["com.acme.Main.main(Main.java:3)"],
                "holding": about_locks.then(|| serde_json::json!({
                    "lock": format!("com.acme.Lock@{n}"),
                    "stack": ["com.acme.Outer.take(Outer.java:5)"],
                    "stack_complete": true,
                })),
            })
        };
        let tier = ["run", "static", "static+run"][nth % 3];
        let accesses: Vec<serde_json::Value> = (0..=nth % 3).map(access).collect();
        let finding = serde_json::json!({
            "record": "finding", "kind": kind, "detector": "some", "tier": tier,
            "variable": format!("com.acme.k{nth}.Bank.x{hostile}"), "variable_type": "int", "owner": "com.acme.Bank@1",
            "accesses": accesses, "history": [access(1)], "message": format!("</script>{hostile}"),
            "tests": [format!("com.acme.BankTest.t{nth}{hostile}")], "fingerprint": format!("f{nth}"),
        });
        all.push(finding.to_string());
    }
    all
}
