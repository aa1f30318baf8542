//! Sets of sites of one field, for words that have no bit for each of them: equal sets get one number, whoever touches
//! what in which epoch. A set holds every one of its sites, so that a word with a set says as much as one with bits.

use crate::ids::{SetId, SiteId};
use crate::intern::Interner;

/// So many sites in all sets together, 16 MB of them: objects that are each touched at other places.
const MAX_SITES: usize = 1 << 22;

pub struct SiteSets {
    /// Sorted, never empty: the sites tell the field, too.
    sets: Interner<Vec<SiteId>>,
    sites: usize,
    max_sites: usize,
}

impl Default for SiteSets {
    fn default() -> Self {
        SiteSets::with_room_for(MAX_SITES)
    }
}

impl SiteSets {
    pub fn with_room_for(max_sites: usize) -> SiteSets {
        SiteSets {
            sets: Interner::new(0),
            sites: 0,
            max_sites,
        }
    }

    /// The number of a sorted set; `None` if it is new and there is no room for it.
    pub fn intern(&mut self, sites: &Vec<SiteId>) -> Option<SetId> {
        if let Some(known) = self.sets.find(sites.as_slice()) {
            return Some(SetId(known));
        }
        if self.sites + sites.len() > self.max_sites {
            return None;
        }
        let (id, _) = self.sets.intern(sites, SetId::MAX.0)?;
        self.sites += sites.len();
        Some(SetId(id))
    }

    /// None of a set that is not there.
    pub fn get(&self, set: SetId) -> &[SiteId] {
        self.sets.get(set.0).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sets.bytes(|sites| sites.capacity() * size_of::<SiteId>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_have_one_number_and_new_ones_end_where_there_is_no_room() {
        let mut sets = SiteSets::with_room_for(5);
        let (one, two) = (vec![SiteId(4)], vec![SiteId(4), SiteId(7)]);
        let first = sets.intern(&one).unwrap();
        let second = sets.intern(&two).unwrap();
        assert_ne!(first, second);
        assert_eq!(sets.intern(&one), Some(first));
        assert_eq!((sets.get(first), sets.get(second)), (&one[..], &two[..]));
        assert_eq!(sets.intern(&vec![SiteId(1), SiteId(2), SiteId(3)]), None);
        assert_eq!(sets.intern(&two), Some(second));
        assert_eq!(sets.get(SetId(9)), &[]);
    }
}
