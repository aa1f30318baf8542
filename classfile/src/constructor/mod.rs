//! What a constructor does with its `this`: which field accesses come before `super()`, which writes are the first
//! ever to their field, and whether anybody else gets to see the object before the constructor ends.
//!
//! `putfield` may store to an uninitialized `this` (JVMS 4.10.1.9; since Java 22 whole statements stand before
//! `super()`), but it can be passed to nothing. The analysis runs the constructor on an abstract machine that
//! follows `this` through locals and stack. Objects made by `new` are nothing to it: their constructor call never
//! changes `this`.
//!
//! Where paths meet, uninitialized `this` wins: the verifier lets nobody use a slot in which it met something else,
//! so this only decides for code that cannot run, and decides it the safe way.
//!
//! Most constructors are one straight line, so a state is only kept where paths may meet (a *join*); in between, one
//! state runs through the instructions.

mod state;

use std::collections::BTreeSet;

use super::bytes::u16_at;
use super::initial::{call_slots, slots};
use super::instructions::{Instructions, length_at, targets};
use super::opcode::{self, Flow};
use super::{Class, ClassError, Code, Member, Pool};
use state::{State, Value};

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
        joins: joins(code)?,
        work: Vec::new(),
        leaked: Vec::new(),
        facts: ConstructorFacts::default(),
        calls: Vec::new(),
    };
    let mut locals = vec![Value::Other; usize::from(code.max_locals)];
    *locals
        .first_mut()
        .ok_or_else(|| bad(0, "constructor without locals"))? = Value::Uninitialized;
    let entry = State {
        locals,
        stack: Vec::with_capacity(usize::from(code.max_stack)),
        leaked: false,
        touched: 0,
    };
    machine.enter(0, entry)?;
    while let Some(pc) = machine.work.pop() {
        if let Some(state) = machine.state_at(pc) {
            machine.run(pc, state)?;
        }
    }
    machine.forget_writes_behind_leaks()?;
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

/// A place where paths may meet, with the state before it once it was reached.
struct Join {
    pc: usize,
    state: Option<State>,
}

impl Join {
    fn unreached(pc: usize) -> Join {
        Join { pc, state: None }
    }
}

/// The joins of a constructor by pc: what branches and exceptions lead to, and where subroutines return to.
fn joins(code: &Code<'_>) -> Result<Vec<Join>, ClassError> {
    let mut pcs: Vec<usize> = code.exceptions.iter().map(|e| usize::from(e.handler)).collect();
    for insn in Instructions::new(code.bytecode) {
        let insn = insn?;
        let flow = opcode::FLOW[usize::from(insn.op)];
        if matches!(flow, Flow::Next | Flow::End) {
            continue;
        }
        targets(code.bytecode, insn.pc as usize, |target| {
            pcs.extend(usize::try_from(target));
        })?;
        if matches!(flow, Flow::Jsr | Flow::JsrW) {
            pcs.push((insn.pc + insn.len) as usize);
        }
    }
    pcs.sort_unstable();
    pcs.dedup();
    Ok(pcs.into_iter().map(Join::unreached).collect())
}

struct Machine<'m, 'a> {
    code: &'m Code<'a>,
    pool: &'m Pool<'a>,
    class: &'m Class<'a>,
    joins: Vec<Join>,
    /// Joins whose state has changed.
    work: Vec<usize>,
    /// Where paths go on with a `this` that others may have seen.
    leaked: Vec<usize>,
    facts: ConstructorFacts,
    /// The constants of the constructors called on `this`.
    calls: Vec<u16>,
}

impl Machine<'_, '_> {
    fn find_join(&self, pc: usize) -> Result<usize, usize> {
        self.joins.binary_search_by_key(&pc, |join| join.pc)
    }

    fn state_at(&self, pc: usize) -> Option<State> {
        let at = self.find_join(pc).ok()?;
        self.joins.get(at)?.state.clone()
    }

    /// Starts at `pc`.
    fn enter(&mut self, pc: usize, state: State) -> Result<(), ClassError> {
        match self.find_join(pc) {
            Ok(_) => self.flow_to(pc, &state),
            Err(_) => self.run(pc, state),
        }
    }

