//! A few bytes of bytecode at a time: the snippets the weaver inserts and the small methods it adds.

use super::Home;
use crate::code::{ClassError, PoolBuilder, op};
use racewire_model::names;
use std::borrow::Cow;

/// Straight-line bytecode under construction.
#[derive(Debug, Default, Clone)]
pub struct Asm {
    pub bytes: Vec<u8>,
}

impl Asm {
    pub fn new() -> Asm {
        Asm::default()
    }

    /// For code that is longer than most: what has to grow is copied again and again.
    pub fn with_room() -> Asm {
        Asm {
            bytes: Vec::with_capacity(96),
        }
    }

    /// Before an access to a field, whose operands are on the stack: the owner once more, if there is one, and `this` below
    /// it where a helper of the object is to be called.
    #[inline]
    pub(super) fn owner_again(&mut self, access: u8, is_wide: bool, home: Home) -> &mut Asm {
        match access {
            op::GETFIELD => {
                self.op(op::DUP);
            }
            op::PUTFIELD if is_wide => {
                // owner, value(2) -> value(2), owner, value(2) -> value(2), owner -> owner, value(2), owner
                self.op(op::DUP2_X1).op(op::POP2).op(op::DUP_X2);
            }
            op::PUTFIELD => {
                self.op(op::DUP2).op(op::POP);
            }
            _ => {}
        }
        if home == Home::Instance {
            self.op(op::ALOAD_0);
            if access >= op::GETFIELD {
                self.op(op::SWAP);
            }
        }
        self
    }

    /// Forgets the code, keeps its memory.
    #[inline]
    pub fn restart(&mut self) -> &mut Asm {
        self.bytes.clear();
        self
    }

    pub fn len(&self) -> u16 {
        self.bytes.len() as u16
    }

    #[inline]
    pub fn op(&mut self, opcode: u8) -> &mut Asm {
        self.bytes.push(opcode);
        self
    }

    /// An instruction with a two-byte constant pool index.
    #[inline]
    pub fn pooled(&mut self, opcode: u8, index: u16) -> &mut Asm {
        self.bytes.push(opcode);
        self.bytes.extend_from_slice(&index.to_be_bytes());
        self
    }

    /// A load or store of a local variable below 256.
    #[inline]
    pub fn local(&mut self, opcode: u8, slot: u8) -> &mut Asm {
        // JVMS 6.5: the forms without an operand come four to a type, behind the five with one.
        match opcode {
            op::ILOAD..=op::ALOAD if slot < 4 => self.op(op::ILOAD_0 + (opcode - op::ILOAD) * 4 + slot),
            op::ISTORE..=op::ASTORE if slot < 4 => self.op(op::ISTORE_0 + (opcode - op::ISTORE) * 4 + slot),
            _ => {
                self.bytes.extend_from_slice(&[opcode, slot]);
                self
            }
        }
    }

    /// A load or store of any local variable.
    pub fn any_local(&mut self, opcode: u8, slot: u16) -> &mut Asm {
        match u8::try_from(slot) {
            Ok(slot) => self.local(opcode, slot),
            Err(_) => {
                self.op(op::WIDE);
                self.pooled(opcode, slot)
            }
        }
    }

    /// A forward branch whose offset is patched by [`Asm::land`].
    pub fn branch(&mut self, opcode: u8) -> usize {
        let at = self.bytes.len();
        self.bytes.extend_from_slice(&[opcode, 0, 0]);
        at
    }

    /// Makes the branch at `at` jump to here.
    pub fn land(&mut self, at: usize) {
        let offset = (self.bytes.len() - at) as u16;
        if let Some(slot) = self.bytes.get_mut(at + 1..at + 3) {
            slot.copy_from_slice(&offset.to_be_bytes());
        }
    }

    #[inline]
    pub fn push_int(&mut self, value: i32, pool: &mut PoolBuilder<'_, '_>) -> Result<&mut Asm, ClassError> {
        match value {
            -1..=5 => self.bytes.push((i32::from(op::ICONST_0) + value) as u8),
            -128..=127 => self.bytes.extend_from_slice(&[op::BIPUSH, value as u8]),
            -32768..=32767 => {
                self.bytes.push(op::SIPUSH);
                self.bytes.extend_from_slice(&(value as i16).to_be_bytes());
            }
            _ => {
                let index = pool.integer(value)?;
                self.pooled(op::LDC_W, index);
            }
        }
        Ok(self)
    }

    /// Calls a method of the runtime's `Hooks`.
    pub fn hook(
        &mut self,
        name: &str,
        descriptor: &str,
        pool: &mut PoolBuilder<'_, '_>,
    ) -> Result<&mut Asm, ClassError> {
        self.runtime("Hooks", name, descriptor, pool)
    }

    /// The same for a hook that is called again and again: `known` keeps its constant.
    pub fn known_hook(
        &mut self,
        known: &mut Option<u16>,
        (name, descriptor): (&str, &str),
        pool: &mut PoolBuilder<'_, '_>,
    ) -> Result<&mut Asm, ClassError> {
        let method = match *known {
            Some(method) => method,
            None => *known.insert(runtime_method("Hooks", name, descriptor, pool)?),
        };
        Ok(self.pooled(op::INVOKESTATIC, method))
    }

