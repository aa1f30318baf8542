//! The plan: for every field reference of every class, whether its accesses are monitored, and if so with
//! which site ordinals; if not, why. A value computed once from the [`Program`], read by the weaver and by
//! `explain`.

mod left_alone;

pub use left_alone::LeftAlone;

use crate::code::access;
use crate::following::Follows;
use crate::program::{Program, ProgramClass, Resolved};
use crate::scan::Places;
use crate::scan::{ClassFacts, FieldFacts, RefFacts};
use racewire_analysis::maybe_shared::{Proof, Removed, Repeat, Verdicts};
use racewire_model::sites::{LAST_ORDINAL, MAX_ORDINAL, OVERFLOW_ORDINAL};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefPlan<'p> {
    Monitored {
        /// Internal name of the declaring class.
        declared_in: &'p str,
        /// Ordinal of the first site of this class, before capping: see [`ordinal`].
        first_site: u32,
        /// How many there are.
        sites: u32,
        /// The field's place in [`Plan::numberings`].
        field: u32,
    },
    /// A volatile field whose accesses order others.
    Ordering {
        /// Internal name of the declaring class.
        declared_in: &'p str,
    },
    Left(LeftAlone),
}

/// What the weaver does with one class.
#[derive(Debug, Default)]
pub struct ClassPlan<'p> {
    /// `refs[i]` belongs to `facts.refs[i]` of the class.
    pub refs: Vec<RefPlan<'p>>,
    /// Indices (in the class's field list) of the fields that get a state word.
    pub words: Vec<usize>,
    /// The same for the volatile fields that order what others do.
    pub volatiles: Vec<usize>,
    /// Happens-before is to be looked at: stamps beside the words, volatile fields, class initialisers.
    pub order: bool,
    /// Accesses to monitored fields that need no hook, sorted.
    pub removed: &'p [Removed],
    /// Accesses that have a hook and stand for some of those that have none, sorted.
    pub repeats: &'p [Repeat],
    /// How many they are, by proof.
    pub proofs: BTreeMap<Proof, u64>,
    /// What is followed of flows that may get stale.
    pub follows: Follows,
}

impl ClassPlan<'_> {
    /// Whether a field or an access of the class gets anything.
    pub fn monitors(&self) -> bool {
        let is_monitored = |plan: &RefPlan<'_>| {
            matches!(
                plan,
                RefPlan::Monitored { sites: 1.., .. } | RefPlan::Ordering { .. }
            )
        };
        !self.words.is_empty()
            || !self.volatiles.is_empty()
            || self.refs.iter().any(is_monitored)
            || !self.follows.is_empty()
    }

    /// The accesses that are left alone wherever they stand.
    pub fn left(&self, facts: &ClassFacts) -> impl Iterator<Item = (LeftAlone, u64)> {
        let refs = self.refs.iter().zip(&facts.refs);
        let left = refs.filter_map(|(plan, reference)| match plan {
            RefPlan::Left(reason) => Some((*reason, u64::from(reference.accesses))),
            RefPlan::Ordering { .. } => Some((LeftAlone::Volatile, u64::from(reference.accesses))),
            RefPlan::Monitored { .. } => None,
        });
        let unshared = self
            .proofs
            .iter()
            .map(|(proof, n)| (LeftAlone::Unshared(*proof), *n));
        left.chain(unshared)
    }

    /// Where else the method makes this access again, without a hook.
    pub fn repeated_at(&self, method: usize, pc: u32) -> impl Iterator<Item = u32> {
        let key = (method as u32, pc);
        let first = self.repeats.partition_point(|r| (r.method, r.pc) < key);
        let rest = self.repeats.get(first..).unwrap_or_default();
        let same = rest.iter().take_while(move |r| (r.method, r.pc) == key);
        same.map(|r| r.repeated_at)
    }

    /// Whether this access needs no hook although its field is monitored.
    pub fn is_removed(&self, method: usize, pc: u32) -> bool {
        let key = (method as u32, pc);
        self.removed
            .binary_search_by_key(&key, |r| (r.method, r.pc))
            .is_ok()
    }
}

