//! What each phase of the analysis costs, for the classes in a folder:
//! `cargo run --release -p racewire-analysis --example phases -- FOLDER [JDK [MAIN]]`.

use racewire_analysis::cache::{ClassHash, FactsCache};
use racewire_analysis::escape::{self, CallGraph, Components, Escape, Handed};
use racewire_analysis::ir::class_facts;
use racewire_analysis::leaks::Leaks;
use racewire_analysis::maybe_shared;
use racewire_analysis::reach::{self, UnknownDoes};
use racewire_analysis::releases::Releases;
use racewire_analysis::rules::Rules;
use racewire_analysis::world::{Jdk, World};
use racewire_model::detectors::DetectorName;
use rayon::prelude::*;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// CPU time of the process and its size, in MB.
fn used() -> Option<(Duration, u64)> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |nth: usize| fields.get(nth)?.parse::<u64>().ok();
    // Hundredths of a second, and pages of 4 KB (proc(5)).
    Some((
        Duration::from_millis(10 * (number(11)? + number(12)?)),
        number(21)? >> 8,
    ))
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (started, before) = (Instant::now(), used().unwrap_or_default());
    let result = work();
    let after = used().unwrap_or_default();
    println!(
        "{what:12} {:6} ms CPU {:6} ms {:5} MB",
        (after.0 - before.0).as_millis(),
        started.elapsed().as_millis(),
        after.1
    );
    result
}

fn collect(folder: &Path, out: &mut Vec<Vec<u8>>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|extension| extension == "class") {
            out.push(std::fs::read(&path)?);
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("which folder?")?;
    let jdk = arguments.next().and_then(|home| Jdk::open(home.as_ref()).ok());
    let main: Vec<String> = arguments.collect();
    let mut classes = Vec::new();
    timed("read", || collect(folder.as_ref(), &mut classes))?;
    let kept = tempfile::tempdir()?;
    let cache = FactsCache::open(kept.path(), "program");
    timed("facts", || {
        classes.par_iter().for_each(|bytes| {
            if let Ok(facts) = class_facts(bytes) {
                cache.put(ClassHash::of(bytes), &facts);
            }
        });
    });
    timed("save", || cache.save());
    let cache = FactsCache::open(kept.path(), "program");
    let hashes: Vec<ClassHash> = classes.par_iter().map(|bytes| ClassHash::of(bytes)).collect();
    drop(classes);
    timed("drop", || {});
    let facts: Vec<_> = timed("load", || {
        hashes.par_iter().filter_map(|hash| cache.get(*hash)).collect()
    });
    let world = timed("world", || World::new(&facts, jdk));
    let main = maybe_shared::main_methods(&world, &main);
    let reach = timed("reach", || reach::reach(&world, &main, UnknownDoes::Anything));
    let calls = timed("calls", || CallGraph::new(&world, &reach));
    let components = timed("components", || Arc::new(Components::find(&calls)));
    let leaks = timed("leaks", || Leaks::find(&world, &reach));
    let rules = Rules::for_detectors([DetectorName::Racer]);
    let initialisation = rules.initialisation_releases;
    timed("releases", || {
        drop(Releases::find(
            &world,
            &reach,
            &calls,
            &components,
            initialisation,
        ));
    });
    let handed = timed("handed", || Handed::find(&world, &reach, &leaks));
    let nodes = timed("start", || escape::Start::of(&world, &reach, &calls));
    timed("escape", || {
        drop(Escape::analyse(&world, &reach, &calls, components, handed, nodes))
    });
    timed("all of judge", || {
        drop(maybe_shared::judge(&world, &reach, &main, rules));
    });
    Ok(())
}
