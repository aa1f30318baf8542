//! Innermost loops as sets of blocks.

use racewire_classfile::opcode::{FLOW, Flow};
use racewire_classfile::{Insn, op};

use super::Place;
use crate::ir::blocks::Blocks;

/// A method of more blocks, or a loop of more, is left alone.
const MOST_BLOCKS: usize = 4096;
const MOST_INSIDE: usize = 64;

/// Blocks that are run through again and again; each once a round, as there is no cycle but through the header.
#[derive(Debug)]
pub struct Body {
    header: usize,
    /// In an order in which each comes after those that lead to it; the header is the first.
    blocks: Vec<usize>,
    /// For each of `blocks`, those that a round has come through for sure when it ends there: bits.
    passed: Vec<u64>,
    /// The same at the end of every round that another one follows.
    each_round: u64,
}

/// The numbers of the blocks in an order in which only loops lead back; `usize::MAX` for those never reached.
fn order(blocks: &Blocks) -> Vec<usize> {
    let mut number = vec![usize::MAX; blocks.count()];
    let mut seen = vec![false; blocks.count()];
    let mut finished = Vec::new();
    let mut open = vec![(0, 0)];
    while let Some((block, next)) = open.pop() {
        if let Some(slot) = seen.get_mut(block) {
            *slot = true;
        }
        match blocks.all_successors(block).get(next) {
            Some(to) => {
                open.push((block, next + 1));
                if seen.get(*to as usize) == Some(&false) {
                    open.push((*to as usize, 0));
                }
            }
            None => finished.push(block),
        }
    }
    for (nth, block) in finished.iter().rev().enumerate() {
        if let Some(slot) = number.get_mut(*block) {
            *slot = nth;
        }
    }
    number
}

/// All innermost loops that are entered at one block only, and not by an exception.
pub fn innermost(blocks: &Blocks) -> Vec<Body> {
    let count = blocks.count();
    if count > MOST_BLOCKS {
        return Vec::new();
    }
    let number = order(blocks);
    let at = |block: usize| number.get(block).copied().unwrap_or(usize::MAX);
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut handles = vec![false; count];
    let mut headers = Vec::new();
    for block in (0..count).filter(|block| at(*block) != usize::MAX) {
        for to in blocks.successors(block).iter().map(|to| *to as usize) {
            if let Some(list) = before.get_mut(to) {
                list.push(block);
            }
            if at(to) <= at(block) {
                headers.push(to);
            }
        }
        for to in blocks.handlers(block) {
            if let Some(slot) = handles.get_mut(*to as usize) {
                *slot = true;
            }
        }
    }
    headers.sort_unstable();
    headers.dedup();
    let mut bodies = Vec::new();
    for header in headers {
        let body = Body::of(header, &before, at);
        bodies.extend(body.filter(|body| !body.blocks.iter().any(|b| handles.get(*b) == Some(&true))));
    }
    bodies
}

impl Body {
    fn of(header: usize, before: &[Vec<usize>], at: impl Fn(usize) -> usize) -> Option<Body> {
        let preceding = |block: usize| before.get(block).map_or(&[][..], Vec::as_slice);
        let mut inside = vec![header];
        let mut open: Vec<usize> = preceding(header)
            .iter()
            .copied()
            .filter(|b| at(*b) >= at(header))
            .collect();
        let latches = open.clone();
        while let Some(block) = open.pop() {
            if inside.contains(&block) {
                continue;
            }
            // Something leads into the loop without passing its header.
            if at(block) < at(header) || inside.len() == MOST_INSIDE {
                return None;
            }
            inside.push(block);
            open.extend(preceding(block));
        }
        inside.sort_by_key(|block| at(*block));
        let mut passed: Vec<u64> = Vec::new();
        for (nth, block) in inside.iter().enumerate() {
            let mut all = u64::MAX;
            for from in preceding(*block).iter().filter(|_| *block != header) {
                let known = inside.iter().position(|other| other == from)?;
                // Another cycle.
                all &= *passed.get(known)?;
            }
            passed.push(if nth == 0 { 1 } else { all | (1 << nth) });
        }
        let mut each_round = u64::MAX;
        for latch in latches {
            let known = inside.iter().position(|other| *other == latch)?;
            each_round &= *passed.get(known)?;
        }
        Some(Body {
            header,
            blocks: inside,
            passed,
            each_round,
        })
    }

