//! Deadlocks that really happen: each is in the findings file while the JVM hangs, and on stderr; a kill loses nothing.

use crate::harness::java::{Compile, Java};
use crate::harness::jdk::{self, Jdk};
use crate::harness::process::Output;
use crate::harness::racewire::{findings, monitored, racewire, summary, weave};
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use racewire_model::finding::{Access, Finding, Kind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

type Places = BTreeSet<(String, u32)>;

struct Program {
    sources: Vec<PathBuf>,
    /// How many deadlocks it has.
    deadlocks: usize,
}

impl Program {
    fn of(jdk: &Jdk) -> Program {
        let mut program = Program {
            sources: vec![tests_dir().join("hangs/Hangs.java")],
            deadlocks: 4,
        };
        if jdk.version >= 21 {
            program.sources.push(tests_dir().join("hangs/VirtualHangs.java"));
            program.deadlocks += 1;
        }
        program
    }

    fn marked(&self, mark: &str) -> Places {
        let mut places = Places::new();
        for path in &self.sources {
            let text = std::fs::read_to_string(path).unwrap();
            let file = path.file_name().unwrap().to_string_lossy();
            let lines = (1..).zip(text.lines()).filter(|(_, line)| line.ends_with(mark));
            places.extend(lines.map(|(number, _)| (file.clone().into_owned(), number)));
        }
        places
    }

    /// Runs until all is said, then kills the JVM.
    fn run(&self, jdk: &Jdk, detectors: &str, scratch: &Scratch, found: &Path) -> Output {
        let classes = Compile::with(jdk, self.sources.clone()).classes();
        let woven = scratch.join("woven");
        let home = jdk.home.to_string_lossy();
        weave(
            &classes,
            &woven,
            &["--quiet", "--jdk", &home, "--detector", detectors],
        );
        let alive = scratch.join("alive");
        let java = Java::new(jdk)
            .args(monitored(found))
            .arg(format!("-Dracewire.detector={detectors}"))
            .arg(format!(
                "-Dracewire.trace={}",
                scratch.join("run.trace").display()
            ))
            .class_path(&[&woven])
            .args(["hangs.Hangs", alive.to_str().unwrap()]);
        java.run_until(|| alive.exists() && told(found) >= self.deadlocks)
    }
}

/// How many deadlocks are in the findings files right now.
fn told(folder: &Path) -> usize {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let texts = files.map(|file| std::fs::read_to_string(file.path()).unwrap_or_default());
    texts
        .map(|text| text.matches("\"kind\":\"deadlock\"").count())
        .sum()
}

/// File and line of the frame where a lock was taken; the entry of a synchronized method has no line of its own.
fn taken_at(access: &Access) -> Option<(String, u32)> {
    let frames = &access.holding.as_ref()?.stack;
    frames.iter().find_map(|frame| {
        let (file, line) = frame.split_once('(')?.1.strip_suffix(')')?.split_once(':')?;
        Some((file.to_owned(), line.parse().ok()?))
    })
}

fn check(jdk: &Jdk, detectors: &str) -> Vec<Finding> {
    let scratch = Scratch::new("hangs");
    let program = Program::of(jdk);
    let found = scratch.join("findings");
    let out = program.run(jdk, detectors, &scratch, &found);
    let deadlocks: Vec<Finding> = findings(&found)
        .into_iter()
        .filter(|f| f.kind == Kind::Deadlock)
        .collect();
    let all = format!("{}\n{}", summary(&deadlocks), out.describe());
    assert_eq!(deadlocks.len(), program.deadlocks, "{all}");
    let accesses = || deadlocks.iter().flat_map(|f| &f.accesses);
    let waiting: Places = accesses()
        .map(|a| (a.file.clone().unwrap_or_default(), a.line))
        .collect();
    assert_eq!(waiting, program.marked("// expect deadlock"), "{all}");
    let lines = out
        .stderr
        .lines()
        .filter(|l| l.starts_with("racewire: deadlock: "));
    assert_eq!(lines.count(), program.deadlocks, "{all}");
    for finding in &deadlocks {
        for (access, next) in finding
            .accesses
            .iter()
            .zip(finding.accesses.iter().cycle().skip(1))
        {
            let bare = |lock: &str| lock.trim_end_matches(" (read)").to_owned();
            let held = next.holding.as_ref().map(|h| bare(&h.lock));
            assert_eq!(
                access.lock.as_deref().map(bare),
                held,
                "the next one holds it\n{all}"
            );
            // The builders of virtual threads start them out of sight.
            let is_seen = !access.thread.starts_with("virtual");
            assert_eq!(!access.thread_started_at.is_empty(), is_seen, "{all}");
        }
    }
    if detectors.contains("lock_order") {
        let taken: Places = accesses().filter_map(taken_at).collect();
        assert_eq!(taken, program.marked("// taken"), "{all}");
    }
    check_trace(&scratch.join("run.trace"), &found);
    let text = racewire(["report".as_ref(), found.as_os_str()]).stdout;
    for part in [
        "Deadlock 1 of ",
        "2 threads wait for each other, for ever: each for a lock that the next one holds",
        "a thread waits for itself, for ever",
    ] {
        assert!(text.contains(part), "'{part}' is missing in\n{text}");
    }
    deadlocks
}

/// A JVM that was killed leaves a trace up to that moment, with what had been found.
fn check_trace(trace: &Path, found: &Path) {
    let kept = trace.with_file_name("offline");
    let out = racewire([
        "analyze".as_ref(),
        trace.as_os_str(),
        "-o".as_ref(),
        kept.as_os_str(),
    ]);
    assert!(
        out.stderr.contains("the trace ends before its process did"),
        "{}",
        out.describe()
    );
    let fingerprints = |folder: &Path| -> BTreeSet<String> {
        let found = findings(folder).into_iter();
        let found = found.filter(|f| f.kind != Kind::Deadlock);
        found.map(|f| f.fingerprint).collect()
    };
    assert_eq!(fingerprints(&kept), fingerprints(found), "{}", out.describe());
}

#[test]
fn a_deadlock_is_written_while_the_jvm_hangs_and_the_living_are_left_alone() {
    let mut fingerprints: Vec<BTreeSet<String>> = Vec::new();
    for jdk in jdk::all() {
        // With lock_order it is known where the locks were taken; without, the deadlocks are told all the same.
        for detectors in ["hybrid,lock_order", "racer"] {
            let deadlocks = check(jdk, detectors);
            let of_all = deadlocks
                .iter()
                .filter(|f| f.accesses.iter().all(|a| a.class.starts_with("hangs.Hangs")));
            fingerprints.push(of_all.map(|f| f.fingerprint.clone()).collect());
        }
    }
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), 1, "{fingerprints:?}");
}
