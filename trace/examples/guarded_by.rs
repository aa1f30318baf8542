//! A detector of one's own, offline on traces: which lock guards a field, and who forgets it.
//!
//! "Bugs as deviant behavior" (Engler et al., SOSP 2001): where nearly all accesses of a field hold one lock, that lock is
//! what the programmer means to guard it, and the few accesses without it are suspects, whether or not they raced in this
//! run, and even if only reads forget it. Accesses of a variable that only one thread has touched so far say nothing about
//! locks and do not count.
//!
//! ```text
//! cargo run --release -p racewire-trace --example guarded_by -- run.trace other.std
//! ```
//!
//! A detector takes [`Event`]s in order and keeps what it wants; names of fields and places come from the trace's tables
//! when it reports. docs/detectors.md goes through this file.

use racewire_detectors::event::{Event, ObjectId, Part, Variable};
use racewire_trace::std_format::StdReader;
use racewire_trace::{MAGIC, Record, Tables, TraceReader};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;

/// So many accesses of a field must have been seen, and so many of a hundred of them under the lock.
const LEAST_ACCESSES: u64 = 8;
const LEAST_PERCENT: u64 = 75;

/// What guards a field: the monitor of the object that has it, or one lock for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Guard {
    Owner,
    Lock(ObjectId),
}

/// The variables that are judged together: those of one field, or one that belongs to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Group {
    Field(u32),
    Other(Variable),
}

#[derive(Debug, Default)]
struct Use {
    accesses: u64,
    under: BTreeMap<Guard, u64>,
    /// The same for each place.
    at: BTreeMap<u32, (u64, BTreeMap<Guard, u64>)>,
}

/// Only one thread so far, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    By(u32),
    BySeveral,
}

#[derive(Debug, Default)]
struct GuardedBy {
    /// A bag for each thread: locks are re-entrant.
    held: FxHashMap<u32, Vec<ObjectId>>,
    seen: FxHashMap<Variable, Seen>,
    uses: BTreeMap<Group, Use>,
}

#[derive(Debug, PartialEq, Eq)]
struct Suspect {
    group: Group,
    guard: Guard,
    accesses: u64,
    guarded: u64,
    /// Places with the number of accesses there that went without the lock.
    places: Vec<(u32, u64)>,
}

impl GuardedBy {
    fn event(&mut self, event: &Event) {
        match *event {
            Event::Lock { thread, object, .. } => self.held.entry(thread).or_default().push(object),
            Event::Unlock { thread, object, .. } => {
                let held = self.held.entry(thread).or_default();
                if let Some(at) = held.iter().rposition(|lock| *lock == object) {
                    held.remove(at);
                }
            }
            Event::End { thread } => {
                self.held.remove(&thread);
            }
            Event::Access {
                thread, variable, at, ..
            } => self.access(thread, variable, at.site),
            _ => {}
        }
    }

    fn access(&mut self, thread: u32, variable: Variable, site: u32) {
        let seen = self.seen.entry(variable).or_insert(Seen::By(thread));
        if *seen == Seen::By(thread) {
            return;
        }
        *seen = Seen::BySeveral;
        let group = match variable.part {
            Part::Field(field) => Group::Field(field),
            Part::Element(_) | Part::State => Group::Other(variable),
        };
        let field = self.uses.entry(group).or_default();
        let (times, under) = field.at.entry(site).or_default();
        field.accesses += 1;
        *times += 1;
        let mut guards: Vec<Guard> = Vec::new();
        for lock in self.held.get(&thread).into_iter().flatten() {
            let guard = if *lock == variable.owner {
                Guard::Owner
            } else {
                Guard::Lock(*lock)
            };
            if !guards.contains(&guard) {
                guards.push(guard);
            }
        }
        for guard in guards {
            *field.under.entry(guard).or_default() += 1;
            *under.entry(guard).or_default() += 1;
        }
    }

