//! Names get their meaning: parameters of the advice, types, other pointcuts.

use crate::ast::{Kinded, MemberPattern, NamePattern, Operand, Pointcut, TypePattern};
use crate::error::{PointcutError, Span};
pub use crate::names::Viewpoint;
use crate::parse::parse;
use crate::shape::World;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An expression that can be held against join points.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Kinded(Kinded, Arc<MemberPattern>, Arc<Viewpoint>),
    Within(TypePattern, Arc<Viewpoint>),
    WithinCode(Arc<MemberPattern>, Arc<Viewpoint>),
    This(Wanted),
    Target(Wanted),
    Args(Vec<Wanted>),
    Annotation(NamePattern, Arc<Viewpoint>),
    Lock,
    Unlock,
    MaybeShared,
}

/// What a value must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Any,
    /// `..`
    Rest,
    /// An instance of this type (descriptor), given to the parameter of the advice with this index, if any.
    Type {
        descriptor: String,
        parameter: Option<usize>,
    },
}

/// A parameter of an advice or of a named pointcut: name and descriptor of its type.
pub type Parameter = (String, String);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPointcut {
    /// The class that declares it, internal.
    pub class: String,
    pub text: String,
    pub parameters: Vec<Parameter>,
}

/// Where named pointcuts are to be found.
pub trait Library {
    /// `class` as written, seen from the class `from`; `None`: the pointcut of `from` or of a class above it.
    fn find(&self, from: &str, class: Option<&str>, name: &str) -> Option<NamedPointcut>;
}

/// There are no named pointcuts.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLibrary;

impl Library for NoLibrary {
    fn find(&self, _: &str, _: Option<&str>, _: &str) -> Option<NamedPointcut> {
        None
    }
}

/// Where an expression stands: classes with internal names, empty for none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Standpoint<'s> {
    /// Whose named pointcuts count: that of a monitor, which may have redefined those of a class above.
    pub monitor: &'s str,
    /// The class that it is written in.
    pub written_in: &'s str,
}

/// Parses and resolves.
pub fn resolve(
    text: &str,
    stands: Standpoint<'_>,
    parameters: &[Parameter],
    world: &dyn World,
    library: &dyn Library,
) -> Result<Expr, PointcutError> {
    let bindings: Vec<Formal> = (0..).zip(parameters).map(Formal::new).collect();
    let resolver = Resolver {
        world,
        library,
        text,
        class: stands.monitor,
        from: viewpoint(stands.written_in),
        formals: bindings,
        open: Vec::new(),
    };
    let expr = resolver.whole()?;
    let bound = resolver.bound(&expr)?;
    let missing = parameters.iter().enumerate().find(|(i, _)| !bound.contains(i));
    match missing {
        Some((_, (name, _))) => Err(resolver.error(
            Span::new(0, text.len()),
            format!(
                "nothing gives the parameter {name} its value: this({name}), target({name}) or args({name})"
            ),
        )),
        None => Ok(expr),
    }
}

/// What a name of a parameter stands for.
#[derive(Debug, Clone)]
struct Formal {
    name: String,
    wanted: Wanted,
}

impl Formal {
    fn new((index, (name, descriptor)): (usize, &Parameter)) -> Formal {
        Formal {
            name: name.clone(),
            wanted: Wanted::Type {
                descriptor: descriptor.clone(),
                parameter: Some(index),
            },
        }
    }
}

struct Resolver<'r> {
    world: &'r dyn World,
    library: &'r dyn Library,
    text: &'r str,
    class: &'r str,
    from: Arc<Viewpoint>,
    formals: Vec<Formal>,
    /// The named pointcuts on the way here.
    open: Vec<(String, String)>,
}

