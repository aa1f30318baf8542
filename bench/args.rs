//! The command line.

use crate::variant::{self, Variant};
use clap::Parser;
use std::path::PathBuf;

/// Measures how much slower programs are when woven
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// JDK to run with [default: the oldest one found]
    #[arg(long, value_name = "17|25")]
    pub jdk: Option<u32>,
    /// Only these programs
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Ways to run each program, compared with the first one: unwoven, all, shared, or detectors; +run adds the patched Thread
    #[arg(long, value_name = "VARIANT", num_args = 1.., value_parser = variant::parse, default_values = variant::DEFAULT)]
    pub variants: Vec<Variant>,
    /// JVMs per program and variant; the median counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = at_least_one)]
    pub rounds: usize,
    /// Iterations in each JVM; the best one counts
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = at_least_one)]
    pub iterations: usize,
    /// Hooks are not counted, which takes longer than all the rest
    #[arg(long)]
    pub no_counts: bool,
    /// All raw figures
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Single operations, instead of programs
    #[arg(long)]
    pub micro: bool,
    /// Growing numbers of threads and of objects, instead of programs
    #[arg(long)]
    pub scaling: bool,
    /// What `cargo bench` adds by itself
    #[arg(long, hide = true)]
    pub bench: bool,
}

impl Args {
    /// Whether the table of programs is wanted: by default, or by naming some.
    pub fn programs(&self) -> bool {
        !self.only.is_empty() || !(self.micro || self.scaling)
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1 is needed".to_owned()),
        Ok(n) => Ok(n),
        Err(e) => Err(format!("{e}")),
    }
}
