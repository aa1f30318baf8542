//! Holding an expression against a join point. All that the classes tell is decided here; what depends on the type that
//! a value has at run time is left as tests.

use crate::ast::Kinded;
use crate::names::Types;
use crate::resolve::{Expr, Viewpoint, Wanted};
use crate::shape::{MemberShape, Shape, World, access, is_subtype};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Get,
    Set,
    Call,
    Execution,
    Lock,
    Unlock,
}

impl Kind {
    /// As AspectJ names it, where it does.
    pub fn name(self, is_constructor: bool) -> &'static str {
        match (self, is_constructor) {
            (Kind::Get, _) => "field-get",
            (Kind::Set, _) => "field-set",
            (Kind::Call, false) => "method-call",
            (Kind::Call, true) => "constructor-call",
            (Kind::Execution, false) => "method-execution",
            (Kind::Execution, true) => "constructor-execution",
            (Kind::Lock, _) => "lock",
            (Kind::Unlock, _) => "unlock",
        }
    }
}

/// A place in the code.
pub struct JoinPoint<'j> {
    pub kind: Kind,
    /// The class and the method it stands in.
    pub within: &'j Shape,
    pub code: &'j MemberShape,
    /// What is accessed, called or executed: class as the code names it, name, descriptor. Empty for locks.
    pub owner: &'j str,
    pub name: &'j str,
    pub descriptor: &'j str,
    /// Static types (descriptors).
    pub this: Option<&'j str>,
    pub target: Option<&'j str>,
    pub args: Vec<&'j str>,
    /// Whether two threads may share what is accessed; asked last.
    pub may_be_shared: &'j dyn Fn() -> bool,
}

/// A value of a join point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    This,
    Target,
    Arg(usize),
}

/// `value instanceof class`, or not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Test {
    pub value: Value,
    /// Descriptor of a class or array.
    pub descriptor: String,
    pub negated: bool,
}

/// One way in which the join point matches: if all tests hold, parameters get these values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Case {
    pub tests: Vec<Test>,
    pub bindings: Vec<(usize, Value)>,
}

/// None: it never matches. Of several cases the first whose tests hold counts.
pub fn matches(expr: &Expr, point: &JoinPoint<'_>, world: &dyn World) -> Vec<Case> {
    let mut cases = Matcher { world, point }.cases(expr);
    // Behind a case without tests nobody comes.
    if let Some(always) = cases.iter().position(|case| case.tests.is_empty()) {
        cases.truncate(always + 1);
        if cases.iter().all(|case| case.bindings.is_empty()) {
            return always_if(true);
        }
    }
    cases
}

struct Matcher<'m> {
    world: &'m dyn World,
    point: &'m JoinPoint<'m>,
}

/// Whether a value of one type is one of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    Never,
    Always,
    AtRunTime,
}

