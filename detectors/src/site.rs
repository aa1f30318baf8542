//! Sites: which field a place touches, how, and which bit of the field's words is its own.

use crate::ids::{FieldId, SiteId};
use racewire_model::sites::{AccessKind, MAX_ORDINAL};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SiteInfo {
    pub field: FieldId,
    pub kind: AccessKind,
    /// Number of the place among those of its field; above [`MAX_ORDINAL`] it has no bit in the word.
    pub ordinal: u8,
}

impl SiteInfo {
    /// The site's bit in a simple word of its field.
    pub fn bit(&self) -> Option<u32> {
        (self.ordinal <= MAX_ORDINAL).then(|| 1 << self.ordinal)
    }
}

const BITS: usize = MAX_ORDINAL as usize + 1;

#[derive(Default)]
pub struct Sites {
    sites: Vec<SiteInfo>,
    /// Per field, by ordinal: the site that a bit stands for.
    fields: Vec<[Option<SiteId>; BITS]>,
}

impl Sites {
    pub fn add_field(&mut self) -> FieldId {
        self.fields.push([None; BITS]);
        FieldId(self.fields.len() as u32 - 1)
    }

    /// A bit stands for the site registered last: a class loaded a second time brings the same places again.
    pub fn add(&mut self, info: SiteInfo) -> SiteId {
        let id = SiteId(self.sites.len() as u32);
        self.sites.push(info);
        let ordinals = self.fields.get_mut(info.field.0 as usize);
        if let Some(place) = ordinals.and_then(|o| o.get_mut(info.ordinal as usize)) {
            *place = Some(id);
        }
        id
    }

    pub fn get(&self, site: SiteId) -> Option<SiteInfo> {
        self.sites.get(site.0 as usize).copied()
    }

    /// The site that stands for `site` in histories: the newest of its field, ordinal and kind. Without it a
    /// state would change its history by passing through a simple word.
    pub fn current(&self, site: SiteId) -> SiteId {
        let Some(info) = self.get(site) else { return site };
        let newest = self.with_ordinal(info.field, info.ordinal).unwrap_or(site);
        if self.get(newest).is_some_and(|n| n.kind == info.kind) {
            newest
        } else {
            site
        }
    }

    fn with_ordinal(&self, field: FieldId, ordinal: u8) -> Option<SiteId> {
        *self.fields.get(field.0 as usize)?.get(ordinal as usize)?
    }

    /// The sites that the bits of a simple word of `field` stand for.
    pub fn of_bits(&self, field: FieldId, bits: u32) -> impl Iterator<Item = SiteId> + '_ {
        let sites = self.fields.get(field.0 as usize);
        let mut left = bits;
        // From bit to bit: words have one or two, and this is part of every step.
        let ordinals = std::iter::from_fn(move || {
            let ordinal = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(ordinal)
        });
        ordinals.filter_map(move |ordinal| *sites?.get(ordinal)?)
    }

    pub fn len(&self) -> usize {
        self.sites.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sites.capacity() * size_of::<SiteInfo>()
            + self.fields.capacity() * size_of::<[Option<SiteId>; BITS]>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_name_the_sites_registered_last() {
        let mut sites = Sites::default();
        let (field, other) = (sites.add_field(), sites.add_field());
        let read = SiteInfo {
            field,
            kind: AccessKind::Read,
            ordinal: 0,
        };
        let write = SiteInfo {
            field,
            kind: AccessKind::Write,
            ordinal: 30,
        };
        let old = sites.add(read);
        let written = sites.add(write);
        sites.add(SiteInfo { field: other, ..read });
        let overflow = sites.add(SiteInfo { ordinal: 31, ..read });
        let new = sites.add(read);
        assert_eq!(sites.of_bits(field, u32::MAX).collect::<Vec<_>>(), [new, written]);
        assert_eq!(
            (sites.current(old), sites.current(new), sites.current(overflow)),
            (new, new, overflow)
        );
        assert_eq!(
            (read.bit(), write.bit(), sites.get(overflow).unwrap().bit()),
            (Some(1), Some(1 << 30), None)
        );
    }
}
