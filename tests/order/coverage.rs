//! The table of cases in docs/detected.md, counted from the cases themselves.

use crate::harness::{jars, tests_dir};
use std::fmt::Write;

const BEGIN: &str =
    "<!-- cases: written by `RACEWIRE_BLESS=1 cargo test --test e2e -- order::coverage` -->\n";
const END: &str = "<!-- end of cases -->\n";

/// What the families of cases are about.
const SUBJECTS: [(&str, &[&str]); 16] = [
    ("fields, by name, handle and offset too", &["Fields", "Handles"]),
    (
        "volatile fields, atomics, VarHandle modes",
        &["Volatiles", "Atomics"],
    ),
    ("monitors, wait and notify", &["Monitors", "Doors"]),
    (
        "locks, also read, stamped and optimistic",
        &["Locks", "Synchronizers"],
    ),
    (
        "start, end and interrupts of threads, virtual threads",
        &["Threads", "Virtual"],
    ),
    ("class initialisation, final fields", &["Initialisers"]),
    (
        "latches, barriers, phasers, semaphores, exchangers",
        &["Barriers"],
    ),
    (
        "executors and pools, structured concurrency",
        &["Executors", "Pools", "Structured"],
    ),
    ("futures, Flow", &["Futures"]),
    (
        "fork/join, parallel streams, gatherers",
        &["ForkJoin", "Gathered"],
    ),
    ("queues", &["Queues", "Queue"]),
    (
        "concurrent collections and maps",
        &["ConcurrentCollections", "ConcurrentMaps", "Maps"],
    ),
    (
        "collections and other objects that are not thread-safe",
        &["Containers", "PlainCollections", "PlainMaps", "Mutables"],
    ),
    (
        "elements of arrays, loops over them, their locks",
        &["Arrays", "Walks", "LoopCalls", "ElementLocks"],
    ),
    (
        "timers, cleaners, shutdown hooks, listeners, processes, pipes",
        &["Timers", "Processes", "Pipes"],
    ),
    (
        "HTTP clients and servers, RMI, JMX, preferences, logging, Swing",
        &["Clients", "Servers", "Logs", "Windows"],
    ),
];

#[derive(Default, Clone, Copy)]
struct Counts {
    ordered: usize,
    racing: usize,
}

/// Families with their cases, a template's once for each of its classes.
fn families() -> Vec<(String, Counts)> {
    let folder = tests_dir().join("order");
    let files = ["programs", "templates"].map(|part| jars::files_under(&folder.join(part)));
    let count = |(path, text): (String, Vec<u8>)| {
        let text = String::from_utf8_lossy(&text).into_owned();
        let times = text.lines().filter(|l| l.starts_with("// each: ")).count().max(1);
        let begin = |call: &str| text.lines().filter(|l| l.trim_start().starts_with(call)).count();
        let name = path.rsplit('/').next().unwrap_or_default();
        let counts = Counts {
            ordered: times * begin("ordered(\""),
            racing: times * begin("races(\""),
        };
        (name.trim_end_matches(".java").to_owned(), counts)
    };
    let all = files.into_iter().flatten().map(count);
    all.filter(|(_, c)| c.ordered + c.racing > 0).collect()
}

fn table() -> String {
    let families = families();
    let mut text = String::from(
        "| what orders threads, or does not | ordered, quiet | not ordered, reported |\n|---|---|---|\n",
    );
    let mut sum = Counts::default();
    for (subject, names) in SUBJECTS {
        let of = families.iter().filter(|(name, _)| names.contains(&name.as_str()));
        let found = of.fold(Counts::default(), |a, (_, b)| Counts {
            ordered: a.ordered + b.ordered,
            racing: a.racing + b.racing,
        });
        let _ = writeln!(text, "| {subject} | {} | {} |", found.ordered, found.racing);
        sum.ordered += found.ordered;
        sum.racing += found.racing;
    }
    let _ = writeln!(text, "| all | {} | {} |", sum.ordered, sum.racing);
    text
}

#[test]
fn every_family_of_cases_has_a_subject() {
    for (name, _) in families() {
        let subjects = SUBJECTS
            .iter()
            .filter(|(_, names)| names.contains(&name.as_str()));
        assert_eq!(subjects.count(), 1, "{name}");
    }
}

#[test]
fn the_table_of_cases_is_what_the_cases_are() {
    let path = tests_dir().join("../docs/detected.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let parts = text
        .split_once(BEGIN)
        .and_then(|(before, rest)| Some((before, rest.split_once(END)?)));
    let Some((before, (known, after))) = parts else {
        panic!("{}: no table of cases", path.display());
    };
    let table = table();
    if std::env::var_os("RACEWIRE_BLESS").is_some() {
        let whole = format!("{before}{BEGIN}{table}{END}{after}");
        std::fs::write(&path, whole).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    } else {
        assert_eq!(known, table, "RACEWIRE_BLESS=1 writes it anew");
    }
}