impl Resolver<'_> {
    fn error(&self, span: Span, message: impl Into<String>) -> PointcutError {
        PointcutError::new(self.text, span, message)
    }

    fn whole(&self) -> Result<Expr, PointcutError> {
        self.expr(&parse(self.text)?)
    }

    fn expr(&self, pointcut: &Pointcut) -> Result<Expr, PointcutError> {
        let from = || self.from.clone();
        Ok(match pointcut {
            Pointcut::And(a, b) => Expr::And(Box::new(self.expr(a)?), Box::new(self.expr(b)?)),
            Pointcut::Or(a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                let (left, right) = (self.bound(&a)?, self.bound(&b)?);
                if left != right {
                    let message = "both sides of || must bind the same parameters";
                    return Err(self.error(Span::new(0, self.text.len()), message));
                }
                Expr::Or(Box::new(a), Box::new(b))
            }
            Pointcut::Not(inner, span) => {
                let inner = self.expr(inner)?;
                if !self.bound(&inner)?.is_empty() {
                    return Err(
                        self.error(*span, "a parameter cannot get its value from what does not match")
                    );
                }
                Expr::Not(Box::new(inner))
            }
            Pointcut::Kinded(kind, member) => Expr::Kinded(*kind, Arc::new(member.clone()), from()),
            Pointcut::Within(pattern) => Expr::Within(pattern.clone(), from()),
            Pointcut::WithinCode(member) => Expr::WithinCode(Arc::new(member.clone()), from()),
            Pointcut::This(operand) => Expr::This(self.wanted(operand)?),
            Pointcut::Target(operand) => Expr::Target(self.wanted(operand)?),
            Pointcut::Args(operands) => {
                let wanted: Result<Vec<Wanted>, _> = operands.iter().map(|o| self.wanted(o)).collect();
                let wanted = wanted?;
                if wanted.iter().filter(|w| **w == Wanted::Rest).count() > 1 {
                    let span = operands.last().map(Operand::span).unwrap_or_default();
                    return Err(self.error(span, "'..' may stand once in args(..)"));
                }
                Expr::Args(wanted)
            }
            Pointcut::Annotation(name) => Expr::Annotation(name.clone(), from()),
            Pointcut::Lock => Expr::Lock,
            Pointcut::Unlock => Expr::Unlock,
            Pointcut::MaybeShared => Expr::MaybeShared,
            Pointcut::Named {
                class,
                name,
                arguments,
                span,
            } => self.named(class.as_deref(), name, arguments, *span)?,
        })
    }

    fn named(
        &self,
        class: Option<&str>,
        name: &str,
        arguments: &[Operand],
        span: Span,
    ) -> Result<Expr, PointcutError> {
        let Some(found) = self.library.find(self.class, class, name) else {
            let message = match class {
                Some(class) => format!("{class} has no pointcut '{name}'"),
                None => format!("there is no pointcut '{name}'"),
            };
            return Err(self.error(span, message));
        };
        if found.text.trim().is_empty() {
            let message = format!("the pointcut '{name}' is abstract: a class below must say what it is");
            return Err(self.error(span, message));
        }
        if found.parameters.len() != arguments.len() {
            let message = format!(
                "'{name}' takes {} parameters, not {}",
                found.parameters.len(),
                arguments.len()
            );
            return Err(self.error(span, message));
        }
        let key = (found.class.clone(), name.to_owned());
        if self.open.contains(&key) {
            return Err(self.error(span, format!("the pointcut '{name}' is made of itself")));
        }
        let mut formals = Vec::new();
        for (argument, (name, descriptor)) in arguments.iter().zip(&found.parameters) {
            let wanted = match self.wanted(argument)? {
                Wanted::Any | Wanted::Rest => Wanted::Type {
                    descriptor: descriptor.clone(),
                    parameter: None,
                },
                // The narrower of the two is what the value must be; javac knows nothing of it, so they must agree.
                Wanted::Type {
                    descriptor: outer,
                    parameter,
                } => {
                    if outer != *descriptor && parameter.is_some() && descriptor != "Ljava/lang/Object;" {
                        let message = format!("'{name}' has another type there");
                        return Err(self.error(argument.span(), message));
                    }
                    Wanted::Type {
                        descriptor: outer,
                        parameter,
                    }
                }
            };
            formals.push(Formal {
                name: name.clone(),
                wanted,
            });
        }
        let mut open = self.open.clone();
        open.push(key);
        let inner = Resolver {
            world: self.world,
            library: self.library,
            text: &found.text,
            // A pointcut that is inherited means what it says in the class at hand: its own names may be redefined.
            class: if class.is_none() { self.class } else { &found.class },
            from: viewpoint(&found.class),
            formals,
            open,
        };
        inner.whole()
    }

    fn wanted(&self, operand: &Operand) -> Result<Wanted, PointcutError> {
        let (text, dimensions, span) = match operand {
            Operand::Any(_) => return Ok(Wanted::Any),
            Operand::Rest(_) => return Ok(Wanted::Rest),
            Operand::Name {
                text,
                dimensions,
                span,
            } => (text, *dimensions, *span),
        };
        let formal = self.formals.iter().find(|f| f.name == *text && dimensions == 0);
        if let Some(formal) = formal {
            return Ok(formal.wanted.clone());
        }
        let element = match primitive(text) {
            Some(primitive) => primitive.to_owned(),
            None => match self.class_named(text) {
                Some(class) => format!("L{class};"),
                None => {
                    let message = format!("'{text}' is no parameter, and no class of this name is known");
                    return Err(self.error(span, message));
                }
            },
        };
        Ok(Wanted::Type {
            descriptor: format!("{}{element}", "[".repeat(dimensions)),
            parameter: None,
        })
    }

    /// The internal name of the class that is meant. One with a package may be unknown.
    fn class_named(&self, dotted: &str) -> Option<String> {
        let package = self.from.package.replace('.', "/");
        let prefixes = [String::new(), format!("{package}/"), "java/lang/".to_owned()];
        let mut name = dotted.replace('.', "/");
        loop {
            for prefix in &prefixes {
                let full = format!("{prefix}{name}");
                if prefix != "/" && self.world.shape(&full).is_some() {
                    return Some(full);
                }
            }
            // `Outer.Inner`
            match name.rfind('/') {
                Some(at) => name.replace_range(at..=at, "$"),
                None => break,
            }
        }
        dotted.contains('.').then(|| dotted.replace('.', "/"))
    }

    /// The parameters that get a value.
    fn bound(&self, expr: &Expr) -> Result<BTreeSet<usize>, PointcutError> {
        let of = |wanted: &Wanted| match wanted {
            Wanted::Type {
                parameter: Some(parameter),
                ..
            } => Some(*parameter),
            _ => None,
        };
        Ok(match expr {
            Expr::And(a, b) => {
                let (a, b) = (self.bound(a)?, self.bound(b)?);
                if let Some(twice) = a.intersection(&b).next() {
                    let name = self
                        .formals
                        .get(*twice)
                        .map_or("a parameter", |f| f.name.as_str());
                    let message = format!("{name} gets its value twice");
                    return Err(self.error(Span::new(0, self.text.len()), message));
                }
                a.union(&b).copied().collect()
            }
            Expr::Or(a, _) => self.bound(a)?,
            Expr::This(wanted) | Expr::Target(wanted) => of(wanted).into_iter().collect(),
            Expr::Args(wanted) => wanted.iter().filter_map(of).collect(),
            _ => BTreeSet::new(),
        })
    }
}

fn viewpoint(class: &str) -> Arc<Viewpoint> {
    let package = class
        .rsplit_once('/')
        .map_or(String::new(), |(p, _)| p.replace('/', "."));
    Arc::new(Viewpoint { package })
}

fn primitive(name: &str) -> Option<&'static str> {
    Some(match name {
        "boolean" => "Z",
        "byte" => "B",
        "char" => "C",
        "short" => "S",
        "int" => "I",
        "long" => "J",
        "float" => "F",
        "double" => "D",
        _ => return None,
    })
}
