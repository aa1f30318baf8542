//! Judging every access: by its object, by its field, by what comes before it.

use super::{Proof, Removed, Repeat, Runs, Shared, Verdicts};
use crate::construction::Construction;
use crate::escape::{self, CallGraph, Components, Escape, Handed};
use crate::facts::{Node, Owner};
use crate::leaks::{Leaks, callee_of};
use crate::packed::{Access, Body, Cover, Element, Passed};
use crate::per_method::PerMethod;
use crate::reach::{Reach, Unknown};
use crate::releases::Releases;
use crate::roots::{self, Mask, Roots};
use crate::rules::{Redundant, Rules};
use crate::settled::Settled;
use crate::types::dotted;
use crate::why_shared::WhyShared;
use crate::world::{FieldFound, FieldKey, MethodId, Origin, World};
use racewire_classfile::access;
use rustc_hash::FxHashMap;

/// What a program's own code writes fields of any name with, as an access (jdk-sync.toml). Updaters, too, but of volatile
/// fields only.
const BY_NAME: [&str; 3] = [
    "java/lang/reflect/Field.",
    "java/lang/invoke/",
    "sun/misc/Unsafe.",
];

/// Whether it is asked why fields may be shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reasons {
    Wanted,
    Unasked,
}

/// What all accesses together say of a field.
#[derive(Debug, Default)]
struct FieldUse {
    /// Threads that touch it, of objects that others may see, now or later.
    threads: Mask,
    /// There are accesses to objects that others may have seen.
    open: bool,
    /// Some of them write.
    written: bool,
    /// A method for each thread that touches it.
    examples: Vec<MethodId>,
    never_final: bool,
    /// Somebody may access it by its name, from anywhere.
    by_name: bool,
}

struct Judge<'w> {
    world: &'w World,
    reach: &'w Reach,
    leaks: Leaks,
    construction: Construction,
    releases: Releases,
    roots: Option<Roots>,
    rules: Rules,
    fields: FxHashMap<FieldKey, FieldUse>,
    /// For each method the verdict on each of its accesses; `None`: it stays.
    verdicts: PerMethod<Option<Proof>>,
    /// The same for elements of arrays that go.
    elements: PerMethod<(u32, Proof)>,
}

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
        let ((leaks, handed), (components, nodes)) = rayon::join(
            || {
                let leaks = Leaks::find(world, reach);
                let handed = Handed::find(world, reach, &leaks);
                (leaks, handed)
            },
            || (Components::find(&calls), escape::Start::of(world, reach, &calls)),
        );
        let initialisation = self.rules.initialisation_releases;
        let settles = self.rules.elements && self.rules.before_publication;
        let (mut escape, (releases, mut settled)) = rayon::join(
            || Escape::analyse(world, reach, &calls, &components, handed, nodes),
            || {
                let releases = Releases::find(world, reach, &calls, &components, initialisation);
                let settled = settles.then(|| Settled::find(world, reach, &calls));
                (releases, settled.flatten())
            },
        );
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
            fields: FxHashMap::default(),
            verdicts: PerMethod::default(),
            elements: PerMethod::default(),
        };
        judge.by_object(&mut escape);
        judge.by_array(&mut escape, settled.as_mut());
        judge.doubt_tasks();
        judge.by_field();
        judge.by_order();
        judge.by_update();
        let shared = || match reasons {
            Reasons::Wanted => judge.shared(&calls, &escape),
            Reasons::Unasked => FxHashMap::default(),
        };
        let (shared, (removed, repeats)) = rayon::join(shared, || (judge.removed(), judge.repeats()));
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
fn field_of(world: &World, class: u32, access: &Access<'_>) -> Option<FieldFound> {
    let (owner, selector) = world.member_in(class, access.field);
    world.resolve_field(owner, selector)
}

