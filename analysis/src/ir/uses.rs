//! Where parameters, new objects and lambdas go ([`Uses`]).

use super::blocks::Blocks;
use super::cycles::Cycles;
use super::life::{Lives, Moment, Step};
use super::recording::{Recording, Source};
use crate::facts::{MethodFacts, Op, Uses};

/// Looking for a way around `new` may cost so many blocks per method; then we assume that there is one.
const MOST_BLOCKS_SEEN: usize = 4096;

/// Reused from method to method.
#[derive(Debug, Default)]
pub struct Ways {
    seen: Vec<bool>,
    work: Vec<u32>,
    left: usize,
}

/// Fills in the uses of all followed values.
pub fn fill(
    facts: &mut MethodFacts,
    recording: &Recording,
    lives: &Lives,
    (blocks, cycles): (&Blocks, &Cycles),
    ways: &mut Ways,
) {
    ways.left = MOST_BLOCKS_SEEN;
    let nowhere = || Uses::Calls {
        calls: Box::default(),
        again: false,
    };
    facts.parameter_uses = facts.parameters.iter().map(|_| nowhere()).collect();
    for op in &mut facts.ops {
        if let Some(uses) = op.uses_mut() {
            *uses = nowhere();
        }
    }
    // Parameters come first among the followed values, those without a node are not there.
    let with_node = |(index, node): (usize, &Option<u32>)| node.map(|_| index);
    let parameters: Vec<usize> = facts
        .parameters
        .iter()
        .enumerate()
        .filter_map(with_node)
        .collect();
    for moments in lives.each() {
        let Some(followed) = moments.first().map(|moment| moment.followed as usize) else {
            continue;
        };
        let (slot, made_in) = match recording.followed.get(followed) {
            Some((_, Source::New { op, block })) => {
                match facts.ops.get_mut(*op as usize).and_then(Op::uses_mut) {
                    Some(uses) => (uses, Some(*block)),
                    None => continue,
                }
            }
            _ => match parameters
                .get(followed)
                .and_then(|index| facts.parameter_uses.get_mut(*index))
            {
                Some(slot) => (slot, None),
                None => continue,
            },
        };
        *slot = uses(moments, |block| match made_in {
            None => cycles.contains(block as usize),
            Some(made_in) => ways.around(block, made_in, blocks, cycles),
        });
    }
}

fn uses(moments: &[Moment], mut can_repeat: impl FnMut(u32) -> bool) -> Uses {
    let leaks = |moment: &Moment| matches!(moment.step, Step::Leaked | Step::Kept);
    if moments.iter().any(leaks) {
        return Uses::Leaked;
    }
    let mut calls = Vec::new();
    let mut again = false;
    for moment in moments {
        if let Step::Passed(op, argument) = moment.step {
            calls.push((op, argument));
            again = again || can_repeat(moment.block);
        }
    }
    Uses::Calls {
        calls: calls.into(),
        again,
    }
}

impl Ways {
    /// Whether control can come back to `block` without passing `made_in`, where the value is made.
    fn around(&mut self, block: u32, made_in: u32, blocks: &Blocks, cycles: &Cycles) -> bool {
        // In the same block the value is made first, so who comes back makes a new one.
        if block == made_in || !cycles.contains(block as usize) {
            return false;
        }
        // A cycle that the value is not made on.
        if !cycles.same(block as usize, made_in as usize) {
            return true;
        }
        self.seen.clear();
        self.seen.resize(blocks.count(), false);
        self.work.clear();
        self.work.push(block);
        while let Some(from) = self.work.pop() {
            if self.left == 0 {
                return true;
            }
            self.left -= 1;
            for to in blocks.all_successors(from as usize) {
                if *to == block {
                    return true;
                }
                if *to != made_in
                    && cycles.same(*to as usize, block as usize)
                    && let Some(seen) = self.seen.get_mut(*to as usize)
                    && !*seen
                {
                    *seen = true;
                    self.work.push(*to);
                }
            }
        }
        false
    }
}
