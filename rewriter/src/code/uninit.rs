//! Field accesses on a `this` whose superclass constructor has not run yet.
//!
//! `putfield` may store to such an object (JVMS 4.10.1.9; since Java 22 whole statements stand before
//! `super()`), but it can be passed to nothing. The analysis runs the constructor on an abstract machine
//! whose values are two: uninitialized `this`, and anything else. Objects made by `new` are anything else:
//! their constructor call never changes `this`.
//!
//! Where paths meet, uninitialized `this` wins: the verifier lets nobody use a slot in which it met
//! something else, so this only decides for code that cannot run, and decides it the safe way. A path on
//! which no slot holds it has nothing more to find and ends.

use std::collections::BTreeSet;

use super::bytes::u16_at;
use super::initial::{call_slots, slots};
use super::instructions::{length_at, targets};
use super::opcode::{self, Flow};
use super::{Class, ClassError, Code, Member, Pool};

/// For a constructor: the pcs of `getfield` and `putfield` whose receiver is uninitialized `this`. Empty for
/// other methods.
pub fn uninitialized_this_accesses(
    class: &Class<'_>,
    method: &Member<'_>,
    code: &Code<'_>,
) -> Result<BTreeSet<u32>, ClassError> {
    let mut found = BTreeSet::new();
    // `Object`'s constructor has no superclass constructor to wait for (JVMS 4.10.1.6).
    if class.pool.utf8(method.name)? != b"<init>" || class.super_class == 0 {
        return Ok(found);
    }
    let mut machine = Machine {
        code,
        pool: &class.pool,
        states: Vec::new(),
        work: Vec::new(),
        returns: None,
    };
    machine.states.resize(code.bytecode.len(), None);
    let mut locals = vec![false; usize::from(code.max_locals)];
    *locals
        .first_mut()
        .ok_or_else(|| bad(0, "constructor without locals"))? = true;
    machine.flow_to(
        0,
        &State {
            locals,
            stack: Vec::new(),
        },
    )?;
    while let Some(pc) = machine.work.pop() {
        machine.step(pc, &mut found)?;
    }
    Ok(found)
}

fn bad(pc: usize, reason: &'static str) -> ClassError {
    ClassError::BadCode {
        pc: pc as u32,
        reason,
    }
}

/// One flag per slot (long and double have two): does it hold uninitialized `this`?
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    locals: Vec<bool>,
    stack: Vec<bool>,
}

impl State {
    fn holds_this(&self) -> bool {
        self.locals.contains(&true) || self.stack.contains(&true)
    }

    /// Takes `count` slots off the stack; the first of the result is the lowest.
    fn pop(&mut self, count: usize, pc: usize) -> Result<Vec<bool>, ClassError> {
        match self.stack.len().checked_sub(count) {
            Some(left) => Ok(self.stack.split_off(left)),
            None => Err(bad(pc, "operand stack underflow")),
        }
    }

    fn push_other(&mut self, count: usize) {
        self.stack.resize(self.stack.len() + count, false);
    }

    fn local(&mut self, index: usize, pc: usize) -> Result<&mut bool, ClassError> {
        self.locals
            .get_mut(index)
            .ok_or_else(|| bad(pc, "no such local variable"))
    }

    /// Merges `other` in; says whether that changed anything.
    fn merge(&mut self, other: &State) -> bool {
        let before = self.clone();
        // Depths differ in no verified method; keep to the shorter.
        self.stack.truncate(other.stack.len());
        let pairs = self
            .locals
            .iter_mut()
            .zip(&other.locals)
            .chain(self.stack.iter_mut().zip(&other.stack));
        for (mine, theirs) in pairs {
            *mine |= theirs;
        }
        *self != before
    }
}

