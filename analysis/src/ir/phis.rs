//! Which phis there really are.
//!
//! The states have a phi wherever values have met while they were computed. Some of them turn out to be one value
//! only, and are that value. Others are used by nothing: the variable is dead there, and what flows into it goes
//! nowhere (slots are used again and again for variables that have nothing to do with each other).

use super::recording::Recording;
use super::values::{NULL, Value, Values, phi_index};

/// Compilers nest loops a few deep: what is left after so many rounds stays a phi.
const MOST_ROUNDS: usize = 10;

/// No input yet.
const NOTHING: Value = 0;
/// More than one.
const SEVERAL: Value = Value::MAX;

/// Reused from method to method.
#[derive(Debug, Default)]
pub struct Phis {
    /// What each phi always is, or `NOTHING`.
    alias: Vec<Value>,
    /// The only input of each phi.
    only: Vec<Value>,
    work: Vec<Value>,
}

impl Phis {
    /// The value that a value is known to be.
    pub fn resolve(&self, mut value: Value) -> Value {
        while let Some(alias) = phi_index(value).and_then(|phi| self.alias.get(phi))
            && *alias != NOTHING
        {
            value = *alias;
        }
        value
    }

    /// Leaves in `recording` only the inputs of phis that are used, resolved and without repetition.
    pub fn reduce(&mut self, values: &Values, recording: &mut Recording) {
        self.alias.clear();
        if values.phi_count() == 0 {
            return;
        }
        self.alias.resize(values.phi_count(), NOTHING);
        let mut rounds = 0;
        while self.merge_once(&recording.phi_inputs) && rounds < MOST_ROUNDS {
            rounds += 1;
        }
        for (phi, input) in &mut recording.phi_inputs {
            *phi = self.resolve(*phi);
            *input = self.resolve(*input);
        }
        let inputs = &mut recording.phi_inputs;
        inputs.retain(|(phi, input)| phi != input && phi_index(*phi).is_some());
        inputs.sort_unstable();
        inputs.dedup();
        self.mark_used(recording);
    }

    /// Gives phis with one input that input's place; says whether there were any.
    fn merge_once(&mut self, inputs: &[(Value, Value)]) -> bool {
        self.only.clear();
        self.only.resize(self.alias.len(), NOTHING);
        for (phi, input) in inputs {
            let (phi, input) = (self.resolve(*phi), self.resolve(*input));
            if phi != input
                && let Some(only) = phi_index(phi).and_then(|phi| self.only.get_mut(phi))
                && *only != input
            {
                *only = if *only == NOTHING { input } else { SEVERAL };
            }
        }
        let mut changed = false;
        for phi in 0..self.only.len() {
            let only = self.only[phi];
            if matches!(only, NOTHING | SEVERAL | NULL) {
                continue;
            }
            // Phis may name each other: one of them stays.
            let only = self.resolve(only);
            if phi_index(only) != Some(phi)
                && let Some(alias) = self.alias.get_mut(phi)
                && *alias == NOTHING
            {
                *alias = only;
                changed = true;
            }
        }
        // Phis that stand for each other in a row would make every look-up as long as the row.
        for phi in (0..self.alias.len()).rev() {
            if self.alias[phi] != NOTHING {
                self.alias[phi] = self.resolve(self.alias[phi]);
            }
        }
        changed
    }

    fn mark_used(&mut self, recording: &mut Recording) {
        let used = &mut recording.used;
        self.work.clear();
        for phi in 0..used.len() {
            if used[phi] {
                let value = self.resolve(super::values::phi(phi));
                if let Some(phi) = phi_index(value) {
                    used[phi] = true;
                    self.work.push(value);
                }
            }
        }
        let inputs = &mut recording.phi_inputs;
        while let Some(phi) = self.work.pop() {
            let first = inputs.partition_point(|(of, _)| *of < phi);
            let own = inputs.iter().skip(first).take_while(|(of, _)| *of == phi);
            for (_, input) in own {
                if let Some(index) = phi_index(*input)
                    && let Some(used) = used.get_mut(index)
                    && !*used
                {
                    *used = true;
                    self.work.push(*input);
                }
            }
        }
        inputs.retain(|(phi, _)| phi_index(*phi).and_then(|phi| used.get(phi)) == Some(&true));
    }
}
