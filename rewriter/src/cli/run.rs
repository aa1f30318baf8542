//! `racewire run`: weave to a cache, run with the user's arguments, print what was found.

use super::config::{self, WeaveFlags, WeaveSettings, cache_folder};
use super::format::Color;
use super::java::{self, Jvm};
use super::living::{Living, LivingFlags};
use super::{EXIT_ERROR, EXIT_FINDINGS};
use crate::archive::Archive;
use crate::error::Error;
use crate::pipeline::{self, Request};
use crate::sharing;
use clap::ArgMatches;
use racewire_report::TextOptions;
use sha1::{Digest, Sha1};
use std::collections::BTreeSet;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    flags: WeaveFlags,
    /// Argument for the JVM; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    jvm_arg: Vec<String>,
    /// Folder for the findings [default: racewire-findings]
    #[arg(long, value_name = "FOLDER")]
    findings: Option<PathBuf>,
    #[command(flatten)]
    living: LivingFlags,
    /// Run with the JDK's own java.lang.Thread and containers: starts faster, monitors slower
    #[arg(long)]
    no_thread_patch: bool,
    /// Jar or class folder, then the program's own arguments
    #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    program: Vec<String>,
}

pub fn run(args: Args, matches: Option<&ArgMatches>) -> Result<ExitCode, Error> {
    let mut settings = config::resolve(args.flags, matches)?;
    let Some((input, arguments)) = args.program.split_first() else {
        return Err(Error::Other("no program given".to_owned()));
    };
    let input = Path::new(input);
    settings.leave_out(input);
    let file = &settings.file;
    let living = Living::resolve(args.living, file.suppressions.clone(), file.baseline.clone())?;
    let woven = weave_to_cache(input, &settings)?;
    let findings = args
        .findings
        .or(settings.file.findings.clone())
        .unwrap_or_else(|| "racewire-findings".into());
    let before = files_in(&findings);

    let java = java::tool("java");
    let mut command = Command::new(&java);
    // JEP 472: without this, Java 24 and later warn about the native library on every start.
    let jvm = Jvm::ask(&java);
    if jvm.feature.is_some_and(|v| v >= 22) {
        command.arg("--enable-native-access=ALL-UNNAMED");
    }
    let jvm_args: Vec<&String> = settings.file.jvm_arg.iter().chain(&args.jvm_arg).collect();
    if let Some(patch) = thread_patch(&jvm, &jvm_args, args.no_thread_patch) {
        command.args([
            "--patch-module".to_owned(),
            format!("java.base={}", patch.display()),
        ]);
    }
    command.arg(format!("-Dracewire.findings={}", findings.display()));
    if let Some(detector) = &settings.detector {
        command.arg(format!("-Dracewire.detector={detector}"));
    }
    // Whether findings remain is decided here, unless the user has decided about it.
    let decided = jvm_args.iter().any(|arg| arg.starts_with("-Dracewire.exitcode"))
        || std::env::var("RACEWIRE_OPTIONS").is_ok_and(|options| options.contains("exitcode"));
    if !decided {
        command.arg("-Dracewire.exitcode=0");
    }
    command.args(&jvm_args);
    match &settings.main {
        Some(main) => {
            let class_path = std::iter::once(woven.clone()).chain(settings.classpath.iter().cloned());
            let class_path = std::env::join_paths(class_path).map_err(|e| Error::Other(e.to_string()))?;
            command.arg("-cp").arg(class_path).arg(main);
        }
        None if woven.is_dir() => {
            return Err(Error::file(input, "a class folder needs --main CLASS"));
        }
        None => {
            command.arg("-jar").arg(&woven);
        }
    }
    let status = command
        .args(arguments)
        .status()
        .map_err(|e| Error::file(Path::new(&java), e))?;
    let remain = print_new_findings(&findings, &before, &living, &file.source)?;
    if remain && !decided {
        return Ok(ExitCode::from(EXIT_FINDINGS));
    }
    Ok(status
        .code()
        .and_then(|c| u8::try_from(c).ok())
        .map_or(ExitCode::from(EXIT_ERROR), ExitCode::from))
}

/// Where classes of the JDK with the runtime's fields are; `None` where this JVM goes without: that only costs speed.
fn thread_patch(jvm: &Jvm, jvm_args: &[&String], unwanted: bool) -> Option<PathBuf> {
    // Before Java 9 there is no such option; a JVM takes it once per module.
    let taken = jvm_args.iter().any(|arg| arg.contains("java.base="));
    if unwanted || taken || jvm.feature.is_none_or(|v| v < 9) {
        return None;
    }
    crate::thread_patch::prepare(jvm.home.as_deref()?, &cache_folder()).ok()
}

