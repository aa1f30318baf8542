//! The slots of the abstract machine.

use racewire_classfile::ClassError;
use racewire_classfile::shuffle::shuffle;

use super::bad;
use super::kinds::Kind;
use super::values::{NULL, TOP, Value};

/// The slots: locals, then stack.
#[derive(Debug, Default)]
pub struct State {
    pub slots: Vec<Value>,
    pub locals: usize,
    /// The locals that the last instruction wrote: the first and how many.
    pub written: (usize, usize),
}

impl State {
    pub fn pop(&mut self, pc: usize) -> Result<Value, ClassError> {
        match self.slots.pop() {
            Some(value) if self.slots.len() >= self.locals => Ok(value),
            _ => Err(bad(pc, "operand stack underflow")),
        }
    }

    pub fn pop_reference(&mut self, pc: usize) -> Result<Value, ClassError> {
        match self.pop(pc)? {
            TOP => Err(bad(pc, "no reference where one is needed")),
            value => Ok(value),
        }
    }

    pub fn drop_slots(&mut self, count: usize, pc: usize) -> Result<(), ClassError> {
        match self.slots.len().checked_sub(count) {
            Some(left) if left >= self.locals => self.slots.truncate(left),
            _ => return Err(bad(pc, "operand stack underflow")),
        }
        Ok(())
    }

    pub fn push(&mut self, value: Value) {
        self.slots.push(value);
    }

    /// What is no reference.
    pub fn push_slots(&mut self, count: usize) {
        self.slots.resize(self.slots.len() + count, TOP);
    }

    /// A value of that kind, which is `reference` if it has a node.
    pub fn push_kind(&mut self, kind: Kind, reference: Value) {
        match kind {
            Kind::Leaf => self.push(NULL),
            Kind::Object { .. } => self.push(reference),
            _ => self.push_slots(kind.slots()),
        }
    }

    pub fn local(&mut self, index: usize, pc: usize) -> Result<&mut Value, ClassError> {
        let locals = self.slots.get_mut(..self.locals).unwrap_or_default();
        locals
            .get_mut(index)
            .ok_or_else(|| bad(pc, "no such local variable"))
    }

    pub fn store(&mut self, index: usize, count: usize, value: Value, pc: usize) -> Result<(), ClassError> {
        for slot in index..index + count {
            *self.local(slot, pc)? = value;
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
