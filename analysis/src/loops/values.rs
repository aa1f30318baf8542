//! What the values in a loop have to do with its counters, block by block.

use std::collections::HashMap;

use racewire_classfile::initial::{call_slots, slots};
use racewire_classfile::shuffle::shuffle;
use racewire_classfile::{Class, ClassError, Code, Insn, access, op};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    Unknown,
    Constant(i32),
    /// The same in all rounds.
    Same,
    /// Grows by `by` (not 0) when the counter grows by 1, at one place of the round.
    Linear {
        counter: u16,
        by: i32,
    },
}

use Value::{Constant, Linear, Same, Unknown};

/// How a loop writes a local variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    /// Once, by `iinc`.
    Counts,
    Otherwise,
}

pub struct Machine<'c, 'a> {
    class: &'c Class<'a>,
    code: &'c Code<'a>,
    written: HashMap<u16, Written>,
    /// What the block at hand has stored.
    locals: HashMap<u16, Value>,
    /// What it has pushed; below that everything is unknown.
    stack: Vec<Value>,
}

/// The opcode of a load or store without its wide or short form, and its variable.
fn variable(insn: &Insn, code: &[u8]) -> Option<(u8, u16)> {
    let at = |offset: usize| code.get(insn.pc as usize + offset).copied().unwrap_or(0);
    let short = |first: u8, kind: u8| Some((kind + (insn.op - first) / 4, u16::from((insn.op - first) % 4)));
    match insn.op {
        op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::IINC => Some((insn.op, u16::from(at(1)))),
        op::ILOAD_0..=op::ALOAD_3 => short(op::ILOAD_0, op::ILOAD),
        op::ISTORE_0..=op::ASTORE_3 => short(op::ISTORE_0, op::ISTORE),
        op::WIDE => Some((at(1), u16::from_be_bytes([at(2), at(3)]))),
        _ => None,
    }
}

/// Whether a load or store moves a long or double.
fn is_wide(opcode: u8) -> bool {
    matches!(opcode, op::LLOAD | op::DLOAD | op::LSTORE | op::DSTORE)
}

