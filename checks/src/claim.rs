//! What one detector says about one variable in one method. Claims of several detectors about the same become one
//! finding ([`crate::findings`]).

use crate::facts::FieldId;
use racewire_analysis::world::MethodId;
use racewire_model::finding::{EventKind, Kind};
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Detector {
    /// Artho, Biere, Havelund: a value from one critical section is used outside it.
    BlockLocal,
    /// Burrows, Leino: a value from one critical section is used in or after a later one.
    StaleValue,
    /// von Praun, Gross: a method's critical sections do not fit those of other threads.
    MethodConsistency,
    /// Dias et al.: critical sections that depend on each other.
    Causal,
}

impl Detector {
    pub const ALL: [Detector; 4] = [
        Detector::BlockLocal,
        Detector::StaleValue,
        Detector::MethodConsistency,
        Detector::Causal,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Detector::BlockLocal => "block-local",
            Detector::StaleValue => "stale-value",
            Detector::MethodConsistency => "method-consistency",
            Detector::Causal => "causal",
        }
    }
}

impl fmt::Display for Detector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Detector {
    type Err = String;

    fn from_str(text: &str) -> Result<Detector, String> {
        let found = Detector::ALL.into_iter().find(|detector| detector.name() == text);
        found.ok_or_else(|| {
            let names = Detector::ALL.map(Detector::name).join(", ");
            format!("no such detector; there are {names}")
        })
    }
}

/// What comes of it, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// A shared variable is set to something computed from the old value: a change in between is lost.
    LostUpdate,
    /// The old value decides about a change of shared variables.
    Decision,
    /// The old value is used together with newer ones, in a later critical section.
    Mixed,
    /// The old value is used outside of critical sections: it may be meant as a snapshot.
    Snapshot,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub detector: Detector,
    pub kind: Kind,
    /// The method that is wrong, and the variable: claims about the same two are one finding.
    pub method: MethodId,
    pub field: FieldId,
    /// What happens one after the other: mostly a read and a use.
    pub steps: Vec<Step>,
    pub effect: Effect,
    /// How many critical sections were entered between the first step and the last; 0 if that means nothing.
    pub age: u8,
    /// In sentences: what happens, what may change in between, what comes of it, what to do.
    pub message: String,
}

/// One place of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub method: MethodId,
    /// 0 if not known.
    pub line: u16,
    pub kind: EventKind,
    /// In words, as [`crate::facts::Program::describe`] has them.
    pub locks: Vec<String>,
}
