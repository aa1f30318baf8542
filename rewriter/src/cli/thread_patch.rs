//! `racewire thread-patch`: what `run` does by itself, for JVMs that others start.

use super::java::{self, Jvm};
use crate::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder for the patched class
    #[arg(long, short)]
    output: PathBuf,
    /// The JDK that is to use it [default: that of the java program]
    #[arg(long, value_name = "FOLDER")]
    java_home: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<ExitCode, Error> {
    let home = match args.java_home {
        Some(home) => home,
        None => Jvm::ask(&java::tool("java"))
            .home
            .ok_or_else(|| Error::Other("no java program found; give --java-home".to_owned()))?,
    };
    let folder = crate::thread_patch::prepare(&home, &args.output)?;
    super::print(&format!("--patch-module=java.base={}\n", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
