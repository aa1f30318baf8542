//! The ASM pipeline (`java/`): one JVM that stays up, so that it is warm, and is asked for one pass at a time.

use crate::Result;
use crate::command::Tools;
use crate::jars::Jar;
use crate::patching::{Classes, Patched};
use crate::stats::Speed;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

pub struct AsmServer {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// CPU time of the JVM's one working thread, and what it did.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    scan: Duration,
    weave: Duration,
    hooks: u64,
    woven_bytes: u64,
}

impl Pass {
    fn time(&self) -> Duration {
        self.scan + self.weave
    }
}

impl AsmServer {
    pub fn start(work: &Path, tools: &Tools) -> Result<AsmServer> {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench-weaving/java");
        let classes = work.join("java");
        let mut javac = Command::new(tools.java_program("javac"));
        javac.arg("-cp").arg(&tools.asm).arg("-d").arg(&classes);
        for source in ["AsmServer", "HookWeaver", "Hierarchy"] {
            javac.arg(sources.join(format!("{source}.java")));
        }
        if !javac.status()?.success() {
            return Err("javac failed".into());
        }
        let class_path = std::env::join_paths([&classes, &tools.asm])?;
        // The serial collector: its work is on no other core, and there is memory enough for it to be rare.
        let mut child = Command::new(tools.java_program("java"))
            .args(["-XX:+UseSerialGC", "-Xms2g", "-Xmx2g", "-cp"])
            .arg(class_path)
            .arg("AsmServer")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (requests, answers) = (child.stdin.take(), child.stdout.take());
        let (Some(requests), Some(answers)) = (requests, answers) else {
            return Err("no pipes to the ASM process".into());
        };
        Ok(AsmServer {
            child,
            requests,
            answers: BufReader::new(answers),
        })
    }

    fn ask(&mut self, request: &str) -> Result<Vec<u64>> {
        writeln!(self.requests, "{request}")?;
        self.requests.flush()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        let numbers: std::result::Result<Vec<u64>, _> = answer.split_whitespace().map(str::parse).collect();
        match numbers {
            Ok(numbers) if !numbers.is_empty() => Ok(numbers),
            _ => Err(format!("the ASM process did not answer '{request}'").into()),
        }
    }

    /// Reads a jar; it must see the very classes that Racewire sees.
    pub fn load(&mut self, jar: &Jar, classes: Option<&Classes>) -> Result<()> {
        let found = self.ask(&format!("load {} {}", jar.id, jar.path.canonicalize()?.display()))?;
        match classes {
            Some(classes) if found != [classes.len() as u64, classes.bytes] => {
                Err(format!("{}: ASM and Racewire see different classes", jar.id).into())
            }
            _ => Ok(()),
        }
    }

    pub fn pass(&mut self, id: &str) -> Result<Pass> {
        let answer = self.ask(&format!("pass {id}"))?;
        let [scan, weave, accesses, monitors, calls, _too_large, woven_bytes] = answer[..] else {
            return Err("the ASM process answered something else".into());
        };
        Ok(Pass {
            scan: Duration::from_nanos(scan),
            weave: Duration::from_nanos(weave),
            hooks: accesses + monitors + calls,
            woven_bytes,
        })
    }

    /// Passes over all jars, large ones first, until no jar gets faster; gives how many each took.
    pub fn warm_up(&mut self, jars: &[&Jar], quick: bool) -> Result<Vec<usize>> {
        // HotSpot's last tier comes late: a jar counts as settled only after many passes without a gain.
        let (settled, most) = if quick { (2, 4) } else { (6, 40) };
        let mut taken = Vec::new();
        for jar in jars {
            let (mut best, mut since_best, mut passes) = (Duration::from_secs(3600), 0, 0);
            while since_best < settled && passes < most {
                let time = self.pass(&jar.id)?.time();
                since_best = if time < best.mul_f64(0.98) {
                    0
                } else {
                    since_best + 1
                };
                best = best.min(time);
                passes += 1;
            }
            taken.push(passes);
        }
        Ok(taken)
    }
}

impl Drop for AsmServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Default)]
pub struct Passes(Vec<Pass>);

impl Passes {
    pub fn add(&mut self, pass: Pass) {
        self.0.push(pass);
    }

    pub fn report(&self, class_bytes: u64) -> Patched {
        let weave: Vec<_> = self.0.iter().map(|pass| pass.weave).collect();
        let whole: Vec<_> = self.0.iter().map(Pass::time).collect();
        Patched {
            weave: Speed::of(&weave, class_bytes),
            whole: Speed::of(&whole, class_bytes),
            hooks: self.0.last().map_or(0, |pass| pass.hooks),
            woven_bytes: self.0.last().map_or(0, |pass| pass.woven_bytes),
        }
    }
}
