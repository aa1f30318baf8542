//! `racewire weave`

use super::config::{self, WeaveFlags};
use super::summary;
use crate::error::Error;
use crate::pipeline::{self, Request};
use clap::ArgMatches;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Jar, war, fat jar or class folder
    input: PathBuf,
    /// Where the woven archive goes
    #[arg(long, short)]
    output: PathBuf,
    #[command(flatten)]
    flags: WeaveFlags,
}

pub fn run(args: Args, matches: Option<&ArgMatches>) -> Result<ExitCode, Error> {
    let mut settings = config::resolve(args.flags, matches)?;
    settings.leave_out(&args.input);
    let started = Instant::now();
    let bar = progress_bar(settings.quiet);
    let tick = |done: u64, of: u64| {
        bar.set_length(of);
        bar.set_position(done);
    };
    let main: Vec<String> = settings.main.iter().cloned().collect();
    let monitored = settings.weave_monitors(&args.input, &args.output, main, Some(&tick));
    let monitored = monitored.inspect_err(|_| bar.finish_and_clear())?;
    let mut input = args.input.clone();
    if let Some((summary, between)) = &monitored {
        if !settings.quiet {
            bar.suspend(|| eprint!("{}", summary::of_monitors(summary, &args.output)));
        }
        match between {
            Some(folder) => input = folder.path().join(args.input.file_name().unwrap_or_default()),
            None => {
                bar.finish_and_clear();
                return Ok(ExitCode::SUCCESS);
            }
        }
    }
    let summary = pipeline::weave(&Request {
        input: &input,
        output: &args.output,
        scope: &settings.scope,
        classpath: &settings.classpath,
        bundle_runtime: settings.bundle_runtime,
        sharing: settings.sharing(settings.main.iter().cloned().collect()),
        main: settings.main.as_deref(),
        detectors: &settings.detectors,
        follow: settings.follow(settings.main.iter().cloned().collect()),
        facts_cache: settings.facts_cache(),
        models: &|| settings.models(),
        level: settings.level,
        progress: Some(&tick),
    });
    bar.finish_and_clear();
    let summary = summary?;
    if !settings.quiet {
        eprint!("{}", summary::render(&summary, &args.output, started.elapsed()));
    }
    Ok(ExitCode::SUCCESS)
}

/// Only for a person at a terminal; silent in CI.
pub fn progress_bar(quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("weaving {bar:30} {pos}/{len} entries")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_style(style)
}
