//! The whole program as the weaver sees it: every class of the input and of the class path by name, with
//! field resolution (JVMS 5.4.3.2) and the subtype questions the join points ask.
//!
//! A name may have several definitions (multi-release variants, the same class in two nested jars). Which one
//! the JVM will load is not known here, so an answer counts only where all definitions agree.

use crate::code::constructor::ConstructorFacts;
use crate::scan::{ClassFacts, FieldFacts};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::LazyLock;

/// Index of a definition in [`Program::classes`].
pub type ClassId = usize;

#[derive(Debug)]
pub struct ProgramClass {
    pub facts: ClassFacts,
    /// Part of the input and matched by the scope.
    pub in_scope: bool,
    /// In scope and weavable: gets words and hooks.
    pub woven: bool,
}

#[derive(Debug, Default)]
pub struct Program {
    pub classes: Vec<ProgramClass>,
    /// The first definition of each name.
    by_name: HashTable<ClassId>,
    /// For each definition, the next one of the same name.
    next: Vec<Option<ClassId>>,
}

/// Result of looking a field up.
#[derive(Debug, PartialEq, Eq)]
pub enum Resolved<'n> {
    /// Declared by the class of this name (in all its definitions).
    Declared(&'n str),
    /// The search left the program (JDK, missing library) before it found the field.
    Outside(&'n str),
    /// Definitions of one class disagree.
    Ambiguous(&'n str),
}

/// Guards against class files whose superclass chain is a circle.
pub(crate) const MAX_DEPTH: usize = 512;

impl Program {
    pub fn new(classes: Vec<ProgramClass>) -> Program {
        let name_of = |id: &ClassId| classes.get(*id).map_or("", |class| class.facts.name.as_str());
        let mut by_name = HashTable::with_capacity(classes.len());
        // The newest definition found so far of the name of each first one.
        let mut last: FxHashMap<ClassId, ClassId> = FxHashMap::default();
        let mut next = vec![None; classes.len()];
        for (id, class) in classes.iter().enumerate() {
            let name = &class.facts.name;
            match by_name.find(hash(name), |other| name_of(other) == name) {
                Some(first) => {
                    let previous = last.insert(*first, id).unwrap_or(*first);
                    if let Some(slot) = next.get_mut(previous) {
                        *slot = Some(id);
                    }
                }
                None => {
                    by_name.insert_unique(hash(name), id, |other| hash(name_of(other)));
                }
            }
        }
        Program {
            classes,
            by_name,
            next,
        }
    }

    pub fn definitions(&self, name: &str) -> impl Iterator<Item = &ProgramClass> {
        let class = |id: ClassId| self.classes.get(id);
        let is_named = |id: &ClassId| class(*id).is_some_and(|c| c.facts.name == name);
        let first = self.by_name.find(hash(name), is_named).copied();
        std::iter::successors(first, |id| self.next.get(*id).copied().flatten()).filter_map(class)
    }

    /// Whether a JVM can begin with the class (internal name); `None` if there is no such class.
    pub fn has_main(&self, name: &str) -> Option<bool> {
        self.definitions(name).next()?;
        let mut at = name;
        for _ in 0..MAX_DEPTH {
            let mut definitions = self.definitions(at).peekable();
            let Some(first) = definitions.peek().copied() else {
                // A superclass that we do not see may have one, but not in the JDK.
                return Some(!at.starts_with("java"));
            };
            if definitions.any(|class| class.facts.has_main) {
                return Some(true);
            }
            let Some(superclass) = &first.facts.superclass else {
                break;
            };
            at = superclass;
        }
        Some(false)
    }

    pub fn resolve_field<'n>(&'n self, owner: &'n str, name: &str, descriptor: &str) -> Resolved<'n> {
        self.resolve_at(owner, name, descriptor, 0)
    }

    fn resolve_at<'n>(&'n self, owner: &'n str, name: &str, descriptor: &str, depth: usize) -> Resolved<'n> {
        let mut answers = self.definitions(owner).map(|class| {
            if class.field(name, descriptor).is_some() {
                return Resolved::Declared(owner);
            }
            if depth > MAX_DEPTH {
                return Resolved::Outside(owner);
            }
            // JVMS 5.4.3.2: superinterfaces before the superclass. Only a hit counts there: an interface
            // outside the program holds constants, and an access to one of those resolves nowhere else.
            for interface in &class.facts.interfaces {
                if let hit @ Resolved::Declared(_) = self.resolve_at(interface, name, descriptor, depth + 1) {
                    return hit;
                }
            }
            match &class.facts.superclass {
                Some(superclass) => self.resolve_at(superclass, name, descriptor, depth + 1),
                None => Resolved::Outside(owner),
            }
        });
        let Some(first) = answers.next() else {
            return Resolved::Outside(owner);
        };
        if answers.all(|other| other == first) {
            first
        } else {
            Resolved::Ambiguous(owner)
        }
    }

    /// Whether `name` is `target` or below it, as far as the program shows. `target` is a JDK class or
    /// interface; the JDK's own hierarchy is that of the JDK at build time.
    pub fn is_subtype(&self, name: &str, target: &str) -> bool {
        self.is_subtype_at(name, target, 0)
    }

    fn is_subtype_at(&self, name: &str, target: &str, depth: usize) -> bool {
        if name == target {
            return true;
        }
        if depth > MAX_DEPTH {
            return false;
        }
        let mut definitions = self.definitions(name).peekable();
        if definitions.peek().is_none() {
            let mut parents = jdk_parents(name);
            return parents.any(|p| self.is_subtype_at(p, target, depth + 1));
        }
        definitions.all(|class| {
            let mut parents = class.facts.superclass.iter().chain(&class.facts.interfaces);
            parents.any(|p| self.is_subtype_at(p, target, depth + 1))
        })
    }

    /// The class and everything above it, nearest first, as far as it is known. Of several definitions of a class the
    /// first is asked; `declared` tells more supertypes of a class.
    pub fn ancestors<'p>(&'p self, name: &'p str, declared: impl Fn(&str) -> &'p [String]) -> Vec<&'p str> {
        let mut all = vec![name];
        let mut next = 0;
        while let Some(&name) = all.get(next).filter(|_| next < MAX_DEPTH) {
            let mut add = |parent: &'p str| {
                if !all.contains(&parent) {
                    all.push(parent);
                }
            };
            match self.definitions(name).next() {
                Some(class) => {
                    let parents = class.facts.superclass.iter().chain(&class.facts.interfaces);
                    parents.for_each(|p| add(p));
                }
                None => {
                    for parent in jdk_parents(name) {
                        add(parent);
                    }
                }
            }
            declared(name).iter().for_each(|p| add(p));
            next += 1;
        }
        all
    }

    /// Whether this constructor lets nobody see the object before it returns, nor does any that it calls.
    pub fn constructor_keeps_this(&self, owner: &str, descriptor: &str) -> bool {
        self.keeps_this_at(owner, descriptor, 0)
    }

    fn keeps_this_at(&self, owner: &str, descriptor: &str, depth: usize) -> bool {
        if QUIET_JDK_CONSTRUCTORS.contains(&owner) {
            return true;
        }
        let mut definitions = self.definitions(owner).peekable();
        depth <= MAX_DEPTH
            && definitions.peek().is_some()
            && definitions.all(|class| {
                let mut constructors = class.facts.constructors.iter();
                let constructor = constructors.find(|c| c.descriptor == descriptor);
                constructor.is_some_and(|c| {
                    let calls = c.facts.calls.as_ref();
                    !c.facts.leaks
                        && calls.is_some_and(|(owner, descriptor)| {
                            self.keeps_this_at(owner, descriptor, depth + 1)
                        })
                })
            })
    }

    /// The first class found missing above `name` (or that class itself), the JDK's aside.
    pub fn unknown_ancestor(&self, name: &str) -> Option<String> {
        self.unknown_ancestor_at(name, 0)
    }

    fn unknown_ancestor_at(&self, name: &str, depth: usize) -> Option<String> {
        if depth > MAX_DEPTH || is_jdk_class(name) || name.starts_with('[') {
            return None;
        }
        let mut definitions = self.definitions(name).peekable();
        if definitions.peek().is_none() {
            return Some(name.to_owned());
        }
        definitions.find_map(|class| {
            let mut parents = class.facts.superclass.iter().chain(&class.facts.interfaces);
            parents.find_map(|parent| self.unknown_ancestor_at(parent, depth + 1))
        })
    }

    /// Whether `clone()` of this class is `Object.clone`: no known class above it has one of its own.
    pub fn clone_is_objects(&self, name: &str) -> bool {
        let mut name = name;
        for _ in 0..MAX_DEPTH {
            if name == "java/lang/Object" {
                return true;
            }
            let Some(class) = self.definitions(name).next() else {
                return false;
            };
            if self.definitions(name).any(|c| c.facts.declares_clone) {
                return false;
            }
            match &class.facts.superclass {
                Some(superclass) => name = superclass,
                None => return false,
            }
        }
        false
    }

    /// Whether a known class below this one has a `clone()` of its own.
    pub fn clone_is_overridden(&self, name: &str) -> bool {
        self.classes
            .iter()
            .any(|c| c.facts.declares_clone && self.is_subtype(&c.facts.name, name))
    }

    /// Whether instances may be serialised: an ancestor says so, or an ancestor is not known.
    pub fn may_be_serializable(&self, class: &ClassFacts) -> bool {
        let mut pending: Vec<&str> = class
            .superclass
            .iter()
            .chain(&class.interfaces)
            .map(String::as_str)
            .collect();
        let mut steps = 0;
        while let Some(name) = pending.pop() {
            steps += 1;
            match name {
                "java/lang/Object" => continue,
                // JLS 8.9, 8.10; Java Object Serialization Specification 1.12, 1.13: enums and records have
                // no serialVersionUID of their own.
                "java/lang/Enum" | "java/lang/Record" => return false,
                "java/io/Serializable" | "java/io/Externalizable" => return true,
                _ => {}
            }
            match jdk_type_is_serializable(name) {
                Some(true) => return true,
                Some(false) => continue,
                None => {}
            }
            if steps > MAX_DEPTH || self.definitions(name).next().is_none() {
                return true;
            }
            for definition in self.definitions(name) {
                pending.extend(
                    definition
                        .facts
                        .superclass
                        .iter()
                        .chain(&definition.facts.interfaces)
                        .map(String::as_str),
                );
            }
        }
        false
    }
}

