//! Which phis there really are.
//!
//! Wherever values have met while the states were computed there is a phi. Some turn out to be one value only; others
//! nothing uses: the variable is dead there.

use super::{Body, Def, NOTHING, ValueId};

/// Compilers nest loops a few deep: what is left after so many rounds stays a phi.
const MOST_ROUNDS: usize = 10;

/// Replaces phis that are one value by it, drops those that nothing uses, and lists the others at their blocks.
pub fn settle(body: &mut Body) {
    if body.phi_inputs.is_empty() {
        return;
    }
    body.phi_inputs.sort_unstable();
    body.phi_inputs.dedup();
    for _ in 0..MOST_ROUNDS {
        if !merge(body) {
            break;
        }
    }
    let values = &body.values;
    body.args.iter_mut().for_each(|arg| *arg = resolve(values, *arg));
    for input in &mut body.phi_inputs {
        input.value = resolve(values, input.value);
    }
    body.phi_inputs.retain(|input| {
        matches!(values.get(input.phi as usize), Some(Def::Phi(_))) && input.phi != input.value
    });
    keep_used(body);
    body.phi_inputs.sort_unstable();
    body.phi_inputs.dedup();
    let mut last = NOTHING;
    for input in &body.phi_inputs {
        if input.phi != last
            && let Some(Def::Phi(block)) = body.values.get(input.phi as usize)
            && let Some(block) = body.blocks.get_mut(*block as usize)
        {
            block.phis.push(input.phi);
        }
        last = input.phi;
    }
}

fn resolve(values: &[Def], mut value: ValueId) -> ValueId {
    while let Some(Def::Alias(other)) = values.get(value as usize) {
        value = *other;
    }
    value
}

/// Makes an alias of each phi with one input; says whether there were any.
fn merge(body: &mut Body) -> bool {
    let mut changed = false;
    let mut at = 0;
    while let Some(first) = body.phi_inputs.get(at) {
        let phi = first.phi;
        let mut only = None;
        let mut several = false;
        while let Some(input) = body.phi_inputs.get(at).filter(|input| input.phi == phi) {
            let value = resolve(&body.values, input.value);
            if value != phi && *only.get_or_insert(value) != value {
                several = true;
            }
            at += 1;
        }
        if let (Some(only), false) = (only, several)
            && let Some(def @ Def::Phi(_)) = body.values.get_mut(phi as usize)
        {
            *def = Def::Alias(only);
            changed = true;
        }
    }
    changed
}

fn keep_used(body: &mut Body) {
    let mut used = vec![false; body.values.len()];
    let mut work: Vec<ValueId> = Vec::new();
    let mut mark = |value: ValueId, work: &mut Vec<ValueId>, values: &[Def]| {
        if let Some(seen) = used.get_mut(value as usize)
            && matches!(values.get(value as usize), Some(Def::Phi(_)))
            && !std::mem::replace(seen, true)
        {
            work.push(value);
        }
    };
    for arg in &body.args {
        mark(*arg, &mut work, &body.values);
    }
    while let Some(phi) = work.pop() {
        for input in body.inputs(phi) {
            mark(input.value, &mut work, &body.values);
        }
    }
    body.phi_inputs
        .retain(|input| used.get(input.phi as usize) == Some(&true));
}
