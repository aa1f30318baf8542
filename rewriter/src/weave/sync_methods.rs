//! Synchronized methods become unsynchronized methods with a synchronized block (paper 001, section 3.1), so
//! that the before-lock hook runs before the lock is taken.
//!
//! In place where that is possible: the body stays where it is and stack traces do not change. HotSpot only
//! compiles methods whose monitors it can pair (it follows the locked reference through locals), so the lock
//! must come from a local that nothing else touches: `this` in slot 0, and no `synchronized (this)` inside.
//! Otherwise (static methods among them) the body moves to a private method and a wrapper does the locking.

use super::ClassWeaver;
use super::asm::{Asm, signature};
use super::method::MethodContext;
use crate::code::{
    ClassError, CodeBody, CodeEdit, ExceptionEntry, Pos, TailFrame, VerificationType, access, op,
};

const OBJECT: &str = "(Ljava/lang/Object;)V";

impl<'a> ClassWeaver<'_, 'a> {
    /// Finishes a synchronized method whose other join points are in `edit` already.
    pub(super) fn synchronized_method(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: CodeEdit<'_, 'a>,
        index: usize,
    ) -> Result<(), ClassError> {
        let nested = context.insns().iter().any(|i| i.op == op::MONITORENTER);
        if context.this_in_slot_0 && !nested {
            self.lock_in_place(context, edit, index)?;
        } else {
            self.lock_in_wrapper(context, edit, index)?;
        }
        self.edit
            .set_method_access(index, context.member.access & !access::SYNCHRONIZED);
        self.visible_change |= context.member.access & access::PRIVATE == 0;
        self.account.synchronized_methods += 1;
        Ok(())
    }

    fn lock_in_place(
        &mut self,
        context: &MethodContext<'_, 'a>,
        mut edit: CodeEdit<'_, 'a>,
        index: usize,
    ) -> Result<(), ClassError> {
        let pool = &mut self.edit.pool;
        let mut entry = Asm::new();
        entry
            .op(op::ALOAD_0)
            .hook("beforeLock", OBJECT, pool)?
            .op(op::ALOAD_0)
            .op(op::MONITORENTER);
        let locked = entry.len();
        entry.op(op::ALOAD_0).hook("afterLock", OBJECT, pool)?;
        let locked = edit.insert_at_entry(&entry.bytes) + u32::from(locked);

        let mut exit = Asm::new();
        exit.op(op::ALOAD_0)
            .hook("beforeUnlock", OBJECT, pool)?
            .op(op::ALOAD_0)
            .op(op::MONITOREXIT);
        let unlocked = exit.len();
        exit.op(op::ALOAD_0).hook("afterUnlock", OBJECT, pool)?;

        // The catch-all covers every stretch in which the lock is held, and only those.
        let mut start = Some(Pos::Entry(locked));
        let mut ranges = Vec::new();
        for insn in context.insns() {
            if (op::IRETURN..=op::RETURN).contains(&insn.op) {
                let inserted = edit.insert_before(insn.pc, &exit.bytes);
                if let Some(from) = start.take() {
                    ranges.push((from, Pos::In(inserted, u32::from(unlocked))));
                }
                let next = insn.pc + insn.len;
                if (next as usize) < context.code.bytecode.len() {
                    start = Some(Pos::At(next));
                }
            }
        }
        // Two handlers: the second only releases, for the case that the first finds no stack left for its hook.
        // One that covered itself would try for ever.
        let mut handler = Asm::new();
        handler.op(op::ALOAD_0).hook("beforeUnlock", OBJECT, pool)?;
        let hooked = handler.len();
        handler.op(op::ALOAD_0).op(op::MONITOREXIT);
        handler
            .op(op::ALOAD_0)
            .hook("afterUnlock", OBJECT, pool)?
            .op(op::ATHROW);
        let frame = TailFrame {
            locals: vec![VerificationType::Object(self.class.this_class)],
            stack: vec![VerificationType::Object(pool.class("java/lang/Throwable")?)],
        };
        // What was appended before runs with the lock held.
        if edit.has_tail() {
            start = start.or(Some(Pos::Tail(0)));
        }
        let handler = edit.append(&handler.bytes, frame.clone());
        let release = edit.append(&[op::ALOAD_0, op::MONITOREXIT, op::ATHROW], frame);
        if let Some(from) = start {
            ranges.push((from, Pos::In(handler, 0)));
        }
        for (from, to) in ranges {
            edit.add_exception(from, to, Pos::In(handler, 0), 0);
        }
        edit.add_exception(
            Pos::In(handler, 0),
            Pos::In(handler, u32::from(hooked)),
            Pos::In(release, 0),
            0,
        );
        edit.grow_stack(2);
        self.finish_code(context, edit, index)
    }

    fn lock_in_wrapper(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: CodeEdit<'_, 'a>,
        index: usize,
    ) -> Result<(), ClassError> {
        let pool = &self.class.pool;
        let method_name = pool.str(context.member.name)?;
        let descriptor = pool.str(context.member.descriptor)?;
        let is_static = context.member.access & access::STATIC != 0;
        let body_name = format!("{}${method_name}", self.helper_name("body"));
        let body = edit.finish(&mut self.edit.pool)?;
        self.note_size(context, body.len());

        let (parameters, result) = signature(&descriptor);
        let receiver = u8::from(!is_static);
        let lock_slot = parameters
            .iter()
            .map(|(slot, _)| slot.width())
            .sum::<u8>()
            .saturating_add(receiver);
        let class_name = self.class.name()?;
        let line = context.insns().first().map_or(0, |i| context.code.line_at(i.pc));
        let pool = &mut self.edit.pool;

        let mut asm = Asm::new();
        if is_static {
            asm.class_object(&class_name, self.class.major, pool)?;
        } else {
            asm.op(op::ALOAD_0);
        }
        asm.local(op::ASTORE, lock_slot);
        asm.local(op::ALOAD, lock_slot).hook("beforeLock", OBJECT, pool)?;
        asm.local(op::ALOAD, lock_slot).op(op::MONITORENTER);
        let locked = asm.len();
        asm.local(op::ALOAD, lock_slot).hook("afterLock", OBJECT, pool)?;
        let mut slot = receiver;
        if !is_static {
            asm.op(op::ALOAD_0);
        }
        for (parameter, _) in &parameters {
            asm.local(parameter.load(), slot);
            slot += parameter.width();
        }
        let target = pool.method_ref(&class_name, &body_name, &descriptor)?;
        asm.pooled(
            if is_static {
                op::INVOKESTATIC
            } else {
                op::INVOKESPECIAL
            },
            target,
        );
        asm.local(op::ALOAD, lock_slot)
            .hook("beforeUnlock", OBJECT, pool)?;
        asm.local(op::ALOAD, lock_slot).op(op::MONITOREXIT);
        let unlocked = asm.len();
        asm.local(op::ALOAD, lock_slot)
            .hook("afterUnlock", OBJECT, pool)?;
        asm.op(result.map_or(op::RETURN, |r| r.ret()));
        let handler = asm.len();
        asm.local(op::ALOAD, lock_slot)
            .hook("beforeUnlock", OBJECT, pool)?;
        let hooked = asm.len();
        asm.local(op::ALOAD, lock_slot).op(op::MONITOREXIT);
        asm.local(op::ALOAD, lock_slot)
            .hook("afterUnlock", OBJECT, pool)?
            .op(op::ATHROW);
        let release = asm.len();
        asm.local(op::ALOAD, lock_slot).op(op::MONITOREXIT).op(op::ATHROW);

        let stack = u16::from(lock_slot) + 3;
        let exceptions = [
            ExceptionEntry {
                start: locked,
                end: unlocked,
                handler,
                catch_type: 0,
            },
            ExceptionEntry {
                start: handler,
                end: hooked,
                handler: release,
                catch_type: 0,
            },
        ];
        let mut attributes = Vec::new();
        if self.class.major >= 50 {
            let lock_type = if is_static {
                pool.class("java/lang/Class")?
            } else {
                self.class.this_class
            };
            let throwable = pool.class("java/lang/Throwable")?;
            let mut frame = vec![0, 2, 255];
            frame.extend_from_slice(&handler.to_be_bytes());
            frame.extend_from_slice(&(u16::from(lock_slot) + 1).to_be_bytes());
            // Top (0) for the parameters: the handler does not need them.
            frame.resize(frame.len() + usize::from(lock_slot), 0);
            frame.push(7);
            frame.extend_from_slice(&lock_type.to_be_bytes());
            frame.extend_from_slice(&[0, 1, 7]);
            frame.extend_from_slice(&throwable.to_be_bytes());
            // same_locals_1_stack_item_frame_extended: the second handler knows the same.
            frame.push(247);
            frame.extend_from_slice(&(release - handler - 1).to_be_bytes());
            frame.push(7);
            frame.extend_from_slice(&throwable.to_be_bytes());
            attributes.push((pool.utf8("StackMapTable")?, frame));
        }
        if line != 0 {
            let mut table = vec![0, 1, 0, 0];
            table.extend_from_slice(&line.to_be_bytes());
            attributes.push((pool.utf8("LineNumberTable")?, table));
        }
        let (name, descriptor, code) = (
            pool.utf8(&body_name)?,
            pool.utf8(&descriptor)?,
            pool.utf8("Code")?,
        );
        let flags =
            context.member.access & (access::STATIC | access::STRICT) | access::PRIVATE | access::SYNTHETIC;
        self.edit.add_method(flags, name, descriptor, (code, &body))?;
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, body)| (*name, body.as_slice()))
            .collect();
        let wrapper = CodeBody {
            max_stack: stack,
            max_locals: u16::from(lock_slot) + 1,
            bytecode: &asm.bytes,
            exceptions: &exceptions,
            attributes: &attributes,
        };
        self.edit.write_method_code(index, |_, out| {
            wrapper.write(out);
            Ok(())
        })
    }
}
