//! The join points of a method's code, as AspectJ has them: what no source shows (synthetic fields, bridge methods, calls
//! through `super`) is none.

use crate::code::constructor;
use crate::code::{Class, ClassError, Code, Insn, Member, access, op};
use crate::weave::asm::Slot;
use racewire_pointcuts::{Kind, Value, World, access as flags, field_of, parameters};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A join point at an instruction.
#[derive(Debug, Clone)]
pub struct Found {
    pub insn: Insn,
    pub kind: Kind,
    /// Class as the code names it; empty for locks, like the others.
    pub owner: String,
    pub name: String,
    pub descriptor: String,
    /// What lies on the stack, deepest first, with the descriptors of its types.
    pub operands: Vec<(Value, String)>,
    /// The type of what the instruction leaves there.
    pub result: Option<String>,
    /// Whether `this` can be given to anybody here.
    pub has_this: bool,
}

/// A method with what is known of its code.
pub struct MethodCode<'m, 'a> {
    pub class: &'m Class<'a>,
    pub member: &'m Member<'a>,
    pub code: &'m Code<'a>,
    pub insns: &'m [Insn],
    /// Local variable 0 holds `this` all through.
    pub this_in_slot_0: bool,
}

impl<'a> MethodCode<'_, 'a> {
    /// The call of the other constructor with which a constructor begins.
    pub fn super_call(&self) -> Result<Option<u32>, ClassError> {
        if self.class.pool.utf8(self.member.name)? != b"<init>" {
            return Ok(None);
        }
        let mut made = 0;
        for insn in self.insns {
            match insn.op {
                op::NEW => made += 1,
                op::INVOKESPECIAL if self.is_init(insn)? => {
                    if made == 0 {
                        return Ok(Some(insn.pc));
                    }
                    made -= 1;
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The accesses of a constructor to its `this` before it is one.
    fn before_super(&self) -> Result<BTreeSet<u32>, ClassError> {
        Ok(constructor::analyse(self.class, self.member, self.code)?.before_super)
    }

    fn is_init(&self, insn: &Insn) -> Result<bool, ClassError> {
        Ok(self.class.pool.member_ref(self.code.u16_at(insn.pc + 1)?)?.name == "<init>")
    }

    /// All join points at instructions, in order.
    pub fn found(&self, world: &dyn World) -> Result<Vec<Found>, ClassError> {
        let super_call = self.super_call()?;
        let locks = self.lock_types()?;
        let mut found = Vec::new();
        for (nth, insn) in self.insns.iter().enumerate() {
            // Before super() there is no `this` yet, and nothing of it may be passed on.
            let early = super_call.is_some_and(|pc| insn.pc <= pc);
            let one = match insn.op {
                op::GETSTATIC..=op::PUTFIELD => self.field(insn, nth, early, world)?,
                op::INVOKEVIRTUAL..=op::INVOKEINTERFACE if Some(insn.pc) != super_call => self.call(insn)?,
                op::MONITORENTER | op::MONITOREXIT => Some(self.lock(insn, nth, &locks)?),
                _ => None,
            };
            found.extend(one.map(|mut one| {
                one.has_this = self.this_in_slot_0 && !early;
                one
            }));
        }
        Ok(found)
    }

    fn field(
        &self,
        insn: &Insn,
        nth: usize,
        early: bool,
        world: &dyn World,
    ) -> Result<Option<Found>, ClassError> {
        let target = self.class.pool.member_ref(self.code.u16_at(insn.pc + 1)?)?;
        let (is_static, is_write) = match insn.op {
            op::GETSTATIC => (true, false),
            op::PUTSTATIC => (true, true),
            op::GETFIELD => (false, false),
            _ => (false, true),
        };
        // The owner may be `this` before it is one.
        if early && !is_static && self.before_super()?.contains(&insn.pc) {
            return Ok(None);
        }
        let Some((_, field)) = field_of(world, &target.owner, &target.name, &target.descriptor) else {
            return Ok(None);
        };
        let previous = nth.checked_sub(1).and_then(|at| self.insns.get(at));
        let constant =
            is_write && field.access & flags::FINAL != 0 && previous.is_some_and(|i| is_constant(i.op));
        if field.access & flags::SYNTHETIC != 0 || constant {
            return Ok(None);
        }
        let mut operands = Vec::new();
        if !is_static {
            operands.push((Value::Target, format!("L{};", target.owner)));
        }
        if is_write {
            operands.push((Value::Arg(0), target.descriptor.to_string()));
        }
        Ok(Some(Found {
            insn: *insn,
            kind: if is_write { Kind::Set } else { Kind::Get },
            result: (!is_write).then(|| target.descriptor.to_string()),
            owner: target.owner.into_owned(),
            name: target.name.into_owned(),
            descriptor: target.descriptor.into_owned(),
            operands,
            has_this: false,
        }))
    }

    fn call(&self, insn: &Insn) -> Result<Option<Found>, ClassError> {
        let target = self.class.pool.member_ref(self.code.u16_at(insn.pc + 1)?)?;
        let is_constructor = target.name == "<init>";
        if insn.op == op::INVOKESPECIAL && !is_constructor && target.owner != self.class.name()? {
            return Ok(None);
        }
        if target.name.starts_with(super::PREFIX) {
            return Ok(None);
        }
        let is_array = target.owner.starts_with('[');
        let mut operands = Vec::new();
        if insn.op != op::INVOKESTATIC && !is_constructor {
            let receiver = match is_array {
                true => target.owner.to_string(),
                false => format!("L{};", target.owner),
            };
            operands.push((Value::Target, receiver));
        }
        for (nth, argument) in parameters(&target.descriptor).into_iter().enumerate() {
            operands.push((Value::Arg(nth), argument.to_owned()));
        }
        let result = target
            .descriptor
            .rsplit_once(')')
            .map_or("V", |(_, result)| result);
        Ok(Some(Found {
            insn: *insn,
            kind: Kind::Call,
            result: (result != "V").then(|| result.to_owned()),
            owner: if is_array {
                "java/lang/Object".to_owned()
            } else {
                target.owner.into_owned()
            },
            name: target.name.into_owned(),
            descriptor: target.descriptor.clone().into_owned(),
            operands,
            has_this: false,
        }))
    }

    fn lock(&self, insn: &Insn, nth: usize, locks: &FxHashMap<u16, String>) -> Result<Found, ClassError> {
        let is_enter = insn.op == op::MONITORENTER;
        let kept = match is_enter {
            true => self.enter_type(nth)?,
            // `aload n; monitorexit`
            false => nth
                .checked_sub(1)
                .and_then(|at| self.local(at, op::ALOAD, op::ALOAD_0))
                .and_then(|slot| locks.get(&slot).cloned()),
        };
        Ok(Found {
            insn: *insn,
            kind: if is_enter { Kind::Lock } else { Kind::Unlock },
            owner: String::new(),
            name: String::new(),
            descriptor: String::new(),
            operands: vec![(Value::Arg(0), kept.unwrap_or_else(|| OBJECT.to_owned()))],
            result: None,
            has_this: false,
        })
    }

    /// The local variable of a load or store at this place in the instructions.
    fn local(&self, at: usize, general: u8, first: u8) -> Option<u16> {
        let insn = self.insns.get(at)?;
        if insn.op == general {
            return self
                .code
                .bytecode
                .get(insn.pc as usize + 1)
                .map(|&slot| u16::from(slot));
        }
        (first..first + 4)
            .contains(&insn.op)
            .then(|| u16::from(insn.op - first))
    }

    /// Whether a parameter may have another value, or none, at the end of the method.
    pub fn changes_parameters(&self) -> Result<bool, ClassError> {
        let descriptor = self.member.descriptor(&self.class.pool)?;
        let receiver = u16::from(self.member.access & access::STATIC == 0);
        let end = receiver + parameters(&descriptor).into_iter().map(width).sum::<u16>();
        Ok(self.insns.iter().any(|insn| {
            let byte = |at: u32| {
                self.code
                    .bytecode
                    .get((insn.pc + at) as usize)
                    .copied()
                    .unwrap_or(0)
            };
            let slot = match insn.op {
                op::ISTORE..=op::ASTORE => u16::from(byte(1)),
                op::ISTORE_0..=op::ASTORE_3 => u16::from((insn.op - op::ISTORE_0) % 4),
                op::WIDE => u16::from_be_bytes([byte(2), byte(3)]),
                _ => return false,
            };
            slot < end
        }))
    }

    /// What compilers keep in the local variables from which they unlock.
    fn lock_types(&self) -> Result<FxHashMap<u16, String>, ClassError> {
        let mut found: FxHashMap<u16, String> = FxHashMap::default();
        for (nth, insn) in self.insns.iter().enumerate() {
            if insn.op != op::MONITORENTER {
                continue;
            }
            let slot = nth
                .checked_sub(1)
                .and_then(|at| self.local(at, op::ASTORE, op::ASTORE_0));
            let (Some(slot), kept) = (slot, self.enter_type(nth)?) else {
                continue;
            };
            let kept = kept.unwrap_or_else(|| OBJECT.to_owned());
            let known = found.entry(slot).or_insert_with(|| kept.clone());
            if *known != kept {
                *known = OBJECT.to_owned();
            }
        }
        Ok(found)
    }

    /// The static type of what a `monitorenter` locks, by the instruction that puts it on the stack: `x; dup; astore n;
    /// monitorenter`.
    fn enter_type(&self, nth: usize) -> Result<Option<String>, ClassError> {
        let mut at = nth;
        loop {
            let Some(before) = at.checked_sub(1) else {
                return Ok(None);
            };
            at = before;
            let Some(insn) = self.insns.get(at) else {
                return Ok(None);
            };
            match insn.op {
                op::DUP => {}
                _ if at + 1 == nth && self.local(at, op::ASTORE, op::ASTORE_0).is_some() => {}
                _ => return self.pushed_type(at, insn),
            }
        }
    }

    fn pushed_type(&self, at: usize, insn: &Insn) -> Result<Option<String>, ClassError> {
        let pool = &self.class.pool;
        let member = || pool.member_ref(self.code.u16_at(insn.pc + 1)?);
        Ok(match insn.op {
            op::GETSTATIC | op::GETFIELD => Some(member()?.descriptor.into_owned()),
            op::INVOKEVIRTUAL | op::INVOKESTATIC | op::INVOKEINTERFACE => {
                let called = member()?;
                called
                    .descriptor
                    .rsplit_once(')')
                    .map(|(_, result)| result.to_owned())
            }
            op::CHECKCAST => {
                let name = pool.class_name(self.code.u16_at(insn.pc + 1)?)?;
                Some(if name.starts_with('[') {
                    name.into_owned()
                } else {
                    format!("L{name};")
                })
            }
            op::LDC | op::LDC_W => {
                let index = match insn.op {
                    op::LDC => u16::from(self.code.bytecode.get(insn.pc as usize + 1).copied().unwrap_or(0)),
                    _ => self.code.u16_at(insn.pc + 1)?,
                };
                match pool.tag(index) {
                    crate::code::tag::CLASS => Some("Ljava/lang/Class;".to_owned()),
                    crate::code::tag::STRING => Some("Ljava/lang/String;".to_owned()),
                    _ => None,
                }
            }
            _ => match self.local(at, op::ALOAD, op::ALOAD_0) {
                Some(0) if self.this_in_slot_0 => Some(format!("L{};", self.class.name()?)),
                Some(slot) => self.parameter_type(slot)?,
                None => None,
            },
        })
    }

    /// The type of a parameter that nothing is stored to.
    fn parameter_type(&self, wanted: u16) -> Result<Option<String>, ClassError> {
        for at in 0..self.insns.len() {
            if self.local(at, op::ASTORE, op::ASTORE_0) == Some(wanted) {
                return Ok(None);
            }
        }
        let descriptor = self.member.descriptor(&self.class.pool)?;
        let mut slot = u16::from(self.member.access & access::STATIC == 0);
        for parameter in parameters(&descriptor) {
            if slot == wanted {
                return Ok(parameter.starts_with(['L', '[']).then(|| parameter.to_owned()));
            }
            slot += width(parameter);
        }
        Ok(None)
    }
}

pub const OBJECT: &str = "Ljava/lang/Object;";

/// Slots that a value of the type takes.
pub fn width(descriptor: &str) -> u16 {
    u16::from(slot(descriptor).width())
}

pub fn slot(descriptor: &str) -> Slot {
    match descriptor.as_bytes().first() {
        Some(b'J') => Slot::Long,
        Some(b'F') => Slot::Float,
        Some(b'D') => Slot::Double,
        Some(b'L' | b'[') => Slot::Ref,
        _ => Slot::Int,
    }
}

/// Instructions that push a number of their own (JVMS 6.5: `iconst_m1` to `sipush`).
fn is_constant(opcode: u8) -> bool {
    (op::ACONST_NULL + 1..=op::SIPUSH).contains(&opcode)
}
