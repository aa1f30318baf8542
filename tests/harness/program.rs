//! Where the `racewire` program is, and that it is what the sources say.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

/// Benchmarks of the program's own package are told by Cargo. The end-to-end tests are another package: theirs is the one
/// that Cargo has put beside the folder of this test.
pub fn program() -> &'static Path {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    FOUND.get_or_init(|| match option_env!("CARGO_BIN_EXE_racewire") {
        Some(told) => PathBuf::from(told),
        None => beside_this_test(),
    })
}

fn beside_this_test() -> PathBuf {
    let test = std::env::current_exe().unwrap_or_else(|e| panic!("this test: {e}"));
    let folder = test.ancestors().nth(2).unwrap_or(&test);
    let program = folder
        .join("racewire")
        .with_extension(std::env::consts::EXE_EXTENSION);
    let built = modified(&program);
    let advice = "the program is built with these tests by: cargo test --release --test e2e";
    assert!(built.is_some(), "no {}; {advice}", program.display());
    // What it was built from, as Cargo keeps it: whoever tests this package alone must not test an old program.
    let list = std::fs::read_to_string(folder.join("racewire.d")).unwrap_or_default();
    let sources = list.split_once(": ").map_or("", |(_, sources)| sources);
    let sources = sources.trim_end().replace("\\ ", "\0");
    let mut sources = sources.split(' ').map(|s| PathBuf::from(s.replace('\0', " ")));
    let newer = sources.find_map(|source| newer(&source, built));
    assert!(
        newer.is_none(),
        "{} is older than {newer:?}; {advice}",
        program.display()
    );
    program
}

/// This file, or one in this folder, that was changed after.
fn newer(path: &Path, built: Option<SystemTime>) -> Option<PathBuf> {
    if let Ok(mut entries) = path.read_dir() {
        return entries.find_map(|entry| newer(&entry.ok()?.path(), built));
    }
    (modified(path) > built).then(|| path.to_owned())
}

fn modified(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}
