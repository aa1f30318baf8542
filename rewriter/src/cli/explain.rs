//! `racewire explain`

use crate::error::Error;
use crate::explain;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// A woven archive or class folder
    woven: PathBuf,
    /// A class (com.acme.Bank), a field of it (com.acme.Bank.balance) or a line (com.acme.Bank:42, Bank.java:42)
    target: String,
}

pub fn run(args: Args) -> Result<ExitCode, Error> {
    super::print(&explain::explain(&args.woven, &args.target)?)?;
    Ok(ExitCode::SUCCESS)
}