/// Weaving is a pure function of input, scope and version: its results are kept by their hash.
fn weave_to_cache(input: &Path, settings: &WeaveSettings) -> Result<PathBuf, Error> {
    let cache = cache_folder();
    std::fs::create_dir_all(&cache).map_err(|e| Error::file(&cache, e))?;
    let name = input
        .file_name()
        .map_or_else(|| "classes".into(), |n| n.to_string_lossy().into_owned());
    let key = cache_key(input, settings)?;
    let woven = cache.join(format!("{key}-{name}"));
    if !woven.exists() {
        let monitored = settings.weave_monitors(input, &woven, main_classes(input, settings)?, None)?;
        let input = match &monitored {
            Some((_, Some(folder))) => &folder.path().join(input.file_name().unwrap_or_default()),
            Some((_, None)) => return Ok(woven),
            None => input,
        };
        pipeline::weave(&Request {
            input,
            output: &woven,
            scope: &settings.scope,
            classpath: &settings.classpath,
            bundle_runtime: settings.bundle_runtime,
            sharing: settings.sharing(main_classes(input, settings)?),
            main: settings.main.as_deref(),
            detectors: &settings.detectors,
            follow: settings.follow(main_classes(input, settings)?),
            facts_cache: settings.facts_cache(),
            models: &|| settings.models(),
            // Nobody keeps these: fast rather than small.
            level: 1,
            progress: None,
        })?;
    }
    Ok(woven)
}

/// Where the program begins: as the user says, or as its jar says.
fn main_classes(input: &Path, settings: &WeaveSettings) -> Result<Vec<String>, Error> {
    match &settings.main {
        Some(main) => Ok(vec![main.clone()]),
        None => Ok(sharing::main_classes(&Archive::open(input)?)),
    }
}

fn cache_key(input: &Path, settings: &WeaveSettings) -> Result<String, Error> {
    let mut hash = Sha1::new();
    hash.update(env!("CARGO_PKG_VERSION"));
    // During development the version stays while the weaver changes.
    if let Ok(program) = std::env::current_exe() {
        hash_stamp(&mut hash, &program);
    }
    for rule in &settings.scope_text {
        hash.update(rule);
        hash.update([0]);
    }
    hash.update([u8::from(settings.bundle_runtime)]);
    hash.update(format!(
        "{:?} {:?} {:?} {:?} {}",
        settings.monitor, settings.detector, settings.main, settings.jdk, settings.ignore_reflection
    ));
    for path in settings
        .classpath
        .iter()
        .chain(&settings.models)
        .chain(&settings.monitor_jars)
    {
        hash_tree(&mut hash, path)?;
    }
    hash_tree(&mut hash, input)?;
    Ok(hash
        .finalize()
        .iter()
        .take(10)
        .map(|b| format!("{b:02x}"))
        .collect())
}

fn hash_stamp(hash: &mut Sha1, path: &Path) {
    if let Ok(meta) = std::fs::metadata(path) {
        hash.update(meta.len().to_le_bytes());
        let modified = meta
            .modified()
            .ok()
            .and_then(|m| m.duration_since(std::time::UNIX_EPOCH).ok());
        hash.update(modified.map_or(0, |d| d.as_nanos()).to_le_bytes());
    }
}

fn hash_tree(hash: &mut Sha1, path: &Path) -> Result<(), Error> {
    let fail = |e| Error::file(path, e);
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(path)
            .map_err(fail)?
            .filter_map(|e| Some(e.ok()?.path()))
            .collect();
        entries.sort();
        for entry in entries {
            hash.update(entry.file_name().unwrap_or_default().as_encoded_bytes());
            hash.update([0]);
            hash_tree(hash, &entry)?;
        }
        return Ok(());
    }
    let mut file = std::fs::File::open(path).map_err(fail)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(fail)? {
            0 => return Ok(()),
            n => hash.update(buffer.get(..n).unwrap_or_default()),
        }
    }
}

fn files_in(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.is_file())
        .collect()
}

/// The report of this run goes to stderr: stdout is the program's. True if findings remain.
fn print_new_findings(
    folder: &Path,
    before: &BTreeSet<PathBuf>,
    living: &Living,
    sources: &[PathBuf],
) -> Result<bool, Error> {
    let new: Vec<PathBuf> = files_in(folder).difference(before).cloned().collect();
    if new.is_empty() {
        return Ok(false);
    }
    let loaded = racewire_report::load(&new)?;
    let nothing = loaded.report.findings.is_empty();
    let judged = living.judge(loaded.report, &loaded.annotated);
    if !nothing || !judged.unused_suppressions.is_empty() {
        let options = TextOptions {
            color: Color::Auto.wanted(std::io::stderr().is_terminal()),
            sources: sources.to_vec(),
            ..TextOptions::default()
        };
        eprint!("{}", racewire_report::to_text(&judged, &options));
    }
    Ok(!judged.report.findings.is_empty())
}
