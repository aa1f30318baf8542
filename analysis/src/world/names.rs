//! Names as numbers.

use crate::strings::Strings;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};
use std::sync::{Mutex, PoisonError};

/// Gives each distinct value a number, in order of appearance.
#[derive(Debug)]
pub struct Interner<T> {
    values: Vec<T>,
    index: HashTable<u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            values: Vec::new(),
            index: HashTable::new(),
        }
    }
}

impl<T: Hash + Eq> Interner<T> {
    /// The number of `value`; `make` builds what is kept, if it is new.
    pub fn intern<Q: ?Sized + Hash + Eq>(&mut self, value: &Q, make: impl FnOnce(&Q) -> T) -> u32
    where
        T: std::borrow::Borrow<Q>,
    {
        let hash = FxBuildHasher.hash_one(value);
        let values = &self.values;
        let same = |id: &u32| values.get(*id as usize).is_some_and(|v| v.borrow() == value);
        if let Some(&id) = self.index.find(hash, same) {
            return id;
        }
        let id = self.values.len() as u32;
        self.values.push(make(value));
        self.add_last(hash);
        id
    }

    /// The number of a value that is not there yet.
    fn push(&mut self, value: T) -> u32 {
        let hash = FxBuildHasher.hash_one(&value);
        self.values.push(value);
        self.add_last(hash);
        self.values.len() as u32 - 1
    }

    fn add_last(&mut self, hash: u64) {
        let values = &self.values;
        let id = values.len() as u32 - 1;
        // A value and what it is borrowed as have one hash (`Borrow`).
        let hash_of = |id: &u32| values.get(*id as usize).map_or(0, |v| FxBuildHasher.hash_one(v));
        self.index.insert_unique(hash, id, hash_of);
    }

    pub fn find<Q: ?Sized + Hash + Eq>(&self, value: &Q) -> Option<u32>
    where
        T: std::borrow::Borrow<Q>,
    {
        let hash = FxBuildHasher.hash_one(value);
        let same = |id: &u32| self.values.get(*id as usize).is_some_and(|v| v.borrow() == value);
        self.index.find(hash, same).copied()
    }

    pub fn count(&self) -> usize {
        self.values.len()
    }

    pub fn get(&self, id: u32) -> Option<&T> {
        self.values.get(id as usize)
    }
}

/// Names that many threads number at once, while classes are read: a program names most of them many times, and the
/// texts of all classes would be a large part of its facts.
#[derive(Debug)]
pub struct SharedNames {
    parts: [Mutex<Interner<Box<str>>>; PARTS],
}

/// So that threads rarely wait for each other.
const PARTS: usize = 32;

/// The strings of a class as numbers of [`SharedNames`], which depend on who came first.
pub type Numbered = Box<[u32]>;

impl Default for SharedNames {
    fn default() -> Self {
        SharedNames {
            parts: std::array::from_fn(|_| Mutex::default()),
        }
    }
}

impl SharedNames {
    pub fn number(&self, strings: &Strings) -> Numbered {
        let number = |text: &str| {
            // Not the bits that the table inside goes by.
            let part = (FxBuildHasher.hash_one(text) >> 40) as usize % PARTS;
            let mut names = self.parts[part].lock().unwrap_or_else(PoisonError::into_inner);
            names.intern(text, |name| name.into()) * PARTS as u32 + part as u32
        };
        strings.iter().map(number).collect()
    }

    /// All names, numbered in order of appearance; the strings of each class now have these numbers.
    pub(super) fn in_order(self, classes: &mut [Numbered]) -> Interner<Box<str>> {
        const NONE: u32 = u32::MAX;
        let parts = self
            .parts
            .map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner));
        let mut texts = parts.map(|part| part.values);
        let mut ordered: Vec<Vec<u32>> = texts.iter().map(|texts| vec![NONE; texts.len()]).collect();
        let mut all: Interner<Box<str>> = Interner::default();
        for number in classes.iter_mut().flatten() {
            let (part, nth) = (*number as usize % PARTS, *number as usize / PARTS);
            let known = ordered.get_mut(part).and_then(|part| part.get_mut(nth));
            let text = texts.get_mut(part).and_then(|part| part.get_mut(nth));
            if let (Some(known), Some(text)) = (known, text) {
                if *known == NONE {
                    *known = all.push(std::mem::take(text));
                }
                *number = *known;
            }
        }
        all
    }
}