/// Ordinals count the sites of a field over the whole program. Those up to [`MAX_ORDINAL`] have a bit in the state
/// word. If a field has more sites than that, none of them has: they have numbers from [`OVERFLOW_ORDINAL`] + 1 on, by
/// which the runtime knows what is in a set, up to [`LAST_ORDINAL`]; the rest share [`LAST_ORDINAL`] + 1.
pub fn ordinal(site_of_field: u32) -> u16 {
    u16::try_from(site_of_field)
        .ok()
        .filter(|&n| n <= LAST_ORDINAL)
        .unwrap_or(LAST_ORDINAL + 1)
}

/// Why a class cannot be woven at all, if so. Decided before any class that refers to it is woven.
pub fn obstacle(facts: &ClassFacts) -> Option<&'static str> {
    // JVMS 4.6: before version 52 interfaces have no methods of their own, so no place for trampolines.
    if facts.access & access::INTERFACE != 0 && facts.major < 52 && !facts.refs.is_empty() {
        return Some("an interface of this class file version cannot hold hooks");
    }
    // Names get a prefix, and JVMS 4.4.7 ends them at 65,535 bytes.
    if facts.fields.iter().any(|f| f.name.len() > 30_000) || facts.longest_method_name > 30_000 {
        return Some("a name is too long for a prefix");
    }
    // An upper bound of what the weaver may add; the pool ends at 65,534.
    let sites: usize = facts.refs.iter().map(|r| r.sites as usize).sum();
    let added = 2 * facts.fields.len() + 8 * facts.refs.len() + 8 * facts.method_names.len() + sites + 200;
    (facts.pool_len + added > 65_000).then_some("the constant pool has no room for hooks")
}

/// What the weaver does with the whole program.
#[derive(Debug)]
pub struct Plan<'p> {
    /// `classes[i]` belongs to `program.classes[i]`; classes that are not woven have an empty plan.
    pub classes: Vec<ClassPlan<'p>>,
    /// Of each monitored field, see `FieldRef::numbering`.
    pub numberings: Vec<u32>,
}

/// The monitored fields so far, by declaring class, name and descriptor.
#[derive(Default)]
struct Fields<'p> {
    places: FxHashMap<(&'p str, &'p str, &'p str), u32>,
    sites: Vec<u32>,
    /// Hashes of what determines the ordinals: whose methods access the field how often, and how.
    numberings: Vec<u64>,
}

impl<'p> Fields<'p> {
    /// The field's number, and how many sites it had before these.
    fn add(&mut self, field: (&'p str, &'p str, &'p str), class: &str, added: SitesOfRef) -> (u32, u32) {
        let next = self.sites.len() as u32;
        let number = *self.places.entry(field).or_insert(next);
        if number == next {
            self.sites.push(0);
            self.numberings.push(0);
        }
        let mut first = 0;
        if let Some(sites) = self.sites.get_mut(number as usize) {
            first = *sites;
            *sites = sites.saturating_add(added.count);
        }
        if added.count > 0
            && let Some(numbering) = self.numberings.get_mut(number as usize)
        {
            *numbering = xxh3_64_with_seed(class.as_bytes(), numbering.rotate_left(1) ^ added.places);
        }
        (number, first)
    }

    fn has_more_sites_than_bits(&self, number: u32) -> bool {
        let sites = self.sites.get(number as usize);
        sites.is_some_and(|sites| *sites > u32::from(MAX_ORDINAL) + 1)
    }

    fn has_sites(&self, field: (&str, &str, &str)) -> bool {
        let number = self.places.get(&field);
        number.is_some_and(|number| self.sites.get(*number as usize).is_some_and(|sites| *sites > 0))
    }
}

/// Plans all classes, in order. What the analysis found of them, if it was asked, is by index of the class.
/// `order`: see [`ClassPlan::order`].
pub fn plan<'p>(program: &'p Program, verdicts: Option<&'p Verdicts>, order: bool) -> Plan<'p> {
    let mut fields = Fields::default();
    // Each class by itself, in parallel, but for the numbers of fields and sites, which go by the order of the classes.
    let planned: Vec<(ClassPlan<'_>, Decisions<'_>)> = program
        .classes
        .par_iter()
        .enumerate()
        .map(|(id, class)| {
            let mut plan = ClassPlan {
                order,
                ..ClassPlan::default()
            };
            if let Some(verdicts) = verdicts {
                plan.removed = verdicts.removed.get(id).map_or(&[][..], Vec::as_slice);
                plan.repeats = verdicts.repeats.get(id).map_or(&[][..], Vec::as_slice);
            }
            let decisions = match class.woven {
                true => decide_all(&mut plan, program, class),
                false => Vec::new(),
            };
            (plan, decisions)
        })
        .collect();
    let mut plans: Vec<ClassPlan<'_>> = Vec::with_capacity(planned.len());
    for (class, (mut plan, decisions)) in program.classes.iter().zip(planned) {
        number(&mut plan, program, class, decisions, &mut fields);
        plans.push(plan);
    }
    for reference in plans.iter_mut().flat_map(|plan| &mut plan.refs) {
        if let RefPlan::Monitored {
            first_site, field, ..
        } = reference
            && fields.has_more_sites_than_bits(*field)
        {
            *first_site += u32::from(OVERFLOW_ORDINAL) + 1;
        }
    }
    let woven = program
        .classes
        .par_iter()
        .zip(&mut plans)
        .filter(|(c, _)| c.woven);
    woven.for_each(|(class, plan)| {
        let has_word = |f: &FieldFacts| {
            let key = (class.facts.name.as_str(), &*f.name, &*f.descriptor);
            shareable(f).is_ok() && fields.has_sites(key)
        };
        plan.words = (0..class.facts.fields.len())
            .filter(|&i| class.facts.fields.get(i).is_some_and(has_word))
            .collect();
        if order {
            let is_ordering = |f: &FieldFacts| ordering(class, f);
            plan.volatiles = (0..class.facts.fields.len())
                .filter(|&i| class.facts.fields.get(i).is_some_and(is_ordering))
                .collect();
        }
    });
    Plan {
        classes: plans,
        numberings: fields.numberings.into_iter().map(|hash| hash as u32).collect(),
    }
}

/// What is to be done with each reference of a class, and its sites.
type Decisions<'p> = Vec<(Result<&'p str, LeftAlone>, SitesOfRef)>;

