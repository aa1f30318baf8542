//! The table of growing numbers of threads and of monitored objects.

use crate::args::Args;
use crate::guarded;
use crate::harness::jdk::Jdk;
use crate::measure::{self, Measured};
use crate::prepared::Prepared;
use crate::program::SCALING;
use crate::programs_table::{RATIOS, base_heading};
use crate::table::{Table, milliseconds, ratio};
use crate::variant::Variant;

const THREADS: [u32; 5] = [1, 2, 4, 8, 16];
const OBJECTS: [u32; 5] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// What stays the same while the other one grows.
const USUAL_THREADS: u32 = 2;
const USUAL_OBJECTS: u32 = 100_000;

pub fn measure(args: &Args, jdk: &Jdk, errors: &mut Vec<String>) -> Vec<Measured> {
    let prepared = match guarded(|| Prepared::new(SCALING, &args.variants)) {
        Ok(prepared) => prepared,
        Err(error) => {
            errors.push(format!("{}: {error}", SCALING.name));
            return Vec::new();
        }
    };
    let mut measured = Vec::new();
    for (threads, objects) in sizes() {
        let more = [threads.to_string(), objects.to_string()];
        match guarded(|| measure::measure(args, jdk, &prepared, &more)) {
            Ok(figures) => measured.push(figures),
            Err(error) => errors.push(format!("{} {}: {error}", SCALING.name, more.join(" "))),
        }
    }
    measured
}

fn sizes() -> impl Iterator<Item = (u32, u32)> {
    let threads = THREADS.map(|threads| (threads, USUAL_OBJECTS));
    let objects = OBJECTS.map(|objects| (USUAL_THREADS, objects));
    threads.into_iter().chain(objects)
}

pub fn print(variants: &[Variant], rows: &[Measured]) {
    let base = base_heading(variants);
    let mut heading = vec!["threads", "objects", "variant", &base];
    heading.extend(RATIOS.map(|(name, _)| name));
    let mut table = Table::new(&heading);
    for measured in rows {
        for figures in measured.variants.iter().skip(1) {
            let mut cells = measured.args.clone();
            cells.push(figures.variant.clone());
            cells.push(milliseconds(
                measured.variants.first().and_then(|b| b.summary.steady_ns),
            ));
            cells.extend(RATIOS.map(|(_, figure)| ratio(measured.ratio(figures, figure))));
            table.row(cells);
        }
    }
    table.print();
}
