//! StackMapTable (JVMS 4.7.4): frames move with the code they stand at.
//!
//! Put-in code is stack-neutral and frames stand where branches land, so their contents stay: only offset
//! deltas change, and a frame kind whose delta no longer fits is promoted. Only a method with islands (see
//! [`super::islands`]) or lasting variables has its frames expanded, since a frame is written relative to the one before
//! it.

use std::collections::BTreeMap;

use super::bytes::{Reader, count, push_u16, put_u16};
use super::edit::TailFrame;
use super::layout::Layout;
use super::{ClassError, Code, Pool};

/// A verification_type_info.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerificationType {
    Top,
    Integer,
    Float,
    /// Takes two slots but stands once in a frame.
    Double,
    /// Takes two slots but stands once in a frame.
    Long,
    Null,
    UninitializedThis,
    /// Index of a Class constant.
    Object(u16),
    /// The pc of the `new` instruction.
    Uninitialized(u16),
}

impl VerificationType {
    /// Local variables that a value of this type takes.
    pub fn slots(self) -> usize {
        match self {
            Self::Double | Self::Long => 2,
            _ => 1,
        }
    }
}

use VerificationType as Type;

const SAME_LOCALS_1_STACK_EXTENDED: u8 = 247;
const SAME_EXTENDED: u8 = 251;
const FULL: u8 = 255;

/// The StackMapTable of a method's code.
#[derive(Debug, Clone, Copy)]
pub struct FrameTable<'a> {
    pub name: u16,
    body: &'a [u8],
}

type Frame = TailFrame;

fn bad(pc: u32, reason: &'static str) -> ClassError {
    ClassError::BadCode { pc, reason }
}

impl<'a> FrameTable<'a> {
    pub fn find(code: &Code<'a>, pool: &Pool<'a>) -> Result<Option<Self>, ClassError> {
        let mut found = None;
        for attribute in code.attributes {
            if pool.utf8(attribute.name)? == b"StackMapTable" {
                if found.is_some() {
                    return Err(bad(0, "two StackMapTables"));
                }
                found = Some(Self {
                    name: attribute.name,
                    body: attribute.body,
                });
            }
        }
        Ok(found)
    }

