//! The detectors: each looks at the whole program and makes claims, in a fixed order.

use crate::claim::{Claim, Detector};
use crate::facts::Program;
use crate::rules::Rules;

/// The claims of these detectors.
pub fn run(program: &Program<'_>, detectors: &[Detector], rules: &Rules) -> Vec<Claim> {
    let claims = detectors.iter().map(|detector| of(program, *detector, rules));
    claims.flatten().collect()
}

fn of(_program: &Program<'_>, detector: Detector, _rules: &Rules) -> Vec<Claim> {
    match detector {
        Detector::BlockLocal | Detector::StaleValue => Vec::new(),
        Detector::MethodConsistency | Detector::Causal => Vec::new(),
    }
}
