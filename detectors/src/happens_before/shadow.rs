//! What is kept of a variable: its last write, and the reads since then. While one thread reads, or several one after
//! the other, that is one entry; only reads at once need one per thread (FastTrack's adaptive representation).

use super::order::Now;
use crate::AccessKind;
use crate::event::{Mark, Place};
use crate::hybrid::Behind;
use crate::lockset::LockSetId;

#[derive(Debug, Clone)]
pub struct Entry {
    pub slot: u32,
    pub time: u32,
    pub thread: u32,
    pub held: LockSetId,
    pub at: Place,
    pub mark: Mark,
    /// For [`crate::hybrid`].
    pub behind: Behind,
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
            behind: None,
        }
    }

    /// Whether the thread does the same over again.
    fn repeats(&self, earlier: &Entry) -> bool {
        self.is_as_of(earlier)
            && (self.thread, self.at, self.mark) == (earlier.thread, earlier.at, earlier.mark)
    }

    /// Whether the thread has given back and taken nothing since.
    fn is_as_of(&self, earlier: &Entry) -> bool {
        (self.slot, self.time, self.held) == (earlier.slot, earlier.time, earlier.held)
    }

    /// In place of that one, for which it has to stand.
    fn instead_of(mut self, earlier: &Entry) -> Entry {
        if self.is_as_of(earlier) {
            self.behind = earlier.behind.clone();
        }
        self
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
            (AccessKind::Write, Reads::None) => self.write.as_ref().is_some_and(|entry| me.repeats(entry)),
            (AccessKind::Write, _) | (_, Reads::None) => false,
            (AccessKind::Read, Reads::One(entry)) => me.repeats(entry),
            (AccessKind::Read, Reads::Many(entries)) => entries
                .binary_search_by_key(&me.slot, |e| e.slot)
                .is_ok_and(|at| entries.get(at).is_some_and(|entry| me.repeats(entry))),
        }
    }

    /// The kept accesses by others that conflict with one of this kind.
    pub fn conflicting(&self, me: &Entry, kind: AccessKind) -> impl Iterator<Item = (AccessKind, Entry)> {
        let reads = match kind {
            AccessKind::Write => self.reads.entries(),
            AccessKind::Read => &[],
        };
        let write = self.write.iter().map(|e| (AccessKind::Write, e.clone()));
        let (slot, mine) = (me.slot, me.mark);
        write
            .chain(reads.iter().map(|e| (AccessKind::Read, e.clone())))
            .filter(move |(_, e)| e.slot != slot && !never_race(mine, e.mark))
    }

    pub fn written(&self) -> Option<&Entry> {
        self.write.as_ref()
    }

    /// `superseded`: whether who conflicts with a read kept alone conflicts with this one as well.
    pub fn add(&mut self, me: Entry, kind: AccessKind, superseded: impl Fn(&Entry) -> bool) {
        if me.mark.passing {
            return;
        }
        if kind == AccessKind::Write {
            self.write = Some(match &self.write {
                Some(earlier) => me.instead_of(earlier),
                None => me,
            });
            self.reads = Reads::None;
            return;
        }
        match &mut self.reads {
            Reads::None => self.reads = Reads::One(me),
            Reads::One(entry) if entry.slot == me.slot || superseded(entry) => *entry = me.instead_of(entry),
            Reads::One(entry) => {
                let mut both = vec![entry.clone(), me];
                both.sort_unstable_by_key(|e| e.slot);
                self.reads = Reads::Many(both);
            }
            Reads::Many(entries) => match entries.binary_search_by_key(&me.slot, |e| e.slot) {
                Ok(at) => {
                    if let Some(entry) = entries.get_mut(at) {
                        *entry = me.instead_of(entry);
                    }
                }
                Err(at) => entries.insert(at, me),
            },
        }
    }
}
