//! How old values are, and where they are used: the flow that block-local atomicity and stale-value both go by.
//!
//! A *source* is a read of a shared variable in a critical section, or a call that returns such a value. From there the
//! value is followed through the method, with everything computed from it, along all ways that control may take; at
//! each point it is known for each source whether its critical section may have been left since, and how many others
//! may have been entered. A *use* is an instruction that takes an operand whose section may have been left.

mod effects;
mod engine;
mod hand_over;
mod rechecks;
mod segments;
mod sources;
mod state;

pub use effects::Use;
pub use engine::{Flowed, flow};
pub(crate) use segments::is_thread_call;
pub use sources::{Source, SourceId, is_container};
pub use state::Age;