    /// Calls `each` with kind, old pc and a reader at the frame's types, which it must read.
    fn walk(
        &self,
        mut each: impl FnMut(u8, u32, &mut Reader<'a>) -> Result<(), ClassError>,
    ) -> Result<u16, ClassError> {
        let mut reader = Reader::new(self.body, 0);
        let frames = reader.u16()?;
        // The first frame stands at its delta, each other one byte further than its delta says.
        let mut next = 0;
        for _ in 0..frames {
            let kind = reader.u8()?;
            let delta = match kind {
                0..=63 => u32::from(kind),
                64..=127 => u32::from(kind - 64),
                SAME_LOCALS_1_STACK_EXTENDED..=FULL => u32::from(reader.u16()?),
                _ => return Err(bad(next, "reserved kind of stack map frame")),
            };
            let pc = next + delta;
            each(kind, pc, &mut reader)?;
            next = pc + 1;
        }
        if reader.remaining() != 0 {
            return Err(bad(next, "bytes after the last stack map frame"));
        }
        Ok(frames)
    }

    /// The pcs that have a frame, in order.
    pub fn pcs(&self) -> Result<Vec<u32>, ClassError> {
        let mut pcs = Vec::new();
        self.walk(|kind, pc, reader| {
            pcs.push(pc);
            each_list(kind, reader, |reader, types| {
                (0..types).try_for_each(|_| read_type(reader).map(|_| ()))
            })
        })?;
        Ok(pcs)
    }

    /// All frames in full, from the locals at the method's entry on.
    pub(super) fn expand(&self, mut locals: Vec<Type>) -> Result<BTreeMap<u32, Frame>, ClassError> {
        let mut frames = BTreeMap::new();
        self.walk(|kind, pc, reader| {
            let mut stack = Vec::new();
            next_frame(kind, pc, reader, &mut locals, &mut stack)?;
            let locals = locals.clone();
            frames.insert(pc, Frame { locals, stack });
            Ok(())
        })?;
        Ok(frames)
    }

    /// The locals of the last frame at or before `pc`, and where it stands; without one those at the method's entry.
    pub(super) fn locals_before(
        &self,
        wanted: u32,
        mut locals: Vec<Type>,
    ) -> Result<(u32, Vec<Type>), ClassError> {
        let (mut at, mut found, mut stack) = (0, None, Vec::new());
        self.walk(|kind, pc, reader| {
            if pc > wanted && found.is_none() {
                found = Some(locals.clone());
            }
            if pc <= wanted {
                at = pc;
            }
            stack.clear();
            next_frame(kind, pc, reader, &mut locals, &mut stack)
        })?;
        Ok((at, found.unwrap_or(locals)))
    }
}

/// Reads the types of a frame: `locals` are those of the frame before it, and then its own.
fn next_frame(
    kind: u8,
    pc: u32,
    reader: &mut Reader<'_>,
    locals: &mut Vec<Type>,
    stack: &mut Vec<Type>,
) -> Result<(), ClassError> {
    match kind {
        64..=127 | SAME_LOCALS_1_STACK_EXTENDED => stack.push(read_type(reader)?),
        248..=250 => {
            let left = locals.len().checked_sub(usize::from(SAME_EXTENDED - kind));
            locals.truncate(left.ok_or_else(|| bad(pc, "frame chops locals that are not there"))?);
        }
        252..=254 => {
            for _ in 0..kind - SAME_EXTENDED {
                locals.push(read_type(reader)?);
            }
        }
        FULL => {
            for list in [locals, stack] {
                list.clear();
                for _ in 0..reader.u16()? {
                    list.push(read_type(reader)?);
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Calls `each` for every list of types in a frame of this kind, with its length; `each` must read it.
#[inline]
fn each_list<'a>(
    kind: u8,
    reader: &mut Reader<'a>,
    mut each: impl FnMut(&mut Reader<'a>, u16) -> Result<(), ClassError>,
) -> Result<(), ClassError> {
    match kind {
        64..=127 | SAME_LOCALS_1_STACK_EXTENDED => each(reader, 1),
        252..=254 => each(reader, u16::from(kind - SAME_EXTENDED)),
        FULL => {
            for _ in ["locals", "stack"] {
                let types = reader.u16()?;
                each(reader, types)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn read_type(reader: &mut Reader<'_>) -> Result<Type, ClassError> {
    Ok(match reader.u8()? {
        0 => Type::Top,
        1 => Type::Integer,
        2 => Type::Float,
        3 => Type::Double,
        4 => Type::Long,
        5 => Type::Null,
        6 => Type::UninitializedThis,
        7 => Type::Object(reader.u16()?),
        8 => Type::Uninitialized(reader.u16()?),
        _ => return Err(bad(0, "unknown verification type")),
    })
}

fn write_type(value: Type, layout: &Layout, out: &mut Vec<u8>) -> Result<(), ClassError> {
    match value {
        Type::Top => out.push(0),
        Type::Integer => out.push(1),
        Type::Float => out.push(2),
        Type::Double => out.push(3),
        Type::Long => out.push(4),
        Type::Null => out.push(5),
        Type::UninitializedThis => out.push(6),
        Type::Object(class) => {
            out.push(7);
            push_u16(out, class);
        }
        Type::Uninitialized(pc) => {
            out.push(8);
            push_u16(out, narrow(layout.own(u32::from(pc))?)?);
        }
    }
    Ok(())
}

/// A place in code of at most 65535 bytes.
#[inline]
pub(super) fn narrow(place: u32) -> Result<u16, ClassError> {
    u16::try_from(place).map_err(|_| ClassError::CodeTooLarge {
        length: place as usize,
    })
}

/// Writes frames one after the other.
struct Writer<'l> {
    layout: &'l Layout,
    /// The lowest place that the next frame may have.
    next: u32,
    written: usize,
}

impl Writer<'_> {
    fn delta(&mut self, place: u32) -> Result<u16, ClassError> {
        let delta = place
            .checked_sub(self.next)
            .ok_or_else(|| bad(place, "two frames at one place"))?;
        self.next = place + 1;
        self.written += 1;
        narrow(delta)
    }

    fn full(&mut self, place: u32, frame: &Frame, out: &mut Vec<u8>) -> Result<(), ClassError> {
        out.push(FULL);
        push_u16(out, self.delta(place)?);
        for list in [&frame.locals, &frame.stack] {
            push_u16(out, count(list.len(), "types in a frame")?);
            for value in list {
                write_type(*value, self.layout, out)?;
            }
        }
        Ok(())
    }

    /// A frame as it stood, at its new place.
    fn moved(
        &mut self,
        kind: u8,
        pc: u32,
        reader: &mut Reader<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), ClassError> {
        let place = self.layout.landing(pc)?;
        let delta = self.delta(place)?;
        let (short, extended) = match kind {
            0..=63 => (Some(0), SAME_EXTENDED),
            64..=127 => (Some(64), SAME_LOCALS_1_STACK_EXTENDED),
            _ => (None, kind),
        };
        match short {
            Some(base) if delta <= 63 => out.push(base + delta as u8),
            _ => {
                out.push(extended);
                push_u16(out, delta);
            }
        }
        each_list(kind, reader, |reader, types| {
            if kind == FULL {
                push_u16(out, types);
            }
            (0..types).try_for_each(|_| copy_type(reader, self.layout, out))
        })
    }
}

/// A type as it stood; only that of an uninitialized object names a place.
fn copy_type(reader: &mut Reader<'_>, layout: &Layout, out: &mut Vec<u8>) -> Result<(), ClassError> {
    let mut ahead = *reader;
    match ahead.u8()? {
        0..=6 => out.push(reader.u8()?),
        7 => out.extend_from_slice(reader.take(3)?),
        _ => write_type(read_type(reader)?, layout, out)?,
    }
    Ok(())
}

/// Shows variables that lie above all of the method's own.
fn show(lasting: &[(u16, Type)], locals: &mut Vec<Type>) {
    for (variable, kind) in lasting {
        let (mut slot, mut at) = (0, 0);
        while slot < usize::from(*variable) {
            match locals.get(at) {
                Some(local) => slot += local.slots(),
                None => {
                    locals.push(Type::Top);
                    slot += 1;
                }
            }
            at += 1;
        }
        match locals.get_mut(at) {
            Some(local) => *local = *kind,
            None => locals.push(*kind),
        }
    }
}

/// What a table gets beyond the frames it had.
pub struct Added<'e> {
    /// The locals at the method's entry, where frames have to be expanded.
    pub base: Option<Vec<Type>>,
    /// Variables that every frame shows. With any of these there is a `base`.
    pub lasting: &'e [(u16, Type)],
    /// Places of the new code that have the frame of an old pc. With any of these there is a `base`.
    pub repeated: &'e [(u32, u32)],
    /// One for each appended piece.
    pub tails: &'e [(u32, TailFrame)],
}

/// Writes the body of the new table: the moved frames, and those that are added.
pub fn write(
    table: Option<&FrameTable<'_>>,
    layout: &Layout,
    added: Added<'_>,
    out: &mut Vec<u8>,
) -> Result<(), ClassError> {
    let Added {
        base,
        lasting,
        repeated,
        tails,
    } = added;
    let count_at = out.len();
    push_u16(out, 0);
    let mut writer = Writer {
        layout,
        next: 0,
        written: 0,
    };
    match (table, base) {
        (Some(table), None) => {
            table.walk(|kind, pc, reader| writer.moved(kind, pc, reader, out))?;
        }
        (Some(table), Some(base)) => {
            let mut frames = table.expand(base)?;
            frames
                .values_mut()
                .for_each(|frame| show(lasting, &mut frame.locals));
            let mut placed = BTreeMap::new();
            for (pc, frame) in &frames {
                placed.insert(layout.landing(*pc)?, frame);
            }
            for ((_, target), place) in &layout.islands {
                let frame = frames.get(target).ok_or(ClassError::NeedsFrame { pc: *target })?;
                placed.insert(*place, frame);
            }
            for (place, pc) in repeated {
                let frame = frames.get(pc).ok_or(ClassError::NeedsFrame { pc: *pc })?;
                placed.insert(*place, frame);
            }
            for (place, frame) in placed {
                writer.full(place, frame, out)?;
            }
        }
        (None, _) => {}
    }
    for (offset, frame) in tails {
        let mut frame = frame.clone();
        show(lasting, &mut frame.locals);
        writer.full(layout.end + offset, &frame, out)?;
    }
    put_u16(out, count_at, count(writer.written, "stack map frames")?)
}
