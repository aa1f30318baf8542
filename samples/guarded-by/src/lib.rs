//! A detector of one's own, as a plug-in: which lock guards a field, and who forgets it.
//!
//! "Bugs as deviant behavior" (Engler et al., SOSP 2001): where nearly all accesses of a field hold one lock, that lock is
//! what the programmer means to guard it, and the few accesses without it are suspects, whether or not they raced in this
//! run, and even if only reads forget it. Accesses of a variable that only one thread has touched so far say nothing about
//! locks and do not count.
//!
//! docs/detectors.md goes through this file.

use racewire_plugin::{
    Claim, Detector, Event, Findings, Kind, ObjectId, Part, Place, Side, Tables, Variable,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

racewire_plugin::export!(GuardedBy);

/// So many accesses of a field must have been seen, and so many of a hundred of them under the lock.
const LEAST_ACCESSES: u64 = 8;
const LEAST_PERCENT: u64 = 75;

/// What guards a field: the monitor of the object that has it, or one lock for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Guard {
    Owner,
    Lock(ObjectId),
}

/// The variables that are judged together: those of one field, or one that belongs to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Field(u32),
    Other(Variable),
}

/// How often a place was come to under the same locks, and the first time.
struct Use {
    times: u64,
    first: Side,
    variable: Variable,
}

/// Uses by place and locks.
type Uses = BTreeMap<(u32, BTreeSet<Guard>), Use>;

/// Only one thread so far, or several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    By(u32),
    BySeveral,
}

#[derive(Default)]
struct GuardedBy {
    /// A bag for each thread: locks are re-entrant.
    held: HashMap<u32, Vec<(ObjectId, bool)>>,
    seen: HashMap<Variable, Seen>,
    uses: BTreeMap<Group, Uses>,
}

impl Detector for GuardedBy {
    const NAME: &'static str = "guarded_by";

    fn event(&mut self, event: &Event, tables: &Tables, _: &mut Findings) {
        match *event {
            Event::Lock {
                thread,
                object,
                shared,
                ..
            } => self.held.entry(thread).or_default().push((object, shared)),
            Event::Unlock {
                thread,
                object,
                shared,
            } => {
                let held = self.held.entry(thread).or_default();
                if let Some(at) = held.iter().rposition(|lock| *lock == (object, shared)) {
                    held.remove(at);
                }
            }
            Event::End { thread } => {
                self.held.remove(&thread);
            }
            Event::Access {
                thread, variable, at, ..
            } => self.access(thread, variable, at, tables),
            _ => {}
        }
    }

    fn end(&mut self, tables: &Tables, findings: &mut Findings) {
        for uses in self.uses.values() {
            if let Some(claim) = suspects(uses, tables) {
                findings.tell(tables, claim);
            }
        }
    }
}

impl GuardedBy {
    fn access(&mut self, thread: u32, variable: Variable, at: Place, tables: &Tables) {
        let seen = self.seen.entry(variable).or_insert(Seen::By(thread));
        if *seen == Seen::By(thread) {
            return;
        }
        *seen = Seen::BySeveral;
        let group = match variable.part {
            Part::Field(field) => Group::Field(field),
            Part::Element(_) | Part::State => Group::Other(variable),
        };
        let held = self.held.get(&thread).map_or(&[][..], Vec::as_slice);
        let guard = |&(lock, _): &(ObjectId, bool)| match tables.same_object(lock, variable.owner) {
            true => Guard::Owner,
            false => Guard::Lock(lock),
        };
        let uses = self.uses.entry(group).or_default();
        let first_time = || Use {
            times: 0,
            first: Side {
                thread,
                at,
                held: held.to_vec(),
            },
            variable,
        };
        let guards = held.iter().map(guard).collect();
        uses.entry((at.site, guards)).or_insert_with(first_time).times += 1;
    }
}

/// What is to be said of a field, if one lock is held at nearly all its accesses.
fn suspects(uses: &Uses, tables: &Tables) -> Option<Claim> {
    let accesses: u64 = uses.values().map(|used| used.times).sum();
    let mut under: BTreeMap<Guard, u64> = BTreeMap::new();
    for ((_, guards), used) in uses {
        for guard in guards {
            *under.entry(*guard).or_default() += used.times;
        }
    }
    let (guard, guarded) = under.into_iter().max_by_key(|(_, times)| *times)?;
    if accesses < LEAST_ACCESSES || guarded == accesses || guarded * 100 < accesses * LEAST_PERCENT {
        return None;
    }
    let mut without: BTreeMap<u32, (u64, &Use)> = BTreeMap::new();
    for ((site, guards), used) in uses {
        if !guards.contains(&guard) {
            without.entry(*site).or_insert((0, used)).0 += used.times;
        }
    }
    let place = |(site, (times, _)): (&u32, &(u64, &Use))| {
        let place = tables
            .site(*site)
            .map_or(format!("place {site}"), |site| site.frame());
        let times = if *times == 1 {
            "once".to_owned()
        } else {
            format!("{times} times")
        };
        format!("{place} ({times})")
    };
    let places: Vec<String> = without.iter().map(place).collect();
    let lock = match guard {
        Guard::Owner => "the monitor of its own object".to_owned(),
        Guard::Lock(lock) => tables.object(lock),
    };
    // First an access as it should be.
    let (_, right) = uses.iter().find(|((_, guards), _)| guards.contains(&guard))?;
    let sides = [right].into_iter().chain(without.values().map(|(_, used)| *used));
    Some(Claim {
        kind: Kind::Other,
        message: format!(
            "guarded by {lock} in {guarded} of {accesses} accesses, but not at {}",
            places.join(", ")
        ),
        variable: Some(right.variable),
        sides: sides.map(|used| used.first.clone()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two threads that count under a lock, ten times each; then `extra`. What is said of it.
    fn messages(extra: &str) -> Vec<String> {
        let mut text = String::from("T0|fork(T1)|1\nT0|w(V.count)|2\n");
        for _ in 0..10 {
            for thread in ["T0", "T1"] {
                let line = format!("{thread}|acq(L)|3\n{thread}|w(V.count)|4\n{thread}|rel(L)|5\n");
                text.push_str(&line);
            }
        }
        let findings = racewire_plugin::findings_in::<GuardedBy>(&(text + extra)).unwrap();
        findings
            .iter()
            .map(|f| format!("{}: {}", f.variable, f.message))
            .collect()
    }

    #[test]
    fn the_access_that_forgets_the_lock_is_told() {
        assert_eq!(
            messages("T1|r(V.count)|6\n"),
            ["V.count: guarded by L in 19 of 20 accesses, but not at location.6(location:6) (once)"]
        );
    }

    #[test]
    fn a_lock_that_is_always_held_is_no_finding_and_neither_is_one_that_mostly_is_not() {
        assert_eq!(messages(""), [""; 0]);
        assert_eq!(messages(&"T0|r(V.count)|6\n".repeat(40)), [""; 0]);
    }

    #[test]
    fn a_few_accesses_say_nothing() {
        let few = "T0|w(V.x)|1\nT1|acq(L)|2\nT1|w(V.x)|3\nT1|rel(L)|4\nT1|w(V.x)|5\n";
        let found = racewire_plugin::findings_in::<GuardedBy>(few).unwrap();
        assert!(found.is_empty(), "{found:?}");
    }
}
