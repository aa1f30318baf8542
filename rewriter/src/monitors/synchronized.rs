//! Synchronized methods whose locks are observed become methods with a synchronized block (paper 001, section 3.1.3), so
//! that advice can stand before the lock is taken. The body moves to a private method.

use super::PREFIX;
use super::executions::{line_table, move_body};
use super::points::{Found, slot, width};
use super::weave::ClassAdvisor;
use crate::code::{ClassError, Code, CodeBody, ExceptionEntry, Insn, access, op};
use crate::weave::asm::Asm;
use crate::weave::suid;
use racewire_pointcuts::{Kind, MemberShape, Shape, Value, access as flags, is_subtype, parameters};

/// The locks of a synchronized method, as if they were instructions at its beginning.
pub(super) fn found(class: &Shape, method: &MemberShape) -> Vec<Found> {
    let is_static = method.access & flags::STATIC != 0;
    let lock = if is_static {
        "Ljava/lang/Class;".to_owned()
    } else {
        format!("L{};", class.name)
    };
    let point = |kind, op| Found {
        insn: Insn { pc: 0, op, len: 1 },
        kind,
        owner: String::new(),
        name: String::new(),
        descriptor: String::new(),
        operands: vec![(Value::Arg(0), lock.clone())],
        result: None,
        has_this: !is_static,
    };
    vec![
        point(Kind::Lock, op::MONITORENTER),
        point(Kind::Unlock, op::MONITOREXIT),
    ]
}

/// Opens the locks of all methods of the class that advice is interested in.
pub(super) fn open_locks(advisor: &mut ClassAdvisor<'_, '_>) -> Result<(), ClassError> {
    let mut visible = false;
    for index in 0..advisor.class.methods.len() {
        let (Some(member), Some(shape)) = (advisor.class.methods.get(index), advisor.code_shape(index)?)
        else {
            continue;
        };
        if member.access & access::SYNCHRONIZED == 0 || shape.name.starts_with(PREFIX) {
            continue;
        }
        let mut observed = false;
        for found in found(&advisor.shape, &shape) {
            observed |= !advisor.calls_at(&shape, index, &found)?.is_empty();
        }
        if observed {
            open(advisor, index, &shape)?;
            visible |= member.access & access::PRIVATE == 0;
        }
    }
    if visible {
        keep_serial_version(advisor)?;
    }
    Ok(())
}

/// A method that is no longer synchronized would change the default serialVersionUID.
fn keep_serial_version(advisor: &mut ClassAdvisor<'_, '_>) -> Result<(), ClassError> {
    let name = &advisor.shape.name;
    let serializable = is_subtype(advisor.world, name, "java/io/Serializable") != Some(false);
    if !serializable || advisor.shape.is_interface() {
        return Ok(());
    }
    if let Some(value) = suid::default_suid(advisor.class)? {
        let pool = &mut advisor.edit.pool;
        let (attribute, value) = (pool.utf8("ConstantValue")?, pool.long(value)?.to_be_bytes());
        let (name, descriptor) = (pool.utf8("serialVersionUID")?, pool.utf8("J")?);
        let flags = access::PRIVATE | access::STATIC | access::FINAL | access::SYNTHETIC;
        advisor
            .edit
            .add_field(flags, name, descriptor, &[(attribute, &value)])?;
    }
    Ok(())
}

fn open(advisor: &mut ClassAdvisor<'_, '_>, index: usize, shape: &MemberShape) -> Result<(), ClassError> {
    let class = advisor.class;
    let Some(member) = class.methods.get(index) else {
        return Ok(());
    };
    let Some(body) = class.attribute(&member.attributes, "Code") else {
        let label = format!("{}.{}{}", advisor.shape.name, shape.name, shape.descriptor);
        let what = format!("{label}: the lock of a native method cannot be observed");
        advisor.account.unwoven.push(what);
        return Ok(());
    };
    let line = Code::parse(body, &class.pool)?.line_at(0);
    let is_static = member.access & access::STATIC != 0;
    let moved = move_body(advisor, index, body)?;
    let mut locals: Vec<String> = Vec::new();
    if !is_static {
        locals.push(format!("L{};", advisor.shape.name));
    }
    locals.extend(parameters(&shape.descriptor).into_iter().map(str::to_owned));
    let lock: u16 = locals.iter().map(|d| width(d)).sum();
    let pool = &mut advisor.edit.pool;
    let mut asm = Asm::new();
    if is_static {
        asm.class_object(&advisor.shape.name, class.major, pool)?;
    } else {
        asm.op(op::ALOAD_0);
    }
    asm.op(op::DUP).any_local(op::ASTORE, lock).op(op::MONITORENTER);
    let start = asm.len();
    let mut next = 0;
    for descriptor in &locals {
        asm.any_local(slot(descriptor).load(), next);
        next += width(descriptor);
    }
    asm.pooled(
        if is_static {
            op::INVOKESTATIC
        } else {
            op::INVOKESPECIAL
        },
        moved,
    );
    asm.any_local(op::ALOAD, lock).op(op::MONITOREXIT);
    let end = asm.len();
    let result = shape.descriptor.rsplit_once(')').map_or("V", |(_, r)| r);
    asm.op(if result == "V" {
        op::RETURN
    } else {
        slot(result).ret()
    });
    let handler = asm.len();
    asm.any_local(op::ALOAD, lock).op(op::MONITOREXIT).op(op::ATHROW);
    let mut attributes = Vec::new();
    if class.major >= 50 {
        // full_frame (JVMS 4.7.4): parameters and the lock, and what was thrown.
        locals.push(if is_static {
            "Ljava/lang/Class;".to_owned()
        } else {
            format!("L{};", advisor.shape.name)
        });
        let mut frame = vec![0, 1, 255];
        frame.extend_from_slice(&handler.to_be_bytes());
        frame.extend_from_slice(&(locals.len() as u16).to_be_bytes());
        for descriptor in &locals {
            match descriptor.as_bytes().first() {
                Some(b'J') => frame.push(4),
                Some(b'D') => frame.push(3),
                Some(b'F') => frame.push(2),
                Some(b'L' | b'[') => {
                    frame.push(7);
                    let constant = pool.class(super::emit::class_constant(descriptor))?;
                    frame.extend_from_slice(&constant.to_be_bytes());
                }
                _ => frame.push(1),
            }
        }
        frame.extend_from_slice(&[0, 1, 7]);
        frame.extend_from_slice(&pool.class("java/lang/Throwable")?.to_be_bytes());
        attributes.push((pool.utf8("StackMapTable")?, frame));
    }
    attributes.extend(line_table(advisor, line)?);
    let attributes: Vec<(u16, &[u8])> = attributes
        .iter()
        .map(|(name, body)| (*name, body.as_slice()))
        .collect();
    let wrapper = CodeBody {
        max_stack: lock + 4,
        max_locals: lock + 1,
        bytecode: &asm.bytes,
        exceptions: &[ExceptionEntry {
            start,
            end,
            handler,
            catch_type: 0,
        }],
        attributes: &attributes,
    };
    advisor.edit.write_method_code(index, |_, out| {
        wrapper.write(out);
        Ok(())
    })?;
    advisor
        .edit
        .set_method_access(index, member.access & !access::SYNCHRONIZED);
    Ok(())
}
