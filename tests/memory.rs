//! Memory does not grow with the number of monitored objects or locks: the state of a variable lives and dies
//! with its object, and what the detector keeps is shared between equal pasts.

use crate::harness::java::{Compile, Java};
use crate::harness::jdk;
use crate::harness::racewire::{findings, monitored, weave};
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use std::path::{Path, PathBuf};

/// Run-to-run noise of a JVM's peak memory (compiler arenas, thread stacks), in KB.
const NOISE_KB: u64 = 24 * 1024;

#[test]
fn ten_million_short_lived_objects() {
    let woven = Woven::new("ShortLived");
    woven.stays_flat(10_000_000, 1_000_000, 0);
}

#[test]
fn one_million_locks() {
    let woven = Woven::new("ManyLocks");
    // The detector keeps 16 bytes of aliases for a dead lock, as the program's words may still name its id; while
    // a table of them grows, the old and the new one are there at once.
    woven.stays_flat(1_000_000, 100_000, 32);
}

/// They leave the tables without others coming: who waits for work does not make any.
#[test]
fn what_is_kept_of_arrays_and_containers_goes_with_them() {
    // 50,000 entries of each kind, of 70 bytes and more. Threads keep about a thousand of each, to find them sooner.
    Woven::new("Gone").is_given_back(100_000, 6_000, 2);
}

/// Of each of 20 threads some thousand entries of 40 bytes and more.
#[test]
fn what_ended_threads_kept_goes_though_nobody_joins_them() {
    Woven::with("Kept", "ended").is_given_back(1_500, 4_000, 8);
}

#[test]
fn what_threads_kept_goes_while_they_wait_for_work() {
    Woven::with("Kept", "waiting").is_given_back(1_500, 4_000, 8);
}

/// The tables are looked through after each collection, also while the collector marks what is old.
#[test]
fn what_is_old_goes_though_the_collector_is_at_work() {
    let woven = Woven::new("Promoted").with_options(&[
        "-XX:-UseSerialGC",
        "-XX:+UseG1GC",
        "-XX:-G1UseAdaptiveIHOP",
        "-XX:InitiatingHeapOccupancyPercent=1",
        "-XX:MaxTenuringThreshold=1",
    ]);
    woven.is_given_back(20_000, 10_000, 100);
}

/// Of each of 20 threads up to 16,000 reads of 32 bytes.
#[test]
fn what_threads_knew_of_what_they_read_together_goes_with_it() {
    Woven::new("ReadTogether").is_given_back(20_000, 10_000, 8);
}

/// If each list of up to 64 looks were kept for itself, it would be a megabyte for each thread.
#[test]
fn what_came_behind_many_looks_takes_little() {
    for jdk in jdk::all() {
        let woven = Woven::new("Looks");
        let out = woven.java(
            jdk,
            &woven.scratch.join(format!("findings-{}", jdk.version)),
            2_000,
        );
        assert!(
            figure(&out, "each") < 300,
            "JDK {}: {}",
            jdk.version,
            out.describe()
        );
    }
}

/// Tables of which most is empty are no part of the heap; before, they were a megabyte.
#[test]
fn a_small_program_needs_little_more() {
    for jdk in jdk::all() {
        let woven = Woven::new("Small");
        let with = woven.java(jdk, &woven.scratch.join(format!("findings-{}", jdk.version)), 9);
        let plain = Java::new(jdk)
            .args(["-Xmx64m", "-Xms64m"])
            .class_path(&[&woven.plain])
            .args(["Small", "9"])
            .run();
        assert!(
            figure(&with, "live") <= figure(&plain, "live") + 600,
            "JDK {}: {}, unwoven {}",
            jdk.version,
            with.describe(),
            plain.describe()
        );
    }
}

/// G1 makes references old at once if it has much to keep, and what they refer to with them. Here it always does.
#[test]
fn collections_that_keep_everything_are_noticed() {
    let woven = Woven::new("Collected").with_options(&[
        "-XX:-UseSerialGC",
        "-XX:+UseG1GC",
        "-XX:MaxTenuringThreshold=0",
    ]);
    woven.is_given_back(20, 19, 10);
    woven.with_options(&[]).is_given_back(20, 19, 10);
}

struct Woven {
    main: &'static str,
    /// Beside the number of objects.
    how: &'static str,
    /// For the JVM, beside the usual ones.
    options: &'static [&'static str],
    plain: PathBuf,
    classes: PathBuf,
    scratch: Scratch,
}

impl Woven {
    fn new(main: &'static str) -> Woven {
        Woven::with(main, "")
    }

    fn with(main: &'static str, how: &'static str) -> Woven {
        let sources = ["Memory", main].map(|n| tests_dir().join(format!("memory/{n}.java")));
        let plain = Compile::new(sources).classes();
        let scratch = Scratch::new(main);
        let classes = scratch.join("woven");
        // Everything, so that it is the runtime's memory that is measured, whatever the analysis leaves out.
        weave(&plain, &classes, &["--quiet", "--monitor", "all"]);
        Woven {
            main,
            how,
            options: &[],
            plain,
            classes,
            scratch,
        }
    }

    fn with_options(self, options: &'static [&'static str]) -> Woven {
        Woven { options, ..self }
    }

    /// The program's heap grows by more than so many KB (or what it counts instead), of which at most a part is left in the end.
    fn is_given_back(&self, count: u64, at_least: u64, part: u64) {
        for jdk in jdk::all() {
            let found = self.scratch.join(format!("findings-{}", jdk.version));
            let out = self.java(jdk, &found, count);
            let (grown, left) = (figure(&out, "grown"), figure(&out, "left"));
            assert!(grown > at_least, "JDK {}: {}", jdk.version, out.describe());
            assert!(left <= grown / part, "JDK {}: {}", jdk.version, out.describe());
        }
    }

    /// The peak with `many` stays within the noise of the peak with `few`, and `kept` bytes for each further one.
    /// What this can see beyond that: 3 bytes per object (nine million more of them), 28 bytes per lock.
    fn stays_flat(&self, many: u64, few: u64, kept: u64) {
        for jdk in jdk::all() {
            let small = self.peak(jdk, few);
            let large = self.peak(jdk, many);
            assert!(
                large <= small + NOISE_KB + (many - few) * kept / 1024,
                "JDK {}: {few} objects took {small} KB, {many} took {large} KB",
                jdk.version
            );
        }
    }

    fn peak(&self, jdk: &jdk::Jdk, count: u64) -> u64 {
        let found = self.scratch.join(format!("findings-{}-{count}", jdk.version));
        let out = self.java(jdk, &found, count);
        let findings = findings(&found);
        assert!(
            findings.is_empty(),
            "{}\n{}",
            crate::harness::racewire::summary(&findings),
            out.describe()
        );
        assert_eq!(out.code, 0, "{}", out.describe());
        figure(&out, "peak")
    }

    fn java(&self, jdk: &jdk::Jdk, found: &Path, count: u64) -> crate::harness::process::Output {
        Java::new(jdk)
            .args(["-Xmx64m", "-Xms64m", "-XX:+AlwaysPreTouch"])
            .args(self.options)
            .args(monitored(found))
            .class_path(&[&self.classes])
            .arg(self.main)
            .arg(count.to_string())
            .arg(self.how)
            .run()
    }
}

/// What the program says of itself.
fn figure(out: &crate::harness::process::Output, name: &str) -> u64 {
    let line = out.stdout.lines().find_map(|l| l.strip_prefix(name));
    line.and_then(|n| n.trim().parse().ok())
        .unwrap_or_else(|| panic!("no '{name}'\n{}", out.describe()))
}