    pub fn runtime(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
        pool: &mut PoolBuilder<'_, '_>,
    ) -> Result<&mut Asm, ClassError> {
        let method = runtime_method(class, name, descriptor, pool)?;
        Ok(self.pooled(op::INVOKESTATIC, method))
    }

    /// The class object of `name`. `ldc` of a class needs version 49 (JVMS 4.4, table 4.4-C); before that
    /// `Class.forName` with the caller's loader finds the same class.
    pub fn class_object(
        &mut self,
        name: &str,
        major: u16,
        pool: &mut PoolBuilder<'_, '_>,
    ) -> Result<&mut Asm, ClassError> {
        if major >= 49 {
            let index = pool.class(name)?;
            return Ok(self.pooled(op::LDC_W, index));
        }
        let dotted = pool.string(&names::dotted(name))?;
        let for_name = pool.method_ref(
            "java/lang/Class",
            "forName",
            "(Ljava/lang/String;)Ljava/lang/Class;",
        )?;
        Ok(self.pooled(op::LDC_W, dotted).pooled(op::INVOKESTATIC, for_name))
    }
}

/// The kind of a method handle that calls a static method (JVMS 4.4.8).
pub const REF_INVOKE_STATIC: u8 = 6;

/// Classes in the runtime's package that are asked for again and again: their names are not put together each time.
const OFTEN: [&str; 10] = [
    "racewire/rt/Hooks",
    "racewire/rt/Sites",
    "racewire/rt/Elements",
    "racewire/rt/Sync",
    "racewire/rt/Views",
    "racewire/rt/Part",
    "racewire/rt/When",
    "racewire/rt/Locks",
    "racewire/rt/Tasks",
    "racewire/rt/Flows",
];

/// A static method of the runtime.
fn runtime_method(
    class: &str,
    name: &str,
    descriptor: &str,
    pool: &mut PoolBuilder<'_, '_>,
) -> Result<u16, ClassError> {
    let is_it = |known: &&&str| {
        let rest = known.strip_prefix(names::RUNTIME_PACKAGE);
        rest.and_then(|rest| rest.strip_prefix('/')) == Some(class)
    };
    let owner = match OFTEN.iter().find(is_it) {
        Some(known) => Cow::Borrowed(*known),
        None => Cow::Owned(format!("{}/{class}", names::RUNTIME_PACKAGE)),
    };
    pool.method_ref(&owner, name, descriptor)
}

/// A parameter or return type, as far as instructions care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    Int,
    Long,
    Float,
    Double,
    Ref,
}

impl Slot {
    fn of(descriptor: u8) -> Slot {
        match descriptor {
            b'J' => Slot::Long,
            b'F' => Slot::Float,
            b'D' => Slot::Double,
            b'L' | b'[' => Slot::Ref,
            _ => Slot::Int,
        }
    }

    pub fn width(self) -> u8 {
        if matches!(self, Slot::Long | Slot::Double) {
            2
        } else {
            1
        }
    }

    pub fn load(self) -> u8 {
        op::ILOAD + self as u8
    }

    pub fn store(self) -> u8 {
        op::ISTORE + self as u8
    }

    pub fn ret(self) -> u8 {
        op::IRETURN + self as u8
    }
}

/// Parameters with their descriptors, and the return type (`None`: void). Lenient: the class was parsed before.
pub fn signature(descriptor: &str) -> (Vec<(Slot, &str)>, Option<Slot>) {
    let bytes = descriptor.as_bytes();
    let mut parameters = Vec::new();
    let mut at = 1;
    while let Some(&c) = bytes.get(at) {
        if c == b')' {
            break;
        }
        let start = at;
        while bytes.get(at) == Some(&b'[') {
            at += 1;
        }
        if bytes.get(at) == Some(&b'L') {
            while bytes.get(at).is_some_and(|&c| c != b';') {
                at += 1;
            }
        }
        at += 1;
        parameters.push((Slot::of(c), descriptor.get(start..at).unwrap_or("")));
    }
    let result = bytes.get(at + 1).filter(|&&c| c != b'V').map(|&c| Slot::of(c));
    (parameters, result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_in_the_package_of_the_runtime() {
        let package = format!("{}/", names::RUNTIME_PACKAGE);
        assert!(OFTEN.iter().all(|class| class.starts_with(&package)));
        assert_eq!(
            OFTEN[..2],
            ["Hooks", "Sites"].map(|class| package.clone() + class)
        );
    }

    #[test]
    fn signatures_are_split_into_slots() {
        let (parameters, result) = signature("(IJ[Ljava/lang/String;Lx/Y;D[[Z)F");
        let kinds: Vec<Slot> = parameters.iter().map(|p| p.0).collect();
        assert_eq!(
            kinds,
            [
                Slot::Int,
                Slot::Long,
                Slot::Ref,
                Slot::Ref,
                Slot::Double,
                Slot::Ref
            ]
        );
        assert_eq!(parameters[2].1, "[Ljava/lang/String;");
        assert_eq!(result, Some(Slot::Float));
        assert_eq!(signature("()V"), (vec![], None));
    }
}
