//! The state at the beginning of every block, and the values of a method as they are found.

use super::slots::{HALF, bad};
use super::{BlockId, Def, ValueId};
use racewire_classfile::ClassError;
use rustc_hash::FxHashMap;

/// Not seen yet: as good as any other value.
const UNSEEN: ValueId = ValueId::MAX - 1;

#[derive(Debug, Default)]
pub struct Arrivals {
    pub values: Vec<Def>,
    /// By block; `None` as long as nothing reaches it.
    entries: Vec<Option<Vec<ValueId>>>,
    /// By pc: the result of the instruction there.
    results: FxHashMap<u32, ValueId>,
    phis: FxHashMap<(BlockId, u32), ValueId>,
    caught: FxHashMap<BlockId, ValueId>,
    /// Blocks whose state has changed since they were last run.
    pub changed: Vec<bool>,
}

impl Arrivals {
    pub fn start(&mut self, blocks: usize) {
        self.values.clear();
        self.values.push(Def::Nothing);
        self.entries.clear();
        self.entries.resize(blocks, None);
        self.results.clear();
        self.phis.clear();
        self.caught.clear();
        self.changed.clear();
        self.changed.resize(blocks, false);
    }

    pub fn fresh(&mut self, def: Def) -> ValueId {
        self.values.push(def);
        self.values.len() as ValueId - 1
    }

    /// What the instruction at `pc` gives, each time it is run. Its definition is filled in when it is written down.
    pub fn result(&mut self, pc: usize, def: Def) -> ValueId {
        match self.results.get(&(pc as u32)) {
            Some(value) => *value,
            None => {
                let value = self.fresh(def);
                self.results.insert(pc as u32, value);
                value
            }
        }
    }

    pub fn caught(&mut self, block: BlockId) -> ValueId {
        match self.caught.get(&block) {
            Some(value) => *value,
            None => {
                let value = self.fresh(Def::Caught(block));
                self.caught.insert(block, value);
                value
            }
        }
    }

    pub fn entry(&self, block: usize) -> Option<&[ValueId]> {
        self.entries.get(block)?.as_deref()
    }

    /// The phi at the beginning of the block for that slot, if there is one.
    pub fn phi(&self, block: BlockId, slot: usize) -> Option<ValueId> {
        self.phis.get(&(block, slot as u32)).copied()
    }

    /// `slots` reach the block, the first of them at `at`; the block begins with `height` slots in all.
    pub fn arrive(
        &mut self,
        block: BlockId,
        at: usize,
        slots: &[ValueId],
        height: usize,
    ) -> Result<(), ClassError> {
        let index = block as usize;
        let Some(entry) = self.entries.get_mut(index) else {
            return Err(bad(0, "branch out of the code"));
        };
        let mut state = match entry.take() {
            Some(state) if state.len() != height => return Err(bad(0, "stacks of different height meet")),
            Some(state) => state,
            None => {
                if let Some(changed) = self.changed.get_mut(index) {
                    *changed = true;
                }
                vec![UNSEEN; height]
            }
        };
        for (nth, &new) in slots.iter().enumerate() {
            let slot = at + nth;
            let Some(&old) = state.get(slot) else {
                continue;
            };
            let met = match (old, new) {
                (UNSEEN, new) => new,
                (old, new) if old == new => continue,
                // Half of a long meets something else: nothing that code can use.
                (HALF, _) | (_, HALF) => HALF,
                _ => match self.phi(block, slot) {
                    Some(phi) => phi,
                    None => {
                        let phi = self.fresh(Def::Phi(block));
                        self.phis.insert((block, slot as u32), phi);
                        phi
                    }
                },
            };
            if met != old {
                if let Some(slot) = state.get_mut(slot) {
                    *slot = met;
                }
                if let Some(changed) = self.changed.get_mut(index) {
                    *changed = true;
                }
            }
        }
        if let Some(entry) = self.entries.get_mut(index) {
            *entry = Some(state);
        }
        Ok(())
    }
}
