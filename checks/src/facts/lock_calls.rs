//! Calls that take and give back locks, or give one back for a while.

use super::program::{MethodRef, Program};
use crate::body::{Instr, Op, ValueId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockCall {
    Acquire {
        lock: ValueId,
        shared: bool,
    },
    Release {
        lock: ValueId,
    },
    /// Object.wait: gives the monitor of this object back until it is notified.
    Wait {
        lock: ValueId,
    },
    /// Condition.await: the same with the lock that made the condition.
    Await,
}

const LOCKS: &str = "java/util/concurrent/locks/";

pub fn lock_call(program: &Program<'_>, method: MethodRef<'_>, instr: &Instr) -> Option<LockCall> {
    let called = program.called(method, instr)?;
    let receiver = *method.body.args(instr).first()?;
    match &*called.name {
        "wait" if matches!(&*called.descriptor, "()V" | "(J)V" | "(JI)V") => {
            Some(LockCall::Wait { lock: receiver })
        }
        "await" | "awaitUninterruptibly" | "awaitNanos" | "awaitUntil"
            if &*called.owner == "java/util/concurrent/locks/Condition" =>
        {
            Some(LockCall::Await)
        }
        "lock" | "lockInterruptibly" | "tryLock" if is_lock(program, &called.owner) => {
            let (lock, shared) = behind_view(program, method, receiver);
            let shared = shared || called.owner.ends_with("$ReadLock");
            Some(LockCall::Acquire { lock, shared })
        }
        "unlock" if is_lock(program, &called.owner) => Some(LockCall::Release {
            lock: behind_view(program, method, receiver).0,
        }),
        name if called.owner.ends_with("locks/StampedLock") => match name {
            "writeLock" | "writeLockInterruptibly" | "tryWriteLock" => Some(LockCall::Acquire {
                lock: receiver,
                shared: false,
            }),
            "readLock" | "readLockInterruptibly" | "tryReadLock" => Some(LockCall::Acquire {
                lock: receiver,
                shared: true,
            }),
            "unlock" | "unlockWrite" | "unlockRead" => Some(LockCall::Release { lock: receiver }),
            _ => None,
        },
        _ => None,
    }
}

fn is_lock(program: &Program<'_>, owner: &str) -> bool {
    match owner.strip_prefix(LOCKS) {
        Some(name) => matches!(
            name,
            "Lock" | "ReentrantLock" | "ReentrantReadWriteLock$ReadLock" | "ReentrantReadWriteLock$WriteLock"
        ),
        None => program.is_subclass(owner, "java/util/concurrent/locks/Lock"),
    }
}

/// `rw.readLock()` is `rw`, shared; `rw.writeLock()` is `rw`.
fn behind_view(program: &Program<'_>, method: MethodRef<'_>, lock: ValueId) -> (ValueId, bool) {
    let view = method
        .body
        .made_by(lock)
        .filter(|instr| matches!(instr.op, Op::Call(..)));
    let called = view.and_then(|instr| Some((instr, program.called(method, instr)?)));
    match called {
        Some((instr, called)) if matches!(&*called.name, "readLock" | "writeLock") => {
            let behind = method.body.args(instr).first().copied();
            (behind.unwrap_or(lock), &*called.name == "readLock")
        }
        _ => (lock, false),
    }
}
