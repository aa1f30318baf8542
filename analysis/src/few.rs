//! A list that nearly always has one item or none, in sixteen bytes and without memory of its own then: there are hundreds
//! of thousands of them.

#[derive(Debug, Default)]
pub enum Few<T> {
    #[default]
    None,
    One(T),
    /// In a box: a list is larger than all that most of them hold.
    #[allow(clippy::box_collection)]
    Many(Box<Vec<T>>),
}

impl<T: Copy> Few<T> {
    pub fn as_slice(&self) -> &[T] {
        match self {
            Few::None => &[],
            Few::One(item) => std::slice::from_ref(item),
            Few::Many(items) => items,
        }
    }

    pub fn push(&mut self, item: T) {
        match self {
            Few::None => *self = Few::One(item),
            Few::One(first) => *self = Few::Many(Box::new(vec![*first, item])),
            Few::Many(items) => items.push(item),
        }
    }
}

impl<T: Copy> std::ops::Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<'f, T: Copy> IntoIterator for &'f Few<T> {
    type Item = &'f T;
    type IntoIter = std::slice::Iter<'f, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn few_are_a_list_as_any_other() {
        let mut few = Few::default();
        assert!(few.is_empty());
        for n in 0..5u32 {
            few.push(n);
            assert_eq!(*few, (0..=n).collect::<Vec<_>>());
        }
        assert_eq!(size_of::<Few<u32>>(), 16);
    }
}
