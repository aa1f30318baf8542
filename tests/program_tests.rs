//! Every program of `tests/programs` and `samples`: the lines it marks are reported, no other is, and it prints
//! what it prints unwoven. A program is any Java file with a `main`; what it uses is found by its package.

use crate::harness::expect::Expected;
use crate::harness::java::{Compile, Java};
use crate::harness::jdk::{self, Jdk};
use crate::harness::racewire::{
    Detector, FOUND, findings, monitored, summary, thread_patch, weave, weave_apart,
};
use crate::harness::scratch::Scratch;
use crate::harness::{jars, parallel, tests_dir};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

struct Program {
    /// Relative to the folder it was found in.
    name: String,
    source: PathBuf,
    /// The folder that its package starts from.
    root: PathBuf,
    main: String,
    /// The first JDK that can run it.
    since: u32,
    /// Its head says `// output varies`: it prints what depends on the schedule.
    output_varies: bool,
}

#[test]
fn test_programs_report_what_they_mark() {
    check_folder(&tests_dir().join("programs"));
}

#[test]
fn samples_report_what_they_mark() {
    check_folder(&tests_dir().join("../samples"));
}

/// The paper's own programs under HYBRID: the kinds of findings and their variables.
#[test]
fn figures_of_the_paper_under_hybrid() {
    // The events of figure 10 go through a source that locks: they do order the constructor before the listener
    // (`order/programs/Initialisers.java` has the same without). rideNo is RACER's false alarm.
    let figures: [(&str, &str, &[&str]); 5] = [
        ("figure1", "Task", &["Race Task.shared"]),
        ("figure10", "Main", &[]),
        ("figure11", "Thread1", &[]),
        ("figure13", "Thread1", &["Race Thread1.var"]),
        ("rollercoaster", "RollerCoaster", &[]),
    ];
    for (folder, main, expected) in figures {
        let folder = tests_dir().join("../samples").join(folder);
        let sources = jars::files_under(&folder)
            .into_keys()
            .map(|name| folder.join(name));
        let classes = Compile::new(sources).classes();
        let scratch = Scratch::new(main);
        let woven = scratch.join("woven");
        weave(
            &classes,
            &woven,
            &["--quiet", "--detector", "hybrid", "--main", main],
        );
        for jdk in jdk::all() {
            let found = scratch.join(format!("findings-{}", jdk.version));
            let java = Java::new(jdk)
                .args(monitored(&found))
                .arg("-Dracewire.detector=hybrid");
            let out = java.class_path(&[&woven]).arg(main).run();
            let findings = findings(&found);
            let variables: BTreeSet<String> = findings
                .iter()
                .map(|f| format!("{:?} {}", f.kind, f.variable))
                .collect();
            assert!(
                variables.iter().eq(expected),
                "JDK {}, {main}:\n{}\n{}",
                jdk.version,
                summary(&findings),
                out.describe()
            );
        }
    }
}

/// What is monitored must make no difference to what is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Monitor {
    All,
    /// As a library, whose callers are not known.
    SharedByAnyone,
    /// As a program that begins with its main class.
    SharedByMain,
}

/// Everything once for each detector, if not on each JDK.
fn cases(jdk: &Jdk) -> [(Detector, Monitor); 4] {
    let (one, other) = if jdk.version > 17 {
        (Detector::Racer, Detector::Eraser)
    } else {
        (Detector::Eraser, Detector::Racer)
    };
    [
        (one, Monitor::All),
        (other, Monitor::SharedByAnyone),
        (one, Monitor::SharedByMain),
        (other, Monitor::SharedByMain),
    ]
}

/// Programs too big to be written by hand: `gen/BigMethod.java` prints them.
#[test]
fn programs_with_very_big_methods() {
    let scratch = Scratch::new("big");
    for name in ["BigMethodRaces", "BigMethodSafe", "HugeMethodRaces"] {
        let java = Java::new(jdk::oldest())
            .arg(tests_dir().join("programs/gen/BigMethod.java"))
            .arg(name);
        scratch.write(&format!("{name}.java"), java.run().expect_code(0).stdout);
    }
    check_folder(scratch.path());
}

fn check_folder(folder: &Path) {
    let programs: Vec<Program> = jars::files_under(folder)
        .into_iter()
        // What stands in `gen` makes programs.
        .filter(|(name, _)| name.ends_with(".java") && !name.starts_with("gen/"))
        .filter_map(|(name, text)| Program::from(folder, name, &String::from_utf8_lossy(&text)))
        .collect();
    parallel::check_all(&programs, |p| p.name.clone(), Program::check);
}