    fn position(&self, block: usize) -> Option<usize> {
        self.blocks.iter().position(|other| *other == block)
    }

    pub fn in_order(&self) -> impl Iterator<Item = usize> + '_ {
        self.blocks.iter().copied()
    }

    /// Whether no round that another one follows leaves it out.
    pub fn is_in_each_round(&self, block: usize) -> bool {
        self.position(block)
            .is_some_and(|nth| (self.each_round >> nth) & 1 == 1)
    }

    /// Whether a round that has come to `later` has been at `earlier`.
    pub fn comes_before(&self, earlier: usize, later: usize) -> bool {
        let passed = self.position(later).and_then(|nth| self.passed.get(nth));
        matches!((passed, self.position(earlier)), (Some(passed), Some(nth)) if (passed >> nth) & 1 == 1)
    }

    pub fn instructions<'i>(
        &'i self,
        blocks: &'i Blocks,
        insns: &'i [Insn],
    ) -> impl Iterator<Item = &'i Insn> + 'i {
        self.in_order()
            .flat_map(|block| block_instructions(blocks, block, insns))
    }

    pub fn ranges(&self, blocks: &Blocks) -> Vec<(u32, u32)> {
        let mut all: Vec<(u32, u32)> = Vec::new();
        let mut by_pc: Vec<_> = self.in_order().map(|block| blocks.range(block)).collect();
        by_pc.sort_unstable();
        for (start, end) in by_pc {
            match all.last_mut() {
                Some(last) if last.1 as usize == start => last.1 = end as u32,
                _ => all.push((start as u32, end as u32)),
            }
        }
        all
    }

    /// The ways in and out; `None` if code cannot be put there, or would stand in another loop.
    pub fn edges(&self, blocks: &Blocks, insns: &[Insn], all: &[Body]) -> Option<(Vec<Place>, Vec<Place>)> {
        let is_inside = |block: usize| self.position(block).is_some();
        let mut entries = Vec::new();
        if self.header == 0 {
            entries.push(Place::Entry);
        }
        for block in (0..blocks.count()).filter(|block| !is_inside(*block)) {
            if blocks.successors(block).contains(&(self.header as u32)) {
                let last = block_instructions(blocks, block, insns).last()?;
                entries.push(match flow(last) {
                    Flow::Next => Place::After(last.pc),
                    _ => Place::Before(last.pc),
                });
            }
        }
        let mut exits = Vec::new();
        for block in self.in_order() {
            let last = block_instructions(blocks, block, insns).last()?;
            let goes_on = match flow(last) {
                Flow::If if !jumps_to_next(blocks, block) => Some(block + 1),
                _ => None,
            };
            let handlers = blocks.handlers(block).iter().map(|to| *to as usize);
            let outside = blocks
                .successors(block)
                .iter()
                .map(|to| *to as usize)
                .chain(handlers);
            for to in outside.filter(|to| !is_inside(*to)) {
                if Some(to) == goes_on && !blocks.handlers(block).contains(&(to as u32)) {
                    exits.push(Place::After(last.pc));
                    continue;
                }
                let elsewhere = |other: &Body| other.position(to).is_some() && other.header != self.header;
                if all.iter().any(elsewhere) {
                    return None;
                }
                exits.push(Place::Before(blocks.range(to).0 as u32));
            }
        }
        exits.sort_unstable();
        exits.dedup();
        Some((entries, exits))
    }
}

/// An `if` both of whose ways lead to the next instruction.
fn jumps_to_next(blocks: &Blocks, block: usize) -> bool {
    blocks.successors(block).len() == 1
}

/// `wide` widens nothing that jumps, but for `ret`, of which [`Blocks`] want to know nothing.
fn flow(insn: &Insn) -> Flow {
    if insn.op == op::WIDE {
        Flow::Next
    } else {
        FLOW[usize::from(insn.op)]
    }
}

pub fn block_instructions<'i>(
    blocks: &Blocks,
    block: usize,
    insns: &'i [Insn],
) -> impl Iterator<Item = &'i Insn> + use<'i> {
    let (start, end) = blocks.range(block);
    let from = insns.partition_point(|insn| (insn.pc as usize) < start);
    insns
        .iter()
        .skip(from)
        .take_while(move |insn| (insn.pc as usize) < end)
}
