//! The locks of an access as the Java side keeps them with the variable: the layout of `racewire.rt.LockSets`.

use racewire_detectors::{EpochId, Held, LockId};

const EPOCH: u32 = 1 << 31;
const KNOWN: u32 = 1 << 30;
const OWNER: u32 = 1 << 29;
const OWNER_SHARED: u32 = 1 << 28;
const OTHER_SHARED: u32 = 1 << 27;
const OTHER: u32 = OTHER_SHARED - 1;

#[derive(Debug, PartialEq, Eq)]
pub enum Locks {
    Unknown,
    Of(EpochId),
    Few(Vec<Held>),
}

impl Locks {
    pub fn decode(code: u32) -> Locks {
        if code & EPOCH != 0 {
            return Locks::Of(EpochId(code & !EPOCH));
        }
        if code & KNOWN == 0 {
            return Locks::Unknown;
        }
        let mut held = Vec::new();
        let mut add = |lock, shared| held.push(Held { lock, shared });
        if code & (OWNER | OWNER_SHARED) != 0 {
            add(LockId::OWNER, code & OWNER == 0);
        }
        if code & OTHER != 0 {
            add(LockId(code & OTHER), code & OTHER_SHARED != 0);
        }
        Locks::Few(held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_locks_are_in_the_code_itself() {
        let held = |lock, shared| Held { lock, shared };
        assert_eq!(Locks::decode(0), Locks::Unknown);
        assert_eq!(Locks::decode(KNOWN), Locks::Few(Vec::new()));
        assert_eq!(Locks::decode(EPOCH | 7), Locks::Of(EpochId(7)));
        let both = KNOWN | OWNER | OWNER_SHARED | OTHER_SHARED | 9;
        assert_eq!(
            Locks::decode(both),
            Locks::Few(vec![held(LockId::OWNER, false), held(LockId(9), true)])
        );
    }
}
