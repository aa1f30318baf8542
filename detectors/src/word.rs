//! The word: the whole state of a variable as the `long` that lives in its owner (layout in ARCHITECTURE.md,
//! "The word"). Only bits here; what an epoch or a state id means is the core's business.

use crate::ids::{EpochId, SetId, StateId};
use racewire_model::sites::MAX_ORDINAL;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Word(pub u64);

/// What a word says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decoded {
    Virgin,
    /// One epoch; bit `n` of `bits`: the field's site with ordinal `n` touched the variable in it.
    Simple {
        epoch: EpochId,
        bits: u32,
    },
    /// The same of a field with more sites than bits: those of the set touched the variable.
    Set {
        epoch: EpochId,
        set: SetId,
    },
    Interned(StateId),
}

const INTERNED: u64 = 1 << 63;
const SET: u64 = 1 << 31;
const EPOCH_SHIFT: u32 = 32;

/// The bits of a word of one epoch that hold it.
const EPOCH_MASK: u64 = (EpochId::MAX.0 as u64) << EPOCH_SHIFT;

/// What a thread compares beside a site's bit: that the word has bits, and those of this epoch.
pub const KIND_AND_EPOCH: u64 = INTERNED | EPOCH_MASK | SET;

/// The bits of a simple word that hold sites, or the number of a set of them ([`MAX_ORDINAL`] is 30).
pub const SITE_MASK: u32 = u32::MAX >> (31 - MAX_ORDINAL as u32);

impl EpochId {
    /// Epochs have 28 bits in a word.
    pub const MAX: EpochId = EpochId((1 << 28) - 1);

    /// What a thread in this epoch compares words with: the hook returns at once if
    /// `(word ^ value) & (KIND_AND_EPOCH | 1 << ordinal) == 0`.
    pub fn comparison_value(self) -> u64 {
        u64::from(self.0) << EPOCH_SHIFT | u64::from(SITE_MASK)
    }
}

impl SetId {
    pub const MAX: SetId = SetId(SITE_MASK);
}

impl Word {
    pub const VIRGIN: Word = Word(0);

    pub fn simple(epoch: EpochId, bits: u32) -> Word {
        Word(u64::from(epoch.0 & EpochId::MAX.0) << EPOCH_SHIFT | u64::from(bits & SITE_MASK))
    }

    pub fn set(epoch: EpochId, set: SetId) -> Word {
        Word(Word::simple(epoch, set.0).0 | SET)
    }

    pub fn interned(state: StateId) -> Word {
        Word(INTERNED | u64::from(state.0))
    }

    /// Flags of a result (bits 62..60) are ignored. Epoch 0 does not exist: such a word says nothing.
    pub fn decode(self) -> Decoded {
        if self.0 & INTERNED != 0 {
            return Decoded::Interned(StateId(self.0 as u32));
        }
        let epoch = EpochId(((self.0 & EPOCH_MASK) >> EPOCH_SHIFT) as u32);
        let low = self.0 as u32 & SITE_MASK;
        match (epoch, self.0 & SET) {
            (EpochId(0), _) => Decoded::Virgin,
            (epoch, 0) => Decoded::Simple { epoch, bits: low },
            (epoch, _) => Decoded::Set {
                epoch,
                set: SetId(low),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_gives_back_what_was_encoded() {
        assert_eq!(Word::VIRGIN.decode(), Decoded::Virgin);
        for epoch in [EpochId(1), EpochId(77), EpochId::MAX] {
            for bits in [1, 1 << 30, SITE_MASK] {
                assert_eq!(
                    Word::simple(epoch, bits).decode(),
                    Decoded::Simple { epoch, bits }
                );
            }
            for set in [SetId(0), SetId(5), SetId::MAX] {
                assert_eq!(Word::set(epoch, set).decode(), Decoded::Set { epoch, set });
            }
        }
        for state in [StateId(0), StateId(u32::MAX)] {
            assert_eq!(Word::interned(state).decode(), Decoded::Interned(state));
        }
    }

    #[test]
    fn the_layout_is_the_documented_one() {
        assert_eq!(Word::simple(EpochId(3), 0b101).0, 0x0000_0003_0000_0005);
        assert_eq!(Word::set(EpochId(3), SetId(5)).0, 0x0000_0003_8000_0005);
        assert_eq!(Word::interned(StateId(7)).0, 0x8000_0000_0000_0007);
        assert_eq!(KIND_AND_EPOCH, 0x8fff_ffff_8000_0000);
        assert_eq!(SITE_MASK, 0x7fff_ffff);
    }

    #[test]
    fn a_hook_returns_only_for_the_same_epoch_and_a_site_that_is_set() {
        let unchanged = |word: Word, epoch: EpochId, ordinal: u32| {
            (word.0 ^ epoch.comparison_value()) & (KIND_AND_EPOCH | 1 << ordinal) == 0
        };
        let word = Word::simple(EpochId(5), 0b10);
        assert!(unchanged(word, EpochId(5), 1));
        assert!(!unchanged(word, EpochId(5), 0));
        assert!(!unchanged(word, EpochId(4), 1));
        assert!(!unchanged(Word::set(EpochId(5), SetId(0b10)), EpochId(5), 1));
        assert!(!unchanged(Word::interned(StateId(u32::MAX)), EpochId(5), 1));
    }
}
