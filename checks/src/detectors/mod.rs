//! The detectors: each looks at the whole program and makes claims, in a fixed order.

pub mod causal;
pub mod method_consistency;
mod stale;

use crate::claim::{Claim, Detector};
use crate::facts::Program;
use crate::regions::Elsewhere;
use crate::rules::Rules;

/// The claims of these detectors.
pub fn run(program: &Program<'_>, detectors: &[Detector], rules: &Rules) -> Vec<Claim> {
    let mut claims = stale::run(program, detectors, rules);
    let compares_views = |detector| matches!(detector, Detector::MethodConsistency | Detector::Causal);
    if detectors.iter().copied().any(compares_views) {
        claims.extend(compare_views(program, detectors, rules));
    }
    claims
}

fn compare_views(program: &Program<'_>, detectors: &[Detector], rules: &Rules) -> Vec<Claim> {
    let elsewhere = Elsewhere::new(program);
    let is_wanted = |detector| detectors.contains(&detector);
    let needs_flows = is_wanted(Detector::Causal) || rules.exposed_reads;
    let flows = match needs_flows {
        true => causal::flows_of_all(program, &elsewhere),
        false => Vec::new(),
    };
    let mut claims = Vec::new();
    if is_wanted(Detector::MethodConsistency) {
        let flows = rules.exposed_reads.then_some(flows.as_slice());
        let found = method_consistency::check(program, &elsewhere, flows, rules);
        claims.extend(method_consistency::claims(program, &found));
    }
    if is_wanted(Detector::Causal) {
        let found = causal::check(program, &elsewhere, &flows, rules);
        claims.extend(causal::claims(program, &found));
    }
    claims
}
