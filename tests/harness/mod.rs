//! What every end-to-end test needs: the JDKs of this machine, processes with a deadline, scratch folders,
//! compiled Java sources, jars, the `racewire` program, and the expectations written in test programs.
//!
//! Nothing here knows how Racewire works inside: everything goes through its command line.

pub mod browser;
pub mod expect;
pub mod integrations;
pub mod jars;
pub mod java;
pub mod jdk;
pub mod parallel;
pub mod process;
pub mod program;
pub mod racewire;
pub mod scratch;
pub mod verified;

use std::path::PathBuf;

/// The folder that holds the tests' own files (`tests/` of the project).
pub fn tests_dir() -> PathBuf {
    PathBuf::from(file!())
        .canonicalize()
        .ok()
        .and_then(|f| f.ancestors().nth(2).map(PathBuf::from))
        .filter(|d| d.join("corpus/corpus.toml").is_file())
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests"))
}
