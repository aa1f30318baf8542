//! A small program of hand-made classes, for all tests.

mod matching;
mod parsing;

use crate::resolve::{Library, NamedPointcut, Standpoint, resolve};
use crate::{Case, JoinPoint, Kind, MemberShape, PointcutError, Shape, World, access, matches, parameters};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Default)]
struct Classes(HashMap<String, Arc<Shape>>);

impl World for Classes {
    fn shape(&self, name: &str) -> Option<Arc<Shape>> {
        self.0.get(name).cloned()
    }
}

impl Classes {
    fn add(&mut self, name: &str, above: &[&str], members: &[(u16, &str, &str)]) -> &mut Shape {
        let (fields, methods): (Vec<_>, Vec<_>) = members.iter().partition(|(_, _, d)| !d.starts_with('('));
        let shape = |&(access, name, descriptor): &(u16, &str, &str)| MemberShape {
            name: name.into(),
            descriptor: descriptor.into(),
            access,
            ..MemberShape::default()
        };
        let shape = Shape {
            name: name.into(),
            access: 1,
            superclass: above.first().map(|s| (*s).into()),
            interfaces: above.iter().skip(1).map(|s| (*s).into()).collect(),
            outer: name.rsplit_once('$').map(|(outer, _)| outer.into()),
            fields: fields.into_iter().map(shape).collect(),
            methods: methods.into_iter().map(shape).collect(),
            ..Shape::default()
        };
        let entry = self.0.entry(name.into()).or_default();
        *entry = Arc::new(shape);
        Arc::get_mut(entry).unwrap()
    }
}

const OBJECT: &str = "java/lang/Object";

fn classes() -> Classes {
    let mut all = Classes::default();
    all.add(
        OBJECT,
        &[],
        &[(1, "toString", "()Ljava/lang/String;"), (1, "<init>", "()V")],
    );
    all.add("java/lang/String", &[OBJECT], &[]).access |= access::FINAL;
    all.add("java/lang/Runnable", &[OBJECT], &[(0x401, "run", "()V")])
        .access |= access::INTERFACE;
    let bank = all.add(
        "com/acme/Bank",
        &[OBJECT],
        &[
            (access::STATIC, "total", "I"),
            (access::PRIVATE, "names", "[Ljava/lang/String;"),
            (
                access::PUBLIC | access::SYNCHRONIZED,
                "pay",
                "(ILjava/lang/String;)V",
            ),
            (access::STATIC | access::VARARGS, "main", "([Ljava/lang/String;)V"),
            (1, "toString", "()Ljava/lang/String;"),
            (1, "<init>", "(I)V"),
        ],
    );
    bank.fields[0].annotations.push("com/acme/Audited".into());
    bank.methods[0].throws.push("com/acme/Broke".into());
    all.add(
        "com/acme/Bank$Teller",
        &["com/acme/Bank", "java/lang/Runnable"],
        &[(1, "run", "()V")],
    );
    all.add("com/acme/db/Row", &[OBJECT], &[(0, "id", "J")]).access |= access::FINAL;
    all
}

struct Point {
    kind: Kind,
    member: (&'static str, &'static str, &'static str),
    within: (&'static str, &'static str, &'static str),
    this: Option<&'static str>,
    target: Option<&'static str>,
    args: Vec<&'static str>,
}

const IN_PAY: (&str, &str, &str) = ("com/acme/Bank", "pay", "(ILjava/lang/String;)V");

impl Point {
    fn get(owner: &'static str, name: &'static str, descriptor: &'static str) -> Point {
        Point {
            kind: Kind::Get,
            member: (owner, name, descriptor),
            within: IN_PAY,
            this: Some("Lcom/acme/Bank;"),
            target: None,
            args: Vec::new(),
        }
    }

    fn call(owner: &'static str, name: &'static str, descriptor: &'static str) -> Point {
        Point {
            kind: Kind::Call,
            args: parameters(descriptor),
            ..Point::get(owner, name, descriptor)
        }
    }

    fn lock(of: &'static str) -> Point {
        Point {
            kind: Kind::Lock,
            args: vec![of],
            ..Point::get("", "", "")
        }
    }

    fn target(mut self, descriptor: &'static str) -> Point {
        self.target = Some(descriptor);
        self
    }

    fn within(mut self, class: &'static str, name: &'static str, descriptor: &'static str) -> Point {
        self.within = (class, name, descriptor);
        self
    }

    fn try_cases(&self, text: &str, formals: &[(&str, &str)]) -> Result<Vec<Case>, PointcutError> {
        let world = classes();
        let formals: Vec<_> = formals.iter().map(|(n, d)| ((*n).into(), (*d).into())).collect();
        let stands = Standpoint {
            monitor: "com/acme/Watch",
            written_in: "com/acme/Watch",
        };
        let expr = resolve(text, stands, &formals, &world, &Named)?;
        let within = world.shape(self.within.0).unwrap();
        let code = within.method(self.within.1, self.within.2).unwrap();
        let point = JoinPoint {
            kind: self.kind,
            within: &within,
            code,
            owner: self.member.0,
            name: self.member.1,
            descriptor: self.member.2,
            this: self.this,
            target: self.target,
            args: self.args.clone(),
            may_be_shared: &|| self.member.1 != "id",
        };
        Ok(matches(&expr, &point, &world))
    }

    fn cases(&self, text: &str, formals: &[(&str, &str)]) -> Vec<Case> {
        self.try_cases(text, formals)
            .unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    /// Whether it matches without a test.
    fn is(&self, text: &str) -> bool {
        match self.cases(text, &[]).as_slice() {
            [] => false,
            [case] if case.tests.is_empty() => true,
            more => panic!("{text}: {more:?}"),
        }
    }
}

struct Named;

impl Library for Named {
    fn find(&self, from: &str, class: Option<&str>, name: &str) -> Option<NamedPointcut> {
        let (text, parameters) = match (class, name) {
            (None, "scope") => ("within(com.acme.*)", vec![]),
            (Some("Other"), "scope") => ("within(com.acme.db.*)", vec![]),
            (None, "reads") => (
                "get(* *) && target(o)",
                vec![("o".into(), "Ljava/lang/Object;".into())],
            ),
            (None, "circle") => ("scope() && circle()", vec![]),
            (None, "open") => ("", vec![]),
            (None, "broken") => ("get(int", vec![]),
            _ => return None,
        };
        Some(NamedPointcut {
            class: from.to_owned(),
            text: text.to_owned(),
            parameters,
        })
    }
}
