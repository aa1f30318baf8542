//! `cargo run --release -p racewire-release`: release archives by one command.

use clap::Parser;
use racewire_release::build::Release;
use racewire_release::{Error, Platform};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Builds the release archives of Racewire: program, runtime jar, build plugins, completions, man pages, docs.
#[derive(Debug, Parser)]
#[command(name = "racewire-release", version)]
struct Args {
    /// A target to build for, as Rust calls it; may be repeated [default: Linux on x86-64 and on arm64]
    #[arg(long, value_name = "TRIPLE")]
    target: Vec<String>,
    /// Folder for the archives [default: target/dist]
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("racewire-release: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: Args) -> Result<(), Error> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let sources = sources.canonicalize().map_err(|e| Error::at(&sources, e))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| sources.join("target"), PathBuf::from);
    let triples = match args.target.is_empty() {
        true => Platform::LINUX.map(str::to_owned).to_vec(),
        false => args.target,
    };
    let platforms = triples
        .iter()
        .map(|triple| Platform::of(triple))
        .collect::<Result<Vec<Platform>, Error>>()?;
    let release = Release {
        sources: &sources,
        work: &target.join("release-parts"),
        platforms: &platforms,
    };
    let output = args.output.unwrap_or_else(|| target.join("dist"));
    for archive in release.make(&output, &|step| eprintln!("{step}"))? {
        println!("{}", archive.display());
    }
    Ok(())
}
