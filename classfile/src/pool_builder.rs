//! New constants for a class: append-only over its pool, so old indices stay valid and no `ldc` widens.
//! A constant that is already there is reused.
//!
//! Finding it takes an index over the old pool, which is only built as far as it is needed: its texts with the first
//! text that is asked for; the constants of another kind when one is asked for that has old parts only, for one with a
//! new part cannot be there.

use super::constant_index::{ConstantIndex, other_hash, text_hash};
use super::mutf8::encode_cow;
use super::{ClassError, Pool, tag};

/// `constant_pool_count` is a `u2` and counts slot 0: the highest index is 65534.
const MAX_COUNT: usize = 65535;

/// How many constants a class usually gets.
const ROOM_FOR_NEW: usize = 128;

#[derive(Debug, Clone)]
pub struct PoolBuilder<'c, 'a> {
    constants: Constants<'c, 'a>,
    /// Indices of Utf8 constants, by contents; none before the first is asked for.
    texts: ConstantIndex,
    /// Indices of all other constants, by tag and contents.
    others: ConstantIndex,
    /// The tags whose old constants are in either, as bits, and [`OTHERS`].
    indexed_tags: u32,
}

/// What the pool of one class leaves to that of the next, so that memory need not grow again.
#[derive(Debug, Default)]
pub(super) struct PoolMemory {
    texts: ConstantIndex,
    others: ConstantIndex,
    added: Vec<u8>,
    offsets: Vec<u32>,
}

/// Old and new constants by index.
#[derive(Debug, Clone)]
struct Constants<'c, 'a> {
    pool: &'c Pool<'a>,
    added: Vec<u8>,
    /// Where each new constant stands in `added`, by index less the old count.
    offsets: Vec<u32>,
}

impl Constants<'_, '_> {
    #[inline]
    fn len(&self) -> usize {
        self.pool.len() + self.offsets.len()
    }

    #[inline]
    fn is_old(&self, index: u16) -> bool {
        usize::from(index) < self.pool.len()
    }

    /// A constant from its tag on; of a new one, all that follows it too.
    #[inline]
    fn from(&self, index: u16) -> &[u8] {
        match usize::from(index).checked_sub(self.pool.len()) {
            None => self.pool.raw(index),
            Some(nth) => self
                .offsets
                .get(nth)
                .and_then(|at| self.added.get(*at as usize..)),
        }
        .unwrap_or_default()
    }

    /// The contents of a Utf8 constant.
    #[inline]
    fn text(&self, index: u16) -> Option<&[u8]> {
        match self.from(index).split_first_chunk::<3>() {
            Some(([tag::UTF8, high, low], rest)) => {
                rest.get(..usize::from(u16::from_be_bytes([*high, *low])))
            }
            _ => None,
        }
    }

    /// Gives the next index, or two, to what `write` writes.
    fn add(&mut self, slots: usize, write: impl FnOnce(&mut Vec<u8>)) -> Result<u16, ClassError> {
        let index = self.len();
        if index + slots > MAX_COUNT {
            return Err(ClassError::PoolFull);
        }
        if self.offsets.is_empty() {
            self.offsets.reserve(ROOM_FOR_NEW);
            self.added.reserve(4096);
        }
        let at = self.added.len() as u32;
        self.offsets.extend(std::iter::repeat_n(at, slots));
        write(&mut self.added);
        Ok(index as u16)
    }
}

/// Makes an index for about half of the constants.
fn begin(index: &mut ConstantIndex, pool: &Pool<'_>) {
    index.restart(pool.len() / 2 + ROOM_FOR_NEW, pool.len() + ROOM_FOR_NEW);
}

const TEXTS: u32 = 1 << tag::UTF8;
/// No tag: `others` has been begun.
const OTHERS: u32 = 1;

impl<'c, 'a> PoolBuilder<'c, 'a> {
    pub fn new(pool: &'c Pool<'a>) -> Self {
        Self::with(PoolMemory::default(), pool)
    }

    pub(super) fn with(memory: PoolMemory, pool: &'c Pool<'a>) -> Self {
        let PoolMemory {
            texts,
            others,
            mut added,
            mut offsets,
        } = memory;
        added.clear();
        offsets.clear();
        Self {
            constants: Constants { pool, added, offsets },
            texts,
            others,
            indexed_tags: 0,
        }
    }

