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

#[derive(Debug)]
struct Known {
    method: [Box<str>; 3],
    /// Its number.
    model: Option<usize>,
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
            return known.model;
        }
        let model = find();
        let mut known = lock();
        // Somebody else may have asked meanwhile.
        if known.find(hash, is_it).is_none() {
            let method = method.map(Box::from);
            let hash_of = |known: &Known| FxBuildHasher.hash_one(known.names());
            known.insert_unique(hash, Known { method, model }, hash_of);
        }
        model
    }
}

impl Known {
    fn names(&self) -> Method<'_> {
        self.method.each_ref().map(|name| &**name)
    }
}
