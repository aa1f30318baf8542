//! The slots of the abstract machine: locals, then stack.

use super::{NOTHING, ValueId};
use racewire_classfile::ClassError;
use racewire_classfile::shuffle::shuffle;

/// The second slot of a long or double (JVMS 2.6.1).
pub const HALF: ValueId = ValueId::MAX;

pub fn bad(pc: usize, reason: &'static str) -> ClassError {
    ClassError::BadCode {
        pc: pc as u32,
        reason,
    }
}

#[derive(Debug, Default)]
pub struct Slots {
    pub slots: Vec<ValueId>,
    pub locals: usize,
    /// The locals that the last instruction wrote: the first and how many.
    pub written: (usize, usize),
}

impl Slots {
    pub fn push(&mut self, value: ValueId, count: usize) {
        if count > 0 {
            self.slots.push(value);
        }
        if count > 1 {
            self.slots.push(HALF);
        }
    }

    /// The value in the top `count` slots.
    pub fn pop(&mut self, count: usize, pc: usize) -> Result<ValueId, ClassError> {
        let left = self
            .slots
            .len()
            .checked_sub(count)
            .filter(|left| *left >= self.locals);
        let left = left.ok_or_else(|| bad(pc, "operand stack underflow"))?;
        let value = self.slots.get(left).copied().unwrap_or(NOTHING);
        self.slots.truncate(left);
        Ok(value)
    }

    /// All values in the top `count` slots, in order.
    pub fn pop_into(&mut self, count: usize, out: &mut Vec<ValueId>, pc: usize) -> Result<(), ClassError> {
        let left = self
            .slots
            .len()
            .checked_sub(count)
            .filter(|left| *left >= self.locals);
        let left = left.ok_or_else(|| bad(pc, "operand stack underflow"))?;
        let popped = self.slots.get(left..).unwrap_or_default();
        out.extend(popped.iter().copied().filter(|value| *value != HALF));
        self.slots.truncate(left);
        Ok(())
    }

    pub fn local(&self, index: usize, pc: usize) -> Result<ValueId, ClassError> {
        let locals = self.slots.get(..self.locals).unwrap_or_default();
        let value = locals.get(index).copied();
        value.ok_or_else(|| bad(pc, "no such local variable"))
    }

    pub fn store(&mut self, index: usize, count: usize, value: ValueId, pc: usize) -> Result<(), ClassError> {
        let locals = self.slots.get_mut(..self.locals).unwrap_or_default();
        let slots = locals.get_mut(index..index + count);
        let slots = slots.ok_or_else(|| bad(pc, "no such local variable"))?;
        for (nth, slot) in slots.iter_mut().enumerate() {
            *slot = if nth == 0 { value } else { HALF };
        }
        self.written = (index, count);
        Ok(())
    }

    pub fn shuffle(&mut self, op: u8, pc: usize) -> Result<(), ClassError> {
        if shuffle(&mut self.slots, self.locals, op) {
            Ok(())
        } else {
            Err(bad(pc, "operand stack underflow"))
        }
    }
}
