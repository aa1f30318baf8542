//! Trampolines: the methods that accesses call, one for each field that the class names (see ARCHITECTURE.md).

use super::asm::Asm;
use super::members::SameFrame;
use super::{ClassWeaver, Home, Role};
use crate::code::mutf8::to_utf8;
use crate::code::{ClassError, op, tag};
use racewire_model::names;
use racewire_model::sites::push_number;

impl ClassWeaver<'_, '_> {
    /// The index in the site table of the field that `reference` names.
    pub(super) fn table_index(&mut self, reference: u16, nth: u16) -> Result<u32, ClassError> {
        let bad = ClassError::BadConstant {
            index: reference,
            reason: "is not a planned field reference",
        };
        let hooked = self.hooked.fields.get_mut(usize::from(nth)).ok_or(bad)?;
        if let Some(known) = hooked.table_index {
            return Ok(known);
        }
        let pool = &self.class.pool;
        let (_, name_and_type) = pool.member_ref_indices(reference)?;
        let (name, descriptor) = pool.name_and_type_indices(name_and_type)?;
        let (name, descriptor) = (to_utf8(pool.utf8(name)?), to_utf8(pool.utf8(descriptor)?));
        let numbering = self.numberings.get(hooked.field as usize).copied().unwrap_or(0);
        let mut digits = [0; 8];
        let numbering = hexadecimal(numbering, &mut digits);
        // One field may be named through several classes: it is still one line of the table.
        let columns = [hooked.declared_in.as_bytes(), &name, &descriptor, numbering];
        let index = self.sites.field(columns, hooked.is_static);
        Ok(*hooked.table_index.insert(index))
    }

    /// Adds the trampoline for accesses to the field that `reference` names; gives the method to call.
    pub(super) fn add_trampoline(
        &mut self,
        reference: u16,
        nth: u16,
        home: Home,
        role: Role,
        for_writes: bool,
    ) -> Result<u16, ClassError> {
        self.table_index(reference, nth)?;
        let Some(hooked) = self.hooked.fields.get(usize::from(nth)) else {
            return Ok(0);
        };
        let is_static = hooked.is_static;
        let old = &self.class.pool;
        let (owner, name_and_type) = old.member_ref_indices(reference)?;
        let (field, _) = old.name_and_type_indices(name_and_type)?;

        let name = &mut self.asm.restart().bytes;
        name.extend_from_slice(names::PREFIX.as_bytes());
        name.extend_from_slice(b"at$");
        push_number(name, self.helpers);
        self.helpers += 1;
        let pool = &mut self.edit.pool;
        let name = pool.utf8_bytes(name)?;
        let descriptor = if is_static {
            pool.utf8("(I)V")?
        } else if let Some((_, known)) = self.constants.takes_owner.filter(|(of, _)| *of == owner) {
            known
        } else {
            let descriptor = &mut self.asm.restart().bytes;
            descriptor.extend_from_slice(b"(L");
            descriptor.extend_from_slice(old.class_name_bytes(owner)?);
            descriptor.extend_from_slice(b";I)V");
            let descriptor = pool.utf8_bytes(descriptor)?;
            self.constants.takes_owner = Some((owner, descriptor));
            descriptor
        };
        let method_type = pool.name_and_type_at(name, descriptor)?;
        let method = self.own_method(method_type)?;
        // Nobody asks for the word where there are stamps alone; each byte less in a hook leaves HotSpot room for one of the program.
        let needs_word = role == Role::First || !(self.plan.order && self.for_order_alone);
        let word = if needs_word {
            self.word_ref(names::PREFIX, owner, field)?
        } else {
            0
        };
        let mut stamps = Vec::new();
        if self.plan.order {
            // A read is no news either where this thread has just written.
            stamps.push(self.word_ref(names::WRITES, owner, field)?);
            if !for_writes {
                stamps.push(self.word_ref(names::READS, owner, field)?);
            }
        }

        let mut asm = std::mem::take(&mut self.asm);
        asm.restart();
        match role {
            Role::First => self.write_first_trampoline(&mut asm, word, &stamps, home)?,
            Role::Any | Role::Overflow => {
                let overflow = role == Role::Overflow;
                self.write_trampoline(&mut asm, (word, &stamps), home, is_static, overflow)?;
            }
        }
        let end = asm.len();
        asm.op(op::RETURN);
        let frames = self.frames_name()?;
        let parameters = 1 + u16::from(!is_static);
        self.add_helper(
            home,
            [name, descriptor],
            parameters,
            &asm,
            frames.map(|name| (name, SameFrame(end))),
        )?;
        self.asm = asm;
        if let Some(hooked) = self.hooked.fields.get_mut(usize::from(nth)) {
            *hooked.trampoline(home, role, for_writes) = Some(method);
        }
        Ok(method)
    }

    /// A reference to a `long` that belongs to the field of this name, through the class that the field is named by.
    fn word_ref(&mut self, prefix: &str, owner: u16, field: u16) -> Result<u16, ClassError> {
        let name = self.word_name(prefix, self.class.pool.utf8(field)?)?;
        let pool = &mut self.edit.pool;
        let long = match self.constants.long {
            Some(known) => known,
            None => *self.constants.long.insert(pool.utf8_bytes(b"J")?),
        };
        let name_and_type = pool.name_and_type_at(name, long)?;
        pool.member_ref_at(tag::FIELD_REF, owner, name_and_type)
    }

