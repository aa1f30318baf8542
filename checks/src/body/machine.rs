//! One instruction on the abstract machine.
//!
//! The same steps run twice: until the states of all blocks are known, and then once more with somebody who writes down.

use super::arrivals::Arrivals;
use super::slots::{Slots, bad};
use super::{Def, InstrId, Invoke, Member, MemberIndex, NOTHING, NameIndex, Op, ValueId};
use racewire_analysis::ir::kinds::{Kind, signature};
use racewire_classfile::bytes::u16_at;
use racewire_classfile::opcode;
use racewire_classfile::{Class, ClassError, tag};
use rustc_hash::FxHashMap;

/// The result of an instruction that is not written down yet.
const UNWRITTEN: Def = Def::Instr(InstrId::MAX);
const NEWARRAY: u8 = 188;
const ANEWARRAY: u8 = 189;

/// Fields and methods that the code of a class names, with what their descriptors say.
pub struct Names<'c, 'a> {
    pub class: &'c Class<'a>,
    pub members: Vec<Member>,
    pub names: Vec<Box<str>>,
    /// By index in the constant pool.
    member_at: FxHashMap<u16, (MemberIndex, Signature)>,
    name_at: FxHashMap<u16, NameIndex>,
    kinds: Vec<Kind>,
}

#[derive(Debug, Clone, Copy)]
struct Signature {
    /// Slots of the parameters, without `this`; none for a field.
    slots: usize,
    /// Of the result, or the field.
    result: usize,
}

impl<'c, 'a> Names<'c, 'a> {
    pub fn new(class: &'c Class<'a>) -> Self {
        Names {
            class,
            members: Vec::new(),
            names: Vec::new(),
            member_at: FxHashMap::default(),
            name_at: FxHashMap::default(),
            kinds: Vec::new(),
        }
    }

    fn member(&mut self, index: u16) -> Result<(MemberIndex, Signature), ClassError> {
        if let Some(found) = self.member_at.get(&index) {
            return Ok(*found);
        }
        let named = self.class.pool.member_ref(index)?;
        let found = (
            self.members.len() as MemberIndex,
            self.signature(&named.descriptor)?,
        );
        self.members.push(Member {
            owner: named.owner.into(),
            name: named.name.into(),
            descriptor: named.descriptor.into(),
        });
        self.member_at.insert(index, found);
        Ok(found)
    }

    fn signature(&mut self, descriptor: &str) -> Result<Signature, ClassError> {
        if !descriptor.starts_with('(') {
            let result = Kind::of(descriptor.as_bytes()).slots();
            return Ok(Signature { slots: 0, result });
        }
        self.kinds.clear();
        let result = signature(descriptor.as_bytes(), &mut self.kinds)?.slots();
        let slots = self.kinds.iter().map(|kind| kind.slots()).sum();
        Ok(Signature { slots, result })
    }

    fn name(&mut self, index: u16) -> Result<NameIndex, ClassError> {
        if let Some(found) = self.name_at.get(&index) {
            return Ok(*found);
        }
        let name = self.names.len() as NameIndex;
        self.names.push(self.class.pool.class_name(index)?.into());
        self.name_at.insert(index, name);
        Ok(name)
    }
}

/// Gets the instructions, in the order of the code.
pub trait Writer {
    fn write(&mut self, pc: usize, op: Op, args: &[ValueId], result: Option<ValueId>);
}

/// Nobody writes yet.
pub struct Silent;

impl Writer for Silent {
    fn write(&mut self, _: usize, _: Op, _: &[ValueId], _: Option<ValueId>) {}
}

pub struct Machine<'m, 'c, 'a> {
    pub code: &'m [u8],
    pub names: &'m mut Names<'c, 'a>,
    pub values: &'m mut Arrivals,
    pub slots: &'m mut Slots,
    pub args: &'m mut Vec<ValueId>,
}

