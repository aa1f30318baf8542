//! What happens when a lock object is collected: its id becomes `DEAD` in lock sets, so epochs become equal, so
//! states become equal. A program may create and drop millions of locks; each leaves only the few bytes of the
//! epoch and state ids that words in the heap may still hold.

use crate::core::Core;
use crate::history::Order;
use crate::ids::{EpochId, LockId, StateId};
use crate::intern::Interner;
use crate::lockset::{LockSetId, lists_bytes, push_compacting};
use crate::state::{Access, State};
use crate::tables::Tables;
use rustc_hash::FxHashMap;

/// Who refers to lock sets that can die. Lists may name users that are gone or have changed.
#[derive(Default)]
pub(crate) struct Uses {
    epochs_with: FxHashMap<LockSetId, Vec<EpochId>>,
    states_with_candidates: FxHashMap<LockSetId, Vec<StateId>>,
    states_with: FxHashMap<EpochId, Vec<StateId>>,
}

impl Uses {
    pub fn add_epoch(&mut self, tables: &Tables, id: EpochId, held: LockSetId) {
        if tables.locks.is_mortal(held) {
            let in_use = |e: &EpochId| tables.epochs.get(*e).is_some_and(|epoch| epoch.held == held);
            push_compacting(self.epochs_with.entry(held).or_default(), id, in_use);
        }
    }

    pub fn add_state(&mut self, tables: &Tables, states: &Interner<State>, id: StateId, state: &State) {
        let in_use = |s: &StateId| states.resolve(s.0) == s.0;
        if tables.locks.is_mortal(state.candidates) {
            push_compacting(
                self.states_with_candidates.entry(state.candidates).or_default(),
                id,
                in_use,
            );
        }
        for access in state.history.iter().chain(&state.handed) {
            if tables
                .epochs
                .get(access.epoch)
                .is_some_and(|e| tables.locks.is_mortal(e.held))
            {
                let list = self.states_with.entry(access.epoch).or_default();
                if list.last() != Some(&id) {
                    push_compacting(list, id, in_use);
                }
            }
        }
    }

    pub fn bytes(&self) -> usize {
        lists_bytes(&self.epochs_with)
            + lists_bytes(&self.states_with_candidates)
            + lists_bytes(&self.states_with)
    }
}

impl Core {
    /// The lock's object was collected. It is `DEAD` from now on in every epoch and state, and what thereby
    /// became equal becomes one; words in the program's heap stay valid.
    pub fn lock_dead(&mut self, lock: LockId) {
        let renamed = self.tables.locks.bury(lock);
        let mut touched: Vec<StateId> = Vec::new();
        for (old, new) in &renamed {
            for id in self.uses.epochs_with.remove(old).unwrap_or_default() {
                let id = self.tables.epochs.resolve(id);
                let Some(mut epoch) = self.tables.epochs.get(id).filter(|e| e.held == *old) else {
                    continue;
                };
                epoch.held = *new;
                self.tables.epochs.rewrite(id, epoch);
                // Under its own id or, if it was merged, under the other one: the set is in use there.
                self.uses
                    .add_epoch(&self.tables, self.tables.epochs.resolve(id), *new);
                touched.extend(self.uses.states_with.remove(&id).unwrap_or_default());
            }
            touched.extend(self.uses.states_with_candidates.remove(old).unwrap_or_default());
        }
        touched.sort_unstable();
        touched.dedup();
        for id in touched {
            self.renew_state(id, &renamed);
        }
    }

    fn renew_state(&mut self, id: StateId, renamed: &FxHashMap<LockSetId, LockSetId>) {
        // A state that became an alias is dealt with under the other id, which is in the list as well.
        if self.states.resolve(id.0) != id.0 {
            return;
        }
        let Some(old) = self.states.get(id.0) else { return };
        let candidates = renamed.get(&old.candidates).copied().unwrap_or(old.candidates);
        let order = Order::normal(&self.tables, self.detector);
        let renew = |accesses: &[Access]| {
            let mut renewed = Vec::with_capacity(accesses.len());
            order.rebuild(accesses, None, &mut renewed);
            renewed.shrink_to_fit();
            renewed
        };
        let state = State {
            phase: old.phase,
            candidates,
            explained: old.explained,
            history: renew(&old.history),
            handed: renew(&old.handed),
        };
        self.uses.add_state(&self.tables, &self.states, id, &state);
        self.states.rewrite(id.0, state);
    }
}
