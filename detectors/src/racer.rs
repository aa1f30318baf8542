//! RACER (Bodden and Havelund, figure 9b, read as ARCHITECTURE.md says).

use crate::state::{Phase, State, Transition};
use crate::tables::Event;
use crate::threads::Threads;
use Phase::{Exclusive, ExclusiveModified, Shared, SharedModified, Virgin};
use racewire_model::sites::AccessKind::{Read, Write};

/// What `event` makes of a variable in `state`.
pub fn step(threads: &Threads, state: &State, event: &Event) -> Transition {
    let period = event.epoch.period;
    let own = |write: bool| {
        if write {
            ExclusiveModified(period)
        } else {
            Exclusive(period)
        }
    };
    let kind = event.site.kind;
    let mut reset = false;
    let phase = match state.phase {
        Virgin => own(kind == Write),
        Exclusive(last) | ExclusiveModified(last) if last.thread == period.thread => {
            let newest = last.max(period);
            match (state.phase, kind) {
                (Exclusive(_), Read) => Exclusive(newest),
                _ => ExclusiveModified(newest),
            }
        }
        // Section 4.5, second case: the value was handed over at a start. What others cannot see of the past is
        // kept beside this machine (module `handed`).
        Exclusive(last) | ExclusiveModified(last) if threads.visible(period, last) => {
            reset = true;
            own(kind == Write)
        }
        Exclusive(_) if kind == Read => Shared,
        // Figure 9b leads a read after an invisible write to Shared; figure 10 (section 4.7) says that it must be
        // reported, so it leads here.
        Exclusive(_) | ExclusiveModified(_) => SharedModified,
        Shared if kind == Read => Shared,
        Shared | SharedModified => SharedModified,
    };
    // Step 1 of section 4.6 refines on the very first write: in every state, not only in the shared ones.
    Transition {
        phase,
        reset,
        refine: true,
        record: true,
    }
}