impl Machine<'_, '_, '_> {
    pub fn step(&mut self, pc: usize, out: &mut impl Writer) -> Result<(), ClassError> {
        use opcode::*;
        let byte = |at: usize| self.code.get(at).copied().unwrap_or(0);
        let (op, operand) = match byte(pc) {
            WIDE => (byte(pc + 1), usize::from(u16_at(self.code, pc + 2)?)),
            op => (op, usize::from(byte(pc + 1))),
        };
        self.args.clear();
        match op {
            ILOAD..=ALOAD => self.load(operand, slots_of_type(op - ILOAD), pc, out)?,
            ILOAD_0..=ALOAD_3 => {
                let nth = op - ILOAD_0;
                self.load(usize::from(nth % 4), slots_of_type(nth / 4), pc, out)?;
            }
            ISTORE..=ASTORE => self.store(operand, slots_of_type(op - ISTORE), pc)?,
            ISTORE_0..=ASTORE_3 => {
                let nth = op - ISTORE_0;
                self.store(usize::from(nth % 4), slots_of_type(nth / 4), pc)?;
            }
            IINC => {
                let old = self.slots.local(operand, pc)?;
                let new = self.values.result(pc, UNWRITTEN);
                out.write(pc, Op::Compute(op), &[old], Some(new));
                self.slots.store(operand, 1, new, pc)?;
            }
            LDC | LDC_W | LDC2_W => {
                let index = if op == LDC {
                    operand as u16
                } else {
                    self.index(pc)?
                };
                self.constant(index, pc, out)?;
            }
            POP | POP2 => {
                self.slots.pop(usize::from(op - POP) + 1, pc)?;
            }
            DUP..=SWAP => self.slots.shuffle(op, pc)?,
            GETSTATIC..=PUTFIELD => self.access(op, pc, out)?,
            INVOKEVIRTUAL..=INVOKEINTERFACE => self.call(op, pc, out)?,
            INVOKEDYNAMIC => self.dynamic(self.index(pc)?, pc, out)?,
            NEW => {
                let name = self.names.name(self.index(pc)?)?;
                self.finish(pc, Op::New(name), 1, out);
            }
            NEWARRAY | ANEWARRAY | MULTIANEWARRAY => {
                let counts = if op == MULTIANEWARRAY {
                    usize::from(byte(pc + 3))
                } else {
                    1
                };
                self.slots.pop_into(counts, self.args, pc)?;
                self.finish(pc, Op::NewArray, 1, out);
            }
            // The same value.
            CHECKCAST => {}
            _ => {
                let (pops, pushes) = stack_effect(op).ok_or_else(|| bad(pc, "unknown instruction"))?;
                self.slots.pop_into(pops.into(), self.args, pc)?;
                let kind = match op {
                    IALOAD..=SALOAD => Op::ArrayLoad,
                    IASTORE..=SASTORE => Op::ArrayStore,
                    MONITORENTER => Op::Enter,
                    MONITOREXIT => Op::Exit,
                    IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL => Op::Branch(op),
                    TABLESWITCH | LOOKUPSWITCH => Op::Switch,
                    IRETURN..=RETURN => Op::Return,
                    ATHROW => Op::Throw,
                    // Two constants that meet are a decision: nearly always 0 and 1, a boolean.
                    _ if op == ICONST_0 || op == ICONST_0 + 1 => {
                        let value = self.values.result(pc, Def::Nothing);
                        self.slots.push(value, 1);
                        return Ok(());
                    }
                    _ if pops == 0 => {
                        self.slots.push(NOTHING, pushes.into());
                        return Ok(());
                    }
                    _ => Op::Compute(op),
                };
                self.finish(pc, kind, pushes.into(), out);
            }
        }
        Ok(())
    }

    /// Tells of an instruction whose operands are in `args`, and pushes its result.
    fn finish(&mut self, pc: usize, op: Op, result: usize, out: &mut impl Writer) {
        let value = (result > 0).then(|| self.values.result(pc, UNWRITTEN));
        self.slots.push(value.unwrap_or(NOTHING), result);
        out.write(pc, op, self.args, value);
    }

    fn index(&self, pc: usize) -> Result<u16, ClassError> {
        u16_at(self.code, pc + 1)
    }

    fn load(
        &mut self,
        index: usize,
        slots: usize,
        pc: usize,
        out: &mut impl Writer,
    ) -> Result<(), ClassError> {
        let value = self.slots.local(index, pc)?;
        // Parameters are the caller's: no critical section of this method has made them.
        let def = self.values.values.get(value as usize);
        if !matches!(def, None | Some(Def::Nothing | Def::Parameter(_))) {
            out.write(pc, Op::Load(index as u16), &[value], None);
        }
        self.slots.push(value, slots);
        Ok(())
    }

    fn store(&mut self, index: usize, slots: usize, pc: usize) -> Result<(), ClassError> {
        let value = self.slots.pop(slots, pc)?;
        self.slots.store(index, slots, value, pc)
    }

    fn constant(&mut self, index: u16, pc: usize, out: &mut impl Writer) -> Result<(), ClassError> {
        match self.names.class.pool.tag(index) {
            tag::LONG | tag::DOUBLE => self.slots.push(NOTHING, 2),
            tag::CLASS => {
                let name = self.names.name(index)?;
                let value = self.values.result(pc, Def::Class(name));
                self.slots.push(value, 1);
            }
            tag::INTEGER | tag::FLOAT | tag::STRING | tag::METHOD_TYPE | tag::METHOD_HANDLE => {
                self.slots.push(NOTHING, 1);
            }
            _ => self.dynamic(index, pc, out)?,
        }
        Ok(())
    }

    fn access(&mut self, op: u8, pc: usize, out: &mut impl Writer) -> Result<(), ClassError> {
        use opcode::*;
        let (field, signature) = self.names.member(self.index(pc)?)?;
        let object = usize::from(matches!(op, GETFIELD | PUTFIELD));
        let (op, stored, loaded) = match op {
            GETSTATIC => (Op::GetStatic(field), 0, signature.result),
            PUTSTATIC => (Op::PutStatic(field), signature.result, 0),
            GETFIELD => (Op::GetField(field), 0, signature.result),
            _ => (Op::PutField(field), signature.result, 0),
        };
        self.slots.pop_into(object + stored, self.args, pc)?;
        self.finish(pc, op, loaded, out);
        Ok(())
    }

    fn call(&mut self, op: u8, pc: usize, out: &mut impl Writer) -> Result<(), ClassError> {
        let (method, signature) = self.names.member(self.index(pc)?)?;
        let invoke = match op {
            opcode::INVOKEVIRTUAL => Invoke::Virtual,
            opcode::INVOKESPECIAL => Invoke::Special,
            opcode::INVOKESTATIC => Invoke::Static,
            _ => Invoke::Interface,
        };
        let receiver = usize::from(invoke != Invoke::Static);
        self.slots.pop_into(signature.slots + receiver, self.args, pc)?;
        self.finish(pc, Op::Call(invoke, method), signature.result, out);
        Ok(())
    }

    fn dynamic(&mut self, index: u16, pc: usize, out: &mut impl Writer) -> Result<(), ClassError> {
        let (_, name_and_type) = self.names.class.pool.dynamic_indices(index)?;
        let (_, descriptor) = self.names.class.pool.name_and_type(name_and_type)?;
        let signature = self.names.signature(&descriptor)?;
        self.slots.pop_into(signature.slots, self.args, pc)?;
        self.finish(pc, Op::Dynamic, signature.result, out);
        Ok(())
    }
}

/// int, long, float, double, reference.
fn slots_of_type(nth: u8) -> usize {
    if nth % 2 == 1 { 2 } else { 1 }
}
