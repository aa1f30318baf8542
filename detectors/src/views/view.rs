//! What was seen, and whether three of them are a torn view and its parts.

use super::{Side, Torn};
use crate::AccessKind;
use crate::event::{ObjectId, Place, Variable};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) thread: u32,
    pub(super) kind: AccessKind,
    pub(super) lock: ObjectId,
    pub(super) outer: Box<[ObjectId]>,
    /// Sorted.
    pub(super) variables: Box<[Variable]>,
}

#[derive(Debug)]
pub(super) struct View {
    pub(super) key: Key,
    /// Where each variable was first touched.
    pub(super) places: Box<[Place]>,
    pub(super) slot: u32,
    /// Sections at different times, in their order; at least one.
    pub(super) moments: Vec<Then>,
}

/// The sections in which the thread has not synchronised with others by anything but locks.
#[derive(Debug)]
pub(super) struct Then {
    pub(super) time: u32,
    pub(super) clock: Box<[u32]>,
}

impl Then {
    fn knows(&self, slot: u32, time: u32) -> bool {
        self.clock.get(slot as usize).copied().unwrap_or(0) >= time
    }
}

/// A view and two of another thread that do the other thing.
pub(super) struct Triple<'a> {
    pub(super) whole: &'a View,
    pub(super) parts: [&'a View; 2],
}

impl View {
    fn has(&self, variable: &Variable) -> bool {
        self.key.variables.binary_search(variable).is_ok()
    }

    fn first(&self) -> Option<&Then> {
        self.moments.first()
    }

    /// When it was last seen.
    fn last(&self) -> u32 {
        self.moments.last().map_or(0, |then| then.time)
    }
}

impl Triple<'_> {
    /// Each part has something of the whole that the other one has not.
    pub(super) fn is_apart(&self) -> bool {
        let [a, b] = self.parts;
        let only = |one: &View, other: &View| {
            let variables = one.key.variables.iter();
            variables.filter(|v| self.whole.has(v)).any(|v| !other.has(v))
        };
        only(a, b) && only(b, a)
    }

    /// All three lie in sections of one lock, besides their own: whether the parts are in one of them, that lock's views
    /// tell.
    pub(super) fn is_kept_together(&self) -> bool {
        let [a, b] = self.parts;
        let holds = |lock: &ObjectId| self.whole.key.lock == *lock || self.whole.key.outer.contains(lock);
        a.key
            .outer
            .iter()
            .any(|lock| b.key.outer.contains(lock) && holds(lock))
    }

    /// Whether some schedule brings a section of the whole between the first of one part and the last of the other. (If they
    /// came the other way round, the same holds of the other two: the thread knew less before, and is known less after.)
    pub(super) fn may_come_between(&self) -> bool {
        let [a, b] = self.parts;
        let is_before_the_last = |w: &Then, part: &View| !w.knows(part.slot, part.last());
        self.whole.moments.iter().any(|w| {
            self.is_behind_the_first(w, a) && is_before_the_last(w, b)
                || self.is_behind_the_first(w, b) && is_before_the_last(w, a)
        })
    }

    fn is_behind_the_first(&self, w: &Then, part: &View) -> bool {
        part.first()
            .is_some_and(|first| !first.knows(self.whole.slot, w.time))
    }

    /// `told` is the whole, told again, and the first time behind the parts: the next of those will be torn.
    pub(super) fn waits_for_parts(&self, told: &View) -> bool {
        let behind = |w: &&Then| self.parts.iter().any(|part| self.is_behind_the_first(w, part));
        std::ptr::eq(self.whole, told) && self.whole.moments.iter().filter(behind).count() == 1
    }

    pub(super) fn torn(&self) -> Torn {
        let [a, b] = self.parts;
        let of_whole = |v: &Variable| self.whole.has(v);
        let mut parts = [side(a, of_whole), side(b, of_whole)];
        parts.sort_by_key(|part| part.touches.iter().map(|(_, at)| at.site).min());
        Torn {
            kind: self.whole.key.kind,
            whole: side(self.whole, |v| a.has(v) || b.has(v)),
            parts,
        }
    }
}

fn side(view: &View, wanted: impl Fn(&Variable) -> bool) -> Side {
    let variables = view.key.variables.iter().copied();
    Side {
        thread: view.key.thread,
        lock: view.key.lock,
        touches: variables
            .zip(view.places.iter().copied())
            .filter(|(v, _)| wanted(v))
            .collect(),
    }
}
