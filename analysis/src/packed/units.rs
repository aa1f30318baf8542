//! Numbers as units of 16 bits: nearly all that facts are made of are smaller than that.

/// Two units follow, the lower one first.
const LONG: u16 = u16::MAX;

pub(super) fn put(out: &mut Vec<u16>, value: u32) {
    match value {
        0..0xffff => out.push(value as u16),
        _ => out.extend([LONG, value as u16, (value >> 16) as u16]),
    }
}

/// Something that may not be there.
pub(super) fn put_option(out: &mut Vec<u16>, value: Option<u32>) {
    put(out, value.map_or(0, |value| value.saturating_add(1)));
}

/// Units with their number before them, so that whoever does not need them steps over them.
pub(super) fn put_list(out: &mut Vec<u16>, list: &[u16]) {
    put(out, list.len() as u32);
    out.extend_from_slice(list);
}

/// Units that are read one after the other. What ends too early has no more numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Units<'f>(pub &'f [u16]);

impl<'f> Units<'f> {
    #[inline]
    pub fn next(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        match *first {
            LONG => self.long(),
            value => Some(value.into()),
        }
    }

    #[cold]
    fn long(&mut self) -> Option<u32> {
        let ([low, high], rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from(*low) | u32::from(*high) << 16)
    }

    #[inline]
    pub fn option(&mut self) -> Option<Option<u32>> {
        self.next().map(|value| value.checked_sub(1))
    }

    #[inline]
    pub fn unit(&mut self) -> Option<u16> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// So many units.
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
        let all = [0, 1, 0xfffe, 0xffff, 0x1_0000, 0x1234_5678, u32::MAX];
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
        assert!(Units(&[3, 1]).list().is_none());
        assert_eq!(Units(&[1]).from(2).next(), None);
    }
}
