//! What a woven class depends on, as one number. Two weavings of a class with the same fingerprint, under the same
//! [common ground](Ground), give the same bytes and the same account, so the second need not be made.
//!
//! Weaving looks at four things: the class itself, its plan (which has the verdicts, the numbering of sites and what is
//! followed), what the classes that it names look like from outside, with all above them, and what all classes have in
//! common. Where more cannot be told cheaply the fingerprint takes in too much rather than too little: then a class
//! is woven again for nothing.

use crate::code::{Class, tag};
use crate::plan::{ClassPlan, Plan, RefPlan};
use crate::program::{self, Program};
use racewire_analysis::cache::ClassHash;
use racewire_models::Models;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// What its bytes alone say of a class.
#[derive(Debug)]
pub struct Own {
    hash: ClassHash,
    /// Hashes of the names of the classes that it names.
    names: Box<[u64]>,
}

impl Own {
    pub fn of(hash: ClassHash, class: &Class<'_>) -> Own {
        let pool = &class.pool;
        let names = (1..pool.len() as u16)
            .filter(|&index| pool.tag(index) == tag::CLASS)
            .filter_map(|index| pool.class_name(index).ok())
            .filter(|name| !name.starts_with('['))
            .map(|name| xxh3_64(name.as_bytes()));
        Own {
            hash,
            names: names.collect(),
        }
    }
}

/// How a class of the program looks to those that name it: a hash of it and of all above it. `None` where that is a circle.
type Looks = FxHashMap<u64, Option<u64>>;

pub struct Fingerprints<'f> {
    plan: &'f Plan<'f>,
    own: Vec<Own>,
    program: &'f Program,
    looks: Looks,
    /// Of the classes with a `clone()` of their own: for a call it matters whether one is below the class it names.
    clones: u64,
}

