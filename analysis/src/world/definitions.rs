//! The classes of each name, nearly always one.

use super::{ClassId, NameId};
use crate::grouped::Grouped;

/// First all classes are added, then they are [sorted](Self::sort), then they can be asked for.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    added: Vec<(NameId, ClassId)>,
    /// By name: there is such a class.
    known: Vec<bool>,
    sorted: Grouped<ClassId>,
}

impl Definitions {
    pub fn add(&mut self, name: NameId, class: ClassId) {
        self.added.push((name, class));
        let at = name as usize;
        if self.known.len() <= at {
            self.known.resize(at + 1, false);
        }
        self.known[at] = true;
    }

    pub fn has(&self, name: NameId) -> bool {
        self.known.get(name as usize).copied().unwrap_or(false)
    }

    pub fn sort(&mut self) {
        let added = std::mem::take(&mut self.added);
        self.sorted = Grouped::of(self.known.len(), added.into_iter());
    }

    /// In the order in which they were added.
    pub fn of(&self, name: NameId) -> &[ClassId] {
        self.sorted.of_group(name)
    }
}

#[cfg(test)]
mod tests {
    use super::Definitions;

    #[test]
    fn a_name_may_have_several_classes_or_none() {
        let mut definitions = Definitions::default();
        for (name, class) in [(7, 0), (2, 1), (7, 2)] {
            definitions.add(name, class);
        }
        assert!(definitions.has(7) && !definitions.has(3) && !definitions.has(8));
        definitions.sort();
        assert_eq!(definitions.of(7), [0, 2]);
        assert_eq!(definitions.of(2), [1]);
        assert!(definitions.of(3).is_empty() && definitions.of(9).is_empty());
    }
}
