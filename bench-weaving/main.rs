//! How fast Racewire weaves, beside Java tools on the same jars in the same run. See README.md.
//!
//! Every round measures every tool on every jar, so that a busy machine is busy for all of them; the report
//! has medians over the rounds.

mod asm;
mod command;
mod jars;
mod maven;
mod patching;
mod removed;
mod report;
mod stages;
mod stats;

use asm::AsmServer;
use clap::Parser;
use command::Tools;
use jars::Jar;
use patching::Classes;
use report::{JarReport, Report};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Measures how fast Racewire weaves, beside ASM and JaCoCo
#[derive(Debug, Parser)]
struct Args {
    /// How often everything is measured
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Writes the report as JSON, too
    #[arg(long)]
    json: Option<PathBuf>,
    /// A look in a minute: small jars, one round, hardly warm
    #[arg(long)]
    quick: bool,
    /// Only patches this corpus jar again and again, for a profiler to look at
    #[arg(long, value_name = "JAR")]
    profile: Option<String>,
    /// With --profile: only weaves, so often, for a counter of instructions
    #[arg(long, value_name = "N", requires = "profile")]
    passes: Option<u32>,
    /// Only counts what maybeShared removes from real programs
    #[arg(long)]
    removed: bool,
    /// Cargo says so; without it (`cargo test --all-targets`) nothing is measured
    #[arg(long, hide = true)]
    bench: bool,
}

/// Small passes are repeated this long in each round.
const ENOUGH: Duration = Duration::from_millis(250);

const PROFILE: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    let args = Args::parse();
    if !args.bench {
        return ExitCode::SUCCESS;
    }
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut args: Args) -> Result<()> {
    if let Some(id) = &args.profile {
        return match args.passes {
            None => profile(id),
            Some(passes) => weave_only(id, passes),
        };
    }
    if args.removed {
        return removed::run(&jars::work_folder()?);
    }
    if args.quick {
        args.rounds = 1;
    }
    let work = jars::work_folder()?;
    let tools = Tools::prepare(&work)?;
    let jars = jars::corpus(args.quick)?;
    let joined = jars::joined(&work, args.quick)?;
    let mut subjects = Vec::new();
    for jar in jars {
        let classes = Classes::load(&jar.path)?;
        subjects.push(Subject::new(jar, Some(classes)));
    }
    let mut server = AsmServer::start(&work, &tools)?;
    for subject in &subjects {
        server.load(&subject.jar, subject.classes.as_ref())?;
    }
    progress("warming up ASM");
    let ids: Vec<&Jar> = subjects.iter().map(|s| &s.jar).collect();
    let warm_up_passes = server.warm_up(&ids, args.quick)?;
    subjects.extend(joined.into_iter().map(|jar| Subject::new(jar, None)));
    for round in 0..args.rounds {
        for subject in &mut subjects {
            progress(&format!(
                "round {} of {}: {}",
                round + 1,
                args.rounds,
                subject.jar.id
            ));
            subject.measure(round, &mut server, &tools)?;
        }
    }
    progress("");
    let report = Report {
        rounds: args.rounds,
        quick: args.quick,
        tools: tools.versions(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        warm_up_passes,
        jars: subjects.into_iter().map(Subject::report).collect(),
    };
    print!("{}", report.render());
    if let Some(file) = args.json {
        std::fs::write(file, serde_json::to_vec_pretty(&report)?)?;
    }
    Ok(())
}

fn profile(id: &str) -> Result<()> {
    let classes = Classes::load(&jars::one(id)?.path)?;
    let mut passes = patching::Passes::default();
    let started = Instant::now();
    while started.elapsed() < PROFILE {
        passes.add(&classes)?;
    }
    println!("{}", serde_json::to_string_pretty(&passes.report(classes.bytes))?);
    Ok(())
}

/// Nothing but what the column "weave" is about: the difference of two such runs is that of their passes.
fn weave_only(id: &str, passes: u32) -> Result<()> {
    let classes = Classes::load(&jars::one(id)?.path)?;
    let program = classes.scan()?;
    let plan = racewire::plan::plan(&program, None, false);
    let mut woven_bytes = 0;
    let started = stats::cpu()?;
    for _ in 0..passes {
        classes.weave(&program, &plan, |woven| {
            woven_bytes += woven.map_or(0, |w| w.len() as u64)
        })?;
    }
    let speed = stats::Speed::of(&[(stats::cpu()? - started) / passes.max(1)], classes.bytes);
    println!("{} MB/s, {woven_bytes} bytes", speed.median);
    Ok(())
}

/// One line that the next one overwrites; only for a person at a terminal.
fn progress(what: &str) {
    use std::io::IsTerminal;
    if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{what}");
    }
}

/// A jar and all that was measured on it.
struct Subject {
    jar: Jar,
    /// Of corpus jars; joined jars only go through the commands.
    classes: Option<Classes>,
    racewire: patching::Passes,
    asm: asm::Passes,
    racewire_command: command::Runs,
    /// The same without maybeShared.
    all_command: command::Runs,
    jacoco_command: command::Runs,
    stages: stages::Runs,
}

impl Subject {
    fn new(jar: Jar, classes: Option<Classes>) -> Subject {
        Subject {
            jar,
            classes,
            racewire: patching::Passes::default(),
            asm: asm::Passes::default(),
            racewire_command: command::Runs::default(),
            all_command: command::Runs::default(),
            jacoco_command: command::Runs::default(),
            stages: stages::Runs::default(),
        }
    }

    fn measure(&mut self, round: usize, server: &mut AsmServer, tools: &Tools) -> Result<()> {
        // Who goes first changes, so that no tool always finds the caches as the same other one left them.
        for turn in [round % 2, (round + 1) % 2] {
            if turn == 0 {
                if let Some(classes) = &self.classes {
                    repeat(|| self.racewire.add(classes))?;
                    self.stages.add(&self.jar.path, classes, tools)?;
                }
                let jar = &self.jar.path;
                self.racewire_command.add(tools.racewire(jar, "maybe-shared")?);
                self.all_command.add(tools.racewire(jar, "all")?);
            } else {
                if self.classes.is_some() {
                    repeat(|| {
                        self.asm.add(server.pass(&self.jar.id)?);
                        Ok(())
                    })?;
                }
                self.jacoco_command.add(tools.jacoco(&self.jar.path)?);
            }
        }
        Ok(())
    }

    fn report(self) -> JarReport {
        let patching = self.classes.map(|classes| report::Patching {
            classes: classes.len(),
            class_bytes: classes.bytes,
            racewire: self.racewire.report(classes.bytes),
            asm: self.asm.report(classes.bytes),
            stages: self.stages.report(),
        });
        JarReport {
            id: self.jar.id,
            file: self
                .jar
                .path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            bytes: self.jar.bytes,
            patching,
            racewire: self.racewire_command.report(),
            racewire_all: self.all_command.report(),
            jacoco: self.jacoco_command.report(),
        }
    }
}

/// At least once, and until [`ENOUGH`] time has passed.
fn repeat(mut pass: impl FnMut() -> Result<()>) -> Result<()> {
    let started = Instant::now();
    loop {
        pass()?;
        if started.elapsed() > ENOUGH {
            return Ok(());
        }
    }
}
