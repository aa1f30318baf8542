//! The fast path against the definition: random multi-threaded programs with a forced interleaving run on a
//! real JVM, woven, and must report exactly the conflicts that the reference detector derives from the same
//! interleaving.
//!
//! `RACEWIRE_SEED` chooses other programs, `RACEWIRE_SCRIPTS` how many.

mod emit;
mod expected;
mod happens_before;
mod loops;
pub mod random;
mod script;
mod sync;

use crate::harness::java::{Compile, Java};
use crate::harness::jdk::{self, Jdk};
use crate::harness::process::Output;
use crate::harness::racewire::{Detector, FOUND, findings, monitored, weave};
use crate::harness::scratch::Scratch;
use crate::harness::{parallel, tests_dir};
use expected::{Expected, Pair, pair};
use racewire_model::finding::{Finding, Kind};
use random::Random;
use script::Script;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Scripts that share one compilation, one weaving and one JVM.
const BATCH: usize = 40;

#[test]
fn woven_programs_report_exactly_what_the_reference_does() {
    let scripts = scripts(number("RACEWIRE_SCRIPTS", 200) as usize);
    let batches: Vec<Batch> = scripts.chunks(BATCH).map(Batch::prepare).collect();
    let mut cases = Vec::new();
    for batch in &batches {
        for jdk in jdk::all() {
            cases.extend(Detector::ALL.map(|detector| (batch, jdk, detector)));
        }
    }
    let name = |case: &(&Batch, &Jdk, Detector)| {
        let (batch, jdk, detector) = case;
        format!(
            "{} …, JDK {}, {}, seed {}",
            batch.scripts[0].name,
            jdk.version,
            detector.name(),
            seed()
        )
    };
    parallel::check_all(&cases, name, |(batch, jdk, detector)| batch.check(jdk, *detector));
}

/// The generator itself: unwoven programs run to their end, and the reference finds enough in them (and leaves
/// enough alone) for the comparison to mean something.
#[test]
fn generated_programs_follow_their_script() {
    let scripts = scripts(BATCH);
    let lines = run_unwoven(&scripts);
    for detector in [
        racewire_detectors::Detector::Racer,
        racewire_detectors::Detector::Eraser,
    ] {
        let found = scripts
            .iter()
            .zip(&lines)
            .filter(|(s, l)| !Expected::of(s, l, detector).required.is_empty());
        let share = found.count() * 100 / scripts.len();
        assert!(
            (30..=95).contains(&share),
            "{detector:?} reports in {share} % of the scripts"
        );
    }
}

/// The same for those with every kind of synchronization.
#[test]
fn generated_programs_with_syncs_follow_their_script() {
    let scripts = scripts_with_syncs(2 * BATCH);
    let lines = run_unwoven(&scripts);
    let races = |(s, l): &(&Script, &Vec<u32>)| !happens_before::races(s, l).one_of.is_empty();
    let share = scripts.iter().zip(&lines).filter(races).count() * 100 / scripts.len();
    assert!((30..=95).contains(&share), "races in {share} % of the scripts");
}

