//! The detectors: each looks at the whole program and makes claims, in a fixed order.

mod stale;

use crate::claim::{Claim, Detector};
use crate::facts::Program;
use crate::rules::Rules;

/// The claims of these detectors.
pub fn run(program: &Program<'_>, detectors: &[Detector], rules: &Rules) -> Vec<Claim> {
    stale::run(program, detectors, rules)
}
