//! The tables of a Code attribute that name pcs: exceptions, line numbers, local variables.

use super::ClassError;
use super::bytes::{count, push_u16, put_u16, u16_at};
use super::edit::CodeEdit;
use super::layout::{ISLAND_LEN, Layout};

/// The relocated exception table.
pub struct Exceptions {
    /// start, end, handler, catch type.
    entries: Vec<[u16; 4]>,
    /// Old index → new index of each entry, if any has moved.
    moved: Option<Vec<u16>>,
}

/// The added entries that come before the old ones, or those that come after.
fn add_new(
    edit: &CodeEdit<'_, '_>,
    layout: &Layout,
    islands: &[(u32, u32)],
    first: bool,
    entries: &mut Vec<[u16; 4]>,
) -> Result<(), ClassError> {
    for entry in edit.exceptions.iter().filter(|entry| entry.first == first) {
        let [start, end, handler] =
            [entry.start, entry.end, entry.handler].map(|pos| layout.resolve(pos, edit));
        let (start, end, handler) = (start?, end?, handler?);
        if start >= end {
            return Err(ClassError::BadEdit {
                pc: 0,
                reason: "empty exception range",
            });
        }
        cut(start, end, islands, |start, end| {
            entries.push([narrow(start)?, narrow(end)?, narrow(handler)?, entry.catch_type]);
            Ok(())
        })?;
    }
    Ok(())
}

#[inline]
fn narrow(place: u32) -> Result<u16, ClassError> {
    u16::try_from(place).map_err(|_| ClassError::CodeTooLarge {
        length: place as usize,
    })
}

impl Exceptions {
    pub fn relocate(edit: &CodeEdit<'_, '_>, layout: &Layout) -> Result<Self, ClassError> {
        let islands: Vec<(u32, u32)> = match layout.islands.is_empty() {
            true => Vec::new(),
            false => layout
                .items
                .iter()
                .filter(|item| item.islands > 0)
                .map(|item| (item.start, item.start + item.islands * ISLAND_LEN))
                .collect(),
        };
        let mut entries = Vec::with_capacity(edit.code.exceptions.len() + edit.exceptions.len());
        let mut moved = Vec::new();
        add_new(edit, layout, &islands, true, &mut entries)?;
        let shifted = !islands.is_empty() || !entries.is_empty();
        for entry in &edit.code.exceptions {
            let start = layout.range_start(u32::from(entry.start))?;
            let end = layout.range_end(u32::from(entry.end))?;
            let handler = layout.landing(u32::from(entry.handler))?;
            if shifted {
                moved.push(count(entries.len(), "exception ranges")?);
            }
            cut(start, end, &islands, |start, end| {
                entries.push([narrow(start)?, narrow(end)?, narrow(handler)?, entry.catch_type]);
                Ok(())
            })?;
        }
        add_new(edit, layout, &islands, false, &mut entries)?;
        let moved = shifted.then_some(moved);
        Ok(Self { entries, moved })
    }

    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), ClassError> {
        push_u16(out, count(self.entries.len(), "exception ranges")?);
        for value in self.entries.iter().flatten() {
            push_u16(out, *value);
        }
        Ok(())
    }

    /// Where the old entry `index` went.
    pub fn new_index(&self, index: u16) -> u16 {
        self.moved
            .as_ref()
            .and_then(|moved| moved.get(usize::from(index)).copied())
            .unwrap_or(index)
    }
}

/// Cuts a range around the islands: their frame is that of another place, which need not suit the handler.
/// Nothing is lost, as a `goto_w` throws nothing.
fn cut(
    mut start: u32,
    end: u32,
    islands: &[(u32, u32)],
    mut each: impl FnMut(u32, u32) -> Result<(), ClassError>,
) -> Result<(), ClassError> {
    for (from, to) in islands {
        if *to <= start || *from >= end {
            continue;
        }
        if *from > start {
            each(start, *from)?;
        }
        start = *to;
    }
    if start < end { each(start, end) } else { Ok(()) }
}

/// The number of rows of `row` bytes in a table, which stands before them.
fn check_rows(body: &[u8], row: usize) -> Result<usize, ClassError> {
    let rows = usize::from(u16_at(body, 0)?);
    if body.len() != 2 + rows * row {
        return Err(ClassError::BadCode {
            pc: 0,
            reason: "debug table of the wrong length",
        });
    }
    Ok(rows)
}

/// LineNumberTable (JVMS 4.7.12), in place: start_pc, line.
pub fn line_numbers(body: &mut [u8], layout: &Layout) -> Result<(), ClassError> {
    check_rows(body, 4)?;
    let (entries, _) = body.get_mut(2..).unwrap_or_default().as_chunks_mut::<4>();
    for [high, low, ..] in entries {
        let start = u16::from_be_bytes([*high, *low]);
        let place = layout.lenient(u32::from(start), Layout::landing)?;
        [*high, *low] = narrow(place)?.to_be_bytes();
    }
    Ok(())
}

/// LocalVariableTable and LocalVariableTypeTable (JVMS 4.7.13), in place: start_pc, length, and six more.
pub fn local_variables(body: &mut [u8], layout: &Layout) -> Result<(), ClassError> {
    for nth in 0..check_rows(body, 10)? {
        range(body, 2 + nth * 10, layout)?;
    }
    Ok(())
}

/// A start_pc and a length.
pub fn range(body: &mut [u8], at: usize, layout: &Layout) -> Result<(), ClassError> {
    let (start, length) = (u16_at(body, at)?, u16_at(body, at + 2)?);
    let new_start = layout.lenient(u32::from(start), Layout::landing)?;
    let new_end = layout.lenient(u32::from(start) + u32::from(length), Layout::range_end)?;
    put_u16(body, at, narrow(new_start)?)?;
    // An empty range stays empty even if code was put right before its start.
    put_u16(body, at + 2, narrow(new_end.saturating_sub(new_start))?)
}