struct Machine<'m, 'a> {
    code: &'m Code<'a>,
    pool: &'m Pool<'a>,
    /// The state before each instruction that was reached.
    states: Vec<Option<State>>,
    work: Vec<usize>,
    /// The pcs behind all `jsr`, to which a `ret` may go; found when the first `ret` comes.
    returns: Option<Vec<usize>>,
}

impl Machine<'_, '_> {
    fn flow_to(&mut self, pc: usize, state: &State) -> Result<(), ClassError> {
        if !state.holds_this() {
            return Ok(());
        }
        let slot = self
            .states
            .get_mut(pc)
            .ok_or_else(|| bad(pc, "control leaves the code"))?;
        let changed = match slot {
            Some(old) => old.merge(state),
            None => {
                *slot = Some(state.clone());
                true
            }
        };
        if changed {
            self.work.push(pc);
        }
        Ok(())
    }

    fn step(&mut self, pc: usize, found: &mut BTreeSet<u32>) -> Result<(), ClassError> {
        let Some(Some(mut state)) = self.states.get(pc).cloned() else {
            return Ok(());
        };
        self.enter_handlers(pc, &state)?;
        let bytecode = self.code.bytecode;
        let next = pc + length_at(bytecode, pc)?;
        let op = bytecode.get(pc).copied().unwrap_or(0);
        self.execute(pc, op, &mut state, found)?;
        let flow = match op {
            opcode::WIDE => opcode::flow(bytecode.get(pc + 1).copied().unwrap_or(0)),
            _ => opcode::flow(op),
        };
        let mut jumps = Vec::new();
        targets(bytecode, pc, |target| jumps.push(target))?;
        for target in jumps {
            let target = usize::try_from(target).map_err(|_| bad(pc, "branch before the code"))?;
            self.flow_to(target, &state)?;
        }
        let is_ret = op == opcode::RET || (op == opcode::WIDE && flow == Flow::End);
        if is_ret {
            for target in self.subroutine_returns()? {
                self.flow_to(target, &state)?;
            }
        }
        match flow {
            Flow::Next | Flow::If => self.flow_to(next, &state),
            _ => Ok(()),
        }
    }

    /// An exception may come before the instruction has any effect; it leaves only the exception on the stack.
    fn enter_handlers(&mut self, pc: usize, state: &State) -> Result<(), ClassError> {
        let code = self.code;
        for range in &code.exceptions {
            if (usize::from(range.start)..usize::from(range.end)).contains(&pc) {
                let caught = State {
                    locals: state.locals.clone(),
                    stack: vec![false],
                };
                self.flow_to(usize::from(range.handler), &caught)?;
            }
        }
        Ok(())
    }

    fn subroutine_returns(&mut self) -> Result<Vec<usize>, ClassError> {
        if let Some(returns) = &self.returns {
            return Ok(returns.clone());
        }
        let calls = self.code.instructions()?;
        let calls = calls
            .iter()
            .filter(|insn| matches!(opcode::flow(insn.op), Flow::Jsr | Flow::JsrW));
        let returns: Vec<usize> = calls
            .map(|insn| (insn.pc + insn.len) as usize)
            .filter(|pc| *pc < self.states.len())
            .collect();
        Ok(self.returns.insert(returns).clone())
    }

