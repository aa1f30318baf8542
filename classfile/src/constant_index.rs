//! Constants to be found by their contents: a table with open addressing that only grows. Every class that is woven
//! has all its constants put in, so this is made for putting in; of equal ones the first is found first.

/// One that is not in use has index 0, which no constant has.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    hash: u32,
    index: u16,
}

#[derive(Debug, Clone, Default)]
pub struct ConstantIndex {
    /// A power of two, more than half of them free; or none at all.
    slots: Vec<Slot>,
    used: usize,
}

impl ConstantIndex {
    /// Makes room for that many more.
    pub fn reserve(&mut self, more: usize) {
        let wanted = (2 * (self.used + more) + 1).next_power_of_two();
        if wanted > self.slots.len() {
            let old = std::mem::replace(&mut self.slots, vec![Slot::default(); wanted]);
            // Round from a free one on, so that of equal ones the first stays the first.
            let begin = old.iter().position(|slot| slot.index == 0).unwrap_or(0);
            let (head, tail) = old.split_at(begin);
            for slot in tail.iter().chain(head).filter(|slot| slot.index != 0) {
                self.put(*slot);
            }
        }
    }

    fn put(&mut self, new: Slot) {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = new.hash as usize & mask;
        while let Some(slot) = self.slots.get_mut(at) {
            if slot.index == 0 {
                *slot = new;
                return;
            }
            at = (at + 1) & mask;
        }
    }

    /// Puts in a constant, whether there is an equal one or not.
    pub fn insert(&mut self, hash: u32, index: u16) {
        if 2 * self.used >= self.slots.len() {
            self.reserve(self.used + 16);
        }
        self.put(Slot { hash, index });
        self.used += 1;
    }

    /// The first that was put in with this hash and `is_it`.
    pub fn find(&self, hash: u32, is_it: impl Fn(u16) -> bool) -> Option<u16> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while let Some(slot) = self.slots.get(at).filter(|slot| slot.index != 0) {
            if slot.hash == hash && is_it(slot.index) {
                return Some(slot.index);
            }
            at = (at + 1) & mask;
        }
        None
    }
}

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(ODD)
}

/// The upper half, which all bits have had a part in.
fn fold(hash: u64) -> u32 {
    (hash >> 32) as u32
}

pub fn text_hash(text: &[u8]) -> u32 {
    let mut hash = text.len() as u64;
    if let Some(last) = text.last_chunk::<8>() {
        let (words, _) = text.as_chunks::<8>();
        for word in words {
            hash = mix(hash, u64::from_le_bytes(*word));
        }
        // Overlaps the one before, which saves going byte by byte.
        return fold(mix(hash, u64::from_le_bytes(*last)));
    }
    let mut word = 0;
    for byte in text {
        word = word << 8 | u64::from(*byte);
    }
    fold(mix(hash, word))
}

/// The hash of a constant that is no text, from its tag on: at most nine bytes.
pub fn other_hash(raw: &[u8]) -> u32 {
    match raw {
        [tag, a, b, c, d] => hash_of_operands(*tag, u32::from_be_bytes([*a, *b, *c, *d])),
        [tag, a, b] => hash_of_operands(*tag, u32::from_be_bytes([0, 0, *a, *b])),
        _ => text_hash(raw),
    }
}

fn hash_of_operands(tag: u8, operands: u32) -> u32 {
    fold(mix(0, u64::from(tag) << 32 | u64::from(operands)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_constants_the_first_is_found_however_the_table_grows() {
        // Two thousand hashes, three constants to each, many of them next to each other and round the end.
        let hash = |nth: u16| u32::MAX - u32::from(nth % 2000) / 2 * 2;
        let mut table = ConstantIndex::default();
        for index in 1..=6000 {
            table.insert(hash(index), index);
        }
        for wanted in 1..=6000 {
            assert_eq!(table.find(hash(wanted), |found| found == wanted), Some(wanted));
            let first = (1..=6000).find(|nth| hash(*nth) == hash(wanted));
            assert_eq!(table.find(hash(wanted), |_| true), first);
        }
        assert_eq!(table.find(1, |_| true), None);
        assert_eq!(ConstantIndex::default().find(1, |_| true), None);
    }

    #[test]
    fn every_byte_and_the_length_count() {
        for length in 0..40 {
            let text: Vec<u8> = (0..length).collect();
            for at in 0..text.len() {
                let mut other = text.clone();
                other[at] ^= 1;
                assert_ne!(text_hash(&text), text_hash(&other));
            }
            assert_ne!(
                text_hash(&[0; 64][..usize::from(length)]),
                text_hash(&[0; 64][..usize::from(length) + 1])
            );
        }
    }
}
