//! The names of a class, in one piece: a program has millions of them.

use serde::{Deserialize, Serialize};

/// A list of strings, each known by its number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strings {
    text: String,
    /// Where each ends.
    ends: Vec<u32>,
}

impl Strings {
    /// For about so many bytes.
    pub fn with_room(bytes: usize) -> Strings {
        Strings {
            text: String::with_capacity(bytes),
            ends: Vec::new(),
        }
    }

    pub fn push(&mut self, string: &str) {
        self.text.push_str(string);
        self.ends.push(self.text.len() as u32);
    }

    pub fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let before = index.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = before.copied().unwrap_or(0);
        self.text.get(start as usize..end as usize)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index).unwrap_or_default())
    }

    /// Takes no more room than it needs.
    pub fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

impl<'s> FromIterator<&'s str> for Strings {
    fn from_iter<I: IntoIterator<Item = &'s str>>(all: I) -> Strings {
        let mut strings = Strings::default();
        all.into_iter().for_each(|string| strings.push(string));
        strings
    }
}

#[cfg(test)]
mod tests {
    use super::Strings;

    #[test]
    fn strings_come_back_by_their_number() {
        let strings: Strings = ["a", "", "äö", "java/lang/Object"].into_iter().collect();
        assert_eq!(strings.len(), 4);
        assert!(strings.iter().eq(["a", "", "äö", "java/lang/Object"]));
        assert_eq!(strings.get(1), Some(""));
        assert_eq!(strings.get(3), Some("java/lang/Object"));
        assert_eq!(strings.get(4), None);
        assert!(Strings::default().is_empty());
    }
}
