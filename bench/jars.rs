//! Jars of real libraries: versions and cache are those of the tests' corpus; Maven brings what is missing.

use crate::harness::{process, tests_dir};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Deserialize)]
struct List {
    jar: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    /// `group:artifact:version`
    at: String,
}

/// The jar's file, after a download if need be.
pub fn find(id: &str) -> Result<PathBuf, String> {
    let file = tests_dir().join("corpus/corpus.toml");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let list: List = toml::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))?;
    let entry = list.jar.into_iter().find(|e| e.id == id);
    let entry = entry.ok_or_else(|| format!("no jar '{id}' in {}", file.display()))?;
    let mut parts = entry.at.split(':').skip(1);
    let (artifact, version) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let folder = folder()?;
    let jar = folder.join(format!("{artifact}-{version}.jar"));
    if !jar.is_file() {
        download(&entry.at, &folder)?;
    }
    if jar.is_file() {
        Ok(jar)
    } else {
        Err(format!("Maven did not bring {}", jar.display()))
    }
}

/// The same folder as that of the tests (`RACEWIRE_CORPUS`, or `corpus` in the build folder).
fn folder() -> Result<PathBuf, String> {
    let folder = match std::env::var_os("RACEWIRE_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../corpus"),
    };
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    folder
        .canonicalize()
        .map_err(|e| format!("{}: {e}", folder.display()))
}

fn download(coordinates: &str, folder: &Path) -> Result<(), String> {
    let mut mvn = Command::new("mvn");
    mvn.args(["-q", "-B", "dependency:copy"])
        .arg(format!("-Dartifact={coordinates}"))
        .arg(format!("-DoutputDirectory={}", folder.display()))
        // Away from any pom.xml that happens to be here.
        .current_dir(folder);
    let out = process::run(&mut mvn);
    if out.code == 0 {
        Ok(())
    } else {
        Err(out.describe())
    }
}
