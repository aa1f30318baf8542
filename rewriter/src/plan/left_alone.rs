//! Why accesses are left as they are.

use racewire_analysis::maybe_shared::Proof;
use serde::{Deserialize, Serialize};

/// Why an access is not monitored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LeftAlone {
    /// Never reported: written only by the constructor or initialiser.
    Final,
    /// Not a data race by definition (JLS 17.4.5).
    Volatile,
    /// Declared by a class that is not woven.
    OutsideScope,
    /// Definitions of the declaring class disagree about the field.
    Ambiguous,
    /// Before `super()` the object cannot be passed to a hook, nor seen by another thread.
    BeforeSuper,
    /// The initialiser's own static fields: every other thread waits until it is done (JLS 12.4.2).
    ClassInitialisation,
    /// The woven method would be too large; it keeps its field accesses as they were.
    MethodTooLarge,
    /// The class could not be woven.
    ClassNotWeavable,
    /// No two threads share what it touches.
    Unshared(Proof),
}

impl LeftAlone {
    /// Short name for machine-readable summaries.
    pub fn key(self) -> &'static str {
        match self {
            LeftAlone::Final => "final",
            LeftAlone::Volatile => "volatile",
            LeftAlone::OutsideScope => "outside-scope",
            LeftAlone::Ambiguous => "ambiguous",
            LeftAlone::BeforeSuper => "before-super",
            LeftAlone::ClassInitialisation => "class-initialisation",
            LeftAlone::MethodTooLarge => "method-too-large",
            LeftAlone::ClassNotWeavable => "class-not-weavable",
            LeftAlone::Unshared(proof) => proof.key(),
        }
    }

    pub fn explanation(self) -> &'static str {
        match self {
            LeftAlone::Final => "the field is final",
            LeftAlone::Volatile => {
                "the field is volatile: its accesses are synchronisation, not races (JLS 17.4.5)"
            }
            LeftAlone::OutsideScope => "the field is declared in a class outside the scope",
            LeftAlone::Ambiguous => "several versions of the declaring class disagree about the field",
            LeftAlone::BeforeSuper => {
                "the object is not constructed yet (before super()): no other thread can see it"
            }
            LeftAlone::ClassInitialisation => {
                "class initialisation orders it before every other thread's access (JLS 12.4.2)"
            }
            LeftAlone::MethodTooLarge => "the woven method would pass the limit of 65,535 bytes",
            LeftAlone::ClassNotWeavable => "the class could not be woven",
            LeftAlone::Unshared(proof) => proof.explanation(),
        }
    }
}
