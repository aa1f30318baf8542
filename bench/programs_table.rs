//! The main table: whole programs.

use crate::args::Args;
use crate::guarded;
use crate::harness::jdk::Jdk;
use crate::measure::{self, Figures, Measured, Summary};
use crate::prepared::Prepared;
use crate::program::{Data, Kind, Program};
use crate::statistics::{geometric_mean, median};
use crate::table::{NOTHING, Table, count, milliseconds, ratio};
use crate::variant::Variant;
use std::collections::BTreeSet;

/// Heading of a column of ratios, and the figure it compares.
type Column = (&'static str, fn(&Summary) -> Option<f64>);

pub const RATIOS: [Column; 5] = [
    ("time", |s| s.steady_ns),
    ("process", |s| s.process_ns),
    ("CPU", |s| s.cpu_ns),
    ("peak memory", |s| s.peak_kb),
    ("live heap", |s| s.live_bytes),
];

/// Measures the programs; those that fail are named in `errors`.
pub fn measure(args: &Args, jdk: &Jdk, programs: &[Program], errors: &mut Vec<String>) -> Vec<Measured> {
    let mut measured = Vec::new();
    for program in programs {
        let result = guarded(|| measure::measure(args, jdk, &Prepared::new(*program, &args.variants)?, &[]));
        match result {
            Ok(figures) => {
                eprintln!("{}", progress(&figures));
                measured.push(figures);
            }
            Err(error) => {
                measure::say("");
                eprintln!("{}: failed", program.name);
                errors.push(format!("{}: {error}", program.name));
            }
        }
    }
    measured
}

/// One line while the others are still to come.
fn progress(program: &Measured) -> String {
    let mut line = format!("{}:", program.name);
    for figures in &program.variants {
        let time = milliseconds(figures.summary.steady_ns);
        line.push_str(&format!(" {} {time} ms", figures.variant));
    }
    line
}

/// A group of programs that has a mean of its own.
type Group = (&'static str, fn(&Measured) -> bool);

const GROUPS: [Group; 5] = [
    ("geometric mean, own", |p| p.kind == Kind::Own),
    ("geometric mean, real", |p| p.kind == Kind::Real),
    ("geometric mean, fields", |p| p.data == Data::Fields),
    ("geometric mean, elements", |p| p.data == Data::Elements),
    ("geometric mean, all", |_| true),
];

/// Heading of the column with the time that the others are compared with.
pub fn base_heading(variants: &[Variant]) -> String {
    let base = variants.first().map_or("", |v| &v.name);
    format!("{base} ms")
}

pub fn print(variants: &[Variant], programs: &[Measured]) {
    let base = base_heading(variants);
    let mut heading = vec!["program", "variant", &base];
    heading.extend(RATIOS.map(|(name, _)| name));
    heading.extend(["hooks", "slow", "locks", "into Rust", "findings"]);
    let mut table = Table::new(&heading);
    for program in programs {
        for figures in program.variants.iter().skip(1) {
            table.row(row(program, figures));
        }
    }
    for (name, belongs) in GROUPS {
        let chosen: Vec<&Measured> = programs.iter().filter(|p| belongs(p)).collect();
        for variant in variants.iter().skip(1).filter(|_| !chosen.is_empty()) {
            table.row(mean(name, &variant.name, &chosen));
        }
    }
    table.print();
    print_own_figures(programs);
}

fn row(program: &Measured, figures: &Figures) -> Vec<String> {
    let base = program.variants.first().and_then(|b| b.summary.steady_ns);
    let mut cells = vec![program.name.clone(), figures.variant.clone(), milliseconds(base)];
    cells.extend(RATIOS.map(|(_, figure)| ratio(program.ratio(figures, figure))));
    let counts = figures.counts.as_ref();
    cells.push(count(counts.map(|c| c.accesses)));
    cells.push(count(counts.map(|c| c.slow)));
    cells.push(count(counts.map(|c| c.locks)));
    cells.push(count(counts.map(|c| c.native)));
    cells.push(figures.findings.map_or(NOTHING.to_owned(), |f| f.to_string()));
    cells
}

fn mean(name: &str, variant: &str, programs: &[&Measured]) -> Vec<String> {
    let mut cells = vec![name.to_owned(), variant.to_owned(), String::new()];
    for (_, figure) in RATIOS {
        let ratios = programs.iter().filter_map(|program| {
            let figures = program.variants.iter().find(|f| f.variant == variant)?;
            program.ratio(figures, figure)
        });
        cells.push(ratio(geometric_mean(ratios)));
    }
    cells
}

/// Times that only some programs tell of, such as `first-answer`.
fn print_own_figures(programs: &[Measured]) {
    for program in programs {
        let runs = program.variants.iter().flat_map(|f| &f.runs);
        let names: BTreeSet<&String> = runs
            .flat_map(|r| r.figures.keys())
            .filter(|n| *n != "live")
            .collect();
        for name in names {
            let mut line = format!("\n{}, {name}:", program.name);
            for figures in &program.variants {
                let value = median(figures.runs.iter().filter_map(|r| r.figure(name)));
                line.push_str(&format!(" {} {} ms;", figures.variant, milliseconds(value)));
            }
            println!("{}", line.trim_end_matches(';'));
        }
    }
}
