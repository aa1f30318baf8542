//! The structure of a class file (JVMS 4.1): read once, checked whole, everything borrowed from its bytes.

use std::borrow::Cow;

use super::bytes::Reader;
use super::{ClassError, Pool, mutf8, tag};

const MAGIC: u32 = 0xCAFE_BABE;
/// JDK 1.0.2 to JDK 25.
const VERSIONS: std::ops::RangeInclusive<u16> = 45..=69;

#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    /// Index of the name's Utf8 constant.
    pub name: u16,
    pub body: &'a [u8],
    /// Where the attribute begins (its name index), in the bytes it was read from.
    pub at: usize,
}

/// An attribute table (JVMS 4.7) that was checked and is read again by whoever asks: most attributes nobody asks for.
#[derive(Debug, Clone, Copy)]
pub struct Attributes<'a> {
    /// At the first attribute.
    reader: Reader<'a>,
    count: u16,
}

impl<'a> Attributes<'a> {
    /// Reads a table from its count on.
    pub(super) fn read(reader: &mut Reader<'a>, pool: &Pool<'a>) -> Result<Self, ClassError> {
        let count = reader.u16()?;
        let table = Self {
            reader: *reader,
            count,
        };
        for _ in 0..count {
            utf8_index(reader, pool)?;
            let length = reader.u32()?;
            reader.skip(length as usize)?;
        }
        Ok(table)
    }

    /// The first attribute of that name.
    pub fn named(self, pool: &Pool<'_>, name: &str) -> Option<Attribute<'a>> {
        self.into_iter().find(|attribute| {
            pool.utf8(attribute.name)
                .is_ok_and(|found| found == name.as_bytes())
        })
    }
}

impl<'a> IntoIterator for Attributes<'a> {
    type Item = Attribute<'a>;
    type IntoIter = AttributeIter<'a>;

    fn into_iter(self) -> AttributeIter<'a> {
        AttributeIter { left: self }
    }
}

#[derive(Debug, Clone)]
pub struct AttributeIter<'a> {
    left: Attributes<'a>,
}

impl<'a> Iterator for AttributeIter<'a> {
    type Item = Attribute<'a>;

    fn next(&mut self) -> Option<Attribute<'a>> {
        let Attributes { reader, count } = &mut self.left;
        *count = count.checked_sub(1)?;
        let at = reader.at();
        let name = reader.u16().ok()?;
        let length = reader.u32().ok()?;
        let body = reader.take(length as usize).ok()?;
        Some(Attribute { name, body, at })
    }
}

/// A field or method.
#[derive(Debug, Clone)]
pub struct Member<'a> {
    pub access: u16,
    pub name: u16,
    pub descriptor: u16,
    pub attributes: Attributes<'a>,
    /// Its bytes in the class: from the access flags to the end of the last attribute.
    pub(super) at: usize,
    pub(super) end: usize,
}

#[derive(Debug, Clone)]
pub struct Class<'a> {
    pub bytes: &'a [u8],
    pub minor: u16,
    pub major: u16,
    pub pool: Pool<'a>,
    pub access: u16,
    pub this_class: u16,
    pub super_class: u16,
    pub interfaces: Vec<u16>,
    pub fields: Vec<Member<'a>>,
    pub methods: Vec<Member<'a>>,
    pub attributes: Attributes<'a>,
    /// Where the pool ends and the access flags stand.
    pub(super) access_at: usize,
    /// Where the counts of fields, methods and attributes stand.
    pub(super) fields_at: usize,
    pub(super) methods_at: usize,
    pub(super) attributes_at: usize,
}