/// Exactly the races of the run; and nothing is called a potential race that has a lock in common or no order.
#[test]
fn woven_programs_report_exactly_the_races_of_their_run() {
    let scripts = scripts_with_syncs(number("RACEWIRE_SCRIPTS", 80) as usize);
    let cases: Vec<(&[Script], &Jdk)> = scripts
        .chunks(2 * BATCH)
        .flat_map(|chunk| jdk::all().iter().map(move |jdk| (chunk, jdk)))
        .collect();
    let name =
        |case: &(&[Script], &Jdk)| format!("JDK {}, {} …, seed {}", case.1.version, case.0[0].name, seed());
    parallel::check_all(&cases, name, |(scripts, jdk)| {
        for detector in ["happens_before", "hybrid"] {
            let batch = Batch::prepare_for(scripts, detector);
            let (findings, out) = batch.run(jdk, detector);
            let mut wrong = String::new();
            for (script, lines) in batch.scripts.iter().zip(&batch.lines) {
                let of = |kind| by_lines(script, lines, findings.iter().filter(|f| f.kind == kind));
                let mut differences = happens_before::races(script, lines).differences(&of(Kind::Race));
                let perhaps = happens_before::perhaps(script, lines);
                let potential = of(Kind::PotentialRace);
                let none = BTreeSet::new();
                let allowed = if detector == "hybrid" { &perhaps } else { &none };
                let wrongly = potential.difference(allowed);
                differences.extend(wrongly.map(|p| format!("no potential race: {p:?}")));
                if !differences.is_empty() {
                    wrong.push_str(&format!("{}: {}\n", script.name, differences.join("; ")));
                }
            }
            let place = batch.scratch.path().display();
            assert!(
                wrong.is_empty(),
                "{detector}, sources in {place}\n{wrong}\n{}",
                out.describe()
            );
        }
    });
}

/// The findings of one script, whatever the variables are called.
fn by_lines<'a>(
    script: &Script,
    lines: &[u32],
    findings: impl Iterator<Item = &'a Finding>,
) -> BTreeSet<Pair> {
    let file = format!("{}.java", script.name);
    let mut pairs = BTreeSet::new();
    for finding in findings {
        let [a, b] = &finding.accesses[..] else {
            panic!("not two accesses: {finding:?}");
        };
        if a.file.as_deref() == Some(file.as_str()) {
            let site = lines.iter().position(|l| *l == a.line);
            let field = site.map_or_else(|| panic!("no such site: {finding:?}"), |s| script.sites[s].field);
            pairs.insert(pair(field, a.line, b.line));
        }
    }
    pairs
}

/// Runs the scripts on every JDK; gives the lines of their sites.
fn run_unwoven(scripts: &[Script]) -> Vec<Vec<u32>> {
    let scratch = Scratch::new("scripts");
    let sources = write(scratch.path(), scripts);
    let classes = scratch.folder("classes");
    Compile::new(sources.files).compile_to(&classes);
    for jdk in jdk::all() {
        run(Java::new(jdk).class_path(&[&classes]), scripts).expect_code(0);
    }
    sources.lines
}

struct Batch<'a> {
    scripts: &'a [Script],
    lines: Vec<Vec<u32>>,
    woven: PathBuf,
    scratch: Scratch,
}

impl Batch<'_> {
    fn prepare(scripts: &[Script]) -> Batch<'_> {
        Batch::prepare_for(scripts, "racer,eraser")
    }

    fn prepare_for<'a>(scripts: &'a [Script], detectors: &str) -> Batch<'a> {
        let scratch = Scratch::new("batch");
        let sources = write(scratch.path(), scripts);
        let classes = scratch.folder("classes");
        Compile::new(sources.files).compile_to(&classes);
        let woven = scratch.join("woven");
        let options = [
            "--quiet",
            "--monitor",
            "all",
            "--exclude",
            "baton.**",
            "--detector",
            detectors,
        ];
        weave(&classes, &woven, &options);
        Batch {
            scripts,
            lines: sources.lines,
            woven,
            scratch,
        }
    }

    fn run(&self, jdk: &Jdk, detector: &str) -> (Vec<Finding>, Output) {
        let folder = self.scratch.join(format!("findings-{}-{detector}", jdk.version));
        let java = Java::new(jdk)
            .args(monitored(&folder))
            .arg(format!("-Dracewire.detector={detector}"))
            .class_path(&[&self.woven]);
        let out = run(java, self.scripts);
        (findings(&folder), out)
    }

    fn check(&self, jdk: &Jdk, detector: Detector) {
        let (findings, out) = self.run(jdk, detector.name());
        let reported = by_script(&findings);
        let machine = match detector {
            Detector::Racer => racewire_detectors::Detector::Racer,
            Detector::Eraser => racewire_detectors::Detector::Eraser,
        };
        let mut wrong = String::new();
        for (script, lines) in self.scripts.iter().zip(&self.lines) {
            let none = BTreeSet::new();
            let found = reported.get(&script.name).unwrap_or(&none);
            let differences = Expected::of(script, lines, machine).differences(found);
            if !differences.is_empty() {
                wrong.push_str(&format!("{}: {}\n", script.name, differences.join("; ")));
            }
        }
        let place = self.scratch.path().display();
        assert!(
            wrong.is_empty(),
            "sources in {place}\n{wrong}\n{}",
            out.describe()
        );
        assert_eq!(
            out.code,
            if reported.is_empty() { 0 } else { FOUND },
            "{}",
            out.describe()
        );
    }
}