impl<'f> Fingerprints<'f> {
    /// `own` and the plans are by index of the class in the program; `own` may be empty.
    pub fn new(program: &'f Program, plan: &'f Plan<'f>, own: Vec<Own>) -> Fingerprints<'f> {
        let looks = looks(program);
        let mut clones = Xxh3::new();
        for class in program.classes.iter().filter(|class| class.facts.declares_clone) {
            let name = xxh3_64(class.facts.name.as_bytes());
            (name, looks.get(&name)).hash(&mut clones);
        }
        Fingerprints {
            plan,
            own,
            program,
            looks,
            clones: clones.digest(),
        }
    }

    /// `None` for a class that must be woven each time, or of which nothing is known before its bytes are there.
    pub fn of(&self, id: usize) -> Option<u128> {
        self.of_own(id, self.own.get(id)?)
    }

    /// The same with the bytes of the class at hand.
    pub fn of_class(&self, id: usize, bytes: &[u8]) -> Option<u128> {
        match self.own.get(id) {
            Some(own) => self.of_own(id, own),
            None => self.of_own(
                id,
                &Own::of(ClassHash::of(bytes), &Class::parse_again(bytes).ok()?),
            ),
        }
    }

    fn of_own(&self, id: usize, own: &Own) -> Option<u128> {
        let mut hash = Xxh3::new();
        own.hash.hash(&mut hash);
        for name in &own.names {
            match self.looks.get(name) {
                Some(looks) => (*looks)?.hash(&mut hash),
                // The same in every program, but for what the common ground has.
                None => 0_u64.hash(&mut hash),
            }
        }
        if self.program.classes.get(id)?.facts.names_observed {
            self.clones.hash(&mut hash);
        }
        self.add_plan(self.plan.classes.get(id)?, &mut hash);
        Some(hash.digest128())
    }

    fn add_plan(&self, plan: &ClassPlan<'_>, hash: &mut Xxh3) {
        // By name, so that nothing new is forgotten here.
        let ClassPlan {
            refs,
            words,
            volatiles,
            order,
            removed,
            repeats,
            proofs,
            follows,
        } = plan;
        for reference in refs {
            match *reference {
                RefPlan::Monitored {
                    declared_in,
                    first_site,
                    sites,
                    field,
                } => {
                    let numbering = self.plan.numberings.get(field as usize);
                    (0_u8, declared_in, first_site, sites, numbering).hash(hash);
                }
                RefPlan::Ordering { declared_in } => (1_u8, declared_in).hash(hash),
                RefPlan::Left(reason) => (2_u8, reason).hash(hash),
            }
        }
        (words, volatiles, order).hash(hash);
        (removed, repeats, proofs, follows).hash(hash);
    }

    /// What all classes of this weaving depend on. `None` if even the program that weaves is not known.
    pub fn ground(&self, valid_for: &str, models: Option<&Models>, level: u8) -> Option<u128> {
        let mut hash = Xxh3::new();
        // Classes of archives are taken over as they were compressed.
        level.hash(&mut hash);
        program_stamp()?.hash(&mut hash);
        valid_for.hash(&mut hash);
        models.map(Models::digest).hash(&mut hash);
        // A class below one of the JDK, or one that only the models place, may come to classes of the program that its
        // users do not name.
        let classes = self.program.classes.iter().map(|class| class.facts.name.as_str());
        let mut far: Vec<&str> = classes.filter(|name| program::is_jdk_type(name)).collect();
        far.extend(models.into_iter().flat_map(Models::classes_with_parents));
        far.sort_unstable();
        for name in far {
            (name, self.looks.get(&xxh3_64(name.as_bytes()))).hash(&mut hash);
        }
        Some(hash.digest128())
    }
}

/// The program that weaves. During development the version stays while the weaver changes.
fn program_stamp() -> Option<impl Hash> {
    let program = std::env::current_exe().and_then(std::fs::metadata).ok()?;
    Some((env!("CARGO_PKG_VERSION"), program.len(), program.modified().ok()?))
}

fn looks(program: &Program) -> Looks {
    let mut looks = Looks::default();
    for class in &program.classes {
        look(program, &class.facts.name, &mut looks, 0);
    }
    looks
}

fn look(program: &Program, name: &str, looks: &mut Looks, depth: usize) -> Option<u64> {
    let key = xxh3_64(name.as_bytes());
    if let Some(known) = looks.get(&key) {
        return *known;
    }
    if program.definitions(name).next().is_none() {
        return Some(key);
    }
    if depth > program::MAX_DEPTH {
        return None;
    }
    // Who comes back here before it is known goes in a circle.
    looks.insert(key, None);
    let mut hash = Xxh3::new();
    key.hash(&mut hash);
    for class in program.definitions(name) {
        class.hash_looks(&mut hash);
        for parent in class.facts.superclass.iter().chain(&class.facts.interfaces) {
            look(program, parent, looks, depth + 1)?.hash(&mut hash);
        }
    }
    let digest = Some(hash.finish());
    looks.insert(key, digest);
    digest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan;
    use crate::program::ProgramClass;
    use crate::program::tests::class;
    use crate::scan::Constructor;

    /// The fingerprint of `User`, which names `Leaf`, in a program with these classes.
    fn of_user(others: Vec<ProgramClass>) -> Option<u128> {
        let mut user = class("User", "java/lang/Object", &[], &[]);
        user.facts.names_observed = true;
        let mut classes = vec![user];
        classes.extend(others);
        let program = Program::new(classes);
        let plan = plan::plan(&program, None, true);
        let own = program.classes.iter().map(|_| Own {
            hash: ClassHash::of(b""),
            names: Box::new([xxh3_64(b"Leaf")]),
        });
        let own = own.collect();
        Fingerprints::new(&program, &plan, own).of(0)
    }

    fn leaf() -> ProgramClass {
        class("Leaf", "Base", &[], &[("x", 0)])
    }

    fn base() -> ProgramClass {
        class("Base", "java/lang/Object", &[], &[])
    }

    #[test]
    fn what_is_not_seen_from_outside_changes_nothing() {
        let before = of_user(vec![leaf(), base()]);
        assert!(before.is_some());
        let mut other = leaf();
        other.facts.method_names.push("more()V");
        other.facts.fields.clear();
        let bystander = class("Bystander", "java/lang/Object", &[], &[]);
        assert_eq!(of_user(vec![other, base(), bystander]), before);
    }

    #[test]
    fn what_is_seen_of_a_class_or_above_it_changes_the_fingerprints_of_those_that_name_it() {
        let before = of_user(vec![leaf(), base()]);
        let with = |change: fn(&mut ProgramClass)| {
            let mut base = base();
            change(&mut base);
            vec![leaf(), base]
        };
        let changed = [
            with(|base| base.facts.superclass = Some("java/lang/Thread".into())),
            with(|base| {
                base.facts
                    .interfaces
                    .push("java/util/concurrent/locks/Lock".into())
            }),
            with(|base| base.woven = false),
            with(|base| base.facts.access ^= 1),
            with(|base| {
                base.facts.constructors.push(Constructor {
                    method: 0,
                    descriptor: "()V".into(),
                    facts: Default::default(),
                })
            }),
            with(|base| base.facts.method_names.push("<clinit>()V")),
            with(|base| base.facts.declares_clone = true),
            vec![leaf()],
            vec![leaf(), base(), base()],
            vec![leaf(), base(), {
                let mut below = class("Below", "Leaf", &[], &[]);
                below.facts.declares_clone = true;
                below
            }],
        ];
        for (nth, classes) in changed.into_iter().enumerate() {
            assert_ne!(of_user(classes), before, "{nth}");
        }
    }

    #[test]
    fn what_is_not_kept_of_a_class_is_found_in_its_bytes() {
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 5, 1, 0, 4];
        bytes.extend(b"Leaf");
        bytes.extend([7, 0, 1, 1, 0, 4]);
        bytes.extend(b"User");
        bytes.extend([7, 0, 3, 0, 0x21, 0, 4, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
        let program = Program::new(vec![class("User", "Leaf", &[], &[]), leaf(), base()]);
        let plan = plan::plan(&program, None, true);
        let own = || Own::of(ClassHash::of(&bytes), &Class::parse(&bytes).unwrap());
        let kept = Fingerprints::new(&program, &plan, vec![own()]);
        let not_kept = Fingerprints::new(&program, &plan, Vec::new());
        let known = kept.of(0);
        assert!(known.is_some() && kept.of_class(0, &bytes) == known);
        assert_eq!((not_kept.of(0), not_kept.of_class(0, &bytes)), (None, known));
    }

    #[test]
    fn a_class_that_names_a_circle_has_none() {
        assert_eq!(of_user(vec![class("Leaf", "Leaf", &[], &[])]), None);
    }
}
