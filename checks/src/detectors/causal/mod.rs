//! Causal dependencies, after Dias et al., "Precise Detection of Atomicity Violations" (MoTH).
//!
//! Two errors of methods that do in several critical sections what should be one:
//! - a *stale value*: what is changed in one depends, by data or by control, on a variable that was read in another, and
//!   other threads write that variable;
//! - a *torn view*: two sections each read something that the other does not, another thread writes both in one
//!   section, and something depends on both (they are correlated); or two sections write what another thread reads in one.
//!
//! The paper compares all views of a thread with each other; here the two must be executed by one method, one after the
//! other, under the same lock, so that there is a place to put right. Not reported, with what shows that all is well:
//! - a value that was taken out, not only looked at, belongs to who took it (the hand-over of paper 000, figure 5);
//! - a decision of a section that changes the object by it, as test-and-set does, is a claim that others respect;
//! - a change that depends on a second look at the variable, in the section of the change (figure 6).

mod claims;
mod influence;

pub use claims::claims;

pub use influence::{Effect, Flows, Influence, Mask, Read, Source};

use crate::body::InstrId;
use crate::facts::summary::View;
use crate::facts::{FieldId, Path, Program, SectionId};
use crate::regions::{
    Elsewhere, Place, Region, Slot, Touched, Variable, Ways, is_initialiser, line, region_at, regions,
};
use crate::rules::{Rule, Rules};
use racewire_analysis::world::MethodId;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Calls deeper than this are not followed.
const MOST_ROUNDS: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    Stale,
    TornReads,
    TornWrites,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub fault: Fault,
    pub method: MethodId,
    pub lock: Path,
    /// What is read or written first, and where in the method.
    pub first: (FieldId, u16),
    /// What it is that comes too late: the change, or the other half.
    pub second: (Option<FieldId>, u16),
    /// By data, not only by a decision.
    pub data: bool,
    /// What another thread may do in between.
    pub meanwhile: Vec<(FieldId, Place)>,
}

impl Broken {
    /// Whether it tells no more than the other: about the same lines, or the same two variables.
    fn repeats(&self, other: &Broken) -> bool {
        let lines = |b: &Broken| [b.first.1.min(b.second.1), b.first.1.max(b.second.1)];
        let fields = |b: &Broken| {
            let second = b.second.0?;
            Some([b.first.0.min(second), b.first.0.max(second)])
        };
        lines(self) == lines(other) || fields(self).is_some() && fields(self) == fields(other)
    }
}

pub fn check(program: &Program<'_>, elsewhere: &Elsewhere, flows: &[Flows], rules: &Rules) -> Vec<Broken> {
    let methods = 0..program.world.methods.len() as MethodId;
    let found: Vec<Broken> = methods
        .into_par_iter()
        .filter(|method| program.is_checked(*method))
        .flat_map_iter(|method| check_method((program, elsewhere), flows, rules, method))
        .collect();
    found
}

/// What the methods say that are called from where there are critical sections; of the others nobody asks. Found in
/// rounds, each by the flows of the one before, until none changes.
pub fn flows_of_all(program: &Program<'_>, elsewhere: &Elsewhere) -> Vec<Flows> {
    let mut flows = vec![Flows::default(); program.world.methods.len()];
    let asked = asked(program, elsewhere);
    let mut waiting: Vec<MethodId> = (0..)
        .zip(&asked)
        .filter(|(_, asked)| **asked)
        .map(|(m, _)| m)
        .collect();
    for _ in 0..MOST_ROUNDS {
        let made: Vec<(MethodId, Flows)> = waiting
            .par_iter()
            .filter_map(|&method| {
                let view = View::new(program, method)?;
                let found = Influence::new(&view, &flows).flows();
                (flows.get(method as usize) != Some(&found)).then_some((method, found))
            })
            .collect();
        waiting.clear();
        for (method, found) in made {
            if let Some(slot) = flows.get_mut(method as usize) {
                *slot = found;
            }
            let callers = elsewhere.callers_of(method);
            waiting.extend(callers.filter(|caller| asked.get(*caller as usize) == Some(&true)));
        }
        waiting.sort_unstable();
        waiting.dedup();
        if waiting.is_empty() {
            break;
        }
    }
    flows
}

