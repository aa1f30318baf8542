//! The Code attribute of a method that is made from nothing.

use super::ExceptionEntry;
use super::bytes::{push_u16, push_u32};

/// Fields as in JVMS 4.7.3; attributes as (index of the name, body).
#[derive(Debug, Clone, Copy, Default)]
pub struct CodeBody<'b> {
    pub max_stack: u16,
    pub max_locals: u16,
    pub bytecode: &'b [u8],
    pub exceptions: &'b [ExceptionEntry],
    pub attributes: &'b [(u16, &'b [u8])],
}

impl CodeBody<'_> {
    /// Writes the body of the attribute. Added methods are a few dozen bytes long: no count here can overflow.
    pub fn write(&self, out: &mut Vec<u8>) {
        push_u16(out, self.max_stack);
        push_u16(out, self.max_locals);
        push_u32(out, self.bytecode.len() as u32);
        out.extend_from_slice(self.bytecode);
        push_u16(out, self.exceptions.len() as u16);
        for entry in self.exceptions {
            for value in [entry.start, entry.end, entry.handler, entry.catch_type] {
                push_u16(out, value);
            }
        }
        push_u16(out, self.attributes.len() as u16);
        for (name, body) in self.attributes {
            push_u16(out, *name);
            push_u32(out, body.len() as u32);
            out.extend_from_slice(body);
        }
    }
}
