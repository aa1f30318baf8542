//! `racewire report`

use super::EXIT_FINDINGS;
use crate::error::Error;
use racewire_report::TextOptions;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Findings folders or files
    #[arg(default_value = "racewire-findings")]
    paths: Vec<PathBuf>,
    /// How to print them
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write to a file instead of the terminal
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// Root of source files, to quote the lines; may be repeated
    #[arg(long, value_name = "FOLDER")]
    source: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Format {
    Text,
    Json,
}

pub fn run(args: Args) -> Result<ExitCode, Error> {
    show(&args.paths, args.format, args.output.as_deref(), args.source)
}

/// Prints the findings in `paths`; the exit code says whether there are any.
pub fn show(
    paths: &[PathBuf],
    format: Format,
    output: Option<&Path>,
    sources: Vec<PathBuf>,
) -> Result<ExitCode, Error> {
    let loaded = racewire_report::load(paths)?;
    for note in &loaded.notes {
        eprintln!("racewire: {note}");
    }
    let text = match format {
        Format::Json => racewire_report::to_json(&loaded.report),
        Format::Text => {
            let color =
                output.is_none() && std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            racewire_report::to_text(
                &loaded.report,
                &TextOptions {
                    color,
                    width: 100,
                    sources,
                },
            )
        }
    };
    match output {
        Some(path) => std::fs::write(path, text).map_err(|e| Error::file(path, e))?,
        None => super::print(&text)?,
    }
    Ok(if loaded.report.findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_FINDINGS)
    })
}
