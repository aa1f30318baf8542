//! The programs of the papers (`tests/verdicts`, and their figures in `tests/turns/programs`) in runs: a monitor makes their threads take turns at every unlock, `stale` and
//! `views` report what is marked `run`, and docs/check-verdicts.md says what that confirms.

use crate::harness::jars::jar_of;
use crate::harness::java::{Compile, Java};
use crate::harness::racewire::{findings, monitored, racewire, runtime_jar, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{jdk, tests_dir};
use racewire_model::finding::{Confidence, Finding, Report};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Turns are no schedule: what is not seen in one run is seen in the next.
const MOST_RUNS: usize = 20;

const BEGIN: &str = "<!-- what follows is written by tests/turns.rs -->\n";
const END: &str = "<!-- up to here -->\n";

struct Program {
    name: String,
    package: String,
    violations: usize,
    /// File, line and detector.
    marks: BTreeSet<(String, u32, String)>,
    /// What only some orders of the threads bring: it may be reported, and nobody waits for it.
    chances: BTreeSet<(String, u32, String)>,
}

fn programs() -> Vec<(PathBuf, Program)> {
    let folders =
        ["verdicts", "turns/programs"].map(|name| std::fs::read_dir(tests_dir().join(name)).unwrap());
    let mut paths: Vec<PathBuf> = folders
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect();
    // What is only said to be atomic gives no lock back: there nobody takes turns.
    let has_locks = |path: &PathBuf| !std::fs::read_to_string(path).unwrap().contains("@Atomic");
    paths.retain(|path| path.extension().is_some_and(|e| e == "java") && has_locks(path));
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.clone(), read(&path)))
        .collect()
}

fn read(path: &Path) -> Program {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let package = lines
        .find_map(|l| l.strip_prefix("package ")?.strip_suffix(';'))
        .unwrap();
    let file = path.file_name().unwrap().to_string_lossy().into_owned();
    let mut program = Program {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        package: package.to_owned(),
        violations: 0,
        marks: BTreeSet::new(),
        chances: BTreeSet::new(),
    };
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line.split_once("// ").map_or("", |(_, comment)| comment);
        for clause in comment.split(" (").next().unwrap_or_default().split("; ") {
            match clause.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["violation"] => program.violations += 1,
                [how @ ("run" | "may"), detector] => {
                    let marks = match *how {
                        "run" => &mut program.marks,
                        _ => &mut program.chances,
                    };
                    marks.insert((file.clone(), number, (*detector).to_owned()));
                }
                _ => {}
            }
        }
    }
    program
}

/// Where stale values are used, and both halves of what is torn.
fn seen(findings: &[Finding]) -> BTreeSet<(String, u32, String)> {
    findings
        .iter()
        .flat_map(|f| {
            let places = match f.detector.as_str() {
                "stale" => f.accesses.get(2..3),
                _ => f.accesses.get(..2),
            };
            let places = places.unwrap_or_default().iter();
            places.map(|a| (a.file.clone().unwrap_or_default(), a.line, f.detector.clone()))
        })
        .collect()
}

#[test]
fn runs_confirm_what_the_papers_programs_mark() {
    let scratch = Scratch::new("turns");
    let (paths, programs): (Vec<PathBuf>, Vec<Program>) = programs().into_iter().unzip();
    let runtime = runtime_jar(&scratch.join("runtime.jar"));
    let monitor = Compile::with(jdk::oldest(), [tests_dir().join("turns/turns/Turns.java")])
        .class_path([runtime])
        .classes();
    let monitor = jar_of(&monitor, &scratch.join("turns.jar"), None);
    let classes = Compile::with(jdk::oldest(), paths).option("-g").classes();
    let driver = Compile::with(jdk::oldest(), [tests_dir().join("turns/Programs.java")]).classes();
    let (woven, folder) = (scratch.join("woven"), scratch.join("findings"));
    let monitor = monitor.display().to_string();
    let options = ["--quiet", "--monitor", &monitor, "--exclude", "turns.**"];
    weave(
        &classes,
        &woven,
        &[&options[..], &["--detector", "stale,views"]].concat(),
    );

    let marks: BTreeSet<_> = programs.iter().flat_map(|p| p.marks.iter().cloned()).collect();
    let chances: BTreeSet<_> = programs.iter().flat_map(|p| p.chances.iter().cloned()).collect();
    let mut found = BTreeSet::new();
    for _ in 0..MOST_RUNS {
        let out = Java::new(jdk::oldest())
            .args(monitored(&folder))
            .arg("-Dracewire.detector=stale,views")
            .class_path(&[&woven, &driver])
            .arg("Programs")
            .args(programs.iter().map(|p| format!("{}.{}", p.package, p.name)))
            .run();
        assert!(!out.stderr.contains("Exception"), "{}", out.describe());
        found = seen(&findings(&folder)).difference(&chances).cloned().collect();
        let wrong: Vec<_> = found.difference(&marks).collect();
        assert!(wrong.is_empty(), "not marked: {wrong:#?}");
        if found == marks {
            break;
        }
    }
    let missed: Vec<_> = marks.difference(&found).collect();
    assert!(missed.is_empty(), "not seen in {MOST_RUNS} runs: {missed:#?}");
    compare_with_docs(&table(&programs, &classes, &folder));
}

fn table(programs: &[Program], classes: &Path, folder: &Path) -> String {
    let mut text = String::from(
        "\n| program | violations | findings in the code | `stale` in runs | `views` in runs | findings confirmed |\n",
    );
    text += "|---|---|---|---|---|---|\n";
    let mut sums = [0; 5];
    for program in programs {
        let path = |path: &Path| path.display().to_string();
        let arguments = ["check", "--format", "json", "--include"].map(str::to_owned);
        let of = [
            format!("{}.**", program.package),
            "--main".to_owned(),
            format!("{}.{}", program.package, program.name),
            "--confirmed-by".to_owned(),
            path(folder),
            path(classes),
        ];
        let out = racewire(arguments.into_iter().chain(of));
        let report: Report =
            serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}", out.describe()));
        let confirmed = report
            .findings
            .iter()
            .filter(|f| f.confidence == Some(Confidence::Confirmed));
        let marked = |detector: &str| program.marks.iter().filter(|(_, _, d)| d == detector).count();
        let row = [
            program.violations,
            report.findings.len(),
            marked("stale"),
            // Two halves each.
            marked("views") / 2,
            confirmed.count(),
        ];
        sums.iter_mut().zip(row).for_each(|(sum, n)| *sum += n);
        let cells = row.map(|n| n.to_string()).join(" | ");
        writeln!(text, "| {} | {cells} |", program.name).unwrap();
    }
    writeln!(
        text,
        "| **all** | {} |\n",
        sums.map(|n| n.to_string()).join(" | ")
    )
    .unwrap();
    text
}

fn compare_with_docs(table: &str) {
    let path = tests_dir().join("../docs/check-verdicts.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = text
        .split_once(BEGIN)
        .expect("the page says where the table begins");
    let (written, tail) = rest.split_once(END).expect("and where it ends");
    if std::env::var_os("RACEWIRE_BLESS").is_some() {
        std::fs::write(&path, format!("{head}{BEGIN}{table}{END}{tail}")).unwrap();
    } else {
        assert_eq!(written, table, "docs/check-verdicts.md says something else");
    }
}