impl Matcher<'_> {
    fn types<'v>(&'v self, from: &'v Viewpoint) -> Types<'v> {
        Types {
            world: self.world,
            from,
        }
    }

    fn cases(&self, expr: &Expr) -> Vec<Case> {
        match expr {
            Expr::And(a, b) => {
                // What asks the analysis comes last.
                let (a, b) = if asks_sharing(a) { (b, a) } else { (a, b) };
                let left = self.cases(a);
                if left.is_empty() {
                    return left;
                }
                let right = self.cases(b);
                let pairs = left.iter().flat_map(|l| right.iter().map(move |r| (l, r)));
                pairs.filter_map(|(l, r)| both(l, r)).collect()
            }
            Expr::Or(a, b) => {
                let mut cases = self.cases(a);
                if !cases.iter().any(|case| case.tests.is_empty()) {
                    cases.extend(self.cases(b));
                }
                cases
            }
            Expr::Not(inner) => {
                // Not (a1 && a2 || b1): one of the a fails, and one of the b.
                let mut result = vec![Case::default()];
                for case in self.cases(inner) {
                    let failing: Vec<Case> = case.tests.into_iter().map(fails).collect();
                    let pairs = result.iter().flat_map(|l| failing.iter().map(move |r| (l, r)));
                    result = pairs.filter_map(|(l, r)| both(l, r)).collect();
                }
                result
            }
            Expr::This(wanted) => self.value(wanted, Value::This, self.point.this),
            Expr::Target(wanted) => self.value(wanted, Value::Target, self.point.target),
            Expr::Args(wanted) => self.args(wanted),
            other => always_if(self.holds(other)),
        }
    }

    /// Expressions that need no run-time test.
    fn holds(&self, expr: &Expr) -> bool {
        let point = self.point;
        match expr {
            Expr::Kinded(kinded, pattern, from) => {
                let types = self.types(from);
                match (kinded, point.kind) {
                    (Kinded::Get, Kind::Get) | (Kinded::Set, Kind::Set) => types
                        .field(point.owner, point.name, point.descriptor)
                        .is_some_and(|(class, field)| types.field_matches(pattern, &class, &field)),
                    (Kinded::Call, Kind::Call) | (Kinded::Execution, Kind::Execution) => {
                        types.method_matches(pattern, point.owner, point.name, point.descriptor)
                    }
                    _ => false,
                }
            }
            Expr::Within(pattern, from) => self.types(from).within(pattern, point.within),
            Expr::WithinCode(pattern, from) => {
                let (class, code) = (point.within, point.code);
                self.types(from)
                    .method_matches(pattern, &class.name, &code.name, &code.descriptor)
            }
            Expr::Annotation(name, from) => {
                let types = self.types(from);
                let annotations = match point.kind {
                    Kind::Get | Kind::Set => types
                        .field(point.owner, point.name, point.descriptor)
                        .map(|(_, field)| field.annotations),
                    Kind::Call | Kind::Execution => types
                        .method(point.owner, point.name, point.descriptor)
                        .map(|(_, method)| method.annotations),
                    Kind::Lock | Kind::Unlock => None,
                };
                let annotations = annotations.unwrap_or_default();
                annotations.iter().any(|a| types.name_matches(name, a))
            }
            Expr::Lock => point.kind == Kind::Lock,
            Expr::Unlock => point.kind == Kind::Unlock,
            Expr::MaybeShared => matches!(point.kind, Kind::Get | Kind::Set) && (point.may_be_shared)(),
            _ => false,
        }
    }

    fn value(&self, wanted: &Wanted, value: Value, has: Option<&str>) -> Vec<Case> {
        let Some(has) = has else {
            return Vec::new();
        };
        let Wanted::Type {
            descriptor,
            parameter,
        } = wanted
        else {
            return always_if(true);
        };
        let tests = match self.fit(has, descriptor) {
            Fit::Never => return Vec::new(),
            Fit::Always => Vec::new(),
            Fit::AtRunTime => vec![Test {
                value,
                descriptor: descriptor.clone(),
                negated: false,
            }],
        };
        let bindings = parameter.iter().map(|p| (*p, value)).collect();
        vec![Case { tests, bindings }]
    }

    fn args(&self, wanted: &[Wanted]) -> Vec<Case> {
        let args = &self.point.args;
        let rest = wanted.iter().position(|w| *w == Wanted::Rest);
        let fits = match rest {
            Some(_) => args.len() + 1 >= wanted.len(),
            None => args.len() == wanted.len(),
        };
        if !fits {
            return Vec::new();
        }
        let mut cases = vec![Case::default()];
        for (nth, wanted_one) in wanted.iter().enumerate() {
            let index = match rest {
                Some(at) if nth == at => continue,
                Some(at) if nth > at => args.len() + nth - wanted.len(),
                _ => nth,
            };
            let one = self.value(wanted_one, Value::Arg(index), args.get(index).copied());
            let pairs = cases.iter().flat_map(|l| one.iter().map(move |r| (l, r)));
            cases = pairs.filter_map(|(l, r)| both(l, r)).collect();
        }
        cases
    }

    /// Whether a value whose static type is `has` is a `wanted`.
    fn fit(&self, has: &str, wanted: &str) -> Fit {
        if has == wanted || wanted == "Ljava/lang/Object;" {
            return Fit::Always;
        }
        let is_reference = |d: &str| d.starts_with(['L', '[']);
        if !is_reference(has) || !is_reference(wanted) {
            let boxes = boxed(has) == Some(wanted) || boxed(wanted) == Some(has);
            return if boxes { Fit::Always } else { Fit::Never };
        }
        match (has.strip_prefix('['), wanted.strip_prefix('[')) {
            (Some(has), Some(wanted)) if is_reference(has) && is_reference(wanted) => self.fit(has, wanted),
            (Some(_), Some(_)) => Fit::Never,
            (Some(_), None) if ARRAY_SUPERTYPES.contains(&wanted) => Fit::Always,
            (Some(_), None) => Fit::Never,
            (None, Some(_)) if has == "Ljava/lang/Object;" || ARRAY_SUPERTYPES.contains(&has) => {
                Fit::AtRunTime
            }
            (None, Some(_)) => Fit::Never,
            (None, None) => self.class_fit(has, wanted),
        }
    }

    fn class_fit(&self, has: &str, wanted: &str) -> Fit {
        let name = |d: &str| d.trim_start_matches('L').trim_end_matches(';').to_owned();
        let (has, wanted) = (name(has), name(wanted));
        let up = is_subtype(self.world, &has, &wanted);
        if up == Some(true) {
            return Fit::Always;
        }
        if is_subtype(self.world, &wanted, &has) != Some(false) || up.is_none() {
            return Fit::AtRunTime;
        }
        let shapes = (self.world.shape(&has), self.world.shape(&wanted));
        let (Some(has), Some(wanted)) = shapes else {
            return Fit::AtRunTime;
        };
        let is_final = |s: &Shape| s.access & access::FINAL != 0;
        // JLS 5.1.6.1: a class that has subclasses may have one that implements the interface.
        let related = match (has.is_interface(), wanted.is_interface()) {
            (true, true) => true,
            (true, false) => !is_final(&wanted),
            (false, true) => !is_final(&has),
            (false, false) => false,
        };
        if related { Fit::AtRunTime } else { Fit::Never }
    }
}

