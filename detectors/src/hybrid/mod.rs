//! Happens-before together with racer's rule, each finding with its tier: *race*, unordered in this run, or
//! *potential race*, ordered in this run only because of who got some lock first, and not protected by a common one.
//!
//! If two conflicting accesses are ordered by locks and do share one, their critical sections could not have
//! overlapped, and if the later one is a read whose value is looked at, it has seen what the earlier one did: from there
//! on the order is taken for a necessary one (the idea of weak causal precedence). So a flag set and tested under a lock orders what comes before and after.

mod doors;

pub(crate) use doors::Behind;

use crate::AccessKind;
use crate::event::{Event, Mark, Place, Variable};
use crate::happens_before::{Claim, Entry, Optimistic, Order, Pair, Reported, Shadow, pair, settle};
use doors::{Doors, Written};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Hybrid {
    order: Order,
    variables: FxHashMap<Variable, Shadow>,
    reported: Reported,
    optimistic: Optimistic,
    doors: Doors,
}

impl Hybrid {
    /// The findings that the event is the later part of, or that it has settled.
    pub fn event(&mut self, event: &Event) -> Vec<Pair> {
        match *event {
            Event::Access {
                thread,
                kind,
                variable,
                at,
                mark,
            } => self.access(thread, kind, variable, (at, mark)),
            Event::Flag { thread, kind, object } => {
                self.doors.flag(&mut self.order, thread, kind, object);
                Vec::new()
            }
            _ => {
                self.order.event(event);
                self.doors.event(&self.order, event);
                let settled = settle(&mut self.order, &mut self.optimistic, event);
                self.reported.only_new(settled)
            }
        }
    }

    /// What could not be settled until the end of the run.
    pub fn finish(&mut self) -> Vec<Pair> {
        let settled = self.optimistic.give_up();
        self.reported.only_new(settled)
    }

    /// How long clocks can be: threads that came one after the other, whatever the schedule, count as one.
    pub fn slots(&self) -> u32 {
        self.order.slots()
    }

    fn access(
        &mut self,
        thread: u32,
        kind: AccessKind,
        variable: Variable,
        (at, mark): (Place, Mark),
    ) -> Vec<Pair> {
        let Some(now) = self.order.now(thread) else {
            return Vec::new();
        };
        let mut me = Entry::new(thread, &now, at, mark);
        let shadow = self.variables.entry(variable).or_default();
        if shadow.repeats(&me, kind) {
            return Vec::new();
        }
        me.behind = self.doors.behind(&me);
        let order = &mut self.order;
        let (mut found, mut observed, mut overwrites) = (Vec::new(), false, false);
        for (earlier_kind, earlier) in shadow.conflicting(&me, kind) {
            let is_ordered = order.knows(now.index, earlier.slot, earlier.time);
            if is_ordered && order.must_know(now.index, earlier.slot, earlier.time) {
                continue;
            }
            overwrites |= is_ordered && earlier_kind == AccessKind::Read;
            let claim = if !is_ordered {
                Claim::Race
            } else if mark.exact || earlier.mark.exact {
                // Of such accesses nobody knows the locks.
                observed |= !mark.atomic;
                continue;
            } else if order.protected((earlier.held, earlier_kind), (me.held, kind)) {
                observed = true;
                continue;
            } else if self.doors.are_closed(order, &earlier, now.index) {
                continue;
            } else {
                Claim::PotentialRace
            };
            if !mark.frozen {
                found.push((claim, earlier_kind, earlier));
            }
        }
        if overwrites && !mark.passing {
            self.doors
                .close(order, &now, variable, shadow.written().map(Written::of));
        }
        if Doors::is_look(kind, mark) {
            self.doors
                .look(order, thread, variable, shadow.written().map(Written::of));
        }
        // Only now: which of the earlier ones is looked at first must not matter.
        if observed && mark.observes(kind) {
            order.observe(now.index);
        }
        let order = &self.order;
        let mut pairs = Vec::new();
        for (claim, earlier_kind, earlier) in found {
            let found = pair(order, claim, variable, (earlier_kind, &earlier), (kind, &me));
            let (who, when) = ((thread, now.index), (earlier.slot, earlier.time));
            if !self.optimistic.holds_back(order, who, when, &found) {
                pairs.push(found);
            }
        }
        let pairs = self.reported.only_new(pairs);
        // An earlier read stays if the new one holds a lock that it did not: it conflicts with more.
        let (order, mine) = (&self.order, self.order.sets.protecting(me.held, kind));
        shadow.add(me, kind, |earlier| {
            let theirs = order.sets.protecting(earlier.held, AccessKind::Read);
            order.must_know(now.index, earlier.slot, earlier.time) && order.sets.is_covered(mine, theirs)
        });
        pairs
    }
}
