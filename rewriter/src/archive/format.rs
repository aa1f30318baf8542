//! The zip format, field by field: signatures, extra fields, and records written anew.
//!
//! Section numbers are those of PKWARE's APPNOTE.TXT 6.3.

use super::error::Cause;

pub(super) const LOCAL_SIGNATURE: u32 = 0x0403_4b50;
pub(super) const CENTRAL_SIGNATURE: u32 = 0x0201_4b50;
pub(super) const END_SIGNATURE: u32 = 0x0605_4b50;
pub(super) const END64_SIGNATURE: u32 = 0x0606_4b50;
pub(super) const LOCATOR64_SIGNATURE: u32 = 0x0706_4b50;
pub(super) const DESCRIPTOR_SIGNATURE: u32 = 0x0807_4b50;
/// 4.3.13: follows the last central record; worthless once anything changed.
pub(super) const DIGITAL_SIGNATURE: u32 = 0x0505_4b50;

pub(super) const LOCAL_LEN: usize = 30;
pub(super) const CENTRAL_LEN: usize = 46;
pub(super) const END_LEN: usize = 22;
pub(super) const END64_LEN: usize = 56;
pub(super) const LOCATOR64_LEN: usize = 20;

pub(super) const FLAG_ENCRYPTED: u16 = 1;
/// 4.4.4 bit 3: sizes and crc follow the data.
pub(super) const FLAG_DESCRIPTOR: u16 = 1 << 3;
/// 4.4.4 bit 5: patched data; bit 6: strong encryption; bit 13: masked headers.
pub(super) const FLAGS_OPAQUE: u16 = FLAG_ENCRYPTED | 1 << 5 | 1 << 6 | 1 << 13;
pub(super) const FLAG_UTF8: u16 = 1 << 11;

/// 4.4.1.4: "look in the zip64 field instead".
pub(super) const MAX32: u64 = 0xffff_ffff;
pub(super) const MAX16: u64 = 0xffff;
const EXTRA_ZIP64: u16 = 1;
const VERSION_ZIP64: u16 = 45;

/// 1980-01-01 00:00:00, the earliest DOS date.
const DOS_EPOCH: (u16, u16) = (0, 0x21);

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    if let Some(place) = bytes.get_mut(at..at + value.len()) {
        place.copy_from_slice(value);
    }
}

/// The fields of an extra block as (id, whole field); what does not parse (alignment padding) comes last, as
/// `None`.
pub(super) fn extras(mut block: &[u8]) -> impl Iterator<Item = (Option<u16>, &[u8])> {
    std::iter::from_fn(move || {
        if block.is_empty() {
            return None;
        }
        let field = u16_at(block, 0).zip(u16_at(block, 2)).and_then(|(id, len)| {
            let (field, rest) = block.split_at_checked(4 + usize::from(len))?;
            Some((id, field, rest))
        });
        match field {
            Some((id, field, rest)) => {
                block = rest;
                Some((Some(id), field))
            }
            None => Some((None, std::mem::take(&mut block))),
        }
    })
}

/// Sizes and offset as an entry's record declares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub size: u64,
    pub compressed: u64,
    pub offset: u64,
}

impl Numbers {
    /// From a central record and its extra block (4.5.3: the zip64 field holds, in this order, those values
    /// whose 32-bit field is all ones).
    pub fn of_central(record: &[u8], extra: &[u8]) -> Result<Self, Cause> {
        let short = Cause::BadRecord("cut off");
        let (Some(compressed), Some(size), Some(offset)) =
            (u32_at(record, 20), u32_at(record, 24), u32_at(record, 42))
        else {
            return Err(short);
        };
        let mut numbers = Numbers {
            size: size.into(),
            compressed: compressed.into(),
            offset: offset.into(),
        };
        if let Some((_, field)) = extras(extra).find(|(id, _)| *id == Some(EXTRA_ZIP64)) {
            let mut at = 4;
            for value in [&mut numbers.size, &mut numbers.compressed, &mut numbers.offset] {
                if *value == MAX32 {
                    *value = u64_at(field, at).ok_or(Cause::BadRecord("zip64 field is too short"))?;
                    at += 8;
                }
            }
        }
        Ok(numbers)
    }
}

