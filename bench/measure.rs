//! Measuring one program: all variants in turn, so that a slow minute of the machine hits all of them.

use crate::args::Args;
use crate::harness::jdk::Jdk;
use crate::harness::racewire::{findings, monitored, thread_patch};
use crate::jvm::{Launch, Run};
use crate::prepared::Prepared;
use crate::program::{Data, Kind};
use crate::statistics::median;
use crate::variant::Variant;
use serde::{Deserialize, Serialize};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// All figures of one program.
#[derive(Debug, Serialize)]
pub struct Measured {
    pub name: String,
    pub kind: Kind,
    pub data: Data,
    pub args: Vec<String>,
    /// The first one is what the others are compared with.
    pub variants: Vec<Figures>,
}

#[derive(Debug, Serialize)]
pub struct Figures {
    pub variant: String,
    /// Medians over the rounds.
    pub summary: Summary,
    pub runs: Vec<Run>,
    /// Most findings of any run.
    pub findings: Option<usize>,
    pub counts: Option<Counts>,
}

#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Summary {
    /// Of the best iteration.
    pub steady_ns: Option<f64>,
    /// Least CPU time of the process in an iteration.
    pub cpu_ns: Option<f64>,
    /// Of the whole process, from start to exit; none if it ended early for lack of time.
    pub process_ns: Option<f64>,
    pub peak_kb: Option<f64>,
    pub live_bytes: Option<f64>,
}

/// What the runtime counted in a run of one iteration (`-Dracewire.counts`).
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Counts {
    /// Field hooks executed.
    pub accesses: u64,
    /// Those that left the fast path.
    pub slow: u64,
    /// Calls of the Rust core for an access.
    pub steps: u64,
    /// Lock pairs.
    pub locks: u64,
    /// All calls into Rust.
    pub native: u64,
}

impl Measured {
    /// How a variant's figure compares with that of the first variant.
    pub fn ratio(&self, variant: &Figures, figure: impl Fn(&Summary) -> Option<f64>) -> Option<f64> {
        let base = figure(&self.variants.first()?.summary)?;
        Some(figure(&variant.summary)? / base)
    }
}

/// Runs the program in all variants; `more` follows the number of iterations on its command line.
pub fn measure(args: &Args, jdk: &Jdk, prepared: &Prepared, more: &[String]) -> Result<Measured, String> {
    let program = &prepared.program;
    let mut variants: Vec<Figures> = Vec::new();
    for variant in &prepared.variants {
        variants.push(Figures {
            variant: variant.name.clone(),
            summary: Summary::default(),
            runs: Vec::new(),
            findings: None,
            counts: None,
        });
    }
    let mut arguments = vec![args.iterations.to_string()];
    arguments.extend_from_slice(more);
    for round in 1..=args.rounds {
        for (i, variant) in prepared.variants.iter().enumerate() {
            say(&format!(
                "{}: round {round} of {}, {}",
                program.name, args.rounds, variant.name
            ));
            let context = |e| format!("{}, round {round}: {e}", variant.name);
            let (run, found) = launch(prepared, jdk, i, &arguments, &[]).map_err(context)?;
            check(args, prepared, &run, &variants[0]).map_err(context)?;
            variants[i].findings = variants[i].findings.max(found);
            variants[i].runs.push(run);
        }
    }
    arguments[0] = "1".to_owned();
    let is_counted = |(_, variant): &(usize, &Variant)| variant.woven.is_some() && !args.no_counts;
    for (i, variant) in prepared.variants.iter().enumerate().filter(is_counted) {
        say(&format!("{}: counting, {}", program.name, variant.name));
        let counts = count(prepared, jdk, i, &arguments);
        variants[i].counts = counts.map_err(|e| format!("{}, counting: {e}", variant.name))?;
    }
    say("");
    for figures in &mut variants {
        figures.summary = Summary::of(&figures.runs, args.iterations);
    }
    Ok(Measured {
        name: program.name.to_owned(),
        kind: program.kind,
        data: program.data,
        args: more.to_vec(),
        variants,
    })
}

