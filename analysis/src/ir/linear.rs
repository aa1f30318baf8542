//! A method that the abstract machine cannot follow (`jsr` and `ret`, for one), read instruction by instruction: what
//! it calls, makes and accesses, with all of its values in one node of which nothing is known.

use super::names::Names;
use crate::facts::{Access, Call, CallKind, EXCEPTIONS, MethodFacts, Op, Proofs, Uses};
use racewire_classfile::opcode::*;
use racewire_classfile::{ClassError, Code, Insn, Instructions};

/// Fills `facts`, whose parameters are known.
pub fn read(names: &mut Names<'_, '_>, code: &Code<'_>, facts: &mut MethodFacts) -> Result<(), ClassError> {
    facts.nodes = 1;
    for parameter in facts.parameters.iter_mut().flatten() {
        *parameter = EXCEPTIONS;
    }
    facts.releases = true;
    facts.returned = Some(EXCEPTIONS);
    let (mut ops, mut accesses) = (Vec::new(), Vec::new());
    for insn in Instructions::new(code.bytecode) {
        let insn = insn?;
        match insn.op {
            GETSTATIC..=PUTFIELD => {
                accesses.push(access(names, code, &insn)?);
            }
            INVOKEVIRTUAL..=INVOKEINTERFACE => {
                ops.push(Op::Call(call(names, code, &insn)?));
            }
            INVOKEDYNAMIC => {
                let bootstrap = names.text("invokedynamic");
                ops.push(Op::Unknown {
                    nodes: [EXCEPTIONS].into(),
                    bootstrap,
                });
            }
            NEW => {
                let class = names.class_name(insn.operand(code.bytecode)?)?;
                ops.push(Op::New {
                    node: EXCEPTIONS,
                    class,
                    uses: Box::new(Uses::Leaked),
                    in_loop: true,
                });
            }
            _ => {}
        }
    }
    facts.ops = ops.into();
    facts.accesses = accesses.into();
    facts.has_body = true;
    Ok(())
}

fn access(names: &mut Names<'_, '_>, code: &Code<'_>, insn: &Insn) -> Result<Access, ClassError> {
    let reference = insn.operand(code.bytecode)?;
    Ok(Access {
        pc: insn.pc,
        line: code.line_at(insn.pc),
        reference,
        field: names.field(reference)?.member,
        write: matches!(insn.op, PUTSTATIC | PUTFIELD),
        base: (insn.op >= GETFIELD).then_some(EXCEPTIONS),
        proofs: Proofs::default(),
    })
}

fn call(names: &mut Names<'_, '_>, code: &Code<'_>, insn: &Insn) -> Result<Call, ClassError> {
    let method = names.method(insn.operand(code.bytecode)?)?;
    let kind = match insn.op {
        INVOKEVIRTUAL => CallKind::Virtual,
        INVOKEINTERFACE => CallKind::Interface,
        INVOKESTATIC => CallKind::Static,
        _ => CallKind::Special,
    };
    let node = |has: bool| has.then_some(EXCEPTIONS);
    let receiver = (kind != CallKind::Static).then_some(Some(EXCEPTIONS));
    let parameters = names
        .parameters(method.signature)
        .iter()
        .map(|p| node(p.has_node()));
    Ok(Call {
        kind,
        target: method.member,
        arguments: receiver.into_iter().chain(parameters).collect(),
        result: node(method.signature.result.has_node()),
        in_loop: true,
        line: code.line_at(insn.pc),
    })
}