    pub(super) fn into_memory(self) -> PoolMemory {
        PoolMemory {
            texts: self.texts,
            others: self.others,
            added: self.constants.added,
            offsets: self.constants.offsets,
        }
    }

    /// Whether any constant was added.
    pub fn is_empty(&self) -> bool {
        self.constants.added.is_empty()
    }

    /// The `constant_pool_count` with the new constants.
    pub fn len(&self) -> usize {
        self.constants.len()
    }

    /// The new constants, as they follow the old ones in the class.
    pub(super) fn added(&self) -> &[u8] {
        &self.constants.added
    }

    /// The contents of a Utf8 constant, old or new.
    pub(super) fn utf8_at(&self, index: u16) -> Result<&[u8], ClassError> {
        self.constants.text(index).ok_or(ClassError::BadConstant {
            index,
            reason: "is not a Utf8 constant",
        })
    }

    /// A constant other than a text. `may_be_old`: it names no new constant.
    fn other(&mut self, raw: &[u8], may_be_old: bool) -> Result<u16, ClassError> {
        let constants = &mut self.constants;
        let pool = constants.pool;
        let others = &mut self.others;
        if self.indexed_tags & OTHERS == 0 {
            self.indexed_tags |= OTHERS;
            begin(others, pool);
        }
        let tag = raw.first().copied().unwrap_or(0);
        let tag_bit = 1 << (tag & 31);
        if may_be_old && self.indexed_tags & tag_bit == 0 {
            self.indexed_tags |= tag_bit;
            pool.each_of(tag, |index, raw| others.insert(other_hash(raw), index));
        }
        let hash = other_hash(raw);
        if let Some(found) = others.find(hash, |index| constants.from(index).starts_with(raw)) {
            return Ok(found);
        }
        let is_wide = matches!(tag, tag::LONG | tag::DOUBLE);
        let index = constants.add(1 + usize::from(is_wide), |added| added.extend_from_slice(raw))?;
        others.insert(hash, index);
        Ok(index)
    }

    #[inline]
    fn one(&mut self, tag: u8, index: u16) -> Result<u16, ClassError> {
        let [high, low] = index.to_be_bytes();
        let may_be_old = self.constants.is_old(index);
        self.other(&[tag, high, low], may_be_old)
    }

    #[inline]
    fn two(&mut self, tag: u8, first: u16, second: u16) -> Result<u16, ClassError> {
        let ([a, b], [c, d]) = (first.to_be_bytes(), second.to_be_bytes());
        let may_be_old = self.constants.is_old(second)
            // The first part of a dynamic constant is no constant.
            && (matches!(tag, tag::INVOKE_DYNAMIC | tag::DYNAMIC) || self.constants.is_old(first));
        self.other(&[tag, a, b, c, d], may_be_old)
    }

    pub fn utf8(&mut self, text: &str) -> Result<u16, ClassError> {
        self.utf8_bytes(&encode_cow(text))
    }

    /// A Utf8 constant from bytes that are modified UTF-8 already.
    pub fn utf8_bytes(&mut self, bytes: &[u8]) -> Result<u16, ClassError> {
        let length =
            u16::try_from(bytes.len()).map_err(|_| ClassError::StringTooLong { length: bytes.len() })?;
        let constants = &mut self.constants;
        let texts = &mut self.texts;
        if self.indexed_tags & TEXTS == 0 {
            self.indexed_tags |= TEXTS;
            begin(texts, constants.pool);
            constants
                .pool
                .each_text_hash(|index, hash| texts.insert(hash, index));
        }
        let hash = text_hash(bytes);
        if let Some(found) = texts.find(hash, |index| constants.text(index) == Some(bytes)) {
            return Ok(found);
        }
        let [high, low] = length.to_be_bytes();
        let index = constants.add(1, |added| {
            added.extend_from_slice(&[tag::UTF8, high, low]);
            added.extend_from_slice(bytes);
        })?;
        texts.insert(hash, index);
        Ok(index)
    }

    /// A Class constant: internal name, or descriptor of an array class.
    pub fn class(&mut self, name: &str) -> Result<u16, ClassError> {
        let name = self.utf8(name)?;
        self.one(tag::CLASS, name)
    }

