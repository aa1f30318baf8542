//! Advice at `monitorenter` and `monitorexit`. What throws while the monitor is held must find a handler that releases it:
//! where the compiler's own is none to rely on, the advice gets one.

use super::Moment;
use super::calls::values_of;
use super::emit::{Call, Item};
use super::points::{Found, OBJECT};
use super::weave::{ClassAdvisor, CodePlace};
use crate::code::{ClassError, Pos, TailFrame, VerificationType, locals_at, monitors, op};
use crate::weave::asm::Asm;
use racewire_pointcuts::Value;

impl<'a> ClassAdvisor<'_, 'a> {
    pub(super) fn lock_point(
        &mut self,
        place: &mut CodePlace<'_, 'a>,
        found: &Found,
        calls: &[Call],
    ) -> Result<(), ClassError> {
        let code = place.method.code;
        let site = self.site(place.shape, code, found);
        let pc = found.insn.pc;
        // A variable of its own: the handler wants to know what is in it.
        let slot = place.edit.grow_locals(1);
        let mut values = values_of(found, slot, &self.shape.name);
        // What the code locks is known better than what frames say of it.
        for (item, _, descriptor) in &mut values.locals {
            if *item == Item::Of(Value::Arg(0)) {
                *descriptor = OBJECT.to_owned();
            }
        }
        let mut before = Asm::new();
        before.op(op::DUP).any_local(op::ASTORE, slot);
        let from = u32::from(before.len());
        let mut stack = self.due(
            &mut before,
            (calls, &[Moment::Before]),
            &values,
            &site,
            place.home,
        )?;
        let to = u32::from(before.len());
        let mut after = Asm::new();
        let ends = [Moment::After, Moment::AfterReturning];
        stack = stack.max(self.due(&mut after, (calls, &ends), &values, &site, place.home)?);
        if to == from && after.bytes.is_empty() {
            return Ok(());
        }
        let inserted = place.edit.insert_before(pc, &before.bytes);
        if !after.bytes.is_empty() {
            place.edit.insert_after(pc, &after.bytes);
        }
        place.edit.grow_stack(stack + 2);
        if found.insn.op == op::MONITORENTER || to == from {
            return Ok(());
        }
        let own_handler = monitors::exceptional_exits(code, place.method.insns)
            .get(&pc)
            .copied();
        let uncovered = monitors::uncovered_exits(code, place.method.insns).contains(&pc);
        if own_handler.is_none() && !uncovered {
            return Ok(());
        }
        let pool = &mut self.edit.pool;
        let Some(mut locals) = locals_at(self.class, code, place.method.insns, pc, pool)? else {
            return Ok(());
        };
        let mut release = Asm::new();
        release.any_local(op::ALOAD, slot).op(op::MONITOREXIT);
        let released = u32::from(release.len());
        release.op(op::ATHROW);
        let used: usize = locals.iter().map(|t| t.slots()).sum();
        let gap = usize::from(slot).saturating_sub(used);
        locals.resize(locals.len() + gap, VerificationType::Top);
        locals.push(VerificationType::Object(pool.class("java/lang/Object")?));
        let stack = vec![VerificationType::Object(pool.class("java/lang/Throwable")?)];
        let tail = place.edit.append(&release.bytes, TailFrame { locals, stack });
        place.edit.add_exception_first(
            Pos::In(inserted, from),
            Pos::In(inserted, to),
            Pos::In(tail, 0),
            0,
        );
        // On to where the exit itself would have thrown, its own handler excepted: that would release once more.
        for range in &code.exceptions {
            if range.covers(pc) && own_handler != Some(u32::from(range.handler)) {
                place.edit.add_exception(
                    Pos::In(tail, released),
                    Pos::In(tail, released + 1),
                    Pos::At(u32::from(range.handler)),
                    range.catch_type,
                );
            }
        }
        Ok(())
    }
}
