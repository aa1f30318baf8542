//! Names as numbers.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

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
        let values = &self.values;
        self.index.insert_unique(hash, id, |id| {
            values
                .get(*id as usize)
                .map_or(0, |v| FxBuildHasher.hash_one(v.borrow()))
        });
        id
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