/// By method: it is called, perhaps by way of a few others, by one that has critical sections or calls one that has.
fn asked(program: &Program<'_>, elsewhere: &Elsewhere) -> Vec<bool> {
    let count = program.world.methods.len();
    let mut near = vec![false; count];
    for method in 0..count as MethodId {
        let has_sections = program
            .sections
            .get(method as usize)
            .is_some_and(|s| !s.is_empty());
        for method in has_sections
            .then(|| elsewhere.callers_of(method).chain([method]))
            .into_iter()
            .flatten()
        {
            if let Some(near) = near.get_mut(method as usize) {
                *near = true;
            }
        }
    }
    let mut asked = vec![false; count];
    let mut level: Vec<MethodId> = (0..)
        .zip(&near)
        .filter(|(_, near)| **near)
        .map(|(m, _)| m)
        .collect();
    for _ in 0..MOST_ROUNDS {
        let mut next = Vec::new();
        for method in level.iter().filter_map(|method| program.method(*method)) {
            for instr in &method.body.instrs {
                let calls = program.calls(method, instr);
                for &target in calls.map_or(&[][..], |calls| calls.targets) {
                    if let Some(slot) = asked.get_mut(target as usize)
                        && !std::mem::replace(slot, true)
                    {
                        next.push(target);
                    }
                }
            }
        }
        level = next;
    }
    asked
}

/// Which region something is in.
type RegionKey = (InstrId, Option<SectionId>);

struct Checker<'c, 'v, 'f> {
    elsewhere: &'c Elsewhere,
    rules: &'c Rules,
    view: &'v View<'v, 'f>,
    influence: Influence<'v, 'f>,
    regions: Vec<Region>,
}

