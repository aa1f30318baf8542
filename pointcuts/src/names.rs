//! Whether the name of a class matches a pattern, as AspectJ has it: `*` is any part of one name, `..` any number of
//! packages; a nested class is one more name behind a dot; names of `java.lang` and of the own package go without
//! theirs.

use crate::ast::{AnnotationPattern, NamePattern, TypePattern};
use crate::shape::{Shape, World, ancestors};

/// From where a pattern looks at names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Viewpoint {
    /// The package of the monitor, dotted; empty for expressions of the command line.
    pub package: String,
}

pub(crate) struct Types<'w> {
    pub world: &'w dyn World,
    pub from: &'w Viewpoint,
}

/// `*` stands for any characters.
pub(crate) fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    true
}

/// `names` are the parts between dots of the name at hand.
fn parts_match(pattern: &[Option<&str>], names: &[&str]) -> bool {
    match (pattern.split_first(), names.split_first()) {
        (None, None) => true,
        (Some((None, rest)), _) => {
            (0..=names.len()).any(|skipped| parts_match(rest, names.get(skipped..).unwrap_or_default()))
        }
        (Some((Some(part), rest)), Some((name, names))) => glob(part, name) && parts_match(rest, names),
        _ => false,
    }
}

fn split(dotted: &str) -> Vec<&str> {
    dotted.split(['.', '$', '/']).filter(|p| !p.is_empty()).collect()
}

/// A type's name without brackets, and its dimensions.
pub(crate) fn element(descriptor: &str) -> (String, usize) {
    let element = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - element.len();
    let name = match element {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        "V" => "void",
        class => {
            let class = class
                .strip_prefix('L')
                .and_then(|c| c.strip_suffix(';'))
                .unwrap_or(class);
            return (class.to_owned(), dimensions);
        }
    };
    (name.to_owned(), dimensions)
}

impl Types<'_> {
    /// `name`: internal or dotted.
    pub(crate) fn name_matches(&self, pattern: &NamePattern, name: &str) -> bool {
        let written: Vec<Option<&str>> = pattern
            .parts
            .iter()
            .flat_map(|part| match part {
                // A name, but no pattern, may be that of a nested class as class files have it.
                Some(part) if !part.contains('*') => {
                    part.split('$').filter(|p| !p.is_empty()).map(Some).collect()
                }
                Some(part) => vec![Some(part.as_str())],
                None => vec![None],
            })
            .collect();
        let names = split(name);
        if parts_match(&written, &names) {
            return true;
        }
        ["java.lang", &self.from.package]
            .into_iter()
            .filter(|package| !package.is_empty())
            .any(|package| {
                let prefix = split(package);
                names.starts_with(&prefix)
                    && parts_match(&written, names.get(prefix.len()..).unwrap_or_default())
            })
    }

    /// Whether the type matches; a descriptor.
    pub(crate) fn matches(&self, pattern: &TypePattern, descriptor: &str) -> bool {
        match pattern {
            TypePattern::And(a, b) => self.matches(a, descriptor) && self.matches(b, descriptor),
            TypePattern::Or(a, b) => self.matches(a, descriptor) || self.matches(b, descriptor),
            TypePattern::Not(inner) => !self.matches(inner, descriptor),
            TypePattern::Annotated(annotations, inner) => {
                let class = class_of(descriptor);
                let shape = class.and_then(|name| self.world.shape(name));
                let has = shape.map(|shape| shape.annotations.clone()).unwrap_or_default();
                self.annotated(annotations, &has) && self.matches(inner, descriptor)
            }
            TypePattern::Name {
                name,
                subtypes,
                dimensions,
            } => self.named(name, *subtypes, *dimensions, descriptor),
        }
    }

    fn named(&self, pattern: &NamePattern, subtypes: bool, dimensions: usize, descriptor: &str) -> bool {
        if pattern.is_star() && dimensions == 0 && !subtypes {
            return true;
        }
        let (element, of_type) = element(descriptor);
        if dimensions == of_type {
            let class = self.world.shape(&element);
            let anonymous = class.as_ref().is_some_and(|c| c.is_anonymous);
            if self.class_matches(pattern, &element, anonymous) {
                return true;
            }
            return subtypes
                && ancestors(self.world, &element)
                    .0
                    .iter()
                    .flat_map(|shape| std::iter::once(&shape.name).chain(shape.parents()))
                    .any(|name| self.class_matches(pattern, name, false));
        }
        if dimensions == 0 && of_type > 0 {
            // A star may stand for brackets, too.
            let name = format!("{element}{}", "[]".repeat(of_type));
            return pattern.exact().is_none() && self.name_matches(pattern, &name);
        }
        false
    }

    /// A class without a name is matched by a star only.
    fn class_matches(&self, pattern: &NamePattern, name: &str, anonymous: bool) -> bool {
        let star_last = matches!(pattern.parts.last(), Some(Some(last)) if last == "*");
        (!anonymous || star_last) && self.name_matches(pattern, name)
    }

    /// Whether code of the class is within the pattern: the class itself or one around it.
    pub(crate) fn within(&self, pattern: &TypePattern, class: &Shape) -> bool {
        let mut name = class.name.clone();
        let mut outer = class.outer.clone();
        for _ in 0..256 {
            if self.matches(pattern, &format!("L{name};")) {
                return true;
            }
            let Some(around) = outer else {
                return false;
            };
            outer = self.world.shape(&around).and_then(|shape| shape.outer.clone());
            name = around;
        }
        false
    }

    /// Whether an element with the annotations `has` is annotated as the patterns say.
    pub(crate) fn annotated(&self, patterns: &[AnnotationPattern], has: &[String]) -> bool {
        patterns.iter().all(|pattern| {
            let found = has.iter().any(|name| self.name_matches(&pattern.name, name));
            found != pattern.negated
        })
    }
}

/// The internal name in a class's descriptor.
pub(crate) fn class_of(descriptor: &str) -> Option<&str> {
    descriptor.strip_prefix('L').and_then(|c| c.strip_suffix(';'))
}
