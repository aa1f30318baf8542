//! Finding and reading a zip's central directory, and where each entry's bytes lie.
//!
//! In: a [`Source`]. Out: a [`Directory`] whose every range is known to lie inside the source and to overlap
//! no other. Nothing here trusts a number of the file. Section numbers are APPNOTE.TXT's.

use std::ops::Range;

use rayon::prelude::*;

use super::error::{ArchiveError, Cause};
use super::format::*;
use super::names::readable;
use super::source::Source;

#[derive(Debug)]
pub(super) struct Directory {
    /// Where the central records are in the source. They are read once more when they are written: until then nobody needs
    /// them but for what is in `records`.
    central: Range<u64>,
    /// In the order of the central directory.
    pub records: Vec<Record>,
    /// Indices of `records` in the order of their data: what a streaming reader sees, and it may differ.
    pub physical: Vec<usize>,
    /// What offsets count from: an executable jar's script may or may not be counted.
    pub base: u64,
    /// Length of what stands before the first entry.
    pub prefix: u64,
    pub comment: Vec<u8>,
    /// What follows the end record and its comment (should be nothing).
    pub tail: Range<u64>,
}

/// One central record and the place of its data.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// In [the central records](Directory::central).
    pub central: Range<usize>,
    pub flags: u16,
    pub method: u16,
    pub crc: u32,
    pub size: u64,
    pub compressed: u64,
    /// Of the local header, in the source.
    pub offset: u64,
    /// Of the local header with name and extra.
    pub local_len: u64,
    pub descriptor_len: u64,
}

impl Record {
    pub fn data(&self) -> u64 {
        self.offset + self.local_len
    }

    pub fn end(&self) -> u64 {
        self.data() + self.compressed + self.descriptor_len
    }

    /// The name's bytes; empty if `central` is not the directory it came from.
    pub fn raw_name<'a>(&self, central: &'a [u8]) -> &'a [u8] {
        name_in(central.get(self.central.clone()).unwrap_or_default())
    }
}

/// The name's bytes in a central record.
pub(super) fn name_in(record: &[u8]) -> &[u8] {
    let len = usize::from(u16_at(record, 28).unwrap_or(0));
    record.get(CENTRAL_LEN..CENTRAL_LEN + len).unwrap_or_default()
}

/// The end record with what it points to.
#[derive(Debug)]
struct End {
    directory: Range<u64>,
    base: u64,
    count: u64,
    /// Whether `count` is exact or its lower 16 bits.
    zip64: bool,
    comment: Vec<u8>,
    tail: u64,
}

/// Whether the source looks like a zip at all: what is not one is a resource that happens to be called
/// `.jar`.
pub(super) fn looks_like_zip(source: &Source) -> bool {
    starts_like_zip(source) || !matches!(find_end(source), Err(Fault::Cause(Cause::NotZip)))
}

fn starts_like_zip(source: &Source) -> bool {
    let mut start = [0; 4];
    source.read_at(0, &mut start).is_ok()
        && matches!(
            u32::from_le_bytes(start),
            LOCAL_SIGNATURE | END_SIGNATURE | END64_SIGNATURE
        )
}

impl Directory {
    /// With the central records as they are in the file. `location` is the source's own, for messages.
    pub fn read(source: &Source, location: &str) -> Result<(Self, Vec<u8>), ArchiveError> {
        let end = find_end(source).map_err(|fault| fault.at(location))?;
        let central = central_of(source, &end.directory, location)?;
        let parsed = parse(&central, end.base).map_err(|cause| ArchiveError::new(location, cause))?;
        check_count(parsed.len() as u64, &end).map_err(|cause| ArchiveError::new(location, cause))?;

        let limit = end.directory.start;
        let name = |record: &Record| format!("{location}!/{}", readable(record.raw_name(&central)));
        let located: Vec<_> = parsed
            .into_par_iter()
            .map(|mut record| match locate(&mut record, source, limit) {
                Ok(()) => Ok(record),
                Err(fault) => Err(fault.at(&name(&record))),
            })
            .collect();
        // Collected before the first error is taken, so that the same input always gives the same message.
        let records = located.into_iter().collect::<Result<Vec<_>, _>>()?;

        let mut physical: Vec<usize> = (0..records.len()).collect();
        physical.sort_by_key(|&index| records.get(index).map(|record| (record.offset, index)));
        let in_order: Vec<&Record> = physical.iter().filter_map(|&index| records.get(index)).collect();
        for pair in in_order.windows(2) {
            if let [before, after] = pair
                && before.end() > after.offset
            {
                let cause = Cause::Overlap {
                    offset: after.offset,
                    other: name(before),
                };
                return Err(ArchiveError::new(name(after), cause));
            }
        }
        let prefix = in_order.first().map_or(limit, |record| record.offset);
        let tail = end.tail..source.len();
        let directory = Directory {
            central: end.directory,
            records,
            physical,
            base: end.base,
            prefix,
            comment: end.comment,
            tail,
        };
        Ok((directory, central))
    }

