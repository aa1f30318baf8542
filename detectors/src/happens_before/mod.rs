//! Exact race detection, after FastTrack: two accesses of one variable, one of them a write, that nothing orders in
//! this run. Every event of the run goes in, in the order it happened; pairs of accesses come out, each pair of sites
//! once. A variable is reported if and only if it has a race; of several races on one variable those with the last
//! write and the reads since then are named.

mod order;
mod shadow;

pub(crate) use order::Order;
pub(crate) use shadow::{Entry, Shadow};

use crate::AccessKind;
use crate::event::{Event, Mark, ObjectId, Place, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// How much a pair claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Claim {
    /// Unordered in this run.
    Race,
    /// Ordered in this run only by the order in which threads got locks, none of which protects both.
    PotentialRace,
}

/// Two conflicting accesses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub claim: Claim,
    pub variable: Variable,
    pub earlier: Side,
    pub later: Side,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    pub thread: u32,
    pub kind: AccessKind,
    pub at: Place,
    /// The locks held, and whether for reading only.
    pub held: Vec<(ObjectId, bool)>,
}

#[derive(Default)]
pub struct HappensBefore {
    order: Order,
    variables: FxHashMap<Variable, Shadow>,
    reported: Reported,
}

impl HappensBefore {
    /// The races that the event is the later part of.
    pub fn event(&mut self, event: &Event) -> Vec<Pair> {
        match *event {
            Event::Access {
                thread,
                kind,
                variable,
                at,
                mark,
            } => self.access(thread, kind, variable, (at, mark)),
            _ => {
                self.order.event(event);
                Vec::new()
            }
        }
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
        let me = Entry::new(thread, &now, at, mark);
        let shadow = self.variables.entry(variable).or_default();
        if shadow.repeats(&me, kind) {
            return Vec::new();
        }
        let order = &self.order;
        let mut pairs = Vec::new();
        for (earlier_kind, earlier) in shadow.conflicting(&me, kind) {
            if !order.knows(now.index, earlier.slot, earlier.time)
                && self.reported.is_new(Claim::Race, earlier.at.site, at.site)
            {
                pairs.push(pair(
                    order,
                    Claim::Race,
                    variable,
                    (earlier_kind, &earlier),
                    (kind, &me),
                ));
            }
        }
        shadow.add(me, kind, |earlier| {
            order.knows(now.index, earlier.slot, earlier.time)
        });
        pairs
    }
}

pub(crate) fn pair(
    order: &Order,
    claim: Claim,
    variable: Variable,
    earlier: (AccessKind, &Entry),
    later: (AccessKind, &Entry),
) -> Pair {
    let side = |(kind, entry): (AccessKind, &Entry)| Side {
        thread: entry.thread,
        kind,
        at: entry.at,
        held: order.held(entry.held),
    };
    Pair {
        claim,
        variable,
        earlier: side(earlier),
        later: side(later),
    }
}

/// The pairs of sites that were told.
#[derive(Default)]
pub(crate) struct Reported(FxHashSet<(u32, u32, Claim)>);

impl Reported {
    /// Each pair once; a race though it was called a potential one before, but not the other way round.
    pub(crate) fn is_new(&mut self, claim: Claim, a: u32, b: u32) -> bool {
        let (a, b) = (a.min(b), a.max(b));
        if claim == Claim::PotentialRace && self.0.contains(&(a, b, Claim::Race)) {
            return false;
        }
        self.0.insert((a, b, claim))
    }
}
