//! What happens to each followed value (a parameter, what `new` makes, or a lambda), value by value.

use super::phis::Phis;
use super::recording::{Event, Recording};
use super::values::{Value, Values, phi_index};
use crate::facts::OpId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Made,
    /// Stored, returned, joined with others ...
    Leaked,
    Passed(OpId, u8),
    /// Base of the access with that index.
    Accessed(u32),
    /// The array of the element with that index, or what holds it.
    Element(u32),
}

#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// Index in `Recording::followed`.
    pub followed: u32,
    pub block: u32,
    /// Twice the event's number; what happens at a block's entry stands before its first event.
    order: u32,
    pub step: Step,
}

const NOT_FOLLOWED: u32 = u32::MAX;

/// Reused from method to method.
#[derive(Debug, Default)]
pub struct Lives {
    /// By followed value, then by order in the code.
    moments: Vec<Moment>,
    by_value: Vec<u32>,
}

impl Lives {
    pub fn tell(&mut self, recording: &Recording, phis: &Phis, values: &Values) {
        self.moments.clear();
        if recording.followed.is_empty() {
            return;
        }
        self.by_value.clear();
        for (nth, (value, _)) in recording.followed.iter().enumerate() {
            let value = *value as usize;
            if value >= self.by_value.len() {
                self.by_value.resize(value + 1, NOT_FOLLOWED);
            }
            if let Some(slot) = self.by_value.get_mut(value) {
                *slot = nth as u32;
            }
        }
        let mut blocks = recording.block_events.iter().skip(1).peekable();
        let mut block = 0;
        for (nth, event) in recording.events.iter().enumerate() {
            while blocks.next_if(|start| **start as usize <= nth).is_some() {
                block += 1;
            }
            let (value, step) = match *event {
                Event::Made(value) => (value, Step::Made),
                Event::Leaked(value) => (value, Step::Leaked),
                Event::Passed { value, op, argument } => (value, Step::Passed(op, argument)),
                Event::Accessed(index) => match recording.bases.get(index as usize) {
                    Some(base) => (*base, Step::Accessed(index)),
                    None => continue,
                },
                Event::Element(index) => match recording.holders.get(index as usize) {
                    Some(holder) => (*holder, Step::Element(index)),
                    None => continue,
                },
                _ => continue,
            };
            self.add(phis.resolve(value), block, 2 * nth as u32 + 1, step);
        }
        for (phi, input) in &recording.phi_inputs {
            let Some(block) = phi_index(*phi).map(|phi| values.phi_block(phi)) else {
                continue;
            };
            let first = recording.block_events.get(block as usize).copied().unwrap_or(0);
            self.add(*input, block, 2 * first, Step::Leaked);
        }
        self.moments
            .sort_unstable_by_key(|moment| (moment.followed, moment.order, moment.block));
    }

    fn add(&mut self, value: Value, block: u32, order: u32, step: Step) {
        match self.by_value.get(value as usize) {
            None | Some(&NOT_FOLLOWED) => {}
            Some(followed) => self.moments.push(Moment {
                followed: *followed,
                block,
                order,
                step,
            }),
        }
    }

    /// The moments of each followed value that has any.
    pub fn each(&self) -> impl Iterator<Item = &[Moment]> {
        self.moments.chunk_by(|one, other| one.followed == other.followed)
    }
}
