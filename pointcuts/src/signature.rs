//! Whether a field, method or constructor matches a pattern.

use crate::ast::{MemberPattern, Parameter};
use crate::names::{Types, Viewpoint, glob};
use crate::shape::{MemberShape, Shape, World, access, ancestors};
use std::sync::Arc;

/// The types of a method's parameters.
pub fn parameters(descriptor: &str) -> Vec<&str> {
    let inside = descriptor
        .strip_prefix('(')
        .and_then(|d| d.split_once(')'))
        .map_or("", |(inside, _)| inside);
    let mut found = Vec::new();
    let mut rest = inside;
    while !rest.is_empty() {
        let dimensions = rest.len() - rest.trim_start_matches('[').len();
        let element = rest.get(dimensions..).unwrap_or_default();
        let length = match element.strip_prefix('L').and_then(|e| e.find(';')) {
            Some(end) => end + 2,
            None => element.chars().next().map_or(0, char::len_utf8),
        };
        let Some((first, others)) = rest.split_at_checked(dimensions + length.max(1)) else {
            return found;
        };
        found.push(first);
        rest = others;
    }
    found
}

pub(crate) fn result(descriptor: &str) -> &str {
    descriptor
        .rsplit_once(')')
        .map_or(descriptor, |(_, result)| result)
}

