//! The types of the local variables before an instruction, as far as stack map frames tell.

use super::frames::FrameTable;
use super::pool_builder::PoolBuilder;
use super::{Class, ClassError, Code, Insn, VerificationType, initial, opcode};

/// The nearest frame before `pc`, or the entry's: no branch lands between the two (JVMS 4.10.1: every target has a
/// frame). `None` if a variable that the frame has a type for is written on the way. Below version 50 nobody asks
/// for types: an empty list.
pub fn locals_at<'a>(
    class: &Class<'a>,
    code: &Code<'a>,
    insns: &[Insn],
    pc: u32,
    pool: &mut PoolBuilder<'_, 'a>,
) -> Result<Option<Vec<VerificationType>>, ClassError> {
    if class.major < 50 {
        return Ok(Some(Vec::new()));
    }
    let entry = initial::locals(class, code, pool)?;
    let (from, locals) = match FrameTable::find(code, &class.pool)? {
        Some(table) => table.locals_before(pc, entry)?,
        None => (0, entry),
    };
    let start = insns.partition_point(|insn| insn.pc < from);
    let between = insns.iter().skip(start).take_while(|insn| insn.pc < pc);
    for insn in between {
        if let Some((first, width)) = stored(insn, code) {
            let mut slot = 0;
            for local in &locals {
                let end = slot + local.slots();
                if *local != VerificationType::Top && slot < first + width && first < end {
                    return Ok(None);
                }
                slot = end;
            }
        } else if insn.op == opcode::INVOKESPECIAL && locals.iter().any(|l| is_uninitialized(*l)) {
            // A constructor call changes the types of what it initialises.
            return Ok(None);
        }
    }
    Ok(Some(locals))
}

fn is_uninitialized(local: VerificationType) -> bool {
    matches!(
        local,
        VerificationType::Uninitialized(_) | VerificationType::UninitializedThis
    )
}

/// The first local variable that an instruction stores to, and how many.
fn stored(insn: &Insn, code: &Code<'_>) -> Option<(usize, usize)> {
    let byte = |at: u32| code.bytecode.get(at as usize).copied().unwrap_or(0);
    let width = |kind: u8| if kind == 1 || kind == 3 { 2 } else { 1 };
    match insn.op {
        // int, long, float, double, reference, in this order
        op @ opcode::ISTORE..=opcode::ASTORE => {
            Some((usize::from(byte(insn.pc + 1)), width(op - opcode::ISTORE)))
        }
        op @ opcode::ISTORE_0..=opcode::ASTORE_3 => {
            let nth = op - opcode::ISTORE_0;
            Some((usize::from(nth % 4), width(nth / 4)))
        }
        opcode::WIDE => match byte(insn.pc + 1) {
            op @ opcode::ISTORE..=opcode::ASTORE => {
                let slot = u16::from_be_bytes([byte(insn.pc + 2), byte(insn.pc + 3)]);
                Some((usize::from(slot), width(op - opcode::ISTORE)))
            }
            _ => None,
        },
        _ => None,
    }
}
