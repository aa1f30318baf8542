//! Accesses that repeat an earlier one ([`crate::facts::Proofs::covered`]): a forward analysis of which accesses are
//! still *available*, that is were done on every path, with nothing released since.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::available::Available;
use super::blocks::Blocks;
use super::phis::Phis;
use super::recording::{Event, Recording};
use super::values::{NULL, Value};
use crate::facts::{Access, Cover, MemberId};

/// A variable that is accessed only once can cover nothing.
const NO_KEY: u32 = u32::MAX;
/// Blocks are run so many times each, on the average; after that nothing is covered in the method.
const MOST_RUNS: usize = 16;
/// More blocks than this and states would take too much memory.
const MOST_BLOCKS: usize = 1 << 13;

/// Reused from method to method.
#[derive(Debug, Default)]
pub struct Covers {
    by_variable: FxHashMap<(Value, MemberId), u32>,
    /// The base of each key's variable.
    bases: Vec<Value>,
    /// The key of each access.
    keys: Vec<u32>,
    /// The state at each block's entry, once a path has come there.
    entries: Vec<Option<Available>>,
    changed: Vec<bool>,
    now: Available,
    thrown: Available,
}

impl Covers {
    pub fn prove(&mut self, accesses: &mut [Access], recording: &Recording, phis: &Phis, blocks: &Blocks) {
        let count = blocks.count();
        if count > MOST_BLOCKS || !self.number(accesses, &recording.bases, phis) {
            return;
        }
        self.entries.clear();
        self.entries.resize(count, None);
        self.changed.clear();
        self.changed.resize(count, false);
        self.now.clear();
        self.flow(0, false);
        let mut runs = count * MOST_RUNS;
        let mut from = Some(0);
        while let Some(first) = from {
            for block in first..count {
                if self.changed.get(block) != Some(&true) {
                    continue;
                }
                if runs == 0 {
                    return;
                }
                runs -= 1;
                self.changed[block] = false;
                self.run(block, recording, accesses, |_, _| {});
                for to in blocks.successors(block) {
                    self.flow(*to as usize, false);
                }
                for to in blocks.handlers(block) {
                    self.flow(*to as usize, true);
                }
            }
            from = self.changed.iter().position(|changed| *changed);
        }
        for block in 0..count {
            self.run(block, recording, accesses, |access, cover| {
                access.proofs.covered = cover(access).map(Box::new);
            });
        }
    }

    /// Gives variables with several accesses a key; says whether there are any.
    fn number(&mut self, accesses: &[Access], bases: &[Value], phis: &Phis) -> bool {
        self.keys.clear();
        if accesses.len() < 2 {
            return false;
        }
        self.by_variable.clear();
        self.bases.clear();
        let variables = bases.iter().zip(accesses);
        let variables = variables.map(|(base, access)| (phis.resolve(*base), access.field));
        let mut any = false;
        for variable in variables.clone() {
            // Of an object without a node we do not know that it is the same.
            if variable.0 == NULL {
                continue;
            }
            match self.by_variable.entry(variable) {
                Entry::Vacant(free) => {
                    free.insert(NO_KEY);
                }
                Entry::Occupied(mut found) => {
                    any = true;
                    if *found.get() == NO_KEY {
                        found.insert(self.bases.len() as u32);
                        self.bases.push(variable.0);
                    }
                }
            }
        }
        if any {
            let key = |variable| self.by_variable.get(&variable).copied().unwrap_or(NO_KEY);
            self.keys.extend(variables.map(key));
        }
        any
    }

    /// A path goes on to `block`, with `thrown` or with `now`.
    fn flow(&mut self, block: usize, is_thrown: bool) {
        let state = if is_thrown { &self.thrown } else { &self.now };
        let Some(entry) = self.entries.get_mut(block) else {
            return;
        };
        let changed = match entry {
            Some(entry) => entry.meet(state),
            None => {
                *entry = Some(state.clone());
                true
            }
        };
        if changed && let Some(slot) = self.changed.get_mut(block) {
            *slot = true;
        }
    }

    /// Runs through a block. Leaves the state at its end in `now`, and what all places in it have in common in
    /// `thrown`: there an exception may leave it.
    fn run(
        &mut self,
        block: usize,
        recording: &Recording,
        accesses: &mut [Access],
        mut prove: impl FnMut(&mut Access, &dyn Fn(&Access) -> Option<Cover>),
    ) {
        let Some(Some(entry)) = self.entries.get(block) else {
            return;
        };
        let (now, thrown) = (&mut self.now, &mut self.thrown);
        now.copy_from(entry);
        thrown.copy_from(entry);
        let event_at = |block: usize| recording.block_events.get(block).map(|at| *at as usize);
        let start = event_at(block).unwrap_or(0);
        let end = event_at(block + 1).unwrap_or(recording.events.len());
        let mut last_access = 0;
        for event in recording.events.get(start..end).unwrap_or_default() {
            match *event {
                Event::Made(value) => {
                    let bases = &self.bases;
                    let is_older = |key: u32| bases.get(key as usize) == Some(&value);
                    now.forget(is_older);
                    thrown.forget(is_older);
                }
                Event::Called(op) => {
                    now.call(op);
                    thrown.call(op);
                }
                Event::Accessed(index) => {
                    last_access = index;
                    let key = self.keys.get(index as usize).copied().unwrap_or(NO_KEY);
                    let Some(access) = accesses.get_mut(index as usize) else {
                        continue;
                    };
                    if key == NO_KEY {
                        continue;
                    }
                    prove(access, &|access| now.cover(key, access));
                    // A handler may be entered before it as well: there what came earlier still covers.
                    now.access(key, index, access.write);
                }
                Event::Elsewhere(field) => {
                    now.elsewhere(field, Some(last_access));
                    thrown.elsewhere(field, None);
                }
                Event::Acquired => {
                    now.acquire();
                    thrown.acquire();
                }
                Event::Released => {
                    now.clear();
                    thrown.clear();
                }
                Event::Leaked(_) | Event::Kept { .. } | Event::Passed { .. } | Event::Element(_) => {}
            }
        }
    }
}
