//! The search for cycles: chains of acquisitions are made longer, breadth first, until one closes.

use super::{Cycle, HeldLock, Known, Link, LockOrder, Then};
use crate::event::ObjectId;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// An acquisition by one thread at one moment: indices into what [`LockOrder`] keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    pub id: u32,
    pub thread: usize,
    pub moment: usize,
}

/// An occurrence looked up.
#[derive(Clone, Copy)]
struct Seen<'a> {
    known: &'a Known,
    thread: u32,
    slot: u32,
    then: &'a Then,
}

impl LockOrder {
    /// The cycles through `start` that are new.
    pub(super) fn search(&mut self, start: Occurrence) -> Vec<Cycle> {
        let mut cycles = Vec::new();
        let mut budget = self.limits.search;
        let back = self.way_back(start.id);
        if matches!(back, WayBack::None) {
            return cycles;
        }
        let mut chains = VecDeque::from([vec![start]]);
        while let Some(chain) = chains.pop_front() {
            let Some(members) = self.members(&chain) else {
                continue;
            };
            let Some((first, last)) = members.first().zip(members.last()) else {
                continue;
            };
            let mut closed = Vec::new();
            let wanted = last.known.taken;
            for &id in self.holders.get(&wanted.lock).into_iter().flatten() {
                let Some(next) = self.known.get(&id) else { continue };
                if budget == 0 {
                    break;
                }
                budget -= 1;
                if !may_follow(&members, next) {
                    continue;
                }
                let closes = waits_for(&next.taken, &first.known.held);
                if !closes && !back.leads_from(next.taken.lock) {
                    continue;
                }
                if closes
                    && self
                        .found
                        .contains(&sites(members.iter().map(|m| m.known).chain([next])).0)
                {
                    continue;
                }
                for (thread, by_thread) in next.threads.iter().enumerate() {
                    for (moment, then) in by_thread.moments.iter().enumerate() {
                        let seen = Seen {
                            known: next,
                            thread: by_thread.thread,
                            slot: by_thread.slot,
                            then,
                        };
                        budget = budget.saturating_sub(1);
                        if members
                            .iter()
                            .any(|m| m.thread == seen.thread || ordered(m, &seen))
                        {
                            continue;
                        }
                        if closes {
                            let mut ring = members.clone();
                            ring.push(seen);
                            closed.push(cycle(&ring));
                        } else {
                            let mut longer = chain.clone();
                            longer.push(Occurrence { id, thread, moment });
                            chains.push_back(longer);
                        }
                    }
                }
            }
            cycles = self.told(cycles, closed);
            if budget == 0 {
                self.cut.searches += 1;
                break;
            }
        }
        cycles
    }

    /// Most programs take their locks in one order; this says so at little cost.
    fn way_back(&mut self, id: u32) -> WayBack {
        let Some(known) = self.known.get(&id) else {
            return WayBack::None;
        };
        if known.no_cycle_with == Some(self.next) {
            return WayBack::None;
        }
        let mut budget = self.limits.search;
        let taken = known.taken.lock;
        let mut to_do: Vec<ObjectId> = known.held.iter().map(|h| h.lock).collect();
        let mut found: FxHashSet<ObjectId> = FxHashSet::default();
        while let Some(lock) = to_do.pop() {
            for taker in self.takers.get(&lock).into_iter().flatten() {
                let held = self.known.get(taker).map_or(&[][..], |k| &k.held);
                if budget < held.len() {
                    return WayBack::Unknown;
                }
                budget -= held.len();
                to_do.extend(held.iter().map(|h| h.lock).filter(|&l| found.insert(l)));
            }
        }
        if found.contains(&taken) {
            return WayBack::From(found);
        }
        let all = self.next;
        if let Some(known) = self.known.get_mut(&id) {
            known.no_cycle_with = Some(all);
        }
        WayBack::None
    }

    /// Adds those of `closed` that are new.
    fn told(&mut self, mut cycles: Vec<Cycle>, closed: Vec<Option<Closed>>) -> Vec<Cycle> {
        for Closed { cycle, sites } in closed.into_iter().flatten() {
            if self.found.insert(sites) {
                cycles.push(cycle);
            }
        }
        cycles
    }

