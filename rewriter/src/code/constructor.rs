//! What a constructor does with its `this`: which field accesses come before `super()`, which writes are the first
//! ever to their field, and whether anybody else gets to see the object before the constructor ends.
//!
//! `putfield` may store to an uninitialized `this` (JVMS 4.10.1.9; since Java 22 whole statements stand before
//! `super()`), but it can be passed to nothing. The analysis runs the constructor on an abstract machine that
//! follows `this` through locals and stack. Objects made by `new` are nothing to it: their constructor call never
//! changes `this`.
//!
//! Where paths meet, uninitialized `this` wins: the verifier lets nobody use a slot in which it met something else,
//! so this only decides for code that cannot run, and decides it the safe way. A path on which nothing more can be
//! found ends.

use std::collections::BTreeSet;

use super::bytes::u16_at;
use super::initial::{call_slots, slots};
use super::instructions::{length_at, targets};
use super::opcode::{self, Flow};
use super::{Class, ClassError, Code, Member, Pool};

/// What is known of one constructor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConstructorFacts {
    /// The pcs of `getfield` and `putfield` whose receiver is uninitialized `this`.
    pub before_super: BTreeSet<u32>,
    /// The pcs of `putfield` to a field that the class itself declares, on `this`, which on no path comes after
    /// another access to that field or after somebody else could have got hold of the object (as far as this
    /// constructor goes: the superclass's may have given it away).
    pub first_writes: BTreeSet<u32>,
    /// `this` may get out before the constructor returns.
    pub leaks: bool,
    /// Class and descriptor of the constructor that this one calls; `None` if there is not exactly one.
    pub calls: Option<(String, String)>,
}

/// The facts of a constructor; those of nothing for other methods.
pub fn analyse(
    class: &Class<'_>,
    method: &Member<'_>,
    code: &Code<'_>,
) -> Result<ConstructorFacts, ClassError> {
    // `Object`'s constructor has no superclass constructor to wait for (JVMS 4.10.1.6).
    if class.pool.utf8(method.name)? != b"<init>" || class.super_class == 0 {
        return Ok(ConstructorFacts::default());
    }
    let mut machine = Machine {
        code,
        pool: &class.pool,
        class,
        states: Vec::new(),
        work: Vec::new(),
        returns: None,
        facts: ConstructorFacts::default(),
        calls: Vec::new(),
    };
    machine.states.resize(code.bytecode.len(), None);
    let mut locals = vec![Value::Other; usize::from(code.max_locals)];
    *locals
        .first_mut()
        .ok_or_else(|| bad(0, "constructor without locals"))? = Value::Uninitialized;
    machine.flow_to(
        0,
        &State {
            locals,
            stack: Vec::new(),
            leaked: false,
            touched: 0,
        },
    )?;
    while let Some(pc) = machine.work.pop() {
        machine.step(pc)?;
    }
    let mut facts = machine.facts;
    if let [only] = machine.calls.as_slice() {
        let target = class.pool.member_ref(*only)?;
        facts.calls = Some((target.owner.into_owned(), target.descriptor.into_owned()));
    }
    Ok(facts)
}

fn bad(pc: usize, reason: &'static str) -> ClassError {
    ClassError::BadCode {
        pc: pc as u32,
        reason,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
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

    fn may_be_this(self) -> bool {
        matches!(self, Value::This | Value::PerhapsThis)
    }
}

/// One value per slot (long and double have two).
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    locals: Vec<Value>,
    stack: Vec<Value>,
    leaked: bool,
    /// The fields of the class that were accessed on `this`, by index; those beyond 63 always count as accessed.
    touched: u64,
}

impl State {
    fn has_more_to_find(&self) -> bool {
        let mut values = self.locals.iter().chain(&self.stack);
        if self.leaked {
            values.any(|v| *v == Value::Uninitialized)
        } else {
            values.any(|v| *v != Value::Other)
        }
    }

    /// Takes `count` slots off the stack; the first of the result is the lowest.
    fn pop(&mut self, count: usize, pc: usize) -> Result<Vec<Value>, ClassError> {
        match self.stack.len().checked_sub(count) {
            Some(left) => Ok(self.stack.split_off(left)),
            None => Err(bad(pc, "operand stack underflow")),
        }
    }

    fn push_other(&mut self, count: usize) {
        self.stack.resize(self.stack.len() + count, Value::Other);
    }

    fn local(&mut self, index: usize, pc: usize) -> Result<&mut Value, ClassError> {
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
            *mine = mine.merge(*theirs);
        }
        self.leaked |= other.leaked;
        self.touched |= other.touched;
        *self != before
    }
}

struct Machine<'m, 'a> {
    code: &'m Code<'a>,
    pool: &'m Pool<'a>,
    class: &'m Class<'a>,
    /// The state before each instruction that was reached.
    states: Vec<Option<State>>,
    work: Vec<usize>,
    /// The pcs behind all `jsr`, to which a `ret` may go; found when the first `ret` comes.
    returns: Option<Vec<usize>>,
    facts: ConstructorFacts,
    /// The constants of the constructors called on `this`.
    calls: Vec<u16>,
}

