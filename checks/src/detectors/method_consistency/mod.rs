//! Method consistency, after von Praun and Gross, "Static Detection of Atomicity Violations in Object-Oriented Programs".
//!
//! A method that touches variables of one object in several critical sections of one lock is taken to mean them
//! together. Its *lock views* are the variables that each section reads (r) or updates (u). If two of them do not form
//! a chain (none is a part of the other), or if what the first one reads is updated by the section of another thread,
//! the method does not see, or leave, one state of the object.
//!
//! As in the paper: fields are not told apart by object between threads, views are compared per class, final,
//! volatile and never updated fields do not count, nor does what constructors do; of methods that call each other only
//! the lowest is reported. Where we know more, we say less: a method with one critical section is atomic however it is
//! written; its sections must be of the same lock and object, and one must come after the other; another thread must
//! have a section that gets in between. Without [`Rule::SameLock`] and [`Rule::Written`] it is the paper's algorithm to
//! the letter: all views that overlap the method's own are compared, whoever has them.
//!
//! The paper's restriction to *exposed* reads: what is read counts only if it, or a decision by it, leaves the section.

mod claims;
mod plain;

pub use claims::claims;

use super::causal::{Flows, Influence};
use crate::facts::summary::View;
use crate::facts::{FieldId, Path, Program};
use crate::regions::{Elsewhere, Place, Region, Touched, Variable, Ways, is_initialiser, region_at, regions};
use crate::rules::{Rule, Rules};
use racewire_analysis::world::{MethodId, NameId};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A method whose lock views do not go together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inconsistent {
    pub method: MethodId,
    /// The class whose fields they are.
    pub class: NameId,
    pub lock: Path,
    /// Two regions of the method, in order: what each does to which field, and where.
    pub parts: [Part; 2],
    /// What another thread may do in between.
    pub meanwhile: Vec<(FieldId, Place)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub fields: Vec<(FieldId, Touched)>,
    pub line: u16,
}

impl Inconsistent {
    fn fields(&self) -> BTreeSet<FieldId> {
        let all = self.parts.iter().flat_map(|part| &part.fields);
        all.map(|(field, _)| *field).collect()
    }
}

/// `flows`: reads count only if what is read leaves the section.
pub fn check(
    program: &Program<'_>,
    elsewhere: &Elsewhere,
    flows: Option<&[Flows]>,
    rules: &Rules,
) -> Vec<Inconsistent> {
    let is_plain = !rules.has(Rule::SameLock) && !rules.has(Rule::Written);
    let methods = 0..program.world.methods.len() as MethodId;
    let mut found: Vec<Inconsistent> = methods
        .into_par_iter()
        .flat_map_iter(|method| {
            let reached = program.reach.reached.get(method as usize) == Some(&true);
            let view = View::new(program, method).filter(|_| reached && !is_initialiser(program, method));
            let Some(view) = view else {
                return Vec::new();
            };
            let mut regions = regions(&view, elsewhere);
            if let Some(flows) = flows {
                only_exposed(&view, flows, &mut regions);
            }
            match is_plain {
                true => plain::check_method(&view, elsewhere, &regions),
                false => check_method(&view, elsewhere, &regions),
            }
        })
        .collect();
    lowest(elsewhere, &mut found);
    found.retain(|report| program.is_checked(report.method));
    found
}

/// Drops the reads that stay in their region.
fn only_exposed(view: &View<'_, '_>, flows: &[Flows], regions: &mut Vec<Region>) {
    if regions.is_empty() {
        return;
    }
    let influence = Influence::new(view, flows);
    for region in regions.iter_mut() {
        let (at, section) = (region.at, region.section);
        let is_exposed = |variable: &Variable| {
            let sources = influence.bits(|source| {
                let lock = source.read.lock.as_ref();
                source.read.variable == *variable
                    && lock.and_then(|lock| region_at(view, source.at, lock)) == Some((at, section))
            });
            let inside = |id| section.is_some_and(|section| view.sections.held(id).contains(&section));
            sources != 0 && influence.is_used_where(sources, |id| !inside(id))
        };
        region
            .view
            .retain(|variable, (touched, _)| touched.written || is_exposed(variable));
    }
    regions.retain(|region| !region.view.is_empty());
}

