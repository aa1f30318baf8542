//! The jars that are woven: from the end-to-end tests' corpus, and some of those joined to a wanted size.

use crate::Result;
use crate::maven::{self, Artifact};
use serde::Deserialize;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use zip::{ZipArchive, ZipWriter};

/// Patched class by class as well as woven by the command.
const PATCHED: [&str; 6] = [
    "kotlin-compiler-embeddable",
    "hibernate-core",
    "lucene-core",
    "guava",
    "h2",
    "spring-core",
];
const QUICK: [&str; 3] = ["guava", "h2", "spring-core"];

/// Corpus jars that together have about the wanted size. (Not Groovy's: JaCoCo gives up on a method that would
/// be too large.)
const FIVE_MB: (&str, &[&str]) = ("joined-5MB", &["guava", "spring-core"]);
const HUNDRED_MB: (&str, &[&str]) = (
    "joined-100MB",
    &[
        "kotlin-compiler-embeddable",
        "hibernate-core",
        "bcprov",
        "scala-library",
        "lucene-core",
        "clojure",
        "pekko-actor",
        "tomcat-embed-core",
        "guava",
        "spring-core",
    ],
);

#[derive(Debug, Clone)]
pub struct Jar {
    pub id: String,
    pub path: PathBuf,
    pub bytes: u64,
}

impl Jar {
    fn new(id: &str, path: PathBuf) -> Result<Jar> {
        let bytes = fs::metadata(&path)?.len();
        Ok(Jar {
            id: id.to_owned(),
            path,
            bytes,
        })
    }
}

/// Where this benchmark keeps its files, below the build folder.
pub fn work_folder() -> Result<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bench-weaving");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

pub fn corpus(quick: bool) -> Result<Vec<Jar>> {
    let ids: &[&str] = if quick { &QUICK } else { &PATCHED };
    ids.iter()
        .zip(paths(ids)?)
        .map(|(id, path)| Jar::new(id, path))
        .collect()
}

pub fn one(id: &str) -> Result<Jar> {
    let path = paths(&[id])?.pop().ok_or("no path")?;
    Jar::new(id, path)
}

/// One jar of 5 MB and one of 100 MB.
pub fn joined(work: &Path, quick: bool) -> Result<Vec<Jar>> {
    let wanted: &[_] = if quick { &[FIVE_MB] } else { &[FIVE_MB, HUNDRED_MB] };
    wanted
        .iter()
        .map(|(id, parts)| {
            let path = work.join(format!("{id}.jar"));
            join(&paths(parts)?, &path)?;
            Jar::new(id, path)
        })
        .collect()
}

/// The classes of all parts, each part below a folder of its own: several jars may have the same entries.
fn join(parts: &[PathBuf], output: &Path) -> Result<()> {
    let mut writer = ZipWriter::new(File::create(output)?);
    for (nth, part) in parts.iter().enumerate() {
        let mut archive = ZipArchive::new(File::open(part)?)?;
        for index in 0..archive.len() {
            let entry = archive.by_index_raw(index)?;
            if entry.name().ends_with(".class") && !entry.name().ends_with("module-info.class") {
                let name = format!("part{nth}/{}", entry.name());
                writer.raw_copy_file_rename(entry, name)?;
            }
        }
    }
    writer.finish()?;
    Ok(())
}

/// The corpus jars of these names, fetched where missing; the folder is the tests' own.
fn paths(ids: &[&str]) -> Result<Vec<PathBuf>> {
    #[derive(Deserialize)]
    struct Entry {
        id: String,
        at: String,
    }
    #[derive(Deserialize)]
    struct List {
        jar: Vec<Entry>,
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/corpus.toml");
    let list: List = toml::from_str(&fs::read_to_string(file)?)?;
    let artifacts = ids
        .iter()
        .map(|id| {
            let entry = list.jar.iter().find(|entry| entry.id == *id);
            let entry = entry.ok_or_else(|| format!("no jar '{id}' in corpus.toml"))?;
            Ok(Artifact(entry.at.clone()))
        })
        .collect::<Result<Vec<_>>>()?;
    let folder = match std::env::var_os("RACEWIRE_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_TARGET_TMPDIR")).join("../corpus"),
    };
    fs::create_dir_all(&folder)?;
    // The commands run in a folder of their own.
    let folder = folder.canonicalize()?;
    maven::fetch(&artifacts, &folder, &work_folder()?)?;
    Ok(artifacts.iter().map(|artifact| artifact.path(&folder)).collect())
}