/// JLS 4.10.3, `Object` aside.
const ARRAY_SUPERTYPES: [&str; 2] = ["Ljava/lang/Cloneable;", "Ljava/io/Serializable;"];

fn always_if(holds: bool) -> Vec<Case> {
    if holds { vec![Case::default()] } else { Vec::new() }
}

fn fails(test: Test) -> Case {
    Case {
        tests: vec![Test {
            negated: !test.negated,
            ..test
        }],
        bindings: Vec::new(),
    }
}

/// Both hold; `None` if one test contradicts another.
fn both(a: &Case, b: &Case) -> Option<Case> {
    let mut joined = a.clone();
    for test in &b.tests {
        let same = |t: &&Test| t.value == test.value && t.descriptor == test.descriptor;
        match joined.tests.iter().find(same) {
            Some(known) if known.negated != test.negated => return None,
            Some(_) => {}
            None => joined.tests.push(test.clone()),
        }
    }
    joined.bindings.extend(&b.bindings);
    Some(joined)
}

fn asks_sharing(expr: &Expr) -> bool {
    match expr {
        Expr::And(a, b) | Expr::Or(a, b) => asks_sharing(a) || asks_sharing(b),
        Expr::Not(inner) => asks_sharing(inner),
        Expr::MaybeShared => true,
        _ => false,
    }
}

impl Expr {
    /// Whether the analysis has to be asked at all.
    pub fn asks_sharing(&self) -> bool {
        asks_sharing(self)
    }

    /// Whether only the class that the code stands in decides: what a scope may be made of.
    pub fn is_about_classes(&self) -> bool {
        match self {
            Expr::And(a, b) | Expr::Or(a, b) => a.is_about_classes() && b.is_about_classes(),
            Expr::Not(inner) => inner.is_about_classes(),
            Expr::Within(..) => true,
            _ => false,
        }
    }

    /// For an expression that [is about classes](Expr::is_about_classes): whether this one is meant.
    pub fn contains(&self, class: &Shape, world: &dyn World) -> bool {
        match self {
            Expr::And(a, b) => a.contains(class, world) && b.contains(class, world),
            Expr::Or(a, b) => a.contains(class, world) || b.contains(class, world),
            Expr::Not(inner) => !inner.contains(class, world),
            Expr::Within(pattern, from) => Types { world, from }.within(pattern, class),
            _ => false,
        }
    }
}

/// The class that a primitive value is boxed in (JLS 5.1.7).
pub(crate) fn boxed(primitive: &str) -> Option<&'static str> {
    Some(match primitive {
        "Z" => "Ljava/lang/Boolean;",
        "B" => "Ljava/lang/Byte;",
        "C" => "Ljava/lang/Character;",
        "S" => "Ljava/lang/Short;",
        "I" => "Ljava/lang/Integer;",
        "J" => "Ljava/lang/Long;",
        "F" => "Ljava/lang/Float;",
        "D" => "Ljava/lang/Double;",
        _ => return None,
    })
}
