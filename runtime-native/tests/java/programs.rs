//! Runs every Java test program on every JDK and compares with the expectations at the top of its source: the
//! races found, the exit code, an undisturbed stdout.
//!
//! ```text
//! // since 21                    runs on that version and later
//! // expect race a.B.c           exactly these variables have findings
//! // expect both stacks          every finding has the stacks of both accesses
//! ```

use crate::built::{Run, notes, on_every_jdk};
use racewire_model::finding::Record;
use std::collections::BTreeSet;
use std::fs;

#[test]
fn every_program_behaves_as_its_source_says() {
    on_every_jdk(|built| {
        for file in built.programs() {
            let source = fs::read_to_string(&file).unwrap();
            if !source.contains("void main(") {
                continue;
            }
            let class = file.file_stem().unwrap().to_str().unwrap();
            let run = built.run(class, &[]);
            check(&format!("{class} on JDK {}", built.jdk.version), &source, &run);
        }
    });
}

fn check(what: &str, source: &str, run: &Run) {
    let context = format!("{what}\n{}", run.stderr);
    let expected: BTreeSet<String> = notes(source, "expect race")
        .into_iter()
        .map(str::to_owned)
        .collect();
    assert_eq!(run.stdout, "ok\n", "{context}");
    assert_eq!(run.variables(), expected, "{context}");
    assert_eq!(run.code, if expected.is_empty() { 0 } else { 66 }, "{context}");
    assert!(
        matches!(run.records.first(), Some(Record::Process { version: 1, .. })),
        "{context}"
    );
    assert!(
        matches!(run.records.last(), Some(Record::End { .. })),
        "{context}"
    );
    if expected.is_empty() {
        assert_eq!(run.stderr, "", "{context}");
    } else {
        let count = run.findings().len();
        let line = format!(
            "racewire: {count} finding{} in ",
            if count == 1 { "" } else { "s" }
        );
        assert!(
            run.stderr.starts_with(&line) && run.stderr.lines().count() == 1,
            "{context}"
        );
    }
    for finding in run.findings() {
        assert_eq!(finding.accesses.len(), 2, "{context}");
        let later = &finding.accesses[1];
        assert!(later.stack_complete, "{context}");
        for access in &finding.accesses {
            assert!(
                access.stack.iter().all(|f| !f.contains("racewire")),
                "{:?}",
                access.stack
            );
            assert!(
                access.stack[0].starts_with(&format!("{}.{}(", access.class, access.method)),
                "{:?}",
                access.stack
            );
        }
        if !notes(source, "expect both").is_empty() {
            assert!(
                finding.accesses.iter().all(|a| a.stack_complete),
                "{context}\n{finding:#?}"
            );
        }
    }
}
