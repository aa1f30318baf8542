//! Methods that others call back (`Runnable.run` and the like): they begin with what was handed over to the object, and
//! end by handing over in turn.

use super::ClassWeaver;
use super::asm::Asm;
use super::method::MethodContext;
use crate::code::{ClassError, CodeEdit, Member, Pos, TailFrame, VerificationType, access, op};
use racewire_models::Body;

const OBJECT: &str = "(Ljava/lang/Object;)V";

impl<'a> ClassWeaver<'_, 'a> {
    /// Whether others may call this method back, and how.
    pub(super) fn body_of(&self, member: &Member<'_>) -> Result<Option<Body>, ClassError> {
        let Some(models) = self.hooked.models else {
            return Ok(None);
        };
        // A bridge method only calls the method proper.
        let never = access::STATIC | access::ABSTRACT | access::SYNTHETIC;
        let pool = &self.class.pool;
        if member.access & never != 0 || pool.utf8(member.name)?.starts_with(b"<") {
            return Ok(None);
        }
        let name = pool.str(member.name)?;
        let ancestors = self.ancestors.get_or_init(|| {
            self.program
                .ancestors(&self.facts.name, |class| models.parents(class))
        });
        // What the class overrides is declared above it.
        let above = ancestors.get(1..).unwrap_or_default();
        let descriptor = || pool.str(member.descriptor);
        if models.names_any(&name) {
            return Ok(models.find_body(above, &name, &descriptor()?));
        }
        // Of names that nobody speaks of the same is said, whichever it is.
        match self.body_of_rest.get() {
            Some(known) => Ok(*known),
            None => {
                let found = models.find_body(above, &name, &descriptor()?);
                Ok(*self.body_of_rest.get_or_init(|| found))
            }
        }
    }

    /// Hooks at the entry and at each way out.
    pub(super) fn task_body(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
        body: Body,
    ) -> Result<(), ClassError> {
        if !context.this_in_slot_0 {
            let label = self.label(context.member);
            self.account
                .unwoven
                .push(format!("{label}: its beginning cannot be observed"));
            return Ok(());
        }
        let class = match body {
            Body::Task => "Tasks",
            Body::Serial => "Flows",
            Body::Phase => "Barriers",
            Body::Maker => return self.maker_body(context, edit),
            Body::Callback => "Callbacks",
            // Without a handler of its own it could not tell of the lock's end; it has a lock of its own, though.
            Body::Guarded if context.member.access & access::SYNCHRONIZED != 0 => "Callbacks",
            Body::Guarded => "Guards",
            Body::Finalizer => "Finalizers",
        };
        let is_next = self.class.pool.utf8(context.member.name)? == b"onNext";
        let pool = &mut self.edit.pool;
        let mut entry = Asm::new();
        entry.op(op::ALOAD_0);
        if is_next && body == Body::Serial {
            entry.local(op::ALOAD, 1);
            entry.runtime(class, "begin", "(Ljava/lang/Object;Ljava/lang/Object;)V", pool)?;
        } else {
            entry.runtime(class, "begin", OBJECT, pool)?;
        }
        edit.insert_at_entry(&entry.bytes);
        let mut exit = Asm::new();
        exit.op(op::ALOAD_0).runtime(class, "end", OBJECT, pool)?;
        // What a task gives back may go on with its work.
        let mut giving = Asm::new();
        if body == Body::Task {
            giving.op(op::DUP).op(op::ALOAD_0).op(op::SWAP);
            giving.runtime(class, "gave", "(Ljava/lang/Object;Ljava/lang/Object;)V", pool)?;
        }
        for insn in context.insns() {
            if insn.op == op::ARETURN && body == Body::Task {
                edit.insert_before(insn.pc, &giving.bytes);
            }
            if (op::IRETURN..=op::RETURN).contains(&insn.op) {
                edit.insert_before(insn.pc, &exit.bytes);
            }
        }
        edit.grow_stack(2);
        // A synchronized method's lock has a handler of its own, which must stay the only one.
        if context.member.access & access::SYNCHRONIZED == 0 {
            let frame = TailFrame {
                locals: vec![VerificationType::Object(self.class.this_class)],
                stack: vec![VerificationType::Object(pool.class("java/lang/Throwable")?)],
            };
            exit.op(op::ATHROW);
            let handler = edit.append(&exit.bytes, frame);
            edit.add_exception(Pos::At(0), Pos::In(handler, 0), Pos::In(handler, 0), 0);
        }
        self.account.calls += 1;
        Ok(())
    }

    /// A hook at each way out of a constructor, if the class has a finaliser of its own (JLS 17.4.5).
    pub(super) fn constructed(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
    ) -> Result<(), ClassError> {
        let pool = &self.class.pool;
        let is_constructor = pool.utf8(context.member.name)? == b"<init>";
        if !is_constructor || !context.this_in_slot_0 || self.hooked.models.is_none() {
            return Ok(());
        }
        let mut has_finalizer = false;
        for method in &self.class.methods {
            has_finalizer |= self.body_of(method)? == Some(Body::Finalizer);
        }
        if !has_finalizer {
            return Ok(());
        }
        let mut exit = Asm::new();
        exit.op(op::ALOAD_0)
            .runtime("Finalizers", "constructed", OBJECT, &mut self.edit.pool)?;
        for insn in context.insns().iter().filter(|insn| insn.op == op::RETURN) {
            edit.insert_before(insn.pc, &exit.bytes);
        }
        edit.grow_stack(1);
        Ok(())
    }

    /// A hook before the method returns what it made.
    fn maker_body(
        &mut self,
        context: &MethodContext<'_, 'a>,
        edit: &mut CodeEdit<'_, 'a>,
    ) -> Result<(), ClassError> {
        let mut exit = Asm::new();
        exit.op(op::DUP).op(op::ALOAD_0).op(op::SWAP);
        exit.runtime(
            "Makers",
            "made",
            "(Ljava/lang/Object;Ljava/lang/Object;)V",
            &mut self.edit.pool,
        )?;
        for insn in context.insns().iter().filter(|insn| insn.op == op::ARETURN) {
            edit.insert_before(insn.pc, &exit.bytes);
        }
        edit.grow_stack(2);
        self.account.calls += 1;
        Ok(())
    }
}
