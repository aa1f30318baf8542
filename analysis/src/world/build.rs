//! From the facts of all classes to the world.

use super::members::{Fields, Linked, NO_FIELD};
use super::names::Interner;
use super::{
    Class, ClassId, Declarations, Declared, Definitions, FieldFound, Jdk, Method, MethodId, NameId, Origin,
    SelectorId, SharedNames, World,
};
use crate::packed::Packed;
use racewire_classfile::access;

impl World {
    /// With facts whose strings are numbers of `names`.
    pub fn of(mut facts: Vec<Box<Packed>>, names: SharedNames, jdk: Option<Jdk>) -> World {
        let count = facts.len();
        let names = names.in_order(facts.iter_mut().flat_map(|class| class.all_names()));
        let lambdas: usize = facts.iter().map(|class| class.lambdas().len()).sum();
        let methods: usize = facts.iter().map(|class| class.method_count()).sum();
        // What has to grow is there twice for a while: of a large program that is much.
        let mut world = World {
            constructor: None,
            initialiser: None,
            classes: Vec::with_capacity(2 * count + lambdas),
            methods: Vec::with_capacity(methods + lambdas),
            names,
            selectors: Interner::with_room(methods),
            by_name: Definitions::default(),
            fields: Fields::with_room(facts.iter().map(|class| class.fields.len()).sum()),
            first_method: Vec::with_capacity(count),
            first_lambda: Vec::with_capacity(count),
            facts,
        };
        for index in 0..count {
            world.add_program_class(index);
        }
        for index in 0..count {
            world.add_lambdas(index);
        }
        let headers = world.add_named_classes(jdk);
        world.by_name.sort();
        world.link(&headers);
        world.link_members();
        world.constructor = world.find_name("<init>");
        world.initialiser = world.find_name("<clinit>");
        world
    }

    fn intern(&mut self, name: &str) -> NameId {
        self.names.intern(name)
    }

    fn intern_selector(&mut self, name: NameId, descriptor: NameId) -> SelectorId {
        self.selectors.intern((name, descriptor))
    }

    fn add_program_class(&mut self, index: usize) {
        let class = self.classes.len() as ClassId;
        let facts = &mut self.facts[index];
        let (members, named, fields) = (
            std::mem::take(&mut facts.members),
            std::mem::take(&mut facts.names),
            std::mem::take(&mut facts.fields),
        );
        let facts = &self.facts[index];
        let selectors = &mut self.selectors;
        // Each becomes something of its own size: a list of them need not be made anew.
        let members = members.into_vec().into_iter();
        let members: Vec<Linked> = members
            .map(|member| Linked {
                owner: member.owner,
                selector: selectors.intern((member.name, member.descriptor)),
                field: NO_FIELD,
            })
            .collect();
        self.first_method.push(self.methods.len() as MethodId);
        let methods = &mut self.methods;
        let mut nth = 0;
        let named = named.into_vec().into_iter();
        let declared: Vec<(SelectorId, u32)> = named
            .map(|(name, descriptor)| {
                let selector = selectors.intern((name, descriptor));
                let method = methods.len() as MethodId;
                methods.push(Method {
                    class,
                    selector,
                    access: facts.method(nth).map_or(0, |body| body.access),
                });
                nth += 1;
                (selector, Declared::Body(method).coded())
            })
            .collect();
        let name = facts.name;
        for field in fields {
            let selector = selectors.intern((field.name, field.descriptor));
            self.fields.add(FieldFound {
                key: (name, selector),
                number: 0,
                class,
                access: field.access,
                annotated: field.annotated,
            });
        }
        self.by_name.add(name, class);
        self.classes.push(Class {
            name,
            origin: Origin::Program(index as u32),
            access: facts.access,
            superclass: facts.superclass,
            supers: Box::default(),
            superclasses: 0,
            declared: Declarations::of(declared),
            ancestors: Box::default(),
            members: members.into(),
        });
    }

