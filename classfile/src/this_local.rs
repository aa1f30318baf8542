//! Whether a method can rely on finding `this` in local variable 0 wherever it is.
//!
//! Nobody may write slot 0, and no stack map frame may let go of it: a compiler that does not need `this` any
//! more may leave it out of later frames (JVMS 4.10.1.2: a frame need not list what is there), and then an
//! `aload_0` behind such a frame does not verify.

use super::bytes::Reader;
use super::instructions::{Wanted, select};
use super::{Class, ClassError, Code, Insn, Member, access, opcode};

/// Verification types (JVMS 4.7.4) that are followed by two bytes.
const OBJECT: u8 = 7;
const UNINITIALIZED: u8 = 8;

pub fn this_stays_in_slot_0(
    class: &Class<'_>,
    method: &Member<'_>,
    code: &Code<'_>,
) -> Result<bool, ClassError> {
    if method.access & access::STATIC != 0 {
        return Ok(false);
    }
    let mut is_stored = false;
    select(code.bytecode, &ANY_THAT_MAY, |insn| {
        is_stored = stores_slot_0(&insn, code.bytecode);
        Ok(!is_stored)
    })?;
    Ok(!is_stored && frames_keep_this(class, method, code)?)
}

static ANY_THAT_MAY: Wanted = MAY_STORE_SLOT_0;

/// The instructions that may store something in slot 0.
pub const MAY_STORE_SLOT_0: Wanted = Wanted::within(&[
    (opcode::ISTORE, opcode::ASTORE),
    (opcode::ISTORE_0, opcode::ISTORE_0),
    (opcode::LSTORE_0, opcode::LSTORE_0),
    (opcode::FSTORE_0, opcode::FSTORE_0),
    (opcode::DSTORE_0, opcode::DSTORE_0),
    (opcode::ASTORE_0, opcode::ASTORE_0),
    (opcode::WIDE, opcode::WIDE),
]);

/// Whether one of [`MAY_STORE_SLOT_0`] does.
pub fn stores_slot_0(insn: &Insn, bytecode: &[u8]) -> bool {
    let operand = |at: u32| bytecode.get(at as usize).copied();
    match insn.op {
        opcode::ISTORE..=opcode::ASTORE => operand(insn.pc + 1) == Some(0),
        opcode::ISTORE_0 | opcode::LSTORE_0 | opcode::FSTORE_0 | opcode::DSTORE_0 | opcode::ASTORE_0 => true,
        opcode::WIDE => {
            matches!(operand(insn.pc + 1), Some(opcode::ISTORE..=opcode::ASTORE))
                && operand(insn.pc + 2) == Some(0)
                && operand(insn.pc + 3) == Some(0)
        }
        _ => false,
    }
}

/// Whether no frame of an instance method lets go of `this`.
pub fn frames_keep_this(class: &Class<'_>, method: &Member<'_>, code: &Code<'_>) -> Result<bool, ClassError> {
    let Some(table) = code.attributes.named(&class.pool, "StackMapTable") else {
        return Ok(true);
    };
    // Locals as entries, not slots: `this`, then one per parameter.
    let mut locals = 1 + parameters(class.pool.utf8(method.descriptor)?);
    let mut reader = Reader::new(table.body, 0);
    for _ in 0..reader.u16()? {
        match reader.u8()? {
            0..=63 => {}
            64..=127 => {
                verification_type(&mut reader)?;
            }
            247 => {
                reader.u16()?;
                verification_type(&mut reader)?;
            }
            kind @ 248..=250 => {
                reader.u16()?;
                let chopped = usize::from(251 - kind);
                if chopped >= locals {
                    return Ok(false);
                }
                locals -= chopped;
            }
            251 => {
                reader.u16()?;
            }
            kind @ 252..=254 => {
                reader.u16()?;
                for _ in 251..kind {
                    verification_type(&mut reader)?;
                    locals += 1;
                }
            }
            255 => {
                reader.u16()?;
                locals = usize::from(reader.u16()?);
                for nth in 0..locals {
                    let found = verification_type(&mut reader)?;
                    if nth == 0 && !is_this(class, found)? {
                        return Ok(false);
                    }
                }
                if locals == 0 {
                    return Ok(false);
                }
                for _ in 0..reader.u16()? {
                    verification_type(&mut reader)?;
                }
            }
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// The class index of an object type.
fn verification_type(reader: &mut Reader<'_>) -> Result<Option<u16>, ClassError> {
    match reader.u8()? {
        OBJECT => reader.u16().map(Some),
        UNINITIALIZED => reader.u16().map(|_| None),
        _ => Ok(None),
    }
}

fn is_this(class: &Class<'_>, found: Option<u16>) -> Result<bool, ClassError> {
    match found {
        Some(index) => {
            Ok(class.pool.class_name_bytes(index)? == class.pool.class_name_bytes(class.this_class)?)
        }
        None => Ok(false),
    }
}

/// Number of parameters in a method descriptor.
fn parameters(descriptor: &[u8]) -> usize {
    let mut rest = descriptor.strip_prefix(b"(").unwrap_or_default();
    let mut count = 0;
    while let Some(&first) = rest.first()
        && first != b')'
    {
        let skip = match first {
            b'L' => rest
                .iter()
                .position(|&c| c == b';')
                .map_or(rest.len(), |at| at + 1),
            _ => 1,
        };
        count += usize::from(first != b'[');
        rest = rest.get(skip..).unwrap_or_default();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_counted_as_entries() {
        assert_eq!(parameters(b"()V"), 0);
        assert_eq!(parameters(b"(IJ[[ILjava/lang/String;[Lx/Y;D)V"), 6);
    }
}
