//! End-to-end tests: the `racewire` program and its runtime on real JVMs and real jars. One test binary, one
//! module per subject. See README.md for the environment variables.

#[cfg(test)]
mod ahead;
#[cfg(test)]
mod analyze;
#[cfg(test)]
mod archives;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod check;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod compatibility;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod explain;
#[cfg(test)]
mod facts_cache;
#[cfg(test)]
mod fast_paths;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod gradle;
#[cfg(test)]
mod hangs;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod incremental;
#[cfg(test)]
mod lock_events;
#[cfg(test)]
mod maven;
#[cfg(test)]
mod memory;
#[cfg(test)]
mod models;
#[cfg(test)]
mod monitors;
#[cfg(test)]
mod order;
#[cfg(test)]
mod plugins;
#[cfg(test)]
mod program_tests;
#[cfg(test)]
mod recipes;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod release;
#[cfg(test)]
mod reports;
#[cfg(test)]
mod sharing;
#[cfg(test)]
mod stale;
#[cfg(test)]
mod stratified;
#[cfg(test)]
mod stress;
#[cfg(test)]
mod turns;
#[cfg(test)]
mod views;
