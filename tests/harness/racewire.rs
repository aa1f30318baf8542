//! The `racewire` program, as a user calls it.

use super::jdk::Jdk;
use super::process::{self, Output};
use super::program::program;
use racewire_model::finding::{Finding, Report};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};

/// Exit code of a JVM or a report with findings.
pub const FOUND: i32 = 66;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Detector {
    Racer,
    Eraser,
}

impl Detector {
    pub const ALL: [Detector; 2] = [Detector::Racer, Detector::Eraser];

    pub fn name(self) -> &'static str {
        match self {
            Detector::Racer => "racer",
            Detector::Eraser => "eraser",
        }
    }

    pub fn jvm_option(self) -> String {
        format!("-Dracewire.detector={}", self.name())
    }
}

pub fn command() -> Command {
    let mut command = Command::new(program());
    command.env_remove("RACEWIRE_OPTIONS");
    // What the user's own programs left in the cache stays there.
    command.env(
        "XDG_CACHE_HOME",
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"),
    );
    command
}

pub fn racewire<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Output {
    process::run(command().args(args))
}

/// Weaves and insists on success.
pub fn weave(input: &Path, output: &Path, options: &[&str]) -> Output {
    let mut command = command();
    command
        .arg("weave")
        .arg(input)
        .arg("-o")
        .arg(output)
        .args(options);
    process::run(&mut command).expect_code(0)
}

/// Weaves a class folder for [`Java::woven_apart`](super::java::Java::woven_apart): many small programs would each have the
/// runtime's 250 files. To write and delete those took a third of these tests, since ext4 passes over what was deleted a
/// moment ago when it looks for room.
pub fn weave_apart(classes: &Path, output: &Path, options: &[&str]) -> Output {
    weave(classes, output, &[options, &["--no-bundle-runtime"]].concat())
}

/// The runtime for all that is woven so, named by its content.
pub fn runtime() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtime");
        std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let unfinished = runtime_jar(&folder.join(format!("{}.jar", std::process::id())));
        let mut hasher = DefaultHasher::new();
        std::fs::read(&unfinished)
            .unwrap_or_else(|e| panic!("{}: {e}", unfinished.display()))
            .hash(&mut hasher);
        let made = folder.join(format!("runtime-{:016x}.jar", hasher.finish()));
        // An archive of its classes is for this very file.
        if made.is_file() {
            std::fs::remove_file(&unfinished)
        } else {
            std::fs::rename(&unfinished, &made)
        }
        .unwrap_or_else(|e| panic!("{}: {e}", unfinished.display()));
        made
    })
}

/// The findings of a folder. A folder that was never made holds none: the runtime makes it when needed.
pub fn findings(folder: &Path) -> Vec<Finding> {
    if !folder.exists() {
        return Vec::new();
    }
    let mut command = command();
    command.arg("report").arg(folder).args(["--format", "json"]);
    let out = process::run(&mut command);
    let report: Report = serde_json::from_str(&out.stdout)
        .unwrap_or_else(|e| panic!("report is not JSON: {e}\n{}", out.describe()));
    let expected = if report.findings.is_empty() { 0 } else { FOUND };
    assert_eq!(
        out.code,
        expected,
        "exit code does not fit the findings\n{}",
        out.describe()
    );
    report.findings
}

/// One line per finding, sorted: for messages and for review.
pub fn summary(findings: &[Finding]) -> String {
    let mut lines: Vec<String> = findings
        .iter()
        .map(|f| {
            let sides: Vec<String> = f
                .accesses
                .iter()
                .map(|a| {
                    let file = a.file.as_deref().unwrap_or("?");
                    format!(
                        "{:?} {}.{} ({file}:{}) by '{}' holding {:?}",
                        a.kind, a.class, a.method, a.line, a.thread, a.locks
                    )
                })
                .collect();
            format!("{} [{}]\n    {}", f.variable, f.detector, sides.join("\n    "))
        })
        .collect();
    lines.sort();
    lines.join("\n")
}

/// JVM options: findings into `folder`, all of them, and no run without monitoring (a runtime that gives up quietly
/// would make every "nothing found" true).
pub fn monitored(folder: &Path) -> [String; 3] {
    [
        format!("-Dracewire.findings={}", folder.display()),
        "-Dracewire.required=true".to_owned(),
        "-Dracewire.max_findings=1000000".to_owned(),
    ]
}

/// The runtime jar, written once per call.
pub fn runtime_jar(target: &Path) -> PathBuf {
    racewire([OsStr::new("runtime-jar"), OsStr::new("-o"), target.as_os_str()]).expect_code(0);
    target.to_owned()
}

/// The JVM option for a `java.lang.Thread` with the runtime's fields; made once per JDK.
pub fn thread_patch(jdk: &Jdk) -> String {
    static MADE: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(|e| e.into_inner());
    made.entry(jdk.home.clone())
        .or_insert_with(|| {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("thread-patch");
            let mut command = command();
            command.arg("thread-patch").arg("-o").arg(&folder);
            command.arg("--java-home").arg(&jdk.home);
            process::run(&mut command).expect_code(0).stdout.trim().to_owned()
        })
        .clone()
}
