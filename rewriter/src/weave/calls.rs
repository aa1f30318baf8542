//! Calls that are join points (see [`crate::observed`]).
//!
//! A virtual call becomes a static call of `Hooks` with the receiver as first argument: same operands, same
//! length, virtual dispatch inside. A call through `super` must stay what it is; hooks stand beside it.

use super::asm::Asm;
use crate::code::{ClassError, MemberRef, PoolBuilder, op};
use crate::observed::{CallModel, MODELS, OBJECT};
use crate::program::Program;

impl CallModel {
    /// `(Ljava/lang/Thread;J)V` for `Thread.join(long)`.
    pub fn hook_descriptor(&self) -> String {
        format!("(L{};{}", self.family, &self.descriptor[1..])
    }
}

/// The model of an instance call, if it is one of ours.
pub fn model_of(program: &Program, target: &MemberRef<'_>) -> Option<&'static CallModel> {
    MODELS.iter().find(|m| {
        m.name == target.name
            && m.descriptor == target.descriptor
            && receiver_fits(program, &target.owner, m.family)
    })
}

fn receiver_fits(program: &Program, owner: &str, family: &str) -> bool {
    // Object.wait is final: whatever class or array the call names, it is that method.
    family == OBJECT || program.is_subtype(owner, family)
}

/// A class above the receiver's that nobody has shown us, if a call that looks like one of ours may be one.
pub fn unknown_ancestor(program: &Program, target: &MemberRef<'_>) -> Option<String> {
    MODELS
        .iter()
        .any(|m| m.name == target.name && m.descriptor == target.descriptor)
        .then(|| program.unknown_ancestor(&target.owner))
        .flatten()
}

/// Code around a `super` call, or `None` where none can stand.
pub struct SuperHooks {
    pub before: Asm,
    pub after: Asm,
    pub extra_stack: u16,
}

/// `this_in_slot_0`: local variable 0 holds `this` all through the method.
pub fn around_super(
    model: &CallModel,
    this_in_slot_0: bool,
    pool: &mut PoolBuilder<'_, '_>,
) -> Result<Option<SuperHooks>, ClassError> {
    let mut before = Asm::new();
    let mut after = Asm::new();
    let lock = "(Ljava/util/concurrent/locks/Lock;)V";
    match (model.name, model.descriptor) {
        ("start", _) => {
            before
                .op(op::DUP)
                .hook("beforeStart", "(Ljava/lang/Thread;)V", pool)?;
        }
        ("lock" | "lockInterruptibly", _) => {
            before.op(op::DUP);
            after.hook("afterLock", lock, pool)?;
        }
        ("unlock", _) => {
            before.op(op::DUP).hook("beforeUnlock", lock, pool)?;
        }
        ("tryLock", "()Z") => {
            before.op(op::DUP);
            after
                .op(op::SWAP)
                .hook("afterTryLock", "(ZLjava/util/concurrent/locks/Lock;)Z", pool)?;
        }
        // The receiver lies below the arguments, out of reach of a dup: take it from its local.
        ("tryLock", _) if this_in_slot_0 => {
            after
                .op(op::ALOAD_0)
                .hook("afterTryLock", "(ZLjava/util/concurrent/locks/Lock;)Z", pool)?;
        }
        _ => return Ok(None),
    }
    Ok(Some(SuperHooks {
        before,
        after,
        extra_stack: 2,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observed::{LOCK, THREAD};
    use crate::program::tests::class;
    use std::borrow::Cow;

    fn target<'a>(owner: &'a str, name: &'a str, descriptor: &'a str) -> MemberRef<'a> {
        MemberRef {
            class: 0,
            owner: Cow::Borrowed(owner),
            name: Cow::Borrowed(name),
            descriptor: Cow::Borrowed(descriptor),
            name_and_type: 0,
            tag: 10,
        }
    }

    #[test]
    fn calls_are_matched_by_receiver_type_name_and_descriptor() {
        let program = Program::new(vec![
            class("Worker", THREAD, &[], &[]),
            class("Job", OBJECT, &[], &[]),
        ]);
        assert_eq!(
            model_of(&program, &target("Worker", "start", "()V"))
                .unwrap()
                .family,
            THREAD
        );
        assert_eq!(model_of(&program, &target("Job", "start", "()V")), None);
        assert_eq!(
            model_of(&program, &target("Job", "wait", "(J)V"))
                .unwrap()
                .hook_descriptor(),
            "(Ljava/lang/Object;J)V"
        );
        let rw = "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock";
        assert_eq!(
            model_of(&program, &target(rw, "tryLock", "()Z")).unwrap().family,
            LOCK
        );
        assert_eq!(model_of(&program, &target(LOCK, "newCondition", "()V")), None);
    }

    #[test]
    fn a_call_on_a_class_with_an_unknown_ancestor_is_told_of() {
        let program = Program::new(vec![
            class("Worker", "lib/Base", &[], &[]),
            class("Job", OBJECT, &[], &[]),
        ]);
        let base = Some("lib/Base".to_owned());
        assert_eq!(
            unknown_ancestor(&program, &target("Worker", "start", "()V")),
            base
        );
        assert_eq!(
            unknown_ancestor(&program, &target("lib/Base", "start", "()V")),
            base
        );
        assert_eq!(unknown_ancestor(&program, &target("Worker", "work", "()V")), None);
        assert_eq!(unknown_ancestor(&program, &target("Job", "start", "()V")), None);
        assert_eq!(
            unknown_ancestor(&program, &target("java/util/Timer", "start", "()V")),
            None
        );
    }
}
