//! Java sources, what `javac` makes of them, and what the facts say about that.

mod classes;
mod covered;
mod flow;
mod indy;
pub mod jdk;
mod oracle;
mod owned;
mod uses;

use std::collections::HashMap;
use std::path::Path;

use super::class_facts;
use crate::facts::{Access, Call, ClassFacts, Cover, MethodFacts, Node, Op, OpId, Uses};

/// The classes of a source by name.
pub struct Compiled {
    pub bytes: HashMap<String, Vec<u8>>,
    facts: HashMap<String, ClassFacts>,
}

pub fn compile(source: &str) -> Compiled {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Source.java");
    std::fs::write(&file, source).unwrap();
    let arguments = [
        "-g",
        "-d",
        folder.path().to_str().unwrap(),
        file.to_str().unwrap(),
    ]
    .map(str::to_owned);
    let output = racewire_javac::javac(Path::new("java"), &arguments).expect("javac runs");
    assert_eq!(output.code, 0, "{}", output.said);
    let mut compiled = Compiled {
        bytes: HashMap::new(),
        facts: HashMap::new(),
    };
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "class") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let bytes = std::fs::read(&path).unwrap();
            compiled.facts.insert(name.clone(), class_facts(&bytes).unwrap());
            compiled.bytes.insert(name, bytes);
        }
    }
    compiled
}

impl Compiled {
    pub fn class(&self, name: &str) -> &ClassFacts {
        &self.facts[name]
    }

    /// The facts of a class in which some texts of the constant pool are others.
    pub fn renamed(&self, class: &str, names: &[(&str, &str)]) -> ClassFacts {
        let mut bytes = self.bytes[class].clone();
        let constant = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
        for (from, to) in names {
            let from = constant(from);
            let at = bytes
                .windows(from.len())
                .position(|window| window == from)
                .unwrap();
            bytes.splice(at..at + from.len(), constant(to));
        }
        class_facts(&bytes).unwrap()
    }

    /// The facts of a class whose `Runnable r = () -> b.m()` is instead a string made of `b`, a Box. (`javac` itself
    /// calls String.valueOf on such an operand.)
    pub fn describing(&self, class: &str) -> ClassFacts {
        let factory = (
            "java/lang/invoke/LambdaMetafactory",
            "java/lang/invoke/StringConcatFactory",
        );
        let kind = ("(LBox;)Ljava/lang/Runnable;", "(LBox;)Ljava/lang/String;");
        self.renamed(class, &[factory, kind])
    }

    /// The same with a bootstrap method that nobody knows.
    pub fn unknown(&self, class: &str) -> ClassFacts {
        self.renamed(class, &[("java/lang/invoke/LambdaMetafactory", "other/Factory")])
    }

    pub fn method(&self, class: &str, name: &str) -> View<'_> {
        View::of(self.class(class), name)
    }
}

/// One method, made readable.
pub struct View<'f> {
    class: &'f ClassFacts,
    pub method: &'f MethodFacts,
}

impl<'f> View<'f> {
    pub fn of(class: &'f ClassFacts, name: &str) -> View<'f> {
        let has_name = |method: &&MethodFacts| class.strings.get(method.name as usize).unwrap() == name;
        let method = class.methods.iter().find(has_name).unwrap();
        View { class, method }
    }

    pub fn text(&self, index: u32) -> &'f str {
        self.class.strings.get(index as usize).unwrap()
    }

    pub fn member(&self, member: u32) -> &'f str {
        self.text(self.class.members[member as usize].name)
    }

    pub fn call(&self, name: &str) -> &'f Call {
        let calls = self.method.ops.iter().filter_map(|op| match op {
            Op::Call(call) => Some(call),
            _ => None,
        });
        calls
            .into_iter()
            .find(|call| self.member(call.target) == name)
            .unwrap()
    }

    /// The node that is given to the call of that name as that argument.
    pub fn argument(&self, name: &str, index: usize) -> Option<Node> {
        self.call(name).arguments[index]
    }

    pub fn op_name(&self, op: OpId) -> &'f str {
        match &self.method.ops[op as usize] {
            Op::Call(call) => self.member(call.target),
            other => panic!("{other:?}"),
        }
    }

    fn passed(&self, calls: &[(OpId, u8)]) -> String {
        let each = calls
            .iter()
            .map(|(op, argument)| format!("{}#{argument}", self.op_name(*op)));
        each.collect::<Vec<_>>().join(" ")
    }

    fn uses(&self, uses: &Uses) -> String {
        match uses {
            Uses::Leaked => "leaked".to_owned(),
            Uses::Calls { calls, again } => self.passed(calls) + if *again { " again" } else { "" },
        }
    }

    /// The uses of each new object of a class, as `<init>#0 m#1 again`.
    pub fn new_uses(&self, wanted: &str) -> Vec<String> {
        let news = self.method.ops.iter().filter_map(|op| match op {
            Op::New { class, uses, .. } if self.text(*class) == wanted => Some(self.uses(uses)),
            _ => None,
        });
        news.collect()
    }

    /// The same of each lambda.
    pub fn lambda_uses(&self) -> Vec<String> {
        let lambdas = self.method.ops.iter().filter_map(|op| match op {
            Op::Lambda { uses, .. } => Some(self.uses(uses)),
            _ => None,
        });
        lambdas.collect()
    }

    pub fn parameter_uses(&self, index: usize) -> String {
        self.uses(&self.method.parameter_uses[index])
    }

    /// The nodes of the new objects of a class.
    pub fn new_nodes(&self, wanted: &str) -> Vec<Node> {
        let news = self.method.ops.iter().filter_map(|op| match op {
            Op::New { class, node, .. } if self.text(*class) == wanted => Some(*node),
            _ => None,
        });
        news.collect()
    }

    pub fn accesses(&self, field: &str) -> Vec<&'f Access> {
        let accesses = self.method.accesses.iter();
        accesses
            .filter(|access| self.member(access.field) == field)
            .collect()
    }

    /// For each access to a field the conditions on which it is owned, `-` if it is not.
    pub fn owned(&self, field: &str) -> Vec<String> {
        let proofs = self
            .accesses(field)
            .into_iter()
            .map(|access| &access.proofs.owned);
        proofs
            .map(|owned| owned.as_ref().map_or("-".to_owned(), |calls| self.passed(calls)))
            .collect()
    }

    /// For each access to a field what covers it: positions of accesses, calls, fields written.
    pub fn covered(&self, field: &str) -> Vec<String> {
        let show = |cover: &Cover| {
            let mut text = format!("{:?}", cover.by);
            cover
                .calls
                .iter()
                .for_each(|op| text += &format!(" {}()", self.op_name(*op)));
            cover
                .elsewhere
                .iter()
                .for_each(|field| text += &format!(" {}=", self.member(*field)));
            text + if cover.acquires { " acquires" } else { "" }
        };
        let proofs = self
            .accesses(field)
            .into_iter()
            .map(|access| &access.proofs.covered);
        proofs
            .map(|cover| cover.as_deref().map_or("-".to_owned(), show))
            .collect()
    }
}