    /// The central records, as they are in the file, whose source this is, of some of [`Directory::records`] that follow each other;
    /// and where they begin.
    pub fn central_of(
        &self,
        records: &[Record],
        source: &Source,
        location: &str,
    ) -> Result<(Vec<u8>, usize), ArchiveError> {
        let start = records.first().map_or(0, |first| first.central.start);
        let end = records.last().map_or(start, |last| last.central.end);
        let place = self.central.start + start as u64..self.central.start + end as u64;
        Ok((central_of(source, &place, location)?, start))
    }

    /// How long they are together.
    pub fn central_len(&self) -> u64 {
        self.central.end - self.central.start
    }
}

fn central_of(source: &Source, place: &Range<u64>, location: &str) -> Result<Vec<u8>, ArchiveError> {
    source
        .bytes(place.start, place.end - place.start)
        .map_err(|e| ArchiveError::io(location, "read the central directory", e))
}

fn check_count(found: u64, end: &End) -> Result<(), Cause> {
    // Old writers let a 16-bit count wrap around instead of using zip64; the JDK reads those too.
    let agrees = if end.zip64 {
        found == end.count
    } else {
        found & MAX16 == end.count
    };
    if agrees {
        Ok(())
    } else {
        Err(Cause::Count {
            found,
            declared: end.count,
        })
    }
}

/// A cause, or an I/O error still without a place.
enum Fault {
    Cause(Cause),
    Io(std::io::Error),
}

impl Fault {
    fn at(self, location: &str) -> ArchiveError {
        match self {
            Fault::Cause(cause) => ArchiveError::new(location, cause),
            Fault::Io(e) => ArchiveError::io(location, "read", e),
        }
    }
}

impl From<Cause> for Fault {
    fn from(cause: Cause) -> Self {
        Fault::Cause(cause)
    }
}

impl From<std::io::Error> for Fault {
    fn from(e: std::io::Error) -> Self {
        Fault::Io(e)
    }
}

/// 4.3.16: the end record is found by its signature, looking backwards over a comment of up to 65535 bytes.
/// The comment may itself contain the signature, so candidates whose comment ends exactly where the file ends
/// go first.
fn find_end(source: &Source) -> Result<End, Fault> {
    let window = source.len().min((END_LEN as u64) + MAX16);
    let start = source.len() - window;
    let bytes = source.bytes(start, window)?;
    let mut candidates = Vec::new();
    for at in (0..bytes.len().saturating_sub(END_LEN - 1)).rev() {
        if u32_at(&bytes, at) == Some(END_SIGNATURE) {
            let comment_len = usize::from(u16_at(&bytes, at + 20).unwrap_or(0));
            let end = at + END_LEN + comment_len;
            if end <= bytes.len() {
                candidates.push((at, end, end == bytes.len()));
            }
        }
    }
    candidates.sort_by_key(|(_, _, exact)| !exact);
    let mut first_fault = None;
    for (at, end, exact) in candidates {
        let record = bytes.get(at..end).unwrap_or_default();
        match read_end(source, record, start + at as u64) {
            // Bytes after the end are forgiven only where nothing else is odd: in a truncated fat jar the end
            // of a stored nested jar would otherwise pass for the end of the whole.
            Ok(found) if exact || found.base == 0 => return Ok(found),
            Ok(_) => {}
            Err(fault) if exact => _ = first_fault.get_or_insert(fault),
            Err(_) => {}
        }
    }
    Err(first_fault.unwrap_or(Fault::Cause(if starts_like_zip(source) {
        Cause::NoDirectory
    } else {
        Cause::NotZip
    })))
}

