//! Names as numbers.

use super::NameId;
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

impl<T: Hash + Eq + Copy> Interner<T> {
    pub fn with_room(values: usize) -> Interner<T> {
        Interner {
            values: Vec::with_capacity(values),
            index: HashTable::new(),
        }
    }

    pub fn intern(&mut self, value: T) -> u32 {
        if let Some(id) = self.find(value) {
            return id;
        }
        let id = self.values.len() as u32;
        self.values.push(value);
        let values = &self.values;
        let hash_of = |id: &u32| values.get(*id as usize).map_or(0, hash);
        self.index.insert_unique(hash(&value), id, hash_of);
        id
    }

    pub fn find(&self, value: T) -> Option<u32> {
        let same = |id: &u32| self.values.get(*id as usize) == Some(&value);
        self.index.find(hash(&value), same).copied()
    }

    pub fn get(&self, id: u32) -> Option<&T> {
        self.values.get(id as usize)
    }

    /// In the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.values.iter()
    }
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// Some of all names, in one piece: there are hundreds of thousands.
#[derive(Debug)]
struct Part {
    texts: Strings,
    index: HashTable<u32>,
}

/// So many bytes of names a part of a program with fifty thousand classes has. Room that is never used takes no memory;
/// what has to grow is there twice for a while.
const PART_ROOM: usize = 1 << 20;

impl Default for Part {
    fn default() -> Self {
        Part {
            texts: Strings::with_room(PART_ROOM),
            index: HashTable::new(),
        }
    }
}

impl Part {
    fn find(&self, text: &str, hash: u64) -> Option<u32> {
        let same = |nth: &u32| self.texts.get(*nth as usize) == Some(text);
        self.index.find(hash, same).copied()
    }

    fn push(&mut self, text: &str, hash: u64) -> u32 {
        let nth = self.texts.len() as u32;
        self.texts.push(text);
        let texts = &self.texts;
        let hash_of = |nth: &u32| texts.get(*nth as usize).map_or(0, self::hash);
        self.index.insert_unique(hash, nth, hash_of);
        nth
    }
}

/// Names that many threads number at once, while classes are read: a program names most of them many times, and the
/// texts of all classes would be a large part of its facts.
#[derive(Debug)]
pub struct SharedNames {
    parts: [Mutex<Part>; PARTS],
}

/// So that threads rarely wait for each other.
const PARTS: usize = 32;

/// Not by the bits that the table inside goes by.
fn part_of(hash: u64) -> usize {
    (hash >> 40) as usize % PARTS
}

impl Default for SharedNames {
    fn default() -> Self {
        SharedNames {
            parts: std::array::from_fn(|_| Mutex::default()),
        }
    }
}

impl SharedNames {
    /// The number depends on who came first.
    pub fn number(&self, text: &str) -> u32 {
        let hash = hash(text);
        let part = part_of(hash);
        let mut names = self.parts[part].lock().unwrap_or_else(PoisonError::into_inner);
        let nth = names.find(text, hash);
        nth.unwrap_or_else(|| names.push(text, hash)) * PARTS as u32 + part as u32
    }

    /// All names, numbered in order of appearance: what had the old numbers now has these.
    pub(super) fn in_order<'c>(self, numbers: impl Iterator<Item = &'c mut u32>) -> OrderedNames {
        let parts = self
            .parts
            .map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner));
        let ids = parts.each_ref().map(|part| vec![NONE; part.texts.len()]);
        let mut ordered = OrderedNames {
            places: Vec::with_capacity(parts.iter().map(|part| part.texts.len()).sum()),
            parts,
            ids,
        };
        for number in numbers {
            *number = ordered.number(*number);
        }
        ordered
    }
}

/// No number yet.
const NONE: NameId = NameId::MAX;

/// Names with numbers that depend on nothing but the classes. The texts stay where they are.
#[derive(Debug)]
pub(super) struct OrderedNames {
    parts: [Part; PARTS],
    /// By part and place in it.
    ids: [Vec<NameId>; PARTS],
    /// By number: the place, as [`SharedNames`] has it.
    places: Vec<u32>,
}

impl OrderedNames {
    /// The number of the name at that place, from now on.
    fn number(&mut self, place: u32) -> NameId {
        let next = self.places.len() as NameId;
        let ids = &mut self.ids[place as usize % PARTS];
        match ids.get_mut(place as usize / PARTS) {
            Some(id) if *id == NONE => {
                *id = next;
                self.places.push(place);
                next
            }
            known => known.copied().unwrap_or_default(),
        }
    }

    pub fn intern(&mut self, text: &str) -> NameId {
        let hash = hash(text);
        let part = part_of(hash);
        let nth = self.parts[part].find(text, hash).unwrap_or_else(|| {
            self.ids[part].push(NONE);
            self.parts[part].push(text, hash)
        });
        self.number(nth * PARTS as u32 + part as u32)
    }

    pub fn find(&self, text: &str) -> Option<NameId> {
        let hash = hash(text);
        let part = part_of(hash);
        let nth = self.parts[part].find(text, hash)?;
        self.ids[part].get(nth as usize).copied().filter(|id| *id != NONE)
    }

    pub fn count(&self) -> usize {
        self.places.len()
    }

    pub fn get(&self, id: NameId) -> Option<&str> {
        let place = *self.places.get(id as usize)? as usize;
        self.parts[place % PARTS].texts.get(place / PARTS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_numbers_in_the_order_of_the_classes() {
        let shared = SharedNames::default();
        let texts: Vec<String> = (0..200).map(|n| format!("n{n}")).collect();
        let number =
            |texts: &[String]| -> Vec<u32> { texts.iter().map(|text| shared.number(text)).collect() };
        // The last ones came first.
        let late = number(&texts[100..]);
        let mut classes = [number(&texts[..150]), late];
        let mut names = shared.in_order(classes.iter_mut().flatten());
        assert_eq!(names.count(), 200);
        let expected: Vec<u32> = (0..200).collect();
        assert_eq!((&*classes[0], &*classes[1]), (&expected[..150], &expected[100..]));
        for (id, text) in (0..).zip(&texts) {
            assert_eq!((names.get(id), names.find(text)), (Some(text.as_str()), Some(id)));
        }
        assert_eq!(names.find("new"), None);
        assert_eq!((names.intern("new"), names.intern("n7")), (200, 7));
        assert_eq!((names.get(200), names.get(201)), (Some("new"), None));
    }
}
