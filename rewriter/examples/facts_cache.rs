//! What the cache of facts costs and saves: `cargo run --release -p racewire --example facts_cache -- JAR`.

use racewire::archive::{Archive, ArchiveError};
use racewire::code::Class;
use racewire_analysis::cache::{ClassHash, FactsCache};
use racewire_analysis::ir;
use rayon::prelude::*;
use std::borrow::Cow;
use std::error::Error;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Of the whole process: other programs do not count, other threads do.
fn cpu() -> Duration {
    let usage = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_SELF);
    let time = |t: nix::sys::time::TimeVal| Duration::new(t.tv_sec() as u64, 1000 * t.tv_usec() as u32);
    usage.map_or(Duration::ZERO, |u| time(u.user_time()) + time(u.system_time()))
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (started, before) = (Instant::now(), cpu());
    let result = work();
    let (cpu, wall) = (cpu() - before, started.elapsed());
    println!("{what:28} {:7.1} ms CPU {:7.1} ms", ms(cpu), ms(wall));
    result
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("which jar?")?;
    let archive = Archive::open(path.as_ref())?;
    let bytes = archive
        .classes()
        .into_iter()
        .map(|entry| archive.read(entry))
        .collect::<Result<Vec<Cow<'_, [u8]>>, ArchiveError>>()?;
    let classes = bytes
        .iter()
        .map(|b| Class::parse(b))
        .collect::<Result<Vec<_>, _>>()?;
    let folder = tempfile::tempdir()?;
    println!("{} classes", classes.len());
    for _ in 0..3 {
        timed("make all facts", || {
            drop(
                classes
                    .par_iter()
                    .map(|c| ir::of_class(c).ok())
                    .collect::<Vec<_>>(),
            );
        });
        // With every 10,000th class, every 20th or all of them changed.
        for (name, changed) in [
            ("cold", 1),
            ("warm", usize::MAX),
            ("a few changed", 10_000),
            ("many changed", 20),
        ] {
            let cache = FactsCache::open(folder.path(), "cache");
            timed(&format!("{name}: facts"), || {
                let each = classes
                    .par_iter()
                    .zip(&bytes)
                    .enumerate()
                    .map(|(nth, (class, bytes))| {
                        let hash = ClassHash::of(bytes);
                        let kept = cache.get(hash).filter(|_| nth % changed != changed - 1);
                        kept.or_else(|| {
                            let facts = ir::of_class(class).ok()?;
                            cache.put(hash, &facts);
                            Some(facts)
                        })
                    });
                drop(each.collect::<Vec<_>>());
            });
            timed(&format!("{name}: save"), || cache.save());
        }
        for entry in std::fs::read_dir(folder.path())? {
            let entry = entry?;
            println!("{} bytes", entry.metadata()?.len());
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
