//! Hooks around `monitorenter` and `monitorexit`.
//!
//! A hook that runs while the monitor is held must stand in a catch-all range that releases it, or HotSpot takes the
//! method for unbalanced and never compiles it.

use super::ClassWeaver;
use super::asm::Asm;
use super::method::MethodContext;
use crate::code::{ClassError, CodeEdit, Insn, Pos, TailFrame, VerificationType, locals_at, monitors, op};
use std::collections::{BTreeMap, BTreeSet};

const OBJECT: &str = "(Ljava/lang/Object;)V";

/// What the exception table of a method says about its monitor instructions.
#[derive(Debug, Default)]
pub(super) struct Monitors {
    uncovered_enters: BTreeSet<u32>,
    uncovered_exits: BTreeSet<u32>,
    /// With the pc of the handler that the exit belongs to.
    exceptional_exits: BTreeMap<u32, u32>,
}

impl Monitors {
    pub(super) fn find(context: &MethodContext<'_, '_>, points: &[Insn]) -> Monitors {
        if !points
            .iter()
            .any(|i| i.op == op::MONITORENTER || i.op == op::MONITOREXIT)
        {
            return Monitors::default();
        }
        let (code, insns) = (context.code, context.insns());
        Monitors {
            uncovered_enters: monitors::uncovered_enters(code, insns),
            uncovered_exits: monitors::uncovered_exits(code, insns),
            exceptional_exits: monitors::exceptional_exits(code, insns),
        }
    }
}

impl<'a> ClassWeaver<'_, 'a> {
    pub(super) fn monitor(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
    ) -> Result<(), ClassError> {
        let monitors = &context.monitors;
        let own_handler = monitors.exceptional_exits.get(&insn.pc).copied();
        let pool = &mut self.edit.pool;
        let mut before = Asm::new();
        let mut after = Asm::new();
        if insn.op == op::MONITORENTER {
            before.op(op::DUP).hook("beforeLock", OBJECT, pool)?.op(op::DUP);
            // Where the compiler left a gap after a monitorenter, the hook moves before it: still on the same side
            // of every field access.
            if monitors.uncovered_enters.contains(&insn.pc) {
                before.hook("afterLock", OBJECT, pool)?;
            } else {
                // Not on the stack: while a virtual thread waits for a monitor, HotSpot 25 moves objects without telling
                // the stack of an interpreted method.
                let slot = edit.grow_locals(1);
                before.any_local(op::ASTORE, slot);
                after.any_local(op::ALOAD, slot).hook("afterLock", OBJECT, pool)?;
            }
        } else if own_handler.is_some() || monitors.uncovered_exits.contains(&insn.pc) {
            match locals_at(self.class, context.code, context.insns(), insn.pc, pool)? {
                Some(locals) => self.guarded_exit(context, edit, insn, locals, own_handler)?,
                None => self.hooks_behind_exit(edit, insn)?,
            }
            self.account.monitors += 1;
            return Ok(());
        } else {
            before.op(op::DUP).hook("beforeUnlock", OBJECT, pool)?.op(op::DUP);
            after.hook("afterUnlock", OBJECT, pool)?;
        }
        edit.insert_before(insn.pc, &before.bytes);
        if !after.bytes.is_empty() {
            edit.insert_after(insn.pc, &after.bytes);
        }
        edit.grow_stack(2);
        self.account.monitors += 1;
        Ok(())
    }

    /// A monitorexit without a catch-all of its own gets one around the hook. It only releases the monitor, and
    /// throws on to where the exit itself would have thrown, `own_handler` excepted: that would release once more.
    fn guarded_exit(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        insn: &Insn,
        mut locals: Vec<VerificationType>,
        own_handler: Option<u32>,
    ) -> Result<(), ClassError> {
        let pool = &mut self.edit.pool;
        let slot = edit.grow_locals(1);
        let mut before = Asm::new();
        before.op(op::DUP).any_local(op::ASTORE, slot).op(op::DUP);
        let from = u32::from(before.len());
        before.hook("beforeUnlock", OBJECT, pool)?;
        let to = u32::from(before.len());
        before.op(op::DUP);
        let mut after = Asm::new();
        after.hook("afterUnlock", OBJECT, pool)?;
        let mut release = Asm::new();
        release.any_local(op::ALOAD, slot).op(op::MONITOREXIT);
        let released = u32::from(release.len());
        release.op(op::ATHROW);

        let used: usize = locals.iter().map(|t| t.slots()).sum();
        locals.resize(
            locals.len() + usize::from(slot).saturating_sub(used),
            VerificationType::Top,
        );
        locals.push(VerificationType::Object(pool.class("java/lang/Object")?));
        let stack = vec![VerificationType::Object(pool.class("java/lang/Throwable")?)];
        let inserted = edit.insert_before(insn.pc, &before.bytes);
        edit.insert_after(insn.pc, &after.bytes);
        let tail = edit.append(&release.bytes, TailFrame { locals, stack });
        edit.add_exception_first(
            Pos::In(inserted, from),
            Pos::In(inserted, to),
            Pos::In(tail, 0),
            0,
        );
        for range in &context.code.exceptions {
            if range.covers(insn.pc) && own_handler != Some(u32::from(range.handler)) {
                edit.add_exception(
                    Pos::In(tail, released),
                    Pos::In(tail, released + 1),
                    Pos::At(u32::from(range.handler)),
                    range.catch_type,
                );
            }
        }
        edit.grow_stack(2);
        Ok(())
    }

    /// For an exit whose locals no frame of ours could tell: no handler, both hooks behind the instruction.
    fn hooks_behind_exit(&mut self, edit: &mut CodeEdit<'_, 'a>, insn: &Insn) -> Result<(), ClassError> {
        let pool = &mut self.edit.pool;
        let mut after = Asm::new();
        after
            .op(op::DUP)
            .hook("beforeUnlock", OBJECT, pool)?
            .hook("afterUnlock", OBJECT, pool)?;
        edit.insert_before(insn.pc, &[op::DUP]);
        edit.insert_after(insn.pc, &after.bytes);
        edit.grow_stack(2);
        Ok(())
    }
}
