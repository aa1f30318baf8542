//! Writes the relocated bytecode.

use std::ops::Range;

use super::bytes::{push_short, push_u32, u32_at};
use super::edit::{CodeEdit, Place};
use super::instructions::{Switch, switch_padding};
use super::islands::destination;
use super::layout::{Form, Item, Layout};
use super::opcode::{self, Flow};
use super::{ClassError, instructions};

pub fn bytecode(edit: &CodeEdit<'_, '_>, layout: &Layout, out: &mut Vec<u8>) -> Result<(), ClassError> {
    let code = edit.code.bytecode;
    out.extend_from_slice(&edit.entry);
    let mut old = 0;
    for item in &layout.items {
        let pc = item.pc as usize;
        // A branch with nothing put before it is copied with the code before it, and only its offset is new.
        if item.stands_alone() && item.form == Form::Branch && item.len == 3 {
            let end = pc + item.len as usize;
            copy(code, old..end, out)?;
            let offset = near_offset(layout, item)?;
            if let Some(slot) = out.last_chunk_mut::<2>() {
                *slot = offset.to_be_bytes();
            }
            old = end;
            continue;
        }
        copy(code, old..pc, out)?;
        insertions(edit, layout, &item.after, out);
        if item.islands > 0 {
            for (&(_, target), place) in layout.islands.range((item.pc, 0)..=(item.pc, u32::MAX)) {
                out.push(opcode::GOTO_W);
                push_u32(out, layout.landing(target)?.wrapping_sub(*place));
            }
        }
        insertions(edit, layout, &item.before, out);
        if item.form == Form::Copy {
            // Goes with what follows it.
            old = pc;
        } else {
            instruction(edit, layout, item, out)?;
            old = pc + item.len as usize;
        }
    }
    out.extend_from_slice(code.get(old..).unwrap_or_default());
    for tail in edit.edits.iter().filter(|tail| tail.place == Place::Tail) {
        out.extend_from_slice(edit.bytes_of(tail));
    }
    Ok(())
}

/// Old code as it is.
#[inline]
fn copy(code: &[u8], range: Range<usize>, out: &mut Vec<u8>) -> Result<(), ClassError> {
    if range.end > code.len() || range.start > range.end {
        return Err(ClassError::Truncated { at: range.start });
    }
    push_short(out, code, range);
    Ok(())
}

fn insertions(edit: &CodeEdit<'_, '_>, layout: &Layout, range: &Range<u32>, out: &mut Vec<u8>) {
    for nth in layout
        .order
        .get(range.start as usize..range.end as usize)
        .unwrap_or_default()
    {
        if let Some(insertion) = edit.edits.get(*nth as usize) {
            edit.push_bytes_of(insertion, out);
        }
    }
}

fn instruction(
    edit: &CodeEdit<'_, '_>,
    layout: &Layout,
    item: &Item,
    out: &mut Vec<u8>,
) -> Result<(), ClassError> {
    let code = edit.code.bytecode;
    let pc = item.pc as usize;
    let whole = code
        .get(pc..pc + item.len as usize)
        .ok_or(ClassError::Truncated { at: pc })?;
    let own = item.own();
    let op = whole.first().copied().unwrap_or(opcode::NOP);
    match item.form {
        Form::Copy => out.extend_from_slice(whole),
        Form::Replaced(nth) => {
            if let Some(replacement) = edit.edits.get(nth as usize) {
                out.extend_from_slice(edit.bytes_of(replacement));
            }
        }
        Form::Branch | Form::Island(_) => {
            out.push(op);
            if matches!(item.flow, Flow::GotoW | Flow::JsrW) {
                push_u32(out, destination(layout, item)?.wrapping_sub(own));
            } else {
                out.extend_from_slice(&near_offset(layout, item)?.to_be_bytes());
            }
        }
        Form::Wide => {
            out.push(if op == opcode::JSR {
                opcode::JSR_W
            } else {
                opcode::GOTO_W
            });
            push_u32(out, destination(layout, item)?.wrapping_sub(own));
        }
        Form::Inverted => {
            // Over itself (3 bytes) and the `goto_w` (5).
            out.extend_from_slice(&[opcode::inverted(op), 0, 8, opcode::GOTO_W]);
            push_u32(out, destination(layout, item)?.wrapping_sub(own + 3));
        }
        Form::Switch => switch(code, pc, own, layout, out)?,
    }
    Ok(())
}

fn near_offset(layout: &Layout, item: &Item) -> Result<i16, ClassError> {
    let offset = i64::from(destination(layout, item)?) - i64::from(item.own());
    i16::try_from(offset).map_err(|_| ClassError::BadCode {
        pc: item.pc,
        reason: "branch out of reach",
    })
}

fn switch(code: &[u8], pc: usize, own: u32, layout: &Layout, out: &mut Vec<u8>) -> Result<(), ClassError> {
    let switch = Switch::read(code, pc)?;
    out.extend_from_slice(code.get(pc..=pc).unwrap_or_default());
    out.extend_from_slice(&[0; 3][..switch_padding(own as usize)]);
    let operands_at = out.len();
    let end = pc + instructions::length_at(code, pc)?;
    out.extend_from_slice(
        code.get(switch.operands..end)
            .ok_or(ClassError::Truncated { at: pc })?,
    );
    for at in switch.offset_positions() {
        let target = (pc as u32).wrapping_add(u32_at(code, switch.operands + at)?);
        let offset = layout.landing(target)?.wrapping_sub(own);
        let slot = out
            .get_mut(operands_at + at..operands_at + at + 4)
            .unwrap_or_default();
        slot.copy_from_slice(&offset.to_be_bytes());
    }
    Ok(())
}
