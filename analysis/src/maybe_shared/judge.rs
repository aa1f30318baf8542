//! Judging every access: by its object, by its field, by what comes before it.

use super::conclude::Concluded;
use super::fields::{FieldUse, FieldUses};
use super::{Proof, Runs, Shared, Verdicts};
use crate::construction::Construction;
use crate::escape::{self, CallGraph, Components, Escape, Handed};
use crate::facts::{Node, Owner};
use crate::leaks::{Leaks, callee_of};
use crate::packed::{Access, Body, Element, Passed};
use crate::per_method::PerMethod;
use crate::reach::Reach;
use crate::releases::Releases;
use crate::roots::{self, Mask, Roots};
use crate::rules::Rules;
use crate::settled::Settled;
use crate::types::dotted;
use crate::why_shared::WhyShared;
use crate::world::{FieldFound, MethodId, World};
use racewire_classfile::access;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Whether it is asked why fields may be shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reasons {
    Wanted,
    Unasked,
}

pub(super) struct Judge<'w> {
    pub world: &'w World,
    pub reach: &'w Reach,
    leaks: Leaks,
    construction: Construction,
    pub releases: Releases,
    pub roots: Option<Roots>,
    pub rules: Rules,
    pub fields: FieldUses,
    /// For each method the verdict on each of its accesses; `None`: it stays.
    pub verdicts: PerMethod<Option<Proof>>,
    /// The same for elements of arrays that go.
    pub elements: PerMethod<(u32, Proof)>,
}

/// With so many methods memory counts more than time.
const LARGE: usize = 200_000;

/// The steps before judging, which need each other's results.
pub(super) struct Analysis<'w> {
    pub world: &'w World,
    pub reach: &'w Reach,
    pub main: &'w [MethodId],
    pub rules: Rules,
}

impl Analysis<'_> {
    pub fn judge(&self, reasons: Reasons) -> Verdicts {
        let (world, reach) = (self.world, self.reach);
        let calls = CallGraph::new(world, reach);
        let settles = self.rules.elements && self.rules.before_publication;
        let settle = || settles.then(|| Settled::find(world, reach, &calls)).flatten();
        let leak = || {
            let leaks = Leaks::find(world, reach);
            let handed = Handed::find(world, reach, &leaks);
            (leaks, handed)
        };
        let start = || escape::Start::of(world, reach, &calls);
        // All of these need much room for a while: in a large program one after the other, and the nodes last.
        let is_large = world.methods.len() > LARGE;
        let ((leaks, handed), components, early, nodes) = if is_large {
            let leaks = leak();
            let components = Components::find(&calls);
            (leaks, components, settle(), None)
        } else {
            let (leaks, (components, nodes)) = rayon::join(leak, || (Components::find(&calls), start()));
            (leaks, components, None, Some(nodes))
        };
        let components = Arc::new(components);
        let initialisation = self.rules.initialisation_releases;
        let (mut escape, (releases, mut settled)) = rayon::join(
            || {
                let nodes = nodes.unwrap_or_else(start);
                Escape::analyse(world, reach, &calls, components.clone(), handed, nodes)
            },
            || {
                let releases = Releases::find(world, reach, &calls, &components, initialisation);
                let settled = if is_large { early } else { settle() };
                (releases, settled)
            },
        );
        drop(components);
        let is_closed = !self.main.is_empty() && !reach.open;
        let roots = is_closed.then(|| roots::find(world, reach, &calls, &escape, self.main));
        let construction = Construction::find(world, reach, &calls, &escape, self.main);
        let mut judge = Judge {
            world,
            reach,
            leaks,
            construction,
            releases,
            roots,
            rules: self.rules,
            fields: FieldUses::with_room(world.field_numbers()),
            verdicts: PerMethod::with_room(world.methods.len()),
            elements: PerMethod::with_room(world.methods.len()),
        };
        judge.by_object(&mut escape);
        judge.by_array(&mut escape, settled.as_mut());
        // Only why fields are shared is still asked: of a large program these take much room.
        drop(settled);
        let escape = judge.roots.is_some().then_some(escape);
        judge.doubt_tasks();
        let concluded = judge.conclude();
        let shared = match (reasons, &escape) {
            (Reasons::Wanted, Some(escape)) => judge.shared(&concluded, &calls, escape),
            _ => FxHashMap::default(),
        };
        let (removed, repeats) = concluded
            .into_iter()
            .map(|class| (class.removed, class.repeats))
            .unzip();
        Verdicts {
            removed,
            repeats,
            shared,
            reached_methods: reach.reached.iter().filter(|r| **r).count(),
            methods: world.methods.len(),
            threads: judge.threads(),
            several: judge.several(),
            runs: judge.runs(),
            ..Verdicts::default()
        }
    }
}

