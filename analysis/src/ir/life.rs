//! What happens to each followed value (a parameter, what `new` makes, or a lambda), value by value.

use super::kept::Kept;
use super::phis::Phis;
use super::recording::{Event, Recording};
use super::values::{Value, Values, phi_index};
use crate::facts::OpId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Made,
    /// Stored, returned, joined with others ...
    Leaked,
    /// Stored in a final field of the constructor's `this`, which alone has it.
    Kept,
    /// Of what is kept: `this` is passed or leaked, and with it what it has.
    HolderPassed,
    Passed(OpId, u8),
    /// Base of the access with that index.
    Accessed(u32),
    /// The array of the element with that index, or what holds it.
    Element(u32),
    /// The array of the element, loaded from the field that keeps it.
    KeptElement(u32),
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
    kept: Kept,
}

impl Lives {
    /// `makes_this`: the method is a constructor, and `this`, the first that is followed, has a node.
    pub fn tell(&mut self, recording: &Recording, phis: &Phis, values: &Values, makes_this: bool) {
        self.moments.clear();
        if recording.followed.is_empty() {
            return;
        }
        let this = recording.followed.first().filter(|_| makes_this);
        self.kept.find(recording, phis, this.map(|(this, _)| *this));
        self.by_value.clear();
        for (nth, (value, _)) in recording.followed.iter().enumerate() {
            self.follow(*value, nth as u32);
        }
        for nth in 0..self.kept.same.len() {
            if let Some((loaded, kept)) = self.kept.same.get(nth).copied() {
                let followed = self.followed(kept);
                self.follow(loaded, followed);
            }
        }
        let mut blocks = recording.block_events.iter().skip(1).peekable();
        let mut block = 0;
        for (nth, event) in recording.events.iter().enumerate() {
            while blocks.next_if(|start| **start as usize <= nth).is_some() {
                block += 1;
            }
            let order = 2 * nth as u32 + 1;
            let (value, step) = match *event {
                Event::Made(value) => (value, Step::Made),
                Event::Leaked(value) => (value, Step::Leaked),
                Event::Kept { value, base, field } => {
                    let is_kept = this.is_some_and(|(this, _)| phis.resolve(base) == *this)
                        && self.kept.keeps(phis.resolve(value), field);
                    (value, if is_kept { Step::Kept } else { Step::Leaked })
                }
                Event::Passed { value, op, argument } => (value, Step::Passed(op, argument)),
                Event::Accessed(index) => match recording.bases.get(index as usize) {
                    Some(base) => (*base, Step::Accessed(index)),
                    None => continue,
                },
                Event::Element(index) => match recording.holders.get(index as usize) {
                    Some(holder) => {
                        if let Some(element) = recording.elements.get(index as usize)
                            && element.array != *holder
                        {
                            self.add(
                                phis.resolve(element.array),
                                block,
                                order,
                                Step::KeptElement(index),
                            );
                        }
                        (*holder, Step::Element(index))
                    }
                    None => continue,
                },
                _ => continue,
            };
            self.add(phis.resolve(value), block, order, step);
        }
        for (phi, input) in &recording.phi_inputs {
            let Some(block) = phi_index(*phi).map(|phi| values.phi_block(phi)) else {
                continue;
            };
            let first = recording.block_events.get(block as usize).copied().unwrap_or(0);
            self.add(*input, block, 2 * first, Step::Leaked);
        }
        self.pass_on();
        self.moments
            .sort_unstable_by_key(|moment| (moment.followed, moment.order, moment.block));
    }

    /// Who is given `this` may give away what it has, too.
    fn pass_on(&mut self) {
        let kept: Vec<u32> = self.kept.values().map(|value| self.followed(value)).collect();
        if kept.is_empty() {
            return;
        }
        let is_given = |moment: &&Moment| {
            moment.followed == 0 && matches!(moment.step, Step::Leaked | Step::Kept | Step::Passed(..))
        };
        let given: Vec<Moment> = self.moments.iter().filter(is_given).copied().collect();
        for moment in given {
            self.moments.extend(kept.iter().map(|kept| Moment {
                followed: *kept,
                step: Step::HolderPassed,
                ..moment
            }));
        }
    }

    fn follow(&mut self, value: Value, followed: u32) {
        let value = value as usize;
        if value >= self.by_value.len() {
            self.by_value.resize(value + 1, NOT_FOLLOWED);
        }
        if let Some(slot) = self.by_value.get_mut(value) {
            *slot = followed;
        }
    }

    fn followed(&self, value: Value) -> u32 {
        self.by_value.get(value as usize).copied().unwrap_or(NOT_FOLLOWED)
    }

    fn add(&mut self, value: Value, block: u32, order: u32, step: Step) {
        match self.followed(value) {
            NOT_FOLLOWED => {}
            followed => self.moments.push(Moment {
                followed,
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
