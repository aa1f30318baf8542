//! Where the command's time goes: its stages one after the other on this thread, each as often as
//! `racewire weave` does it. (The command itself overlaps them, class by class on all cores.)

use crate::Result;
use crate::command::Tools;
use crate::patching::Classes;
use crate::stats::{self, median};
use libdeflater::{CompressionLvl, Compressor};
use racewire::archive::Archive;
use racewire::plan;
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The default of `racewire weave --level`.
const LEVEL: i32 = 1;

/// Names in the order of [`Runs::add`].
pub const NAMES: [&str; 8] = [
    "read",    // the file once from the page cache: the command reads each class twice, the rest once
    "inflate", // twice, for the scan and for weaving; with checksums
    "parse",   // twice
    "scan",    // without parsing
    "plan", "weave",   // without parsing
    "deflate", // changed classes only; with checksums
    "write",   // twice, to the scratch file and to the output
];

#[derive(Default)]
pub struct Runs(Vec<[Duration; NAMES.len()]>);

/// Median CPU milliseconds of a stage.
#[derive(Debug, Serialize)]
pub struct Stage {
    pub name: &'static str,
    pub milliseconds: f64,
}

impl Runs {
    pub fn add(&mut self, jar: &Path, classes: &Classes, tools: &Tools) -> Result<()> {
        let (file, read) = timed(|| Ok(fs::read(jar)?))?;
        let ((), inflate) = timed(|| {
            let archive = Archive::open(jar)?;
            for entry in archive.classes() {
                archive.read(entry)?;
            }
            Ok(())
        })?;
        let (_, parse) = timed(|| classes.parse_only())?;
        let (program, scan) = timed(|| classes.scan())?;
        let (plan, planning) = timed(|| Ok(plan::plan(&program, None, false)))?;
        let mut woven = Vec::new();
        let (_, weave) = timed(|| classes.weave(&program, &plan, |class| woven.extend(class)))?;
        let ((), deflate) = timed(|| deflate(&woven))?;
        // The input's bytes stand in for the output's.
        let output = tools.output("stages");
        let ((), write) = timed(|| Ok(fs::write(&output, &file)?))?;
        fs::remove_file(&output)?;
        self.0.push([
            read,
            inflate * 2,
            parse * 2,
            scan.saturating_sub(parse),
            planning,
            weave.saturating_sub(parse),
            deflate,
            write * 2,
        ]);
        Ok(())
    }

    pub fn report(&self) -> Vec<Stage> {
        NAMES
            .iter()
            .enumerate()
            .map(|(nth, name)| {
                let times: Vec<f64> = self
                    .0
                    .iter()
                    .filter_map(|run| run.get(nth))
                    .map(|t| t.as_secs_f64() * 1e3)
                    .collect();
                Stage {
                    name,
                    milliseconds: median(&times),
                }
            })
            .collect()
    }
}

fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, Duration)> {
    let start = stats::cpu()?;
    let result = work()?;
    Ok((result, stats::cpu()? - start))
}

/// As the archive writer does it, which keeps its codec to itself.
fn deflate(classes: &[Vec<u8>]) -> Result<()> {
    let level = CompressionLvl::new(LEVEL).map_err(|_| "no such level of deflate")?;
    let mut compressor = Compressor::new(level);
    for class in classes {
        std::hint::black_box(crc32fast::hash(class));
        let mut out = vec![0; compressor.deflate_compress_bound(class.len())];
        compressor
            .deflate_compress(class, &mut out)
            .map_err(|e| format!("deflate: {e:?}"))?;
    }
    Ok(())
}
