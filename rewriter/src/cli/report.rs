//! `racewire report`: load, judge, render; one thin step after the other.

use super::output::OutputFlags;
use crate::error::Error;
use racewire_report::Loaded;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Findings folders or files [default: racewire-findings]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputFlags,
}

pub fn run(args: Args) -> Result<ExitCode, Error> {
    let (output, file) = args.output.resolve()?;
    let paths = match args.paths.is_empty() {
        true => vec![file.findings.unwrap_or_else(|| "racewire-findings".into())],
        false => args.paths,
    };
    let loaded = load(&paths)?;
    output.finish(&output.living.judge(loaded.report, &loaded.annotated))
}

/// The findings in `paths`. What is odd about the files is said.
pub fn load(paths: &[PathBuf]) -> Result<Loaded, Error> {
    let loaded = racewire_report::load(paths)?;
    for note in &loaded.notes {
        eprintln!("racewire: {note}");
    }
    Ok(loaded)
}
