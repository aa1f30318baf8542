//! Entries that are deflated before the archive is written: while there is a processor that has nothing else to do.

use super::format::Changed;
use super::{NewEntry, codec};
use std::borrow::Cow;

/// An entry to add in its deflated form.
#[derive(Debug, PartialEq)]
pub struct Deflated {
    level: u8,
    pub(super) data: Cow<'static, [u8]>,
    pub(super) changed: Changed,
}

impl Deflated {
    /// `None` for what is not to be deflated, or cannot be: whoever writes it says why.
    pub fn of(entry: &NewEntry, level: u8) -> Option<Deflated> {
        if entry.stored || entry.bytes.is_empty() {
            return None;
        }
        let data = codec::encode(entry.bytes.clone(), codec::DEFLATED, level).ok()?;
        Some(Deflated::with(Cow::Owned(data), &entry.bytes, level))
    }

    /// Of what was deflated long ago: `data` is what these bytes become at this level.
    pub fn before(data: &'static [u8], bytes: &[u8], level: u8) -> Option<Deflated> {
        (!bytes.is_empty()).then(|| Deflated::with(Cow::Borrowed(data), bytes, level))
    }

    fn with(data: Cow<'static, [u8]>, bytes: &[u8], level: u8) -> Deflated {
        let changed = Changed {
            crc: crc32fast::hash(bytes),
            size: bytes.len() as u64,
            compressed: data.len() as u64,
        };
        Deflated { level, data, changed }
    }

    /// Whether it is what these bytes would become.
    pub(super) fn is_of(&self, bytes: &[u8], level: u8) -> bool {
        let Changed { crc, size, .. } = self.changed;
        self.level == level && size == bytes.len() as u64 && crc == crc32fast::hash(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(bytes: &[u8], stored: bool) -> NewEntry {
        NewEntry {
            name: "a".to_owned(),
            bytes: bytes.to_vec(),
            stored,
        }
    }

    #[test]
    fn only_the_same_bytes_and_level_will_do() {
        let text = b"text, text and text".as_slice();
        let deflated = Deflated::of(&entry(text, false), 6).unwrap();
        assert_eq!(
            deflated.data,
            codec::encode(text.to_vec(), codec::DEFLATED, 6).unwrap()
        );
        assert_eq!(deflated.changed.compressed, deflated.data.len() as u64);
        assert!(deflated.is_of(text, 6));
        assert!(
            !deflated.is_of(text, 1) && !deflated.is_of(b"text, text and tExt", 6) && !deflated.is_of(b"", 6)
        );
    }

    #[test]
    fn what_is_stored_or_empty_has_no_such_form() {
        assert!(Deflated::of(&entry(b"text", true), 6).is_none());
        assert!(Deflated::of(&entry(b"", false), 6).is_none());
    }
}