    fn members(&self, chain: &[Occurrence]) -> Option<Vec<Seen<'_>>> {
        let look_up = |o: &Occurrence| {
            let known = self.known.get(&o.id)?;
            let by_thread = known.threads.get(o.thread)?;
            Some(Seen {
                known,
                thread: by_thread.thread,
                slot: by_thread.slot,
                then: by_thread.moments.get(o.moment)?,
            })
        };
        chain.iter().map(look_up).collect()
    }
}

/// How acquisitions, whoever's and whenever, lead to the locks that are held at the start of a search.
enum WayBack {
    /// Not at all from the lock that is taken there.
    None,
    /// From these locks.
    From(FxHashSet<ObjectId>),
    /// There are too many to say.
    Unknown,
}

impl WayBack {
    fn leads_from(&self, lock: ObjectId) -> bool {
        match self {
            WayBack::None => false,
            WayBack::From(locks) => locks.contains(&lock),
            WayBack::Unknown => true,
        }
    }
}

/// Whether `next`, which holds what the last member takes, can be a part of the same deadlock as all members.
fn may_follow(members: &[Seen], next: &Known) -> bool {
    let waits = |m: &Seen| waits_for(&m.known.taken, &next.held);
    members.last().is_some_and(waits)
        && members
            .iter()
            .all(|m| m.known.taken.lock != next.taken.lock && !gated(&m.known.held, &next.held))
}

/// Whether who takes this lock waits for who holds these.
fn waits_for(taken: &HeldLock, held: &[HeldLock]) -> bool {
    find(held, taken.lock).is_some_and(|h| !(h.shared && taken.shared))
}

fn find(held: &[HeldLock], lock: ObjectId) -> Option<&HeldLock> {
    let at = held.binary_search_by_key(&lock, |h| h.lock).ok()?;
    held.get(at)
}

/// Whether two threads can never hold these at once.
fn gated(one: &[HeldLock], other: &[HeldLock]) -> bool {
    one.iter().any(|h| waits_for(h, other))
}

/// Whether one of the two has happened when the other begins, in every schedule.
fn ordered(a: &Seen, b: &Seen) -> bool {
    let before = |a: &Seen, b: &Seen| b.then.clock.get(a.slot as usize).copied().unwrap_or(0) >= a.then.time;
    // One slot: one after the other.
    a.slot == b.slot || before(a, b) || before(b, a)
}

/// Each member takes what the next one holds, the last one what the first one holds. Told from the least site on, so
/// that it does not matter who came last.
fn cycle(ring: &[Seen]) -> Option<Closed> {
    let takers = ring.last().into_iter().chain(ring);
    let links = takers.zip(ring).map(|(taker, member)| {
        let held = find(&member.known.held, taker.known.taken.lock)?;
        Some(Link {
            thread: member.thread,
            held: *held,
            taken: member.known.taken,
            all_held: member.known.held.to_vec(),
        })
    });
    let mut links = links.collect::<Option<Vec<Link>>>()?;
    let (sites, by) = sites(ring.iter().map(|m| m.known));
    links.rotate_left(by);
    Some(Closed {
        cycle: Cycle { links },
        sites,
    })
}

struct Closed {
    cycle: Cycle,
    sites: Sites,
}

/// What tells cycles apart: per link the sites of its two acquisitions, beginning with the least.
pub type Sites = Vec<(u32, u32)>;

/// And by how many links it had to be turned.
fn sites<'a>(ring: impl Iterator<Item = &'a Known> + Clone) -> (Sites, usize) {
    let length = ring.clone().count();
    let takers = ring.clone().skip(length.saturating_sub(1)).chain(ring.clone());
    let site = |(taker, member): (&Known, &Known)| {
        let held = find(&member.held, taker.taken.lock).map_or(0, |h| h.at.site);
        (held, member.taken.at.site)
    };
    let sites: Sites = takers.zip(ring).map(site).collect();
    let turned = |by: usize| {
        let mut turned = sites.clone();
        turned.rotate_left(by);
        (turned, by)
    };
    (0..length).map(turned).min().unwrap_or_default()
}
