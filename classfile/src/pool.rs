//! The constant pool of a class as it was read (JVMS 4.4). Every tag and cross reference is checked once,
//! when the class is parsed; access by index is then one look-up and never panics.

use std::borrow::Cow;

use super::bytes::{Reader, u16_at};
use super::constant_index::text_hash_in;
use super::{ClassError, mutf8};

/// Constant pool tags (JVMS table 4.4-A).
pub mod tag {
    pub const UTF8: u8 = 1;
    pub const INTEGER: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const LONG: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const STRING: u8 = 8;
    pub const FIELD_REF: u8 = 9;
    pub const METHOD_REF: u8 = 10;
    pub const INTERFACE_METHOD_REF: u8 = 11;
    pub const NAME_AND_TYPE: u8 = 12;
    pub const METHOD_HANDLE: u8 = 15;
    pub const METHOD_TYPE: u8 = 16;
    pub const DYNAMIC: u8 = 17;
    pub const INVOKE_DYNAMIC: u8 = 18;
    pub const MODULE: u8 = 19;
    pub const PACKAGE: u8 = 20;
}

/// The form of a kind of constant.
#[derive(Debug, Clone, Copy)]
struct Shape {
    /// Length with the tag, but without the bytes of a text; 0 for what is no tag.
    len: u8,
    /// Tags of what the two-byte operands at 1 and at 3 refer to; 0 for those that are no references.
    first: u8,
    second: u8,
}

const fn shape_of(tag: u8) -> Shape {
    let (len, first, second) = match tag {
        tag::UTF8 => (3, 0, 0),
        tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => (3, tag::UTF8, 0),
        // What a handle refers to depends on its kind.
        tag::METHOD_HANDLE => (4, 0, 0),
        tag::INTEGER | tag::FLOAT => (5, 0, 0),
        tag::FIELD_REF | tag::METHOD_REF | tag::INTERFACE_METHOD_REF => (5, tag::CLASS, tag::NAME_AND_TYPE),
        tag::NAME_AND_TYPE => (5, tag::UTF8, tag::UTF8),
        tag::DYNAMIC | tag::INVOKE_DYNAMIC => (5, 0, tag::NAME_AND_TYPE),
        tag::LONG | tag::DOUBLE => (9, 0, 0),
        _ => (0, 0, 0),
    };
    Shape { len, first, second }
}

static SHAPES: [Shape; 256] = {
    let mut shapes = [shape_of(0); 256];
    let mut tag = 0;
    while tag < 32 {
        shapes[tag as usize] = shape_of(tag);
        tag += 1;
    }
    shapes
};

/// As a table: every constant of every class is asked for its shape.
#[inline]
fn shape(tag: u8) -> Shape {
    SHAPES[usize::from(tag)]
}

/// Whether something of kind `found` may not stand where `wanted` should, or 0 for anything; as a number, so that nothing
/// branches on it.
#[inline]
fn differs(found: u8, wanted: u8) -> u8 {
    (found ^ wanted) * u8::from(wanted != 0)
}

/// A field or method named by its owner: CONSTANT_Fieldref, Methodref or InterfaceMethodref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberRef<'a> {
    /// Index of the owner's CONSTANT_Class.
    pub class: u16,
    /// Index of the CONSTANT_NameAndType.
    pub name_and_type: u16,
    pub owner: Cow<'a, str>,
    pub name: Cow<'a, str>,
    pub descriptor: Cow<'a, str>,
    pub tag: u8,
}

#[derive(Debug, Clone)]
pub struct Pool<'a> {
    bytes: &'a [u8],
    constants: Vec<Constant>,
}

/// Both are 0 for the unusable ones: index 0, and the second half of a long or double (JVMS 4.4.5).
#[derive(Debug, Clone, Copy)]
struct Constant {
    /// Where the tag stands in the class.
    at: u32,
    tag: u8,
    /// Of a text; taken when it is read, where there is time for it: where the next constant stands is what one waits for.
    hash: u16,
}