impl Machine<'_, '_> {
    fn flow_to(&mut self, pc: usize, state: &State) -> Result<(), ClassError> {
        if !state.has_more_to_find() {
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

    fn step(&mut self, pc: usize) -> Result<(), ClassError> {
        let Some(Some(mut state)) = self.states.get(pc).cloned() else {
            return Ok(());
        };
        let mut thrown = state.clone();
        let bytecode = self.code.bytecode;
        let next = pc + length_at(bytecode, pc)?;
        let op = bytecode.get(pc).copied().unwrap_or(0);
        self.execute(pc, op, &mut state)?;
        (thrown.leaked, thrown.touched) = (state.leaked, state.touched);
        self.enter_handlers(pc, &thrown)?;
        self.facts.leaks |= state.leaked;
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

    /// An exception leaves the locals as they were, and only itself on the stack; what a call that throws was given
    /// it may have passed on.
    fn enter_handlers(&mut self, pc: usize, state: &State) -> Result<(), ClassError> {
        let code = self.code;
        for range in &code.exceptions {
            if (usize::from(range.start)..usize::from(range.end)).contains(&pc) {
                let caught = State {
                    locals: state.locals.clone(),
                    stack: vec![Value::Other],
                    leaked: state.leaked,
                    touched: state.touched,
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

    fn execute(&mut self, pc: usize, op: u8, state: &mut State) -> Result<(), ClassError> {
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
                *state.local(index, pc)? = value.first().copied().unwrap_or(Value::Other);
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
                    *state.local(slot, pc)? = Value::Other;
                }
            }
            DUP..=SWAP => shuffle(op, state, pc)?,
            GETSTATIC | PUTSTATIC | GETFIELD | PUTFIELD => {
                let slots = slots(self.descriptor(pc)?);
                if matches!(op, PUTSTATIC | PUTFIELD) {
                    let value = state.pop(slots, pc)?;
                    state.leaked |= value.iter().any(|v| v.may_be_this());
                }
                if matches!(op, GETFIELD | PUTFIELD) {
                    let receiver = state.pop(1, pc)?.first().copied();
                    self.access(pc, op, receiver.unwrap_or(Value::Other), state)?;
                }
                if matches!(op, GETSTATIC | GETFIELD) {
                    state.push_other(slots);
                }
            }
            INVOKEVIRTUAL..=INVOKEDYNAMIC => {
                let (arguments, result) = call_slots(self.descriptor(pc)?)?;
                let arguments = state.pop(arguments, pc)?;
                state.leaked |= arguments.iter().any(|v| v.may_be_this());
                if !matches!(op, INVOKESTATIC | INVOKEDYNAMIC) {
                    match state.pop(1, pc)?.first() {
                        // JVMS 4.10.1.9, invokespecial: only `<init>` may be called on it, and then every copy
                        // becomes an ordinary object.
                        Some(Value::Uninitialized) if op == INVOKESPECIAL => self.initialize(pc, state)?,
                        Some(receiver) => state.leaked |= receiver.may_be_this(),
                        None => {}
                    }
                }
                state.push_other(result);
            }
            CHECKCAST => {}
            AASTORE | ATHROW | ARETURN => {
                let (pops, _) = stack_effect(op).unwrap_or_default();
                let taken = state.pop(usize::from(pops), pc)?;
                state.leaked |= taken.iter().any(|v| v.may_be_this());
            }
            MULTIANEWARRAY => {
                state.pop(usize::from(byte(pc + 3)), pc)?;
                state.push_other(1);
            }
            _ => {
                let (pops, pushes) = stack_effect(op).ok_or_else(|| bad(pc, "unknown instruction"))?;
                state.pop(usize::from(pops), pc)?;
                state.push_other(usize::from(pushes));
            }
        }
        Ok(())
    }

    fn initialize(&mut self, pc: usize, state: &mut State) -> Result<(), ClassError> {
        let called = u16_at(self.code.bytecode, pc + 1)?;
        if !self.calls.contains(&called) {
            self.calls.push(called);
        }
        // `this(…)` may have accessed any field.
        if self.pool.member_ref(called)?.owner == self.class.name()? {
            state.touched = u64::MAX;
        }
        for value in state.locals.iter_mut().chain(&mut state.stack) {
            if *value == Value::Uninitialized {
                *value = Value::This;
            }
        }
        Ok(())
    }

    fn access(&mut self, pc: usize, op: u8, receiver: Value, state: &mut State) -> Result<(), ClassError> {
        match receiver {
            Value::Other => return Ok(()),
            Value::Uninitialized => {
                self.facts.before_super.insert(pc as u32);
            }
            Value::This | Value::PerhapsThis => {}
        }
        let bit = self
            .own_field(pc)?
            .and_then(|index| 1u64.checked_shl(index as u32));
        let untouched = bit.is_some_and(|bit| state.touched & bit == 0);
        // States only grow, so the last visit decides.
        if op == opcode::PUTFIELD && receiver == Value::This && !state.leaked && untouched {
            self.facts.first_writes.insert(pc as u32);
        } else {
            self.facts.first_writes.remove(&(pc as u32));
        }
        state.touched |= bit.unwrap_or(0);
        Ok(())
    }

    /// The index of the field that the instruction at `pc` names, if the class declares it.
    fn own_field(&self, pc: usize) -> Result<Option<usize>, ClassError> {
        let member = self.pool.member_ref(u16_at(self.code.bytecode, pc + 1)?)?;
        if member.owner != self.class.name()? {
            return Ok(None);
        }
        for (index, field) in self.class.fields.iter().enumerate() {
            if self.pool.str(field.name)? == member.name
                && self.pool.str(field.descriptor)? == member.descriptor
            {
                return Ok(Some(index));
            }
        }
        Ok(None)
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
