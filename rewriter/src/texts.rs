//! Texts that many classes have in common, each of them once: names of classes and fields, descriptors.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, PoisonError};

/// For all threads that look at classes.
#[derive(Debug)]
pub struct Texts {
    parts: [Mutex<HashTable<Arc<str>>>; PARTS],
    is_shared: bool,
}

/// So that threads rarely wait for each other.
const PARTS: usize = 32;

impl Default for Texts {
    fn default() -> Self {
        Texts {
            parts: std::array::from_fn(|_| Mutex::default()),
            is_shared: true,
        }
    }
}

impl Texts {
    /// Remembers nothing: for classes of which nothing is kept.
    pub fn forgetful() -> Texts {
        Texts {
            is_shared: false,
            ..Texts::default()
        }
    }

    pub fn get(&self, text: &str) -> Arc<str> {
        if !self.is_shared {
            return text.into();
        }
        let hash = hash(text);
        // Not the bits that the table inside goes by.
        let part = &self.parts[(hash >> 40) as usize % PARTS];
        let mut known = part.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.find(hash, |known| **known == *text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        known.insert_unique(hash, new.clone(), |text| self::hash(text));
        new
    }
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

#[cfg(test)]
mod tests {
    use super::Texts;
    use std::sync::Arc;

    #[test]
    fn equal_texts_are_one() {
        let texts = Texts::default();
        let first = texts.get("java/lang/Object");
        assert!(Arc::ptr_eq(&first, &texts.get("java/lang/Object")));
        let names: Vec<String> = (0..1000).map(|n| format!("f{n}")).collect();
        for name in names.iter().chain(&names) {
            assert_eq!(&*texts.get(name), name);
        }
        assert!(!Arc::ptr_eq(&first, &texts.get("")));
    }
}
