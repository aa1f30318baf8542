//! The frame at a method's entry (JVMS 4.10.1.6), from its descriptor: what the first frame of a
//! StackMapTable is relative to. Only needed where frames are expanded.

use super::pool_builder::PoolBuilder;
use super::{Class, ClassError, Code, Member, VerificationType, mutf8};

const ACC_STATIC: u16 = 0x0008;

/// The locals with which the method that `code` belongs to is entered.
pub fn locals(
    class: &Class<'_>,
    code: &Code<'_>,
    pool: &mut PoolBuilder<'_, '_>,
) -> Result<Vec<VerificationType>, ClassError> {
    let method = owner(class, code).ok_or(ClassError::BadCode {
        pc: 0,
        reason: "the code belongs to no method of the class",
    })?;
    let mut locals = Vec::new();
    if method.access & ACC_STATIC == 0 {
        let constructs = class.pool.utf8(method.name)? == b"<init>" && class.super_class != 0;
        locals.push(if constructs {
            VerificationType::UninitializedThis
        } else {
            VerificationType::Object(class.this_class)
        });
    }
    each_parameter(class.pool.utf8(method.descriptor)?, |parameter| {
        locals.push(match parameter {
            [b'J'] => VerificationType::Long,
            [b'D'] => VerificationType::Double,
            [b'F'] => VerificationType::Float,
            [_] => VerificationType::Integer,
            [b'L', name @ .., _] => VerificationType::Object(pool.class_bytes(name)?),
            array => VerificationType::Object(pool.class_bytes(array)?),
        });
        Ok(())
    })?;
    Ok(locals)
}

/// The method whose Code attribute `code` was read from: the one that holds the very same bytes.
fn owner<'c, 'a>(class: &'c Class<'a>, code: &Code<'_>) -> Option<&'c Member<'a>> {
    let start = code.bytecode.as_ptr();
    let holds = |member: &&Member<'_>| {
        member
            .attributes
            .into_iter()
            .any(|a| a.body.as_ptr_range().contains(&start))
    };
    class.methods.iter().find(holds)
}

/// Calls `each` with the parameter types of a method descriptor, one field descriptor each (JVMS 4.3.3); gives what
/// follows them.
pub fn each_parameter<'d>(
    descriptor: &'d [u8],
    mut each: impl FnMut(&'d [u8]) -> Result<(), ClassError>,
) -> Result<&'d [u8], ClassError> {
    let bad = || ClassError::BadDescriptor {
        descriptor: mutf8::decode(descriptor).into_owned(),
    };
    let mut rest = descriptor.strip_prefix(b"(").ok_or_else(bad)?;
    loop {
        if let Some(result) = rest.strip_prefix(b")") {
            return Ok(result);
        }
        let length = field_length(rest).ok_or_else(bad)?;
        let (parameter, after) = rest.split_at_checked(length).ok_or_else(bad)?;
        each(parameter)?;
        rest = after;
    }
}

/// Length of the field descriptor that `rest` begins with.
fn field_length(rest: &[u8]) -> Option<usize> {
    let dimensions = rest.iter().take_while(|byte| **byte == b'[').count();
    match rest.get(dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(dimensions + 1),
        b'L' => rest.iter().position(|byte| *byte == b';').map(|end| end + 1),
        _ => None,
    }
}

/// Slots of a value of this type: two for long and double, none for void.
pub fn slots(descriptor: &[u8]) -> usize {
    match descriptor {
        [b'J' | b'D'] => 2,
        [b'V'] => 0,
        _ => 1,
    }
}

/// Slots of the arguments and of the result of a method descriptor.
pub fn call_slots(descriptor: &[u8]) -> Result<(usize, usize), ClassError> {
    let mut arguments = 0;
    let result = each_parameter(descriptor, |parameter| {
        arguments += slots(parameter);
        Ok(())
    })?;
    Ok((arguments, slots(result)))
}
