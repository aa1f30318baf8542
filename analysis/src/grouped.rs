//! A list for each of many, all of them in one: lists of their own are mostly overhead where there are a million.

#[derive(Debug, Default)]
pub struct Grouped<T> {
    /// Where the list of each group ends.
    ends: Vec<u32>,
    all: Vec<T>,
}

impl<T: Copy + Default> Grouped<T> {
    /// `items` with the group of each; in a group they keep their order.
    pub fn of(groups: usize, items: impl Iterator<Item = (u32, T)> + Clone) -> Grouped<T> {
        // How many there are of each, then where each begins; filling moves that to its end.
        let mut ends = vec![0; groups];
        for (group, _) in items.clone() {
            ends[group as usize] += 1;
        }
        let mut next = 0;
        for end in &mut ends {
            next += std::mem::replace(end, next);
        }
        let mut all = vec![T::default(); next as usize];
        for (group, item) in items {
            let place = &mut ends[group as usize];
            all[*place as usize] = item;
            *place += 1;
        }
        Grouped { ends, all }
    }

    pub fn of_group(&self, group: u32) -> &[T] {
        let Some(end) = self.ends.get(group as usize) else {
            return &[];
        };
        let before = group
            .checked_sub(1)
            .and_then(|before| self.ends.get(before as usize));
        let start = before.copied().unwrap_or(0);
        self.all.get(start as usize..*end as usize).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Grouped;

    #[test]
    fn each_group_has_its_own_in_order() {
        let items = [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (2, 'e')];
        let grouped = Grouped::of(5, items.into_iter());
        let all: Vec<String> = (0..6).map(|g| grouped.of_group(g).iter().collect()).collect();
        assert_eq!(all, ["b", "", "ace", "d", "", ""]);
        assert!(Grouped::<u8>::of(0, [].into_iter()).of_group(0).is_empty());
    }
}