/// The field of the program that is accessed; `None` for fields of others.
pub(super) fn field_of<'w>(world: &'w World, class: u32, access: &Access<'_>) -> Option<&'w FieldFound> {
    world.field_in(class, access.field)
}

/// Neither final nor volatile: the others are never monitored.
pub(super) fn is_monitorable(field: &&FieldFound) -> bool {
    field.access & (access::FINAL | access::VOLATILE) == 0
}

impl<'w> Judge<'w> {
    fn bodies(&self) -> impl Iterator<Item = (MethodId, Body<'w>)> + use<'w> {
        let world = self.world;
        (0..world.methods.len() as MethodId).filter_map(|m| Some((m, world.body(m)?)))
    }

    /// By what is known of the objects that are accessed; collects what that leaves for each field.
    fn by_object(&mut self, escape: &mut Escape<'_>) {
        let world = self.world;
        for (method, body) in self.bodies() {
            let class = world.method(method).class;
            let is_reached = self.reach.reached[method as usize];
            let is_initialiser = world.is_initialiser(world.method(method).selector);
            self.verdicts.begin(method);
            for access in body.accesses() {
                let Some(field) = field_of(world, class, &access).filter(is_monitorable) else {
                    self.verdicts.push(None);
                    continue;
                };
                let verdict = if !is_reached {
                    Some(Proof::NeverRuns)
                } else if let Some(proof) = access.base.and_then(|base| self.of_object(escape, method, base))
                {
                    Some(proof)
                } else if self.rules.before_publication && self.is_owned(method, &access) {
                    self.touch(method, field);
                    Some(Proof::NotPublished)
                } else {
                    // The class's own initialiser comes before everybody else (JLS 12.4.2).
                    if !(is_initialiser && access.base.is_none() && field.class == class) {
                        self.note(method, field, &access);
                    }
                    None
                };
                self.verdicts.push(verdict);
            }
        }
    }

    /// Elements of arrays and calls of containers: these have no name by which others could be known that access them.
    fn by_array(&mut self, escape: &mut Escape<'_>, mut settled: Option<&mut Settled>) {
        if !self.rules.elements {
            return;
        }
        if let Some(settled) = settled.as_deref_mut() {
            self.look_at_writes(escape, settled);
        }
        for (method, body) in self.bodies() {
            let is_reached = self.reach.reached[method as usize];
            self.elements.begin(method);
            for (nth, element) in body.elements().enumerate() {
                let proof = if !is_reached {
                    Some(Proof::NeverRuns)
                } else if self.is_thread_local(escape, method, element.array) {
                    Some(Proof::ThreadLocal)
                } else if matches!(element.owner, Owner::Itself | Owner::Kept)
                    && self.is_unseen(method, &element)
                {
                    Some(Proof::NotPublished)
                } else if settled.as_ref().is_some_and(|s| s.holds(method, nth)) {
                    // All writes come before others see it.
                    Some(if element.write {
                        Proof::NotPublished
                    } else {
                        Proof::Settled
                    })
                } else {
                    None
                };
                if let Some(proof) = proof {
                    self.elements.push((element.pc, proof));
                }
            }
        }
    }

    fn look_at_writes(&self, escape: &mut Escape<'_>, settled: &mut Settled) {
        settled.look_at_writes(
            self.world,
            |method, element| {
                if self.is_thread_local(escape, method, element.array) {
                    return Some(Owner::Itself);
                }
                self.is_unseen(method, element).then_some(element.owner)
            },
            |field| self.fields.get(field).is_some_and(|used| used.written),
        );
    }

    fn is_thread_local(&self, escape: &mut Escape<'_>, method: MethodId, node: Node) -> bool {
        self.of_object(escape, method, node) == Some(Proof::ThreadLocal)
    }

    /// Nobody else has seen the array, or the object that has it, yet.
    fn is_unseen(&self, method: MethodId, element: &Element<'_>) -> bool {
        let is_this = matches!(element.owner, Owner::This | Owner::Kept);
        self.rules.before_publication && self.is_unleaked(method, element.owned, is_this)
    }

    fn of_object(&self, escape: &mut Escape<'_>, method: MethodId, base: Node) -> Option<Proof> {
        if escape.escaped(method, base) {
            None
        } else if escape.is_task(method, base) {
            self.rules.handed_over.then_some(Proof::HandedOver)
        } else {
            Some(Proof::ThreadLocal)
        }
    }

    fn is_owned(&self, method: MethodId, access: &Access<'_>) -> bool {
        let is_being_made = |base| self.construction.is_unseen(method, base);
        self.is_unleaked(method, access.owned, access.is_this) || access.base.is_some_and(is_being_made)
    }

    /// A constructor that gives `this` away publishes a half-made object: that is an error in itself (figure 10 of the
    /// paper), which detectors report at what it wrote before.
    fn is_unleaked(&self, method: MethodId, owned: Option<Passed<'_>>, is_this: bool) -> bool {
        if is_this && self.leaks.method(method, 0) {
            return false;
        }
        owned.is_some_and(|mut conditions| {
            conditions.all(|(op, argument)| {
                let callee = callee_of(self.world, self.reach, method, op);
                callee.is_some_and(|callee| !self.leaks.callee(callee, argument))
            })
        })
    }

    fn several(&self) -> Option<Vec<bool>> {
        let roots = self.roots.as_ref()?;
        let methods = 0..self.world.methods.len() as MethodId;
        Some(methods.map(|method| roots.several(roots.mask(method))).collect())
    }

    fn runs(&self) -> Option<Runs> {
        let roots = self.roots.as_ref()?;
        let methods = 0..self.world.methods.len() as MethodId;
        let masks: Vec<Mask> = methods.map(|method| roots.mask(method)).collect();
        let all = masks.iter().fold(0, |all, mask| all | mask);
        Some(Runs {
            masks,
            many: roots.many(all),
        })
    }

    fn threads_of(&self, method: MethodId) -> Mask {
        self.roots.as_ref().map_or(Mask::MAX, |roots| roots.mask(method))
    }

    fn used(&mut self, field: &FieldFound) -> &mut FieldUse {
        let (world, reach) = (self.world, self.reach);
        self.fields
            .get_or_insert(field, || FieldUse::new(world, reach, field))
    }

    fn touch(&mut self, method: MethodId, field: &FieldFound) -> &mut FieldUse {
        let threads = self.threads_of(method);
        let used = self.used(field);
        if used.threads | threads != used.threads {
            used.examples.push(method);
        }
        used.threads |= threads;
        used
    }

    fn note(&mut self, method: MethodId, field: &FieldFound, access: &Access<'_>) {
        let used = self.touch(method, field);
        used.open = true;
        used.written |= access.write;
    }

    /// A thread's task can be had in ways that are not followed (`Thread.currentThread()`, for one): where any code
    /// accesses the field of objects that others have seen, it may be the task's.
    fn doubt_tasks(&mut self) {
        if !self.verdicts.all().contains(&Some(Proof::HandedOver)) {
            return;
        }
        for (method, body) in self.bodies() {
            let class = self.world.method(method).class;
            for (nth, access) in body.accesses().enumerate() {
                if self.verdicts.of(method)[nth] != Some(Proof::HandedOver) {
                    continue;
                }
                if let Some(field) = field_of(self.world, class, &access)
                    && self.fields.get(field).is_some_and(|used| used.open)
                {
                    self.verdicts.of_mut(method)[nth] = None;
                    self.note(method, field, &access);
                }
            }
        }
    }

    fn threads(&self) -> Vec<(String, bool)> {
        let label = |m: MethodId| dotted(&self.world.method_label(m));
        let roots = self.roots.iter().flat_map(|roots| &roots.roots);
        roots.map(|r| (label(r.method), r.single)).collect()
    }

    /// Why each field with an access that stays may be shared, if that is more than that anybody may call.
    fn shared(
        &self,
        concluded: &[Concluded],
        calls: &CallGraph,
        escape: &Escape<'_>,
    ) -> FxHashMap<(String, String, String), Shared> {
        let world = self.world;
        let mut shared = FxHashMap::default();
        let Some(roots) = &self.roots else {
            return shared;
        };
        let mut why = WhyShared::new(world, self.reach, calls, escape, roots);
        for (method, verdicts) in concluded.iter().flat_map(|class| &class.verdicts) {
            let class = world.method(*method).class;
            let accesses = world.body(*method).into_iter().flat_map(|body| body.accesses());
            for (access, _) in accesses.zip(verdicts).filter(|(_, v)| v.is_none()) {
                let Some(field) = field_of(world, class, &access).filter(is_monitorable) else {
                    continue;
                };
                // Without a note there is only the class's initialiser.
                let Some(used) = self.fields.get(field) else {
                    continue;
                };
                let (name, descriptor) = world.selector(field.key.1);
                let key = (
                    world.name(field.key.0).to_owned(),
                    name.to_owned(),
                    descriptor.to_owned(),
                );
                shared
                    .entry(key)
                    .or_insert_with(|| why.field(used.threads, &used.examples));
            }
        }
        shared
    }
}
