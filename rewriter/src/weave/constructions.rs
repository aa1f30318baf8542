//! Constructors with a model. Nobody but the code at hand may touch an object before its constructor has run, so there
//! is no bridge: what the model says stands around the call itself, with the arguments in local variables.

use super::ClassWeaver;
use super::asm::{Asm, signature};
use super::bridges::states;
use super::method::MethodContext;
use super::steps::{SiteFrom, Values};
use crate::code::{ClassError, CodeEdit, Insn, MemberRef, op};
use racewire_models::{Model, Moment};

impl<'a> ClassWeaver<'_, 'a> {
    pub(super) fn construction(
        &mut self,
        context: &mut MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
        model: &Model,
        (reference, target): (u16, &MemberRef<'_>),
    ) -> Result<(), ClassError> {
        let Some(whose) = self.made_by(context, insn)? else {
            self.cannot_observe(context, target);
            return Ok(());
        };
        let (parameters, _) = signature(&target.descriptor);
        let width: u16 = parameters.iter().map(|(slot, _)| u16::from(slot.width())).sum();
        let first = edit.grow_locals(width + 2);
        let (token, this) = (first + width, first + width + 1);
        let mut values = Values {
            token,
            name: "new",
            home: Some(context.home),
            ..Values::default()
        };
        for is_write in states(model) {
            let site = self.state_site(context, insn, (reference, target), is_write)?;
            values.sites[usize::from(is_write)] = SiteFrom::Constant(site);
        }
        let mut next = first;
        for (slot, type_name) in &parameters {
            values.arguments.push((*slot, type_name, next));
            next += u16::from(slot.width());
        }
        let mut before = Asm::new();
        for (slot, _, local) in values.arguments.iter().rev() {
            before.any_local(slot.store(), *local);
        }
        let mut fits = self.steps(&mut before, &model.steps, &[Moment::Before], &values)?;
        for (slot, _, local) in &values.arguments {
            before.any_local(slot.load(), *local);
        }
        let mut after = Asm::new();
        match whose {
            Made::Here => {
                after.op(op::DUP).any_local(op::ASTORE, this);
                values.this = Some(this);
            }
            Made::This => values.this = Some(0),
        }
        let bare = after.len();
        fits &= self.steps(
            &mut after,
            &model.steps,
            &[Moment::After, Moment::Always],
            &values,
        )?;
        if !fits {
            self.cannot_observe(context, target);
            return Ok(());
        }
        edit.insert_before(insn.pc, &before.bytes);
        if after.len() > bare {
            edit.insert_after(insn.pc, &after.bytes);
        }
        edit.grow_stack(8);
        self.account.calls += 1;
        Ok(())
    }

    /// What the constructor called here is for, if that can be told: an object that is on the stack once more, below
    /// the arguments (`new`, `dup`), or the one whose constructor this is.
    fn made_by(&self, context: &MethodContext<'_, 'a>, call: &Insn) -> Result<Option<Made>, ClassError> {
        let pool = &self.class.pool;
        let mut pending: Vec<(u16, bool)> = Vec::new();
        let mut insns = context.insns().iter().peekable();
        while let Some(insn) = insns.next() {
            match insn.op {
                op::NEW => {
                    let duplicated = insns.peek().is_some_and(|next| next.op == op::DUP);
                    pending.push((context.code.u16_at(insn.pc + 1)?, duplicated));
                }
                op::INVOKESPECIAL => {
                    let constant = context.code.u16_at(insn.pc + 1)?;
                    let target = pool.member_ref(constant)?;
                    if target.name != "<init>" {
                        continue;
                    }
                    let class = pool.member_ref_indices(constant)?.0;
                    let newest = pending.last().copied().filter(|(made, _)| *made == class);
                    if newest.is_some() {
                        pending.pop();
                    }
                    if insn.pc == call.pc {
                        let is_constructor = pool.utf8(context.member.name)? == b"<init>";
                        return Ok(match newest {
                            Some((_, true)) => Some(Made::Here),
                            None if is_constructor && context.this_in_slot_0 => Some(Made::This),
                            _ => None,
                        });
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

enum Made {
    Here,
    This,
}
