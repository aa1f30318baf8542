//! Edits to a whole class, written out as one copy of its bytes with patches in between.

use std::collections::BTreeMap;

use super::bytes::{Reader, count, length, push_u16, push_u32};
use super::{Attribute, Class, ClassError, Member, PoolBuilder};

type NewAttribute = (u16, Vec<u8>);

struct NewMember {
    access: u16,
    name: u16,
    descriptor: u16,
    attributes: Vec<NewAttribute>,
}

#[derive(Default)]
struct MethodEdit {
    access: Option<u16>,
    code: Option<Vec<u8>>,
}

/// The BootstrapMethods attribute with additions.
struct Bootstraps {
    count: u16,
    /// The entries, without the count before them.
    entries: Vec<u8>,
}

pub struct ClassEdit<'c, 'a> {
    pub pool: PoolBuilder<'a>,
    class: &'c Class<'a>,
    access: Option<u16>,
    methods: BTreeMap<usize, MethodEdit>,
    new_fields: Vec<NewMember>,
    new_methods: Vec<NewMember>,
    attributes: Vec<NewAttribute>,
    bootstraps: Option<Bootstraps>,
}

impl<'c, 'a> ClassEdit<'c, 'a> {
    pub fn new(class: &'c Class<'a>) -> Self {
        Self {
            pool: PoolBuilder::new(&class.pool),
            class,
            access: None,
            methods: BTreeMap::new(),
            new_fields: Vec::new(),
            new_methods: Vec::new(),
            attributes: Vec::new(),
            bootstraps: None,
        }
    }

    pub fn set_access(&mut self, access: u16) {
        self.access = Some(access);
    }

    pub fn set_method_access(&mut self, method: usize, access: u16) {
        self.methods.entry(method).or_default().access = Some(access);
    }

    /// Replaces the body of the method's Code attribute, as [`super::CodeEdit::finish`] gives it.
    pub fn set_method_code(&mut self, method: usize, body: Vec<u8>) {
        self.methods.entry(method).or_default().code = Some(body);
    }

    pub fn add_field(&mut self, access: u16, name: u16, descriptor: u16, attributes: Vec<NewAttribute>) {
        self.new_fields.push(NewMember {
            access,
            name,
            descriptor,
            attributes,
        });
    }

    pub fn add_method(&mut self, access: u16, name: u16, descriptor: u16, attributes: Vec<NewAttribute>) {
        self.new_methods.push(NewMember {
            access,
            name,
            descriptor,
            attributes,
        });
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
            && self.new_fields.is_empty()
            && self.new_methods.is_empty()
            && self.attributes.is_empty()
            && self.bootstraps.is_none()
    }

    /// The edited class; all that was not edited byte for byte.
    pub fn finish(mut self) -> Result<Vec<u8>, ClassError> {
        let class = self.class;
        if let Some(index) = self.methods.keys().find(|index| **index >= class.methods.len()) {
            return Err(ClassError::NoSuchMethod { index: *index });
        }
        if let Some(bootstraps) = self.bootstraps.take() {
            let name = self.pool.utf8("BootstrapMethods")?;
            let mut body = Vec::with_capacity(2 + bootstraps.entries.len());
            push_u16(&mut body, bootstraps.count);
            body.extend_from_slice(&bootstraps.entries);
            self.set_class_attribute(name, body);
        }
        let grown: usize = self
            .methods
            .values()
            .filter_map(|edit| edit.code.as_ref())
            .map(Vec::len)
            .sum();
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
            count(class.fields.len() + self.new_fields.len(), "fields")?,
        );
        copy(class, class.fields_at + 2, class.methods_at, &mut out)?;
        new_members(&self.new_fields, &mut out)?;
        push_u16(
            &mut out,
            count(class.methods.len() + self.new_methods.len(), "methods")?,
        );
        self.methods(&mut out)?;
        new_members(&self.new_methods, &mut out)?;
        self.class_attributes(&mut out)?;
        Ok(out)
    }

    fn methods(&self, out: &mut Vec<u8>) -> Result<(), ClassError> {
        let class = self.class;
        let mut copied = class.methods_at + 2;
        for (index, edit) in &self.methods {
            let Some(method) = class.methods.get(*index) else {
                continue;
            };
            copy(class, copied, method.at, out)?;
            push_u16(out, edit.access.unwrap_or(method.access));
            copied = method.at + 2;
            if let Some(body) = &edit.code {
                let code = code_attribute(class, method).ok_or(ClassError::NoSuchMethod { index: *index })?;
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
        for attribute in &class.attributes {
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

fn code_attribute<'s, 'a>(class: &Class<'a>, method: &'s Member<'a>) -> Option<&'s Attribute<'a>> {
    super::attribute(&class.pool, &method.attributes, "Code")
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

fn new_members(members: &[NewMember], out: &mut Vec<u8>) -> Result<(), ClassError> {
    for member in members {
        push_u16(out, member.access);
        push_u16(out, member.name);
        push_u16(out, member.descriptor);
        push_u16(out, count(member.attributes.len(), "attributes")?);
        for (name, body) in &member.attributes {
            write_attribute(*name, body, out)?;
        }
    }
    Ok(())
}