/// Neither final nor volatile: the others are never monitored.
fn is_monitorable(field: &FieldFound) -> bool {
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
                    self.touch(method, &field);
                    Some(Proof::NotPublished)
                } else {
                    // The class's own initialiser comes before everybody else (JLS 12.4.2).
                    if !(is_initialiser && access.base.is_none() && field.class == class) {
                        self.note(method, &field, &access);
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
        self.fields.entry(field.key).or_insert_with(|| FieldUse {
            never_final: may_be_written_from_outside(world, reach, field),
            by_name: may_be_accessed_by_name(world, reach, field),
            ..FieldUse::default()
        })
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
        for (method, body) in self.bodies() {
            let class = self.world.method(method).class;
            for (nth, access) in body.accesses().enumerate() {
                if self.verdicts.of(method)[nth] != Some(Proof::HandedOver) {
                    continue;
                }
                if let Some(field) = field_of(self.world, class, &access)
                    && self.fields.get(&field.key).is_some_and(|used| used.open)
                {
                    self.verdicts.of_mut(method)[nth] = None;
                    self.note(method, &field, &access);
                }
            }
        }
    }

    /// By what all accesses to a field have in common.
    fn by_field(&mut self) {
        let written_by_name = self.written_by_name();
        for (method, body) in self.bodies() {
            let class = self.world.method(method).class;
            for (nth, access) in body.accesses().enumerate() {
                if self.verdicts.of(method)[nth].is_some() {
                    continue;
                }
                let Some(field) = field_of(self.world, class, &access).filter(is_monitorable) else {
                    continue;
                };
                // Without a note there is only the class's initialiser.
                let Some(used) = self.fields.get(&field.key) else {
                    continue;
                };
                let one_thread =
                    !used.by_name && self.roots.as_ref().is_some_and(|r| !r.several(used.threads));
                let is_static = access.base.is_none();
                // Statics are published by their class's initialisation, in order. Others may be written by a name that
                // nobody can see here.
                let may_be_final = is_static || self.rules.before_publication && !written_by_name;
                if one_thread {
                    self.verdicts.of_mut(method)[nth] = Some(Proof::OneThread);
                } else if !used.written && !used.never_final && may_be_final {
                    self.verdicts.of_mut(method)[nth] = Some(Proof::EffectivelyFinal);
                }
            }
        }
    }

    /// By what comes before in the same method.
    fn by_order(&mut self) {
        if self.rules.redundant == Redundant::Never {
            return;
        }
        for (method, body) in self.bodies() {
            for (nth, access) in body.accesses().enumerate() {
                if let Some(cover) = access.covered
                    && self.verdicts.of(method)[nth].is_none()
                    && self.is_covered(method, cover)
                {
                    self.verdicts.of_mut(method)[nth] = Some(Proof::Redundant);
                }
            }
        }
    }

    /// By what comes at once after it: an access that stays, or goes for an earlier one, which stands for both.
    fn by_update(&mut self) {
        if !self.rules.updates {
            return;
        }
        for (method, body) in self.bodies() {
            let verdicts = self.verdicts.of_mut(method);
            for (nth, access) in body.accesses().enumerate() {
                if access.updated
                    && let Some([read @ None, None | Some(Proof::Redundant)]) = verdicts.get_mut(nth..nth + 2)
                {
                    *read = Some(Proof::Updated);
                }
            }
        }
    }

    /// Whether some detector may see a write by name. What the JDK writes inside (an object that is read from a stream, a
    /// bean) is an access of nobody's code: no hook tells of it.
    fn written_by_name(&self) -> bool {
        let is_looked_at = |name: &str| BY_NAME.iter().any(|start| name.starts_with(start));
        let mut met = self.reach.met.iter();
        self.rules.by_name && met.any(|met| met.what == Unknown::WritesFields && is_looked_at(&met.name))
    }

    fn is_covered(&self, method: MethodId, mut cover: Cover<'_>) -> bool {
        if cover.acquires && self.rules.redundant < Redundant::NoRelease {
            return false;
        }
        let class = self.world.method(method).class;
        // It is monitored, or repeats an earlier one itself: then that came before in the same stretch.
        let stays = |by: u32| {
            let verdict = self.verdicts.of(method).get(by as usize);
            matches!(verdict, Some(None | Some(Proof::Redundant)))
        };
        let is_quiet = |op: u32| {
            callee_of(self.world, self.reach, method, op)
                .is_some_and(|id| !self.releases.call(self.world, self.reach, class, id))
        };
        let is_plain = |member: u32| {
            let (owner, selector) = self.world.member_in(class, member);
            match self.world.resolve_field(owner, selector) {
                Some(field) => {
                    field.access & access::VOLATILE == 0 && !self.releases.first_use(self.world, class, owner)
                }
                // The JDK has no volatile fields for others to use.
                None => {
                    let mut classes = self.world.definitions(owner).iter();
                    classes.all(|c| self.world.class(*c).origin == Origin::Jdk)
                }
            }
        };
        !cover.by.is_empty()
            && cover.by.all(stays)
            && cover.calls.all(is_quiet)
            && cover.elsewhere.all(is_plain)
    }

    fn removed(&self) -> Vec<Vec<Removed>> {
        let world = self.world;
        let mut removed = vec![Vec::new(); world.facts.len()];
        for (method, body) in self.bodies() {
            let class = world.method(method).class;
            let index = world.method(method).index;
            for (access, verdict) in body.accesses().zip(self.verdicts.of(method)) {
                removed[class as usize].extend(verdict.map(|proof| Removed {
                    method: index,
                    pc: access.pc,
                    proof,
                }));
            }
            let elements = self.elements.of(method).iter();
            removed[class as usize].extend(elements.map(|&(pc, proof)| Removed {
                method: index,
                pc,
                proof,
            }));
        }
        for class in &mut removed {
            class.sort_unstable_by_key(|r| (r.method, r.pc));
        }
        removed
    }

    /// The accesses that stand for those that repeat them.
    fn repeats(&self) -> Vec<Vec<Repeat>> {
        let world = self.world;
        let mut repeats = vec![Vec::new(); world.facts.len()];
        for (method, body) in self.bodies() {
            let class = world.method(method).class;
            let verdicts = self.verdicts.of(method);
            let is_repeated =
                |verdict: &Option<Proof>| matches!(verdict, Some(Proof::Redundant | Proof::Updated));
            if !verdicts.iter().any(is_repeated) {
                continue;
            }
            let accesses: Vec<Access<'_>> = body.accesses().collect();
            for ((nth, verdict), access) in verdicts.iter().enumerate().zip(&accesses) {
                let stand_for_it = match (verdict, verdicts.get(nth + 1)) {
                    (Some(Proof::Redundant), _) => monitored_before(&accesses, verdicts, nth),
                    (Some(Proof::Updated), Some(None)) => {
                        accesses.get(nth + 1).iter().map(|next| next.pc).collect()
                    }
                    (Some(Proof::Updated), _) => monitored_before(&accesses, verdicts, nth + 1),
                    _ => continue,
                };
                let repeated_at = access.pc;
                repeats[class as usize].extend(stand_for_it.into_iter().map(|pc| Repeat {
                    method: world.method(method).index,
                    pc,
                    repeated_at,
                }));
            }
        }
        for class in &mut repeats {
            class.sort_unstable_by_key(|r| (r.method, r.pc, r.repeated_at));
        }
        repeats
    }

    fn threads(&self) -> Vec<(String, bool)> {
        let label = |m: MethodId| dotted(&self.world.method_label(m));
        let roots = self.roots.iter().flat_map(|roots| &roots.roots);
        roots.map(|r| (label(r.method), r.single)).collect()
    }

    /// Why each field with an access that stays may be shared, if that is more than that anybody may call.
    fn shared(&self, calls: &CallGraph, escape: &Escape<'_>) -> FxHashMap<(String, String, String), Shared> {
        let world = self.world;
        let mut shared = FxHashMap::default();
        let Some(roots) = &self.roots else {
            return shared;
        };
        let mut why = WhyShared::new(world, self.reach, calls, escape, roots);
        for (method, body) in self.bodies() {
            let class = world.method(method).class;
            let verdicts = self.verdicts.of(method);
            for (access, _) in body.accesses().zip(verdicts).filter(|(_, v)| v.is_none()) {
                let Some(field) = field_of(world, class, &access).filter(is_monitorable) else {
                    continue;
                };
                // Without a note there is only the class's initialiser.
                let Some(used) = self.fields.get(&field.key) else {
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

/// The pcs of the monitored accesses that this one repeats, perhaps by way of others that go themselves.
fn monitored_before(accesses: &[Access<'_>], verdicts: &[Option<Proof>], nth: usize) -> Vec<u32> {
    let mut seen = vec![nth];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&next) = seen.get(at) {
        at += 1;
        let cover = accesses.get(next).and_then(|access| access.covered);
        for by in cover.into_iter().flat_map(|cover| cover.by) {
            let by = by as usize;
            if seen.contains(&by) {
                continue;
            }
            match (verdicts.get(by), accesses.get(by)) {
                (Some(Some(_)), _) => seen.push(by),
                (Some(None), Some(access)) => found.push(access.pc),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Serialization and frameworks may set the field, or somebody by its name.
fn may_be_written_from_outside(world: &World, reach: &Reach, field: &FieldFound) -> bool {
    field.annotated
        || reach.is_constant(world.selector_name(field.key.1))
        || world.is_subtype_of(field.class, "java/io/Serializable")
        || world.has_missing_ancestor(field.class)
}

/// A handle, an updater or reflection may be made for it: its name is a string constant.
fn may_be_accessed_by_name(world: &World, reach: &Reach, field: &FieldFound) -> bool {
    let is_named = || field.annotated || reach.is_constant(world.selector_name(field.key.1));
    let mut met = reach.met.iter();
    met.any(|met| met.what == Unknown::WritesFields) && is_named()
}
