//! All classes by name: those of the program with their facts, a class for each lambda, and of the JDK those that the
//! program names, with their headers.
//!
//! A name may have several definitions in the program (multi-release variants, two nested jars): each is a class of
//! its own, and whoever names it may mean any of them.

mod build;
mod definitions;
mod jdk;
mod lookup;
mod members;
mod names;

use crate::facts::{ClassFacts, Lambda, MemberId, OpId, Str};
use crate::packed::{Body, Call, Packed};
use definitions::Definitions;
pub use jdk::{Header, Jdk};
pub use lookup::Found;
pub use members::{Declarations, Declared, FieldFound, FieldKey, FieldNumber};
use members::{Fields, Linked};
pub use names::SharedNames;
use names::{Interner, OrderedNames};
use racewire_classfile::access;

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

#[derive(Debug)]
pub struct Class {
    pub name: NameId,
    pub origin: Origin,
    pub access: u16,
    pub superclass: Option<NameId>,
    /// All definitions of the superclass, then those of the interfaces.
    pub supers: Box<[ClassId]>,
    pub superclasses: u32,
    pub declared: Declarations,
    /// The class itself and everything it is a subtype of.
    pub ancestors: Box<[ClassId]>,
    /// Facts' members; only of classes of the program.
    members: Box<[Linked]>,
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
    pub selector: SelectorId,
    pub access: u16,
}

pub struct World {
    /// Of the classes of the program, without their members.
    pub facts: Vec<Box<Packed>>,
    pub classes: Vec<Class>,
    pub methods: Vec<Method>,
    names: OrderedNames,
    selectors: Interner<(NameId, NameId)>,
    by_name: Definitions,
    fields: Fields,
    /// Of each class of the program: where its methods begin.
    first_method: Vec<MethodId>,
    /// Of each class of the program: the class of its first lambda.
    first_lambda: Vec<ClassId>,
    /// The names of constructors and of class initialisers, if there are any.
    constructor: Option<NameId>,
    initialiser: Option<NameId>,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("classes", &self.classes.len())
            .finish_non_exhaustive()
    }
}

impl World {
    pub fn new(facts: &[ClassFacts], jdk: Option<Jdk>) -> World {
        let names = SharedNames::default();
        let packed = facts.iter().map(|class| Packed::of(class, &names)).collect();
        World::of(packed, names, jdk)
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
        // Classes of the program come first, in the order of their facts.
        let facts = self.facts.get(class as usize);
        facts.and_then(|facts| facts.string(string)).unwrap_or_default()
    }

    /// Owner and selector of a member that facts of this class name.
    pub fn member_in(&self, class: ClassId, member: MemberId) -> (NameId, SelectorId) {
        let member = self.class(class).members.get(member as usize);
        member.map_or_else(Default::default, |member| (member.owner, member.selector))
    }

    /// The field that facts of this class name; `None` if the program does not declare it.
    pub fn field_in(&self, class: ClassId, member: MemberId) -> Option<&FieldFound> {
        let member = self.class(class).members.get(member as usize)?;
        self.fields.get(member.field)
    }

    /// One more than the largest number of a field.
    pub fn field_numbers(&self) -> usize {
        self.fields.count()
    }

    /// The methods of a class of the program, in the order of its facts.
    pub fn methods_of(&self, class: ClassId) -> std::ops::Range<MethodId> {
        let facts = self.facts.get(class as usize);
        let first = self.first_method.get(class as usize).copied().unwrap_or_default();
        first..first + facts.map_or(0, |facts| facts.method_count()) as MethodId
    }

    /// The place of a method in the facts of its class; 0 for the method of a lambda.
    pub fn index_in_class(&self, method: MethodId) -> u32 {
        let first = self.first_method.get(self.method(method).class as usize);
        first.map_or(0, |first| method - first)
    }

    /// The facts of a method's class, and its place there; `None` for the method of a lambda.
    fn facts_of(&self, method: MethodId) -> Option<(&Packed, u32)> {
        // Classes of the program come first, in the order of their facts.
        let facts = self.facts.get(self.method(method).class as usize)?;
        Some((facts, self.index_in_class(method)))
    }

    /// The facts of a method; `None` for the method of a lambda.
    pub fn body(&self, method: MethodId) -> Option<Body<'_>> {
        let (facts, index) = self.facts_of(method)?;
        facts.method(index)
    }

    /// A call in the facts of a method.
    pub fn call(&self, method: MethodId, op: OpId) -> Option<Call<'_>> {
        let (facts, index) = self.facts_of(method)?;
        facts.call(index, op)
    }

    /// The name by which the call number `op` of a method finds another, if it stands in the code.
    pub fn found_name(&self, method: MethodId, op: u32) -> Option<NameId> {
        let (facts, index) = self.facts_of(method)?;
        let finds = facts.finds();
        let at = finds.binary_search_by_key(&(index, op), |(method, op, _)| (*method, *op));
        let (.., name) = *finds.get(at.ok()?)?;
        Some(facts.string(name).unwrap_or_default())
    }

    /// The types (descriptors) by which the call number `op` of a method finds constructors, if they stand in the code.
    pub fn found_types(&self, method: MethodId, op: u32) -> Option<Vec<NameId>> {
        let (facts, index) = self.facts_of(method)?;
        let finds = facts.finds_types();
        let at = finds.binary_search_by_key(&(index, op), |(method, op, _)| (*method, *op));
        let (.., types) = finds.get(at.ok()?)?;
        let types = types.iter().map(|ty| facts.string(*ty).unwrap_or_default());
        Some(types.collect())
    }

    /// The lambda whose class this is, and the class whose facts name its parts.
    pub fn lambda(&self, class: ClassId) -> Option<(&Lambda, ClassId)> {
        match self.class(class).origin {
            Origin::Lambda { class, lambda } => {
                let facts = self.facts.get(class as usize)?;
                Some((facts.lambdas().get(lambda as usize)?, class as ClassId))
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
}