fn read_end(source: &Source, record: &[u8], at: u64) -> Result<End, Fault> {
    let cut = || Cause::BadEnd("cut off");
    let disk = u16_at(record, 4).ok_or_else(cut)?;
    let mut count = u64::from(u16_at(record, 10).ok_or_else(cut)?);
    let mut size = u64::from(u32_at(record, 12).ok_or_else(cut)?);
    let mut offset = u64::from(u32_at(record, 16).ok_or_else(cut)?);
    let comment = record.get(END_LEN..).unwrap_or_default().to_vec();
    let mut end = at;
    let end64 = read_end64(source, at)?.filter(|found| {
        // Present but not needed by some writers; then both must say the same.
        (count == MAX16 || count == found.count)
            && (size == MAX32 || size == found.size)
            && (offset == MAX32 || offset == found.offset)
    });
    let zip64 = end64.is_some();
    if let Some(found) = end64 {
        (count, size, offset, end) = (found.count, found.size, found.offset, found.at);
    }
    if disk != 0 && !(zip64 && u64::from(disk) == MAX16) {
        return Err(Cause::Volumes.into());
    }
    let start = end
        .checked_sub(size)
        .ok_or(Cause::BadEnd("central directory is larger than the file"))?;
    let base = start
        .checked_sub(offset)
        .ok_or(Cause::BadEnd("central directory lies outside the file"))?;
    if size > 0 {
        let mut signature = [0; 4];
        let is_central = size >= CENTRAL_LEN as u64
            && source.read_at(start, &mut signature).is_ok()
            && u32::from_le_bytes(signature) == CENTRAL_SIGNATURE;
        if !is_central {
            return Err(Cause::BadEnd("no central directory where it should be").into());
        }
    }
    if base > 0 && starts_like_zip(source) {
        return Err(Cause::Uncovered.into());
    }
    let tail = at + record.len() as u64;
    Ok(End {
        directory: start..end,
        base,
        count,
        zip64,
        comment,
        tail,
    })
}

struct End64 {
    at: u64,
    count: u64,
    size: u64,
    offset: u64,
}

/// 4.3.14, 4.3.15: a locator may stand before the end record and point to the zip64 end record. Behind a
/// prefix the pointer may be off; the record then stands right before its locator.
fn read_end64(source: &Source, end: u64) -> Result<Option<End64>, Fault> {
    let Some(locator_at) = end.checked_sub(LOCATOR64_LEN as u64) else {
        return Ok(None);
    };
    let locator = source.bytes(locator_at, LOCATOR64_LEN as u64)?;
    if u32_at(&locator, 0) != Some(LOCATOR64_SIGNATURE) {
        return Ok(None);
    }
    let said = u64_at(&locator, 8);
    for at in said.into_iter().chain(locator_at.checked_sub(END64_LEN as u64)) {
        if at
            .checked_add(END64_LEN as u64)
            .is_none_or(|end| end > locator_at)
        {
            continue;
        }
        let record = source.bytes(at, END64_LEN as u64)?;
        if u32_at(&record, 0) == Some(END64_SIGNATURE)
            && let (Some(count), Some(size), Some(offset)) =
                (u64_at(&record, 32), u64_at(&record, 40), u64_at(&record, 48))
        {
            return Ok(Some(End64 {
                at,
                count,
                size,
                offset,
            }));
        }
    }
    Ok(None)
}

/// The records of a central directory.
fn parse(central: &[u8], base: u64) -> Result<Vec<Record>, Cause> {
    let mut records = Vec::new();
    let mut at = 0;
    while at < central.len() {
        let rest = central.get(at..).unwrap_or_default();
        match u32_at(rest, 0) {
            Some(CENTRAL_SIGNATURE) => {}
            Some(DIGITAL_SIGNATURE) => break,
            _ => return Err(Cause::BadRecord("no signature")),
        }
        let mut record = parse_record(rest, base)?;
        let len = record.central.end;
        record.central = at..at + len;
        at += len;
        records.push(record);
    }
    Ok(records)
}

