//! Accesses to objects that nobody else has seen yet ([`crate::facts::Proofs::owned`]), and to arrays and containers
//! that are such objects, or that only such an object has.
//!
//! The state of one object at one place is a set of bits: it got out, or it was passed to these calls. Where paths
//! meet the bits are united, so the states of all blocks are found by going along the edges until nothing changes.

use super::blocks::Blocks;
use super::life::{Lives, Moment, Step};
use super::recording::{Recording, Source};
use crate::facts::{Access, Element, OpId, Owner};

/// The object exists on some path to here.
const EXISTS: u64 = 1 << 63;
const LEAKED: u64 = 1 << 62;
/// A final field of the constructor's `this` has it.
const KEPT: u64 = 1 << 61;
/// Calls beyond these count as leaks.
const CALL_BITS: usize = 61;
/// An access that depends on more calls than this is not worth the question.
const MOST_CONDITIONS: u32 = 12;
/// Objects times blocks: beyond this nothing is owned. No method that people wrote comes near.
const MOST_WORK: usize = 1 << 22;

/// Reused from method to method.
#[derive(Debug, Default)]
pub struct Owners {
    entries: Vec<u64>,
    work: Vec<u32>,
    calls: Vec<(OpId, u8)>,
}

impl Owners {
    pub fn prove(
        &mut self,
        (accesses, elements): (&mut [Access], &mut [Element]),
        recording: &Recording,
        lives: &Lives,
        blocks: &Blocks,
        is_constructor: bool,
    ) {
        let mut work = 0;
        for moments in lives.each() {
            let is_base = |moment: &Moment| is_base(moment.step);
            let Some(followed) = moments.first().map(|moment| moment.followed as usize) else {
                continue;
            };
            // `this` is the first of the parameters, and they are the first that is followed.
            let made_in = match recording.followed.get(followed) {
                Some((_, Source::New { block, .. })) => Some(*block),
                Some(_) if is_constructor && followed == 0 => None,
                _ => continue,
            };
            if !moments.iter().any(is_base) {
                continue;
            }
            work += blocks.count();
            if work > MOST_WORK {
                return;
            }
            self.calls.clear();
            for moment in moments {
                if let Step::Passed(op, argument) = moment.step {
                    self.calls.push((op, argument));
                }
            }
            self.calls.sort_unstable();
            self.spread(moments, made_in, blocks);
            self.judge(moments, accesses, elements, made_in.is_none());
        }
    }

    /// What a step does to the state before it.
    fn after(&self, state: u64, step: Step) -> u64 {
        match step {
            Step::Made => EXISTS,
            _ if state == 0 => 0,
            Step::Leaked => state | LEAKED,
            Step::Kept => state | KEPT,
            Step::HolderPassed if state & KEPT != 0 => state | LEAKED,
            Step::Passed(op, argument) => match self.calls.binary_search(&(op, argument)) {
                Ok(bit) if bit < CALL_BITS => state | 1 << bit,
                _ => state | LEAKED,
            },
            Step::HolderPassed | Step::Accessed(_) | Step::Element(_) | Step::KeptElement(_) => state,
        }
    }

    fn spread(&mut self, moments: &[Moment], made_in: Option<u32>, blocks: &Blocks) {
        self.entries.clear();
        self.entries.resize(blocks.count(), 0);
        self.work.clear();
        self.work.push(made_in.unwrap_or(0));
        if made_in.is_none()
            && let Some(entry) = self.entries.first_mut()
        {
            *entry = EXISTS;
        }
        while let Some(block) = self.work.pop() {
            let mut state = self.entry(block);
            // A handler may be entered before and after each instruction.
            let mut thrown = state;
            for moment in in_block(moments, block) {
                state = self.after(state, moment.step);
                thrown |= state;
            }
            for to in blocks.successors(block as usize) {
                self.flow(*to, state);
            }
            for to in blocks.handlers(block as usize) {
                self.flow(*to, thrown);
            }
        }
    }

    fn entry(&self, block: u32) -> u64 {
        self.entries.get(block as usize).copied().unwrap_or(0)
    }

    fn flow(&mut self, to: u32, state: u64) {
        if let Some(entry) = self.entries.get_mut(to as usize)
            && *entry | state != *entry
        {
            *entry |= state;
            self.work.push(to);
        }
    }

    fn judge(&self, moments: &[Moment], accesses: &mut [Access], elements: &mut [Element], is_this: bool) {
        for moments in moments.chunk_by(|one, other| one.block == other.block) {
            let mut state = moments.first().map_or(0, |moment| self.entry(moment.block));
            for moment in moments {
                state = self.after(state, moment.step);
                if !is_base(moment.step) {
                    continue;
                }
                let conditions = state & !(EXISTS | KEPT);
                let is_kept = state & KEPT != 0;
                if state & EXISTS == 0 || state & LEAKED != 0 || conditions.count_ones() > MOST_CONDITIONS {
                    continue;
                }
                let calls = self.calls.iter().take(CALL_BITS).enumerate();
                let passed = calls.filter(|(bit, _)| conditions & 1 << bit != 0);
                let owned = Some(passed.map(|(_, call)| *call).collect());
                match moment.step {
                    Step::Accessed(index) => {
                        if let Some(access) = accesses.get_mut(index as usize) {
                            access.proofs.owned = owned;
                            access.proofs.is_this = is_this || is_kept;
                        }
                    }
                    Step::Element(index) => {
                        if let Some(element) = elements.get_mut(index as usize) {
                            element.owned = owned;
                            if is_kept && element.owner == Owner::Itself {
                                element.owner = Owner::Kept;
                            } else if is_this && element.owner == Owner::Holder {
                                element.owner = Owner::This;
                            }
                        }
                    }
                    // Says more than what is known of `this`, which comes first among those that are followed.
                    Step::KeptElement(index) if is_kept => {
                        if let Some(element) = elements.get_mut(index as usize) {
                            element.owned = owned;
                            element.owner = Owner::Kept;
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

fn is_base(step: Step) -> bool {
    matches!(step, Step::Accessed(_) | Step::Element(_) | Step::KeptElement(_))
}

/// The moments in one block: they are sorted by block.
fn in_block(moments: &[Moment], block: u32) -> &[Moment] {
    let first = moments.partition_point(|moment| moment.block < block);
    let rest = moments.get(first..).unwrap_or_default();
    let count = rest.partition_point(|moment| moment.block == block);
    rest.get(..count).unwrap_or_default()
}
