//! A hash of the sources that make facts: what the cache keeps is only good for the very same ones.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::Hash;
use std::hash::Hasher;
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let mut hash = DefaultHasher::new();
    for sources in ["src", "jdk-effects.toml", "../classfile/src"] {
        println!("cargo::rerun-if-changed={sources}");
        add(Path::new(sources), &mut hash)?;
    }
    println!("cargo::rustc-env=RACEWIRE_FACTS_SOURCES={:016x}", hash.finish());
    Ok(())
}

/// Everything below, in the same order everywhere.
fn add(path: &Path, hash: &mut DefaultHasher) -> io::Result<()> {
    path.file_name().hash(hash);
    if !path.is_dir() {
        fs::read(path)?.hash(hash);
        return Ok(());
    }
    let mut entries = fs::read_dir(path)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| add(entry, hash))
}
