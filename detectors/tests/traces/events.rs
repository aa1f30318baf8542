//! Events of runs that are written down by hand.

use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, Mark, Part, Place, Variable};

pub fn access(thread: u32, kind: AccessKind, owner: u64, site: u32) -> Event {
    Event::Access {
        thread,
        kind,
        variable: Variable {
            owner,
            part: Part::Field(1),
        },
        at: Place { site, stack: 0 },
        mark: Mark::default(),
    }
}

/// The thread of these events holds a lock meanwhile.
pub fn under(object: u64, shared: bool, events: &[Event]) -> Vec<Event> {
    let thread = events[0].thread();
    let lock = Event::Lock {
        thread,
        object,
        shared,
        tried: false,
        at: Place::default(),
    };
    let unlock = Event::Unlock {
        thread,
        object,
        shared,
    };
    [&[lock], events, &[unlock]].concat()
}