impl Types<'_> {
    /// The class above (or at) `owner` that declares the field.
    pub(crate) fn field(
        &self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Option<(Arc<Shape>, MemberShape)> {
        let (above, _) = ancestors(self.world, owner);
        above.into_iter().find_map(|class| {
            let field = class.field(name, descriptor)?.clone();
            Some((class, field))
        })
    }

    pub(crate) fn field_matches(&self, pattern: &MemberPattern, class: &Shape, field: &MemberShape) -> bool {
        glob(&pattern.name, &field.name)
            && self.declared_as(pattern, &class.name, field)
            && self.result_matches(pattern, &field.descriptor)
    }

    /// The method that `owner` has or inherits: superclasses before interfaces (JVMS 5.4.3.3). Its result may be
    /// another one than `descriptor` says, where a supertype declares it.
    pub(crate) fn method(
        &self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Option<(Arc<Shape>, MemberShape)> {
        let (above, _) = ancestors(self.world, owner);
        let takes = arguments(descriptor);
        let declares = |class: &&Arc<Shape>| declared(class, name, descriptor, takes).is_some();
        // An interface is no subclass of Object, though class files say so.
        let is_class = above.first().is_some_and(|first| !first.is_interface());
        let class = above
            .iter()
            .filter(|c| is_class && !c.is_interface())
            .find(declares);
        let class = class.or_else(|| above.iter().filter(|c| c.is_interface()).find(declares))?;
        let method = declared(class, name, descriptor, takes)?.clone();
        Some((class.clone(), method))
    }

    /// Whether a call of the method on `owner`, or its execution there, matches. What it takes, its modifiers, exceptions
    /// and annotations are those of the method that is meant; for its declaring type and its result `owner` and every
    /// supertype that knows the method have their say.
    pub(crate) fn method_matches(
        &self,
        pattern: &MemberPattern,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> bool {
        if pattern.is_constructor != (name == "<init>") || name == "<clinit>" {
            return false;
        }
        if !pattern.is_constructor && !glob(&pattern.name, name) {
            return false;
        }
        let Some((first, method)) = self.method(owner, name, descriptor) else {
            // Unknown: by what the reference says of itself.
            let unknown = MemberShape {
                name: name.to_owned(),
                descriptor: descriptor.to_owned(),
                ..MemberShape::default()
            };
            return pattern.modifiers.iter().all(|m| m.negated)
                && self.own_matches(pattern, &unknown)
                && self.declared_matches(pattern, owner, descriptor);
        };
        if !self.own_matches(pattern, &method) {
            return false;
        }
        if name == "<init>" {
            return first.name == owner && self.declared_matches(pattern, owner, &method.descriptor);
        }
        // JLS 8.4.8: these override nothing.
        let alone = method.access & (access::STATIC | access::PRIVATE) != 0;
        let known_as = overridden(&first, &method);
        let (above, _) = ancestors(self.world, owner);
        above.iter().any(|class| {
            known_as.iter().any(|descriptor| {
                let found = self.method(&class.name, name, descriptor);
                found.is_some_and(|(declaring, known)| {
                    let counts = declaring.name == first.name
                        || !alone && known.access & (access::STATIC | access::PRIVATE) == 0;
                    counts && self.declared_matches(pattern, &class.name, &known.descriptor)
                })
            })
        })
    }

    /// What only the method itself decides.
    fn own_matches(&self, pattern: &MemberPattern, method: &MemberShape) -> bool {
        let has = |flag: u16| method.access & flag != 0;
        let thrown = |wanted| {
            let mut all = method.throws.iter();
            all.any(|class| self.matches(wanted, &format!("L{class};")))
        };
        pattern.modifiers.iter().all(|m| has(m.flag) != m.negated)
            && self.annotated(&pattern.annotations, &method.annotations)
            && pattern
                .throws
                .iter()
                .all(|(negated, wanted)| thrown(wanted) != *negated)
            && pattern.parameters.as_ref().is_none_or(|wanted| {
                let takes_more = has(access::VARARGS);
                self.parameters_match(wanted, &parameters(&method.descriptor), takes_more)
            })
    }

    /// What each type that knows the method may decide.
    fn declared_matches(&self, pattern: &MemberPattern, declaring: &str, descriptor: &str) -> bool {
        let is_declared = |wanted| self.matches(wanted, &format!("L{declaring};"));
        pattern.declaring.as_ref().is_none_or(is_declared)
            && (pattern.is_constructor || self.result_matches(pattern, result(descriptor)))
    }

    fn declared_as(&self, pattern: &MemberPattern, declaring: &str, member: &MemberShape) -> bool {
        let has = |flag: u16| member.access & flag != 0;
        pattern.modifiers.iter().all(|m| has(m.flag) != m.negated)
            && self.annotated(&pattern.annotations, &member.annotations)
            && pattern
                .declaring
                .as_ref()
                .is_none_or(|wanted| self.matches(wanted, &format!("L{declaring};")))
    }

    fn result_matches(&self, pattern: &MemberPattern, descriptor: &str) -> bool {
        let wanted = pattern.result.as_ref();
        wanted.is_none_or(|wanted| self.matches(wanted, descriptor))
    }

    fn parameters_match(&self, wanted: &[Parameter], given: &[&str], takes_more: bool) -> bool {
        match (wanted.split_first(), given.split_first()) {
            (None, None) => true,
            (Some((Parameter::Rest, rest)), _) => (0..=given.len()).any(|skipped| {
                self.parameters_match(rest, given.get(skipped..).unwrap_or_default(), takes_more)
            }),
            (Some((Parameter::Type(pattern), rest)), Some((first, others))) => {
                self.matches(pattern, first) && self.parameters_match(rest, others, takes_more)
            }
            (Some((Parameter::Variable(pattern), _)), Some((first, []))) => {
                takes_more && self.matches(pattern, first)
            }
            _ => false,
        }
    }
}

/// `(I)` of `(I)V`
fn arguments(descriptor: &str) -> &str {
    descriptor
        .rsplit_once(')')
        .map_or(descriptor, |(arguments, _)| arguments)
}

/// The descriptors under which supertypes may know the method: its own, and those of its bridges (JLS 15.12.4.5), which
/// are there because a supertype's type parameters stand for something else here.
fn overridden(class: &Shape, method: &MemberShape) -> Vec<String> {
    let count = parameters(&method.descriptor).len();
    let bridges = class.methods.iter().filter(|m| {
        m.name == method.name && m.access & access::BRIDGE != 0 && parameters(&m.descriptor).len() == count
    });
    let bridges = bridges.map(|m| m.descriptor.clone());
    std::iter::once(method.descriptor.clone())
        .chain(bridges)
        .collect()
}

/// The very method; else one with the same parameters, but no bridge to it.
fn declared<'c>(class: &'c Shape, name: &str, descriptor: &str, takes: &str) -> Option<&'c MemberShape> {
    let same = |m: &&MemberShape| m.name == name && arguments(&m.descriptor) == takes;
    class.method(name, descriptor).or_else(|| {
        let mut candidates = class.methods.iter().filter(same);
        candidates.find(|m| m.access & access::SYNTHETIC == 0)
    })
}

/// The field that a reference means, and the class that declares it.
pub fn field_of(
    world: &dyn World,
    owner: &str,
    name: &str,
    descriptor: &str,
) -> Option<(Arc<Shape>, MemberShape)> {
    let from = &Viewpoint::default();
    Types { world, from }.field(owner, name, descriptor)
}

/// The same for methods.
pub fn method_of(
    world: &dyn World,
    owner: &str,
    name: &str,
    descriptor: &str,
) -> Option<(Arc<Shape>, MemberShape)> {
    let from = &Viewpoint::default();
    Types { world, from }.method(owner, name, descriptor)
}
