//! The state of a variable: an immutable value that all variables with the same past share.

use crate::ids::{EpochId, SiteId};
use crate::lockset::LockSetId;
use crate::threads::Period;

/// The states of figure 9. ERASER's `ExclusiveModified` has a thread only: its period index is always 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Phase {
    #[default]
    Virgin,
    Exclusive(Period),
    ExclusiveModified(Period),
    Shared,
    SharedModified,
}

impl Phase {
    /// More than one thread has the variable.
    pub fn is_shared(self) -> bool {
        matches!(self, Phase::Shared | Phase::SharedModified)
    }
}

/// One remembered access: a place, and who was there with which locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    pub site: SiteId,
    pub epoch: EpochId,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    pub phase: Phase,
    pub candidates: LockSetId,
    /// A pair of accesses without a common lock has been named since Virgin (see `conflict`).
    pub explained: bool,
    /// The accesses since Virgin in the normal form of module `history`.
    pub history: Vec<Access>,
    /// Those before Virgin that somebody may still race with (module `handed`), in the same form.
    pub handed: Vec<Access>,
}

impl State {
    pub const VIRGIN: State = State {
        phase: Phase::Virgin,
        candidates: LockSetId::ALL,
        explained: false,
        history: Vec::new(),
        handed: Vec::new(),
    };

    /// Becomes equal to `other`, keeping its memory.
    pub fn assign(&mut self, other: &State) {
        self.phase = other.phase;
        self.candidates = other.candidates;
        self.explained = other.explained;
        self.history.clone_from(&other.history);
        self.handed.clone_from(&other.handed);
    }
}

impl Default for State {
    fn default() -> Self {
        State::VIRGIN
    }
}

/// The state before the first access.
pub static VIRGIN: State = State::VIRGIN;

/// What a machine decides about one access; the core carries it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    pub phase: Phase,
    /// Handed over, back to Virgin first: full lock set, empty history.
    pub reset: bool,
    /// The candidates are refined with the locks that protect this access.
    pub refine: bool,
    /// The access goes into the history.
    pub record: bool,
}
