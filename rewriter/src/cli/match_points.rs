//! `racewire match`: which join points a pointcut is about.

use super::config::{self, WeaveFlags};
use super::print;
use crate::error::Error;
use crate::monitors::pipeline;
use clap::ArgMatches;
use racewire_model::names::dotted;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Jar, war, fat jar or class folder
    input: PathBuf,
    /// Pointcuts (docs/pointcuts.md); several are numbered from 1 in the first column
    #[arg(required = true, value_name = "POINTCUT")]
    pointcuts: Vec<String>,
    #[command(flatten)]
    flags: WeaveFlags,
}

pub fn run(args: Args, matches: Option<&ArgMatches>) -> Result<ExitCode, Error> {
    let mut settings = config::resolve(args.flags, matches)?;
    settings.leave_out(&args.input);
    let sharing = settings.sharing_of_monitors(settings.main.iter().cloned().collect());
    let found = pipeline::matches(
        &args.input,
        &args.pointcuts,
        &settings.scope,
        &settings.classpath,
        &sharing,
    )?;
    let mut text = String::new();
    for (nth, point) in found {
        if args.pointcuts.len() > 1 {
            let _ = write!(text, "{}\t", nth + 1);
        }
        let file = point.file.as_deref().unwrap_or("?");
        let _ = writeln!(
            text,
            "{}\t{}.{}({file}:{})\t{}{}",
            point.kind.name(point.is_constructor),
            dotted(&point.class),
            point.method,
            point.line,
            point.member,
            if point.tested {
                "\tif the run-time type fits"
            } else {
                ""
            },
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