const UNUSABLE: Constant = Constant {
    at: 0,
    tag: 0,
    hash: 0,
};

impl<'a> Pool<'a> {
    /// Reads the pool from its count on, and checks what constants refer to if the version of the class is given; gives it
    /// with the position after it.
    pub(super) fn parse(
        bytes: &'a [u8],
        at: usize,
        checked_for: Option<u16>,
    ) -> Result<(Self, usize), ClassError> {
        let mut reader = Reader::new(bytes, at);
        let count = reader.u16()?;
        let bad = |index, reason| ClassError::BadConstant { index, reason };
        if count == 0 {
            return Err(bad(0, "a pool has at least one slot"));
        }
        if u32::try_from(bytes.len()).is_err() {
            return Err(bad(0, "beyond 4 GB"));
        }
        let mut constants = vec![UNUSABLE; usize::from(count)];
        let mut at = reader.at();
        let mut slots = constants.iter_mut().skip(1);
        while let Some(slot) = slots.next() {
            // The shortest constants have three bytes.
            let Some([tag, high, low]) = bytes.get(at..).and_then(|rest| rest.first_chunk::<3>()) else {
                return Err(ClassError::Truncated { at });
            };
            let shape = shape(*tag);
            if shape.len == 0 {
                return Err(bad(count - slots.len() as u16 - 1, "unknown tag"));
            }
            // Computed for all, because which constants are texts cannot be predicted.
            let text = usize::from(u16::from_be_bytes([*high, *low])) * usize::from(*tag == tag::UTF8);
            let end = at + usize::from(shape.len) + text;
            *slot = Constant {
                at: at as u32,
                tag: *tag,
                hash: text_hash_in(bytes, end, text),
            };
            at = end;
            if matches!(*tag, tag::LONG | tag::DOUBLE) && slots.next().is_none() {
                return Err(bad(count - 1, "no room for the second half"));
            }
        }
        if at > bytes.len() {
            return Err(ClassError::Truncated { at: bytes.len() });
        }
        let pool = Self { bytes, constants };
        if let Some(major) = checked_for
            && !pool.fit(major)
        {
            return Err(match pool.constants.iter().position(|c| !pool.fits(*c, major)) {
                Some(index) => bad(index as u16, "refers to the wrong kind of constant"),
                // Nothing stands behind the last one.
                None => ClassError::Truncated { at: bytes.len() },
            });
        }
        Ok((pool, at))
    }

    /// Whether all constants refer to the right kind. Without a branch for what constants usually are, since that cannot
    /// be predicted.
    fn fit(&self, major: u16) -> bool {
        let mut differ = 0;
        for constant in &self.constants {
            let shape = shape(constant.tag);
            let operands = self.bytes.get(constant.at as usize + 1..);
            let Some([a, b, c, d]) = operands.and_then(|operands| operands.first_chunk::<4>()) else {
                return false;
            };
            differ |= differs(self.tag(u16::from_be_bytes([*a, *b])), shape.first);
            differ |= differs(self.tag(u16::from_be_bytes([*c, *d])), shape.second);
            if constant.tag == tag::METHOD_HANDLE && !self.handle_fits(*constant, major) {
                return false;
            }
        }
        differ == 0
    }

    /// Whether what a constant refers to is of the right kind (JVMS 4.4.1 to 4.4.12).
    fn fits(&self, constant: Constant, major: u16) -> bool {
        let shape = shape(constant.tag);
        let refers = |operand: usize, wanted: u8| {
            wanted == 0
                || u16_at(self.bytes, constant.at as usize + operand)
                    .is_ok_and(|index| self.tag(index) == wanted)
        };
        // What a handle refers to depends on its kind.
        if constant.tag == tag::METHOD_HANDLE {
            return self.handle_fits(constant, major);
        }
        refers(1, shape.first) && refers(3, shape.second)
    }

