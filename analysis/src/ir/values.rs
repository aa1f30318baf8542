//! The values of a method, numbered, and the states of its blocks: which value each slot holds.
//!
//! A number stands for one instruction (or parameter, or place where values meet), and at any moment for one
//! reference: the last that came out of it. That an older one is still around in some slot cannot be: on the first
//! path to the instruction the slot holds something else, so where that path meets the others a phi takes its place.

use racewire_classfile::ClassError;

use super::bad;
use super::blocks::Blocks;

pub type Value = u32;

/// No reference: a primitive, nothing yet, or different things on different paths. The verifier lets nobody use it
/// as a reference (JVMS 4.10.1.2), nor do we.
pub const TOP: Value = 0;
/// A reference that has no node: null, or a leaf.
pub const NULL: Value = 1;
/// All exceptions that are thrown; only for the nodes, no slot holds it.
pub const THROWN: Value = 2;
const FIRST: Value = 3;
const PHI: Value = 1 << 31;
/// A constant that is a leaf (a string, a class), by its index in the pool. Where paths meet it is a leaf like any other.
const TEXT: Value = 1 << 30;

/// The phi with that index.
pub fn phi(index: usize) -> Value {
    PHI | index as Value
}

/// The index of a phi.
pub fn phi_index(value: Value) -> Option<usize> {
    (value & PHI != 0).then_some((value & !PHI) as usize)
}

pub fn has_node(value: Value) -> bool {
    value > NULL && constant_index(value).is_none()
}

/// The constant with that index.
pub fn constant(index: u16) -> Value {
    TEXT | Value::from(index)
}

/// The index of a constant.
pub fn constant_index(value: Value) -> Option<u16> {
    (value & (PHI | TEXT) == TEXT).then_some(value as u16)
}

/// What is left of a value where paths may meet.
fn at_edge(value: Value) -> Value {
    constant_index(value).map_or(value, |_| NULL)
}

/// More slots in all states together than this, and we give up: the longest real method takes a tenth.
const MOST_SLOTS: usize = 1 << 24;
/// The same for slots times edges: all of them are merged.
const MOST_MERGES: usize = 1 << 26;
const UNREACHED: u32 = u32::MAX;

/// Reused from method to method.
#[derive(Debug, Default)]
pub struct Values {
    /// See [`super::kinds::Kind::Object`]; for each value that is no phi.
    leaf_depth: Vec<u8>,
    /// What comes out of the instruction at a pc.
    at_pc: Vec<Value>,
    /// The exception that each handler's block catches.
    caught: Vec<Value>,
    /// The block of each phi.
    phis: Vec<u32>,
    /// For each block the values of its slots at entry: locals, then stack.
    entries: Vec<Value>,
    /// For each block how many of them there are; `UNREACHED` if no path was seen yet.
    lengths: Vec<u32>,
    slots: usize,
    /// Every execution of an instruction gives a value of its own: for tests, which follow one path.
    #[cfg(test)]
    pub is_concrete: bool,
}

impl Values {
    pub fn start(&mut self, code_length: usize, graph: &Blocks, slots: usize) -> Result<(), ClassError> {
        let blocks = graph.count();
        if blocks.saturating_mul(slots) > MOST_SLOTS || graph.edge_count().saturating_mul(slots) > MOST_MERGES
        {
            return Err(bad(0, "too many local variables in too many blocks"));
        }
        self.leaf_depth.clear();
        self.leaf_depth.resize(FIRST as usize, 0);
        self.at_pc.clear();
        self.at_pc.resize(code_length, TOP);
        self.caught.clear();
        self.caught.resize(blocks, TOP);
        self.phis.clear();
        self.entries.clear();
        self.entries.resize(blocks * slots, TOP);
        self.lengths.clear();
        self.lengths.resize(blocks, UNREACHED);
        self.slots = slots;
        Ok(())
    }

    pub fn count(&self) -> usize {
        self.leaf_depth.len()
    }

    pub fn phi_count(&self) -> usize {
        self.phis.len()
    }

    pub fn phi_block(&self, phi: usize) -> u32 {
        self.phis.get(phi).copied().unwrap_or(0)
    }

    pub fn fresh(&mut self, leaf_depth: u8) -> Value {
        self.leaf_depth.push(leaf_depth);
        self.leaf_depth.len() as Value - 1
    }

