//! What is left when the objects and fields of all accesses are known: each class by itself, in parallel.

use super::judge::{Judge, field_of, is_monitorable};
use super::{Proof, Removed, Repeat};
use crate::leaks::callee_of;
use crate::packed::{Access, Body, Cover};
use crate::reach::Unknown;
use crate::rules::Redundant;
use crate::world::{ClassId, MethodId, Origin};
use racewire_classfile::access;
use rayon::prelude::*;

/// What a program's own code writes fields of any name with, as an access (jdk-sync.toml). Updaters, too, but of volatile
/// fields only.
const BY_NAME: [&str; 3] = [
    "java/lang/reflect/Field.",
    "java/lang/invoke/",
    "sun/misc/Unsafe.",
];

/// The verdicts on a class.
#[derive(Debug, Default)]
pub(super) struct Concluded {
    /// On the accesses of each method that has some, if somebody will ask why others stay.
    pub verdicts: Vec<(MethodId, Box<[Option<Proof>]>)>,
    /// Sorted.
    pub removed: Vec<Removed>,
    /// The accesses that stand for those that repeat them, sorted.
    pub repeats: Vec<Repeat>,
}

impl Judge<'_> {
    /// Of all classes of the program, in order.
    pub fn conclude(&self) -> Vec<Concluded> {
        let written_by_name = self.written_by_name();
        let classes = (0..self.world.facts.len() as ClassId).into_par_iter();
        classes
            .map(|class| self.conclude_class(class, written_by_name))
            .collect()
    }

    fn conclude_class(&self, class: ClassId, written_by_name: bool) -> Concluded {
        let mut concluded = Concluded::default();
        let mut verdicts = Vec::new();
        for (index, method) in (0..).zip(self.world.methods_of(class)) {
            let elements = self.elements.of(method).iter();
            let elements = elements.map(|&(pc, proof)| Removed {
                method: index,
                pc,
                proof,
            });
            concluded.removed.extend(elements);
            let known = self.verdicts.of(method);
            let Some(body) = self.world.body(method).filter(|_| !known.is_empty()) else {
                continue;
            };
            verdicts.clear();
            verdicts.extend_from_slice(known);
            self.by_field(class, body, written_by_name, &mut verdicts);
            self.by_order(method, body, &mut verdicts);
            self.by_update(body, &mut verdicts);
            let accesses = body.accesses().zip(&verdicts);
            let removed = accesses.filter_map(|(access, verdict)| {
                verdict.map(|proof| Removed {
                    method: index,
                    pc: access.pc,
                    proof,
                })
            });
            concluded.removed.extend(removed);
            repeats(index, body, &verdicts, &mut concluded.repeats);
            if self.roots.is_some() {
                concluded.verdicts.push((method, verdicts.as_slice().into()));
            }
        }
        concluded.removed.sort_unstable_by_key(|r| (r.method, r.pc));
        concluded
            .repeats
            .sort_unstable_by_key(|r| (r.method, r.pc, r.repeated_at));
        // Those of all classes are kept.
        concluded.removed.shrink_to_fit();
        concluded.repeats.shrink_to_fit();
        concluded
    }

    /// By what all accesses to a field have in common.
    fn by_field(
        &self,
        class: ClassId,
        body: Body<'_>,
        written_by_name: bool,
        verdicts: &mut [Option<Proof>],
    ) {
        for (access, verdict) in body.accesses().zip(verdicts) {
            if verdict.is_some() {
                continue;
            }
            let Some(field) = field_of(self.world, class, &access).filter(is_monitorable) else {
                continue;
            };
            // Without a note there is only the class's initialiser.
            let Some(used) = self.fields.get(field) else {
                continue;
            };
            let one_thread = !used.by_name && self.roots.as_ref().is_some_and(|r| !r.several(used.threads));
            let is_static = access.base.is_none();
            // Statics are published by their class's initialisation, in order. Others may be written by a name that
            // nobody can see here.
            let may_be_final = is_static || self.rules.before_publication && !written_by_name;
            if one_thread {
                *verdict = Some(Proof::OneThread);
            } else if !used.written && !used.never_final && may_be_final {
                *verdict = Some(Proof::EffectivelyFinal);
            }
        }
    }

    /// By what comes before in the same method.
    fn by_order(&self, method: MethodId, body: Body<'_>, verdicts: &mut [Option<Proof>]) {
        if self.rules.redundant == Redundant::Never {
            return;
        }
        for (nth, access) in body.accesses().enumerate() {
            if let Some(cover) = access.covered
                && verdicts[nth].is_none()
                && self.is_covered(method, verdicts, cover)
            {
                verdicts[nth] = Some(Proof::Redundant);
            }
        }
    }

    /// By what comes at once after it: an access that stays, or goes for an earlier one, which stands for both.
    fn by_update(&self, body: Body<'_>, verdicts: &mut [Option<Proof>]) {
        if !self.rules.updates {
            return;
        }
        for (nth, access) in body.accesses().enumerate() {
            if access.updated
                && let Some([read @ None, None | Some(Proof::Redundant)]) = verdicts.get_mut(nth..nth + 2)
            {
                *read = Some(Proof::Updated);
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

    fn is_covered(&self, method: MethodId, verdicts: &[Option<Proof>], mut cover: Cover<'_>) -> bool {
        if cover.acquires && self.rules.redundant < Redundant::NoRelease {
            return false;
        }
        let class = self.world.method(method).class;
        // It is monitored, or repeats an earlier one itself: then that came before in the same stretch.
        let stays = |by: u32| {
            let verdict = verdicts.get(by as usize);
            matches!(verdict, Some(None | Some(Proof::Redundant)))
        };
        let is_quiet = |op: u32| {
            callee_of(self.world, self.reach, method, op)
                .is_some_and(|id| !self.releases.call(self.world, self.reach, class, id))
        };
        let is_plain = |member: u32| {
            let (owner, _) = self.world.member_in(class, member);
            match self.world.field_in(class, member) {
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
}

/// The accesses that stand for those that repeat them.
fn repeats(index: u32, body: Body<'_>, verdicts: &[Option<Proof>], all: &mut Vec<Repeat>) {
    let is_repeated = |verdict: &Option<Proof>| matches!(verdict, Some(Proof::Redundant | Proof::Updated));
    if !verdicts.iter().any(is_repeated) {
        return;
    }
    let accesses: Vec<Access<'_>> = body.accesses().collect();
    for ((nth, verdict), access) in verdicts.iter().enumerate().zip(&accesses) {
        let stand_for_it = match (verdict, verdicts.get(nth + 1)) {
            (Some(Proof::Redundant), _) => monitored_before(&accesses, verdicts, nth),
            (Some(Proof::Updated), Some(None)) => accesses.get(nth + 1).iter().map(|next| next.pc).collect(),
            (Some(Proof::Updated), _) => monitored_before(&accesses, verdicts, nth + 1),
            _ => continue,
        };
        let repeated_at = access.pc;
        all.extend(stand_for_it.into_iter().map(|pc| Repeat {
            method: index,
            pc,
            repeated_at,
        }));
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
