//! What is kept of a variable: its last write, and the reads since then. While one thread reads, or several one after
//! the other, that is one entry; only reads at once need one per thread (FastTrack's adaptive representation).

use super::order::Now;
use crate::AccessKind;
use crate::event::{Mark, Place};
use crate::lockset::LockSetId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub slot: u32,
    pub time: u32,
    pub thread: u32,
    pub held: LockSetId,
    pub at: Place,
    pub mark: Mark,
}

impl Entry {
    pub fn new(thread: u32, now: &Now, at: Place, mark: Mark) -> Entry {
        Entry {
            slot: now.slot,
            time: now.time,
            thread,
            held: now.held,
            at,
            mark,
        }
    }
}

#[derive(Debug, Default)]
pub struct Shadow {
    write: Option<Entry>,
    reads: Reads,
}

#[derive(Debug, Default)]
enum Reads {
    #[default]
    None,
    One(Entry),
    /// Sorted by slot.
    Many(Vec<Entry>),
}

impl Reads {
    fn entries(&self) -> &[Entry] {
        match self {
            Reads::None => &[],
            Reads::One(entry) => std::slice::from_ref(entry),
            Reads::Many(entries) => entries,
        }
    }
}

/// Two atomic operations never race.
fn never_race(a: Mark, b: Mark) -> bool {
    a.atomic && b.atomic
}

impl Shadow {
    /// Whether the access is the last one of its thread over again: nothing new can come of it.
    pub fn repeats(&self, me: &Entry, kind: AccessKind) -> bool {
        match (kind, &self.reads) {
            (AccessKind::Write, Reads::None) => self.write.as_ref() == Some(me),
            (AccessKind::Write, _) | (_, Reads::None) => false,
            (AccessKind::Read, Reads::One(entry)) => entry == me,
            (AccessKind::Read, Reads::Many(entries)) => entries
                .binary_search_by_key(&me.slot, |e| e.slot)
                .is_ok_and(|at| entries.get(at) == Some(me)),
        }
    }

    /// The kept accesses by others that conflict with one of this kind.
    pub fn conflicting(&self, me: &Entry, kind: AccessKind) -> impl Iterator<Item = (AccessKind, Entry)> {
        let reads = match kind {
            AccessKind::Write => self.reads.entries(),
            AccessKind::Read => &[],
        };
        let write = self.write.iter().map(|e| (AccessKind::Write, *e));
        let (slot, mine) = (me.slot, me.mark);
        write
            .chain(reads.iter().map(|e| (AccessKind::Read, *e)))
            .filter(move |(_, e)| e.slot != slot && !never_race(mine, e.mark))
    }

    /// `superseded`: whether who conflicts with a read kept alone conflicts with this one as well.
    pub fn add(&mut self, me: Entry, kind: AccessKind, superseded: impl Fn(&Entry) -> bool) {
        if me.mark.passing {
            return;
        }
        if kind == AccessKind::Write {
            self.write = Some(me);
            self.reads = Reads::None;
            return;
        }
        match &mut self.reads {
            Reads::None => self.reads = Reads::One(me),
            Reads::One(entry) if entry.slot == me.slot || superseded(entry) => *entry = me,
            Reads::One(entry) => {
                let mut both = vec![*entry, me];
                both.sort_unstable_by_key(|e| e.slot);
                self.reads = Reads::Many(both);
            }
            Reads::Many(entries) => match entries.binary_search_by_key(&me.slot, |e| e.slot) {
                Ok(at) => {
                    if let Some(entry) = entries.get_mut(at) {
                        *entry = me;
                    }
                }
                Err(at) => entries.insert(at, me),
            },
        }
    }
}
