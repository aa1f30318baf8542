//! New constants for a class: append-only over its pool, so old indices stay valid and no `ldc` widens.
//! A constant that is already there is reused. The index over the old pool is built when the first
//! constant is asked for: a class without edits pays nothing.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::mutf8::encode_cow;
use super::{ClassError, Pool, tag};

/// `constant_pool_count` is a `u2` and counts slot 0: the highest index is 65534.
const MAX_COUNT: usize = 65535;

#[derive(Debug, Clone)]
pub struct PoolBuilder<'a> {
    pool: Pool<'a>,
    /// Raw constant (tag and contents) → index, for old and new constants alike.
    index: FxHashMap<Cow<'a, [u8]>, u16>,
    indexed: bool,
    added: Vec<u8>,
    /// Where each new constant stands in `added`, by index less the old count.
    offsets: Vec<u32>,
}

impl<'a> PoolBuilder<'a> {
    pub fn new(pool: &Pool<'a>) -> Self {
        Self {
            pool: pool.clone(),
            index: FxHashMap::default(),
            indexed: false,
            added: Vec::new(),
            offsets: Vec::new(),
        }
    }

    /// Whether any constant was added.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty()
    }

    /// The `constant_pool_count` with the new constants.
    pub fn len(&self) -> usize {
        self.pool.len() + self.offsets.len()
    }

    /// The new constants, as they follow the old ones in the class.
    pub(super) fn added(&self) -> &[u8] {
        &self.added
    }

    /// The contents of a Utf8 constant, old or new.
    pub(super) fn utf8_at(&self, index: u16) -> Result<&[u8], ClassError> {
        let Some(nth) = usize::from(index).checked_sub(self.pool.len()) else {
            return self.pool.utf8(index);
        };
        let bad = ClassError::BadConstant {
            index,
            reason: "is not a Utf8 constant",
        };
        let raw = self
            .offsets
            .get(nth)
            .and_then(|at| self.added.get(*at as usize..))
            .unwrap_or_default();
        match raw.split_first_chunk::<3>() {
            Some(([tag::UTF8, high, low], rest)) => rest
                .get(..usize::from(u16::from_be_bytes([*high, *low])))
                .ok_or(bad),
            _ => Err(bad),
        }
    }

    fn build_index(&mut self) {
        self.indexed = true;
        self.index.reserve(self.pool.len() + 32);
        for index in 1..self.pool.len().min(MAX_COUNT) as u16 {
            if let Some(raw) = self.pool.raw(index) {
                // Of equal constants the first serves: it has the better chance of a one-byte `ldc`.
                self.index.entry(Cow::Borrowed(raw)).or_insert(index);
            }
        }
    }

    fn constant(&mut self, raw: &[u8]) -> Result<u16, ClassError> {
        if !self.indexed {
            self.build_index();
        }
        if let Some(index) = self.index.get(raw) {
            return Ok(*index);
        }
        let slots = if matches!(raw.first(), Some(&(tag::LONG | tag::DOUBLE))) {
            2
        } else {
            1
        };
        let index = self.len();
        if index + slots > MAX_COUNT {
            return Err(ClassError::PoolFull);
        }
        let at = self.added.len() as u32;
        self.offsets.extend(std::iter::repeat_n(at, slots));
        self.added.extend_from_slice(raw);
        self.index.insert(Cow::Owned(raw.to_vec()), index as u16);
        Ok(index as u16)
    }

    fn one(&mut self, tag: u8, index: u16) -> Result<u16, ClassError> {
        let [high, low] = index.to_be_bytes();
        self.constant(&[tag, high, low])
    }

    fn two(&mut self, tag: u8, first: u16, second: u16) -> Result<u16, ClassError> {
        let ([a, b], [c, d]) = (first.to_be_bytes(), second.to_be_bytes());
        self.constant(&[tag, a, b, c, d])
    }

    pub fn utf8(&mut self, text: &str) -> Result<u16, ClassError> {
        self.utf8_bytes(&encode_cow(text))
    }

    /// A Utf8 constant from bytes that are modified UTF-8 already.
    pub fn utf8_bytes(&mut self, bytes: &[u8]) -> Result<u16, ClassError> {
        let length =
            u16::try_from(bytes.len()).map_err(|_| ClassError::StringTooLong { length: bytes.len() })?;
        let [high, low] = length.to_be_bytes();
        let mut raw = Vec::with_capacity(3 + bytes.len());
        raw.extend_from_slice(&[tag::UTF8, high, low]);
        raw.extend_from_slice(bytes);
        self.constant(&raw)
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
        self.constant(&[tag::INTEGER, a, b, c, d])
    }

    /// Takes two slots (JVMS 4.4.5).
    pub fn long(&mut self, value: i64) -> Result<u16, ClassError> {
        let mut raw = [tag::LONG; 9];
        raw[1..].copy_from_slice(&value.to_be_bytes());
        self.constant(&raw)
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
        self.constant(&[tag::METHOD_HANDLE, kind, high, low])
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
}
