//! Which method a name means (JVMS 5.4.3.3, 5.4.6), and what a class is.

use super::{ClassId, Declared, MethodId, NameId, Origin, SelectorId, World};
use racewire_classfile::access;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    Body(MethodId),
    /// A method of that class, which has no facts.
    Header(ClassId),
    /// The search met a class that is missing before it found anything.
    Missing,
    Nothing,
}

impl World {
    pub fn declared(&self, class: ClassId, selector: SelectorId) -> Option<Declared> {
        self.class(class).declared.find(selector)
    }

    pub fn is_abstract(&self, declared: Declared) -> bool {
        let flags = match declared {
            Declared::Body(method) => self.method(method).access,
            Declared::Header(flags) => flags,
        };
        flags & access::ABSTRACT != 0
    }

    /// The method that a call on an object of `class` reaches: the superclasses' first, then a default method.
    pub fn implementation(&self, class: ClassId, selector: SelectorId) -> Found {
        let mut at = class;
        for _ in 0..self.classes.len() {
            if let Some(declared) = self.declared(at, selector)
                && !self.is_abstract(declared)
            {
                return Self::found(at, declared);
            }
            if self.class(at).origin == Origin::Missing {
                return Found::Missing;
            }
            match self.class(at).supers.first() {
                Some(&parent) if self.class(at).superclasses > 0 => at = parent,
                _ => break,
            }
        }
        self.concrete_ancestor(class, selector)
    }

    fn found(class: ClassId, declared: Declared) -> Found {
        match declared {
            Declared::Body(method) => Found::Body(method),
            Declared::Header(_) => Found::Header(class),
        }
    }

    /// A default method: nearest first. (Where several are left the JVM would complain; any of them is as good.)
    fn concrete_ancestor(&self, class: ClassId, selector: SelectorId) -> Found {
        let mut missing = false;
        for &ancestor in &self.class(class).ancestors {
            if let Some(declared) = self.declared(ancestor, selector)
                && !self.is_abstract(declared)
            {
                return Self::found(ancestor, declared);
            }
            missing |= self.class(ancestor).origin == Origin::Missing;
        }
        if missing { Found::Missing } else { Found::Nothing }
    }

    /// What the name `owner.selector` stands for, abstract methods too; one answer for each definition of `owner`.
    pub fn resolve(&self, owner: NameId, selector: SelectorId) -> Vec<Found> {
        self.definitions(owner)
            .iter()
            .map(|&class| {
                let mut missing = false;
                for &ancestor in &self.class(class).ancestors {
                    if let Some(declared) = self.declared(ancestor, selector) {
                        return Self::found(ancestor, declared);
                    }
                    missing |= self.class(ancestor).origin == Origin::Missing;
                }
                if missing { Found::Missing } else { Found::Nothing }
            })
            .collect()
    }

    pub fn is_subtype_of(&self, class: ClassId, name: &str) -> bool {
        let Some(name) = self.find_name(name) else {
            return false;
        };
        let ancestors = &self.class(class).ancestors;
        ancestors.iter().any(|&a| self.class(a).name == name)
    }

    /// Some ancestor is not known: it may be anything.
    pub fn has_missing_ancestor(&self, class: ClassId) -> bool {
        let ancestors = &self.class(class).ancestors;
        ancestors.iter().any(|&a| self.class(a).origin == Origin::Missing)
    }

    /// Code that we do not see may call the method, because it overrides one of a class we do not see into.
    pub fn overrides_outside(&self, class: ClassId, selector: SelectorId) -> bool {
        self.class(class).ancestors.iter().any(|&ancestor| {
            let ancestor_class = self.class(ancestor);
            match ancestor_class.origin {
                Origin::Jdk => match self.declared(ancestor, selector) {
                    Some(Declared::Header(flags)) => flags & (access::PRIVATE | access::STATIC) == 0,
                    _ => false,
                },
                Origin::Missing => true,
                Origin::Program(_) | Origin::Lambda { .. } => false,
            }
        })
    }
}
