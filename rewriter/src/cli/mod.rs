//! The command line: one thin file per subcommand. Exit codes: 0 done, 66 findings remain, 2 an error, and for
//! `run` whatever the program itself returned.

mod analyze;
mod check;
mod completions;
pub(crate) mod config;
mod demo;
mod explain;
mod format;
mod java;
mod living;
mod match_points;
mod output;
mod reference;
mod report;
mod run;
mod runtime_jar;
mod summary;
mod thread_patch;
mod weave;

use crate::error::Error;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// Exit code when findings remain, as the runtime uses it too.
pub const EXIT_FINDINGS: u8 = 66;
/// Exit code of every error.
pub const EXIT_ERROR: u8 = 2;

/// Finds data races in Java programs by rewriting their bytecode before they run.
#[derive(Debug, Parser)]
#[command(name = "racewire", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Rewrite a jar, war, fat jar or class folder so that its runs report races
    Weave(weave::Args),
    /// Weave to a cache and run, then print what was found
    Run(run::Args),
    /// Read findings and print them
    Report(report::Args),
    /// Look for stale values and other atomicity errors in the code, without running it
    Check(check::Args),
    /// Look for races and deadlocks in recorded traces
    Analyze(analyze::Args),
    /// Say which accesses of a class or field are monitored, and why the others are not
    Explain(explain::Args),
    /// List the join points that a pointcut matches
    Match(match_points::Args),
    /// Weave, run and report on a bundled sample program
    Demo(demo::Args),
    /// Write the runtime as a jar of its own (for --no-bundle-runtime)
    RuntimeJar(runtime_jar::Args),
    /// Write a java.lang.Thread and containers with room for the runtime, and print the JVM option that makes a JDK use them
    ThreadPatch(thread_patch::Args),
    /// Print a script that completes the options of racewire in a shell
    Completions(completions::Args),
    /// Write the options reference and the man pages
    #[command(hide = true)]
    Reference(reference::Args),
}

/// The whole command line, as clap knows it.
fn program() -> clap::Command {
    Cli::command()
}

pub fn main() -> ExitCode {
    let matches = match program().try_get_matches() {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => return usage(&error),
        Err(help) => {
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let sub = matches.subcommand().map(|(_, m)| m);
    let result = match cli.command {
        Command::Weave(args) => weave::run(args, sub),
        Command::Run(args) => run::run(args, sub),
        Command::Report(args) => report::run(args),
        Command::Check(args) => check::run(args, sub),
        Command::Analyze(args) => analyze::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Match(args) => match_points::run(args, sub),
        Command::Demo(args) => demo::run(args),
        Command::RuntimeJar(args) => runtime_jar::run(args),
        Command::ThreadPatch(args) => thread_patch::run(args),
        Command::Completions(args) => completions::run(args, program()),
        Command::Reference(args) => reference::run(args, program()),
    };
    result.unwrap_or_else(|error| fail(&error))
}

/// Writes to stdout. A reader that has seen enough (`| head`) is no error.
fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Error::file(Path::new("standard output"), e)),
        _ => Ok(()),
    }
}

fn fail(error: &Error) -> ExitCode {
    let mut text = error.to_string();
    // One line, whatever a nested cause contains; but a caret needs the line above it.
    if !matches!(error, Error::Pointcut(_) | Error::PointcutIn { .. }) {
        text = text.replace(['\n', '\r'], " ");
    }
    eprintln!("racewire: {text}");
    ExitCode::from(EXIT_ERROR)
}

/// Clap's message, cut to its first line: what is wrong; `--help` has the rest.
fn usage(error: &clap::Error) -> ExitCode {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let line = first.split_whitespace().collect::<Vec<_>>().join(" ");
    eprintln!("racewire: {line} (see racewire --help)");
    ExitCode::from(EXIT_ERROR)
}
