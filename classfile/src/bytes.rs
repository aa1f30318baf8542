//! Big-endian reading and writing, with every bound checked.

use std::ops::Range;

use super::ClassError;

#[inline]
pub fn u16_at(bytes: &[u8], at: usize) -> Result<u16, ClassError> {
    match bytes.get(at..).and_then(|rest| rest.first_chunk::<2>()) {
        Some(raw) => Ok(u16::from_be_bytes(*raw)),
        None => Err(ClassError::Truncated { at }),
    }
}

#[inline]
pub fn u32_at(bytes: &[u8], at: usize) -> Result<u32, ClassError> {
    match bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
        Some(raw) => Ok(u32::from_be_bytes(*raw)),
        None => Err(ClassError::Truncated { at }),
    }
}

/// Overwrites two bytes that are known to be there; a position outside is an error, not a panic.
#[inline]
pub fn put_u16(bytes: &mut [u8], at: usize, value: u16) -> Result<(), ClassError> {
    match bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<2>()) {
        Some(raw) => {
            *raw = value.to_be_bytes();
            Ok(())
        }
        None => Err(ClassError::Truncated { at }),
    }
}

#[inline]
pub fn push_u16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

#[inline]
pub fn push_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}

/// Copies a range that mostly is no longer than [`SHORT`]: then so many bytes are copied, which takes an instruction or
/// two and no call, and those in front count.
#[inline]
pub fn push_short(out: &mut Vec<u8>, from: &[u8], range: Range<usize>) {
    let rest = from.get(range.start..).unwrap_or_default();
    let length = range.len();
    match rest.first_chunk::<SHORT>() {
        Some(chunk) if length <= SHORT => {
            let end = out.len() + length;
            out.extend_from_slice(chunk);
            out.truncate(end);
        }
        _ => out.extend_from_slice(rest.get(..length).unwrap_or_default()),
    }
}

/// As long as most of what is put in or lies between two hooks.
pub const SHORT: usize = 32;

/// A `u2` count, or [`ClassError::TooMany`].
pub fn count(value: usize, what: &'static str) -> Result<u16, ClassError> {
    u16::try_from(value).map_err(|_| ClassError::TooMany { what })
}

/// The length of an attribute, a `u4`.
pub fn length(value: usize) -> Result<u32, ClassError> {
    u32::try_from(value).map_err(|_| ClassError::TooMany {
        what: "bytes in an attribute",
    })
}

/// Overwrites the `u4` at `at` with the number of bytes that follow it.
pub fn patch_length(out: &mut [u8], at: usize) -> Result<(), ClassError> {
    let following = length(out.len().saturating_sub(at + 4))?;
    let slot = out.get_mut(at..at + 4).ok_or(ClassError::Truncated { at })?;
    slot.copy_from_slice(&following.to_be_bytes());
    Ok(())
}

/// A cursor over a slice. `at` is the position in the slice.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    pub fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    #[inline]
    pub fn u8(&mut self) -> Result<u8, ClassError> {
        let value = *self
            .bytes
            .get(self.at)
            .ok_or(ClassError::Truncated { at: self.at })?;
        self.at += 1;
        Ok(value)
    }

    #[inline]
    pub fn u16(&mut self) -> Result<u16, ClassError> {
        let value = u16_at(self.bytes, self.at)?;
        self.at += 2;
        Ok(value)
    }

    #[inline]
    pub fn u32(&mut self) -> Result<u32, ClassError> {
        let value = u32_at(self.bytes, self.at)?;
        self.at += 4;
        Ok(value)
    }

    #[inline]
    pub fn take(&mut self, length: usize) -> Result<&'a [u8], ClassError> {
        let end = self
            .at
            .checked_add(length)
            .ok_or(ClassError::Truncated { at: self.at })?;
        let taken = self
            .bytes
            .get(self.at..end)
            .ok_or(ClassError::Truncated { at: self.at })?;
        self.at = end;
        Ok(taken)
    }

    #[inline]
    pub fn skip(&mut self, length: usize) -> Result<(), ClassError> {
        self.take(length).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_ranges_and_long_ones_are_copied_alike() {
        let from: Vec<u8> = (0..100).collect();
        for start in 0..=100 {
            for end in start..=100 {
                let mut out = vec![7];
                push_short(&mut out, &from, start..end);
                assert_eq!((out[0], &out[1..]), (7, &from[start..end]));
            }
        }
        let mut out = Vec::new();
        push_short(&mut out, &from, 90..101);
        push_short(&mut out, &from, 200..201);
        assert_eq!(out, []);
    }
}
