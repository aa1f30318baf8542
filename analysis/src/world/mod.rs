//! All classes by name: those of the program with their facts, a class for each lambda, and of the JDK those that the
//! program names, with their headers.
//!
//! A name may have several definitions in the program (multi-release variants, two nested jars): each is a class of
//! its own, and whoever names it may mean any of them.

mod definitions;
mod jdk;
mod lookup;
mod names;

use crate::facts::{ClassFacts, Lambda, Member, MemberId, OpId, Str};
use crate::packed::{Body, Call, Packed};
use definitions::Definitions;
pub use jdk::{Header, Jdk};
pub use lookup::{FieldFound, FieldKey, Found};
use names::{Interner, OrderedNames};
pub use names::{Numbered, SharedNames};
use racewire_classfile::access;
use rustc_hash::FxHashMap;

pub type NameId = u32;
pub type SelectorId = u32;
pub type ClassId = u32;
pub type MethodId = u32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Index in [`World::facts`].
    Program(u32),
    /// Made by the `invokedynamic` number `lambda` of that class.
    Lambda {
        class: u32,
        lambda: u32,
    },
    Jdk,
    /// Neither the program nor the JDK has it: anything may be in it.
    Missing,
}

#[derive(Debug, Clone, Copy)]
pub enum Declared {
    Body(MethodId),
    /// In a class without facts, with these access flags.
    Header(u16),
}

#[derive(Debug)]
pub struct Class {
    pub name: NameId,
    pub origin: Origin,
    pub access: u16,
    pub superclass: Option<NameId>,
    /// All definitions of the superclass, then those of the interfaces.
    pub supers: Vec<ClassId>,
    pub superclasses: u32,
    /// Sorted by selector.
    pub declared: Vec<(SelectorId, Declared)>,
    /// The class itself and everything it is a subtype of.
    pub ancestors: Vec<ClassId>,
    /// Facts' strings as names; only of classes of the program.
    names: Box<[NameId]>,
    /// Facts' members: owner and selector.
    members: Vec<(NameId, SelectorId)>,
}

impl Class {
    pub fn is_program(&self) -> bool {
        matches!(self.origin, Origin::Program(_) | Origin::Lambda { .. })
    }

    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Method {
    pub class: ClassId,
    /// In the facts of its class.
    pub index: u32,
    pub selector: SelectorId,
    pub access: u16,
}

pub struct World {
    /// Of the classes of the program, without their members.
    pub facts: Vec<Packed>,
    pub classes: Vec<Class>,
    pub methods: Vec<Method>,
    names: OrderedNames,
    selectors: Interner<(NameId, NameId)>,
    by_name: Definitions,
    /// Fields that classes of the program declare: access flags, and whether they are annotated.
    fields: FxHashMap<(ClassId, SelectorId), (u16, bool)>,
    /// Of each class of the program: the class of its first lambda.
    first_lambda: Vec<ClassId>,
    /// The names of constructors and of class initialisers, if there are any.
    constructor: Option<NameId>,
    initialiser: Option<NameId>,
    jdk: Option<Jdk>,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("classes", &self.classes.len())
            .finish_non_exhaustive()
    }
}

/// The strings of all facts as numbers.
#[derive(Debug, Default)]
pub struct Names {
    pub all: SharedNames,
    /// Class by class, in the order of its strings.
    pub of_classes: Vec<Numbered>,
}

impl World {
    pub fn new(facts: &[ClassFacts], jdk: Option<Jdk>) -> World {
        let all = SharedNames::default();
        let of_classes = facts.iter().map(|class| all.number(&class.strings)).collect();
        let packed = facts.iter().map(Packed::of).collect();
        World::of(packed, Names { all, of_classes }, jdk)
    }

    /// With facts whose strings have numbers already.
    pub fn of(facts: Vec<Packed>, mut names: Names, jdk: Option<Jdk>) -> World {
        let count = facts.len();
        let all = names.all.in_order(&mut names.of_classes);
        let mut world = World {
            constructor: None,
            initialiser: None,
            facts,
            classes: Vec::with_capacity(count * 2),
            methods: Vec::new(),
            names: all,
            selectors: Interner::default(),
            by_name: Definitions::default(),
            fields: FxHashMap::default(),
            first_lambda: Vec::with_capacity(count),
            jdk,
        };
        for (index, names) in names.of_classes.into_iter().enumerate().take(count) {
            world.add_program_class(index, names);
        }
        for index in 0..count {
            world.add_lambdas(index);
        }
        world.add_named_classes();
        world.by_name.sort();
        world.link();
        world.constructor = world.find_name("<init>");
        world.initialiser = world.find_name("<clinit>");
        world
    }

