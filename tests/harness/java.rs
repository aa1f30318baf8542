//! Compiling and running Java. Compiled sources are kept for the length of the test process: several tests
//! (and both detectors) run the same classes.

use super::jdk::{self, Jdk};
use super::process::{self, Output};
use super::scratch::Scratch;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

/// How sources are to be compiled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Compile {
    pub sources: Vec<PathBuf>,
    pub class_path: Vec<PathBuf>,
    pub jdk: PathBuf,
    pub options: Vec<String>,
}

impl Compile {
    /// With the oldest JDK, so that every JDK runs the result.
    pub fn new(sources: impl IntoIterator<Item = PathBuf>) -> Compile {
        Compile::with(jdk::oldest(), sources)
    }

    pub fn with(jdk: &Jdk, sources: impl IntoIterator<Item = PathBuf>) -> Compile {
        Compile {
            sources: sources.into_iter().collect(),
            class_path: Vec::new(),
            jdk: jdk.home.clone(),
            options: Vec::new(),
        }
    }

    pub fn class_path(mut self, entries: impl IntoIterator<Item = PathBuf>) -> Compile {
        self.class_path.extend(entries);
        self
    }

    pub fn option(mut self, option: &str) -> Compile {
        self.options.push(option.to_owned());
        self
    }

    /// Compiles into `out`.
    pub fn compile_to(&self, out: &Path) {
        let mut javac = Command::new(self.jdk.join("bin/javac"));
        javac.args(["-nowarn", "-Xlint:none", "-encoding", "UTF-8", "-g"]);
        // A compiler that lives for a second is faster without the optimizing compiler.
        javac.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
        javac.args(&self.options).arg("-d").arg(out);
        if !self.class_path.is_empty() {
            javac.arg("-cp").arg(join_paths(&self.class_path));
        }
        process::run(javac.args(&self.sources)).expect_code(0);
    }

    /// The folder of compiled classes; compiled on first use.
    pub fn classes(&self) -> PathBuf {
        type Cell = Arc<OnceLock<Scratch>>;
        static COMPILED: OnceLock<Mutex<HashMap<Compile, Cell>>> = OnceLock::new();
        let cell = COMPILED
            .get_or_init(Mutex::default)
            .lock()
            .unwrap_or_else(|e| e.into_inner())
            .entry(self.clone())
            .or_default()
            .clone();
        cell.get_or_init(|| {
            let out = Scratch::new("classes");
            self.compile_to(out.path());
            out
        })
        .path()
        .to_owned()
    }
}

pub fn join_paths<P: AsRef<Path>>(entries: &[P]) -> OsString {
    std::env::join_paths(entries.iter().map(|p| p.as_ref())).unwrap_or_default()
}

/// A `java` command that verifies every class, not only those the JVM distrusts.
#[derive(Debug)]
pub struct Java(Command);

impl Java {
    pub fn new(jdk: &Jdk) -> Java {
        let mut java = Command::new(jdk.tool("java"));
        java.args(["-Xverify:all", "-XX:+UseSerialGC", "-Xshare:auto"]);
        // -Xverify is deprecated since 13 and says so on stderr.
        java.arg("-XX:-PrintWarnings");
        java.env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("RACEWIRE_OPTIONS");
        Java(java)
    }

    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Java {
        self.0.arg(arg);
        self
    }

    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Java {
        self.0.args(args);
        self
    }

    pub fn class_path<P: AsRef<Path>>(mut self, entries: &[P]) -> Java {
        self.0.arg("-cp").arg(join_paths(entries));
        self
    }

    pub fn dir(mut self, dir: &Path) -> Java {
        self.0.current_dir(dir);
        self
    }

    pub fn run(mut self) -> Output {
        process::run(&mut self.0)
    }
}