    pub fn class_bytes(&mut self, name: &[u8]) -> Result<u16, ClassError> {
        let name = self.utf8_bytes(name)?;
        self.one(tag::CLASS, name)
    }

    pub fn string(&mut self, text: &str) -> Result<u16, ClassError> {
        let text = self.utf8(text)?;
        self.one(tag::STRING, text)
    }

    /// A String constant from bytes that are modified UTF-8 already.
    pub fn string_bytes(&mut self, text: &[u8]) -> Result<u16, ClassError> {
        let text = self.utf8_bytes(text)?;
        self.one(tag::STRING, text)
    }

    pub fn method_type(&mut self, descriptor: &str) -> Result<u16, ClassError> {
        let descriptor = self.utf8(descriptor)?;
        self.one(tag::METHOD_TYPE, descriptor)
    }

    pub fn module(&mut self, name: &str) -> Result<u16, ClassError> {
        let name = self.utf8(name)?;
        self.one(tag::MODULE, name)
    }

    pub fn package(&mut self, name: &str) -> Result<u16, ClassError> {
        let name = self.utf8(name)?;
        self.one(tag::PACKAGE, name)
    }

    pub fn integer(&mut self, value: i32) -> Result<u16, ClassError> {
        let [a, b, c, d] = value.to_be_bytes();
        self.other(&[tag::INTEGER, a, b, c, d], true)
    }

    /// Takes two slots (JVMS 4.4.5).
    pub fn long(&mut self, value: i64) -> Result<u16, ClassError> {
        let mut raw = [tag::LONG; 9];
        raw[1..].copy_from_slice(&value.to_be_bytes());
        self.other(&raw, true)
    }

    pub fn name_and_type(&mut self, name: &str, descriptor: &str) -> Result<u16, ClassError> {
        let (name, descriptor) = (self.utf8(name)?, self.utf8(descriptor)?);
        self.name_and_type_at(name, descriptor)
    }

    /// A NameAndType of two Utf8 constants: for names that a Rust string cannot hold.
    pub fn name_and_type_at(&mut self, name: u16, descriptor: u16) -> Result<u16, ClassError> {
        self.two(tag::NAME_AND_TYPE, name, descriptor)
    }

    /// A reference of kind `tag` (one of the three member references) through an existing Class constant.
    pub fn member_ref_at(&mut self, tag: u8, class: u16, name_and_type: u16) -> Result<u16, ClassError> {
        self.two(tag, class, name_and_type)
    }

    fn member_ref(&mut self, tag: u8, owner: &str, name: &str, descriptor: &str) -> Result<u16, ClassError> {
        let (class, name_and_type) = (self.class(owner)?, self.name_and_type(name, descriptor)?);
        self.two(tag, class, name_and_type)
    }

    pub fn field_ref(&mut self, owner: &str, name: &str, descriptor: &str) -> Result<u16, ClassError> {
        self.member_ref(tag::FIELD_REF, owner, name, descriptor)
    }

    pub fn method_ref(&mut self, owner: &str, name: &str, descriptor: &str) -> Result<u16, ClassError> {
        self.member_ref(tag::METHOD_REF, owner, name, descriptor)
    }

    pub fn interface_method_ref(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, ClassError> {
        self.member_ref(tag::INTERFACE_METHOD_REF, owner, name, descriptor)
    }

    pub fn method_handle(&mut self, kind: u8, reference: u16) -> Result<u16, ClassError> {
        let [high, low] = reference.to_be_bytes();
        let may_be_old = self.constants.is_old(reference);
        self.other(&[tag::METHOD_HANDLE, kind, high, low], may_be_old)
    }

    pub fn invoke_dynamic(
        &mut self,
        bootstrap: u16,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, ClassError> {
        let name_and_type = self.name_and_type(name, descriptor)?;
        self.two(tag::INVOKE_DYNAMIC, bootstrap, name_and_type)
    }

    /// A constant that a bootstrap method makes: in class files from version 55 on (JVMS 4.4.10, table 4.4-A).
    pub fn dynamic(&mut self, bootstrap: u16, name: &str, descriptor: &str) -> Result<u16, ClassError> {
        let name_and_type = self.name_and_type(name, descriptor)?;
        self.two(tag::DYNAMIC, bootstrap, name_and_type)
    }
}
