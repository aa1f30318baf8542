//! Hash-consing: equal values get one id. Ids stay valid for ever, because words in the program's heap hold
//! them; values do not. When a value changes (a lock in it died) and equals another one, its id becomes an
//! alias and its record is freed, so that a value that came and went costs the four bytes of its id.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

pub(crate) struct Interner<T> {
    /// Per id: where its record is, or [`ALIAS`] and the id it stands for, or [`VACANT`].
    slots: Vec<u32>,
    records: Vec<Record<T>>,
    /// Records without a value.
    free_records: Vec<u32>,
    /// Ids given back by [`Interner::remove`].
    free_ids: Vec<u32>,
    /// Records by the hash of their value.
    index: HashTable<u32>,
}

struct Record<T> {
    /// The id that is no alias.
    id: u32,
    value: T,
}

const ALIAS: u32 = 1 << 31;
const VACANT: u32 = u32::MAX;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Rewritten {
    /// The id has the new value.
    Kept,
    /// Another id had it already; the id is an alias of it now.
    Merged(u32),
}

fn hash_of<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<T: Hash + Eq + Clone + Default> Interner<T> {
    /// The first `reserved` ids belong to no value.
    pub fn new(reserved: usize) -> Self {
        Interner {
            slots: vec![VACANT; reserved],
            records: Vec::new(),
            free_records: Vec::new(),
            free_ids: Vec::new(),
            index: HashTable::new(),
        }
    }

    /// The id that stands for `id`.
    pub fn resolve(&self, id: u32) -> u32 {
        let mut id = id;
        // Chains are short: an alias points at a value that exists, which moves only if one of its own locks dies.
        while let Some(&slot) = self.slots.get(id as usize)
            && slot & ALIAS != 0
            && slot != VACANT
        {
            id = slot & !ALIAS;
        }
        id
    }

    pub fn get(&self, id: u32) -> Option<&T> {
        self.record_of(id).map(|record| &record.value)
    }

    /// The value with the id that is no alias.
    pub fn canonical(&self, id: u32) -> Option<(u32, &T)> {
        self.record_of(id).map(|record| (record.id, &record.value))
    }

    fn record_of(&self, id: u32) -> Option<&Record<T>> {
        let slot = *self.slots.get(id as usize)?;
        if slot & ALIAS == 0 {
            return self.records.get(slot as usize);
        }
        match self.resolve(id) {
            same if same == id => None,
            other => self.record_of(other),
        }
    }

    pub fn find<Q: Hash + Eq + ?Sized>(&self, value: &Q) -> Option<u32>
    where
        T: Borrow<Q>,
    {
        let equal = |&r: &u32| self.value_at(r).is_some_and(|v| v.borrow() == value);
        let record = self.index.find(hash_of(value), equal)?;
        self.records.get(*record as usize).map(|record| record.id)
    }

    fn value_at(&self, record: u32) -> Option<&T> {
        self.records.get(record as usize).map(|record| &record.value)
    }

    /// The id of `value`, and whether it is new; `None` if it is new and all ids up to `last` are taken.
    pub fn intern(&mut self, value: &T, last: u32) -> Option<(u32, bool)> {
        if let Some(id) = self.find(value) {
            return Some((id, false));
        }
        let id = match self.free_ids.pop() {
            Some(id) => id,
            None => {
                // Ids of 31 bits: the top bit of a slot marks aliases.
                let id = u32::try_from(self.slots.len())
                    .ok()
                    .filter(|&id| id <= last && id < ALIAS)?;
                self.slots.push(VACANT);
                id
            }
        };
        let record = Record {
            id,
            value: value.clone(),
        };
        let at = match self.free_records.pop() {
            Some(at) => {
                if let Some(place) = self.records.get_mut(at as usize) {
                    *place = record;
                }
                at
            }
            None => {
                self.records.push(record);
                self.records.len() as u32 - 1
            }
        };
        self.set_slot(id, at);
        self.add_to_index(at, hash_of(value));
        Some((id, true))
    }

    /// Gives `id` another value. If that is the value of another id already, the two become one.
    pub fn rewrite(&mut self, id: u32, value: T) -> Rewritten {
        let id = self.resolve(id);
        let Some(&at) = self.slots.get(id as usize).filter(|&&slot| slot & ALIAS == 0) else {
            return Rewritten::Kept;
        };
        self.drop_from_index(at);
        if let Some(other) = self.find(&value) {
            self.free_record(at);
            self.set_slot(id, ALIAS | other);
            return Rewritten::Merged(other);
        }
        let hash = hash_of(&value);
        if let Some(record) = self.records.get_mut(at as usize) {
            record.value = value;
        }
        self.add_to_index(at, hash);
        Rewritten::Kept
    }

    /// Frees `id` and its value; the id will be given to another value. Only for ids that nothing holds any more.
    pub fn remove(&mut self, id: u32) {
        let Some(&at) = self.slots.get(id as usize).filter(|&&slot| slot & ALIAS == 0) else {
            return;
        };
        self.drop_from_index(at);
        self.free_record(at);
        self.set_slot(id, VACANT);
        self.free_ids.push(id);
    }

    fn set_slot(&mut self, id: u32, slot: u32) {
        if let Some(place) = self.slots.get_mut(id as usize) {
            *place = slot;
        }
    }

    fn add_to_index(&mut self, at: u32, hash: u64) {
        let records = &self.records;
        self.index.insert_unique(hash, at, |&r| {
            records.get(r as usize).map_or(0, |r| hash_of(&r.value))
        });
    }

    fn drop_from_index(&mut self, at: u32) {
        let Some(hash) = self.value_at(at).map(hash_of) else {
            return;
        };
        if let Ok(entry) = self.index.find_entry(hash, |&r| r == at) {
            entry.remove();
        }
    }

    fn free_record(&mut self, at: u32) {
        if let Some(record) = self.records.get_mut(at as usize) {
            record.value = T::default();
        }
        self.free_records.push(at);
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Memory of the tables, with `heap` for what a value owns beside itself.
    pub fn bytes(&self, heap: impl Fn(&T) -> usize) -> usize {
        let words = self.slots.capacity() + self.free_records.capacity() + self.free_ids.capacity();
        words * size_of::<u32>()
            + self.records.capacity() * size_of::<Record<T>>()
            // A slot and a control byte.
            + self.index.capacity() * 8 / 7 * (size_of::<u32>() + 1)
            + self.records.iter().map(|r| heap(&r.value)).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_one_id_and_reserved_ids_have_none() {
        let mut names = Interner::<String>::new(1);
        assert_eq!(names.intern(&"a".into(), 9), Some((1, true)));
        assert_eq!(names.intern(&"b".into(), 9), Some((2, true)));
        assert_eq!(names.intern(&"a".into(), 9), Some((1, false)));
        assert_eq!(names.get(0), None);
        assert_eq!(names.get(99), None);
    }

    #[test]
    fn ids_stop_at_the_limit() {
        let mut numbers = Interner::<u64>::new(1);
        assert_eq!(numbers.intern(&10, 2), Some((1, true)));
        assert_eq!(numbers.intern(&11, 2), Some((2, true)));
        assert_eq!(numbers.intern(&12, 2), None);
        assert_eq!(numbers.intern(&11, 2), Some((2, false)));
    }

    #[test]
    fn a_value_that_becomes_equal_to_another_is_an_alias_through_any_number_of_steps() {
        let mut numbers = Interner::<u64>::new(0);
        for n in 0..4 {
            numbers.intern(&n, 99);
        }
        assert_eq!(numbers.rewrite(3, 2), Rewritten::Merged(2));
        assert_eq!(numbers.rewrite(2, 1), Rewritten::Merged(1));
        assert_eq!(numbers.rewrite(1, 50), Rewritten::Kept);
        assert_eq!(numbers.resolve(3), 1);
        assert_eq!(numbers.get(3), Some(&50));
        assert_eq!(
            (numbers.find(&2), numbers.find(&1), numbers.find(&50)),
            (None, None, Some(1))
        );
        assert_eq!(numbers.len(), 2);
    }

    #[test]
    fn rewriting_to_the_same_value_changes_nothing() {
        let mut numbers = Interner::<u64>::new(0);
        numbers.intern(&7, 99);
        assert_eq!(numbers.rewrite(0, 7), Rewritten::Kept);
        assert_eq!(numbers.find(&7), Some(0));
    }

    #[test]
    fn a_removed_id_and_its_record_are_used_again() {
        let mut numbers = Interner::<u64>::new(0);
        numbers.intern(&7, 99);
        numbers.remove(0);
        assert_eq!((numbers.get(0), numbers.find(&7), numbers.len()), (None, None, 0));
        assert_eq!(numbers.intern(&8, 99), Some((0, true)));
        assert_eq!(numbers.records.len(), 1);
    }
}
