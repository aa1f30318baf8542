//! Racewire's detectors: from accesses to conflicts. No JNI, no I/O, no time of day; a recorded or generated trace
//! drives them as well as a running program does.
//!
//! In: threads, locks, sites, and for each access the variable's [`Word`], the accessing thread's epoch and the
//! site. Out: the variable's new word and the conflicting earlier accesses. [`Core`] is the whole of it; the
//! machines ([`racer`], [`eraser`]) are pure functions over decoded [`State`]s, [`handed`] keeps the promise of the
//! paper's section 4.7 across hand-overs, where the machine alone forgets, and [`mod@reference`] is the definition
//! written down, which the tests hold the core against. [`Sharing`] stands beside the core: it looks for no races but
//! logs which places touch what several threads touch.
//!
//! Other detectors take every event of a run instead, in order ([`event::Event`]): [`happens_before`], [`hybrid`],
//! [`lock_order`] and [`views`], the last two of which a running program can drive as well.

pub mod clock;
mod conflict;
pub mod core;
pub mod epoch;
pub mod eraser;
pub mod event;
pub mod handed;
pub mod happens_before;
pub mod hard_order;
pub mod history;
pub mod hybrid;
mod ids;
mod intern;
mod live;
pub mod lock_order;
pub mod lockset;
pub mod racer;
pub mod reference;
mod retire;
pub mod sharing;
mod simple;
pub mod site;
mod site_sets;
pub mod stale;
pub mod state;
pub mod tables;
pub mod threads;
pub mod views;
pub mod word;

pub use crate::core::{Core, Outcome, Settled, Stats};
pub use conflict::Conflict;
pub use epoch::EpochsExhausted;
pub use ids::{EpochId, FieldId, LockId, SetId, SiteId, StateId, ThreadId};
pub use lockset::Held;
pub use racewire_model::sites::AccessKind;
pub use sharing::{Sharing, Touch};
pub use site::SiteInfo;
pub use state::{Access, Phase, State};
pub use threads::Period;
pub use word::{Decoded, KIND_AND_EPOCH, SITE_MASK, Word};

/// Which machine a core runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Detector {
    Racer,
    Eraser,
}
