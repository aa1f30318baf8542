//! What the abstract machine of [`super`] knows of locals and stack.

use super::bad;
use crate::{ClassError, shuffle};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Other,
    This,
    /// `this` on some paths.
    PerhapsThis,
    Uninitialized,
}

impl Value {
    fn merge(self, other: Value) -> Value {
        match (self, other) {
            (a, b) if a == b => a,
            (Value::Uninitialized, _) | (_, Value::Uninitialized) => Value::Uninitialized,
            _ => Value::PerhapsThis,
        }
    }

    pub fn may_be_this(self) -> bool {
        matches!(self, Value::This | Value::PerhapsThis)
    }
}

/// One value per slot (long and double have two).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    pub locals: Vec<Value>,
    pub stack: Vec<Value>,
    pub leaked: bool,
    /// The fields of the class that were accessed on `this`, by index; those beyond 63 always count as accessed.
    pub touched: u64,
}

impl State {
    /// Takes `count` slots off the stack; says whether `this` may be among them.
    pub fn pop(&mut self, count: usize, pc: usize) -> Result<bool, ClassError> {
        let left = self.stack.len().checked_sub(count);
        let left = left.ok_or_else(|| bad(pc, "operand stack underflow"))?;
        let taken = self.stack.get(left..).unwrap_or_default();
        let has_this = taken.iter().any(|value| value.may_be_this());
        self.stack.truncate(left);
        Ok(has_this)
    }

    pub fn pop_value(&mut self, pc: usize) -> Result<Value, ClassError> {
        self.stack.pop().ok_or_else(|| bad(pc, "operand stack underflow"))
    }

    /// Behind a leak nothing is a first write any more, and only what is uninitialized can still come before `super()`.
    pub fn has_nothing_to_find(&self) -> bool {
        let mut values = self.locals.iter().chain(&self.stack);
        self.leaked && values.all(|value| *value != Value::Uninitialized)
    }

    pub fn push_other(&mut self, count: usize) {
        self.stack.resize(self.stack.len() + count, Value::Other);
    }

    pub fn local(&mut self, index: usize, pc: usize) -> Result<&mut Value, ClassError> {
        self.locals
            .get_mut(index)
            .ok_or_else(|| bad(pc, "no such local variable"))
    }

    /// Merges `other` in; says whether that changed anything.
    pub fn merge(&mut self, other: &State) -> bool {
        // Depths differ in no verified method; keep to the shorter.
        let mut changed = self.stack.len() > other.stack.len();
        self.stack.truncate(other.stack.len());
        let pairs = self
            .locals
            .iter_mut()
            .zip(&other.locals)
            .chain(self.stack.iter_mut().zip(&other.stack));
        for (mine, theirs) in pairs {
            let merged = mine.merge(*theirs);
            changed |= merged != *mine;
            *mine = merged;
        }
        changed |= (other.leaked && !self.leaked) || other.touched & !self.touched != 0;
        self.leaked |= other.leaked;
        self.touched |= other.touched;
        changed
    }

    pub fn shuffle(&mut self, op: u8, pc: usize) -> Result<(), ClassError> {
        if shuffle::shuffle(&mut self.stack, 0, op) {
            Ok(())
        } else {
            Err(bad(pc, "operand stack underflow"))
        }
    }
}
