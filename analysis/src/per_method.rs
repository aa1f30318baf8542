//! A list for each method, all of them in one: a list of its own for each of a million methods is mostly overhead.

use crate::world::MethodId;

#[derive(Debug)]
pub struct PerMethod<T> {
    /// Where the list of each method begins; those that were not reached have none.
    first: Vec<u32>,
    all: Vec<T>,
}

impl<T> PerMethod<T> {
    pub fn with_room(methods: usize) -> PerMethod<T> {
        PerMethod {
            first: Vec::with_capacity(methods),
            all: Vec::new(),
        }
    }

    /// What is pushed from now on is this method's. Methods come in the order of their numbers.
    pub fn begin(&mut self, method: MethodId) {
        while self.first.len() <= method as usize {
            self.first.push(self.all.len() as u32);
        }
    }

    pub fn push(&mut self, item: T) {
        self.all.push(item);
    }

    /// Of all methods.
    pub fn all(&self) -> &[T] {
        &self.all
    }

    fn range(&self, method: MethodId) -> std::ops::Range<usize> {
        let at = |method: usize| {
            self.first
                .get(method)
                .map_or(self.all.len(), |first| *first as usize)
        };
        at(method as usize)..at(method as usize + 1)
    }

    pub fn of(&self, method: MethodId) -> &[T] {
        self.all.get(self.range(method)).unwrap_or_default()
    }

    pub fn of_mut(&mut self, method: MethodId) -> &mut [T] {
        let range = self.range(method);
        self.all.get_mut(range).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_method_has_its_own() {
        let mut lists = PerMethod::with_room(6);
        for (method, items) in [(1, vec!['a', 'b']), (2, vec![]), (5, vec!['c'])] {
            lists.begin(method);
            items.into_iter().for_each(|item| lists.push(item));
        }
        lists.of_mut(5)[0] = 'd';
        let all: Vec<String> = (0..8).map(|m| lists.of(m).iter().collect()).collect();
        assert_eq!(all, ["", "ab", "", "", "", "d", "", ""]);
    }
}
