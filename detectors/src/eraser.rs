//! ERASER (Savage et al.; figure 9a of the paper): the baseline. It trusts the first thread until a second comes.

use crate::state::{Phase, State, Transition};
use crate::tables::Event;
use crate::threads::Period;
use Phase::{Exclusive, ExclusiveModified, Shared, SharedModified, Virgin};
use racewire_model::sites::AccessKind::Read;

/// What `event` makes of a variable in `state`.
pub fn step(state: &State, event: &Event) -> Transition {
    let owner = Period {
        thread: event.epoch.period.thread,
        index: 0,
    };
    let kind = event.site.kind;
    let (phase, record) = match state.phase {
        Virgin if kind == Read => (Virgin, false),
        Virgin => (ExclusiveModified(owner), true),
        Exclusive(last) | ExclusiveModified(last) if last.thread == owner.thread => {
            (ExclusiveModified(owner), true)
        }
        Exclusive(_) | ExclusiveModified(_) | Shared if kind == Read => (Shared, true),
        Exclusive(_) | ExclusiveModified(_) | Shared | SharedModified => (SharedModified, true),
    };
    Transition {
        phase,
        reset: false,
        refine: phase.is_shared(),
        record,
    }
}
