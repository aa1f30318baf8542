//! The events of a run, in the order in which they happened, as the detectors that follow a whole run take them:
//! [`crate::happens_before`], [`crate::hybrid`], [`crate::lock_order`]. A recorded trace is a list of them.

use crate::AccessKind;

/// An object of the program that is used as a lock, as something threads synchronise with, or as a variable's owner.
/// The numbers are the caller's choice; none is used for something else again.
pub type ObjectId = u64;

/// A variable: a part of an object. The variables of static fields have an owner of the caller's choice, one for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable {
    pub owner: ObjectId,
    pub part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Field(u32),
    /// Of an array.
    Element(u32),
    /// All that a container or another object of the JDK holds.
    State,
}

/// Where something happened: a static place and, if it was captured, the whole stack. Numbers of the caller's choice;
/// 0 is no stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    pub site: u32,
    pub stack: u32,
}

/// What a thread did. Threads are numbers of the caller's choice, never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// The thread starts `child`, whose events come later.
    Fork {
        thread: u32,
        child: u32,
    },
    /// The thread has begun to run. A thread that does something without it has begun all the same.
    Begin {
        thread: u32,
    },
    /// The thread's last event.
    End {
        thread: u32,
    },
    /// The thread has seen that `child` has ended.
    Join {
        thread: u32,
        child: u32,
    },
    /// The thread has got a lock. Locks are re-entrant. `Object.wait` is as many unlocks and locks as its monitor is
    /// held times.
    Lock {
        thread: u32,
        object: ObjectId,
        shared: bool,
        /// By an attempt that would not have waited for ever.
        tried: bool,
        at: Place,
    },
    Unlock {
        thread: u32,
        object: ObjectId,
        shared: bool,
    },
    /// What other threads did before they released the object is visible to this one from now on (a volatile read, a
    /// latch's await, …).
    Acquire {
        thread: u32,
        object: ObjectId,
    },
    Release {
        thread: u32,
        object: ObjectId,
    },
    Access {
        thread: u32,
        kind: AccessKind,
        variable: Variable,
        at: Place,
        mark: Mark,
    },
    /// What was released to either of two objects counts as released to `object` from now on; `thread` puts them together.
    Merge {
        thread: u32,
        object: ObjectId,
        of: [ObjectId; 2],
    },
    /// The thread has seen what others did under the locks that it holds: it was woken by one of them, or has just
    /// acquired what one of them released under such a lock.
    Observe {
        thread: u32,
    },
    /// The thread reads or writes a volatile or atomic variable. What that hands over is a release, which follows, or an
    /// acquisition; this tells who could know of whom, see [`crate::hybrid`].
    Flag {
        thread: u32,
        kind: AccessKind,
        object: ObjectId,
    },
    /// The thread has got a stamp of `lock` for an optimistic read. `section` is a number of its own.
    Stamp {
        thread: u32,
        lock: ObjectId,
        section: u64,
    },
    /// The thread has asked whether that stamp is still valid, or never will.
    Asked {
        thread: u32,
        section: u64,
        answer: Answer,
    },
    /// For [`crate::stale`]. Variables are objects of their own here.
    Flow {
        thread: u32,
        step: FlowStep,
    },
    /// The thread has waited for its latest lock, `object`, with others in its hands. For traces whose writer tells that
    /// of one acquisition out of many: their locks are all *tried* then.
    Nested {
        thread: u32,
        object: ObjectId,
        shared: bool,
        at: Place,
    },
}

/// A place of a flow: where a variable is read or written, or where a value is used that was read before. Also a value on its
/// way, by the place that it comes from. Numbers of the caller's choice.
pub type FlowId = u32;

/// What becomes of a value that the static side has marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FlowStep {
    /// The variable is read: a value begins its way.
    Read {
        place: FlowId,
        variable: ObjectId,
    },
    Write {
        place: FlowId,
        variable: ObjectId,
    },
    /// What was read there is not what comes next.
    Forget {
        flow: FlowId,
    },
    /// What came `from` there goes on as `flow`.
    Pass {
        flow: FlowId,
        from: FlowId,
    },
    /// What came `from` there is about to be used.
    Use {
        at: FlowId,
        from: FlowId,
    },
}

/// What became of a stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Answer {
    /// Somebody asked.
    pub asked: bool,
    pub valid: bool,
    /// The lock was held for writing then.
    pub writing: bool,
    /// What the lock's writers had released by then.
    pub released: ObjectId,
}

/// What is special about an access; nothing, as a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Mark {
    /// A read whose value only goes into the variable's next one (`count++`): who reads so has not looked at what others
    /// did. Or the write of that next value, if it stands for both.
    pub update: bool,
    /// A write that tells what others did and is looked at, as in `queue.poll()`.
    pub uses: bool,
    /// Lock sets say nothing of it: it may race, but not potentially.
    pub exact: bool,
    /// By an atomic operation: no two of those race.
    pub atomic: bool,
    /// It is compared with what came before, but not kept.
    pub passing: bool,
    /// Between an optimistic read's stamp and its validation, for those who do not follow [`Event::Stamp`].
    pub optimistic: bool,
    /// A read of what the last write wrote, and no more, is ordered behind it: it came by way of a final field (JLS 17.5.1).
    pub frozen: bool,
}

impl Mark {
    /// Whether an access of this kind has seen what others did.
    pub fn observes(self, kind: AccessKind) -> bool {
        match kind {
            // A value of which nobody knows the locks is taken to be looked at.
            AccessKind::Read => !self.update || self.exact,
            AccessKind::Write => self.uses,
        }
    }
}

impl Event {
    /// Whose event it is.
    pub fn thread(&self) -> u32 {
        match *self {
            Event::Fork { thread, .. }
            | Event::Begin { thread }
            | Event::End { thread }
            | Event::Join { thread, .. }
            | Event::Lock { thread, .. }
            | Event::Unlock { thread, .. }
            | Event::Acquire { thread, .. }
            | Event::Release { thread, .. }
            | Event::Access { thread, .. }
            | Event::Merge { thread, .. }
            | Event::Observe { thread }
            | Event::Flag { thread, .. }
            | Event::Flow { thread, .. }
            | Event::Stamp { thread, .. }
            | Event::Asked { thread, .. }
            | Event::Nested { thread, .. } => thread,
        }
    }
}
