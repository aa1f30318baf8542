//! One run of a JVM, and what it says about itself and what the system says about it.

use crate::harness::java::join_paths;
use crate::harness::jdk::Jdk;
use crate::harness::racewire::FOUND;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A woven run that takes this long hangs.
const DEADLINE: Duration = Duration::from_secs(900);
const POLL: Duration = Duration::from_millis(5);

/// The same for every variant: a heap that does not depend on the machine; the rest is left to the JVM.
const OPTIONS: &[&str] = &["-Xms256m", "-Xmx4g"];

#[derive(Debug)]
pub struct Launch<'a> {
    pub jdk: &'a Jdk,
    pub options: Vec<String>,
    pub class_path: &'a [PathBuf],
    pub main: &'a str,
    pub args: Vec<String>,
    /// Working directory.
    pub dir: &'a Path,
}

/// The figures of one run.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Run {
    pub wall_ns: u64,
    /// Most resident memory (`VmHWM`).
    pub peak_kb: u64,
    pub iterations: Vec<Iteration>,
    /// Other figures the program told of: `live` bytes and its own.
    pub figures: BTreeMap<String, u64>,
    /// ns per single operation (`Micro`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub operations: BTreeMap<String, f64>,
    #[serde(skip)]
    pub stdout: String,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct Iteration {
    pub wall_ns: u64,
    pub cpu_ns: u64,
}

impl Launch<'_> {
    /// To the end; an error if the program failed.
    pub fn run(&self) -> Result<Run, String> {
        let mut java = Command::new(self.jdk.tool("java"));
        java.args(OPTIONS)
            .args(&self.options)
            .arg("-cp")
            .arg(join_paths(self.class_path))
            .arg(self.main)
            .args(&self.args)
            .current_dir(self.dir)
            .env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("RACEWIRE_OPTIONS")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let begin = Instant::now();
        let mut child = java.spawn().map_err(|e| format!("cannot start java: {e}"))?;
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let ended = wait(&mut child, begin);
        let wall_ns = nanos(begin.elapsed());
        let text =
            |t: JoinHandle<Vec<u8>>| String::from_utf8_lossy(&t.join().unwrap_or_default()).into_owned();
        let (stdout, stderr) = (text(stdout), text(stderr));
        let explain = |why: String| format!("{why}\n{}", last_lines(&stderr));
        let (code, peak_kb) = ended.map_err(&explain)?;
        if code != Some(0) && code != Some(FOUND) {
            let code = code.map_or("a signal".to_owned(), |c| format!("code {c}"));
            return Err(explain(format!("ended with {code}")));
        }
        let mut run = Run {
            wall_ns,
            peak_kb,
            stdout,
            ..Run::default()
        };
        run.read(&stderr);
        Ok(run)
    }
}

impl Run {
    /// What the program says on stderr; see `Iterations.java` and `Micro.java`.
    fn read(&mut self, stderr: &str) {
        for line in stderr.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["racewire-bench", "iteration", _, wall, cpu] => {
                    if let (Ok(wall_ns), Ok(cpu_ns)) = (wall.parse(), cpu.parse()) {
                        self.iterations.push(Iteration { wall_ns, cpu_ns });
                    }
                }
                ["racewire-bench", name, value] => {
                    if let Ok(value) = value.parse() {
                        self.figures.insert(name.to_owned(), value);
                    }
                }
                ["racewire-micro", name, value] => {
                    if let Ok(value) = value.parse() {
                        self.operations.insert(name.to_owned(), value);
                    }
                }
                _ => {}
            }
        }
    }

    /// Steady state: the best iteration.
    pub fn steady_ns(&self) -> Option<f64> {
        self.iterations.iter().map(|i| i.wall_ns as f64).reduce(f64::min)
    }

    pub fn cpu_ns(&self) -> Option<f64> {
        self.iterations.iter().map(|i| i.cpu_ns as f64).reduce(f64::min)
    }

    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures.get(name).map(|&v| v as f64)
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

fn collect(stream: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Exit code (none after a signal) and peak memory.
fn wait(child: &mut Child, begin: Instant) -> Result<(Option<i32>, u64), String> {
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_kb = 0;
    loop {
        // The file is gone when the process is: what was read last counts.
        peak_kb = peak_kb.max(peak(&status_file).unwrap_or(0));
        match child.try_wait() {
            Ok(Some(status)) => return Ok((status.code(), peak_kb)),
            Ok(None) if begin.elapsed() > DEADLINE => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("still running after {DEADLINE:?}"));
            }
            Ok(None) => thread::sleep(POLL),
            Err(e) => return Err(format!("cannot wait for java: {e}")),
        }
    }
}

fn peak(status_file: &str) -> Option<u64> {
    let status = std::fs::read_to_string(status_file).ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(15)..].join("\n")
}