/// The record at the start of `bytes`; its range and place are still to be set.
fn parse_record(bytes: &[u8], base: u64) -> Result<Record, Cause> {
    let cut = || Cause::BadRecord("cut off");
    let fixed = bytes.get(..CENTRAL_LEN).ok_or_else(cut)?;
    let len_at = |at| u16_at(fixed, at).map(usize::from).ok_or_else(cut);
    let extra_at = CENTRAL_LEN + len_at(28)?;
    let comment_at = extra_at + len_at(30)?;
    let len = comment_at + len_at(32)?;
    if len > bytes.len() {
        return Err(cut());
    }
    let extra = bytes.get(extra_at..comment_at).ok_or_else(cut)?;
    let numbers = Numbers::of_central(fixed, extra)?;
    Ok(Record {
        central: 0..len,
        flags: u16_at(fixed, 8).ok_or_else(cut)?,
        method: u16_at(fixed, 10).ok_or_else(cut)?,
        crc: u32_at(fixed, 16).ok_or_else(cut)?,
        size: numbers.size,
        compressed: numbers.compressed,
        offset: numbers
            .offset
            .checked_add(base)
            .ok_or(Cause::BadRecord("offset lies outside the file"))?,
        local_len: 0,
        descriptor_len: 0,
    })
}

/// Finds out how long the local header and the data descriptor are; all must end before `limit`, the
/// directory.
fn locate(record: &mut Record, source: &Source, limit: u64) -> Result<(), Fault> {
    let offset = record.offset;
    let bad = |why| Cause::BadLocal { offset, why };
    if offset.checked_add(LOCAL_LEN as u64).is_none_or(|end| end > limit) {
        return Err(bad("it lies outside the entries' part of the file").into());
    }
    let mut header = [0; LOCAL_LEN];
    source.read_at(offset, &mut header)?;
    let (Some(LOCAL_SIGNATURE), Some(flags), Some(name_len), Some(extra_len)) = (
        u32_at(&header, 0),
        u16_at(&header, 6),
        u16_at(&header, 26),
        u16_at(&header, 28),
    ) else {
        return Err(bad("no signature").into());
    };
    record.local_len = LOCAL_LEN as u64 + u64::from(name_len) + u64::from(extra_len);
    let end = (offset + record.local_len)
        .checked_add(record.compressed)
        .filter(|&end| end <= limit);
    let Some(end) = end else {
        return Err(bad("its data ends outside the entries' part of the file").into());
    };
    if (flags | record.flags) & FLAG_DESCRIPTOR != 0 {
        record.descriptor_len = descriptor_len(record, source, end, limit)?;
    }
    Ok(())
}

/// 4.3.9: a descriptor may or may not have a signature and 8-byte sizes; only comparing it with what the
/// directory says tells. None that fits: some writers set the bit and write none, and none is then what we
/// copy.
fn descriptor_len(record: &Record, source: &Source, at: u64, limit: u64) -> Result<u64, Fault> {
    let mut buffer = [0; 24];
    let n = (limit - at).min(buffer.len() as u64) as usize;
    let found = buffer.get_mut(..n).unwrap_or_default();
    source.read_at(at, found)?;
    let signature = DESCRIPTOR_SIGNATURE.to_le_bytes();
    let (compressed, size) = (record.compressed.to_le_bytes(), record.size.to_le_bytes());
    // Longest first: for an empty entry the short form is the beginning of the long one.
    for (signature, width) in [
        (&signature[..], 8),
        (&signature[..], 4),
        (&[][..], 8),
        (&[][..], 4),
    ] {
        if width == 4 && (record.compressed > MAX32 || record.size > MAX32) {
            continue;
        }
        let mut expected = signature.to_vec();
        expected.extend(record.crc.to_le_bytes());
        expected.extend(compressed.iter().take(width));
        expected.extend(size.iter().take(width));
        if found.starts_with(&expected) {
            return Ok(expected.len() as u64);
        }
    }
    Ok(0)
}
