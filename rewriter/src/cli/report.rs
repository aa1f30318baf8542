//! `racewire report`: load, judge, render; one thin step after the other.

use super::config;
use super::format::{Color, Format, Target};
use super::living::{Living, LivingFlags};
use super::{EXIT_FINDINGS, print};
use crate::error::Error;
use racewire_report::{Judged, Loaded, TextOptions};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Findings folders or files [default: racewire-findings]
    paths: Vec<PathBuf>,
    /// How to print them: text, json, sarif, html, junit, github; may be repeated with a file each (html=report.html)
    /// [default: text]
    #[arg(long, value_name = "FORMAT[=FILE]")]
    format: Vec<Target>,
    /// Write to a file instead of the terminal
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Root of source files, to quote the lines; may be repeated
    #[arg(long, value_name = "FOLDER")]
    source: Vec<PathBuf>,
    #[command(flatten)]
    living: LivingFlags,
    /// Take what is found now as known: write it to a baseline, and succeed
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Colours in text [default: auto]
    #[arg(long, value_name = "WHEN")]
    color: Option<Color>,
    /// Configuration file [default: racewire.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<ExitCode, Error> {
    let file = config::load(args.config.as_deref())?;
    let or = |given: Vec<PathBuf>, configured: Vec<PathBuf>| {
        if given.is_empty() { configured } else { given }
    };
    let findings = file.findings.unwrap_or_else(|| "racewire-findings".into());
    let paths = or(args.paths, vec![findings]);
    let sources = or(args.source, file.source);
    let color = args.color.or(file.color).unwrap_or(Color::Auto);
    let configured = match args.format.is_empty() {
        true => configured_formats(&file.format, args.config.as_deref())?,
        false => args.format,
    };
    let targets = targets(configured, args.output)?;
    let living = Living::resolve(args.living, file.suppressions, file.baseline)?;

    let loaded = load(&paths)?;
    let judged = living.judge(loaded.report, &loaded.annotated);
    let code = show(&judged, &targets, &sources, color)?;
    match &args.write_baseline {
        Some(path) => write_baseline(path, &judged),
        None => Ok(code),
    }
}

/// Takes everything that was found as known.
pub fn write_baseline(path: &Path, judged: &Judged) -> Result<ExitCode, Error> {
    let accepted = judged.report.findings.iter().chain(&judged.known);
    write(path, &racewire_report::to_baseline(accepted))?;
    Ok(ExitCode::SUCCESS)
}

/// The findings in `paths`. What is odd about the files is said.
pub fn load(paths: &[PathBuf]) -> Result<Loaded, Error> {
    let loaded = racewire_report::load(paths)?;
    for note in &loaded.notes {
        eprintln!("racewire: {note}");
    }
    Ok(loaded)
}

/// Renders the findings to each target; the exit code says whether any count.
pub fn show(
    judged: &Judged,
    targets: &[Target],
    sources: &[PathBuf],
    color: Color,
) -> Result<ExitCode, Error> {
    for target in targets {
        let text = render(target, judged, sources, color);
        match &target.file {
            Some(path) => write(path, &text)?,
            None => print(&text)?,
        }
    }
    Ok(if judged.report.findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_FINDINGS)
    })
}

pub fn configured_formats(formats: &[String], file: Option<&Path>) -> Result<Vec<Target>, Error> {
    let file = file.unwrap_or(Path::new(config::FILE_NAME));
    let parse = |text: &String| {
        text.parse()
            .map_err(|why| Error::file(file, format!("format \"{text}\": {why}")))
    };
    formats.iter().map(parse).collect()
}

/// Where each format goes: only one can have the terminal or `--output`.
pub fn targets(mut targets: Vec<Target>, output: Option<PathBuf>) -> Result<Vec<Target>, Error> {
    if targets.is_empty() {
        targets.push(Target::default());
    }
    let mut loose = targets.iter_mut().filter(|t| t.file.is_none());
    match (loose.next(), loose.next()) {
        (Some(_), Some(_)) => Err(Error::Other(
            "only one format can go to the terminal: give the others a file (--format html=report.html)"
                .to_owned(),
        )),
        (None, _) if output.is_some() => Err(Error::Other(
            "--output is for the format without a file of its own, and every format has one".to_owned(),
        )),
        (Some(target), None) => {
            target.file = output;
            Ok(targets)
        }
        (None, _) => Ok(targets),
    }
}

fn render(target: &Target, judged: &Judged, sources: &[PathBuf], color: Color) -> String {
    match target.format {
        Format::Json => racewire_report::to_json(judged),
        Format::Sarif => racewire_report::to_sarif(judged, sources),
        Format::Html => racewire_report::to_html(judged, sources),
        Format::Junit => racewire_report::to_junit(judged, sources),
        Format::Github => racewire_report::to_github(judged, sources),
        Format::Text => {
            let terminal = target.file.is_none() && std::io::stdout().is_terminal();
            let options = TextOptions {
                color: color.wanted(terminal),
                sources: sources.to_vec(),
                ..TextOptions::default()
            };
            racewire_report::to_text(judged, &options)
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|e| Error::file(path, e))
}
