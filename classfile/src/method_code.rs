//! The Code attribute (JVMS 4.7.3) as it was read.

use std::cell::OnceCell;

use super::bytes::{Reader, u16_at};
use super::instructions::{Insn, Instructions};
use super::{Attribute, Attributes, ClassError, Pool};

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
    pub attributes: Attributes<'a>,
    /// A method rarely has more than one LineNumberTable.
    line_table: Option<Attribute<'a>>,
    more_line_tables: Vec<Attribute<'a>>,
    /// Read when the first line is asked for: most methods are never asked.
    lines: OnceCell<Lines>,
}

/// (start_pc, line) of all LineNumberTables in the order they stand.
#[derive(Debug, Clone)]
struct Lines {
    entries: Vec<(u16, u16)>,
    is_sorted: bool,
}

impl<'a> Code<'a> {
    /// Reads the body of a Code attribute. Classes before version 45.3 have narrower fields (a relic of
    /// JDK 1.0.2 betas that no `javac` in the wild wrote); those do not parse.
    pub fn parse(body: &'a [u8], pool: &Pool<'a>) -> Result<Self, ClassError> {
        let mut reader = Reader::new(body, 0);
        let (max_stack, max_locals) = (reader.u16()?, reader.u16()?);
        let bytecode = bytecode(&mut reader)?;
        let length = bytecode.len();
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
        let attributes = Attributes::read(&mut reader, pool)?;
        if reader.remaining() != 0 {
            return Err(ClassError::BadAttribute {
                at: reader.at(),
                reason: "bytes after the end of the code",
            });
        }
        let (mut line_table, mut more_line_tables) = (None, Vec::new());
        for attribute in attributes {
            if pool.utf8(attribute.name)? == b"LineNumberTable" {
                check_lines(&attribute)?;
                match line_table {
                    None => line_table = Some(attribute),
                    Some(_) => more_line_tables.push(attribute),
                }
            }
        }
        Ok(Self {
            max_stack,
            max_locals,
            bytecode,
            exceptions,
            attributes,
            line_table,
            more_line_tables,
            lines: OnceCell::new(),
        })
    }

    /// Only the bytecode in the body of a Code attribute.
    pub fn bytecode_in(body: &'a [u8]) -> Result<&'a [u8], ClassError> {
        bytecode(&mut Reader::new(body, 4))
    }

    /// All instructions in order; they cover the code exactly.
    pub fn instructions(&self) -> Result<Vec<Insn>, ClassError> {
        let mut instructions = Vec::new();
        self.instructions_into(&mut instructions)?;
        Ok(instructions)
    }

    /// The same in memory that was used before.
    pub fn instructions_into(&self, out: &mut Vec<Insn>) -> Result<(), ClassError> {
        out.clear();
        // So that no room has to be made in between.
        out.reserve(self.bytecode.len());
        for instruction in Instructions::new(self.bytecode) {
            out.push(instruction?);
        }
        Ok(())
    }

    fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| {
            let mut entries = Vec::new();
            for table in self.line_table.iter().chain(&self.more_line_tables) {
                let (rows, _) = table.body.get(2..).unwrap_or_default().as_chunks::<4>();
                entries.extend(
                    rows.iter()
                        .map(|[a, b, c, d]| (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]))),
                );
            }
            Lines {
                is_sorted: entries.is_sorted_by_key(|(start, _)| *start),
                entries,
            }
        })
    }

    /// The source line of `pc`, 0 if none is known: the entry with the greatest start at or before `pc`, of
    /// several the last (JVMS 4.7.12: entries in any order, several tables per method).
    pub fn line_at(&self, pc: u32) -> u16 {
        let Lines { entries, is_sorted } = self.lines();
        let begun = |(start, _): &(u16, u16)| u32::from(*start) <= pc;
        let entry = if *is_sorted {
            let next = entries.partition_point(begun);
            next.checked_sub(1).and_then(|last| entries.get(last))
        } else {
            let begun = entries.iter().filter(|entry| begun(entry));
            begun.max_by_key(|(start, _)| *start)
        };
        entry.map_or(0, |(_, line)| *line)
    }
}

/// The bytecode from its length on.
fn bytecode<'a>(reader: &mut Reader<'a>) -> Result<&'a [u8], ClassError> {
    let length = reader.u32()? as usize;
    if length == 0 || length > 65535 {
        return Err(ClassError::BadCode {
            pc: 0,
            reason: "code must have 1 to 65535 bytes",
        });
    }
    reader.take(length)
}

fn check_lines(attribute: &Attribute<'_>) -> Result<(), ClassError> {
    if attribute.body.len() == 2 + 4 * usize::from(u16_at(attribute.body, 0)?) {
        Ok(())
    } else {
        Err(ClassError::BadAttribute {
            at: attribute.at,
            reason: "line numbers of the wrong length",
        })
    }
}
