//! What the reference detector says about a script: the pairs of lines that must be reported.

use super::script::{Action, Kind, Lock, Script};
use racewire_detectors::Detector;
use racewire_detectors::reference::{self, Event};
use std::collections::BTreeSet;

/// A field and two lines, the smaller first: one finding as a person reads it.
pub type Pair = (usize, u32, u32);

pub fn pair(field: usize, a: u32, b: u32) -> Pair {
    (field, a.min(b), a.max(b))
}

#[derive(Debug, Default)]
pub struct Expected {
    pub required: BTreeSet<Pair>,
    /// Of each of these sets at least one must be reported: the lock set is empty though every pair has a lock
    /// in common, and the definition leaves open which earlier access stands for the others.
    pub one_of: Vec<BTreeSet<Pair>>,
    /// These may be reported, too.
    pub allowed: BTreeSet<Pair>,
}

impl Expected {
    /// Derived from the script's run; `lines` are those of its sites.
    pub fn of(script: &Script, lines: &[u32], detector: Detector) -> Expected {
        let trace = Trace::of(script);
        let mut expected = Expected::default();
        for verdict in reference::run(detector, &trace.events) {
            let Some(here) = trace.site_of(verdict.event) else {
                continue;
            };
            let pairs = |sites: &BTreeSet<u32>| -> BTreeSet<Pair> {
                let field = script.sites[here].field;
                sites
                    .iter()
                    .map(|s| pair(field, lines[here], lines[*s as usize / 2]))
                    .collect()
            };
            if !verdict.conflicts.is_empty() {
                expected.required.extend(pairs(&verdict.conflicts));
            } else if !verdict.one_of.is_empty() {
                expected.one_of.push(pairs(&verdict.one_of));
            }
        }
        expected
    }

    /// How a set of reports departs from this; empty if it does not.
    pub fn differences(&self, reported: &BTreeSet<Pair>) -> Vec<String> {
        let mut wrong: Vec<String> = self
            .required
            .difference(reported)
            .map(|p| format!("missed {}", show(p)))
            .collect();
        for set in self.one_of.iter().filter(|set| set.is_disjoint(reported)) {
            wrong.push(format!(
                "missed one of {:?}",
                set.iter().map(show).collect::<Vec<_>>()
            ));
        }
        let allowed = |p: &&Pair| {
            let mut sets = [&self.required, &self.allowed].into_iter().chain(&self.one_of);
            sets.any(|set| set.contains(p))
        };
        wrong.extend(
            reported
                .iter()
                .filter(|p| !allowed(p))
                .map(|p| format!("wrongly reported {}", show(p))),
        );
        wrong
    }
}

fn show(&(field, a, b): &Pair) -> String {
    format!("f{field} at lines {a} and {b}")
}

/// The script's run in the reference's vocabulary. The site of a write has an odd number, that of a read an
/// even one: an update has both on its line.
struct Trace {
    events: Vec<Event>,
}

impl Trace {
    fn of(script: &Script) -> Trace {
        let mut events = Vec::new();
        for &(thread, action) in &script.run {
            let parent = thread as u32;
            match action {
                Action::Start(child) => events.push(Event::Start {
                    parent,
                    child: child as u32,
                }),
                Action::Lock(hold) => events.push(Event::Acquire {
                    thread: parent,
                    lock: lock_number(script, hold.lock),
                    shared: hold.shared,
                }),
                Action::Unlock(hold) => events.push(Event::Release {
                    thread: parent,
                    lock: lock_number(script, hold.lock),
                    shared: hold.shared,
                }),
                // Neither RACER nor ERASER knows them.
                Action::Sync(_) => {}
                Action::Access { site, object, times } => {
                    for _ in 0..times {
                        access(script, parent, site, object, &mut events);
                    }
                }
            }
        }
        Trace { events }
    }

    /// The script's site of an access event.
    fn site_of(&self, event: usize) -> Option<usize> {
        match self.events.get(event)? {
            Event::Read { site, .. } | Event::Write { site, .. } => Some(*site as usize / 2),
            _ => None,
        }
    }
}

fn access(script: &Script, thread: u32, site: usize, object: usize, events: &mut Vec<Event>) {
    let field = script.sites[site].field;
    // A static field is one variable, whatever object it is reached through.
    let object = if script.fields[field].is_static { 0 } else { object };
    let variable = (object * script.fields.len() + field) as u32;
    let kind = script.sites[site].kind;
    let number = 2 * site as u32;
    if kind != Kind::Write {
        events.push(Event::Read {
            thread,
            variable,
            site: number,
        });
    }
    if kind != Kind::Read {
        events.push(Event::Write {
            thread,
            variable,
            site: number + 1,
        });
    }
}

fn lock_number(script: &Script, lock: Lock) -> u32 {
    script
        .locks
        .iter()
        .position(|l| *l == lock)
        .map_or(u32::MAX, |at| at as u32)
}
