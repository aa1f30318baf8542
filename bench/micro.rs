//! The table of single operations.

use crate::args::Args;
use crate::harness::jdk::Jdk;
use crate::measure;
use crate::prepared::Prepared;
use crate::program::MICRO;
use crate::statistics::median;
use crate::table::{NOTHING, Table};
use crate::variant::Variant;
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Debug, Serialize)]
pub struct Operation {
    pub name: String,
    /// ns per operation, median over the rounds; in the order of the variants.
    pub ns: Vec<Option<f64>>,
}

/// In `Micro` an iteration is a round of each loop: fewer than a dozen would not be compiled well.
const LEAST_ROUNDS: usize = 12;

pub fn measure(args: &Args, jdk: &Jdk) -> Result<Vec<Operation>, String> {
    let args = Args {
        iterations: args.iterations.max(LEAST_ROUNDS),
        ..args.clone()
    };
    let measured = measure::measure(&args, jdk, &Prepared::new(MICRO, &args.variants)?, &[])?;
    let runs = || measured.variants.iter().flat_map(|f| &f.runs);
    let names: BTreeSet<&String> = runs().flat_map(|r| r.operations.keys()).collect();
    let operation = |name: &String| Operation {
        name: name.clone(),
        ns: measured
            .variants
            .iter()
            .map(|f| median(f.runs.iter().filter_map(|r| r.operations.get(name).copied())))
            .collect(),
    };
    Ok(names.into_iter().map(operation).collect())
}

pub fn print(variants: &[Variant], operations: &[Operation]) {
    let mut heading = vec!["operation".to_owned()];
    for (i, variant) in variants.iter().enumerate() {
        heading.push(format!("{} ns", variant.name));
        if i > 0 {
            heading.push(format!("{} adds ns", variant.name));
        }
    }
    let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
    let mut table = Table::new(&heading);
    let show = |ns: Option<f64>| ns.map_or(NOTHING.to_owned(), |ns| format!("{ns:.2}"));
    for operation in operations {
        let base = operation.ns.first().copied().flatten();
        let mut cells = vec![operation.name.clone()];
        for (i, &ns) in operation.ns.iter().enumerate() {
            cells.push(show(ns));
            if i > 0 {
                cells.push(show(ns.zip(base).map(|(ns, base)| ns - base)));
            }
        }
        table.row(cells);
    }
    table.print();
}
