//! Which model a method has, asked once for all classes that call it.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

/// For all threads that weave.
#[derive(Debug)]
pub struct KnownModels {
    parts: [Mutex<HashTable<Known>>; PARTS],
}

/// So that threads rarely wait for each other.
const PARTS: usize = 16;

/// A method as calls name it: owner, name and descriptor.
type Method<'n> = [&'n str; 3];

/// In one piece: a large program calls a hundred thousand.
#[derive(Debug)]
struct Known {
    /// Owner, name and descriptor.
    method: Box<str>,
    /// Where the first two end.
    ends: [u32; 2],
    /// Its number.
    model: Option<u32>,
}

impl Default for KnownModels {
    fn default() -> Self {
        KnownModels {
            parts: std::array::from_fn(|_| Mutex::default()),
        }
    }
}

impl KnownModels {
    /// The number of the method's model; `find` looks for it.
    pub fn get(&self, method: Method<'_>, find: impl FnOnce() -> Option<usize>) -> Option<usize> {
        let hash = FxBuildHasher.hash_one(method);
        // Not the bits that the table inside goes by.
        let part = &self.parts[(hash >> 40) as usize % PARTS];
        let lock = || part.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |known: &Known| known.names() == method;
        if let Some(known) = lock().find(hash, is_it) {
            return known.model.map(|model| model as usize);
        }
        let model = find();
        let mut known = lock();
        // Somebody else may have asked meanwhile.
        if known.find(hash, is_it).is_none() {
            let [owner, name, _] = method.map(|part| part.len() as u32);
            let new = Known {
                method: method.concat().into(),
                ends: [owner, owner + name],
                model: model.map(|model| model as u32),
            };
            let hash_of = |known: &Known| FxBuildHasher.hash_one(known.names());
            known.insert_unique(hash, new, hash_of);
        }
        model
    }
}

impl Known {
    fn names(&self) -> Method<'_> {
        let [owner, name] = self.ends.map(|end| end as usize);
        let part = |range| self.method.get(range).unwrap_or_default();
        [part(0..owner), part(owner..name), part(name..self.method.len())]
    }
}
