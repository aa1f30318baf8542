//! `racewire check`: concurrency errors beyond data races, found in bytecode without running it.
//!
//! [`body`] turns the code of a class, by itself, into values and instructions. [`facts`] joins all classes to a
//! [`Program`](facts::Program): calls, critical sections with their locks, fields, threads, and for each method a
//! summary of what its callers need to know. [`detectors`] look at nothing else, each by itself, and make
//! [claims](claim::Claim). [`findings`] merges those that are about the same into one finding.

pub mod body;
pub mod claim;
pub mod confirmed;
pub mod context;
pub mod detectors;
pub mod facts;
pub mod findings;
pub mod followed;
pub mod message;
pub mod regions;
pub mod rules;
pub mod staleness;
