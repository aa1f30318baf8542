//! Vector clocks: for each thread's slot, up to which of its times everything is known. Times start at 1, so a slot
//! that is missing is one of which nothing is known.

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Clock(Vec<u32>);

impl Clock {
    pub fn get(&self, slot: u32) -> u32 {
        self.0.get(slot as usize).copied().unwrap_or(0)
    }

    pub fn set(&mut self, slot: u32, time: u32) {
        let at = slot as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        if let Some(place) = self.0.get_mut(at) {
            *place = time;
        }
    }

    /// Learns all that `other` knows.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Without new memory, if there is enough.
    pub fn assign(&mut self, other: &Clock) {
        self.0.clone_from(&other.0);
    }

    pub fn times(&self) -> &[u32] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_takes_the_later_time_of_each_slot() {
        let (mut a, mut b) = (Clock::default(), Clock::default());
        a.set(0, 3);
        a.set(2, 1);
        b.set(1, 5);
        b.set(3, 1);
        b.set(0, 2);
        a.join(&b);
        assert_eq!(a.times(), [3, 5, 1, 1]);
        b.join(&a);
        assert_eq!(a, b);
        assert_eq!(a.get(99), 0);
    }
}