/// What goes on at the moment, for a person at a terminal; each text takes the place of the one before.
pub fn say(text: &str) {
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{text}");
    }
}

impl Summary {
    fn of(runs: &[Run], iterations: usize) -> Summary {
        let over = |figure: &dyn Fn(&Run) -> Option<f64>| median(runs.iter().filter_map(figure));
        Summary {
            steady_ns: over(&Run::steady_ns),
            cpu_ns: over(&Run::cpu_ns),
            process_ns: over(&|r| (r.iterations.len() == iterations).then_some(r.wall_ns as f64)),
            peak_kb: over(&|r| Some(r.peak_kb as f64)),
            live_bytes: over(&|r| r.figure("live")),
        }
    }
}

/// One run, and the number of its findings if it was monitored.
fn launch(
    prepared: &Prepared,
    jdk: &Jdk,
    number: usize,
    args: &[String],
    options: &[String],
) -> Result<(Run, Option<usize>), String> {
    let variant = &prepared.variants[number];
    let mut all: Vec<String> = prepared
        .program
        .jvm_options
        .iter()
        .map(|o| (*o).to_owned())
        .collect();
    let mut found = None;
    if let Some(way) = &variant.woven {
        let folder = findings_folder(prepared)?;
        all.extend(monitored(&folder));
        all.push(format!("-Dracewire.detector={}", way.detectors));
        found = Some(folder);
    }
    all.extend(variant.thread_patch.then(|| thread_patch(jdk)));
    all.extend_from_slice(options);
    let run = Launch {
        jdk,
        options: all,
        class_path: &prepared.class_paths[number],
        main: prepared.program.name,
        args: args.to_vec(),
        dir: &prepared.work_dir(),
    }
    .run()?;
    Ok((run, found.map(|folder| findings(&folder).len())))
}

/// A folder of its own for each run, so that one run's findings do not stand in the next one's way.
fn findings_folder(prepared: &Prepared) -> Result<PathBuf, String> {
    let folder = prepared.scratch.join("findings");
    match std::fs::remove_dir_all(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(format!("{}: {e}", folder.display())),
        _ => Ok(folder),
    }
}

/// A run is only worth its figures if it did the work.
fn check(args: &Args, prepared: &Prepared, run: &Run, base: &Figures) -> Result<(), String> {
    let lines = run.stdout.lines().count();
    if let Some(first) = base.runs.first() {
        // A slow run may have ended early; what it did must still be the same.
        let mut pairs = first.stdout.lines().zip(run.stdout.lines());
        if let Some((expected, other)) = pairs.find(|(a, b)| a != b) {
            return Err(format!("stdout differs: '{other}' instead of '{expected}'"));
        }
    }
    let expected = if prepared.has_iterations() {
        run.iterations.len()
    } else {
        1
    };
    if lines == 0 || lines != expected || run.iterations.len() > args.iterations {
        return Err(format!(
            "{lines} lines on stdout, {} iterations",
            run.iterations.len()
        ));
    }
    Ok(())
}

/// An extra run in which the runtime counts; none if it does not know how to.
fn count(prepared: &Prepared, jdk: &Jdk, variant: usize, args: &[String]) -> Result<Option<Counts>, String> {
    let file = prepared.scratch.join("counts.json");
    let _ = std::fs::remove_file(&file);
    launch(
        prepared,
        jdk,
        variant,
        args,
        &[format!("-Dracewire.counts={}", file.display())],
    )?;
    read_counts(&file)
}

fn read_counts(file: &Path) -> Result<Option<Counts>, String> {
    let Ok(text) = std::fs::read_to_string(file) else {
        return Ok(None);
    };
    serde_json::from_str(text.trim())
        .map(Some)
        .map_err(|e| format!("{}: {e}", file.display()))
}