impl Program {
    /// `None` for a file without `main`: a part of other programs.
    fn from(folder: &Path, name: String, text: &str) -> Option<Program> {
        if !text.contains("void main(") {
            return None;
        }
        let source = folder.join(&name);
        let package = text
            .lines()
            .find_map(|l| l.trim().strip_prefix("package ")?.strip_suffix(';'))
            .map(str::trim);
        let class = source.file_stem()?.to_string_lossy().into_owned();
        let depth = package.map_or(0, |p| p.split('.').count());
        let root = source.parent()?.ancestors().nth(depth)?.to_owned();
        let main = package.map_or(class.clone(), |p| format!("{p}.{class}"));
        // `jdk25/…` needs JDK 25.
        let since = name
            .split('/')
            .find_map(|part| part.strip_prefix("jdk")?.parse().ok())
            .unwrap_or(0);
        let output_varies = text.contains("// output varies");
        Some(Program {
            name,
            source,
            root,
            main,
            since,
            output_varies,
        })
    }

    fn check(&self) {
        let jdks: Vec<&Jdk> = jdk::all().iter().filter(|j| j.version >= self.since).collect();
        assert!(
            !jdks.is_empty(),
            "no JDK here can run a program for {}",
            self.since
        );
        let compile = Compile::with(jdks[0], [self.source.clone()]);
        let classes = compile
            .option("-sourcepath")
            .option(&self.root.to_string_lossy())
            .classes();
        let scratch = Scratch::new(self.main.rsplit('.').next().unwrap_or("program"));
        for jdk in jdks {
            let plain = Java::new(jdk).class_path(&[&classes]).arg(&self.main).run();
            for (nth, (detector, monitor)) in cases(jdk).into_iter().enumerate() {
                let case = format!("JDK {}, {}, {monitor:?}", jdk.version, detector.name());
                let name = format!("{}-{}-{monitor:?}", jdk.version, detector.name());
                let found = scratch.join(format!("findings-{name}"));
                let woven = scratch.join(format!("woven-{name}"));
                let home = jdk.home.to_string_lossy();
                let mut options = vec!["--quiet", "--jdk", &home, "--detector", detector.name()];
                match monitor {
                    Monitor::All => options.extend(["--monitor", "all"]),
                    Monitor::SharedByAnyone => {}
                    Monitor::SharedByMain => options.extend(["--main", &self.main]),
                }
                weave_apart(&classes, &woven, &options);
                let mut java = Java::new(jdk).args(monitored(&found)).arg(detector.jvm_option());
                // Once on each JDK, and for each detector, the thread's epoch is in the thread, as `racewire run` has it: such a
                // JVM takes twice as long to start.
                if nth == 0 {
                    java = java.trusting_the_jdk().arg(thread_patch(jdk));
                }
                // And what one of the others finds with the optimizing compiler, the last ones find without.
                if nth >= 2 {
                    java = java.lightly();
                }
                let out = java.woven_apart(jdk, &woven).arg(&self.main).run();
                let findings = findings(&found);
                let wrong = self.expected(&classes, detector).differences(&findings);
                assert!(
                    wrong.is_empty(),
                    "{case}:\n{}\n--- findings\n{}\n{}",
                    wrong.join("\n"),
                    summary(&findings),
                    out.describe()
                );
                if !self.output_varies {
                    assert_eq!(
                        out.stdout,
                        plain.stdout,
                        "{case}: woven output differs\n{}",
                        out.describe()
                    );
                }
                let code = if findings.is_empty() { plain.code } else { FOUND };
                assert_eq!(out.code, code, "{case}\n{}", out.describe());
            }
        }
    }

    /// From this file and every other that was compiled with it.
    fn expected(&self, classes: &Path, detector: Detector) -> Expected {
        let mut sources = std::collections::BTreeSet::from([self.source.clone()]);
        for class in jars::files_under(classes)
            .keys()
            .filter_map(|n| n.strip_suffix(".class"))
        {
            let outer = class.split('$').next().unwrap_or(class);
            let source = self.root.join(format!("{outer}.java"));
            if source.is_file() {
                sources.insert(source);
            }
        }
        let mut expected = Expected::default();
        for source in sources {
            expected.read(&source, detector);
        }
        expected
    }
}