    /// The classes of the lambdas of a class, right behind each other.
    fn add_lambdas(&mut self, index: usize) {
        let object = self.intern("java/lang/Object");
        self.first_lambda.push(self.classes.len() as ClassId);
        for nth in 0..self.facts[index].lambdas().len() {
            let lambda = &self.facts[index].lambdas()[nth];
            let class = self.classes.len() as ClassId;
            let method = self.methods.len() as MethodId;
            let name = self.name_in(index as ClassId, lambda.name);
            let mut declared = Vec::new();
            for descriptor in &lambda.descriptors {
                let descriptor = self.facts[index].string(*descriptor).unwrap_or_default();
                let selector = self.selectors.intern((name, descriptor));
                declared.push((selector, Declared::Body(method).coded()));
            }
            self.methods.push(Method {
                class,
                selector: declared.first().map_or(0, |(selector, _)| *selector),
                access: access::PUBLIC,
            });
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
                supers: Box::default(),
                superclasses: 0,
                declared: Declarations::of(declared),
                ancestors: Box::default(),
                members: Box::default(),
            });
        }
    }

    /// Whatever the program names and does not define: from the JDK, or missing. Gives the interfaces of each.
    fn add_named_classes(&mut self, mut jdk: Option<Jdk>) -> Vec<Box<[NameId]>> {
        let object = self.intern("java/lang/Object");
        let mut interfaces = Vec::new();
        let mut named = Vec::new();
        for class in (0..self.classes.len() as ClassId).rev() {
            self.named_by(class, &mut named);
            while let Some(name) = named.pop() {
                // As nearly all are by then.
                if !self.by_name.has(name) {
                    self.add_header(name, jdk.as_mut(), &mut interfaces);
                }
            }
        }
        self.add_header(object, jdk.as_mut(), &mut interfaces);
        interfaces
    }

    /// The classes that a class of the program names.
    fn named_by(&self, id: ClassId, named: &mut Vec<NameId>) {
        let class = self.class(id);
        named.extend(class.superclass);
        named.extend(class.members.iter().map(|member| member.owner));
        match class.origin {
            Origin::Program(index) => {
                named.extend(self.facts[index as usize].interfaces());
            }
            Origin::Lambda { class: maker, .. } => {
                let lambda = self.lambda(id).into_iter();
                let interfaces =
                    lambda.flat_map(|(lambda, _)| std::iter::once(&lambda.interface).chain(&lambda.markers));
                named.extend(interfaces.map(|interface| self.name_in(maker, *interface)));
            }
            Origin::Jdk | Origin::Missing => {}
        }
    }

    /// A class that the program does not define, and all above it.
    fn add_header(
        &mut self,
        name: NameId,
        mut jdk: Option<&mut Jdk>,
        all_interfaces: &mut Vec<Box<[NameId]>>,
    ) {
        let mut wanted = vec![name];
        while let Some(name) = wanted.pop() {
            if self.by_name.has(name) || self.name(name).starts_with('[') {
                continue;
            }
            let text = self.names.get(name).unwrap_or_default();
            let header = jdk.as_mut().and_then(|jdk| jdk.header(text));
            let origin = match header {
                Some(_) => Origin::Jdk,
                None => Origin::Missing,
            };
            let header = header.unwrap_or_default();
            self.by_name.add(name, self.classes.len() as ClassId);
            let superclass = header.superclass.map(|s| self.intern(&s));
            let interfaces: Box<[NameId]> = header.interfaces.iter().map(|i| self.intern(i)).collect();
            let mut declared = Vec::with_capacity(header.methods.len());
            for (name, descriptor, access) in &header.methods {
                let (name, descriptor) = (self.intern(name), self.intern(descriptor));
                let selector = self.intern_selector(name, descriptor);
                declared.push((selector, Declared::Header(*access).coded()));
            }
            wanted.extend(superclass);
            wanted.extend(&interfaces);
            all_interfaces.push(interfaces);
            self.classes.push(Class {
                name,
                origin,
                access: header.access,
                superclass,
                supers: Box::default(),
                superclasses: 0,
                declared: Declarations::of(declared),
                ancestors: Box::default(),
                members: Box::default(),
            });
        }
    }

    /// `headers`: the interfaces of the classes that have no facts, which come last.
    fn link(&mut self, headers: &[Box<[NameId]>]) {
        let first_header = self.classes.len() - headers.len();
        for id in 0..self.classes.len() {
            let header = id.checked_sub(first_header).and_then(|nth| headers.get(nth));
            let interfaces = header.map_or(&[][..], |interfaces| interfaces);
            let (supers, superclasses) = self.direct_supers(id as ClassId, interfaces);
            self.classes[id].supers = supers.into();
            self.classes[id].superclasses = superclasses;
        }
        let mut seen = vec![u32::MAX; self.classes.len()];
        let mut ancestors = Vec::new();
        for id in 0..self.classes.len() as u32 {
            ancestors.clear();
            ancestors.push(id);
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
            self.classes[id as usize].ancestors = ancestors.as_slice().into();
        }
    }

    fn direct_supers(&self, id: ClassId, interfaces: &[NameId]) -> (Vec<ClassId>, u32) {
        let class = self.class(id);
        let mut supers: Vec<ClassId> = Vec::new();
        if let Some(superclass) = class.superclass {
            supers.extend(self.definitions(superclass));
        }
        let superclasses = supers.len() as u32;
        match class.origin {
            Origin::Program(index) => {
                for &interface in self.facts[index as usize].interfaces() {
                    supers.extend(self.definitions(interface));
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
                for interface in interfaces {
                    supers.extend(self.definitions(*interface));
                }
            }
            Origin::Missing => {}
        }
        supers.retain(|s| *s != id);
        (supers, superclasses)
    }
}
