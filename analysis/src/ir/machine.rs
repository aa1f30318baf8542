//! One instruction on an abstract machine whose slots hold value numbers.
//!
//! The same steps run twice: silently, until the states of all blocks are known, and then once more to tell a
//! [`Sink`] what the code does.

use racewire_classfile::bytes::u16_at;
use racewire_classfile::opcode::{self, stack_effect};
use racewire_classfile::{ClassError, tag};

use super::bad;
use super::indy::Site;
use super::kinds::Kind;
use super::names::Names;
use super::sink::{Arguments, At, NewClass, Sink};
use super::state::State;
use super::values::{NULL, TOP, Value, Values, constant, has_node};

const AALOAD: u8 = 50;
const NEWARRAY: u8 = 188;
const ANEWARRAY: u8 = 189;

pub struct Machine<'m, 'c, 'a> {
    pub code: &'m [u8],
    pub names: &'m mut Names<'c, 'a>,
    pub values: &'m mut Values,
    pub state: &'m mut State,
}

impl Machine<'_, '_, '_> {
    pub fn step(&mut self, pc: usize, sink: &mut impl Sink) -> Result<(), ClassError> {
        use opcode::*;
        let byte = |at: usize| self.code.get(at).copied().unwrap_or(0);
        let (op, operand) = match byte(pc) {
            WIDE => (byte(pc + 1), usize::from(u16_at(self.code, pc + 2)?)),
            op => (op, usize::from(byte(pc + 1))),
        };
        let at = At { pc, op };
        match op {
            ALOAD | ALOAD_0..=ALOAD_3 => {
                let index = if op == ALOAD {
                    operand
                } else {
                    usize::from(op - ALOAD_0)
                };
                let value = *self.state.local(index, pc)?;
                self.state.push(value);
            }
            ASTORE | ASTORE_0..=ASTORE_3 => {
                let index = if op == ASTORE {
                    operand
                } else {
                    usize::from(op - ASTORE_0)
                };
                let value = self.state.pop(pc)?;
                self.state.store(index, 1, value, pc)?;
            }
            ISTORE..=DSTORE | ISTORE_0..ASTORE_0 => {
                // The short forms come four to a type: int, long, float, double.
                let (kind, index) = match op {
                    ISTORE..=DSTORE => (op - ISTORE, operand),
                    _ => ((op - ISTORE_0) / 4, usize::from((op - ISTORE_0) % 4)),
                };
                let slots = if kind % 2 == 1 { 2 } else { 1 };
                self.state.drop_slots(slots, pc)?;
                self.state.store(index, slots, TOP, pc)?;
            }
            ACONST_NULL => self.state.push(NULL),
            LDC => self.load_constant(operand as u16, pc, sink)?,
            LDC_W | LDC2_W => self.load_constant(self.index(pc)?, pc, sink)?,
            AALOAD => self.load_element(pc, sink)?,
            AASTORE => {
                let value = self.state.pop_reference(pc)?;
                self.state.drop_slots(1, pc)?;
                let base = self.state.pop_reference(pc)?;
                sink.element(false, base, value);
                sink.element_access(pc, base, true);
            }
            IALOAD..=SALOAD | IASTORE..=SASTORE => self.primitive_element(at, sink)?,
            DUP..=SWAP => self.state.shuffle(op, pc)?,
            GETSTATIC..=PUTFIELD => self.access(at, sink)?,
            INVOKEVIRTUAL..=INVOKEINTERFACE => self.call(at, sink)?,
            INVOKEDYNAMIC => self.dynamic(self.index(pc)?, pc, sink)?,
            NEW | NEWARRAY | ANEWARRAY | MULTIANEWARRAY => self.make(at, sink)?,
            CHECKCAST => {
                let kind = self.names.class_kind(self.index(pc)?)?;
                if !kind.has_node() {
                    self.state.pop_reference(pc)?;
                    self.state.push(NULL);
                }
            }
            ARETURN => sink.returned(self.state.pop_reference(pc)?),
            ATHROW => sink.thrown(self.state.pop_reference(pc)?),
            MONITORENTER | MONITOREXIT => {
                self.state.pop_reference(pc)?;
                if op == MONITORENTER {
                    sink.locked();
                } else {
                    sink.unlocked();
                }
            }
            _ => {
                let (pops, pushes) = EFFECT[usize::from(op)];
                if pops == NO_EFFECT {
                    return Err(bad(pc, "unknown instruction"));
                }
                self.state.drop_slots(usize::from(pops), pc)?;
                self.state.push_slots(usize::from(pushes));
            }
        }
        Ok(())
    }

    /// The two-byte operand.
    fn index(&self, pc: usize) -> Result<u16, ClassError> {
        u16_at(self.code, pc + 1)
    }

    /// Something of that kind comes out of the instruction at `pc`.
    fn result(&mut self, pc: usize, kind: Kind) -> Value {
        if kind.has_node() {
            self.values.result(pc, kind.leaf_depth())
        } else {
            NULL
        }
    }

    fn load_constant(&mut self, index: u16, pc: usize, sink: &mut impl Sink) -> Result<(), ClassError> {
        match self.names.class.pool.tag(index) {
            tag::LONG | tag::DOUBLE => self.state.push_slots(2),
            tag::INTEGER | tag::FLOAT => self.state.push_slots(1),
            tag::STRING | tag::CLASS => self.state.push(constant(index)),
            kind @ (tag::METHOD_HANDLE | tag::METHOD_TYPE) => {
                // Who has the handle can call the method, who has the type can find one: nobody knows when and with what.
                let result = self.values.result(pc, 0);
                let class = match kind {
                    tag::METHOD_TYPE => "java/lang/invoke/MethodType",
                    _ => "java/lang/invoke/MethodHandle",
                };
                let site = Site::Unknown(self.names.text(class));
                sink.dynamic(site, Arguments::NONE, result);
                self.state.push(result);
            }
            _ => self.dynamic(index, pc, sink)?,
        }
        Ok(())
    }

    fn load_element(&mut self, pc: usize, sink: &mut impl Sink) -> Result<(), ClassError> {
        self.state.drop_slots(1, pc)?;
        let base = self.state.pop_reference(pc)?;
        sink.element_access(pc, base, false);
        let depth = self.values.leaf_depth(base);
        // Once it had a node it keeps having one: states only ever change in one direction.
        let is_leaf = (!has_node(base) || depth == 1) && !self.values.has_result(pc);
        if is_leaf {
            self.state.push(NULL);
        } else {
            let value = self.values.result(pc, depth.saturating_sub(1));
            sink.element(true, base, value);
            self.state.push(value);
        }
        Ok(())
    }

    fn primitive_element(&mut self, at: At, sink: &mut impl Sink) -> Result<(), ClassError> {
        // Array and index, and what is stored: the array lies below.
        let (pops, pushes) = EFFECT[usize::from(at.op)];
        self.state
            .drop_slots(usize::from(pops).saturating_sub(1), at.pc)?;
        let array = self.state.pop_reference(at.pc)?;
        sink.element_access(at.pc, array, at.op >= opcode::IASTORE);
        self.state.push_slots(usize::from(pushes));
        Ok(())
    }

    fn access(&mut self, at: At, sink: &mut impl Sink) -> Result<(), ClassError> {
        use opcode::*;
        let reference = self.index(at.pc)?;
        let field = self.names.field(reference)?;
        let is_write = matches!(at.op, PUTSTATIC | PUTFIELD);
        let mut value = NULL;
        if is_write && field.kind.has_node() {
            value = self.state.pop_reference(at.pc)?;
        } else if is_write {
            self.state.drop_slots(field.kind.slots(), at.pc)?;
        }
        let base = match at.op {
            GETFIELD | PUTFIELD => Some(self.state.pop_reference(at.pc)?),
            _ => None,
        };
        if !is_write {
            value = self.result(at.pc, field.kind);
            match at.op == GETSTATIC && field.is_type && field.kind == Kind::Leaf {
                true => self.state.push(constant(reference)),
                false => self.state.push_kind(field.kind, value),
            }
        }
        sink.field(at, reference, field, base, value);
        Ok(())
    }

    fn call(&mut self, at: At, sink: &mut impl Sink) -> Result<(), ClassError> {
        let method = self.names.method(self.index(at.pc)?)?;
        let result = self.result(at.pc, method.signature.result);
        let kinds = self.names.parameters(method.signature);
        let has_receiver = at.op != opcode::INVOKESTATIC;
        let (start, receiver) = self.arguments(kinds, has_receiver, at.pc)?;
        let arguments = Arguments {
            receiver,
            kinds,
            slots: self.state.slots.get(start..).unwrap_or_default(),
        };
        sink.call(at, method, arguments, result)?;
        self.state.slots.truncate(start - usize::from(has_receiver));
        self.state.push_kind(method.signature.result, result);
        Ok(())
    }

    fn dynamic(&mut self, index: u16, pc: usize, sink: &mut impl Sink) -> Result<(), ClassError> {
        let (site, signature) = self.names.site(index)?;
        let result = self.result(pc, signature.result);
        let kinds = self.names.parameters(signature);
        let (start, _) = self.arguments(kinds, false, pc)?;
        let arguments = Arguments {
            receiver: None,
            kinds,
            slots: self.state.slots.get(start..).unwrap_or_default(),
        };
        sink.dynamic(site, arguments, result);
        self.state.slots.truncate(start);
        self.state.push_kind(signature.result, result);
        Ok(())
    }

    /// Where in the slots the arguments of a call begin, and the receiver before them.
    fn arguments(
        &self,
        kinds: &[Kind],
        has_receiver: bool,
        pc: usize,
    ) -> Result<(usize, Option<Value>), ClassError> {
        let slots = &self.state.slots;
        let count: usize = kinds.iter().map(|kind| kind.slots()).sum();
        let start = slots
            .len()
            .checked_sub(count)
            .filter(|start| *start >= self.state.locals + usize::from(has_receiver));
        let start = start.ok_or_else(|| bad(pc, "operand stack underflow"))?;
        let receiver = has_receiver.then(|| slots.get(start - 1).copied().unwrap_or(TOP));
        let mut slot = start;
        let mut is_missing = receiver == Some(TOP);
        for kind in kinds {
            is_missing |= kind.has_node() && slots.get(slot) == Some(&TOP);
            slot += kind.slots();
        }
        if is_missing {
            return Err(bad(pc, "no reference where one is needed"));
        }
        Ok((start, receiver))
    }

    fn make(&mut self, at: At, sink: &mut impl Sink) -> Result<(), ClassError> {
        let pc = at.pc;
        let (kind, counts) = match at.op {
            NEWARRAY => (Kind::Object { leaf_depth: 0 }, 1),
            ANEWARRAY => (self.names.class_kind(self.index(pc)?)?.array(), 1),
            opcode::NEW => (self.names.class_kind(self.index(pc)?)?, 0),
            _ => {
                let dimensions = self.code.get(pc + 3).copied().unwrap_or(0);
                (self.names.class_kind(self.index(pc)?)?, dimensions)
            }
        };
        self.state.drop_slots(usize::from(counts), pc)?;
        let value = self.result(pc, kind);
        self.state.push(value);
        if value == NULL {
            return Ok(());
        }
        let (names, values) = (&mut *self.names, &mut *self.values);
        match at.op {
            NEWARRAY => {
                let element = match self.code.get(pc + 1) {
                    Some(4) => "[Z",
                    Some(5) => "[C",
                    Some(6) => "[F",
                    Some(7) => "[D",
                    Some(8) => "[B",
                    Some(9) => "[S",
                    Some(10) => "[I",
                    _ => "[J",
                };
                sink.new_object(names, value, NewClass::Text(element))
            }
            ANEWARRAY => sink.new_object(names, value, NewClass::ArrayOf(u16_at(self.code, pc + 1)?)),
            opcode::MULTIANEWARRAY => {
                sink.new_arrays(names, values, value, u16_at(self.code, pc + 1)?, counts)
            }
            _ => sink.new_object(names, value, NewClass::Constant(u16_at(self.code, pc + 1)?)),
        }
    }
}

/// No instruction, or one whose effect stands in the constant pool.
const NO_EFFECT: u8 = u8::MAX;

/// [`stack_effect`] as a table.
static EFFECT: [(u8, u8); 256] = {
    let mut table = [(NO_EFFECT, 0); 256];
    let mut op = 0;
    while op < 256 {
        if let Some(effect) = stack_effect(op as u8) {
            table[op] = effect;
        }
        op += 1;
    }
    table
};
