//! Numbers as bytes: nearly all that facts are made of are so small that they need one.

/// From here on the first byte is the upper one of two.
const SHORT: u8 = 0xc0;
/// Four bytes follow, the lowest first.
const LONG: u8 = 0xff;
/// The first number that two bytes are not enough for.
const FIRST_LONG: u32 = SHORT as u32 + ((LONG - SHORT) as u32) * 0x100;

pub(super) fn put(out: &mut Vec<u8>, value: u32) {
    match value.checked_sub(SHORT.into()) {
        None => out.push(value as u8),
        Some(above) if value < FIRST_LONG => out.extend([SHORT + (above >> 8) as u8, above as u8]),
        Some(_) => {
            out.push(LONG);
            out.extend(value.to_le_bytes());
        }
    }
}

/// Something that may not be there.
pub(super) fn put_option(out: &mut Vec<u8>, value: Option<u32>) {
    put(out, value.map_or(0, |value| value.saturating_add(1)));
}

/// Bytes with their number before them, so that whoever does not need them steps over them.
pub(super) fn put_list(out: &mut Vec<u8>, list: &[u8]) {
    put(out, list.len() as u32);
    out.extend_from_slice(list);
}

/// Numbers that are read one after the other. What ends too early has no more.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Units<'f>(pub &'f [u8]);

impl<'f> Units<'f> {
    #[inline]
    pub fn next(&mut self) -> Option<u32> {
        match self.byte()? {
            value @ 0..SHORT => Some(value.into()),
            LONG => self.u32(),
            upper => {
                let above = u32::from(upper - SHORT) << 8 | u32::from(self.byte()?);
                Some(above + u32::from(SHORT))
            }
        }
    }

    #[inline]
    pub fn option(&mut self) -> Option<Option<u32>> {
        self.next().map(|value| value.checked_sub(1))
    }

    #[inline]
    pub fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// A number that has four bytes, however small it is.
    #[inline]
    pub fn u32(&mut self) -> Option<u32> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*bytes))
    }

    /// So many bytes.
    #[inline]
    pub fn take(&mut self, count: u32) -> Option<Units<'f>> {
        let (taken, rest) = self.0.split_at_checked(count as usize)?;
        self.0 = rest;
        Some(Units(taken))
    }

    #[inline]
    pub fn list(&mut self) -> Option<Units<'f>> {
        let count = self.next()?;
        self.take(count)
    }

    /// All from there on.
    #[inline]
    pub fn from(self, at: u32) -> Units<'f> {
        Units(self.0.get(at as usize..).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_whatever_their_size() {
        let edges = [SHORT.into(), 0x100, FIRST_LONG, 0x1_0000, 0x1234_5678, u32::MAX];
        let all: Vec<u32> = edges.into_iter().flat_map(|n| [n - 1, n]).chain([0, 1]).collect();
        let mut out = Vec::new();
        all.iter().for_each(|value| put(&mut out, *value));
        put_option(&mut out, None);
        put_option(&mut out, Some(0xfffe));
        put_list(&mut out, &[7, 8]);
        let mut units = Units(&out);
        assert!(all.iter().all(|value| units.next() == Some(*value)));
        assert_eq!((units.option(), units.option()), (Some(None), Some(Some(0xfffe))));
        assert_eq!(units.list().map(|list| list.0), Some(&[7, 8][..]));
        assert_eq!(units.next(), None);
    }

    #[test]
    fn what_ends_too_early_has_no_more_numbers() {
        assert_eq!(Units(&[LONG, 1]).next(), None);
        assert_eq!(Units(&[SHORT]).next(), None);
        assert!(Units(&[3, 1]).list().is_none());
        assert_eq!(Units(&[1]).from(2).next(), None);
    }
}
