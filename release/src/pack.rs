//! The parts, put together.

use crate::{Error, Platform, repository};
use flate2::{Compression, GzBuilder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Everything that goes into an archive, built already.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'p> {
    pub platform: Platform,
    /// The `racewire` program for the platform.
    pub program: &'p Path,
    /// One of the same build that runs here: it writes the completions, the man pages and the runtime jar.
    pub here: &'p Path,
    /// The folder `integrations/`, built by Maven and Gradle, and the version it was built as.
    pub integrations: &'p Path,
    pub integrations_version: &'p str,
    /// The checkout: docs, licence.
    pub sources: &'p Path,
    /// The licences of the libraries that are part of the program.
    pub third_party: &'p str,
}

/// Writes `racewire-<version>-<platform>.tar.gz` into `folder`.
pub fn pack(parts: &Parts, folder: &Path) -> Result<PathBuf, Error> {
    let name = format!("racewire-{}-{}", env!("CARGO_PKG_VERSION"), parts.platform.name());
    let files = collect(parts)?;
    std::fs::create_dir_all(folder).map_err(|e| Error::at(folder, e))?;
    let archive = folder.join(format!("{name}.tar.gz"));
    let unfinished = folder.join(format!("{name}.tar.gz.tmp"));
    write(&unfinished, &name, &files).map_err(|e| Error::at(&unfinished, e))?;
    std::fs::rename(&unfinished, &archive).map_err(|e| Error::at(&archive, e))?;
    Ok(archive)
}

/// What stands at a name of the archive.
struct File {
    content: Vec<u8>,
    executable: bool,
}

/// Sorted, so that the order never changes.
type Files = BTreeMap<String, File>;

fn collect(parts: &Parts) -> Result<Files, Error> {
    let mut files = Files::new();
    let mut add = |name: String, content: Vec<u8>| {
        let executable = name.starts_with("bin/");
        files.insert(name, File { content, executable });
    };
    add(format!("bin/{}", parts.platform.program()), read(parts.program)?);
    for (name, content) in written_by(parts.here)? {
        add(name, content);
    }
    for (name, content) in repository::files(parts.integrations, parts.integrations_version)? {
        add(format!("maven/{name}"), content);
    }
    for name in ["README.md", "CHANGELOG.md", "LICENSE"] {
        add(name.to_owned(), read(&parts.sources.join(name))?);
    }
    add(
        "THIRD-PARTY-LICENCES".to_owned(),
        parts.third_party.as_bytes().to_vec(),
    );
    let docs = parts.sources.join("docs");
    for page in list(&docs)? {
        add(format!("docs/{page}"), read(&docs.join(&page))?);
    }
    Ok(files)
}

/// The script of each shell, where its packages put theirs.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/racewire"),
    ("zsh", "share/zsh/site-functions/_racewire"),
    ("fish", "share/fish/vendor_completions.d/racewire.fish"),
];

/// What the program knows how to write itself.
fn written_by(program: &Path) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let scratch = tempfile::tempdir().map_err(|e| Error::at(&std::env::temp_dir(), e))?;
    let mut files = Vec::new();
    for (shell, name) in COMPLETIONS {
        let script = output(Command::new(program).args(["completions", shell]))?;
        files.push((name.to_owned(), script));
    }
    let reference = scratch.path().join("reference");
    output(Command::new(program).args(["reference", "-o"]).arg(&reference))?;
    for page in list(&reference)?.into_iter().filter(|name| name.ends_with(".1")) {
        files.push((format!("share/man/man1/{page}"), read(&reference.join(&page))?));
    }
    let jar = scratch.path().join("racewire-runtime.jar");
    output(Command::new(program).args(["runtime-jar", "-o"]).arg(&jar))?;
    files.push(("lib/racewire-runtime.jar".to_owned(), read(&jar)?));
    Ok(files)
}

/// The files of a folder, sorted.
fn list(folder: &Path) -> Result<Vec<String>, Error> {
    let entries = std::fs::read_dir(folder).map_err(|e| Error::at(folder, e))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

/// Times, owners and modes are not those of the machine that packs.
fn write(archive: &Path, root: &str, files: &Files) -> std::io::Result<()> {
    let gzip = GzBuilder::new()
        .mtime(0)
        .write(std::fs::File::create(archive)?, Compression::best());
    let mut tar = tar::Builder::new(gzip);
    for (name, file) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(u64::try_from(file.content.len()).unwrap_or(u64::MAX));
        header.set_mode(if file.executable { 0o755 } else { 0o644 });
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        tar.append_data(&mut header, format!("{root}/{name}"), file.content.as_slice())?;
    }
    tar.into_inner()?.finish()?.sync_all()
}

pub(crate) fn output(command: &mut Command) -> Result<Vec<u8>, Error> {
    let output = command
        .output()
        .map_err(|e| Error::new(format!("cannot run {command:?}: {e}")))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    Err(Error::new(format!(
        "{command:?} ended with {}: {}",
        output.status,
        said.trim()
    )))
}

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(file).map_err(|e| Error::at(file, e))
}
