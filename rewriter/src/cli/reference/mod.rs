//! `racewire reference` (hidden): the options as a page of the docs and as man pages. Everything in them comes from
//! where it is declared: flags from clap, run-time options from the runtime's own table, keys of `racewire.toml` from
//! the type that reads it.

mod keys;
mod man;
mod page;
mod properties;

use crate::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder for the files: options.md, and the pages for man(1)
    #[arg(long, short)]
    output: PathBuf,
}

pub fn run(args: Args, program: clap::Command) -> Result<ExitCode, Error> {
    let program = built(program);
    std::fs::create_dir_all(&args.output).map_err(|e| Error::file(&args.output, e))?;
    write(&args.output.join("options.md"), page::render(&program).as_bytes())?;
    for (name, text) in man::pages(&program)? {
        write(&args.output.join(name), &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// With what clap derives: usage lines, the version of each subcommand. `help` needs no explanation.
fn built(program: clap::Command) -> clap::Command {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    program
}

fn write(file: &Path, content: &[u8]) -> Result<(), Error> {
    std::fs::write(file, content).map_err(|e| Error::file(file, e))
}

/// The subcommands that users see, in the order of `--help`.
fn commands(program: &clap::Command) -> impl Iterator<Item = &clap::Command> {
    program.get_subcommands().filter(|c| !c.is_hide_set())
}

/// The exit codes of every command.
const EXIT_CODES: [(&str, &str); 3] = [
    ("0", "done; nothing found that counts"),
    (
        "66",
        "findings remain after suppressions, annotations and baseline (report, run, analyze, check, and woven programs)",
    ),
    ("2", "an error, told in one line"),
];

/// The variables of the environment that the program goes by.
const ENVIRONMENT: [(&str, &str); 4] = [
    (
        "JAVA_HOME",
        "the JDK whose java, javac and classes are used; otherwise that of the java on the PATH",
    ),
    (
        "XDG_CACHE_HOME",
        "where woven archives and facts about classes are kept, in a folder racewire; otherwise ~/.cache",
    ),
    ("NO_COLOR", "if set and not empty, no colours"),
    (
        "RACEWIRE_OPTIONS",
        "run-time options of woven programs: name=value, separated by colons, commas or blanks; -D wins",
    ),
];
