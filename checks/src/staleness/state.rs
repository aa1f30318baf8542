//! For each value and source at one point of the code: what may have happened since.

use super::sources::SourceId;
use crate::body::ValueId;
use std::collections::BTreeMap;

/// Older is not counted.
const OLDEST: u8 = 9;

/// What may have happened since the value was read; several may be, on different ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Age {
    /// Its critical section may still be the current one.
    pub fresh: bool,
    /// It may have been left, and no other entered.
    pub left: bool,
    /// The least number of critical sections that may have been entered since; 0: on no way any.
    pub entered: u8,
}

impl Age {
    pub const FRESH: Age = Age {
        fresh: true,
        left: false,
        entered: 0,
    };
    pub const LEFT: Age = Age {
        fresh: false,
        left: true,
        entered: 0,
    };

    pub fn is_left(self) -> bool {
        self.left || self.entered > 0
    }

    fn join(self, other: Age) -> Age {
        Age {
            fresh: self.fresh || other.fresh,
            left: self.left || other.left,
            entered: match (self.entered, other.entered) {
                (0, age) | (age, 0) => age,
                (one, two) => one.min(two),
            },
        }
    }

    pub fn leave(&mut self) {
        if std::mem::take(&mut self.fresh) {
            self.left = true;
        }
    }

    pub fn enter(&mut self) {
        let older = if self.entered > 0 {
            (self.entered + 1).min(OLDEST)
        } else {
            0
        };
        self.entered = match std::mem::take(&mut self.left) {
            true => 1,
            false => older,
        };
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    ages: BTreeMap<(ValueId, SourceId), Age>,
}

impl State {
    pub fn len(&self) -> usize {
        self.ages.len()
    }

    pub fn of(&self, value: ValueId) -> impl Iterator<Item = (SourceId, Age)> + '_ {
        self.ages
            .range((value, SourceId::MIN)..=(value, SourceId::MAX))
            .map(|((_, source), age)| (*source, *age))
    }

    pub fn set(&mut self, value: ValueId, source: SourceId, age: Age) {
        let known = self.ages.entry((value, source)).or_default();
        *known = known.join(age);
    }

    pub fn forget(&mut self, value: ValueId) {
        let keys: Vec<_> = self.of(value).map(|(source, _)| (value, source)).collect();
        for key in keys {
            self.ages.remove(&key);
        }
    }

    pub fn each(&mut self, mut change: impl FnMut(SourceId, &mut Age)) {
        for ((_, source), age) in &mut self.ages {
            change(*source, age);
        }
    }

    /// Takes in what may come from elsewhere; says whether anything is new.
    pub fn join(&mut self, other: &State) -> bool {
        let mut changed = false;
        for (key, age) in &other.ages {
            let known = self.ages.entry(*key).or_default();
            let joined = known.join(*age);
            changed |= joined != *known;
            *known = joined;
        }
        changed
    }
}
