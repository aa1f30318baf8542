//! Edits to a whole class, written out as one copy of its bytes with patches in between.

use std::ops::Range;

use super::bytes::{Reader, count, length, patch_length, push_u16, push_u32};
use super::pool_builder::PoolMemory;
use super::{Attribute, Class, ClassError, CodeBody, CodeEdit, Member, PoolBuilder, Workspace};

/// Index of the name, and body.
type NewAttribute<'b> = (u16, &'b [u8]);

/// Fields or methods to add, as they will stand in the class.
#[derive(Default)]
struct NewMembers {
    count: usize,
    bytes: Vec<u8>,
}

impl NewMembers {
    /// In memory that was used before.
    fn with(mut bytes: Vec<u8>) -> Self {
        bytes.clear();
        Self { count: 0, bytes }
    }

    fn add(&mut self, [access, name, descriptor, attributes]: [u16; 4]) -> &mut Vec<u8> {
        if self.count == 0 {
            self.bytes.reserve(1024);
        }
        self.count += 1;
        for value in [access, name, descriptor, attributes] {
            push_u16(&mut self.bytes, value);
        }
        &mut self.bytes
    }
}

/// What the edit of one class leaves to that of the next, so that memory need not grow again.
#[derive(Default)]
pub struct ClassMemory {
    pool: PoolMemory,
    methods: Vec<MethodEdit>,
    bodies: Vec<u8>,
    new_fields: Vec<u8>,
    new_methods: Vec<u8>,
}

struct MethodEdit {
    index: usize,
    access: Option<u16>,
    /// The new body of the Code attribute, in [`ClassEdit::bodies`].
    code: Option<Range<usize>>,
}

/// The BootstrapMethods attribute with additions.
struct Bootstraps {
    count: u16,
    /// The entries, without the count before them.
    entries: Vec<u8>,
}

pub struct ClassEdit<'c, 'a> {
    pub pool: PoolBuilder<'c, 'a>,
    class: &'c Class<'a>,
    access: Option<u16>,
    /// By index.
    methods: Vec<MethodEdit>,
    bodies: Vec<u8>,
    new_fields: NewMembers,
    new_methods: NewMembers,
    attributes: Vec<(u16, Vec<u8>)>,
    bootstraps: Option<Bootstraps>,
}

impl<'c, 'a> ClassEdit<'c, 'a> {
    pub fn new(class: &'c Class<'a>) -> Self {
        Self::with(ClassMemory::default(), class)
    }

    pub fn with(memory: ClassMemory, class: &'c Class<'a>) -> Self {
        let ClassMemory {
            pool,
            mut methods,
            mut bodies,
            new_fields,
            new_methods,
        } = memory;
        methods.clear();
        bodies.clear();
        // Most of what was there comes again, and something more.
        bodies.reserve(class.bytes.len());
        Self {
            pool: PoolBuilder::with(pool, &class.pool),
            class,
            access: None,
            methods,
            bodies,
            new_fields: NewMembers::with(new_fields),
            new_methods: NewMembers::with(new_methods),
            attributes: Vec::new(),
            bootstraps: None,
        }
    }

    /// Gives up the edit.
    pub fn into_memory(self) -> ClassMemory {
        ClassMemory {
            pool: self.pool.into_memory(),
            methods: self.methods,
            bodies: self.bodies,
            new_fields: self.new_fields.bytes,
            new_methods: self.new_methods.bytes,
        }
    }

    pub fn set_access(&mut self, access: u16) {
        self.access = Some(access);
    }

    fn method(&mut self, index: usize) -> &mut MethodEdit {
        let at = self.methods.partition_point(|edit| edit.index < index);
        if self.methods.get(at).is_none_or(|edit| edit.index != index) {
            let (access, code) = (None, None);
            if self.methods.is_empty() {
                self.methods.reserve(16);
            }
            self.methods.insert(at, MethodEdit { index, access, code });
        }
        &mut self.methods[at]
    }

    pub fn set_method_access(&mut self, method: usize, access: u16) {
        self.method(method).access = Some(access);
    }

    /// Replaces the body of the method's Code attribute by what `write` writes.
    pub fn write_method_code<T>(
        &mut self,
        method: usize,
        write: impl FnOnce(&mut PoolBuilder<'c, 'a>, &mut Vec<u8>) -> Result<T, ClassError>,
    ) -> Result<T, ClassError> {
        let start = self.bodies.len();
        match write(&mut self.pool, &mut self.bodies) {
            Ok(result) => {
                let end = self.bodies.len();
                self.method(method).code = Some(start..end);
                Ok(result)
            }
            Err(cause) => {
                self.bodies.truncate(start);
                Err(cause)
            }
        }
    }