fn decide_all<'p>(plan: &mut ClassPlan<'p>, program: &'p Program, class: &'p ProgramClass) -> Decisions<'p> {
    let decisions: Vec<_> = class
        .facts
        .refs
        .iter()
        .map(|r| decide(program, class, r))
        .collect();
    let sites = count_sites(&class.facts, plan.removed, &decisions, &mut plan.proofs);
    decisions.into_iter().zip(sites).collect()
}

/// Gives the fields and sites of a class their numbers.
fn number<'p>(
    plan: &mut ClassPlan<'p>,
    program: &'p Program,
    class: &'p ProgramClass,
    decisions: Decisions<'p>,
    fields: &mut Fields<'p>,
) {
    plan.refs.reserve_exact(decisions.len());
    for (reference, (decision, sites)) in class.facts.refs.iter().zip(decisions) {
        plan.refs.push(match decision {
            Ok(declared_in) => {
                let key = (declared_in, &*reference.name, &*reference.descriptor);
                let (field, first_site) = fields.add(key, &class.facts.name, sites);
                RefPlan::Monitored {
                    declared_in,
                    first_site,
                    sites: sites.count,
                    field,
                }
            }
            Err(LeftAlone::Volatile) if plan.order => match volatile(program, class, reference) {
                Some(declared_in) => RefPlan::Ordering { declared_in },
                None => RefPlan::Left(LeftAlone::Volatile),
            },
            Err(reason) => RefPlan::Left(reason),
        });
    }
}

/// The sites of one class that name a field in one way.
#[derive(Debug, Clone, Copy, Default)]
struct SitesOfRef {
    count: u32,
    /// A hash of their methods and kinds, in order. Not of their lines, which move with every change of the source.
    places: u64,
}

