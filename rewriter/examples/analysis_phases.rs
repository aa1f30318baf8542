//! What each phase of the analysis costs: `cargo run --release -p racewire --example analysis_phases -- JAR [JDK [MAIN]]`.

use racewire::archive::Archive;
use racewire::code::Class;
use racewire::sharing::facts_of;
use racewire_analysis::escape::{CallGraph, Components, Escape};
use racewire_analysis::leaks::Leaks;
use racewire_analysis::maybe_shared;
use racewire_analysis::reach::{self, UnknownDoes};
use racewire_analysis::releases::Releases;
use racewire_analysis::rules::Rules;
use racewire_analysis::world::{Jdk, World};
use racewire_model::detectors::DetectorName;
use rayon::prelude::*;
use std::error::Error;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// CPU time of the process and its largest size so far, in MB.
fn used() -> (Duration, i64) {
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_SELF);
    let time = |t: nix::sys::time::TimeVal| Duration::new(t.tv_sec() as u64, 1000 * t.tv_usec() as u32);
    usage.map_or((Duration::ZERO, 0), |u| {
        (time(u.user_time()) + time(u.system_time()), u.max_rss() >> 10)
    })
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (started, before) = (Instant::now(), used());
    let result = work();
    let after = used();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{what:12} {:7.0} ms CPU {:7.0} ms {:6} MB",
        ms(after.0 - before.0),
        ms(started.elapsed()),
        after.1
    );
    result
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let archive = Archive::open(arguments.next().ok_or("which jar?")?.as_ref())?;
    let jdk = arguments.next().and_then(|home| Jdk::open(home.as_ref()).ok());
    let main: Vec<String> = arguments.collect();
    let facts = timed("facts", || {
        let all = archive.classes();
        let each = all.par_iter().filter_map(|entry| {
            let bytes = archive.read(entry).ok()?;
            let class = Class::parse(&bytes).ok()?;
            Some(facts_of(&bytes, &class))
        });
        each.collect::<Vec<_>>()
    });
    let world = timed("world", || World::new(&facts, jdk));
    let main = maybe_shared::main_methods(&world, &main);
    let reach = timed("reach", || reach::reach(&world, &main, UnknownDoes::Anything));
    let calls = timed("calls", || CallGraph::new(&world, &reach));
    let components = timed("components", || Components::find(&calls));
    let leaks = timed("leaks", || Leaks::find(&world, &reach));
    let rules = Rules::for_detectors([DetectorName::Racer]);
    timed("releases", || {
        drop(Releases::find(
            &world,
            &reach,
            &calls,
            &components,
            rules.initialisation_releases,
        ));
    });
    timed("escape", || {
        drop(Escape::analyse(&world, &reach, &calls, &components, &leaks))
    });
    timed("all of judge", || {
        drop(maybe_shared::judge(&world, &reach, &main, rules));
    });
    Ok(())
}
