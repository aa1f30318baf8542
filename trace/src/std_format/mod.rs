//! The plain-text *std* format of the RAPID trace tools: a line per event, `thread|operation(operand)|location`.
//!
//! ```text
//! T0|fork(T1)|12
//! T0|acq(L3)|13
//! T0|w(V7.x)|14
//! T0|rel(L3)|15
//! T0|join(T1)|16
//! ```
//!
//! **Read:** `r`, `w`, `acq`, `rel`, `fork`, `join`. `begin`, `end` (atomic blocks), `branch`, `dummy` and `req` (a lock is
//! asked for) order nothing and are left out. Names are any text without blanks and `|`; a thread that is named by its
//! number alone (`fork(9)`) is the one called `T9`. Locks are re-entrant. Locations are any text. Lines that are empty or
//! begin with `#` are left out: the original tools know neither.
//!
//! **Written:** threads as `T1`, locks as `L1`, variables as `V1.2` (field 2 of object 1), `V1[2]`
//! (element 2) or `V1`; locations are the numbers of the trace's sites, since the original tools take integers only.
//! Of a lock that is taken again by its holder only the outermost acquisition is written. What goes through a synchronisation
//! object (volatile variable, latch, …) is written as a thread that stands for it, `S1`: it is forked where something is
//! released and joined where that is acquired. What std has no operation for is written as something stronger, so that no
//! race appears that is none, though one may be hidden: a read lock as `acq` and `rel` where it is taken and again where it
//! is given back; an atomic access inside a lock of its variable; optimistic reads are left out.

mod export;
mod import;

pub use export::StdWriter;
pub use import::{StdError, StdReader};
