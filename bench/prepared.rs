//! A program compiled and woven: one class path per variant.

use crate::bench_dir;
use crate::harness::java::{Compile, join_paths};
use crate::harness::racewire::weave;
use crate::harness::scratch::Scratch;
use crate::jars;
use crate::program::{MICRO, Program};
use crate::variant::{Monitor, Variant};
use std::path::{Path, PathBuf};

pub struct Prepared {
    pub program: Program,
    pub variants: Vec<Variant>,
    /// In the order of the variants.
    pub class_paths: Vec<Vec<PathBuf>>,
    pub scratch: Scratch,
}

impl Prepared {
    /// Compiles the program and weaves it and its jars for each variant.
    pub fn new(program: Program, variants: &[Variant]) -> Result<Prepared, String> {
        let scratch = Scratch::new(program.name);
        let jars: Vec<PathBuf> = program
            .jars
            .iter()
            .map(|id| jars::find(id))
            .collect::<Result<_, _>>()?;
        // Compiled apart, so that the class folder that is woven does not hold it.
        let iterations = Compile::new([bench_dir().join("programs/Iterations.java")]).classes();
        let classes = Compile::new(program.sources())
            .class_path(jars.iter().cloned().chain([iterations.clone()]))
            .classes();
        let mut parts = vec![classes];
        parts.extend(jars);
        let class_paths = variants
            .iter()
            .enumerate()
            .map(|(i, variant)| {
                let folder = scratch.folder(&format!("woven-{i}"));
                let mut path = woven(variant, program.name, &parts, &iterations, &folder);
                path.push(iterations.clone());
                path
            })
            .collect();
        Ok(Prepared {
            program,
            variants: variants.to_vec(),
            class_paths,
            scratch,
        })
    }

    /// The working directory of all runs.
    pub fn work_dir(&self) -> PathBuf {
        self.scratch.folder("work")
    }

    /// Whether the program keeps to the protocol of `Iterations.java`.
    pub fn has_iterations(&self) -> bool {
        self.program.name != MICRO.name
    }
}

/// Each part (the program's classes first, then its jars) woven for itself; the first one brings the runtime.
fn woven(variant: &Variant, main: &str, parts: &[PathBuf], iterations: &Path, folder: &Path) -> Vec<PathBuf> {
    let Some(way) = &variant.woven else {
        return parts.to_vec();
    };
    let weave_part = |(i, part): (usize, &PathBuf)| {
        let name = part
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let output = folder.join(format!("{i}-{name}"));
        let others: Vec<&Path> = parts
            .iter()
            .filter(|p| *p != part)
            .map(PathBuf::as_path)
            .collect();
        let others = join_paths(&[&others[..], &[iterations]].concat());
        let others = others.to_string_lossy();
        let mut all = vec!["--quiet", "--classpath", &others, "--detector", &way.detectors];
        if i > 0 {
            all.push("--no-bundle-runtime");
        }
        match way.monitor {
            Monitor::All => all.extend(["--monitor", "all"]),
            Monitor::MaybeShared => all.extend(["--main", main]),
        }
        weave(part, &output, &all);
        output
    };
    parts.iter().enumerate().map(weave_part).collect()
}