    /// `void $racewire$at$K(Owner o, int site)`. Must stay within 35 bytes so that HotSpot inlines it wherever it
    /// stands (MaxInlineSize).
    fn write_trampoline(
        &mut self,
        asm: &mut Asm,
        (word, stamps): (u16, &[u16]),
        home: Home,
        is_static: bool,
        overflow: bool,
    ) -> Result<(), ClassError> {
        let owner_slot = home.receiver_slots();
        let site_slot = owner_slot + u8::from(!is_static);
        let push_owner = |asm: &mut Asm| {
            if is_static {
                asm.op(op::ACONST_NULL);
            } else {
                asm.local(op::ALOAD, owner_slot);
            }
        };
        let skip_null = (!is_static).then(|| {
            asm.local(op::ALOAD, owner_slot);
            asm.branch(op::IFNULL)
        });
        let push_state = |asm: &mut Asm, state: u16| {
            if is_static {
                asm.pooled(op::GETSTATIC, state);
            } else {
                asm.local(op::ALOAD, owner_slot).pooled(op::GETFIELD, state);
            }
        };
        let known = &mut self.constants;
        let pool = &mut self.edit.pool;
        match (stamps, overflow) {
            (&[writes], _) if self.for_order_alone => {
                push_state(asm, writes);
                asm.known_hook(&mut known.is_new_write, ("isNewWrite", "(J)Z"), pool)?;
            }
            (&[writes, reads], _) if self.for_order_alone => {
                push_state(asm, writes);
                push_state(asm, reads);
                asm.known_hook(&mut known.is_new_read, ("isNewRead", "(JJ)Z"), pool)?;
            }
            ([], _) => {
                push_state(asm, word);
                asm.local(op::ILOAD, site_slot);
                push_owner(asm);
                let descriptor = "(JILjava/lang/Object;)Z";
                match overflow {
                    false => asm.known_hook(&mut known.changed, ("changed", descriptor), pool)?,
                    true => {
                        asm.known_hook(&mut known.changed_overflow, ("changedOverflow", descriptor), pool)?
                    }
                };
            }
            _ => {
                asm.local(op::ILOAD, site_slot);
                push_owner(asm);
                push_state(asm, word);
                for &stamp in stamps {
                    push_state(asm, stamp);
                }
                let reads = stamps.len() > 1;
                let descriptor = if reads {
                    "(ILjava/lang/Object;JJJ)Z"
                } else {
                    "(ILjava/lang/Object;JJ)Z"
                };
                let (known, name) = match (overflow, reads) {
                    (false, false) => (&mut known.changed, "changed"),
                    (false, true) => (&mut known.changed_by_read, "changed"),
                    (true, false) => (&mut known.changed_overflow, "changedOverflow"),
                    (true, true) => (&mut known.changed_overflow_by_read, "changedOverflow"),
                };
                asm.known_hook(known, (name, descriptor), pool)?;
            }
        }
        let skip_unchanged = asm.branch(op::IFEQ);
        if home == Home::Instance {
            asm.op(op::ALOAD_0);
        }
        push_owner(asm);
        asm.local(op::ILOAD, site_slot);
        asm.pooled(home.invoke(), self.slow_path(home)?);
        if let Some(at) = skip_null {
            asm.land(at);
        }
        asm.land(skip_unchanged);
        Ok(())
    }

    /// `static void $racewire$at$K(Owner o, int site)` for a variable that nobody can have touched: its word is
    /// simply set. The fence keeps the store before whatever lets others see the object. 0 is no answer (the epoch
    /// is not known, or the detector wants to be asked): then it goes the usual way.
    fn write_first_trampoline(
        &mut self,
        asm: &mut Asm,
        word: u16,
        stamps: &[u16],
        home: Home,
    ) -> Result<(), ClassError> {
        let pool = &mut self.edit.pool;
        asm.op(op::ALOAD_0).op(op::ILOAD_1);
        asm.known_hook(&mut self.constants.first, ("first", "(I)J"), pool)?
            .pooled(op::PUTFIELD, word);
        if let &[stamp] = stamps {
            asm.op(op::ALOAD_0).op(op::ILOAD_1);
            asm.known_hook(&mut self.constants.first_stamp, ("firstStamp", "(I)J"), pool)?
                .pooled(op::PUTFIELD, stamp);
        }
        asm.known_hook(&mut self.constants.fence, ("fence", "()V"), pool)?;
        asm.op(op::ALOAD_0).pooled(op::GETFIELD, word).op(op::LCONST_0);
        asm.op(op::LCMP);
        let known = asm.branch(op::IFNE);
        asm.op(op::ALOAD_0).op(op::ILOAD_1);
        asm.pooled(home.invoke(), self.slow_path(home)?);
        asm.land(known);
        Ok(())
    }
}

/// `number` as `{:x}` writes it, without asking for memory: every field that is monitored has one.
fn hexadecimal(mut number: u32, digits: &mut [u8; 8]) -> &[u8] {
    let mut first = digits.len();
    for (at, digit) in digits.iter_mut().enumerate().rev() {
        *digit = match (number & 15) as u8 {
            small @ 0..10 => b'0' + small,
            large => b'a' - 10 + large,
        };
        number >>= 4;
        first = at;
        if number == 0 {
            break;
        }
    }
    digits.get(first..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_numbers_are_as_always() {
        for number in [0, 1, 9, 10, 15, 16, 0x2f, 0x00ab_cdef, 0x8000_0000, u32::MAX] {
            assert_eq!(hexadecimal(number, &mut [0; 8]), format!("{number:x}").as_bytes());
        }
    }
}
