//! `racewire completions`

use crate::error::Error;
use clap_complete::Shell;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell that is to read the script
    shell: Shell,
}

pub fn run(args: Args, program: clap::Command) -> Result<ExitCode, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut visible(&program), "racewire", &mut script);
    super::print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// The scripts would offer hidden commands, too.
fn visible(program: &clap::Command) -> clap::Command {
    clap::Command::new(program.get_name().to_owned())
        .args(program.get_arguments())
        .subcommands(program.get_subcommands().filter(|c| !c.is_hide_set()))
}
