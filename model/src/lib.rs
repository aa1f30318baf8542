//! The vocabulary that every other part of Racewire shares: *sites* (static places in the woven
//! program) and *findings* (what a *detector* claims about them). Plain values, no I/O, no policy.

pub mod annotated;
pub mod detectors;
pub mod finding;
pub mod fingerprint;
pub mod flows;
pub mod glob;
pub mod message;
pub mod names;
pub mod sites;
