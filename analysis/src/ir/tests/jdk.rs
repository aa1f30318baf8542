//! All sorts of code: the classes of the running JDK's java.util and of its XML parser.

use std::path::Path;
use std::process::Command;

use crate::facts::{ClassFacts, MethodFacts, Node, Op, Uses};
use crate::ir::class_facts;

fn java_home() -> String {
    let output = Command::new("java")
        .args(["-XshowSettings:properties", "-version"])
        .output()
        .expect("java runs");
    let said = String::from_utf8(output.stderr).unwrap();
    let home = said
        .lines()
        .find_map(|line| line.trim().strip_prefix("java.home = "));
    home.unwrap().to_owned()
}

fn each_class(folder: &Path, check: &mut dyn FnMut(&[u8])) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_class(&path, check);
        } else {
            check(&std::fs::read(&path).unwrap());
        }
    }
}

/// Classes of the JDK's java.util and of its XML parser, or those in the folder RACEWIRE_CLASSES.
pub fn each_jdk_class(check: &mut dyn FnMut(&[u8])) {
    if let Ok(folder) = std::env::var("RACEWIRE_CLASSES") {
        return each_class(Path::new(&folder), check);
    }
    let folder = tempfile::tempdir().unwrap();
    let home = java_home();
    let status = Command::new(format!("{home}/bin/jimage"))
        .args([
            "extract",
            "--include",
            "regex:/java.base/java/util/.*class,regex:/java.xml/.*class",
            "--dir",
        ])
        .arg(folder.path())
        .arg(format!("{home}/lib/modules"))
        .status()
        .expect("jimage runs");
    assert!(status.success());
    each_class(folder.path(), check);
}

#[test]
fn every_method_of_the_jdk_can_be_read() {
    let mut methods = 0;
    each_jdk_class(&mut |bytes| {
        let facts = class_facts(bytes).unwrap();
        for method in &facts.methods {
            assert!(!method.failed);
            methods += 1;
            consistent(&facts, method);
        }
    });
    assert!(methods > 10_000, "{methods}");
}

/// Every number means something, and every node is named somewhere.
fn consistent(class: &ClassFacts, method: &MethodFacts) {
    let mut named = vec![false; method.nodes as usize];
    named[0] = true;
    let mut name = |node: Node| named[node as usize] = true;
    let member = |id: u32| assert!((id as usize) < class.members.len());
    let is_call = |(op, argument): (u32, u8)| match &method.ops[op as usize] {
        Op::Call(call) => assert!(call.arguments[usize::from(argument)].is_some()),
        other => panic!("{other:?}"),
    };
    let uses = |uses: &Uses| {
        if let Uses::Calls { calls, .. } = uses {
            calls.iter().copied().for_each(is_call);
        }
    };
    assert_eq!(method.parameters.len(), method.parameter_uses.len());
    method.parameters.iter().flatten().copied().for_each(&mut name);
    method.parameter_uses.iter().for_each(uses);
    for op in &method.ops {
        match op {
            Op::New { node, uses: of, .. } => {
                name(*node);
                uses(of);
            }
            Op::Lambda {
                node,
                lambda,
                captured,
                uses: of,
                ..
            } => {
                name(*node);
                uses(of);
                captured.iter().flatten().copied().for_each(&mut name);
                let lambda = &class.lambdas[*lambda as usize];
                assert_eq!(captured.len(), usize::from(lambda.captured));
            }
            Op::Load { base, field, to }
            | Op::Store {
                base,
                field,
                from: to,
            } => {
                [*base, *to].into_iter().for_each(&mut name);
                member(*field);
            }
            Op::LoadStatic { field, to } | Op::StoreStatic { field, from: to } => {
                name(*to);
                member(*field);
            }
            Op::LoadElement { base, to } | Op::StoreElement { base, from: to } => {
                [*base, *to].into_iter().for_each(&mut name);
            }
            Op::Call(call) => {
                call.arguments.iter().flatten().copied().for_each(&mut name);
                call.result.into_iter().for_each(&mut name);
                member(call.target);
            }
            Op::Describe { nodes } | Op::Unknown { nodes, .. } => nodes.iter().copied().for_each(&mut name),
        }
    }
    for (index, access) in method.accesses.iter().enumerate() {
        access.base.into_iter().for_each(&mut name);
        member(access.field);
        access.proofs.owned.iter().flatten().copied().for_each(is_call);
        let Some(cover) = &access.proofs.covered else {
            continue;
        };
        assert!(!cover.by.is_empty() && cover.by != [index as u32]);
        for by in &cover.by {
            let by = &method.accesses[*by as usize];
            assert!(by.field == access.field && by.base == access.base && by.write >= access.write);
        }
        cover.elsewhere.iter().copied().for_each(member);
        let is_op = |op: &u32| matches!(&method.ops[*op as usize], Op::Call(_));
        assert!(cover.calls.iter().all(is_op));
    }
    method.returned.into_iter().for_each(&mut name);
    assert!(named.iter().all(|named| *named));
}