    /// How many names there are.
    pub fn names(&self) -> usize {
        self.names.count()
    }

    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id).unwrap_or_default()
    }

    pub fn class_name(&self, class: ClassId) -> &str {
        self.name(self.class(class).name)
    }

    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id as usize]
    }

    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id as usize]
    }

    pub fn definitions(&self, name: NameId) -> &[ClassId] {
        self.by_name.of(name)
    }

    pub fn find_name(&self, name: &str) -> Option<NameId> {
        self.names.find(name)
    }

    /// Name and descriptor.
    pub fn selector(&self, id: SelectorId) -> (&str, &str) {
        self.selectors.get(id).map_or(("", ""), |&(name, descriptor)| {
            (self.name(name), self.name(descriptor))
        })
    }

    /// The name of a member, without its descriptor.
    pub fn selector_name(&self, id: SelectorId) -> NameId {
        self.selectors.get(id).map_or(0, |&(name, _)| name)
    }

    pub fn is_constructor(&self, id: SelectorId) -> bool {
        self.constructor == Some(self.selector_name(id))
    }

    /// Whether it initialises a class.
    pub fn is_initialiser(&self, id: SelectorId) -> bool {
        self.initialiser == Some(self.selector_name(id))
    }

    pub fn find_selector(&self, name: &str, descriptor: &str) -> Option<SelectorId> {
        let pair = (self.find_name(name)?, self.find_name(descriptor)?);
        self.selectors.find(pair)
    }

    /// The name that facts of this class call by that number.
    pub fn name_in(&self, class: ClassId, string: Str) -> NameId {
        self.class(class)
            .names
            .get(string as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Owner and selector of a member that facts of this class name.
    pub fn member_in(&self, class: ClassId, member: MemberId) -> (NameId, SelectorId) {
        let members = &self.class(class).members;
        members.get(member as usize).copied().unwrap_or_default()
    }

    /// The facts of a method; `None` for the method of a lambda.
    pub fn body(&self, method: MethodId) -> Option<Body<'_>> {
        let method = self.method(method);
        match self.class(method.class).origin {
            Origin::Program(index) => self.facts.get(index as usize)?.method(method.index),
            _ => None,
        }
    }

    /// A call in the facts of a method.
    pub fn call(&self, method: MethodId, op: OpId) -> Option<Call<'_>> {
        let method = self.method(method);
        match self.class(method.class).origin {
            Origin::Program(index) => self.facts.get(index as usize)?.call(method.index, op),
            _ => None,
        }
    }

    /// The name by which the call number `op` of a method finds another, if it stands in the code.
    pub fn found_name(&self, method: MethodId, op: u32) -> Option<NameId> {
        let method = self.method(method);
        let Origin::Program(facts) = self.class(method.class).origin else {
            return None;
        };
        let finds = &self.facts.get(facts as usize)?.finds;
        let at = finds.binary_search_by_key(&(method.index, op), |(method, op, _)| (*method, *op));
        let (.., name) = *finds.get(at.ok()?)?;
        Some(self.name_in(method.class, name))
    }

    /// The types (descriptors) by which the call number `op` of a method finds constructors, if they stand in the code.
    pub fn found_types(&self, method: MethodId, op: u32) -> Option<Vec<NameId>> {
        let method = self.method(method);
        let Origin::Program(facts) = self.class(method.class).origin else {
            return None;
        };
        let finds = &self.facts.get(facts as usize)?.finds_types;
        let at = finds.binary_search_by_key(&(method.index, op), |(method, op, _)| (*method, *op));
        let (.., types) = finds.get(at.ok()?)?;
        Some(types.iter().map(|ty| self.name_in(method.class, *ty)).collect())
    }

    /// The lambda whose class this is, and the class whose facts name its parts.
    pub fn lambda(&self, class: ClassId) -> Option<(&Lambda, ClassId)> {
        match self.class(class).origin {
            Origin::Lambda { class, lambda } => {
                let facts = self.facts.get(class as usize)?;
                Some((facts.lambdas.get(lambda as usize)?, class as ClassId))
            }
            _ => None,
        }
    }

    /// The class of the lambda number `lambda` of a class of the program.
    pub fn lambda_class(&self, class: ClassId, lambda: u32) -> Option<ClassId> {
        let made = self.first_lambda.get(class as usize)? + lambda;
        self.lambda(made)
            .filter(|(_, maker)| *maker == class)
            .map(|_| made)
    }

    /// `com/acme/Foo.bar(I)V`
    pub fn method_label(&self, method: MethodId) -> String {
        let method = self.method(method);
        let (name, descriptor) = self.selector(method.selector);
        format!("{}.{name}{descriptor}", self.class_name(method.class))
    }

    fn intern(&mut self, name: &str) -> NameId {
        self.names.intern(name)
    }

    fn intern_selector(&mut self, name: NameId, descriptor: NameId) -> SelectorId {
        self.selectors.intern((name, descriptor))
    }

    /// `names` are the numbers of its strings.
    fn add_program_class(&mut self, index: usize, names: Box<[NameId]>) {
        let mut facts = std::mem::take(&mut self.facts[index]);
        let name_of = |s: Str| names.get(s as usize).copied().unwrap_or_default();
        let named: Box<[Member]> = std::mem::take(&mut facts.members);
        let mut members = Vec::with_capacity(named.len());
        for member in named {
            let selector = self.intern_selector(name_of(member.name), name_of(member.descriptor));
            members.push((name_of(member.owner), selector));
        }
        let class = self.classes.len() as ClassId;
        let mut declared = Vec::with_capacity(facts.method_count());
        let named = std::mem::take(&mut facts.names);
        for (nth, (method, (name, descriptor))) in facts.methods().zip(named).enumerate() {
            let selector = self.intern_selector(name_of(name), name_of(descriptor));
            declared.push((selector, Declared::Body(self.methods.len() as MethodId)));
            self.methods.push(Method {
                class,
                index: nth as u32,
                selector,
                access: method.access,
            });
        }
        for field in std::mem::take(&mut facts.fields) {
            let selector = self.intern_selector(name_of(field.name), name_of(field.descriptor));
            self.fields
                .insert((class, selector), (field.access, field.annotated));
        }
        declared.sort_unstable_by_key(|(selector, _)| *selector);
        let name = name_of(facts.name);
        self.by_name.add(name, class);
        self.classes.push(Class {
            name,
            origin: Origin::Program(index as u32),
            access: facts.access,
            superclass: facts.superclass.map(name_of),
            supers: Vec::new(),
            superclasses: 0,
            declared,
            ancestors: Vec::new(),
            names,
            members,
        });
        self.facts[index] = facts;
    }

    /// The classes of the lambdas of a class, right behind each other.
    fn add_lambdas(&mut self, index: usize) {
        let object = self.intern("java/lang/Object");
        self.first_lambda.push(self.classes.len() as ClassId);
        let lambdas = std::mem::take(&mut self.facts[index].lambdas);
        for (nth, lambda) in lambdas.iter().enumerate() {
            let class = self.classes.len() as ClassId;
            let method = self.methods.len() as MethodId;
            let name = self.name_in(index as ClassId, lambda.name);
            let mut declared = Vec::new();
            for descriptor in &lambda.descriptors {
                let descriptor = self.name_in(index as ClassId, *descriptor);
                let selector = self.intern_selector(name, descriptor);
                declared.push((selector, Declared::Body(method)));
            }
            self.methods.push(Method {
                class,
                index: 0,
                selector: declared.first().map_or(0, |(selector, _)| *selector),
                access: access::PUBLIC,
            });
            declared.sort_unstable_by_key(|(selector, _)| *selector);
            let label = format!("{}$$lambda{nth}", self.class_name(index as ClassId));
            let name = self.intern(&label);
            self.by_name.add(name, class);
            self.classes.push(Class {
                name,
                origin: Origin::Lambda {
                    class: index as u32,
                    lambda: nth as u32,
                },
                access: access::FINAL,
                superclass: Some(object),
                supers: Vec::new(),
                superclasses: 0,
                declared,
                ancestors: Vec::new(),
                names: Box::default(),
                members: Vec::new(),
            });
        }
        self.facts[index].lambdas = lambdas;
    }

    /// Whatever the program names and does not define: from the JDK, or missing.
    fn add_named_classes(&mut self) {
        let mut wanted: Vec<NameId> = vec![self.intern("java/lang/Object")];
        for class in &self.classes {
            wanted.extend(class.superclass);
            wanted.extend(class.members.iter().map(|(owner, _)| *owner));
            match class.origin {
                Origin::Program(index) => {
                    let facts = &self.facts[index as usize];
                    let name_of = |s: &Str| class.names.get(*s as usize).copied();
                    wanted.extend(facts.interfaces.iter().filter_map(name_of));
                }
                Origin::Lambda { class, lambda } => {
                    let facts = &self.facts[class as usize];
                    let names = &self.classes[class as usize].names;
                    if let Some(lambda) = facts.lambdas.get(lambda as usize) {
                        let interfaces = std::iter::once(&lambda.interface).chain(&lambda.markers);
                        wanted.extend(interfaces.filter_map(|s| names.get(*s as usize).copied()));
                    }
                }
                Origin::Jdk | Origin::Missing => {}
            }
        }
        while let Some(name) = wanted.pop() {
            if self.by_name.has(name) || self.name(name).starts_with('[') {
                continue;
            }
            let header = {
                let text = self.names.get(name).unwrap_or_default();
                self.jdk.as_mut().and_then(|jdk| jdk.header(text))
            };
            self.add_header(name, header, &mut wanted);
        }
    }

    fn add_header(&mut self, name: NameId, header: Option<Header>, wanted: &mut Vec<NameId>) {
        let class = self.classes.len() as ClassId;
        self.by_name.add(name, class);
        let origin = if header.is_some() {
            Origin::Jdk
        } else {
            Origin::Missing
        };
        let header = header.unwrap_or_default();
        let superclass = header.superclass.map(|s| self.intern(&s));
        let interfaces: Vec<NameId> = header.interfaces.iter().map(|i| self.intern(i)).collect();
        let mut declared = Vec::with_capacity(header.methods.len());
        for (name, descriptor, access) in &header.methods {
            let (name, descriptor) = (self.intern(name), self.intern(descriptor));
            declared.push((self.intern_selector(name, descriptor), Declared::Header(*access)));
        }
        declared.sort_unstable_by_key(|(selector, _)| *selector);
        wanted.extend(superclass);
        wanted.extend(&interfaces);
        self.classes.push(Class {
            name,
            origin,
            access: header.access,
            superclass,
            supers: Vec::new(),
            superclasses: 0,
            declared,
            ancestors: Vec::new(),
            // The interfaces wait here for `link`.
            names: interfaces.into(),
            members: Vec::new(),
        });
    }

    fn link(&mut self) {
        for id in 0..self.classes.len() {
            let (supers, superclasses) = self.direct_supers(id as ClassId);
            self.classes[id].supers = supers;
            self.classes[id].superclasses = superclasses;
        }
        let mut seen = vec![u32::MAX; self.classes.len()];
        for id in 0..self.classes.len() as u32 {
            let mut ancestors = vec![id];
            seen[id as usize] = id;
            let mut at = 0;
            while let Some(&next) = ancestors.get(at) {
                at += 1;
                for &parent in &self.classes[next as usize].supers {
                    if std::mem::replace(&mut seen[parent as usize], id) != id {
                        ancestors.push(parent);
                    }
                }
            }
            self.classes[id as usize].ancestors = ancestors;
        }
    }

    fn direct_supers(&self, id: ClassId) -> (Vec<ClassId>, u32) {
        let class = self.class(id);
        let mut supers: Vec<ClassId> = Vec::new();
        if let Some(superclass) = class.superclass {
            supers.extend(self.definitions(superclass));
        }
        let superclasses = supers.len() as u32;
        match class.origin {
            Origin::Program(index) => {
                for &interface in &self.facts[index as usize].interfaces {
                    supers.extend(self.definitions(self.name_in(id, interface)));
                }
            }
            Origin::Lambda { class: maker, .. } => {
                if let Some((lambda, _)) = self.lambda(id) {
                    for &interface in std::iter::once(&lambda.interface).chain(&lambda.markers) {
                        supers.extend(self.definitions(self.name_in(maker, interface)));
                    }
                }
            }
            Origin::Jdk => {
                for &interface in &class.names {
                    supers.extend(self.definitions(interface));
                }
            }
            Origin::Missing => {}
        }
        supers.retain(|s| *s != id);
        (supers, superclasses)
    }
}
