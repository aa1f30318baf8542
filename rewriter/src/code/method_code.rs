//! The Code attribute (JVMS 4.7.3) as it was read.

use super::bytes::Reader;
use super::instructions::{Insn, decode};
use super::{Attribute, ClassError, Pool, class};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExceptionEntry {
    pub start: u16,
    /// Exclusive; may equal the code length.
    pub end: u16,
    pub handler: u16,
    /// Index of a Class constant, or 0: catches everything.
    pub catch_type: u16,
}

impl ExceptionEntry {
    pub fn covers(&self, pc: u32) -> bool {
        (u32::from(self.start)..u32::from(self.end)).contains(&pc)
    }
}

#[derive(Debug, Clone)]
pub struct Code<'a> {
    pub max_stack: u16,
    pub max_locals: u16,
    pub bytecode: &'a [u8],
    pub exceptions: Vec<ExceptionEntry>,
    pub attributes: Vec<Attribute<'a>>,
    /// (start_pc, line) of all LineNumberTables in the order they stand.
    lines: Vec<(u16, u16)>,
}

impl<'a> Code<'a> {
    /// Reads the body of a Code attribute. Classes before version 45.3 have narrower fields (a relic of
    /// JDK 1.0.2 betas that no `javac` in the wild wrote); those do not parse.
    pub fn parse(body: &'a [u8], pool: &Pool<'a>) -> Result<Self, ClassError> {
        let mut reader = Reader::new(body, 0);
        let (max_stack, max_locals) = (reader.u16()?, reader.u16()?);
        let length = reader.u32()? as usize;
        if length == 0 || length > 65535 {
            return Err(ClassError::BadCode {
                pc: 0,
                reason: "code must have 1 to 65535 bytes",
            });
        }
        let bytecode = reader.take(length)?;
        let count = reader.u16()?;
        let mut exceptions = Vec::with_capacity(usize::from(count).min(reader.remaining() / 8));
        for _ in 0..count {
            let entry = ExceptionEntry {
                start: reader.u16()?,
                end: reader.u16()?,
                handler: reader.u16()?,
                catch_type: reader.u16()?,
            };
            if entry.start >= entry.end
                || usize::from(entry.end) > length
                || usize::from(entry.handler) >= length
            {
                return Err(ClassError::BadCode {
                    pc: entry.start.into(),
                    reason: "exception range outside the code",
                });
            }
            exceptions.push(entry);
        }
        let attributes = class::attributes(&mut reader, pool)?;
        if reader.remaining() != 0 {
            return Err(ClassError::BadAttribute {
                at: reader.at(),
                reason: "bytes after the end of the code",
            });
        }
        let mut lines = Vec::new();
        for attribute in &attributes {
            if pool.utf8(attribute.name)? == b"LineNumberTable" {
                read_lines(attribute, &mut lines)?;
            }
        }
        Ok(Self {
            max_stack,
            max_locals,
            bytecode,
            exceptions,
            attributes,
            lines,
        })
    }

    /// All instructions in order; they cover the code exactly.
    pub fn instructions(&self) -> Result<Vec<Insn>, ClassError> {
        decode(self.bytecode)
    }

    /// (start_pc, line) of all LineNumberTables, in the order they stand (not necessarily sorted).
    pub fn lines(&self) -> &[(u16, u16)] {
        &self.lines
    }

    /// The source line of `pc`, 0 if none is known: the entry with the greatest start at or before `pc`, of
    /// several the last (JVMS 4.7.12: entries in any order, several tables per method).
    pub fn line_at(&self, pc: u32) -> u16 {
        self.lines
            .iter()
            .filter(|(start, _)| u32::from(*start) <= pc)
            .max_by_key(|(start, _)| *start)
            .map_or(0, |(_, line)| *line)
    }
}

fn read_lines(attribute: &Attribute<'_>, lines: &mut Vec<(u16, u16)>) -> Result<(), ClassError> {
    let mut reader = Reader::new(attribute.body, 0);
    let count = usize::from(reader.u16()?);
    if reader.remaining() != count * 4 {
        return Err(ClassError::BadAttribute {
            at: attribute.at,
            reason: "line numbers of the wrong length",
        });
    }
    lines.reserve(count);
    for _ in 0..count {
        lines.push((reader.u16()?, reader.u16()?));
    }
    Ok(())
}
