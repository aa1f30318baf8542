//! Constants to be found by their contents: chains of constants that have the same hash. Every class that is woven has
//! many of its constants put in and few of them asked for, so putting in is a store or two; hashes are cheap, and
//! whoever asks compares.

#[derive(Debug, Clone, Default)]
pub struct ConstantIndex {
    /// By hash: the constant put in last, or 0, which no constant has. A power of two of them; or none at all.
    heads: Vec<u16>,
    /// By index: the constant put in before that one, with a hash of the same head.
    next: Vec<u16>,
}

impl ConstantIndex {
    /// Forgets all constants, and makes chains that stay short for about `constants`, whose indices are mostly below
    /// `indices`.
    pub fn restart(&mut self, constants: usize, indices: usize) {
        self.heads.clear();
        self.heads.resize(constants.next_power_of_two(), 0);
        // What stands there is in no chain, and overwritten when it comes into one.
        if self.next.len() < indices {
            self.next.resize(indices, 0);
        }
    }

    /// Puts in a constant, whether there is an equal one or not.
    #[inline]
    pub fn insert(&mut self, hash: u16, index: u16) {
        let mask = self.heads.len().wrapping_sub(1);
        let Some(head) = self.heads.get_mut(usize::from(hash) & mask) else {
            return;
        };
        let place = usize::from(index);
        if place >= self.next.len() {
            self.next.resize(place + 1, 0);
        }
        if let Some(next) = self.next.get_mut(place) {
            *next = std::mem::replace(head, index);
        }
    }

    /// The last that was put in with this hash and `is_it`.
    #[inline]
    pub fn find(&self, hash: u16, is_it: impl Fn(u16) -> bool) -> Option<u16> {
        let mask = self.heads.len().wrapping_sub(1);
        let mut index = self.heads.get(usize::from(hash) & mask).copied().unwrap_or(0);
        while index != 0 {
            if is_it(index) {
                return Some(index);
            }
            index = self.next.get(usize::from(index)).copied().unwrap_or(0);
        }
        None
    }
}

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The upper part of the product, which all bits have had a part in.
#[inline]
fn fold(word: u64) -> u16 {
    (word.wrapping_mul(ODD) >> 48) as u16
}

/// The hash of a text of which only the length and the last bytes count: names differ there.
#[inline]
fn hash_of_ending(length: usize, ending: u64) -> u16 {
    fold(ending ^ (length as u64).wrapping_mul(ODD.rotate_left(32)))
}

/// The hash of a text that ends at `end` in `bytes`: as [`text_hash`], but with what stands before it at hand no branch
/// depends on its length.
#[inline]
pub fn text_hash_in(bytes: &[u8], end: usize, length: usize) -> u16 {
    let word = bytes.get(..end).and_then(|before| before.last_chunk::<8>());
    let word = word.map_or(0, |word| u64::from_le_bytes(*word));
    let foreign = 64 - 8 * length.min(8) as u32;
    hash_of_ending(length, word.checked_shr(foreign).unwrap_or(0))
}

pub fn text_hash(text: &[u8]) -> u16 {
    let ending = match text.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => text
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    hash_of_ending(text.len(), ending)
}

/// The hash of a constant that is no text, from its tag on: at most nine bytes.
#[inline]
pub fn other_hash(raw: &[u8]) -> u16 {
    match raw {
        [tag, a, b, c, d] => hash_of_operands(*tag, u32::from_be_bytes([*a, *b, *c, *d])),
        [tag, a, b] => hash_of_operands(*tag, u32::from_be_bytes([0, 0, *a, *b])),
        _ => text_hash(raw),
    }
}

#[inline]
fn hash_of_operands(tag: u8, operands: u32) -> u16 {
    fold(u64::from(tag) << 32 | u64::from(operands))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_constants_the_last_put_in_is_found_however_long_the_chains() {
        // Two thousand hashes, three constants to each, in chains for a hundred.
        let hash = |nth: u16| nth % 2000 / 2 * 2;
        let mut table = ConstantIndex::default();
        table.restart(1, 1);
        for index in (1..=9000).rev() {
            table.insert(index, index);
        }
        // Nothing of what was before is found.
        table.restart(100, 100);
        for index in 1..=6000 {
            table.insert(hash(index), index);
        }
        for wanted in 1..=6000 {
            assert_eq!(table.find(hash(wanted), |found| found == wanted), Some(wanted));
            let same = |nth: &u16| hash(*nth) == hash(wanted);
            let last = (1..=6000).rev().find(same);
            assert_eq!(table.find(hash(wanted), |found| same(&found)), last);
        }
        assert_eq!(table.find(1, |found| found > 6000), None);
        assert_eq!(ConstantIndex::default().find(1, |_| true), None);
    }

    #[test]
    fn the_length_and_each_of_the_last_bytes_count() {
        for length in 0..40 {
            let text: Vec<u8> = (0..length).collect();
            for at in text.len().saturating_sub(8)..text.len() {
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

    #[test]
    fn a_text_has_the_same_hash_wherever_it_stands() {
        let bytes: Vec<u8> = (100..200).collect();
        for length in 0..40 {
            let end = 10 + length;
            assert_eq!(text_hash_in(&bytes, end, length), text_hash(&bytes[10..end]));
        }
    }
}