    /// A path comes to the join at `pc`.
    fn flow_to(&mut self, pc: usize, state: &State) -> Result<(), ClassError> {
        if pc >= self.code.bytecode.len() {
            return Err(bad(pc, "control leaves the code"));
        }
        if state.has_nothing_to_find() {
            self.leaked.push(pc);
            return Ok(());
        }
        let at = match self.find_join(pc) {
            Ok(at) => at,
            // Only code that jumps into the middle of instructions goes where no instruction was seen to lead.
            Err(at) => {
                self.joins.insert(at, Join::unreached(pc));
                at
            }
        };
        let Some(join) = self.joins.get_mut(at) else {
            return Ok(());
        };
        let changed = match &mut join.state {
            Some(known) => known.merge(state),
            None => {
                join.state = Some(state.clone());
                true
            }
        };
        if changed {
            self.work.push(pc);
        }
        Ok(())
    }

    /// Runs from `pc` up to the next join or the end of the path.
    fn run(&mut self, mut pc: usize, mut state: State) -> Result<(), ClassError> {
        let bytecode = self.code.bytecode;
        loop {
            let next = pc + length_at(bytecode, pc)?;
            let op = bytecode.get(pc).copied().unwrap_or(0);
            let is_covered = self.code.exceptions.iter().any(|e| e.covers(pc as u32));
            let locals_before = is_covered.then(|| state.locals.clone());
            self.execute(pc, op, &mut state)?;
            if let Some(locals) = locals_before {
                self.enter_handlers(pc, locals, &state)?;
            }
            self.facts.leaks |= state.leaked;
            let flow = match op {
                opcode::WIDE => opcode::flow(bytecode.get(pc + 1).copied().unwrap_or(0)),
                _ => opcode::FLOW[usize::from(op)],
            };
            if flow == Flow::End {
                let is_ret = matches!(op, opcode::RET | opcode::WIDE);
                return if is_ret {
                    self.leave_subroutine(&state)
                } else {
                    Ok(())
                };
            }
            if flow != Flow::Next {
                self.jump(pc, &state)?;
                if flow != Flow::If {
                    return Ok(());
                }
            }
            if self.find_join(next).is_ok() || next >= bytecode.len() {
                return self.flow_to(next, &state);
            }
            if state.has_nothing_to_find() {
                self.leaked.push(next);
                return Ok(());
            }
            pc = next;
        }
    }

    fn jump(&mut self, pc: usize, state: &State) -> Result<(), ClassError> {
        let mut result = Ok(());
        targets(self.code.bytecode, pc, |target| {
            if result.is_ok() {
                result = match usize::try_from(target) {
                    Ok(target) => self.flow_to(target, state),
                    Err(_) => Err(bad(pc, "branch before the code")),
                };
            }
        })?;
        result
    }

    /// No write is first that can be reached from where others may have seen the object.
    fn forget_writes_behind_leaks(&mut self) -> Result<(), ClassError> {
        let bytecode = self.code.bytecode;
        if self.leaked.is_empty() || self.facts.first_writes.is_empty() {
            return Ok(());
        }
        let mut seen = vec![false; bytecode.len()];
        while let Some(mut pc) = self.leaked.pop()
            && !self.facts.first_writes.is_empty()
        {
            while let Some(seen) = seen.get_mut(pc).filter(|seen| !**seen) {
                *seen = true;
                self.facts.first_writes.remove(&(pc as u32));
                let handlers = self.code.exceptions.iter().filter(|e| e.covers(pc as u32));
                self.leaked.extend(handlers.map(|e| usize::from(e.handler)));
                targets(bytecode, pc, |target| self.leaked.extend(usize::try_from(target)))?;
                let op = bytecode.get(pc).copied().unwrap_or(0);
                if !opcode::FLOW[usize::from(op)].falls_through() {
                    break;
                }
                pc += length_at(bytecode, pc)?;
            }
        }
        Ok(())
    }

