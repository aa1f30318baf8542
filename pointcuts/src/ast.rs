//! An expression as it is written.

use crate::error::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pointcut {
    And(Box<Pointcut>, Box<Pointcut>),
    Or(Box<Pointcut>, Box<Pointcut>),
    Not(Box<Pointcut>, Span),
    /// `get`, `set`, `call`, `execution`
    Kinded(Kinded, MemberPattern),
    Within(TypePattern),
    WithinCode(MemberPattern),
    This(Operand),
    Target(Operand),
    Args(Vec<Operand>),
    /// `@annotation(com.acme.Audited)`
    Annotation(NamePattern),
    Lock,
    Unlock,
    MaybeShared,
    /// `scope()`, `Racer.fieldSet(owner)`
    Named {
        /// The class before the last dot, as written.
        class: Option<String>,
        name: String,
        arguments: Vec<Operand>,
        span: Span,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinded {
    Get,
    Set,
    Call,
    Execution,
}

/// What stands between the parentheses of `this`, `target`, `args` and of named pointcuts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// `*`
    Any(Span),
    /// `..`
    Rest(Span),
    /// The name of a parameter, or a type.
    Name {
        /// `com.acme.Foo`
        text: String,
        dimensions: usize,
        span: Span,
    },
}

impl Operand {
    pub fn span(&self) -> Span {
        match self {
            Operand::Any(span) | Operand::Rest(span) | Operand::Name { span, .. } => *span,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypePattern {
    And(Box<TypePattern>, Box<TypePattern>),
    Or(Box<TypePattern>, Box<TypePattern>),
    Not(Box<TypePattern>),
    Annotated(Vec<AnnotationPattern>, Box<TypePattern>),
    Name {
        name: NamePattern,
        /// `Foo+`
        subtypes: bool,
        /// `Foo[][]`
        dimensions: usize,
    },
}

/// `com.acme..*`: parts between dots, `None` for what `..` stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern {
    pub parts: Vec<Option<String>>,
    pub span: Span,
}

impl NamePattern {
    /// The name, if it is one and no pattern.
    pub fn exact(&self) -> Option<String> {
        let part = |p: &Option<String>| p.clone().filter(|p| !p.contains('*'));
        let parts: Option<Vec<String>> = self.parts.iter().map(part).collect();
        parts.map(|parts| parts.join("."))
    }

    pub fn is_star(&self) -> bool {
        matches!(self.parts.as_slice(), [Some(only)] if only == "*")
    }
}

/// `@Audited`, `!@Audited`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotationPattern {
    pub name: NamePattern,
    pub negated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModifierPattern {
    pub flag: u16,
    pub negated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberPattern {
    pub annotations: Vec<AnnotationPattern>,
    pub modifiers: Vec<ModifierPattern>,
    /// Of the field, or what the method gives; `None` for constructors.
    pub result: Option<TypePattern>,
    /// The declaring type, if one is written.
    pub declaring: Option<TypePattern>,
    /// With stars; `new` for constructors.
    pub name: String,
    pub is_constructor: bool,
    /// `None` for fields.
    pub parameters: Option<Vec<Parameter>>,
    pub throws: Vec<(bool, TypePattern)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parameter {
    /// `..`
    Rest,
    Type(TypePattern),
    /// `String...`: of the last parameter, as an array
    Variable(TypePattern),
}