fn hash(name: &str) -> u64 {
    FxBuildHasher.hash_one(name)
}

impl ProgramClass {
    /// What the weaver may find out about the class when it weaves others: all that the answers above depend on, its
    /// parents' looks aside.
    pub fn hash_looks(&self, hash: &mut impl Hasher) {
        let facts = &self.facts;
        (&facts.superclass, &facts.interfaces, facts.access).hash(hash);
        (self.woven, facts.declares_clone).hash(hash);
        for constructor in &facts.constructors {
            let ConstructorFacts { leaks, calls, .. } = &constructor.facts;
            (&constructor.descriptor, leaks, calls).hash(hash);
        }
        // Code that names a static member of such a class learns that it is initialised.
        facts.has_initialiser().then_some(facts.static_members).hash(hash);
    }

    pub fn field(&self, name: &str, descriptor: &str) -> Option<&FieldFacts> {
        self.facts
            .fields
            .iter()
            .find(|f| *f.name == *name && *f.descriptor == *descriptor)
    }
}

/// What the build's JDK said of its own types (see `jdk/JdkTypes.java`): serializable or not, and the supertypes.
fn jdk_type(name: &str) -> Option<(bool, &'static str)> {
    static TYPES: LazyLock<FxHashMap<&str, (bool, &str)>> = LazyLock::new(|| {
        let lines = include_str!(concat!(env!("OUT_DIR"), "/jdk_types.txt")).lines();
        let parts = lines.filter_map(|line| line.split_once(' '));
        parts
            .map(|(mark, line)| {
                let (name, parents) = line.split_once(' ').unwrap_or((line, ""));
                (name, (mark == "+", parents))
            })
            .collect()
    });
    TYPES.get(name).copied()
}

