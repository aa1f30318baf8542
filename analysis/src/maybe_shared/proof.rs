//! Proofs that no two threads share what an access touches.

use serde::{Deserialize, Serialize};

/// Why an access need not be monitored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Proof {
    /// None of the detectors looks at accesses.
    NotLookedAt,
    /// Nothing that runs calls the method.
    NeverRuns,
    /// Its objects never leave the thread that makes them.
    ThreadLocal,
    /// Its objects are tasks, each made for one thread, and nobody else's from the moment that thread is given them.
    HandedOver,
    /// Nobody else has seen the object yet.
    NotPublished,
    /// Only one thread ever touches the field of objects that others might see.
    OneThread,
    /// The field is written only before its object is published.
    EffectivelyFinal,
    /// The array's elements are written only before others see it.
    Settled,
    /// The same variable was accessed before, and nothing was released since.
    Redundant,
    /// The same variable is written next.
    Updated,
}

impl Proof {
    pub const ALL: [Proof; 10] = [
        Proof::NotLookedAt,
        Proof::NeverRuns,
        Proof::ThreadLocal,
        Proof::HandedOver,
        Proof::NotPublished,
        Proof::OneThread,
        Proof::EffectivelyFinal,
        Proof::Settled,
        Proof::Redundant,
        Proof::Updated,
    ];

    /// Short name for machine-readable summaries.
    pub fn key(self) -> &'static str {
        match self {
            Proof::NotLookedAt => "not-looked-at",
            Proof::NeverRuns => "never-runs",
            Proof::ThreadLocal => "thread-local",
            Proof::HandedOver => "handed-over",
            Proof::NotPublished => "not-published-yet",
            Proof::OneThread => "one-thread",
            Proof::EffectivelyFinal => "effectively-final",
            Proof::Settled => "settled",
            Proof::Redundant => "redundant",
            Proof::Updated => "updated",
        }
    }

    pub fn explanation(self) -> &'static str {
        match self {
            Proof::NotLookedAt => "none of the detectors looks at accesses",
            Proof::NeverRuns => "nothing that the main class starts calls the method",
            Proof::ThreadLocal => "its object never leaves its thread",
            Proof::HandedOver => {
                "its object is the task of one thread, and nobody else's once that is started"
            }
            Proof::NotPublished => "no other thread has seen the object yet",
            Proof::OneThread => "only one thread touches the field",
            Proof::EffectivelyFinal => "the field is written only before its object is published",
            Proof::Settled => "the array is written only before others see it",
            Proof::Redundant => "it repeats an earlier access, and nothing was released in between",
            Proof::Updated => "the write that follows at once stands for it",
        }
    }
}

/// An access that need not be monitored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Hash)]
pub struct Removed {
    /// Index of the method in its class.
    pub method: u32,
    pub pc: u32,
    pub proof: Proof,
}

/// An access that stays and one that was removed because it repeats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Hash)]
pub struct Repeat {
    pub method: u32,
    pub pc: u32,
    pub repeated_at: u32,
}