    fn execute(
        &self,
        pc: usize,
        op: u8,
        state: &mut State,
        found: &mut BTreeSet<u32>,
    ) -> Result<(), ClassError> {
        use opcode::*;
        let bytecode = self.code.bytecode;
        let byte = |at: usize| bytecode.get(at).copied().unwrap_or(0);
        let (op, operand) = match op {
            WIDE => (byte(pc + 1), usize::from(u16_at(bytecode, pc + 2).unwrap_or(0))),
            _ => (op, usize::from(byte(pc + 1))),
        };
        match op {
            ALOAD | ALOAD_0..=ALOAD_3 => {
                let index = if op == ALOAD {
                    operand
                } else {
                    usize::from(op - ALOAD_0)
                };
                let value = *state.local(index, pc)?;
                state.stack.push(value);
            }
            ASTORE | ASTORE_0..=ASTORE_3 => {
                let index = if op == ASTORE {
                    operand
                } else {
                    usize::from(op - ASTORE_0)
                };
                let value = state.pop(1, pc)?;
                *state.local(index, pc)? = value.contains(&true);
            }
            ISTORE..=DSTORE | ISTORE_0..ASTORE_0 => {
                // The short forms come four to a type: int, long, float, double.
                let (kind, index) = match op {
                    ISTORE..=DSTORE => (op - ISTORE, operand),
                    _ => ((op - ISTORE_0) / 4, usize::from((op - ISTORE_0) % 4)),
                };
                let slots = if kind % 2 == 1 { 2 } else { 1 };
                state.pop(slots, pc)?;
                for slot in index..index + slots {
                    *state.local(slot, pc)? = false;
                }
            }
            DUP..=SWAP => shuffle(op, state, pc)?,
            GETSTATIC | PUTSTATIC | GETFIELD | PUTFIELD => {
                let slots = slots(self.descriptor(pc)?);
                if matches!(op, PUTSTATIC | PUTFIELD) {
                    state.pop(slots, pc)?;
                }
                if matches!(op, GETFIELD | PUTFIELD) && state.pop(1, pc)?.contains(&true) {
                    found.insert(pc as u32);
                }
                if matches!(op, GETSTATIC | GETFIELD) {
                    state.push_other(slots);
                }
            }
            INVOKEVIRTUAL..=INVOKEDYNAMIC => {
                let (arguments, result) = call_slots(self.descriptor(pc)?)?;
                state.pop(arguments, pc)?;
                if !matches!(op, INVOKESTATIC | INVOKEDYNAMIC) {
                    let receiver = state.pop(1, pc)?;
                    // JVMS 4.10.1.9, invokespecial: only `<init>` may be called on it, and then every copy
                    // becomes an ordinary object.
                    if op == INVOKESPECIAL && receiver.contains(&true) {
                        state.locals.fill(false);
                        state.stack.fill(false);
                    }
                }
                state.push_other(result);
            }
            MULTIANEWARRAY => {
                state.pop(usize::from(byte(pc + 3)), pc)?;
                state.push_other(1);
            }
            // A cast gives back what it was given, though no verifier lets uninitialized `this` be cast.
            _ => {
                let (pops, pushes) = stack_effect(op).ok_or_else(|| bad(pc, "unknown instruction"))?;
                state.pop(usize::from(pops), pc)?;
                state.push_other(usize::from(pushes));
            }
        }
        Ok(())
    }

    /// The descriptor of the member that the instruction at `pc` names.
    fn descriptor(&self, pc: usize) -> Result<&[u8], ClassError> {
        let name_and_type = self.pool.name_and_type_of(u16_at(self.code.bytecode, pc + 1)?)?;
        let (_, descriptor) = self.pool.name_and_type_indices(name_and_type)?;
        self.pool.utf8(descriptor)
    }
}

/// `dup`, its variants and `swap`, by slots (JVMS 6.5): the top `copied` slots again, below `over` others.
fn shuffle(op: u8, state: &mut State, pc: usize) -> Result<(), ClassError> {
    use opcode::*;
    let (copied, over) = match op {
        DUP => (1, 0),
        DUP_X1 => (1, 1),
        DUP_X2 => (1, 2),
        DUP2 => (2, 0),
        DUP2_X1 => (2, 1),
        DUP2_X2 => (2, 2),
        _ => {
            let mut pair = state.pop(2, pc)?;
            pair.reverse();
            state.stack.extend(pair);
            return Ok(());
        }
    };
    let top = state.pop(copied, pc)?;
    let below = state.pop(over, pc)?;
    state.stack.extend_from_slice(&top);
    state.stack.extend(below);
    state.stack.extend(top);
    Ok(())
}