pub(crate) fn is_jdk_type(name: &str) -> bool {
    jdk_type(name).is_some()
}

/// `None`: not a type of the JDK.
fn jdk_type_is_serializable(name: &str) -> Option<bool> {
    jdk_type(name).map(|(serializable, _)| serializable)
}

/// The supertypes of a type of the JDK.
fn jdk_parents(name: &str) -> impl Iterator<Item = &'static str> + use<> {
    jdk_type(name)
        .map_or("", |(_, parents)| parents)
        .split_whitespace()
}

/// A type of this JDK, or one of another version that only a JDK may define.
fn is_jdk_class(name: &str) -> bool {
    name.starts_with("java/") || jdk_type_is_serializable(name).is_some()
}

/// Superclasses of the JDK whose constructors do nothing but set fields of their own.
const QUIET_JDK_CONSTRUCTORS: [&str; 4] = [
    "java/lang/Object",
    "java/lang/Record",
    "java/lang/Enum",
    "java/lang/Number",
];

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::scan::RefFacts;

    pub(crate) fn class(
        name: &str,
        superclass: &str,
        interfaces: &[&str],
        fields: &[(&str, u16)],
    ) -> ProgramClass {
        ProgramClass {
            facts: ClassFacts {
                name: name.into(),
                superclass: Some(superclass.into()),
                interfaces: interfaces.iter().map(|&s| s.into()).collect(),
                access: 0x21,
                major: 61,
                pool_len: 100,
                method_names: ["run()V"].into_iter().collect(),
                accesses: Vec::new(),
                has_main: false,
                longest_method_name: 0,
                static_members: 0,
                declares_clone: false,
                fields: fields
                    .iter()
                    .map(|&(n, access)| FieldFacts {
                        name: n.into(),
                        descriptor: "I".into(),
                        access,
                    })
                    .collect(),
                constructors: Vec::new(),
                synchronizes: false,
                marks: [].into(),
                annotated: Vec::new(),
                names_observed: false,
                names_pipes: false,
                refs: Vec::<RefFacts>::new(),
                woven: false,
            },
            in_scope: true,
            woven: true,
        }
    }

    #[test]
    fn fields_are_found_up_the_hierarchy_and_shadowing_stops_the_search() {
        let program = Program::new(vec![
            class("Base", "java/lang/Object", &[], &[("x", 0), ("y", 0)]),
            class("Mid", "Base", &[], &[("x", 0)]),
            class("Leaf", "Mid", &[], &[]),
            class("Far", "java/util/ArrayList", &[], &[]),
        ]);
        assert_eq!(program.resolve_field("Leaf", "x", "I"), Resolved::Declared("Mid"));
        assert_eq!(
            program.resolve_field("Leaf", "y", "I"),
            Resolved::Declared("Base")
        );
        assert_eq!(
            program.resolve_field("Far", "z", "I"),
            Resolved::Outside("java/util/ArrayList")
        );
    }

    #[test]
    fn definitions_that_disagree_give_no_answer() {
        let program = Program::new(vec![
            class("A", "java/lang/Object", &[], &[("x", 0)]),
            class("A", "java/lang/Object", &[], &[]),
        ]);
        assert_eq!(program.resolve_field("A", "x", "I"), Resolved::Ambiguous("A"));
    }

    #[test]
    fn subtypes_run_through_the_program_into_the_jdk() {
        let program = Program::new(vec![
            class("Worker", "java/lang/Thread", &[], &[]),
            class("Fair", "java/util/concurrent/locks/ReentrantLock", &[], &[]),
            class("Loop", "Loop", &[], &[]),
        ]);
        assert!(program.is_subtype("Worker", "java/lang/Thread"));
        assert!(program.is_subtype("Fair", "java/util/concurrent/locks/Lock"));
        assert!(!program.is_subtype("Worker", "java/util/concurrent/locks/Lock"));
        assert!(!program.is_subtype("Loop", "java/lang/Thread"));
    }

    #[test]
    fn clone_is_followed_up_to_the_class_that_has_one() {
        let mut own = class("Own", "java/lang/Object", &[], &[]);
        own.facts.declares_clone = true;
        let program = Program::new(vec![
            own,
            class("Sub", "Own", &[], &[]),
            class("Plain", "java/lang/Object", &[], &[]),
            class("Lost", "org/missing/Thing", &[], &[]),
        ]);
        let answers = ["Own", "Sub", "Plain", "Lost"].map(|name| program.clone_is_objects(name));
        assert_eq!(answers, [false, false, true, false]);
    }

    #[test]
    fn serializable_is_inherited_and_assumed_where_an_ancestor_is_unknown() {
        let program = Program::new(vec![
            class("Lost", "java/lang/Object", &["org/missing/Thing"], &[]),
            class("Failure", "java/lang/RuntimeException", &[], &[]),
            class("Task", "java/lang/Object", &["java/lang/Runnable"], &[]),
            class("Sub", "Known", &[], &[]),
            class("Known", "java/lang/Object", &[], &[]),
            class("Color", "java/lang/Enum", &[], &[]),
        ]);
        let serializable: Vec<bool> = program
            .classes
            .iter()
            .map(|c| program.may_be_serializable(&c.facts))
            .collect();
        assert_eq!(serializable, [true, true, false, false, false, false]);
    }
}
