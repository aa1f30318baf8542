//! Executions of methods and constructors. What comes before stands at their beginning; whose end matters is wrapped: the
//! body moves to a private method, and its place is taken by one that calls it.

use super::calls::values_of;
use super::emit::{Call, Home};
use super::points::{Found, MethodCode};
use super::weave::{ClassAdvisor, CodePlace, needs_operands};
use super::{Moment, PREFIX};
use crate::code::{ClassError, Code, CodeBody, access, op, tag};
use crate::weave::asm::Asm;
use racewire_model::names::MONITORED_BODY;
use racewire_pointcuts::{Kind, MemberShape, Value, parameters};

/// The execution of a method, if it is one to a reader of its source.
pub(super) fn found(method: &MethodCode<'_, '_>, shape: &MemberShape) -> Result<Option<Found>, ClassError> {
    let pool = &method.class.pool;
    let (name, descriptor) = (method.member.name(pool)?, method.member.descriptor(pool)?);
    // A constructor begins behind the call of the other one.
    let first = method.super_call()?.map_or(0, |pc| {
        let behind = method.insns.partition_point(|insn| insn.pc <= pc);
        behind.min(method.insns.len().saturating_sub(1))
    });
    let Some(&insn) = method.insns.get(first) else {
        return Ok(None);
    };
    if name == "<clinit>" || name.starts_with(PREFIX) {
        return Ok(None);
    }
    let arguments = parameters(&descriptor);
    Ok(Some(Found {
        insn,
        kind: Kind::Execution,
        owner: method.class.name()?.into_owned(),
        name: shape.name.clone(),
        descriptor: shape.descriptor.clone(),
        operands: (0..)
            .zip(arguments)
            .map(|(n, a)| (Value::Arg(n), a.to_owned()))
            .collect(),
        result: descriptor
            .rsplit_once(')')
            .map(|(_, r)| r.to_owned())
            .filter(|r| r != "V"),
        has_this: method.member.access & access::STATIC == 0 && method.this_in_slot_0,
    }))
}

/// What runs at the beginning of the method, and of a constructor also at its end.
pub(super) struct Beginning {
    found: Found,
    calls: Vec<Call>,
}

pub(super) fn beginning(
    advisor: &ClassAdvisor<'_, '_>,
    method: &MethodCode<'_, '_>,
    index: usize,
    shape: &MemberShape,
) -> Result<Option<Beginning>, ClassError> {
    let Some(found) = found(method, shape)? else {
        return Ok(None);
    };
    let calls = advisor.calls_at(shape, index, &found)?;
    let wrapped = shape.name != "<init>" && calls.iter().any(|c| advisor.moment(c) != Moment::Before);
    Ok((!calls.is_empty() && !wrapped).then_some(Beginning { found, calls }))
}

pub(super) fn weave_beginning(
    advisor: &mut ClassAdvisor<'_, '_>,
    place: &mut CodePlace<'_, '_>,
    Beginning { found, calls }: Beginning,
) -> Result<(), ClassError> {
    let site = advisor.site(place.shape, place.method.code, &found);
    let is_static = place.method.member.access & access::STATIC != 0;
    let values = values_of(&found, u16::from(!is_static), &advisor.shape.name);
    let mut before = Asm::new();
    let mut after = Asm::new();
    let before_all = [Moment::Before];
    let ends = [Moment::After, Moment::AfterReturning];
    let mut stack = advisor.due(&mut before, (&calls, &before_all), &values, &site, place.home)?;
    stack = stack.max(advisor.due(&mut after, (&calls, &ends), &values, &site, place.home)?);
    match place.method.super_call()? {
        Some(pc) => {
            if !before.bytes.is_empty() {
                place.edit.insert_after(pc, &before.bytes);
            }
        }
        None => {
            place.edit.insert_at_entry(&before.bytes);
        }
    }
    if !after.bytes.is_empty() && needs_operands(&calls) && place.method.changes_parameters()? {
        let what = "the constructor changes its parameters, so its end cannot be observed with them";
        let label = format!("{}.<init>{}", advisor.shape.name, place.shape.descriptor);
        advisor.account.unwoven.push(format!("{label}: {what}"));
        after = Asm::new();
    }
    for insn in place.method.insns {
        if insn.op == op::RETURN && !after.bytes.is_empty() {
            place.edit.insert_before(insn.pc, &after.bytes);
        }
    }
    place.edit.grow_stack(stack);
    *advisor.account.points.entry(Kind::Execution).or_default() += 1;
    Ok(())
}

/// Wraps the methods whose end is observed.
pub(super) fn wrap(advisor: &mut ClassAdvisor<'_, '_>) -> Result<(), ClassError> {
    for index in 0..advisor.class.methods.len() {
        wrap_one(advisor, index)?;
    }
    Ok(())
}

