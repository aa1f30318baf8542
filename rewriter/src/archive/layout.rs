//! Laying out a changed container: which bytes of the old one, which new ones, in which order.

use rustc_hash::FxHashMap;

use super::directory::Directory;
use super::error::{ArchiveError, Cause};
use super::format::{Changed, central_record, end_records, local_header, new_entry};
use super::pieces::Pieces;
use super::source::Source;

/// New content in its stored form.
#[derive(Debug)]
pub(super) struct Payload {
    pub data: Data,
    pub changed: Changed,
}

#[derive(Debug)]
pub(super) enum Data {
    /// As of every class: there may be many, so they need no list of their own.
    Span(Source),
    /// A nested container.
    Pieces(Box<Pieces>),
}

impl Data {
    fn append_to(self, pieces: &mut Pieces) {
        match self {
            Data::Span(source) => pieces.span(source),
            Data::Pieces(data) => pieces.append(*data),
        }
    }
}

/// What is different about a container.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// By entry index.
    pub replaced: FxHashMap<usize, Payload>,
    pub removed: Vec<usize>,
    /// Before all others: a manifest, which streaming readers look for only there.
    pub first: Vec<Added>,
    pub last: Vec<Added>,
}

#[derive(Debug)]
pub(super) struct Added {
    pub name: String,
    pub method: u16,
    pub payload: Payload,
}

/// So many central records are read at a time.
const STRIP: usize = 4096;

/// The changed container. Data is written in the order of the old data, records in the order of the old
/// records, so both who streams and who seeks see the old order; bytes that belong to no entry, other than a
/// prefix and what follows the end, are left out.
pub(super) fn lay_out(
    source: &Source,
    directory: &Directory,
    mut changes: Changes,
    location: &str,
) -> Result<Pieces, ArchiveError> {
    let fail = |cause| ArchiveError::new(location, cause);
    let read = |e| ArchiveError::io(location, "read", e);
    let slice = |at, len| {
        source
            .slice(at, len)
            .ok_or_else(|| fail(Cause::BadRecord("data outside the file")))
    };
    let mut pieces = Pieces::with_room(directory.records.len() + changes.replaced.len());
    pieces.span(slice(0, directory.prefix)?);
    let base = directory.base;
    let removed: rustc_hash::FxHashSet<usize> = changes.removed.into_iter().collect();

    let mut count = 0;
    // About as large as the old one. What has to grow is there twice for a while.
    let mut central_first = Vec::with_capacity(directory.central_len() as usize + 4096);
    let mut add = |pieces: &mut Pieces, central: &mut Vec<u8>, added: Added| {
        let offset = pieces.len() - base;
        let new = added.payload.changed;
        let (local, record) = new_entry(&added.name, added.method, &new)?;
        pieces.bytes(local);
        added.payload.data.append_to(pieces);
        count += 1;
        central_record(central, &record, offset, Some(&new))
    };
    for added in changes.first {
        add(&mut pieces, &mut central_first, added).map_err(fail)?;
    }
    let mut placed: Vec<Option<(u64, Option<Changed>)>> = vec![None; directory.records.len()];
    for &index in &directory.physical {
        let (Some(record), Some(place)) = (directory.records.get(index), placed.get_mut(index)) else {
            continue;
        };
        if removed.contains(&index) {
            continue;
        }
        let offset = pieces.len() - base;
        let changed = match changes.replaced.remove(&index) {
            Some(Payload { data, changed }) => {
                let old = source.bytes(record.offset, record.local_len).map_err(read)?;
                pieces.bytes(local_header(&old, &changed).map_err(fail)?);
                data.append_to(&mut pieces);
                Some(changed)
            }
            None => {
                pieces.span(slice(record.offset, record.end() - record.offset)?);
                None
            }
        };
        *place = Some((offset, changed));
    }
    let mut central_last = Vec::new();
    for added in changes.last {
        add(&mut pieces, &mut central_last, added).map_err(fail)?;
    }

    let mut central = central_first;
    // The rest is headers, of which there may be many.
    drop(changes.replaced);
    for (records, placed) in directory.records.chunks(STRIP).zip(placed.chunks(STRIP)) {
        let (old_central, start) = directory.central_of(records, source, location)?;
        for (record, place) in records.iter().zip(placed) {
            if let Some((offset, changed)) = place {
                let place = record.central.start - start..record.central.end - start;
                let old = old_central.get(place).unwrap_or_default();
                central_record(&mut central, old, *offset, changed.as_ref()).map_err(fail)?;
                count += 1;
            }
        }
    }
    central.append(&mut central_last);
    let at = pieces.len() - base;
    let size = central.len() as u64;
    pieces.bytes(central);
    pieces.bytes(end_records(count, size, at, base, &directory.comment));
    pieces.span(slice(
        directory.tail.start,
        directory.tail.end - directory.tail.start,
    )?);
    Ok(pieces)
}
