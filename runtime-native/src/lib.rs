//! The run-time side of Racewire in Rust: what `racewire.rt.Native` calls. It keeps the tables that give the
//! detector's ids a meaning (threads, locks, sites), asks the detector, and writes findings (or the sharing log) to a file.
//!
//! In: events as numbers, through JNI. Out: words, epochs, ids, and one findings file per process. It never
//! prints and never calls back into the program; a failure switches monitoring off and leaves a message for Java.

mod deadlock;
mod engine;
mod env;
mod glue;
mod jdk;
mod limit;
mod lock_order;
mod locks_code;
mod memory;
mod monitor;
mod outlets;
mod sharing;
mod sites;
mod stacks;
mod stale;
mod tables;
mod trace;
mod views;
mod writer;
