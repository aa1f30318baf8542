//! Which advice can come to code of the program. One that calls nothing but the monitors' own methods cannot, and needs
//! no guard against itself; whatever calls the JDK may: `HashMap.put` calls the program's `hashCode`.

use super::jar::MonitorClasses;
use crate::code::{Class, ClassError, Code, Instructions, op};
use std::collections::BTreeSet;

type Method = (String, String, String);

pub fn may_reach_program(monitors: &MonitorClasses, class: &str, name: &str, descriptor: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut pending = vec![(class.to_owned(), name.to_owned(), descriptor.to_owned())];
    // Its class is initialised by the first call.
    pending.push((class.to_owned(), "<clinit>".to_owned(), "()V".to_owned()));
    while let Some(method) = pending.pop() {
        if seen.contains(&method) {
            continue;
        }
        match called(monitors, &method) {
            Ok(Some(more)) => pending.extend(more),
            // Something that nobody can see into.
            Ok(None) | Err(_) => return true,
        }
        seen.insert(method);
    }
    false
}

/// What a method calls; `None` if something of it is no monitor's.
fn called(
    monitors: &MonitorClasses,
    (class_name, name, descriptor): &Method,
) -> Result<Option<Vec<Method>>, ClassError> {
    let Some(bytes) = monitors.bytes(class_name) else {
        return Ok(None);
    };
    let class = Class::parse(bytes)?;
    let pool = &class.pool;
    let mut found = Vec::new();
    let mut method = None;
    for candidate in &class.methods {
        if candidate.name(pool)? == name.as_str() && candidate.descriptor(pool)? == descriptor.as_str() {
            method = Some(candidate);
        }
    }
    let body = method.and_then(|method| class.attribute(&method.attributes, "Code"));
    let Some(body) = body else {
        // No initialiser is no code; an abstract or inherited method may be anybody's.
        return Ok((name == "<clinit>").then_some(found));
    };
    let code = Code::parse(body, pool)?;
    for insn in Instructions::new(code.bytecode) {
        let insn = insn?;
        match insn.op {
            op::INVOKESTATIC | op::INVOKESPECIAL => {
                let target = pool.member_ref(insn.operand(code.bytecode)?)?;
                let of_object = target.owner == "java/lang/Object" && target.name == "<init>";
                if !of_object {
                    found.push((
                        target.owner.clone().into_owned(),
                        target.name.into_owned(),
                        target.descriptor.into_owned(),
                    ));
                    found.push((target.owner.into_owned(), "<clinit>".to_owned(), "()V".to_owned()));
                }
            }
            op::INVOKEVIRTUAL | op::INVOKEINTERFACE | op::INVOKEDYNAMIC => return Ok(None),
            // These may run initialisers of the program, and monitors may be waited for.
            op::GETSTATIC..=op::PUTFIELD => {
                let target = pool.member_ref(insn.operand(code.bytecode)?)?;
                if !monitors.contains(&target.owner) {
                    return Ok(None);
                }
            }
            op::NEW => {
                let index = insn.operand(code.bytecode)?;
                if !monitors.contains(&pool.class_name(index)?) {
                    return Ok(None);
                }
            }
            _ => {}
        }
    }
    Ok(Some(found))
}
