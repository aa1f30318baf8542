//! Exact race detection, after FastTrack: two accesses of one variable, one of them a write, that nothing orders in
//! this run. Every event of the run goes in, in the order it happened; pairs of accesses come out, each pair of sites
//! once. A variable is reported if and only if it has a race; of several races on one variable those with the last
//! write and the reads since then are named.

mod optimistic;
mod order;
mod shadow;

pub(crate) use optimistic::Optimistic;
pub(crate) use order::{Now, Order};
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
    optimistic: Optimistic,
}

impl HappensBefore {
    /// The races that the event is the later part of, or that it has settled.
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
            if mark.frozen || order.knows(now.index, earlier.slot, earlier.time) {
                continue;
            }
            let found = pair(
                order,
                Claim::Race,
                variable,
                (earlier_kind, &earlier),
                (kind, &me),
            );
            let when = (earlier.slot, earlier.time);
            if !self
                .optimistic
                .holds_back(order, (thread, now.index), when, &found)
                && self.reported.is_new(&found)
            {
                pairs.push(found);
            }
        }
        shadow.add(me, kind, |earlier| {
            order.knows(now.index, earlier.slot, earlier.time)
        });
        pairs
    }
}

/// What the event says of optimistic reads: the pairs to be told now.
pub(crate) fn settle(order: &mut Order, optimistic: &mut Optimistic, event: &Event) -> Vec<Pair> {
    match *event {
        Event::Stamp {
            thread,
            lock,
            section,
        } => {
            if let Some(now) = order.now(thread) {
                optimistic.begin(thread, (now.slot, now.time), lock, section);
            }
            Vec::new()
        }
        Event::Asked {
            thread,
            section,
            answer,
        } => match order.now(thread) {
            Some(now) => optimistic.end(order, (thread, now.index), now.time, section, answer),
            None => Vec::new(),
        },
        _ => Vec::new(),
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
    pub(crate) fn is_new(&mut self, pair: &Pair) -> bool {
        let (claim, a, b) = (pair.claim, pair.earlier.at.site, pair.later.at.site);
        let (a, b) = (a.min(b), a.max(b));
        if claim == Claim::PotentialRace && self.0.contains(&(a, b, Claim::Race)) {
            return false;
        }
        self.0.insert((a, b, claim))
    }

    pub(crate) fn only_new(&mut self, mut pairs: Vec<Pair>) -> Vec<Pair> {
        // Two threads may have come by one place: the surer claim is the one to tell.
        pairs.sort_by_key(|pair| pair.claim);
        pairs.retain(|pair| self.is_new(pair));
        pairs
    }
}