/// Runs the scripts one after the other; each says when it is done.
fn run(java: Java, scripts: &[Script]) -> Output {
    let out = java.arg("baton.Main").args(scripts.iter().map(|s| &s.name)).run();
    let done: Vec<String> = scripts.iter().map(|s| format!("{} done", s.name)).collect();
    assert_eq!(out.stdout.lines().collect::<Vec<_>>(), done, "{}", out.describe());
    out
}

/// `gen.S7$O.f2` is field 2 of script S7.
fn by_script(findings: &[Finding]) -> BTreeMap<String, BTreeSet<Pair>> {
    let mut pairs: BTreeMap<String, BTreeSet<Pair>> = BTreeMap::new();
    for finding in findings {
        let variable = finding
            .variable
            .strip_prefix("gen.")
            .and_then(|v| v.split_once("$O.f"));
        let Some((script, field)) = variable else {
            panic!("a finding outside the scripts: {}", finding.variable)
        };
        let field = field
            .parse()
            .unwrap_or_else(|_| panic!("an unknown field: {}", finding.variable));
        assert_eq!(finding.accesses.len(), 2, "{finding:?}");
        let (a, b) = (finding.accesses[0].line, finding.accesses[1].line);
        pairs
            .entry(script.to_owned())
            .or_default()
            .insert(pair(field, a, b));
    }
    pairs
}

fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is not a number: {text}")),
        Err(_) => default,
    }
}

fn seed() -> u64 {
    number("RACEWIRE_SEED", 20_051_108)
}

fn scripts(count: usize) -> Vec<Script> {
    let mut random = Random::new(seed());
    (0..count)
        .map(|i| Script::random(format!("S{i}"), &mut random))
        .collect()
}

fn scripts_with_syncs(count: usize) -> Vec<Script> {
    let mut random = Random::new(seed());
    (0..count)
        .map(|i| Script::random_with_syncs(format!("S{i}"), &mut random))
        .collect()
}

/// Writes the Java sources of `count` scripts and of the baton below `folder`.
pub fn write_sources(folder: &Path, count: usize) {
    write(folder, &scripts(count));
}

struct Sources {
    files: Vec<PathBuf>,
    /// Per script the line of each site.
    lines: Vec<Vec<u32>>,
}

fn write(folder: &Path, scripts: &[Script]) -> Sources {
    let put = |name: String, text: &str| {
        let file = folder.join(name);
        let parent = file.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).unwrap_or_else(|e| panic!("{}: {e}", parent.display()));
        std::fs::write(&file, text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        file
    };
    let mut sources = Sources {
        files: Vec::new(),
        lines: Vec::new(),
    };
    for name in ["Baton", "Main"] {
        let source = tests_dir().join(format!("generated/baton/{name}.java"));
        let text = std::fs::read_to_string(&source).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
        sources.files.push(put(format!("baton/{name}.java"), &text));
    }
    for script in scripts {
        let source = emit::java(script);
        sources
            .files
            .push(put(format!("gen/{}.java", script.name), &source.text));
        sources.lines.push(source.lines);
    }
    sources
}
