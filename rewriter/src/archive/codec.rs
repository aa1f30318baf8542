//! Deflate in and out, and the checks that make a lying entry an error instead of a surprise.

use std::cell::RefCell;

use libdeflater::{CompressionLvl, Compressor, DecompressionError, Decompressor};

use super::error::Cause;
use super::source::zeroed;

pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;

/// Deflate's best: 258 bytes from two bits (RFC 1951, 3.2.5 and 3.2.7). A higher ratio is a lie, refused
/// before memory is reserved for it.
const MAX_RATIO: u64 = 1032;

thread_local! {
    static INFLATER: RefCell<Option<Decompressor>> = const { RefCell::new(None) };
    /// With the level it was made for.
    static DEFLATER: RefCell<Option<(u8, Compressor)>> = const { RefCell::new(None) };
}

/// The content of an entry from its stored form; exactly `size` bytes with checksum `crc`.
pub(super) fn decode(data: Vec<u8>, method: u16, size: u64, crc: u32) -> Result<Vec<u8>, Cause> {
    let bytes = match method {
        STORED if data.len() as u64 == size => data,
        STORED => {
            return Err(Cause::Size {
                found: data.len() as u64,
                declared: size,
            });
        }
        DEFLATED => inflate(&data, size)?,
        other => return Err(Cause::Method(other)),
    };
    match crc32fast::hash(&bytes) {
        found if found == crc => Ok(bytes),
        found => Err(Cause::Crc { found, declared: crc }),
    }
}

fn inflate(data: &[u8], size: u64) -> Result<Vec<u8>, Cause> {
    let compressed = data.len() as u64;
    if size > compressed.saturating_mul(MAX_RATIO) {
        return Err(Cause::Implausible { size, compressed });
    }
    let mut bytes = zeroed(size).ok_or(Cause::Memory(size))?;
    let inflated = INFLATER.with_borrow_mut(|inflater| {
        inflater
            .get_or_insert_with(Decompressor::new)
            .deflate_decompress(data, &mut bytes)
    });
    match inflated {
        Ok(n) if n as u64 == size => Ok(bytes),
        Ok(n) => Err(Cause::Size {
            found: n as u64,
            declared: size,
        }),
        Err(DecompressionError::InsufficientSpace) => Err(Cause::TooLong(size)),
        Err(DecompressionError::BadData) => Err(Cause::Deflate),
    }
}

/// The stored form of `bytes`. The same bytes and level always give the same result.
pub(super) fn encode(bytes: Vec<u8>, method: u16, level: u8) -> Result<Vec<u8>, Cause> {
    if method == STORED {
        return Ok(bytes);
    }
    DEFLATER.with_borrow_mut(|slot| {
        if slot.as_ref().is_none_or(|(made_for, _)| *made_for != level) {
            let lvl = CompressionLvl::new(i32::from(level)).map_err(|_| Cause::Level(level))?;
            *slot = Some((level, Compressor::new(lvl)));
        }
        let Some((_, deflater)) = slot else {
            return Err(Cause::Level(level));
        };
        let bound = deflater.deflate_compress_bound(bytes.len());
        let mut out = zeroed(bound as u64).ok_or(Cause::Memory(bound as u64))?;
        // The bound is libdeflate's own promise, so running out of room can only mean a broken library.
        let n = deflater
            .deflate_compress(&bytes, &mut out)
            .map_err(|_| Cause::Memory(bound as u64))?;
        out.truncate(n);
        Ok(out)
    })
}

pub(super) fn check_level(level: u8) -> Result<(), Cause> {
    CompressionLvl::new(i32::from(level))
        .map(drop)
        .map_err(|_| Cause::Level(level))
}