    /// What comes out of the instruction at `pc`. If it is told to be different arrays at different times (because
    /// what it reads from became a phi), it is another value from then on, of which nothing is known: so that
    /// whoever has seen the first sees it change.
    pub fn result(&mut self, pc: usize, leaf_depth: u8) -> Value {
        #[cfg(test)]
        if self.is_concrete {
            return self.fresh(leaf_depth);
        }
        let known = self.at_pc.get(pc).copied().unwrap_or(TOP);
        let depth = self.leaf_depth(known);
        if known != TOP && (depth == leaf_depth || depth == 0) {
            return known;
        }
        let value = self.fresh(if known == TOP { leaf_depth } else { 0 });
        if let Some(slot) = self.at_pc.get_mut(pc) {
            *slot = value;
        }
        value
    }

    /// What comes out of each instruction that was run, by pc.
    #[cfg(test)]
    pub fn results(&self) -> &[Value] {
        &self.at_pc
    }

    /// Whether something with a node has come out of the instruction at `pc`.
    pub fn has_result(&self, pc: usize) -> bool {
        self.at_pc.get(pc).is_some_and(|value| *value != TOP)
    }

    pub fn leaf_depth(&self, value: Value) -> u8 {
        self.leaf_depth.get(value as usize).copied().unwrap_or(0)
    }

    /// The exception with which `block` is entered as a handler.
    pub fn caught(&mut self, block: usize) -> Value {
        let known = self.caught.get(block).copied().unwrap_or(TOP);
        if known != TOP {
            return known;
        }
        let value = self.fresh(0);
        if let Some(slot) = self.caught.get_mut(block) {
            *slot = value;
        }
        value
    }

    /// Every caught exception.
    pub fn all_caught(&self) -> impl Iterator<Item = Value> {
        self.caught.iter().copied().filter(|value| *value != TOP)
    }

    /// The state at the block's entry; `None` if no path leads to it.
    pub fn entry(&self, block: usize) -> Option<&[Value]> {
        let length = *self.lengths.get(block)?;
        let start = block * self.slots;
        self.entries.get(start..start.checked_add(length as usize)?)
    }

    /// A path comes to `block` with these values in its slots from `first` on, of `length` that it has; says whether
    /// that changed its state.
    pub fn merge(
        &mut self,
        block: usize,
        first: usize,
        incoming: &[Value],
        length: usize,
    ) -> Result<bool, ClassError> {
        let start = block * self.slots;
        let known = self.lengths.get_mut(block);
        let known = known.ok_or_else(|| bad(0, "no such block"))?;
        if first + incoming.len() > length || length > self.slots {
            return Err(bad(0, "operand stack overflow"));
        }
        let entries = self
            .entries
            .get_mut(start + first..start + first + incoming.len());
        let entries = entries.unwrap_or_default();
        if *known == UNREACHED {
            *known = length as u32;
            for (mine, theirs) in entries.iter_mut().zip(incoming) {
                *mine = at_edge(*theirs);
            }
            return Ok(true);
        }
        // JVMS 4.10.2.2: the depth of the stack is the same on all paths.
        if *known as usize != length {
            return Err(bad(0, "stacks of different depth meet"));
        }
        let mut changed = false;
        for (mine, theirs) in entries.iter_mut().zip(incoming) {
            let theirs = at_edge(*theirs);
            if *mine == theirs || *mine == TOP {
                continue;
            }
            if theirs == TOP {
                *mine = TOP;
                changed = true;
                continue;
            }
            if phi_index(*mine).and_then(|phi| self.phis.get(phi)) == Some(&(block as u32)) {
                continue;
            }
            *mine = PHI | self.phis.len() as Value;
            self.phis.push(block as u32);
            changed = true;
        }
        Ok(changed)
    }

    /// What these values, in slots from `first` on of a path that comes to `block`, are to the phis there.
    pub fn phi_inputs(&self, block: usize, first: usize, incoming: &[Value], out: &mut Vec<(Value, Value)>) {
        let entry = self.entry(block).unwrap_or_default();
        for (mine, theirs) in entry.iter().skip(first).zip(incoming) {
            let theirs = at_edge(*theirs);
            if let Some(phi) = phi_index(*mine)
                && *mine != theirs
                && self.phi_block(phi) == block as u32
                && out.last() != Some(&(*mine, theirs))
            {
                out.push((*mine, theirs));
            }
        }
    }
}