impl<'c, 'a> Machine<'c, 'a> {
    pub fn new<'i>(class: &'c Class<'a>, code: &'c Code<'a>, inside: impl Iterator<Item = &'i Insn>) -> Self {
        let mut written = HashMap::new();
        for insn in inside {
            match variable(insn, code.bytecode) {
                Some((op::IINC, slot)) => {
                    let how = if written.contains_key(&slot) {
                        Written::Otherwise
                    } else {
                        Written::Counts
                    };
                    written.insert(slot, how);
                }
                Some((opcode @ op::ISTORE..=op::ASTORE, slot)) => {
                    written.insert(slot, Written::Otherwise);
                    if is_wide(opcode) {
                        written.insert(slot.saturating_add(1), Written::Otherwise);
                    }
                }
                _ => {}
            }
        }
        Self {
            class,
            code,
            written,
            locals: HashMap::new(),
            stack: Vec::new(),
        }
    }

    /// So many bytes behind the opcode.
    fn byte(&self, insn: &Insn, offset: usize) -> u8 {
        let at = insn.pc as usize + offset;
        self.code.bytecode.get(at).copied().unwrap_or(0)
    }

    /// The counter that the instruction changes, and by how much.
    pub fn counted(&self, insn: &Insn) -> Option<(u16, i32)> {
        let (opcode, slot) = variable(insn, self.code.bytecode)?;
        if opcode != op::IINC || self.written.get(&slot) != Some(&Written::Counts) {
            return None;
        }
        let at = |offset: usize| self.byte(insn, offset);
        let step = match insn.op {
            op::WIDE => i32::from(i16::from_be_bytes([at(4), at(5)])),
            _ => i32::from(at(2) as i8),
        };
        Some((slot, step))
    }

    /// It is no counter after all.
    pub fn forget(&mut self, slot: u16) {
        self.written.insert(slot, Written::Otherwise);
    }

    /// A block begins.
    pub fn enter(&mut self) {
        self.locals.clear();
        self.stack.clear();
    }

    fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or(Unknown)
    }

    fn replace(&mut self, taken: usize, given: usize) {
        for _ in 0..taken {
            self.pop();
        }
        self.stack.extend(std::iter::repeat_n(Unknown, given));
    }

    /// The index at which the instruction accesses, if its array is always the same.
    pub fn index(&self, insn: &Insn) -> Option<Value> {
        let above = match insn.op {
            op::IALOAD..=op::SALOAD => 0,
            // lastore and dastore
            80 | 82 => 2,
            _ => 1,
        };
        let nth = |from_top: usize| {
            let at = self.stack.len().checked_sub(from_top + 1)?;
            self.stack.get(at).copied()
        };
        let array = nth(above + 1)?;
        nth(above).filter(|_| array == Same)
    }

    fn load(&self, slot: u16) -> Value {
        if let Some(stored) = self.locals.get(&slot) {
            return *stored;
        }
        match self.written.get(&slot) {
            None => Same,
            Some(Written::Counts) => Linear { counter: slot, by: 1 },
            Some(Written::Otherwise) => Unknown,
        }
    }

    pub fn step(&mut self, insn: &Insn) -> Result<(), ClassError> {
        match variable(insn, self.code.bytecode) {
            // What was loaded before stays as linear as it was: one step behind, in every round.
            Some((op::IINC, slot)) => {
                self.locals.remove(&slot);
            }
            Some((opcode @ op::ILOAD..=op::ALOAD, slot)) => {
                if is_wide(opcode) || opcode == op::FLOAD {
                    self.replace(0, 1 + usize::from(is_wide(opcode)));
                } else {
                    let value = self.load(slot);
                    self.stack.push(value);
                }
            }
            Some((opcode, slot)) => {
                let value = self.pop();
                self.locals.insert(slot, value);
                if is_wide(opcode) {
                    self.pop();
                    self.locals.insert(slot, Unknown);
                    self.locals.insert(slot.saturating_add(1), Unknown);
                }
            }
            None => self.operate(insn)?,
        }
        Ok(())
    }

    fn operate(&mut self, insn: &Insn) -> Result<(), ClassError> {
        let at = |offset: usize| self.byte(insn, offset);
        match insn.op {
            // iconst_m1 to iconst_5
            2..=8 => self
                .stack
                .push(Constant(i32::from(insn.op) - i32::from(op::ICONST_0))),
            op::BIPUSH => self.stack.push(Constant(i32::from(at(1) as i8))),
            op::SIPUSH => self
                .stack
                .push(Constant(i32::from(i16::from_be_bytes([at(1), at(2)])))),
            op::LDC | op::LDC_W => self.stack.push(Same),
            op::DUP..=op::SWAP => {
                // What lies deeper may be from another block.
                while self.stack.len() < 4 {
                    self.stack.insert(0, Unknown);
                }
                shuffle(&mut self.stack, 0, insn.op);
            }
            // ineg, i2b, i2c, i2s, arraylength
            116 | 145..=147 | 190 => {
                let value = self.pop();
                self.stack.push(match (insn.op, value) {
                    (116, Linear { counter, by }) => linear(counter, by.checked_neg()),
                    (_, Constant(_) | Same) => Same,
                    _ => Unknown,
                });
            }
            96 | 100 | 104 | 108 | 112 | 120 | 122 | 124 | 126 | 128 | 130 => {
                let right = self.pop();
                let left = self.pop();
                self.stack.push(combine(insn.op, left, right));
            }
            op::GETFIELD => {
                let owner = self.pop();
                let reference = insn.operand(self.code.bytecode)?;
                let field = self.class.pool.member_ref(reference)?;
                let is_same = owner == Same && self.is_final(&field.owner, &field.name, &field.descriptor)?;
                match slots(field.descriptor.as_bytes()) {
                    1 if is_same => self.stack.push(Same),
                    width => self.replace(0, width),
                }
            }
            op::GETSTATIC | op::PUTSTATIC | op::PUTFIELD => {
                let field = self.class.pool.member_ref(insn.operand(self.code.bytecode)?)?;
                let width = slots(field.descriptor.as_bytes());
                match insn.op {
                    op::GETSTATIC => self.replace(0, width),
                    op::PUTSTATIC => self.replace(width, 0),
                    _ => self.replace(width + 1, 0),
                }
            }
            op::INVOKESTATIC | op::INVOKEVIRTUAL => {
                let method = self.class.pool.member_ref(insn.operand(self.code.bytecode)?)?;
                let (taken, given) = call_slots(method.descriptor.as_bytes())?;
                self.replace(taken + usize::from(insn.op == op::INVOKEVIRTUAL), given);
            }
            other => match op::stack_effect(other) {
                Some((taken, given)) => self.replace(usize::from(taken), usize::from(given)),
                None => self.stack.clear(),
            },
        }
        Ok(())
    }

    /// A final field of this very class: no round sees another value than the one before.
    fn is_final(&self, owner: &str, name: &str, descriptor: &str) -> Result<bool, ClassError> {
        if *owner != *self.class.name()? {
            return Ok(false);
        }
        for field in &self.class.fields {
            if self.class.pool.utf8(field.name)? == name.as_bytes()
                && self.class.pool.utf8(field.descriptor)? == descriptor.as_bytes()
            {
                return Ok(field.access & access::FINAL != 0);
            }
        }
        Ok(false)
    }
}

fn linear(counter: u16, by: Option<i32>) -> Value {
    match by {
        Some(0) => Same,
        Some(by) => Linear { counter, by },
        None => Unknown,
    }
}

/// An operation on two ints.
fn combine(opcode: u8, left: Value, right: Value) -> Value {
    match (opcode, left, right) {
        (_, Constant(_) | Same, Constant(_) | Same) => Same,
        // iadd, isub
        (96 | 100, Linear { .. }, Constant(_) | Same) => left,
        (96, Constant(_) | Same, Linear { .. }) => right,
        (100, Constant(_) | Same, Linear { counter, by }) => linear(counter, by.checked_neg()),
        (
            96,
            Linear { counter, by },
            Linear {
                counter: other,
                by: more,
            },
        ) if counter == other => linear(counter, by.checked_add(more)),
        // imul, ishl
        (104, Linear { counter, by }, Constant(times)) | (104, Constant(times), Linear { counter, by }) => {
            linear(counter, by.checked_mul(times))
        }
        (120, Linear { counter, by }, Constant(bits @ 0..=30)) => linear(counter, by.checked_mul(1 << bits)),
        _ => Unknown,
    }
}