impl<'a> Class<'a> {
    /// Reads a class and checks its whole structure: tags and cross references of the pool, lengths, no
    /// bytes left over. Attribute contents are read by those who need them.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ClassError> {
        Self::read(bytes, true)
    }

    /// The same for bytes that were parsed before: what constants refer to is not checked for all of them once more, but
    /// when somebody follows one.
    pub fn parse_again(bytes: &'a [u8]) -> Result<Self, ClassError> {
        Self::read(bytes, false)
    }

    fn read(bytes: &'a [u8], check: bool) -> Result<Self, ClassError> {
        let mut reader = Reader::new(bytes, 0);
        if reader.u32()? != MAGIC {
            return Err(ClassError::BadMagic);
        }
        let (minor, major) = (reader.u16()?, reader.u16()?);
        if !VERSIONS.contains(&major) {
            return Err(ClassError::UnsupportedVersion { major });
        }
        let (pool, access_at) = Pool::parse(bytes, reader.at(), check.then_some(major))?;
        let mut reader = Reader::new(bytes, access_at);
        let access = reader.u16()?;
        let this_class = class_index(&mut reader, &pool)?;
        let super_class = reader.u16()?;
        if super_class != 0 {
            expect_class(super_class, &pool)?;
        }
        let interface_count = reader.u16()?;
        let interfaces = (0..interface_count)
            .map(|_| class_index(&mut reader, &pool))
            .collect::<Result<_, _>>()?;
        let fields_at = reader.at();
        let fields = members(&mut reader, &pool)?;
        let methods_at = reader.at();
        let methods = members(&mut reader, &pool)?;
        let attributes_at = reader.at();
        let attributes = Attributes::read(&mut reader, &pool)?;
        match reader.remaining() {
            0 => Ok(Self {
                bytes,
                minor,
                major,
                pool,
                access,
                this_class,
                super_class,
                interfaces,
                fields,
                methods,
                attributes,
                access_at,
                fields_at,
                methods_at,
                attributes_at,
            }),
            count => Err(ClassError::TrailingBytes { count }),
        }
    }

    /// Internal name, as `java/lang/Object`.
    pub fn name(&self) -> Result<Cow<'a, str>, ClassError> {
        self.pool.class_name(self.this_class)
    }

    /// Internal name of the superclass; `None` for `java/lang/Object` and for module descriptors.
    pub fn super_name(&self) -> Result<Option<Cow<'a, str>>, ClassError> {
        if self.super_class == 0 {
            Ok(None)
        } else {
            self.pool.class_name(self.super_class).map(Some)
        }
    }

    /// The body of the first attribute of that name.
    pub fn attribute(&self, attributes: &Attributes<'a>, name: &str) -> Option<&'a [u8]> {
        attributes.named(&self.pool, name).map(|found| found.body)
    }
}

impl<'a> Member<'a> {
    pub fn name<'p>(&self, pool: &Pool<'p>) -> Result<Cow<'p, str>, ClassError> {
        pool.utf8(self.name).map(mutf8::decode)
    }

    pub fn descriptor<'p>(&self, pool: &Pool<'p>) -> Result<Cow<'p, str>, ClassError> {
        pool.utf8(self.descriptor).map(mutf8::decode)
    }
}

fn expect_class(index: u16, pool: &Pool<'_>) -> Result<u16, ClassError> {
    match pool.tag(index) {
        tag::CLASS => Ok(index),
        _ => Err(ClassError::BadConstant {
            index,
            reason: "is not a Class constant",
        }),
    }
}

fn class_index(reader: &mut Reader<'_>, pool: &Pool<'_>) -> Result<u16, ClassError> {
    expect_class(reader.u16()?, pool)
}

fn utf8_index(reader: &mut Reader<'_>, pool: &Pool<'_>) -> Result<u16, ClassError> {
    let index = reader.u16()?;
    match pool.tag(index) {
        tag::UTF8 => Ok(index),
        _ => Err(ClassError::BadConstant {
            index,
            reason: "is not a Utf8 constant",
        }),
    }
}

fn members<'a>(reader: &mut Reader<'a>, pool: &Pool<'a>) -> Result<Vec<Member<'a>>, ClassError> {
    let count = usize::from(reader.u16()?);
    // A member takes 8 bytes: a wrong count must not make us reserve for what cannot be there.
    let mut members = Vec::with_capacity(count.min(reader.remaining() / 8));
    for _ in 0..count {
        let at = reader.at();
        let access = reader.u16()?;
        let (name, descriptor) = (utf8_index(reader, pool)?, utf8_index(reader, pool)?);
        let attributes = Attributes::read(reader, pool)?;
        members.push(Member {
            access,
            name,
            descriptor,
            attributes,
            at,
            end: reader.at(),
        });
    }
    Ok(members)
}
