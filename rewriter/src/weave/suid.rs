//! The default `serialVersionUID` of a class as it was before weaving (Java Object Serialization
//! Specification 4.6), so that a woven class still reads what an unwoven one wrote.

use crate::code::{Class, ClassError, access};
use racewire_model::names::dotted;
use sha1::{Digest, Sha1};

/// The value, or `None` where the class declares one itself.
pub fn default_suid(class: &Class<'_>) -> Result<Option<i64>, ClassError> {
    let pool = &class.pool;
    let mut fields = Vec::new();
    for f in &class.fields {
        let name = pool.str(f.name)?;
        if name == "serialVersionUID" {
            return Ok(None);
        }
        let hidden = f.access & access::PRIVATE != 0 && f.access & (access::STATIC | access::TRANSIENT) != 0;
        if !hidden {
            fields.push((name, f.access & FIELD_FLAGS, pool.str(f.descriptor)?));
        }
    }
    fields.sort();
    let mut data = Stream(Vec::new());
    data.utf(&dotted(&class.name()?));
    data.int(class_modifiers(class)?);
    let mut interfaces = Vec::new();
    for &i in &class.interfaces {
        interfaces.push(dotted(&pool.class_name(i)?));
    }
    interfaces.sort();
    for interface in &interfaces {
        data.utf(interface);
    }
    for (name, flags, descriptor) in &fields {
        data.member(name, *flags, descriptor);
    }
    let mut constructors = Vec::new();
    let mut methods = Vec::new();
    for m in &class.methods {
        let name = pool.str(m.name)?;
        let descriptor = dotted(&pool.str(m.descriptor)?);
        match name.as_ref() {
            "<clinit>" => data.member("<clinit>", access::STATIC, "()V"),
            _ if m.access & access::PRIVATE != 0 => {}
            "<init>" => constructors.push((descriptor, m.access & METHOD_FLAGS)),
            _ => methods.push((name.into_owned(), descriptor, m.access & METHOD_FLAGS)),
        }
    }
    constructors.sort();
    methods.sort();
    for (descriptor, flags) in &constructors {
        data.member("<init>", *flags, descriptor);
    }
    for (name, descriptor, flags) in &methods {
        data.member(name, *flags, descriptor);
    }
    let digest = Sha1::digest(&data.0);
    let mut first = [0u8; 8];
    first.copy_from_slice(&digest[..8]);
    Ok(Some(i64::from_le_bytes(first)))
}

const FIELD_FLAGS: u16 = access::PUBLIC
    | access::PRIVATE
    | access::PROTECTED
    | access::STATIC
    | access::FINAL
    | access::VOLATILE
    | access::TRANSIENT;

const METHOD_FLAGS: u16 = access::PUBLIC
    | access::PRIVATE
    | access::PROTECTED
    | access::STATIC
    | access::FINAL
    | access::SYNCHRONIZED
    | access::NATIVE
    | access::ABSTRACT
    | access::STRICT;

/// `Class.getModifiers`: a member class has those of its InnerClasses entry (JVMS 4.7.6).
fn class_modifiers(class: &Class<'_>) -> Result<u32, ClassError> {
    let mut flags = class.access;
    if let Some(body) = class.attribute(&class.attributes, "InnerClasses") {
        for entry in body.get(2..).unwrap_or(&[]).chunks_exact(8) {
            let inner = u16::from_be_bytes([entry[0], entry[1]]);
            if class.pool.class_name(inner)? == class.name()? {
                flags = u16::from_be_bytes([entry[6], entry[7]]);
            }
        }
    }
    let mut flags = flags & (access::PUBLIC | access::FINAL | access::INTERFACE | access::ABSTRACT);
    // The reference implementation sets ABSTRACT on an interface only when it has methods.
    if flags & access::INTERFACE != 0 {
        flags &= !access::ABSTRACT;
        if !class.methods.is_empty() {
            flags |= access::ABSTRACT;
        }
    }
    Ok(u32::from(flags))
}

/// `java.io.DataOutputStream`, as much as is needed.
struct Stream(Vec<u8>);

impl Stream {
    fn int(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_be_bytes());
    }

    fn utf(&mut self, text: &str) {
        let bytes = crate::code::mutf8::encode(text);
        self.0.extend_from_slice(&(bytes.len() as u16).to_be_bytes());
        self.0.extend_from_slice(&bytes);
    }

    fn member(&mut self, name: &str, flags: u16, descriptor: &str) {
        self.utf(name);
        self.int(u32::from(flags));
        self.utf(descriptor);
    }
}