    fn handle_fits(&self, handle: Constant, major: u16) -> bool {
        let kind = self.bytes.get(handle.at as usize + 1).copied();
        let target = u16_at(self.bytes, handle.at as usize + 2).map_or(0, |index| self.tag(index));
        match kind.unwrap_or(0) {
            1..=4 => target == tag::FIELD_REF,
            5 | 8 => target == tag::METHOD_REF,
            // JVMS 4.4.8: static and special methods of interfaces since version 52.
            6 | 7 => target == tag::METHOD_REF || (major >= 52 && target == tag::INTERFACE_METHOD_REF),
            9 => target == tag::INTERFACE_METHOD_REF,
            _ => false,
        }
    }

    /// The `constant_pool_count` of the class: one more than the highest index.
    pub fn len(&self) -> usize {
        self.constants.len()
    }

    pub fn is_empty(&self) -> bool {
        self.constants.len() <= 1
    }

    /// The tag of constant `index`, 0 if there is none.
    #[inline]
    pub fn tag(&self, index: u16) -> u8 {
        self.constants
            .get(usize::from(index))
            .map_or(0, |constant| constant.tag)
    }

    #[inline]
    fn offset(&self, index: u16) -> Option<usize> {
        match self.constants.get(usize::from(index)) {
            Some(constant) if constant.tag != 0 => Some(constant.at as usize),
            _ => None,
        }
    }

    /// The `u2` at byte `at` of constant `index` (its tag is byte 0).
    #[inline]
    pub(super) fn operand(&self, index: u16, at: usize) -> Result<u16, ClassError> {
        let offset = self.offset(index).ok_or(ClassError::BadConstant {
            index,
            reason: "there is no such constant",
        })?;
        u16_at(self.bytes, offset + at)
    }

    #[inline]
    fn expect(&self, index: u16, wanted: u8, reason: &'static str) -> Result<(), ClassError> {
        if self.tag(index) == wanted {
            Ok(())
        } else {
            Err(ClassError::BadConstant { index, reason })
        }
    }

