//! Earlier accesses that still stand for later ones: the state in which [`super::covered`] walks the code.

use crate::facts::{Access, Cover, MemberId, OpId};

/// At most `N` numbers, in order. What does not fit makes the whole entry useless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Few<const N: usize> {
    items: [u32; N],
    count: u8,
}

impl<const N: usize> Few<N> {
    const EMPTY: Self = Self {
        items: [0; N],
        count: 0,
    };

    fn items(&self) -> &[u32] {
        self.items.get(..usize::from(self.count)).unwrap_or_default()
    }

    /// Says whether it had room.
    #[must_use]
    fn add(&mut self, item: u32) -> bool {
        let Err(at) = self.items().binary_search(&item) else {
            return true;
        };
        let count = usize::from(self.count);
        match self.items.get_mut(at..=count) {
            Some(from) => {
                from.rotate_right(1);
                if let Some(first) = from.first_mut() {
                    *first = item;
                }
                self.count += 1;
                true
            }
            None => false,
        }
    }

    #[must_use]
    fn add_all(&mut self, other: &Self) -> bool {
        *self == *other || other.items().iter().all(|item| self.add(*item))
    }
}

/// One variable, and the accesses to it of which on each path one came before, as the latest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    /// Twice the variable's, and one more for what is known of writes alone.
    key: u32,
    by: Few<4>,
    calls: Few<8>,
    elsewhere: Few<8>,
    acquires: bool,
}

impl Entry {
    fn cover(&self) -> Cover {
        Cover {
            by: self.by.items().to_vec(),
            calls: self.calls.items().to_vec(),
            elsewhere: self.elsewhere.items().to_vec(),
            acquires: self.acquires,
        }
    }

    /// Says whether it is still of use.
    fn unite(&mut self, other: &Entry) -> bool {
        self.acquires |= other.acquires;
        self.by.add_all(&other.by)
            && self.calls.add_all(&other.calls)
            && self.elsewhere.add_all(&other.elsewhere)
    }
}

/// Sorted by key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Available {
    entries: Vec<Entry>,
}

/// More variables at once are not followed: each of them costs at every call.
const MOST_ENTRIES: usize = 64;

impl Available {
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    pub fn copy_from(&mut self, other: &Available) {
        self.entries.clone_from(&other.entries);
    }

    pub fn call(&mut self, op: OpId) {
        self.entries.retain_mut(|entry| entry.calls.add(op));
    }

    /// `by`: what this access has just put there comes after it.
    pub fn elsewhere(&mut self, field: MemberId, by: Option<u32>) {
        self.entries.retain_mut(|entry| {
            by.is_some_and(|index| entry.by.items() == [index]) || entry.elsewhere.add(field)
        });
    }

    pub fn acquire(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.acquires = true);
    }

    pub fn forget(&mut self, is_forgotten: impl Fn(u32) -> bool) {
        self.entries.retain(|entry| !is_forgotten(entry.key / 2));
    }

    /// What covers this access, if anything does.
    pub fn cover(&self, variable: u32, access: &Access) -> Option<Cover> {
        let key = 2 * variable + u32::from(access.write);
        let at = self.entries.binary_search_by_key(&key, |entry| entry.key).ok()?;
        self.entries.get(at).map(Entry::cover)
    }

    /// After an access: it is what covers from now on, whether it was covered or not.
    pub fn access(&mut self, variable: u32, index: u32, write: bool) {
        let mut by = Few::EMPTY;
        let _ = by.add(index);
        for key in 2 * variable..=2 * variable + u32::from(write) {
            let new = Entry {
                key,
                by,
                calls: Few::EMPTY,
                elsewhere: Few::EMPTY,
                acquires: false,
            };
            match self.entries.binary_search_by_key(&key, |entry| entry.key) {
                Ok(at) => self.entries[at] = new,
                Err(at) if self.entries.len() < MOST_ENTRIES => self.entries.insert(at, new),
                Err(_) => {}
            }
        }
    }

    /// Another path meets this one; says whether that changed anything.
    pub fn meet(&mut self, other: &Available) -> bool {
        let mut changed = false;
        let mut theirs = other.entries.iter().peekable();
        self.entries.retain_mut(|entry| {
            while theirs.next_if(|other| other.key < entry.key).is_some() {}
            let Some(other) = theirs.next_if(|other| other.key == entry.key) else {
                changed = true;
                return false;
            };
            if *other == *entry {
                return true;
            }
            let before = *entry;
            let is_useful = entry.unite(other);
            changed |= !is_useful || *entry != before;
            is_useful
        });
        changed
    }
}
