//! Epochs: a period together with a lock set, interned, so that re-entering the same critical section gives the
//! same epoch again and "nothing changed" is one comparison in the program's heap.

use crate::ids::EpochId;
use crate::intern::{Interner, Rewritten};
use crate::lockset::LockSetId;
use crate::threads::Period;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Epoch {
    pub period: Period,
    pub held: LockSetId,
}

/// Words have room for no more epochs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than {limit} different epochs (thread, period and lock set) in one process")]
pub struct EpochsExhausted {
    pub limit: u32,
}

pub struct Epochs {
    epochs: Interner<Epoch>,
    last: EpochId,
}

impl Default for Epochs {
    fn default() -> Self {
        Epochs::with_last(EpochId::MAX)
    }
}

impl Epochs {
    /// No id beyond `last` is given out.
    pub fn with_last(last: EpochId) -> Epochs {
        // Id 0 is nobody: a simple word with it would look like Virgin.
        Epochs {
            epochs: Interner::new(1),
            last: last.min(EpochId::MAX),
        }
    }

    /// The epoch's id, and whether it is new.
    pub fn intern(&mut self, epoch: Epoch) -> Result<(EpochId, bool), EpochsExhausted> {
        match self.epochs.intern(&epoch, self.last.0) {
            Some((id, new)) => Ok((EpochId(id), new)),
            None => Err(EpochsExhausted { limit: self.last.0 }),
        }
    }

    pub fn get(&self, id: EpochId) -> Option<Epoch> {
        self.epochs.get(id.0).copied()
    }

    /// The epoch with the id that it has now.
    pub fn canonical(&self, id: EpochId) -> Option<(EpochId, Epoch)> {
        self.epochs
            .canonical(id.0)
            .map(|(id, epoch)| (EpochId(id), *epoch))
    }

    /// The epoch that `id` became when locks died.
    pub fn resolve(&self, id: EpochId) -> EpochId {
        EpochId(self.epochs.resolve(id.0))
    }

    /// Gives the epoch another lock set; it may become an alias of one that has it already.
    pub(crate) fn rewrite(&mut self, id: EpochId, epoch: Epoch) -> Rewritten {
        self.epochs.rewrite(id.0, epoch)
    }

    pub fn len(&self) -> usize {
        self.epochs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.epochs.len() == 0
    }

    pub(crate) fn bytes(&self) -> usize {
        self.epochs.bytes(|_| 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ThreadId;

    fn epoch(index: u32) -> Epoch {
        Epoch {
            period: Period {
                thread: ThreadId(0),
                index,
            },
            held: LockSetId::EMPTY,
        }
    }

    #[test]
    fn ids_start_at_one_and_the_limit_is_an_error() {
        let mut epochs = Epochs::with_last(EpochId(2));
        assert_eq!(epochs.intern(epoch(0)), Ok((EpochId(1), true)));
        assert_eq!(epochs.intern(epoch(1)), Ok((EpochId(2), true)));
        let error = epochs.intern(epoch(2)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "more than 2 different epochs (thread, period and lock set) in one process"
        );
        assert_eq!(
            epochs.intern(epoch(0)),
            Ok((EpochId(1), false)),
            "known ones are still there"
        );
        assert_eq!(Epochs::with_last(EpochId(u32::MAX)).last, EpochId::MAX);
    }
}