/// The sites that are left of each reference, and how many accesses went by which proof.
fn count_sites(
    facts: &ClassFacts,
    removed: &[Removed],
    decisions: &[Result<&str, LeftAlone>],
    proofs: &mut BTreeMap<Proof, u64>,
) -> Vec<SitesOfRef> {
    let mut sites = vec![SitesOfRef::default(); facts.refs.len()];
    let mut places = Places::default();
    let mut method = None;
    let mut removed = removed.iter().peekable();
    for access in &facts.accesses {
        if method.replace(access.method) != Some(access.method) {
            places.clear();
        }
        let key = (u32::from(access.method), u32::from(access.pc));
        while removed.next_if(|r| (r.method, r.pc) < key).is_some() {}
        let Ok(nth) = facts
            .refs
            .binary_search_by_key(&access.place.reference, |r| r.index)
        else {
            continue;
        };
        if let Some(removed) = removed.next_if(|r| (r.method, r.pc) == key) {
            if decisions.get(nth).is_some_and(Result::is_ok) {
                *proofs.entry(removed.proof).or_default() += 1;
            }
        } else if let Some(sites) = sites.get_mut(nth)
            && places.get(access.place).is_none()
        {
            places.add(access.place, sites.count);
            sites.count += 1;
            let name = facts.method_names.get(usize::from(access.method));
            let seed = sites.places.rotate_left(1) ^ u64::from(access.place.is_write);
            sites.places = xxh3_64_with_seed(name.map_or(&[], |name| name.as_bytes()), seed);
        }
    }
    sites
}

/// The declaring class if accesses of `user` through `reference` are to be monitored, else the reason why not.
pub fn decide<'p>(
    program: &'p Program,
    user: &ProgramClass,
    reference: &'p RefFacts,
) -> Result<&'p str, LeftAlone> {
    // A class goes with its own fields, whatever other versions of it look like.
    let own =
        *reference.owner == *user.facts.name && user.field(&reference.name, &reference.descriptor).is_some();
    if own {
        return monitorable(user, reference).map(|()| &*reference.owner);
    }
    let declared_in = match program.resolve_field(&reference.owner, &reference.name, &reference.descriptor) {
        Resolved::Declared(class) => class,
        Resolved::Outside(_) => return Err(LeftAlone::OutsideScope),
        Resolved::Ambiguous(_) => return Err(LeftAlone::Ambiguous),
    };
    for class in program.definitions(declared_in) {
        monitorable(class, reference)?;
    }
    Ok(declared_in)
}

/// Whether a race on the field is possible at all.
pub fn shareable(field: &FieldFacts) -> Result<(), LeftAlone> {
    match field.access {
        flags if flags & access::FINAL != 0 => Err(LeftAlone::Final),
        flags if flags & access::VOLATILE != 0 => Err(LeftAlone::Volatile),
        _ => Ok(()),
    }
}

/// The class that declares the volatile field that `user` names, if all its definitions have room for what goes with
/// such a field.
fn volatile<'p>(program: &'p Program, user: &ProgramClass, reference: &'p RefFacts) -> Option<&'p str> {
    let fits = |class: &ProgramClass| {
        let field = class.field(&reference.name, &reference.descriptor);
        field.is_some_and(|f| ordering(class, f) && (f.access & access::STATIC != 0) == reference.is_static)
    };
    if *reference.owner == *user.facts.name && user.field(&reference.name, &reference.descriptor).is_some() {
        return fits(user).then_some(&*reference.owner);
    }
    match program.resolve_field(&reference.owner, &reference.name, &reference.descriptor) {
        Resolved::Declared(class) => program.definitions(class).all(fits).then_some(class),
        Resolved::Outside(_) | Resolved::Ambiguous(_) => None,
    }
}

/// Whether the field is volatile and has room for what goes with it, under its name.
fn ordering(class: &ProgramClass, field: &FieldFacts) -> bool {
    let namesakes = class.facts.fields.iter().filter(|f| f.name == field.name).count();
    class.woven && field.access & access::VOLATILE != 0 && namesakes == 1
}

fn monitorable(class: &ProgramClass, reference: &RefFacts) -> Result<(), LeftAlone> {
    let Some(field) = class.field(&reference.name, &reference.descriptor) else {
        return Err(LeftAlone::Ambiguous);
    };
    shareable(field)?;
    if !class.woven {
        return Err(LeftAlone::OutsideScope);
    }
    // Words are named after fields; JVMS 4.5 allows two fields of one name with different descriptors.
    let namesakes = class
        .facts
        .fields
        .iter()
        .filter(|f| f.name == reference.name)
        .count();
    if namesakes > 1 || (field.access & access::STATIC != 0) != reference.is_static {
        return Err(LeftAlone::Ambiguous);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
