//! The Code attribute of a method that is made from nothing.

use super::ExceptionEntry;

/// Fields as in JVMS 4.7.3; attributes as (index of the name, body).
#[derive(Debug, Clone, Default)]
pub struct CodeBody {
    pub max_stack: u16,
    pub max_locals: u16,
    pub bytecode: Vec<u8>,
    pub exceptions: Vec<ExceptionEntry>,
    pub attributes: Vec<(u16, Vec<u8>)>,
}

impl CodeBody {
    pub fn new(max_stack: u16, max_locals: u16, bytecode: Vec<u8>) -> CodeBody {
        CodeBody {
            max_stack,
            max_locals,
            bytecode,
            ..CodeBody::default()
        }
    }

    /// The body of the attribute. Added methods are a few dozen bytes long: no count here can overflow.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytecode.len() + 64);
        let u16 = |out: &mut Vec<u8>, value: u16| out.extend_from_slice(&value.to_be_bytes());
        u16(&mut out, self.max_stack);
        u16(&mut out, self.max_locals);
        out.extend_from_slice(&(self.bytecode.len() as u32).to_be_bytes());
        out.extend_from_slice(&self.bytecode);
        u16(&mut out, self.exceptions.len() as u16);
        for entry in &self.exceptions {
            for value in [entry.start, entry.end, entry.handler, entry.catch_type] {
                u16(&mut out, value);
            }
        }
        u16(&mut out, self.attributes.len() as u16);
        for (name, body) in &self.attributes {
            u16(&mut out, *name);
            out.extend_from_slice(&(body.len() as u32).to_be_bytes());
            out.extend_from_slice(body);
        }
        out
    }
}
