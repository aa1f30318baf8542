//! What is broken, in words.

use super::{Broken, Fault};
use crate::claim::{Claim, Detector, Effect, Step};
use crate::facts::Program;
use crate::message::{at, name};
use racewire_model::finding::{EventKind, Kind};

pub fn claims(program: &Program<'_>, found: &[Broken]) -> Vec<Claim> {
    found.iter().map(|broken| claim(program, broken)).collect()
}

fn claim(program: &Program<'_>, broken: &Broken) -> Claim {
    let lock = program.describe(broken.method, &broken.lock);
    let step = |line: u16, kind: EventKind| Step {
        method: broken.method,
        line,
        kind,
        locks: vec![lock.clone()],
    };
    let [first, second] = match broken.fault {
        Fault::Stale => [EventKind::Read, EventKind::Write],
        Fault::TornReads => [EventKind::Read; 2],
        Fault::TornWrites => [EventKind::Write; 2],
    };
    let mut steps = vec![step(broken.first.1, first)];
    steps.extend(broken.meanwhile.iter().map(|(_, place)| Step {
        method: place.method,
        line: place.line,
        kind: if place.write {
            EventKind::Write
        } else {
            EventKind::Read
        },
        locks: Vec::new(),
    }));
    steps.push(step(broken.second.1, second));
    Claim {
        detector: Detector::Causal,
        kind: match broken.fault {
            Fault::Stale => Kind::CausalDependency,
            Fault::TornReads | Fault::TornWrites => Kind::HighLevelRace,
        },
        method: broken.method,
        field: broken.first.0,
        steps,
        effect: match broken.fault {
            Fault::Stale if broken.data => Effect::LostUpdate,
            Fault::Stale => Effect::Decision,
            Fault::TornReads | Fault::TornWrites => Effect::Mixed,
        },
        age: 0,
        message: message(program, broken, &lock),
    }
}

fn message(program: &Program<'_>, broken: &Broken, lock: &str) -> String {
    let method = name(program, broken.method);
    let here = |line| at(program, broken.method, line);
    let (one, other) = (program.field_name(broken.first.0), broken.second.0);
    let other = other.map(|field| program.field_name(field)).unwrap_or_default();
    let places: Vec<String> = broken
        .meanwhile
        .iter()
        .map(|(_, place)| at(program, place.method, place.line))
        .collect();
    let who = broken.meanwhile.first();
    let who = who.map_or(String::new(), |(_, place)| name(program, place.method));
    let (first, second) = (here(broken.first.1), here(broken.second.1));
    let told = match broken.fault {
        Fault::Stale => {
            let how = if broken.data {
                "computed from"
            } else {
                "decided by"
            };
            format!(
                "{method} reads {one} at {first} holding {lock}, gives the lock back, and changes something at {second}, \
                 in another critical section, that is {how} what it read. In between another thread may write it, as \
                 {who} does at {}. Then the change goes by an old value.",
                places.join(", ")
            )
        }
        Fault::TornReads => format!(
            "{method} reads {one} at {first} and {other} at {second}, in two critical sections of {lock}, and uses them \
             together. {who} writes both in one ({}): in between, it leaves the one old and the other new.",
            places.join(", ")
        ),
        Fault::TornWrites => format!(
            "{method} writes {one} at {first} and {other} at {second}, in two critical sections of {lock}. {who} reads both \
             in one ({}): in between, it sees half of the change.",
            places.join(", ")
        ),
    };
    format!("{told} To fix it, hold {lock} from the first to the second.")
}
