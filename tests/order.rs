//! Every edge of the memory model and of the JDK's specification, in pairs of cases: one that the edge orders, one that
//! races without it. See order/README.md for the conventions.
//!
//! `RACEWIRE_REPEAT=100` runs each JVM so often: the verdicts must be the same every time.

mod coverage;
mod marks;
mod sources;

use crate::harness::java::{Compile, Java};
use crate::harness::jdk::{self, Jdk};
use crate::harness::parallel;
use crate::harness::racewire::{FOUND, findings, monitored, summary, thread_patch, weave};
use crate::harness::scratch::Scratch;
use crate::harness::tests_dir;
use marks::Marks;
use racewire_model::finding::{Access, EventKind, Finding, Kind};
pub use sources::MAIN;
use sources::Sources;
use std::path::PathBuf;
use std::sync::OnceLock;

/// What is woven and who looks at the run.
#[derive(Debug, Clone, Copy)]
struct Way {
    detector: &'static str,
    /// All accesses, or those that may be shared in a program that begins with its main class.
    all: bool,
    /// The epoch stands in the thread, as with `racewire run`.
    patched: bool,
    /// The kinds of findings that it makes.
    kinds: &'static [Kind],
}

const WAYS: [Way; 4] = [
    Way {
        detector: "hybrid",
        all: false,
        patched: true,
        kinds: &[Kind::Race, Kind::PotentialRace],
    },
    Way {
        detector: "hybrid",
        all: true,
        patched: false,
        kinds: &[Kind::Race, Kind::PotentialRace],
    },
    Way {
        detector: "happens_before",
        all: true,
        patched: true,
        kinds: &[Kind::Race],
    },
    Way {
        detector: "lock_order",
        all: false,
        patched: false,
        kinds: &[Kind::LockOrder],
    },
];

/// The family about locks alone, for a detector of its own.
const DEADLOCKS: &str = "Deadlocks";

/// The cases as a program, compiled for one JDK.
pub struct Program {
    pub jdk: &'static Jdk,
    sources: Sources,
    pub classes: PathBuf,
    /// What it prints unwoven.
    output: OnceLock<String>,
    _scratch: Scratch,
}

