//! The results, as a table and as JSON.

use crate::command::{Cost, Versions};
use crate::patching::Patched;
use crate::stages::{NAMES, Stage};
use serde::Serialize;
use std::fmt::Write;

#[derive(Debug, Serialize)]
pub struct Report {
    pub rounds: usize,
    pub quick: bool,
    pub tools: Versions,
    pub cores: usize,
    /// Of ASM, before the first round, for each jar that is patched.
    pub warm_up_passes: Vec<usize>,
    pub jars: Vec<JarReport>,
}

#[derive(Debug, Serialize)]
pub struct JarReport {
    pub id: String,
    pub file: String,
    pub bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patching: Option<Patching>,
    /// `racewire weave`, the same with `--monitor all`, and JaCoCo's `instrument`.
    pub racewire: Cost,
    pub racewire_all: Cost,
    pub jacoco: Cost,
}

#[derive(Debug, Serialize)]
pub struct Patching {
    pub classes: usize,
    pub class_bytes: u64,
    pub racewire: Patched,
    pub asm: Patched,
    pub stages: Vec<Stage>,
}

impl Report {
    pub fn render(&self) -> String {
        let mut out = String::new();
        let Versions { java, asm, jacoco } = &self.tools;
        let quick = if self.quick {
            " (quick: ASM is hardly warm)"
        } else {
            ""
        };
        let (rounds, cores) = (self.rounds, self.cores);
        let _ = writeln!(
            out,
            "rounds {rounds}{quick}, cores {cores}, {java}, ASM {asm}, JaCoCo {jacoco}; MB = 10^6 bytes\n",
        );
        out.push_str(&self.patching());
        out.push_str(&self.commands());
        out.push_str(&self.stages());
        out
    }

    fn patched(&self) -> impl Iterator<Item = (&JarReport, &Patching)> {
        self.jars
            .iter()
            .filter_map(|jar| Some((jar, jar.patching.as_ref()?)))
    }

    fn patching(&self) -> String {
        let mut table =
            Table::new("patching in memory, one thread: MB of classes per CPU second, median (best)");
        table.row(&[
            "jar",
            "classes",
            "MB",
            "weave",
            "ASM",
            "ratio",
            "scan+plan+weave",
            "ASM",
            "ratio",
            "hooks",
            "ASM",
        ]);
        for (jar, of) in self.patched() {
            let speed = |s: &crate::stats::Speed| format!("{:.0} ({:.0})", s.median, s.best);
            let ratio = |a: f64, b: f64| format!("{:.1}", a / b);
            table.row(&[
                &jar.id,
                &of.classes.to_string(),
                &mb(of.class_bytes),
                &speed(&of.racewire.weave),
                &speed(&of.asm.weave),
                &ratio(of.racewire.weave.median, of.asm.weave.median),
                &speed(&of.racewire.whole),
                &speed(&of.asm.whole),
                &ratio(of.racewire.whole.median, of.asm.whole.median),
                &of.racewire.hooks.to_string(),
                &of.asm.hooks.to_string(),
            ]);
        }
        table.finish()
    }

    fn commands(&self) -> String {
        let mut table = Table::new(
            "the whole command, jar to jar, all cores: racewire weave --monitor all / racewire weave / jacococli instrument",
        );
        table.row(&[
            "jar",
            "MB",
            "wall s",
            "ratio",
            "CPU s",
            "ratio",
            "peak MB",
            "output MB",
        ]);
        for jar in &self.jars {
            let three = |of: &dyn Fn(&Cost) -> String| {
                [&jar.racewire_all, &jar.racewire, &jar.jacoco]
                    .map(of)
                    .join(" / ")
            };
            let seconds = |of: fn(&Cost) -> f64| three(&|cost| format!("{:.2}", of(cost)));
            let ratios = |of: fn(&Cost) -> f64| {
                let times = |cost| format!("{:.1}", of(&jar.jacoco) / of(cost));
                [&jar.racewire_all, &jar.racewire].map(times).join(" / ")
            };
            table.row(&[
                &jar.id,
                &mb(jar.bytes),
                &seconds(|cost| cost.wall_seconds),
                &ratios(|cost| cost.wall_seconds),
                &seconds(|cost| cost.cpu_seconds),
                &ratios(|cost| cost.cpu_seconds),
                &three(&|cost| mb(cost.peak_bytes)),
                &three(&|cost| mb(cost.output_bytes)),
            ]);
        }
        table.finish()
    }

    fn stages(&self) -> String {
        let mut table = Table::new(
            "stages of racewire weave on one thread, CPU ms; and the command's, without maybeShared and with it",
        );
        let mut head = vec!["jar"];
        head.extend(NAMES);
        head.extend(["sum", "all", "command"]);
        table.row(&head);
        for (jar, of) in self.patched() {
            let mut cells = vec![jar.id.clone()];
            cells.extend(of.stages.iter().map(|stage| format!("{:.0}", stage.milliseconds)));
            let sum: f64 = of.stages.iter().map(|stage| stage.milliseconds).sum();
            cells.extend([
                format!("{sum:.0}"),
                format!("{:.0}", jar.racewire_all.cpu_seconds * 1e3),
                format!("{:.0}", jar.racewire.cpu_seconds * 1e3),
            ]);
            table.row(&cells.iter().map(String::as_str).collect::<Vec<_>>());
        }
        table.finish()
    }
}

fn mb(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}

/// Markdown, aligned.
struct Table {
    title: &'static str,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(title: &'static str) -> Table {
        Table {
            title,
            rows: Vec::new(),
        }
    }

    fn row(&mut self, cells: &[&str]) {
        self.rows
            .push(cells.iter().map(|&cell| cell.to_owned()).collect());
    }

    fn finish(self) -> String {
        let columns = self.rows.first().map_or(0, Vec::len);
        let widths: Vec<usize> = (0..columns)
            .map(|n| {
                self.rows
                    .iter()
                    .filter_map(|row| row.get(n))
                    .map(String::len)
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let mut out = format!("{}\n\n", self.title);
        for (nth, row) in self.rows.iter().enumerate() {
            for (n, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let _ = if n == 0 {
                    write!(out, "| {cell:width$} |")
                } else {
                    write!(out, " {cell:>width$} |")
                };
            }
            out.push('\n');
            if nth == 0 {
                for (n, &width) in widths.iter().enumerate() {
                    let _ = if n == 0 {
                        write!(out, "|{}|", "-".repeat(width + 2))
                    } else {
                        write!(out, "{}:|", "-".repeat(width + 1))
                    };
                }
                out.push('\n');
            }
        }
        out.push('\n');
        out
    }
}
