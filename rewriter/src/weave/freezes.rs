//! The end of a constructor that has set final fields: who comes by way of them sees what was done until then
//! (JLS 17.5.1), however the object itself was handed over.

use super::ClassWeaver;
use super::asm::Asm;
use super::method::MethodContext;
use crate::code::{ClassError, CodeEdit, Member, access, op};
use racewire_model::names;

/// Nothing that anybody writes is behind these.
const LEAVES: [&str; 11] = [
    "Ljava/lang/String;",
    "Ljava/lang/Class;",
    "Ljava/lang/Boolean;",
    "Ljava/lang/Byte;",
    "Ljava/lang/Character;",
    "Ljava/lang/Short;",
    "Ljava/lang/Integer;",
    "Ljava/lang/Long;",
    "Ljava/lang/Float;",
    "Ljava/lang/Double;",
    "Ljava/math/BigDecimal;",
];

impl<'a> ClassWeaver<'_, 'a> {
    /// Where the class counts its objects: few of most classes need to be known.
    pub(super) fn add_freezes(&mut self) -> Result<(), ClassError> {
        if !self.plan.order {
            return Ok(());
        }
        let mut freezes = false;
        for field in &self.class.fields {
            freezes |= self.leads_on(field)?;
        }
        if freezes {
            let pool = &mut self.edit.pool;
            let (name, descriptor) = (pool.utf8(names::FREEZES)?, pool.utf8("I")?);
            let flags = access::PRIVATE | access::STATIC | access::TRANSIENT | access::SYNTHETIC;
            self.edit.add_field(flags, name, descriptor, &[])?;
        }
        Ok(())
    }

    /// Whether it is a final field through which others reach what may be written. The object around an inner class is
    /// older than this one, and as a rule known to everybody who knows this one.
    fn leads_on(&self, field: &Member<'a>) -> Result<bool, ClassError> {
        let descriptor = self.class.pool.str(field.descriptor)?;
        let flags = field.access & (access::FINAL | access::STATIC | access::SYNTHETIC);
        Ok(flags == access::FINAL
            && (descriptor.starts_with('L') || descriptor.starts_with('['))
            && !LEAVES.contains(&descriptor.as_ref()))
    }

    /// A hook at each way out of such a constructor.
    pub(super) fn freeze(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
    ) -> Result<(), ClassError> {
        if !context.this_in_slot_0 || !self.sets_final_fields(context)? {
            return Ok(());
        }
        let own = self.class.name()?;
        let pool = &mut self.edit.pool;
        let made = pool.field_ref(&own, names::FREEZES, "I")?;
        let mut exit = Asm::new();
        exit.op(op::ALOAD_0)
            .pooled(op::GETSTATIC, made)
            .class_object(&own, self.class.major, pool)?
            .hook("frozen", "(Ljava/lang/Object;ILjava/lang/Class;)V", pool)?;
        for insn in context.insns().iter().filter(|insn| insn.op == op::RETURN) {
            edit.insert_before(insn.pc, &exit.bytes);
        }
        edit.grow_stack(3);
        Ok(())
    }

    fn sets_final_fields(&self, context: &MethodContext<'_, 'a>) -> Result<bool, ClassError> {
        let pool = &self.class.pool;
        if pool.utf8(context.member.name)? != b"<init>" {
            return Ok(false);
        }
        for insn in context.insns().iter().filter(|insn| insn.op == op::PUTFIELD) {
            let set = pool.member_ref(context.code.u16_at(insn.pc + 1)?)?;
            if set.owner != self.facts.name.as_str() {
                continue;
            }
            for field in &self.class.fields {
                if pool.str(field.name)? == set.name
                    && pool.str(field.descriptor)? == set.descriptor
                    && self.leads_on(field)?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