fn wrap_one(advisor: &mut ClassAdvisor<'_, '_>, index: usize) -> Result<(), ClassError> {
    let class = advisor.class;
    let (Some(member), Some(shape)) = (class.methods.get(index), advisor.code_shape(index)?) else {
        return Ok(());
    };
    const BRIDGE: u16 = 0x0040;
    let body = class.attribute(&member.attributes, "Code");
    let (Some(body), false) = (body, shape.name == "<init>" || member.access & BRIDGE != 0) else {
        return Ok(());
    };
    let code = Code::parse(body, &class.pool)?;
    let insns = code.instructions()?;
    let is_static = member.access & access::STATIC != 0;
    let method = MethodCode {
        class,
        member,
        code: &code,
        insns: &insns,
        this_in_slot_0: !is_static,
    };
    let Some(found) = found(&method, &shape)? else {
        return Ok(());
    };
    let calls = advisor.calls_at(&shape, index, &found)?;
    if calls.iter().all(|call| advisor.moment(call) == Moment::Before) {
        return Ok(());
    }
    let site = advisor.site(&shape, &code, &found);
    let home = if is_static || class.major < 49 {
        Home::Static
    } else {
        Home::Instance
    };
    let moved = move_body(advisor, index, body)?;
    let receiver = u16::from(!is_static);
    let mut invoke = Asm::new();
    if !is_static {
        invoke.op(op::ALOAD_0);
    }
    super::weave::load(&mut invoke, &found, receiver);
    invoke.pooled(
        if is_static {
            op::INVOKESTATIC
        } else {
            op::INVOKESPECIAL
        },
        moved,
    );
    let values = values_of(&found, receiver, &advisor.shape.name);
    let next = receiver + super::weave::total_width(&found);
    let around = advisor.around(
        &calls,
        values,
        &invoke,
        (next, found.result.as_deref()),
        &site,
        home,
    )?;
    let frames = advisor.frame_table(&[(around.handler, Some("java/lang/Throwable"))])?;
    let line = line_table(advisor, code.line_at(0))?;
    let attributes: Vec<(u16, &[u8])> = frames
        .iter()
        .chain(&line)
        .map(|(name, body)| (*name, body.as_slice()))
        .collect();
    let wrapper = CodeBody {
        max_stack: around.stack + next + 2,
        max_locals: next + 3,
        bytecode: &around.asm.bytes,
        exceptions: &around.exceptions,
        attributes: &attributes,
    };
    advisor.edit.write_method_code(index, |_, out| {
        wrapper.write(out);
        Ok(())
    })?;
    advisor.wrapped.insert(index);
    *advisor.account.points.entry(Kind::Execution).or_default() += 1;
    Ok(())
}

/// A LineNumberTable (JVMS 4.7.12) with one line for all of a method.
pub(super) fn line_table(
    advisor: &mut ClassAdvisor<'_, '_>,
    line: u16,
) -> Result<Option<(u16, Vec<u8>)>, ClassError> {
    if line == 0 {
        return Ok(None);
    }
    let mut table = vec![0, 1, 0, 0];
    table.extend_from_slice(&line.to_be_bytes());
    Ok(Some((advisor.edit.pool.utf8("LineNumberTable")?, table)))
}

/// Copies the body of a method to a private one; gives the method to call.
pub(super) fn move_body(
    advisor: &mut ClassAdvisor<'_, '_>,
    index: usize,
    body: &[u8],
) -> Result<u16, ClassError> {
    let class = advisor.class;
    let Some(member) = class.methods.get(index) else {
        return Err(ClassError::NoSuchMethod { index });
    };
    // The number of the method leads back to it; a second move of the same method needs another name.
    let name = format!(
        "{MONITORED_BODY}{index}${}${}",
        advisor.helpers,
        member.name(&class.pool)?
    );
    advisor.helpers += 1;
    let descriptor = member.descriptor(&class.pool)?;
    let pool = &mut advisor.edit.pool;
    let (name, descriptor, code) = (pool.utf8(&name)?, pool.utf8(&descriptor)?, pool.utf8("Code")?);
    let flags = member.access & (access::STATIC | access::STRICT) | access::PRIVATE | access::SYNTHETIC;
    advisor.edit.add_method(flags, name, descriptor, (code, body))?;
    let kind = match class.access & access::INTERFACE {
        0 => tag::METHOD_REF,
        _ => tag::INTERFACE_METHOD_REF,
    };
    let pool = &mut advisor.edit.pool;
    let name_and_type = pool.name_and_type_at(name, descriptor)?;
    pool.member_ref_at(kind, class.this_class, name_and_type)
}