impl Program {
    /// Compiled once: hundreds of classes, for many tests.
    pub fn on(jdk: &'static Jdk) -> &'static Program {
        static COMPILED: OnceLock<Vec<OnceLock<Program>>> = OnceLock::new();
        let all = COMPILED.get_or_init(|| jdk::all().iter().map(|_| OnceLock::new()).collect());
        let nth = jdk::all().iter().position(|other| other == jdk);
        all[nth.unwrap_or_default()].get_or_init(|| Program::compile(jdk))
    }

    fn compile(jdk: &'static Jdk) -> Program {
        let scratch = Scratch::new("order");
        let sources = Sources::write(&scratch, jdk.version);
        let classes = scratch.folder("classes");
        let mut compile = Compile::with(jdk, sources.files.clone());
        if previews(jdk) {
            compile = compile
                .option("--enable-preview")
                .option("--release")
                .option(&jdk.version.to_string());
        }
        compile.compile_to(&classes);
        Program {
            jdk,
            sources,
            classes,
            output: OnceLock::new(),
            _scratch: scratch,
        }
    }

    fn java(jdk: &Jdk) -> Java {
        // One JDK is enough for compiled code, but where somebody wants to know exactly.
        let is_light = jdk.version != jdk::oldest().version && repetitions() == 1;
        let java = if is_light {
            Java::new(jdk).lightly()
        } else {
            Java::new(jdk)
        };
        if previews(jdk) {
            java.arg("--enable-preview")
        } else {
            java
        }
    }

    pub fn families(&self) -> &[String] {
        &self.sources.families
    }

    /// A line of the source file of this name.
    pub fn line(&self, file: &str, line: u32) -> String {
        let path = self.sources.files.iter().find(|f| f.ends_with(file));
        let text = path
            .and_then(|p| std::fs::read_to_string(p).ok())
            .unwrap_or_default();
        let lines = text.lines().nth(line as usize - 1);
        lines.unwrap_or_default().to_owned()
    }

    /// What it prints unwoven when told to run these.
    fn output_of(&self, families: &[&String]) -> String {
        let output = self.output.get_or_init(|| {
            let java = Program::java(self.jdk).class_path(&[&self.classes]);
            let java = java.arg(sources::MAIN).args(&self.sources.families);
            java.run().expect_code(0).stdout
        });
        let is_wanted = |part: &&str| families.iter().any(|f| part.starts_with(&sources::title(f)));
        let parts = output.split_inclusive(sources::END);
        parts.filter(is_wanted).collect()
    }

    /// Runs the families that the way is for.
    fn check(&self, way: &Way) {
        let about_locks = way.kinds.contains(&Kind::LockOrder);
        let families = self.sources.families.iter();
        let families: Vec<&String> = families.filter(|f| (*f == DEADLOCKS) == about_locks).collect();
        let name = format!("{}-{}", way.detector, if way.all { "all" } else { "main" });
        let scratch = Scratch::new("order");
        let woven = scratch.join("woven");
        let home = self.jdk.home.to_string_lossy();
        let mut options = vec!["--quiet", "--jdk", &home, "--detector", way.detector];
        options.extend(["--exclude", "invisible.**"]);
        options.extend(if way.all {
            ["--monitor", "all"]
        } else {
            ["--main", sources::MAIN]
        });
        weave(&self.classes, &woven, &options);
        for nth in 1..=repetitions() {
            let found = scratch.join(format!("findings-{nth}"));
            let mut java = Program::java(self.jdk)
                .args(monitored(&found))
                .arg(format!("-Dracewire.detector={}", way.detector));
            if way.patched {
                java = java.arg(thread_patch(self.jdk));
            }
            let java = java.class_path(&[&woven]).arg(sources::MAIN);
            let out = java.args(&families).run();
            let findings = findings(&found);
            let wrong = Marks::read(&self.sources.files, way.kinds, way.all).differences(&findings);
            assert!(
                wrong.is_empty(),
                "JDK {}, {name}, run {nth}: {} lines\n{}\n--- findings\n{}\n{}",
                self.jdk.version,
                wrong.len(),
                wrong.join("\n"),
                summary(&findings),
                out.describe()
            );
            if about_locks {
                assert_outer_locks_are_known(&findings);
            } else {
                self.assert_late_findings_are_complete(&findings);
            }
            assert_eq!(out.code, FOUND, "{}", out.describe());
            assert_eq!(
                out.stdout,
                self.output_of(&families),
                "{name}: woven output differs"
            );
        }
    }
}

impl Program {
    /// What a loop did to an array and told of later has its element, its stack and the locks of both sides.
    fn assert_late_findings_are_complete(&self, findings: &[Finding]) {
        let is_last = |a: &Access| {
            let file = a.file.as_deref().unwrap_or_default();
            self.line(file, a.line).contains("use(a[899])")
        };
        for finding in findings.iter().filter(|f| f.accesses.iter().any(is_last)) {
            let [earlier, later] = &finding.accesses[..] else {
                panic!("not two accesses: {finding:#?}");
            };
            assert!(finding.owner.ends_with(", element 899"), "{finding:#?}");
            assert!(later.stack_complete, "{finding:#?}");
            assert_eq!((earlier.locks.len(), later.locks.len()), (1, 1), "{finding:#?}");
        }
    }
}

/// It is told where each lock that is held was taken.
fn assert_outer_locks_are_known(cycles: &[Finding]) {
    for access in cycles.iter().flat_map(|f| &f.accesses) {
        let holding = access
            .holding
            .as_ref()
            .map(|h| (h.stack_complete, h.stack.first()));
        assert!(
            matches!(holding, Some((true, Some(frame))) if frame.starts_with("order.Deadlocks")),
            "{access:#?}"
        );
    }
}

/// Structured concurrency is a preview since 25.
fn previews(jdk: &Jdk) -> bool {
    jdk.version >= 25
}

/// Those of the detectors that `RACEWIRE_WAYS` names, or all.
fn ways() -> Vec<Way> {
    let wanted = std::env::var("RACEWIRE_WAYS").ok();
    let is_wanted = |way: &Way| {
        wanted
            .as_ref()
            .is_none_or(|names| names.split(',').any(|n| n == way.detector))
    };
    WAYS.into_iter().filter(is_wanted).collect()
}

fn repetitions() -> u32 {
    let wanted = std::env::var("RACEWIRE_REPEAT").ok();
    wanted.map_or(1, |n| {
        n.parse()
            .unwrap_or_else(|_| panic!("RACEWIRE_REPEAT is no number: {n}"))
    })
}

#[test]
fn what_is_ordered_is_quiet_and_what_is_not_races() {
    // Each JDK in turn, so that the programs of two are compiled at a time.
    let cases: Vec<(&Jdk, Way)> = ways()
        .into_iter()
        .flat_map(|way| jdk::all().iter().map(move |jdk| (jdk, way)))
        .collect();
    parallel::check_all(
        &cases,
        |(jdk, way)| format!("JDK {}, {way:?}", jdk.version),
        |(jdk, way)| Program::on(jdk).check(way),
    );
}

/// In a program without reflection, where the analysis goes furthest.
#[test]
fn arrays_that_are_written_later_race_and_tables_do_not() {
    let folder = tests_dir().join("order");
    let source = folder.join("tables/Tables.java");
    let others = ["programs/Turns.java", "programs/invisible/Stage.java"].map(|name| folder.join(name));
    let classes = Compile::with(jdk::oldest(), [vec![source.clone()], others.to_vec()].concat()).classes();
    let scratch = Scratch::new("tables");
    for monitor in [&["--main", "order.Tables"], &["--monitor", "all"]] {
        let woven = scratch.join(monitor[1]);
        let options = ["--quiet", "--exclude", "invisible.**", "--detector", "hybrid"];
        weave(&classes, &woven, &[&options[..], monitor].concat());
        let found = scratch.join(format!("findings-{}", monitor[1]));
        let out = Java::new(jdk::oldest())
            .args(monitored(&found))
            .class_path(&[&woven])
            .arg("order.Tables")
            .run();
        let marks = Marks::read(std::slice::from_ref(&source), &[Kind::Race], true);
        let wrong = marks.differences(&findings(&found));
        assert!(wrong.is_empty(), "{monitor:?}: {wrong:#?}\n{}", out.describe());
    }
}

/// Two parts of one class path, each woven for itself.
#[test]
fn the_end_of_an_initialiser_is_known_in_other_parts() {
    let folder = tests_dir().join("order");
    let library = folder.join("parts/Library.java");
    let others = [
        "parts/Parts.java",
        "programs/Turns.java",
        "programs/invisible/Stage.java",
    ];
    let scratch = Scratch::new("parts");
    let [library_classes, classes] = ["library", "program"].map(|name| scratch.folder(name));
    Compile::with(jdk::oldest(), vec![library.clone()]).compile_to(&library_classes);
    Compile::with(jdk::oldest(), others.map(|name| folder.join(name)).to_vec())
        .class_path(vec![library_classes.clone()])
        .compile_to(&classes);
    let woven = ["woven-program", "woven-library"].map(|name| scratch.join(name));
    let class_path = library_classes.to_string_lossy();
    let options = ["--quiet", "--exclude", "invisible.**", "--detector", "hybrid"];
    weave(
        &classes,
        &woven[0],
        &[&options[..], &["--classpath", &class_path]].concat(),
    );
    weave(
        &library_classes,
        &woven[1],
        &[&options[..], &["--no-bundle-runtime"]].concat(),
    );
    let found = scratch.join("findings");
    let out = Java::new(jdk::oldest())
        .args(monitored(&found))
        .class_path(&woven)
        .arg("order.Parts")
        .run();
    let marks = Marks::read(&[library], &[Kind::Race], true);
    let wrong = marks.differences(&findings(&found));
    assert!(wrong.is_empty(), "{wrong:#?}\n{}", out.describe());
}

/// A program of one file, on its own, woven with these options: what is reported must be what it marks.
fn check_alone(jdk: &Jdk, folder: &str, class: &str, options: &[&str]) -> Vec<Finding> {
    let sources = tests_dir().join("order");
    let source = sources.join(folder).join(format!("{class}.java"));
    let others = ["Stage", "Gate"].map(|name| sources.join(format!("programs/invisible/{name}.java")));
    let scratch = Scratch::new(folder);
    let classes = scratch.folder("classes");
    Compile::with(jdk, [vec![source.clone()], others.to_vec()].concat()).compile_to(&classes);
    let woven = scratch.join("woven");
    let main = format!("order.{class}");
    let home = jdk.home.to_string_lossy();
    let always = [
        "--quiet",
        "--exclude",
        "invisible.**",
        "--detector",
        "hybrid",
        "--jdk",
        &home,
    ];
    weave(&classes, &woven, &[&always[..], options].concat());
    let mut all = Vec::new();
    for nth in 1..=repetitions() {
        let folder = scratch.join(format!("findings-{nth}"));
        let out = Java::new(jdk)
            .args(monitored(&folder))
            .class_path(&[&woven])
            .arg(&main)
            .run();
        let marks = Marks::read(std::slice::from_ref(&source), &[Kind::Race], true);
        let found = findings(&folder);
        let wrong = marks.differences(&found);
        assert!(
            wrong.is_empty(),
            "{class}, run {nth}: {wrong:#?}\n{}",
            out.describe()
        );
        all.extend(found);
    }
    all
}

#[test]
fn a_daemon_that_is_in_a_loop_when_the_jvm_ends_has_told_what_it_did() {
    for jdk in jdk::all() {
        check_alone(jdk, "daemons", "InLoops", &["--monitor", "all"]);
        check_alone(jdk, "daemons", "InLoops", &["--main", "order.InLoops"]);
    }
}

/// Apart from the other cases, since a trace takes an object that is finalised for another one.
#[test]
fn finalisers_come_after_the_constructor_and_nothing_else() {
    for jdk in jdk::all() {
        check_alone(jdk, "finalizers", "Finalizing", &["--monitor", "all"]);
        check_alone(jdk, "finalizers", "Finalizing", &["--main", "order.Finalizing"]);
    }
}

/// Virtual threads come by the thousand.
#[test]
fn more_threads_than_clocks_have_room_for_are_ordered_all_the_same() {
    check_alone(jdk::newest(), "crowds", "Crowd", &["--monitor", "all"]);
}

/// Each of the other places of the field, once, with its first access: those before the race and those after it.
#[test]
fn a_finding_names_the_other_places_of_its_field() {
    for jdk in jdk::all() {
        let found = check_alone(jdk, "history", "History", &["--monitor", "all"]);
        assert_eq!(found.len(), repetitions() as usize, "{}", summary(&found));
        for finding in found {
            let place = |a: &Access| {
                let lock = a.locks.first().map(|l| l.split('@').next().unwrap_or_default());
                (
                    a.kind,
                    a.method.clone(),
                    a.thread.clone(),
                    lock.map(str::to_owned),
                )
            };
            let places: Vec<_> = finding.history.iter().map(place).collect();
            let expected = [
                (EventKind::Write, "open", "opener", Some("the object itself")),
                (EventKind::Read, "audit", "auditor", Some("the object itself")),
                (EventKind::Read, "close", "closer", Some("java.lang.Object")),
            ];
            let expected = expected.map(|(kind, method, thread, lock)| {
                (
                    kind,
                    method.to_owned(),
                    thread.to_owned(),
                    lock.map(str::to_owned),
                )
            });
            assert_eq!(places, expected, "{finding:#?}");
        }
    }
}