    /// An exception leaves the locals as they were, and only itself on the stack; what a call that throws was given
    /// it may have passed on.
    fn enter_handlers(
        &mut self,
        pc: usize,
        locals_before: Vec<Value>,
        after: &State,
    ) -> Result<(), ClassError> {
        let caught = State {
            locals: locals_before,
            stack: vec![Value::Other],
            leaked: after.leaked,
            touched: after.touched,
        };
        let code = self.code;
        for range in code.exceptions.iter().filter(|range| range.covers(pc as u32)) {
            self.flow_to(usize::from(range.handler), &caught)?;
        }
        Ok(())
    }

    /// A `ret` may go behind any `jsr`.
    fn leave_subroutine(&mut self, state: &State) -> Result<(), ClassError> {
        for insn in Instructions::new(self.code.bytecode) {
            let insn = insn?;
            let behind = (insn.pc + insn.len) as usize;
            if matches!(opcode::flow(insn.op), Flow::Jsr | Flow::JsrW) && behind < self.code.bytecode.len() {
                self.flow_to(behind, state)?;
            }
        }
        Ok(())
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
                let value = state.pop_value(pc)?;
                *state.local(index, pc)? = value;
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
            DUP..=SWAP => state.shuffle(op, pc)?,
            GETSTATIC | PUTSTATIC | GETFIELD | PUTFIELD => {
                let slots = slots(self.descriptor(pc)?);
                if matches!(op, PUTSTATIC | PUTFIELD) {
                    state.leaked |= state.pop(slots, pc)?;
                }
                if matches!(op, GETFIELD | PUTFIELD) {
                    let receiver = state.pop_value(pc)?;
                    self.access(pc, op, receiver, state)?;
                }
                if matches!(op, GETSTATIC | GETFIELD) {
                    state.push_other(slots);
                }
            }
            INVOKEVIRTUAL..=INVOKEDYNAMIC => {
                let (arguments, result) = call_slots(self.descriptor(pc)?)?;
                state.leaked |= state.pop(arguments, pc)?;
                if !matches!(op, INVOKESTATIC | INVOKEDYNAMIC) {
                    match state.pop_value(pc)? {
                        // JVMS 4.10.1.9, invokespecial: only `<init>` may be called on it, and then every copy
                        // becomes an ordinary object.
                        Value::Uninitialized if op == INVOKESPECIAL => self.initialize(pc, state)?,
                        receiver => state.leaked |= receiver.may_be_this(),
                    }
                }
                state.push_other(result);
            }
            CHECKCAST => {}
            AASTORE | ATHROW | ARETURN => {
                let (pops, _) = stack_effect(op).unwrap_or_default();
                state.leaked |= state.pop(usize::from(pops), pc)?;
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
        let (owner, _) = self.pool.member_ref_indices(called)?;
        if self.is_this_class(owner)? {
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

    fn is_this_class(&self, class: u16) -> Result<bool, ClassError> {
        let this = self.class.this_class;
        Ok(class == this || self.pool.class_name_bytes(class)? == self.pool.class_name_bytes(this)?)
    }

    /// The index of the field that the instruction at `pc` names, if the class declares it.
    fn own_field(&self, pc: usize) -> Result<Option<usize>, ClassError> {
        let (owner, name_and_type) = self
            .pool
            .member_ref_indices(u16_at(self.code.bytecode, pc + 1)?)?;
        if !self.is_this_class(owner)? {
            return Ok(None);
        }
        let (name, descriptor) = self.pool.name_and_type_indices(name_and_type)?;
        let (name, descriptor) = (self.pool.utf8(name)?, self.pool.utf8(descriptor)?);
        let same = |index: u16, text: &[u8]| self.pool.utf8(index).is_ok_and(|found| found == text);
        Ok(self
            .class
            .fields
            .iter()
            .position(|field| same(field.name, name) && same(field.descriptor, descriptor)))
    }

    /// The descriptor of the member that the instruction at `pc` names.
    fn descriptor(&self, pc: usize) -> Result<&[u8], ClassError> {
        let name_and_type = self.pool.name_and_type_of(u16_at(self.code.bytecode, pc + 1)?)?;
        let (_, descriptor) = self.pool.name_and_type_indices(name_and_type)?;
        self.pool.utf8(descriptor)
    }
}