    /// The whole constant: tag and contents.
    #[inline]
    pub(super) fn raw(&self, index: u16) -> Option<&'a [u8]> {
        let at = self.offset(index)?;
        let tag = self.tag(index);
        let text = match tag {
            tag::UTF8 => usize::from(u16_at(self.bytes, at + 1).ok()?),
            _ => 0,
        };
        let length = usize::from(shape(tag).len) + text;
        self.bytes.get(at..at + length)
    }

    /// The constants of a kind that is no text, each with its index, the last one first: what is put into an index last
    /// is found first, and of equal constants the first has the better chance of a one-byte `ldc`.
    pub(super) fn each_of(&self, wanted: u8, mut each: impl FnMut(u16, &'a [u8])) {
        let length = usize::from(shape(wanted).len);
        for (index, constant) in self.constants.iter().enumerate().rev() {
            if constant.tag == wanted
                && let Some(raw) = self
                    .bytes
                    .get(constant.at as usize..constant.at as usize + length)
            {
                each(index as u16, raw);
            }
        }
    }

    /// The hashes of all texts, in the same order.
    pub(super) fn each_text_hash(&self, mut each: impl FnMut(u16, u16)) {
        for (index, constant) in self.constants.iter().enumerate().rev() {
            if constant.tag == tag::UTF8 {
                each(index as u16, constant.hash);
            }
        }
    }

    /// The contents of a Utf8 constant, as they stand in the class.
    #[inline]
    pub fn utf8(&self, index: u16) -> Result<&'a [u8], ClassError> {
        let text = match self.constants.get(usize::from(index)) {
            Some(Constant {
                at, tag: tag::UTF8, ..
            }) => {
                let from = self.bytes.get(*at as usize + 1..).unwrap_or_default();
                from.split_first_chunk::<2>()
                    .and_then(|(length, rest)| rest.get(..usize::from(u16::from_be_bytes(*length))))
            }
            _ => None,
        };
        text.ok_or(ClassError::BadConstant {
            index,
            reason: "is not a Utf8 constant",
        })
    }

    pub fn str(&self, index: u16) -> Result<Cow<'a, str>, ClassError> {
        self.utf8(index).map(mutf8::decode)
    }

    /// The name in a Class constant, as it stands in the class.
    #[inline]
    pub fn class_name_bytes(&self, index: u16) -> Result<&'a [u8], ClassError> {
        self.expect(index, tag::CLASS, "is not a Class constant")?;
        self.utf8(self.operand(index, 1)?)
    }

    /// The name in a Class constant: internal form, or a descriptor for an array class.
    pub fn class_name(&self, index: u16) -> Result<Cow<'a, str>, ClassError> {
        self.class_name_bytes(index).map(mutf8::decode)
    }

    /// Indices of the two Utf8 constants of a NameAndType.
    #[inline]
    pub fn name_and_type_indices(&self, index: u16) -> Result<(u16, u16), ClassError> {
        self.expect(index, tag::NAME_AND_TYPE, "is not a NameAndType constant")?;
        Ok((self.operand(index, 1)?, self.operand(index, 3)?))
    }

    pub fn name_and_type(&self, index: u16) -> Result<(Cow<'a, str>, Cow<'a, str>), ClassError> {
        let (name, descriptor) = self.name_and_type_indices(index)?;
        Ok((self.str(name)?, self.str(descriptor)?))
    }

    /// Indices of the Class and NameAndType of a field or method reference.
    #[inline]
    pub fn member_ref_indices(&self, index: u16) -> Result<(u16, u16), ClassError> {
        match self.tag(index) {
            tag::FIELD_REF | tag::METHOD_REF | tag::INTERFACE_METHOD_REF => {
                Ok((self.operand(index, 1)?, self.operand(index, 3)?))
            }
            _ => Err(ClassError::BadConstant {
                index,
                reason: "is not a field or method reference",
            }),
        }
    }

    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'a>, ClassError> {
        let (class, name_and_type) = self.member_ref_indices(index)?;
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        let owner = self.class_name(class)?;
        Ok(MemberRef {
            class,
            name_and_type,
            owner,
            name,
            descriptor,
            tag: self.tag(index),
        })
    }

    /// Index of the NameAndType of anything that has one: a member reference or a dynamic constant.
    pub(super) fn name_and_type_of(&self, index: u16) -> Result<u16, ClassError> {
        match self.tag(index) {
            tag::FIELD_REF
            | tag::METHOD_REF
            | tag::INTERFACE_METHOD_REF
            | tag::DYNAMIC
            | tag::INVOKE_DYNAMIC => self.operand(index, 3),
            _ => Err(ClassError::BadConstant {
                index,
                reason: "has no name and type",
            }),
        }
    }

    /// Bootstrap method index, name and descriptor of an InvokeDynamic constant.
    pub fn invoke_dynamic(&self, index: u16) -> Result<(u16, Cow<'a, str>, Cow<'a, str>), ClassError> {
        self.expect(index, tag::INVOKE_DYNAMIC, "is not an InvokeDynamic constant")?;
        let (name, descriptor) = self.name_and_type(self.operand(index, 3)?)?;
        Ok((self.operand(index, 1)?, name, descriptor))
    }

    /// Kind (JVMS table 5.4.3.5-A) and referenced constant of a MethodHandle.
    pub fn method_handle(&self, index: u16) -> Result<(u8, u16), ClassError> {
        self.expect(index, tag::METHOD_HANDLE, "is not a MethodHandle constant")?;
        let kind = self.raw(index).and_then(|raw| raw.get(1)).copied().unwrap_or(0);
        Ok((kind, self.operand(index, 2)?))
    }

    /// The text of a String constant.
    pub fn string(&self, index: u16) -> Result<Cow<'a, str>, ClassError> {
        self.expect(index, tag::STRING, "is not a String constant")?;
        self.str(self.operand(index, 1)?)
    }
}