    fn suspects(&self) -> Vec<Suspect> {
        let suspect = |(group, uses): (&Group, &Use)| {
            let (guard, guarded) = uses.under.iter().max_by_key(|(_, n)| **n)?;
            let is_meant = uses.accesses >= LEAST_ACCESSES && guarded * 100 >= uses.accesses * LEAST_PERCENT;
            let without = |(site, (times, under)): (&u32, &(u64, BTreeMap<Guard, u64>))| {
                let bare = times - under.get(guard).copied().unwrap_or(0);
                (bare > 0).then_some((*site, bare))
            };
            let places: Vec<(u32, u64)> = uses.at.iter().filter_map(without).collect();
            (is_meant && !places.is_empty()).then_some(Suspect {
                group: *group,
                guard: *guard,
                accesses: uses.accesses,
                guarded: *guarded,
                places,
            })
        };
        self.uses.iter().filter_map(suspect).collect()
    }
}

fn describe(suspect: &Suspect, tables: &Tables) -> String {
    let guard = match suspect.guard {
        Guard::Owner => "the monitor of its own object".to_owned(),
        Guard::Lock(lock) => tables.object(lock),
    };
    let site = suspect.places.first().and_then(|(site, _)| tables.site(*site));
    let name = match site.and_then(|site| site.field.as_ref()) {
        Some(field) => format!("{}.{}", field.class, field.name),
        None => match suspect.group {
            Group::Field(number) => format!("field {number}"),
            Group::Other(variable) => tables.object(variable.owner),
        },
    };
    let mut text = format!(
        "{name}: guarded by {guard} in {} of {} accesses, but not at\n",
        suspect.guarded, suspect.accesses
    );
    for (number, times) in &suspect.places {
        let place = tables
            .site(*number)
            .map_or_else(|| format!("place {number}"), |site| site.frame());
        text.push_str(&format!("  {place} ({times} times)\n"));
    }
    text
}

/// Drives the detector with a trace in either format; gives its report.
fn analyse(bytes: &[u8]) -> Result<String, Box<dyn Error>> {
    let mut tables = Tables::default();
    let mut detector = GuardedBy::default();
    let mut take = |record: Record| {
        tables.record(&record);
        if let Record::Event(event) = &record {
            detector.event(event);
        }
    };
    if bytes.starts_with(MAGIC) {
        let mut reader = TraceReader::new(bytes)?;
        while let Some(record) = reader.next_record()? {
            take(record);
        }
    } else {
        let mut reader = StdReader::new(bytes);
        while let Some(record) = reader.next_record()? {
            take(record);
        }
    }
    let suspects = detector.suspects();
    Ok(suspects
        .iter()
        .map(|suspect| describe(suspect, &tables))
        .collect())
}

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        let report = std::fs::read(&path)
            .map_err(Box::from)
            .and_then(|bytes| analyse(&bytes));
        match report {
            Ok(report) => print!("{report}"),
            Err(cause) => {
                eprintln!("{path}: {cause}");
                code = ExitCode::from(2);
            }
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two threads that count under a lock, ten times each; then `extra`.
    fn trace(extra: &str) -> String {
        let mut text = String::from("T0|fork(T1)|1\nT0|w(V.count)|2\n");
        for _ in 0..10 {
            for thread in ["T0", "T1"] {
                text.push_str(&format!(
                    "{thread}|acq(L)|3\n{thread}|w(V.count)|4\n{thread}|rel(L)|5\n"
                ));
            }
        }
        text + extra
    }

    #[test]
    fn the_access_that_forgets_the_lock_is_told() {
        let report = analyse(trace("T1|r(V.count)|6\n").as_bytes()).unwrap();
        let expected =
            "V.count: guarded by L in 19 of 20 accesses, but not at\n  location.6(location:6) (1 times)\n";
        assert_eq!(report, expected);
    }

    #[test]
    fn a_lock_that_is_always_held_is_no_finding_and_neither_is_one_that_mostly_is_not() {
        assert_eq!(analyse(trace("").as_bytes()).unwrap(), "");
        let bare = "T0|r(V.count)|6\n".repeat(40);
        assert_eq!(analyse(trace(&bare).as_bytes()).unwrap(), "");
        let few = "T0|w(V.x)|1\nT1|acq(L)|2\nT1|w(V.x)|3\nT1|rel(L)|4\nT1|w(V.x)|5\n";
        assert_eq!(analyse(few.as_bytes()).unwrap(), "");
    }

    #[test]
    fn a_file_that_is_no_trace_is_an_error() {
        assert!(analyse(b"T0|jump(x)|1\n").is_err());
    }
}