fn check_method(
    (program, elsewhere): (&Program<'_>, &Elsewhere),
    flows: &[Flows],
    rules: &Rules,
    method: MethodId,
) -> Vec<Broken> {
    let reached = program
        .reach
        .reached
        .get(method as usize)
        .copied()
        .unwrap_or(false);
    let view = View::new(program, method).filter(|_| reached && !is_initialiser(program, method));
    let Some(view) = view else {
        return Vec::new();
    };
    let regions = regions(&view, elsewhere);
    if regions.len() < 2 {
        return Vec::new();
    }
    let checker = Checker {
        elsewhere,
        rules,
        view: &view,
        influence: Influence::new(&view, flows),
        regions,
    };
    let mut found = checker.stale();
    checker.torn(&mut found);
    found
}

impl Checker<'_, '_, '_> {
    fn region(&self, at: InstrId, lock: Option<&Path>) -> Option<RegionKey> {
        let lock = lock?;
        let (at, section) = region_at(self.view, at, lock)?;
        let is_known = |r: &&Region| (r.at, r.section) == (at, section) && r.lock == *lock;
        self.regions.iter().find(is_known).map(|r| (r.at, r.section))
    }

    fn stale(&self) -> Vec<Broken> {
        // The first thing that comes of what was read in a region stands for all.
        let mut found: BTreeMap<RegionKey, Broken> = BTreeMap::new();
        for effect in self.influence.effects() {
            let Some(there) = self.region(effect.at, effect.lock.as_ref()) else {
                continue;
            };
            for source in self.influence.among(effect.depends) {
                let same_lock = source.read.lock == effect.lock;
                let here = self
                    .region(source.at, source.read.lock.as_ref())
                    .filter(|_| same_lock);
                let Some(here) = here.filter(|here| self.leaves(source, *here, &effect, there)) else {
                    continue;
                };
                if found.contains_key(&here)
                    || self.rules.has(Rule::HandOver) && self.is_given_away(source, here)
                    || self.rules.has(Rule::ReCheck) && self.is_looked_at_again(source, &effect, there)
                {
                    continue;
                }
                if let Some(broken) = self.broken(source, &effect) {
                    found.insert(here, broken);
                }
            }
        }
        found.into_values().collect()
    }

    fn is_given_away(&self, source: &Source, here: RegionKey) -> bool {
        self.is_handed_over(here) || self.is_claimed(source, here)
    }

    /// Whether the value has left its region when it comes to the effect's.
    fn leaves(&self, source: &Source, here: RegionKey, effect: &Effect, there: RegionKey) -> bool {
        if here != there {
            // An effect around the source is in the same section.
            return there
                .1
                .is_none_or(|section| !self.view.sections.held(source.at).contains(&section));
        }
        // The same call again, given what it gave.
        let bit = self.influence.bits(|s| std::ptr::eq(s, source));
        here.1.is_none() && effect.data & bit != 0
    }

    fn broken(&self, source: &Source, effect: &Effect) -> Option<Broken> {
        let variable = &source.read.variable;
        let method = self.view.method.id;
        let writer = self
            .elsewhere
            .writer(self.view.program, method, variable.slot())?;
        let bit = self.influence.bits(|s| std::ptr::eq(s, source));
        Some(Broken {
            fault: Fault::Stale,
            method,
            lock: source.read.lock.clone()?,
            first: (variable.field, line(self.view.method.body, source.at)),
            second: (None, line(self.view.method.body, effect.at)),
            data: effect.data & bit != 0,
            meanwhile: vec![(variable.field, writer)],
        })
    }

    /// The region gives an element away and changes the object that held it: nobody else gets the same one.
    fn is_handed_over(&self, key: RegionKey) -> bool {
        let Some(region) = self.regions.iter().find(|r| (r.at, r.section) == key) else {
            return false;
        };
        let mut given = self.influence.sources.iter().filter(|source| {
            let read = &source.read;
            read.data && read.variable.element && self.region(source.at, read.lock.as_ref()) == Some(key)
        });
        given.any(|source| {
            let of = &source.read.variable;
            let mut written = region.view.iter().filter(|(_, (touched, _))| touched.written);
            written.any(|(v, _)| !v.element && v.base == of.base)
        })
    }

    /// The region decides and changes the object by its decision, as test-and-set does: others know that it was first.
    fn is_claimed(&self, source: &Source, key: RegionKey) -> bool {
        let region = self.regions.iter().find(|r| (r.at, r.section) == key);
        let mut view = region.into_iter().flat_map(|region| &region.view);
        !source.read.data
            && view.any(|(v, (touched, _))| touched.written && v.base == source.read.variable.base)
    }

    /// The change depends on the same variable, read again where it is made.
    fn is_looked_at_again(&self, source: &Source, effect: &Effect, there: RegionKey) -> bool {
        let Some(section) = there.1 else {
            return false;
        };
        let inside = |id: InstrId| self.view.sections.held(id).contains(&section);
        let again = self
            .influence
            .bits(|s| s.read.variable == source.read.variable && inside(s.at));
        again != 0 && self.influence.is_decided_in(effect.at, again, inside)
    }

    /// Of a method and a lock the first pair that is torn stands for all.
    fn torn(&self, found: &mut Vec<Broken>) {
        let mut ways = Ways::new(self.view.method.body);
        for (nth, one) in self.regions.iter().enumerate() {
            for (other_nth, other) in self.regions.iter().enumerate() {
                if nth == other_nth || one.lock != other.lock || !ways.lead(one.at, other.at) {
                    continue;
                }
                for writes in [false, true] {
                    let is_told = |known: &Broken| known.fault != Fault::Stale && known.lock == one.lock;
                    if found.iter().any(is_told) {
                        return;
                    }
                    let broken = self.torn_by(one, other, writes);
                    let broken = broken.filter(|new| !found.iter().any(|known| new.repeats(known)));
                    found.extend(broken);
                }
            }
        }
    }

    fn torn_by(&self, one: &Region, other: &Region, writes: bool) -> Option<Broken> {
        let program = self.view.program;
        for (a, first) in only(one, other, writes) {
            for (b, second) in only(other, one, writes) {
                // What belongs together is in one object.
                let class = |variable: &Variable| program.field_info(variable.field).map(|info| info.class);
                if a.base != b.base || class(a) != class(b) {
                    continue;
                }
                let slots = [a.slot(), b.slot()];
                let whole = self.elsewhere.whole(program, self.view.method.id, slots, !writes);
                let correlated = writes || self.correlated((one, a.slot()), (other, b.slot()));
                let Some(whole) = whole.filter(|_| correlated) else {
                    continue;
                };
                return Some(Broken {
                    fault: if writes {
                        Fault::TornWrites
                    } else {
                        Fault::TornReads
                    },
                    method: self.view.method.id,
                    lock: one.lock.clone(),
                    first: (a.field, first),
                    second: (Some(b.field), second),
                    data: true,
                    meanwhile: vec![(a.field, whole[0]), (b.field, whole[1])],
                });
            }
        }
        None
    }

    /// Something depends on both reads.
    fn correlated(&self, one: (&Region, Slot), other: (&Region, Slot)) -> bool {
        let [a, b] = [one, other].map(|(region, slot)| {
            let key = (region.at, region.section);
            self.influence.bits(|source| {
                source.read.variable.slot() == slot
                    && self.region(source.at, source.read.lock.as_ref()) == Some(key)
            })
        });
        a != 0 && b != 0 && self.influence.meet(a, b)
    }
}

/// What the one region reads, or writes, and the other does not, with the line.
fn only<'r>(one: &'r Region, other: &Region, writes: bool) -> Vec<(&'r Variable, u16)> {
    let does = |touched: &Touched| if writes { touched.written } else { touched.read };
    let mut there = Vec::new();
    for (variable, (touched, line)) in &one.view {
        let also = other.view.iter();
        let is_only = !also
            .filter(|(v, _)| v.slot() == variable.slot())
            .any(|(_, (touched, _))| does(touched));
        if does(touched) && is_only {
            there.push((variable, *line));
        }
    }
    there
}
