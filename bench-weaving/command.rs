//! Whole programs, jar to jar: `racewire weave` and JaCoCo's offline instrumentation.

use crate::Result;
use crate::maven::{self, Artifact};
use crate::stats::median;
use nix::sys::resource::{UsageWho, getrusage};
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const ASM: &str = "org.ow2.asm:asm:9.11.1";
const JACOCO: &str = "org.jacoco:org.jacoco.cli:0.8.15:nodeps";

/// The programs that are measured and what they need.
pub struct Tools {
    pub asm: PathBuf,
    jacoco: PathBuf,
    /// Outputs of the commands, removed after each run.
    outputs: PathBuf,
    java: String,
}

#[derive(Debug, Serialize)]
pub struct Versions {
    pub java: String,
    pub asm: String,
    pub jacoco: String,
}

impl Tools {
    pub fn prepare(work: &Path) -> Result<Tools> {
        let folder = work.join("tools");
        let outputs = work.join("outputs");
        fs::create_dir_all(&folder)?;
        fs::create_dir_all(&outputs)?;
        let (asm, jacoco) = (Artifact(ASM.to_owned()), Artifact(JACOCO.to_owned()));
        maven::fetch(&[asm.clone(), jacoco.clone()], &folder, work)?;
        let mut tools = Tools {
            asm: asm.path(&folder),
            jacoco: jacoco.path(&folder),
            outputs,
            java: String::new(),
        };
        let output = Command::new(tools.java_program("java"))
            .arg("--version")
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        tools.java = text.lines().next().unwrap_or_default().to_owned();
        Ok(tools)
    }

    /// Of `JAVA_HOME`, or the first on the path.
    pub fn java_program(&self, name: &str) -> OsString {
        match std::env::var_os("JAVA_HOME") {
            Some(home) => Path::new(&home).join("bin").join(name).into_os_string(),
            None => name.into(),
        }
    }

    pub fn versions(&self) -> Versions {
        Versions {
            java: self.java.clone(),
            asm: Artifact(ASM.to_owned()).version().to_owned(),
            jacoco: Artifact(JACOCO.to_owned()).version().to_owned(),
        }
    }

    /// A file for one output, on the file system the commands write to.
    pub fn output(&self, name: &str) -> PathBuf {
        self.outputs.join(name)
    }

    /// `monitor`: as the option of that name has it.
    pub fn racewire(&self, jar: &Path, monitor: &str) -> Result<Run> {
        let output = self.output("racewire.jar");
        let mut command = Command::new(env!("CARGO_BIN_EXE_racewire"));
        // Every run does all the work.
        command
            .arg("weave")
            .arg(jar)
            .arg("-o")
            .arg(&output)
            .args(["--no-cache", "--monitor", monitor]);
        // A racewire.toml in the folder of the caller is not part of the measurement.
        command.current_dir(&self.outputs);
        self.run(command, &output)
    }

    /// Weaves the jar for a detector; gives the output, which is the caller's to remove.
    pub fn weave_for(&self, jar: &Path, detector: &str, main: Option<&str>) -> Result<PathBuf> {
        let output = self.output("removed.jar");
        let mut command = Command::new(env!("CARGO_BIN_EXE_racewire"));
        command.arg("weave").arg(jar).arg("-o").arg(&output);
        command.args(["--no-cache", "--quiet", "--detector", detector]);
        if let Some(main) = main {
            command.args(["--main", main]);
        }
        command.current_dir(&self.outputs);
        let ended = command.output()?;
        if !ended.status.success() {
            return Err(format!("{}\n{}", show(&command), String::from_utf8_lossy(&ended.stderr)).into());
        }
        Ok(output)
    }

    pub fn jacoco(&self, jar: &Path) -> Result<Run> {
        let output = self.output("jacoco");
        let mut command = Command::new(self.java_program("java"));
        command
            .arg("-jar")
            .arg(&self.jacoco)
            .arg("instrument")
            .arg(jar)
            .arg("--dest")
            .arg(&output);
        let run = self.run(command, &output.join(jar.file_name().unwrap_or_default()));
        fs::remove_dir_all(&output)?;
        run
    }

    fn run(&self, mut command: Command, output: &Path) -> Result<Run> {
        let log = self.outputs.join("log");
        let file = File::create(&log)?;
        command
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file);
        let before = children_cpu()?;
        let started = Instant::now();
        let mut child = command.spawn()?;
        let (pid, done) = (child.id(), AtomicBool::new(false));
        let (status, wall, peak) = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| watch_peak(pid, &done));
            let status = child.wait();
            let wall = started.elapsed();
            done.store(true, Ordering::Relaxed);
            (status, wall, watcher.join().unwrap_or_default())
        });
        // Commands run one at a time, and the ASM process is not waited for before the end.
        let cpu = children_cpu()?.saturating_sub(before);
        if !status?.success() || !output.is_file() {
            return Err(format!("{}\n{}", show(&command), fs::read_to_string(&log)?).into());
        }
        let output_bytes = fs::metadata(output)?.len();
        fs::remove_file(output)?;
        Ok(Run {
            wall,
            cpu,
            peak,
            output_bytes,
        })
    }
}

fn show(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

/// CPU time of all children that ended.
fn children_cpu() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = |time: nix::sys::time::TimeVal| (time.tv_sec() * 1_000_000 + time.tv_usec()) as u64;
    Ok(Duration::from_micros(
        micros(usage.user_time()) + micros(usage.system_time()),
    ))
}

/// The most memory a process had resident, in bytes. Not from rusage: there a child inherits the peak of the
/// process that started it, and this one holds all the classes.
fn watch_peak(pid: u32, done: &AtomicBool) -> u64 {
    let file = format!("/proc/{pid}/status");
    let mut peak = 0;
    while !done.load(Ordering::Relaxed) {
        let status = fs::read_to_string(&file).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0) * 1024);
        std::thread::sleep(Duration::from_millis(1));
    }
    peak
}

/// One run of a command.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    wall: Duration,
    cpu: Duration,
    peak: u64,
    output_bytes: u64,
}

#[derive(Default)]
pub struct Runs(Vec<Run>);

/// Medians over the runs.
#[derive(Debug, Serialize)]
pub struct Cost {
    pub wall_seconds: f64,
    pub cpu_seconds: f64,
    pub peak_bytes: u64,
    pub output_bytes: u64,
    pub runs: usize,
}

impl Runs {
    pub fn add(&mut self, run: Run) {
        self.0.push(run);
    }

    pub fn report(&self) -> Cost {
        let of = |what: fn(&Run) -> f64| median(&self.0.iter().map(what).collect::<Vec<_>>());
        Cost {
            wall_seconds: of(|run| run.wall.as_secs_f64()),
            cpu_seconds: of(|run| run.cpu.as_secs_f64()),
            peak_bytes: of(|run| run.peak as f64) as u64,
            output_bytes: of(|run| run.output_bytes as f64) as u64,
            runs: self.0.len(),
        }
    }
}