/// Only the lowest of methods that call each other.
fn lowest(elsewhere: &Elsewhere, found: &mut Vec<Inconsistent>) {
    let mut by_class: BTreeMap<NameId, Vec<usize>> = BTreeMap::new();
    for (nth, report) in found.iter().enumerate() {
        by_class.entry(report.class).or_default().push(nth);
    }
    let is_above = |above: &Inconsistent, below: &Inconsistent| {
        above.method != below.method
            && below.fields().is_subset(&above.fields())
            && elsewhere.calls(above.method, below.method)
            && !elsewhere.calls(below.method, above.method)
    };
    let keep: Vec<bool> = found
        .iter()
        .map(|report| {
            let same_class = by_class.get(&report.class).into_iter().flatten();
            let mut others = same_class.filter_map(|nth| found.get(*nth));
            !others.any(|other| is_above(report, other))
        })
        .collect();
    let mut keep = keep.into_iter();
    found.retain(|_| keep.next().unwrap_or(true));
}

fn check_method(view: &View<'_, '_>, elsewhere: &Elsewhere, regions: &[Region]) -> Vec<Inconsistent> {
    let (program, method) = (view.program, view.method.id);
    if regions.len() < 2 {
        return Vec::new();
    }
    let mut ways = Ways::new(view.method.body);
    let mut found: Vec<Inconsistent> = Vec::new();
    for (nth, one) in regions.iter().enumerate() {
        for (other_nth, other) in regions.iter().enumerate() {
            if nth == other_nth || one.lock != other.lock || !ways.lead(one.at, other.at) {
                continue;
            }
            for group in groups(program, one, other) {
                let report = torn(program, elsewhere, method, &group).map(|meanwhile| Inconsistent {
                    method,
                    class: group.class,
                    lock: one.lock.clone(),
                    parts: [group.part(0), group.part(1)],
                    meanwhile,
                });
                // One report for a method and a class: the first pair of its regions.
                if let Some(report) = report
                    && !found.iter().any(|known| known.class == report.class)
                {
                    found.push(report);
                }
            }
        }
    }
    found
}

type LockView = BTreeMap<Variable, (Touched, u16)>;

/// What two regions do to the fields of one class in one object.
struct Group {
    class: NameId,
    views: [LockView; 2],
}

impl Group {
    fn part(&self, nth: usize) -> Part {
        let view = &self.views[nth.min(1)];
        let line = view.values().map(|(_, line)| *line).min().unwrap_or(0);
        Part {
            fields: view.iter().map(|(v, (touched, _))| (v.field, *touched)).collect(),
            line,
        }
    }
}

fn groups(program: &Program<'_>, one: &Region, other: &Region) -> Vec<Group> {
    let mut found: BTreeMap<(NameId, Option<Path>), [LockView; 2]> = BTreeMap::new();
    for (nth, region) in [one, other].into_iter().enumerate() {
        for (variable, touched) in &region.view {
            let Some(info) = program.field_info(variable.field) else {
                continue;
            };
            let views = found.entry((info.class, variable.base.clone())).or_default();
            if let Some(view) = views.get_mut(nth) {
                view.insert(variable.clone(), *touched);
            }
        }
    }
    found
        .into_iter()
        .filter(|(_, views)| views.iter().all(|view| !view.is_empty()))
        .map(|((class, _), views)| Group { class, views })
        .collect()
}

/// What another thread may do between the two, if they are inconsistent then.
fn torn(
    program: &Program<'_>,
    elsewhere: &Elsewhere,
    method: MethodId,
    group: &Group,
) -> Option<Vec<(FieldId, Place)>> {
    let [one, other] = &group.views;
    if one.iter().map(entry).eq(other.iter().map(entry)) {
        return None;
    }
    // The second relies on what the first has read, or changes it.
    for (variable, (touched, _)) in one {
        let Some((then, _)) = other.get(variable) else {
            continue;
        };
        let stale = !touched.written && touched.read || touched.written != then.written;
        if let Some(writer) = stale
            .then(|| elsewhere.writer(program, method, variable.slot()))
            .flatten()
        {
            return Some(vec![(variable.field, writer)]);
        }
    }
    // Each has something that the other has not, and somebody takes both for one.
    for (a, (first, _)) in one.iter().filter(|(v, _)| !other.contains_key(*v)) {
        for (b, (second, _)) in other.iter().filter(|(v, _)| !one.contains_key(*v)) {
            let slots = [a.slot(), b.slot()];
            let writes = [first.written, second.written];
            if let Some([x, y]) = elsewhere.both(program, method, slots, writes) {
                return Some(vec![(a.field, x), (b.field, y)]);
            }
        }
    }
    None
}

/// What counts of a lock view: the variable, and whether it is updated.
fn entry<'v>((variable, (touched, _)): (&'v Variable, &(Touched, u16))) -> (&'v Variable, bool) {
    (variable, touched.written)
}
