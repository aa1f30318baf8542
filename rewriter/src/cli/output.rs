//! Where findings go: the flags of the commands that report them, and what becomes of these.

use super::config::{self, Config};
use super::format::{Color, Format, Target};
use super::living::{Living, LivingFlags};
use super::{EXIT_FINDINGS, print};
use crate::error::Error;
use racewire_report::{Judged, TextOptions};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Flags that `report` and `check` share.
#[derive(Debug, clap::Args)]
pub struct OutputFlags {
    /// How to print the findings: text, json, sarif, html, junit, github; may be repeated with a file each
    /// (html=report.html) [default: text]
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

/// Flags and file, resolved.
pub struct Output {
    pub living: Living,
    targets: Vec<Target>,
    sources: Vec<PathBuf>,
    color: Color,
    write_baseline: Option<PathBuf>,
}

impl OutputFlags {
    /// Also what the file says of other matters.
    pub fn resolve(self) -> Result<(Output, Config), Error> {
        let mut file = config::load(self.config.as_deref())?;
        let formats = match self.format.is_empty() {
            true => configured_formats(&file.format, self.config.as_deref())?,
            false => self.format,
        };
        let (suppressions, baseline) = (std::mem::take(&mut file.suppressions), file.baseline.take());
        let output = Output {
            targets: targets(formats, self.output)?,
            sources: match self.source.is_empty() {
                true => std::mem::take(&mut file.source),
                false => self.source,
            },
            color: self.color.or(file.color).unwrap_or(Color::Auto),
            living: Living::resolve(self.living, suppressions, baseline)?,
            write_baseline: self.write_baseline,
        };
        Ok((output, file))
    }
}

impl Output {
    /// Renders the findings, and takes them as known if that is asked for.
    pub fn finish(&self, judged: &Judged) -> Result<ExitCode, Error> {
        let code = show(judged, &self.targets, &self.sources, self.color)?;
        let Some(path) = &self.write_baseline else {
            return Ok(code);
        };
        let accepted = judged.report.findings.iter().chain(&judged.known);
        write(path, &racewire_report::to_baseline(accepted))?;
        Ok(ExitCode::SUCCESS)
    }
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

fn configured_formats(formats: &[String], file: Option<&Path>) -> Result<Vec<Target>, Error> {
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
