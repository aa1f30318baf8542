//! `cargo bench --bench programs`: how much slower woven programs are. See README.md.

mod args;
mod jars;
mod jvm;
mod measure;
mod micro;
mod prepared;
mod program;
mod programs_table;
mod scaling;
mod statistics;
mod table;
mod variant;

// The end-to-end tests' own means: JDKs, javac, the racewire program, scratch folders. They panic where a
// test would fail; `guarded` makes errors of that.
#[path = "../tests/harness/mod.rs"]
#[allow(dead_code, clippy::panic)]
mod harness;

use args::Args;
use clap::Parser;
use harness::jdk::{self, Jdk};
use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Everything that was measured, for `--json`.
#[derive(Debug, Serialize)]
struct Results {
    jdk: u32,
    cores: usize,
    rounds: usize,
    iterations: usize,
    variants: Vec<String>,
    programs: Vec<measure::Measured>,
    micro: Vec<micro::Operation>,
    scaling: Vec<measure::Measured>,
    errors: Vec<String>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    if !args.bench {
        // `cargo test --all-targets` runs benchmarks too; nobody wants to wait for this one there.
        eprintln!("nothing measured: run it as cargo bench --bench programs");
        return ExitCode::SUCCESS;
    }
    match run(&args) {
        Ok(errors) if errors.is_empty() => ExitCode::SUCCESS,
        Ok(errors) => {
            for error in errors {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures what was asked for and prints it; what went wrong with single programs is returned.
fn run(args: &Args) -> Result<Vec<String>, String> {
    let jdk = choose_jdk(args.jdk)?;
    let chosen = program::choose(&args.only)?;
    let mut results = Results {
        jdk: jdk.version,
        cores: std::thread::available_parallelism().map_or(0, usize::from),
        rounds: args.rounds,
        iterations: args.iterations,
        variants: args.variants.iter().map(|v| v.name.clone()).collect(),
        programs: Vec::new(),
        micro: Vec::new(),
        scaling: Vec::new(),
        errors: Vec::new(),
    };
    if args.programs() {
        results.programs = programs_table::measure(args, jdk, &chosen, &mut results.errors);
        programs_table::print(&args.variants, &results.programs);
    }
    if args.micro {
        match guarded(|| micro::measure(args, jdk)) {
            Ok(operations) => results.micro = operations,
            Err(error) => results.errors.push(format!("Micro: {error}")),
        }
        micro::print(&args.variants, &results.micro);
    }
    if args.scaling {
        results.scaling = scaling::measure(args, jdk, &mut results.errors);
        scaling::print(&args.variants, &results.scaling);
    }
    if let Some(file) = &args.json {
        write_json(file, &results)?;
    }
    Ok(results.errors)
}

fn choose_jdk(version: Option<u32>) -> Result<&'static Jdk, String> {
    let Some(version) = version else {
        return Ok(jdk::oldest());
    };
    let known: Vec<u32> = jdk::all().iter().map(|j| j.version).collect();
    jdk::all()
        .iter()
        .find(|j| j.version == version)
        .ok_or_else(|| format!("no JDK {version} on this machine; there are: {known:?}"))
}

fn write_json(file: &Path, results: &Results) -> Result<(), String> {
    let text = serde_json::to_string_pretty(results).map_err(|e| e.to_string())?;
    std::fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}

/// The folder of this command's own files.
fn bench_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../bench")
}

/// Runs something that may panic, as the tests' harness does on every failure.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = catch_unwind(AssertUnwindSafe(work));
    std::panic::set_hook(loud);
    result.unwrap_or_else(|cause| {
        let text = cause.downcast_ref::<String>().cloned();
        let text = text.or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Err(text.unwrap_or_else(|| "panicked".to_owned()))
    })
}
