//! Dominators, post-dominators and control dependence of a method, by blocks.
//!
//! Exceptions count where they lead to code (dominators); for control dependence only branches do, since nearly every
//! instruction may throw and nothing would depend on anything else.

use crate::body::{BlockId, Body};

/// No block.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Default)]
pub struct Flow {
    /// By block: the nearest block that every way to it goes through.
    dominators: Vec<u32>,
    /// By block: the blocks whose branch decides whether it runs, nearest last.
    depends_on: Vec<Vec<BlockId>>,
    /// By block: where its dominator comes in an order in which dominators come first.
    order: Vec<u32>,
}

impl Flow {
    pub fn new(body: &Body) -> Flow {
        let count = body.blocks.len();
        let forward: Vec<Vec<u32>> = body
            .blocks
            .iter()
            .map(|block| block.successors.iter().chain(&block.handlers).copied().collect())
            .collect();
        let (dominators, order) = dominators(&forward, 0);
        // Backwards from an exit that all ends lead to; the last number stands for it.
        let exit = count as u32;
        let mut backward: Vec<Vec<u32>> = vec![Vec::new(); count + 1];
        for (from, block) in (0..).zip(&body.blocks) {
            for &to in &block.successors {
                if let Some(edges) = backward.get_mut(to as usize) {
                    edges.push(from);
                }
            }
            if block.successors.is_empty()
                && let Some(edges) = backward.get_mut(count)
            {
                edges.push(from);
            }
        }
        let (mut after, _) = dominators_with_loops(&mut backward, exit);
        after.truncate(count);
        let mut depends_on = vec![Vec::new(); count];
        for (from, block) in (0..).zip(&body.blocks) {
            if block.successors.len() < 2 {
                continue;
            }
            let stop = after.get(from as usize).copied().unwrap_or(NONE);
            for &to in &block.successors {
                let mut at = to;
                let mut steps = 0;
                while at != stop && at != exit && at != NONE && steps <= count {
                    if let Some(depends) = depends_on.get_mut(at as usize)
                        && !depends.contains(&from)
                    {
                        depends.push(from);
                    }
                    at = after.get(at as usize).copied().unwrap_or(NONE);
                    steps += 1;
                }
            }
        }
        Flow {
            dominators,
            depends_on,
            order,
        }
    }

    /// Every way to `block` goes through `by`, or they are the same.
    pub fn dominated(&self, block: BlockId, by: BlockId) -> bool {
        let mut at = block;
        let rank = |block: BlockId| self.order.get(block as usize).copied().unwrap_or(NONE);
        while at != by {
            match self.dominators.get(at as usize) {
                Some(&next) if next != at && next != NONE && rank(next) < rank(at) => at = next,
                _ => return false,
            }
        }
        true
    }

    /// The blocks whose last branch decides whether the block runs.
    pub fn depends_on(&self, block: BlockId) -> &[BlockId] {
        self.depends_on.get(block as usize).map_or(&[], Vec::as_slice)
    }

    /// The same, and what decides about those.
    pub fn depends_on_all(&self, block: BlockId) -> Vec<BlockId> {
        let mut found = Vec::new();
        let mut waiting = vec![block];
        while let Some(at) = waiting.pop() {
            for &on in self.depends_on(at) {
                if !found.contains(&on) {
                    found.push(on);
                    waiting.push(on);
                }
            }
        }
        found.sort_unstable();
        found
    }
}

/// With the exit made reachable from endless loops too: each that has no end gets one.
fn dominators_with_loops(backward: &mut [Vec<u32>], exit: u32) -> (Vec<u32>, Vec<u32>) {
    loop {
        let (found, order) = dominators(backward, exit);
        let lost = found.iter().rposition(|dominator| *dominator == NONE);
        match lost {
            Some(block) if block as u32 != exit => {
                if let Some(edges) = backward.get_mut(exit as usize) {
                    edges.push(block as u32);
                }
            }
            _ => return (found, order),
        }
    }
}

/// Cooper, Harvey and Kennedy's algorithm: the dominator of each node, and its place in reverse postorder.
fn dominators(edges: &[Vec<u32>], start: u32) -> (Vec<u32>, Vec<u32>) {
    let count = edges.len();
    let mut order = vec![NONE; count];
    let sequence = reverse_postorder(edges, start);
    for (place, node) in (0..).zip(&sequence) {
        if let Some(slot) = order.get_mut(*node as usize) {
            *slot = place;
        }
    }
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
    for &from in &sequence {
        for &to in edges.get(from as usize).map_or(&[][..], Vec::as_slice) {
            if let Some(before) = before.get_mut(to as usize) {
                before.push(from);
            }
        }
    }
    let mut found = vec![NONE; count];
    if let Some(slot) = found.get_mut(start as usize) {
        *slot = start;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &node in sequence.iter().skip(1) {
            let known = before.get(node as usize).map_or(&[][..], Vec::as_slice);
            let known = known
                .iter()
                .copied()
                .filter(|from| found.get(*from as usize) != Some(&NONE));
            let new = known.reduce(|a, b| common(&found, &order, a, b)).unwrap_or(NONE);
            if let Some(slot) = found.get_mut(node as usize)
                && *slot != new
            {
                *slot = new;
                changed = true;
            }
        }
    }
    (found, order)
}

fn common(found: &[u32], order: &[u32], mut a: u32, mut b: u32) -> u32 {
    let rank = |node: u32| order.get(node as usize).copied().unwrap_or(0);
    let up = |node: u32| found.get(node as usize).copied().unwrap_or(NONE);
    while a != b && a != NONE && b != NONE {
        if rank(a) > rank(b) {
            a = up(a);
        } else {
            b = up(b);
        }
    }
    if a == b { a } else { NONE }
}

fn reverse_postorder(edges: &[Vec<u32>], start: u32) -> Vec<u32> {
    let mut seen = vec![false; edges.len()];
    let mut done = Vec::new();
    let mut stack = vec![(start, 0)];
    if let Some(seen) = seen.get_mut(start as usize) {
        *seen = true;
    }
    while let Some((node, next)) = stack.last_mut() {
        let to = edges
            .get(*node as usize)
            .and_then(|edges| edges.get(*next))
            .copied();
        *next += 1;
        match to {
            Some(to) => {
                if let Some(seen) = seen.get_mut(to as usize)
                    && !std::mem::replace(seen, true)
                {
                    stack.push((to, 0));
                }
            }
            None => {
                done.push(*node);
                stack.pop();
            }
        }
    }
    done.reverse();
    done
}
