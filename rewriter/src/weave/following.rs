//! Marks of flows that may get stale: where a followed variable is read and written, and where what was read is used.

use super::asm::Asm;
use super::members::{SameFrame, word_flags};
use super::method::MethodContext;
use super::{ClassWeaver, Home};
use crate::code::{ClassError, CodeEdit, Insn, access, op, tag};
use racewire_checks::followed::{Mark, Variable};
use racewire_model::names;

/// What a helper is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Helper {
    /// The constant that names the field.
    reference: u16,
    home: Home,
    for_writes: bool,
    inside: bool,
}

impl<'a> ClassWeaver<'_, 'a> {
    /// Beside each followed variable, with its access, as words have it.
    pub(super) fn add_followed(&mut self) -> Result<(), ClassError> {
        for &(index, inside) in &self.plan.follows.cells {
            let Some(field) = self.class.fields.get(index) else {
                continue;
            };
            let flags = word_flags(field.access);
            self.visible_change |= flags & access::PRIVATE == 0;
            let name = self.word_name(prefix(inside), self.class.pool.utf8(field.name)?)?;
            let descriptor = self.edit.pool.utf8(names::STALE_VARIABLE)?;
            self.edit.add_field(flags, name, descriptor, &[])?;
        }
        Ok(())
    }

    /// A use comes before the write that it may be.
    pub(super) fn follow(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
    ) -> Result<(), ClassError> {
        let plan = self.plan;
        for mark in plan.follows.at(context.index, insn.pc) {
            match mark {
                Mark::Used { text, from } => {
                    let hook = self.told("used", &[text, from])?;
                    edit.insert_before(insn.pc, &hook);
                }
                Mark::Forget { flow } => {
                    let hook = self.told("forget", &[flow])?;
                    edit.insert_before(insn.pc, &hook);
                }
                Mark::ForgetAfter { flow } => {
                    let hook = self.told("forget", &[flow])?;
                    edit.insert_after(insn.pc, &hook);
                }
                Mark::Passed { flow, from } => {
                    let hook = self.told("passed", &[flow, from])?;
                    edit.insert_before(insn.pc, &hook);
                }
                Mark::Got { flow, from } | Mark::PassedAfter { flow, from } => {
                    let hook = self.told("passed", &[flow, from])?;
                    edit.insert_after(insn.pc, &hook);
                }
                Mark::Read { variable, place } => {
                    self.followed_access(context, edit, insn, (variable, place), false)?;
                }
                Mark::Write { variable, place } => {
                    self.followed_access(context, edit, insn, (variable, place), true)?;
                }
            }
        }
        edit.grow_stack(4);
        Ok(())
    }

    fn told(&mut self, hook: &str, texts: &[&String]) -> Result<Vec<u8>, ClassError> {
        let mut asm = Asm::new();
        let pool = &mut self.edit.pool;
        for text in texts {
            asm.pooled(op::LDC_W, pool.string(text)?);
        }
        let descriptor = format!("({})V", "Ljava/lang/String;".repeat(texts.len()));
        asm.runtime("Stale", hook, &descriptor, pool)?;
        Ok(asm.bytes)
    }

    fn followed_access(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
        (variable, place): (&Variable, &String),
        for_writes: bool,
    ) -> Result<(), ClassError> {
        let is_access = (op::GETSTATIC..=op::PUTFIELD).contains(&insn.op);
        if !is_access || context.constructor.before_super.contains(&insn.pc) {
            return Ok(());
        }
        let reference = context.code.u16_at(insn.pc + 1)?;
        let named = self.class.pool.member_ref(reference)?;
        if *named.name != variable.field || *named.descriptor != variable.descriptor {
            return Ok(());
        }
        let is_wide = matches!(&*variable.descriptor, "J" | "D");
        let is_static = insn.op <= op::PUTSTATIC;
        let helper = self.followed_helper(
            Helper {
                reference,
                home: context.home,
                for_writes,
                inside: variable.inside,
            },
            is_static,
        )?;
        let place = self.edit.pool.string(place)?;
        let mut asm = Asm::new();
        asm.owner_again(insn.op, is_wide, context.home);
        asm.pooled(op::LDC_W, place).pooled(context.home.invoke(), helper);
        edit.insert_before(insn.pc, &asm.bytes);
        Ok(())
    }

    /// `void $racewire$at$K(Owner o, String place)`: hands over what is beside the variable. A read makes it; where
    /// nobody has read, a write is no news.
    fn followed_helper(&mut self, helper: Helper, is_static: bool) -> Result<u16, ClassError> {
        if let Some(known) = self.followed.get(&helper) {
            return Ok(*known);
        }
        let home = helper.home;
        let old = &self.class.pool;
        let (owner, name_and_type) = old.member_ref_indices(helper.reference)?;
        let (field, _) = old.name_and_type_indices(name_and_type)?;
        let descriptor = match is_static {
            true => b"(Ljava/lang/String;)V".to_vec(),
            false => [b"(L", old.class_name_bytes(owner)?, b";Ljava/lang/String;)V"].concat(),
        };
        let cell = self.word_name(prefix(helper.inside), old.utf8(field)?)?;
        let name = self.helper_name("at");
        let pool = &mut self.edit.pool;
        let (name, descriptor) = (pool.utf8(&name)?, pool.utf8_bytes(&descriptor)?);
        let cell_type = pool.utf8(names::STALE_VARIABLE)?;
        let cell = pool.name_and_type_at(cell, cell_type)?;
        let cell = pool.member_ref_at(tag::FIELD_REF, owner, cell)?;
        let method_type = pool.name_and_type_at(name, descriptor)?;
        let method = self.own_method(method_type)?;

        let owner_slot = home.receiver_slots();
        let place_slot = owner_slot + u8::from(!is_static);
        let push_cell = |asm: &mut Asm| {
            if is_static {
                asm.pooled(op::GETSTATIC, cell);
            } else {
                asm.local(op::ALOAD, owner_slot).pooled(op::GETFIELD, cell);
            }
        };
        let mut asm = Asm::new();
        let mut skips = Vec::new();
        if !is_static {
            // A null owner is left to the access to complain about.
            asm.local(op::ALOAD, owner_slot);
            skips.push(asm.branch(op::IFNULL));
        }
        let pool = &mut self.edit.pool;
        if helper.for_writes {
            push_cell(&mut asm);
            skips.push(asm.branch(op::IFNULL));
            push_cell(&mut asm);
            asm.local(op::ALOAD, place_slot);
            let descriptor = format!("({}Ljava/lang/String;)V", names::STALE_VARIABLE);
            asm.runtime("Stale", "wrote", &descriptor, pool)?;
        } else {
            if !is_static {
                asm.local(op::ALOAD, owner_slot);
            }
            push_cell(&mut asm);
            if is_static {
                asm.op(op::ACONST_NULL);
            } else {
                asm.local(op::ALOAD, owner_slot);
            }
            asm.local(op::ALOAD, place_slot);
            let variable = names::STALE_VARIABLE;
            let descriptor = format!("({variable}Ljava/lang/Object;Ljava/lang/String;){variable}");
            asm.runtime("Stale", "read", &descriptor, pool)?;
            let store = if is_static { op::PUTSTATIC } else { op::PUTFIELD };
            asm.pooled(store, cell);
        }
        let end = asm.len();
        let frames = if skips.is_empty() {
            None
        } else {
            self.frames_name()?
        };
        for at in skips {
            asm.land(at);
        }
        asm.op(op::RETURN);
        let parameters = 1 + u16::from(!is_static);
        self.add_helper(
            home,
            [name, descriptor],
            parameters,
            &asm,
            frames.map(|name| (name, SameFrame(end))),
        )?;
        self.followed.insert(helper, method);
        Ok(method)
    }
}

fn prefix(inside: bool) -> &'static str {
    match inside {
        true => names::STALE_INSIDE,
        false => names::STALE,
    }
}