/// `extra` with its zip64 field replaced by one with `values`, in its place; without it if there are none.
fn with_zip64(extra: &[u8], values: &[u64]) -> Vec<u8> {
    let mut field = Vec::new();
    if !values.is_empty() {
        field.extend(EXTRA_ZIP64.to_le_bytes());
        field.extend((values.len() as u16 * 8).to_le_bytes());
        values.iter().for_each(|value| field.extend(value.to_le_bytes()));
    }
    let mut out = Vec::with_capacity(extra.len() + field.len());
    if !extras(extra).any(|(id, _)| id == Some(EXTRA_ZIP64)) {
        out.append(&mut field);
    }
    for (id, bytes) in extras(extra) {
        match id {
            Some(EXTRA_ZIP64) => out.append(&mut field),
            _ => out.extend_from_slice(bytes),
        }
    }
    out
}

/// A 32-bit field's value: all ones when the number has to go to the zip64 field.
fn field32(value: u64) -> [u8; 4] {
    (value.min(MAX32) as u32).to_le_bytes()
}

fn raise_version(record: &mut [u8], at: usize) {
    let version = u16_at(record, at).unwrap_or(0);
    // 4.4.3.2: the upper byte of "version needed" means nothing that a comparison must respect.
    if version & 0xff < VERSION_ZIP64 {
        put(record, at, &(version & 0xff00 | VERSION_ZIP64).to_le_bytes());
    }
}

/// What is new about an entry whose content changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Changed {
    pub crc: u32,
    pub size: u64,
    pub compressed: u64,
}

/// A local header (with name and extra) for changed content; everything else as in `old`. Sizes are known by
/// now, so bit 3 is cleared and no descriptor follows.
pub(super) fn local_header(old: &[u8], changed: &Changed) -> Result<Vec<u8>, Cause> {
    let cut = || Cause::BadRecord("local header is too short");
    let name_len = usize::from(u16_at(old, 26).ok_or_else(cut)?);
    let (fixed, rest) = old.split_at_checked(LOCAL_LEN).ok_or_else(cut)?;
    let (name, extra) = rest.split_at_checked(name_len).ok_or_else(cut)?;
    // 4.5.3: in a local header the zip64 field must hold both sizes.
    let large = changed.size >= MAX32 || changed.compressed >= MAX32;
    let extra = if large {
        with_zip64(extra, &[changed.size, changed.compressed])
    } else {
        with_zip64(extra, &[])
    };
    let extra_len = u16::try_from(extra.len()).map_err(|_| Cause::BadRecord("extra field is full"))?;
    let mut out = Vec::with_capacity(LOCAL_LEN + name.len() + extra.len());
    out.extend_from_slice(fixed);
    clear_descriptor(&mut out, 6);
    put(&mut out, 14, &changed.crc.to_le_bytes());
    put(
        &mut out,
        18,
        &field32(if large { MAX32 } else { changed.compressed }),
    );
    put(&mut out, 22, &field32(if large { MAX32 } else { changed.size }));
    put(&mut out, 28, &extra_len.to_le_bytes());
    if large {
        raise_version(&mut out, 4);
    }
    out.extend_from_slice(name);
    out.extend_from_slice(&extra);
    Ok(out)
}

fn clear_descriptor(record: &mut [u8], at: usize) {
    let flags = u16_at(record, at).unwrap_or(0);
    put(record, at, &(flags & !FLAG_DESCRIPTOR).to_le_bytes());
}

