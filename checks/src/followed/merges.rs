//! Values that come to their use by several ways: where ways meet, the runtime is told by which one control came, and so
//! whether what is there now was read where we look, and when.

use super::behind;
use crate::body::{BlockId, Body, Def, InstrId, Op, PhiInput, ValueId};
use std::collections::BTreeSet;

/// Meetings that a value goes through; more was made by no person.
const MOST_PHIS: usize = 16;

/// What tells of a value that comes from a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// The read's last execution.
    Read,
    /// What met there last.
    Phi(ValueId),
}

/// On the way into a block where values meet, at its end: what is there from then on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passed {
    pub phi: ValueId,
    /// `None`: something else than what was read.
    pub from: Option<Key>,
    pub at: At,
}

/// Where code is put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    Before(u32),
    After(u32),
}

/// How the value comes from the read, and what must be told on its ways; `None` if that cannot be known for sure.
/// `used_in` is the block of the use.
pub fn follow(body: &Body, value: ValueId, read: InstrId, used_in: BlockId) -> Option<(Key, Vec<Passed>)> {
    let (is_read, phis) = behind(body, value, read);
    if is_read {
        return Some((Key::Read, Vec::new()));
    }
    let carrying = carrying(body, &phis, read)?;
    let first = phis.into_iter().find(|phi| carrying.contains(phi))?;
    let mut wanted = vec![first];
    let mut edges: Vec<(PhiInput, Option<Key>)> = Vec::new();
    let mut at = 0;
    while let Some(&phi) = wanted.get(at) {
        at += 1;
        for input in body.inputs(phi) {
            let (is_read, phis) = behind(body, input.value, read);
            let other = phis.into_iter().find(|phi| carrying.contains(phi));
            let from = match is_read {
                true => Some(Key::Read),
                false => other.map(Key::Phi),
            };
            if let Some(Key::Phi(other)) = from
                && !wanted.contains(&other)
            {
                wanted.push(other);
            }
            edges.push((*input, from));
        }
    }
    // Two that meet in one block would have to be told at once.
    let blocks: BTreeSet<BlockId> = wanted.iter().filter_map(|phi| block_of(body, *phi)).collect();
    if blocks.len() != wanted.len() {
        return None;
    }
    let passed = edges
        .iter()
        .filter(|(input, from)| *from != Some(Key::Phi(input.phi)));
    let passed: Option<Vec<Passed>> = passed
        .map(|(input, from)| {
            let takers = edges
                .iter()
                .filter(|(_, from)| *from == Some(Key::Phi(input.phi)));
            let mut takers: Vec<BlockId> = takers.map(|(taker, _)| taker.from).collect();
            takers.extend((input.phi == first).then_some(used_in));
            Some(Passed {
                phi: input.phi,
                from: *from,
                at: end_of(body, input, &takers)?,
            })
        })
        .collect();
    Some((Key::Phi(first), passed?))
}

/// Those of the phis, and of the ones behind them, that may hold what was read; `None` if they are too many.
fn carrying(body: &Body, phis: &[ValueId], read: InstrId) -> Option<BTreeSet<ValueId>> {
    let mut all = phis.to_vec();
    let mut inputs: Vec<(ValueId, bool, Vec<ValueId>)> = Vec::new();
    let mut at = 0;
    while let Some(&phi) = all.get(at) {
        at += 1;
        if all.len() > MOST_PHIS {
            return None;
        }
        for input in body.inputs(phi) {
            let (is_read, behind) = behind(body, input.value, read);
            let new: Vec<ValueId> = behind.iter().filter(|phi| !all.contains(phi)).copied().collect();
            all.extend(new);
            inputs.push((phi, is_read, behind));
        }
    }
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for (phi, is_read, behind) in &inputs {
            if *is_read || behind.iter().any(|phi| found.contains(phi)) {
                found.insert(*phi);
            }
        }
        if found.len() == before {
            return Some(found);
        }
    }
}

fn block_of(body: &Body, phi: ValueId) -> Option<BlockId> {
    match body.def(phi) {
        Def::Phi(block) => Some(block),
        _ => None,
    }
}

/// The end of the block that the input comes from. If control may also go elsewhere from there, nobody who takes what the
/// phi holds may be there.
fn end_of(body: &Body, input: &PhiInput, takers: &[BlockId]) -> Option<At> {
    let into = block_of(body, input.phi)?;
    // Exceptions come from the middle of a block.
    let is_handler = body.blocks.iter().any(|block| block.handlers.contains(&into));
    let from = body.blocks.get(input.from as usize).filter(|_| !is_handler)?;
    let elsewhere = from.successors.iter().copied().filter(|to| *to != into);
    if reach(body, elsewhere.collect(), into, takers) {
        return None;
    }
    let last = from.end.checked_sub(1).filter(|last| *last >= from.first);
    Some(match last.and_then(|last| body.instr(last)) {
        Some(last) if matches!(last.op, Op::Branch(_) | Op::Switch) => At::Before(last.pc),
        Some(last) => At::After(last.pc),
        None => At::Before(from.pc),
    })
}

/// Whether control gets from one of the blocks to one of `takers` without going through `into`.
fn reach(body: &Body, mut seen: Vec<BlockId>, into: BlockId, takers: &[BlockId]) -> bool {
    let mut at = 0;
    while let Some(&block) = seen.get(at) {
        at += 1;
        if takers.contains(&block) {
            return true;
        }
        let Some(block) = body.blocks.get(block as usize) else {
            continue;
        };
        for &to in block.successors.iter().chain(&block.handlers) {
            if to != into && !seen.contains(&to) {
                seen.push(to);
            }
        }
    }
    false
}
