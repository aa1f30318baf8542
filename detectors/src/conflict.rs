//! Which earlier accesses a report names.

use crate::Detector;
use crate::state::Access;
use crate::tables::{Event, Tables, conflicting};
use std::cmp::max_by_key;

/// The earlier access of a pair; the later one is the access that was stepped.
pub type Conflict = Access;

/// What an access is compared with.
#[derive(Clone, Copy)]
pub struct Earlier<'a> {
    /// The accesses since Virgin; only in `SharedModified` with no candidate left, else the machine is content.
    pub history: &'a [Access],
    /// Those handed over: no machine watches them, so they are asked every time.
    pub handed: &'a [Access],
    /// A true pair since Virgin was named before.
    pub explained: bool,
}

/// The earlier accesses that conflict with `event`: by another thread, not ordered before it, one of the two a
/// write, no protecting lock in common. One per place: that of the history, else the handed one, and there the one
/// with the youngest epoch.
///
/// The candidate set can also be empty though each pair has a lock in common (three threads, three locks, each
/// holding two). Then one access of the history that only lacks the last condition is named, the one with the
/// youngest epoch; but not if a true pair since Virgin was named before: that one explains the empty set.
///
/// The second value says whether a true pair since Virgin was found.
pub fn find(
    tables: &Tables,
    detector: Detector,
    earlier: Earlier<'_>,
    event: &Event,
) -> (Vec<Conflict>, bool) {
    let (mut found, fallback) = pairs(tables, detector, earlier.history, event);
    let real = !found.is_empty();
    if !earlier.handed.is_empty() {
        let (mut handed, _) = pairs(tables, detector, earlier.handed, event);
        handed.retain(|h| found.iter().all(|f| f.site != h.site));
        found.extend(handed);
    }
    if found.is_empty() && !earlier.explained {
        found.extend(fallback);
    }
    (found, real)
}

/// The conflicting ones of `accesses`, and the youngest of those that only a common lock keeps from conflicting.
fn pairs(
    tables: &Tables,
    detector: Detector,
    accesses: &[Access],
    event: &Event,
) -> (Vec<Conflict>, Option<Conflict>) {
    let mut found: Vec<Conflict> = Vec::new();
    let mut fallback: Option<Conflict> = None;
    for earlier in accesses.iter().filter_map(|a| tables.event(a.site, a.epoch)) {
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
    (found, fallback)
}
