//! Which earlier accesses a report names. Asked only in `SharedModified` with no candidate left.

use crate::Detector;
use crate::state::Access;
use crate::tables::{Event, Tables, conflicting};
use std::cmp::max_by_key;

/// The earlier access of a pair; the later one is the access that was stepped.
pub type Conflict = Access;

/// The accesses of `history` that conflict with `event`: by another thread, not ordered before it, one of the two
/// a write, no protecting lock in common. One per place: the one with the youngest epoch.
///
/// The candidate set can also be empty though each pair has a lock in common (three threads, three locks, each
/// holding two). Then one access that only lacks the last condition is named, the one with the youngest epoch;
/// but not if a true pair was named before (`explained`): that one explains the empty set.
///
/// The second value says whether a true pair was found.
pub fn find(
    tables: &Tables,
    detector: Detector,
    history: &[Access],
    event: &Event,
    explained: bool,
) -> (Vec<Conflict>, bool) {
    let mut found: Vec<Conflict> = Vec::new();
    let mut fallback: Option<Conflict> = None;
    for earlier in history.iter().filter_map(|a| tables.event(a.site, a.epoch)) {
        if !conflicting(earlier.site.kind, event.site.kind)
            || tables.ordered(detector, &earlier.epoch, &event.epoch)
        {
            continue;
        }
        let access = earlier.access;
        if tables.locks.share_a_lock(earlier.protecting, event.protecting) {
            fallback = Some(fallback.map_or(access, |f| max_by_key(f, access, |a| (a.epoch, a.site))));
            continue;
        }
        match found.last_mut() {
            // Sorted by site, then epoch.
            Some(last) if last.site == access.site => *last = access,
            _ => found.push(access),
        }
    }
    let real = !found.is_empty();
    if !real && !explained {
        found.extend(fallback);
    }
    (found, real)
}