    /// Edits the method's code; gives the size of the new body of its Code attribute.
    pub fn edit_method(
        &mut self,
        method: usize,
        edit: CodeEdit<'_, 'a>,
    ) -> Result<(usize, Workspace), ClassError> {
        self.write_method_code(method, |pool, out| {
            let start = out.len();
            let workspace = edit.write(pool, out)?;
            Ok((out.len() - start, workspace))
        })
    }

    /// Replaces the body of the method's Code attribute, as [`super::CodeEdit::finish`] gives it.
    pub fn set_method_code(&mut self, method: usize, body: &[u8]) {
        let start = self.bodies.len();
        self.bodies.extend_from_slice(body);
        let end = self.bodies.len();
        self.method(method).code = Some(start..end);
    }

    pub fn add_field(
        &mut self,
        access: u16,
        name: u16,
        descriptor: u16,
        attributes: &[NewAttribute<'_>],
    ) -> Result<(), ClassError> {
        let head = [access, name, descriptor, count(attributes.len(), "attributes")?];
        let out = self.new_fields.add(head);
        attributes
            .iter()
            .try_for_each(|(name, body)| write_attribute(*name, body, out))
    }

    /// Adds a method with this code; the name of the Code attribute has the index `code`.
    pub fn add_code(
        &mut self,
        access: u16,
        name: u16,
        descriptor: u16,
        (code, body): (u16, CodeBody<'_>),
    ) -> Result<(), ClassError> {
        let out = self.new_methods.add([access, name, descriptor, 1]);
        push_u16(out, code);
        let length_at = out.len();
        push_u32(out, 0);
        body.write(out);
        patch_length(out, length_at)
    }

    /// Adds a method with this body of its Code attribute, whose name has the index `code`.
    pub fn add_method(
        &mut self,
        access: u16,
        name: u16,
        descriptor: u16,
        (code, body): NewAttribute<'_>,
    ) -> Result<(), ClassError> {
        write_attribute(code, body, self.new_methods.add([access, name, descriptor, 1]))
    }

    /// Replaces the class's attribute of that name, or adds one.
    pub fn set_class_attribute(&mut self, name: u16, body: Vec<u8>) {
        self.attributes.retain(|(other, _)| *other != name);
        self.attributes.push((name, body));
    }

    /// The index of a bootstrap method (JVMS 4.7.23): one that is there already, or a new one at the end.
    pub fn add_bootstrap_method(&mut self, handle: u16, arguments: &[u16]) -> Result<u16, ClassError> {
        let mut wanted = Vec::with_capacity(4 + 2 * arguments.len());
        push_u16(&mut wanted, handle);
        push_u16(&mut wanted, count(arguments.len(), "bootstrap arguments")?);
        for argument in arguments {
            push_u16(&mut wanted, *argument);
        }
        if self.bootstraps.is_none() {
            let old = self.class.attribute(&self.class.attributes, "BootstrapMethods");
            self.bootstraps = Some(match old {
                Some(body) => {
                    let count = Reader::new(body, 0).u16()?;
                    Bootstraps {
                        count,
                        entries: body.get(2..).unwrap_or_default().to_vec(),
                    }
                }
                None => Bootstraps {
                    count: 0,
                    entries: Vec::new(),
                },
            });
        }
        let Some(bootstraps) = &mut self.bootstraps else {
            return Err(ClassError::TooMany {
                what: "bootstrap methods",
            });
        };
        let mut reader = Reader::new(&bootstraps.entries, 0);
        for index in 0..bootstraps.count {
            let start = reader.at();
            reader.skip(2)?;
            let arguments = usize::from(reader.u16()?);
            reader.skip(2 * arguments)?;
            if bootstraps.entries.get(start..reader.at()) == Some(wanted.as_slice()) {
                return Ok(index);
            }
        }
        if reader.remaining() != 0 {
            return Err(ClassError::BadAttribute {
                at: 0,
                reason: "bootstrap methods of the wrong length",
            });
        }
        let index = bootstraps.count;
        bootstraps.count = index.checked_add(1).ok_or(ClassError::TooMany {
            what: "bootstrap methods",
        })?;
        bootstraps.entries.extend_from_slice(&wanted);
        Ok(index)
    }

    /// Whether the class would come out as it is.
    pub fn is_empty(&self) -> bool {
        self.pool.is_empty()
            && self.access.is_none()
            && self.methods.is_empty()
            && self.new_fields.count == 0
            && self.new_methods.count == 0
            && self.attributes.is_empty()
            && self.bootstraps.is_none()
    }

    /// The edited class; all that was not edited byte for byte.
    pub fn finish(mut self) -> Result<Vec<u8>, ClassError> {
        self.write()
    }

    /// The same, and memory for the next one.
    pub fn finish_with_memory(mut self) -> Result<(Vec<u8>, ClassMemory), ClassError> {
        Ok((self.write()?, self.into_memory()))
    }

    fn write(&mut self) -> Result<Vec<u8>, ClassError> {
        let class = self.class;
        if let Some(bootstraps) = self.bootstraps.take() {
            let name = self.pool.utf8("BootstrapMethods")?;
            let mut body = Vec::with_capacity(2 + bootstraps.entries.len());
            push_u16(&mut body, bootstraps.count);
            body.extend_from_slice(&bootstraps.entries);
            self.set_class_attribute(name, body);
        }
        let grown = self.bodies.len() + self.new_fields.bytes.len() + self.new_methods.bytes.len();
        let mut out = Vec::with_capacity(class.bytes.len() + self.pool.added().len() + grown + 1024);
        // Magic and version, then the pool, then access, this, super and interfaces.
        copy(class, 0, 8, &mut out)?;
        push_u16(&mut out, count(self.pool.len(), "constants")?);
        copy(class, 10, class.access_at, &mut out)?;
        out.extend_from_slice(self.pool.added());
        push_u16(&mut out, self.access.unwrap_or(class.access));
        copy(class, class.access_at + 2, class.fields_at, &mut out)?;
        push_u16(
            &mut out,
            count(class.fields.len() + self.new_fields.count, "fields")?,
        );
        copy(class, class.fields_at + 2, class.methods_at, &mut out)?;
        out.extend_from_slice(&self.new_fields.bytes);
        push_u16(
            &mut out,
            count(class.methods.len() + self.new_methods.count, "methods")?,
        );
        self.methods(&mut out)?;
        out.extend_from_slice(&self.new_methods.bytes);
        self.class_attributes(&mut out)?;
        Ok(out)
    }

    fn methods(&self, out: &mut Vec<u8>) -> Result<(), ClassError> {
        let class = self.class;
        let mut copied = class.methods_at + 2;
        for edit in &self.methods {
            let missing = ClassError::NoSuchMethod { index: edit.index };
            let Some(method) = class.methods.get(edit.index) else {
                return Err(missing);
            };
            copy(class, copied, method.at, out)?;
            push_u16(out, edit.access.unwrap_or(method.access));
            copied = method.at + 2;
            if let Some(body) = &edit.code {
                let code = code_attribute(class, method).ok_or(missing)?;
                let body = self.bodies.get(body.clone()).unwrap_or_default();
                // Up to and with the attribute's name.
                copy(class, copied, code.at + 2, out)?;
                push_u32(out, length(body.len())?);
                out.extend_from_slice(body);
                copied = code.at + 6 + code.body.len();
            }
            copy(class, copied, method.end, out)?;
            copied = method.end;
        }
        copy(class, copied, class.attributes_at, out)
    }

    fn class_attributes(&self, out: &mut Vec<u8>) -> Result<(), ClassError> {
        let class = self.class;
        if self.attributes.is_empty() {
            return copy(class, class.attributes_at, class.bytes.len(), out);
        }
        let mut new = Vec::with_capacity(self.attributes.len());
        for (name, body) in &self.attributes {
            new.push((self.pool.utf8_at(*name)?, *name, body, false));
        }
        let count_at = out.len();
        push_u16(out, 0);
        let mut written = 0;
        for attribute in class.attributes {
            let name = class.pool.utf8(attribute.name)?;
            match new.iter_mut().find(|(wanted, ..)| *wanted == name) {
                // A second attribute of the replaced name goes with the first.
                Some((_, _, _, true)) => continue,
                Some((_, _, body, done)) => {
                    *done = true;
                    write_attribute(attribute.name, body, out)?;
                }
                None => write_attribute(attribute.name, attribute.body, out)?,
            }
            written += 1;
        }
        for (_, name, body, _) in new.iter().filter(|(.., done)| !done) {
            write_attribute(*name, body, out)?;
            written += 1;
        }
        super::bytes::put_u16(out, count_at, count(written, "class attributes")?)
    }
}

fn code_attribute<'a>(class: &Class<'a>, method: &Member<'a>) -> Option<Attribute<'a>> {
    method.attributes.named(&class.pool, "Code")
}

fn copy(class: &Class<'_>, from: usize, to: usize, out: &mut Vec<u8>) -> Result<(), ClassError> {
    out.extend_from_slice(
        class
            .bytes
            .get(from..to)
            .ok_or(ClassError::Truncated { at: from })?,
    );
    Ok(())
}

fn write_attribute(name: u16, body: &[u8], out: &mut Vec<u8>) -> Result<(), ClassError> {
    push_u16(out, name);
    push_u32(out, length(body.len())?);
    out.extend_from_slice(body);
    Ok(())
}
