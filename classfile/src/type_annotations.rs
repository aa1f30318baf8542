//! Runtime(In)visibleTypeAnnotations of code (JVMS 4.7.20): the targets that name pcs, patched in place.
//!
//! No Java virtual machine checks these when it loads a class, so an attribute that cannot be read is left
//! as it stands.

use super::ClassError;
use super::bytes::{Reader, put_u16};
use super::layout::Layout;
use super::tables::{Exceptions, range};

/// What stands at a position in the attribute.
enum Patch {
    /// The pc of an instruction.
    Offset(usize),
    /// A start_pc and a length.
    Range(usize),
    /// An index into the exception table.
    Exception(usize),
}

pub fn relocate(body: &mut [u8], layout: &Layout, exceptions: &Exceptions) {
    if let Ok(patches) = find(body) {
        for patch in patches {
            // A pc that is none stays what it was.
            let _ = apply(body, patch, layout, exceptions);
        }
    }
}

fn apply(body: &mut [u8], patch: Patch, layout: &Layout, exceptions: &Exceptions) -> Result<(), ClassError> {
    match patch {
        Patch::Offset(at) => {
            let place = layout.own(u32::from(super::bytes::u16_at(body, at)?))?;
            let narrow = u16::try_from(place).map_err(|_| ClassError::CodeTooLarge {
                length: place as usize,
            })?;
            put_u16(body, at, narrow)
        }
        Patch::Range(at) => range(body, at, layout),
        Patch::Exception(at) => {
            let index = super::bytes::u16_at(body, at)?;
            put_u16(body, at, exceptions.new_index(index))
        }
    }
}

fn find(body: &[u8]) -> Result<Vec<Patch>, ClassError> {
    let mut reader = Reader::new(body, 0);
    let mut patches = Vec::new();
    for _ in 0..reader.u16()? {
        target(&mut reader, &mut patches)?;
        let path = usize::from(reader.u8()?);
        reader.skip(path * 2)?;
        annotation(&mut reader, 0)?;
    }
    if reader.remaining() == 0 {
        Ok(patches)
    } else {
        Err(malformed(&reader))
    }
}

fn malformed(reader: &Reader<'_>) -> ClassError {
    ClassError::BadAttribute {
        at: reader.at(),
        reason: "malformed type annotation",
    }
}

/// target_type and target_info (JVMS tables 4.7.20-A and -B).
fn target(reader: &mut Reader<'_>, patches: &mut Vec<Patch>) -> Result<(), ClassError> {
    match reader.u8()? {
        0x00 | 0x01 | 0x16 => reader.skip(1),
        0x10..=0x12 | 0x17 => reader.skip(2),
        0x13..=0x15 => Ok(()),
        0x40 | 0x41 => {
            for _ in 0..reader.u16()? {
                patches.push(Patch::Range(reader.at()));
                reader.skip(6)?;
            }
            Ok(())
        }
        0x42 => {
            patches.push(Patch::Exception(reader.at()));
            reader.skip(2)
        }
        0x43..=0x46 => {
            patches.push(Patch::Offset(reader.at()));
            reader.skip(2)
        }
        0x47..=0x4B => {
            patches.push(Patch::Offset(reader.at()));
            reader.skip(3)
        }
        _ => Err(malformed(reader)),
    }
}

/// type_index and element_value_pairs.
pub(super) fn annotation(reader: &mut Reader<'_>, depth: u32) -> Result<(), ClassError> {
    reader.skip(2)?;
    for _ in 0..reader.u16()? {
        reader.skip(2)?;
        element(reader, depth)?;
    }
    Ok(())
}

/// element_value (JVMS 4.7.16.1).
fn element(reader: &mut Reader<'_>, depth: u32) -> Result<(), ClassError> {
    // Arrays and annotations nest; nobody nests them this deep, and a stack overflow is no error message.
    if depth > 64 {
        return Err(malformed(reader));
    }
    match reader.u8()? {
        b'e' => reader.skip(4),
        b'@' => annotation(reader, depth + 1),
        b'[' => {
            for _ in 0..reader.u16()? {
                element(reader, depth + 1)?;
            }
            Ok(())
        }
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => reader.skip(2),
        _ => Err(malformed(reader)),
    }
}
