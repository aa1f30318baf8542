//! `racewire runtime-jar`

use crate::error::Error;
use crate::runtime_files;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where the jar goes
    #[arg(long, short)]
    output: PathBuf,
}

pub fn run(args: Args) -> Result<ExitCode, Error> {
    runtime_files::write_jar(&args.output)?;
    Ok(ExitCode::SUCCESS)
}
