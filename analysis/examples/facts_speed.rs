//! Reduces every class of some folders to facts; tells how long that takes, and what could not be read.
//!
//! `cargo run --release -p racewire-analysis --example facts_speed -- <folder>...`

use std::path::Path;
use std::time::Instant;

use racewire_analysis::facts::{ClassFacts, Op, Uses};
use racewire_analysis::ir::class_facts;
use rayon::prelude::*;

fn collect(folder: &Path, out: &mut Vec<(String, Vec<u8>)>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|extension| extension == "class") {
            out.push((path.display().to_string(), std::fs::read(&path)?));
        }
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let mut classes = Vec::new();
    for folder in std::env::args().skip(1) {
        collect(Path::new(&folder), &mut classes)?;
    }
    let bytes: usize = classes.iter().map(|(_, class)| class.len()).sum();
    let start = Instant::now();
    let facts: Vec<_> = classes
        .par_iter()
        .map(|(name, class)| {
            let start = Instant::now();
            let facts = class_facts(class);
            (name, facts, start.elapsed())
        })
        .collect();
    let elapsed = start.elapsed();
    let mut slowest: Vec<_> = facts.iter().map(|(name, _, took)| (took, name)).collect();
    slowest.sort();
    let mut unreadable = 0;
    let mut all = Vec::new();
    for (name, facts, _) in &facts {
        match facts {
            Ok(facts) => all.push((name, facts)),
            Err(error) => {
                unreadable += 1;
                println!("{name}: {error}");
            }
        }
    }
    let methods = || all.iter().flat_map(|(_, facts)| &facts.methods);
    for (name, facts) in &all {
        for method in facts.methods.iter().filter(|method| method.failed) {
            let text = |index: u32| facts.strings.get(index as usize).unwrap_or_default();
            println!("failed: {name} {}{}", text(method.name), text(method.descriptor));
        }
    }
    println!(
        "{} classes, {bytes} bytes, {unreadable} unreadable; {} methods, {} with a body, {} failed",
        classes.len(),
        methods().count(),
        methods().filter(|method| method.has_body).count(),
        methods().filter(|method| method.failed).count(),
    );
    println!(
        "{elapsed:?}; slowest: {:?}",
        slowest.iter().rev().take(5).collect::<Vec<_>>()
    );
    summary(all.into_iter().map(|(_, facts)| facts));
    Ok(())
}

fn summary<'f>(all: impl Iterator<Item = &'f ClassFacts>) {
    let [
        mut accesses,
        mut owned,
        mut covered,
        mut news,
        mut leaked,
        mut ops,
        mut nodes,
    ] = [0_u64; 7];
    for method in all.flat_map(|facts| &facts.methods) {
        for access in &method.accesses {
            accesses += 1;
            owned += u64::from(access.proofs.owned.is_some());
            covered += u64::from(access.proofs.covered.is_some());
        }
        ops += method.ops.len() as u64;
        nodes += u64::from(method.nodes);
        for op in &method.ops {
            if let Op::New { uses, .. } = op {
                news += 1;
                leaked += u64::from(**uses == Uses::Leaked);
            }
        }
    }
    println!(
        "{accesses} accesses, {owned} owned, {covered} covered; {news} new, {leaked} leaked; {ops} ops, {nodes} nodes"
    );
}