/// Appends `old` (a whole central record) at a new `offset`, and with new content if `changed`. A value that
/// stood in the zip64 field stays there, so that the record of an unmoved entry keeps its bytes.
pub(super) fn central_record(
    out: &mut Vec<u8>,
    old: &[u8],
    offset: u64,
    changed: Option<&Changed>,
) -> Result<(), Cause> {
    let cut = || Cause::BadRecord("cut off");
    let name_len = usize::from(u16_at(old, 28).ok_or_else(cut)?);
    let extra_len = usize::from(u16_at(old, 30).ok_or_else(cut)?);
    let (fixed, rest) = old.split_at_checked(CENTRAL_LEN).ok_or_else(cut)?;
    let (name, rest) = rest.split_at_checked(name_len).ok_or_else(cut)?;
    let (extra, comment) = rest.split_at_checked(extra_len).ok_or_else(cut)?;
    let numbers = Numbers::of_central(old, extra)?;
    let has_zip64 = extras(extra).any(|(id, _)| id == Some(EXTRA_ZIP64));
    let was_long = |at| has_zip64 && u32_at(old, at) == Some(u32::MAX);

    let (size, compressed) = changed.map_or((numbers.size, numbers.compressed), |c| (c.size, c.compressed));
    let same = changed.is_none();
    let size_long = size >= MAX32 || same && was_long(24);
    let compressed_long = compressed >= MAX32 || same && was_long(20);
    let offset_long = offset >= MAX32 || same && was_long(42);
    // 4.5.3: this order.
    let values: Vec<u64> = [
        (size_long, size),
        (compressed_long, compressed),
        (offset_long, offset),
    ]
    .into_iter()
    .filter_map(|(long, value)| long.then_some(value))
    .collect();
    let extra = if same && values.is_empty() {
        extra.to_vec()
    } else {
        with_zip64(extra, &values)
    };
    let extra_len = u16::try_from(extra.len()).map_err(|_| Cause::BadRecord("extra field is full"))?;

    let at = out.len();
    out.extend_from_slice(fixed);
    let record = out.get_mut(at..).unwrap_or_default();
    if let Some(changed) = changed {
        clear_descriptor(record, 8);
        put(record, 16, &changed.crc.to_le_bytes());
    }
    put(
        record,
        20,
        &field32(if compressed_long { MAX32 } else { compressed }),
    );
    put(record, 24, &field32(if size_long { MAX32 } else { size }));
    put(record, 30, &extra_len.to_le_bytes());
    put(record, 42, &field32(if offset_long { MAX32 } else { offset }));
    if !values.is_empty() {
        raise_version(record, 6);
    }
    out.extend_from_slice(name);
    out.extend_from_slice(&extra);
    out.extend_from_slice(comment);
    Ok(())
}

/// Local and central record of an entry that was not there before, dated [`DOS_EPOCH`] so that the output
/// depends on nothing but the input. Made "by DOS" as the JDK's `jar` does: readers then choose their own
/// permissions.
pub(super) fn new_entry(name: &str, method: u16, new: &Changed) -> Result<(Vec<u8>, Vec<u8>), Cause> {
    const VERSION: u16 = 20;
    let name_len = u16::try_from(name.len()).map_err(|_| Cause::BadName)?;
    let flags = if name.is_ascii() { 0 } else { FLAG_UTF8 };
    // Sizes are put in by the functions that do so for changed entries.
    let mut common = Vec::new();
    for field in [VERSION, flags, method, DOS_EPOCH.0, DOS_EPOCH.1] {
        common.extend(field.to_le_bytes());
    }
    common.extend([0; 12]);
    common.extend(name_len.to_le_bytes());

    let mut local = LOCAL_SIGNATURE.to_le_bytes().to_vec();
    local.extend_from_slice(&common);
    local.extend([0; 2]);
    local.extend(name.bytes());

    let mut central = CENTRAL_SIGNATURE.to_le_bytes().to_vec();
    central.extend(VERSION.to_le_bytes());
    central.extend_from_slice(&common);
    central.resize(CENTRAL_LEN, 0);
    central.extend(name.bytes());
    Ok((local_header(&local, new)?, central))
}

/// The records after the last central one: zip64 ones if a number needs them (4.3.14 to 4.3.16), then the
/// end. `size` and `at` are the central directory's length and offset, `base` what offsets count from.
pub(super) fn end_records(count: u64, size: u64, at: u64, base: u64, comment: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    // 0xffff itself means "see zip64", so that many entries need it too.
    if count >= MAX16 || size >= MAX32 || at >= MAX32 {
        out.extend(END64_SIGNATURE.to_le_bytes());
        out.extend((END64_LEN as u64 - 12).to_le_bytes());
        out.extend(VERSION_ZIP64.to_le_bytes());
        out.extend(VERSION_ZIP64.to_le_bytes());
        out.extend([0; 8]);
        for value in [count, count, size, at] {
            out.extend(value.to_le_bytes());
        }
        out.extend(LOCATOR64_SIGNATURE.to_le_bytes());
        out.extend([0; 4]);
        // Counted from the very start of the file, prefix included: the JDK looks nowhere else.
        out.extend((base + at + size).to_le_bytes());
        out.extend(1u32.to_le_bytes());
    }
    out.extend(END_SIGNATURE.to_le_bytes());
    out.extend([0; 4]);
    let count = (count.min(MAX16) as u16).to_le_bytes();
    out.extend(count);
    out.extend(count);
    out.extend(field32(size));
    out.extend(field32(at));
    out.extend((comment.len() as u16).to_le_bytes());
    out.extend_from_slice(comment);
    out
}
