//! Compiling and running Java. Compiled sources are kept for the length of the test process: several tests
//! (and both detectors) run the same classes.

use super::jdk::{self, Jdk};
use super::process::{self, Output};
use super::racewire::runtime;
use super::scratch::Scratch;
use super::verified;
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
        let mut arguments: Vec<String> = ["-nowarn", "-Xlint:none", "-encoding", "UTF-8", "-g"]
            .map(str::to_owned)
            .into();
        arguments.extend(self.options.iter().cloned());
        arguments.extend(["-d".to_owned(), out.display().to_string()]);
        if !self.class_path.is_empty() {
            let class_path = join_paths(&self.class_path);
            arguments.extend(["-cp".to_owned(), class_path.to_string_lossy().into_owned()]);
        }
        arguments.extend(self.sources.iter().map(|source| source.display().to_string()));
        let _slot = process::Slot::take();
        let compiled = racewire_javac::javac(&self.jdk.join("bin/java"), &arguments)
            .unwrap_or_else(|e| panic!("cannot compile: {e}"));
        assert_eq!(
            compiled.code,
            0,
            "javac {}\n{}",
            arguments.join(" "),
            compiled.said
        );
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
        java.args(verified::options(jdk));
        java.env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("RACEWIRE_OPTIONS");
        Java(java)
    }

    /// Without the optimizing compiler, which takes half of the CPU time of a program that runs for a second or two. For
    /// tests of verdicts that others make with it, too: what is about compiled code or time needs it.
    pub fn lightly(self) -> Java {
        self.arg("-XX:TieredStopAtLevel=1")
    }

    /// Verifies no class of the JDK. With a patched one there is no archive of verified classes, and to verify the same four
    /// hundred again takes a quarter of a small program's time. That what the patch changes can be verified is shown by all
    /// tests that use it without this: the JDK needs each of its classes to start.
    pub fn trusting_the_jdk(self) -> Java {
        self.args(["-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationLocal"])
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

    /// What was woven by [`weave_apart`](super::racewire::weave_apart), on this very JDK.
    pub fn woven_apart(self, jdk: &Jdk, woven: &Path) -> Java {
        self.arg(verified::with_runtime(jdk))
            .class_path(&[runtime(), woven])
    }

    pub fn dir(mut self, dir: &Path) -> Java {
        self.0.current_dir(dir);
        self
    }

    pub fn run(mut self) -> Output {
        process::run(&mut self.0)
    }

    /// Kills the JVM, as a user would who has seen enough.
    pub fn run_until(mut self, enough: impl FnMut() -> bool) -> Output {
        process::run_until(&mut self.0, enough)
    }
}
