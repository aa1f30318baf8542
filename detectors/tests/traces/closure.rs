//! Happens-before by its definition: the graph of all edges between the events of a run, closed transitively. And
//! what `hybrid` does, on sets of events instead of clocks.

use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, ObjectId, Part, Variable};
use racewire_detectors::happens_before::Claim;
use std::collections::{BTreeMap, BTreeSet};

type Events = BTreeSet<usize>;

pub struct Closure {
    /// Per event, those before it: by all edges, and by all but those from unlock to lock.
    pub full: Vec<Events>,
    pub hard: Vec<Events>,
    /// Per event, the locks that its thread holds (object, shared), each once.
    pub held: Vec<BTreeSet<(ObjectId, bool)>>,
    /// Per event of a lock, the unlocks before it that it waited for.
    waited_for: Vec<Vec<usize>>,
}

/// A thread's locks with how often each is held.
type Bag = BTreeMap<(ObjectId, bool), u32>;

pub fn closure(run: &[Event]) -> Closure {
    let mut closure = Closure {
        full: Vec::new(),
        hard: Vec::new(),
        held: Vec::new(),
        waited_for: Vec::new(),
    };
    let mut bags: BTreeMap<u32, Bag> = BTreeMap::new();
    // Whether the event really takes or gives back the lock.
    let mut outermost = Vec::new();
    for (at, event) in run.iter().enumerate() {
        let bag = bags.entry(event.thread()).or_default();
        outermost.push(match *event {
            Event::Lock { object, shared, .. } => {
                let depth = bag.entry((object, shared)).or_default();
                *depth += 1;
                *depth == 1
            }
            Event::Unlock { object, shared, .. } => {
                let depth = bag.entry((object, shared)).or_default();
                *depth -= 1;
                *depth == 0
            }
            _ => false,
        });
        bag.retain(|_, depth| *depth > 0);
        closure.held.push(bag.keys().copied().collect());

        let mut hard: Vec<usize> = Vec::new();
        let mut locks: Vec<usize> = Vec::new();
        for (earlier_at, earlier) in run[..at].iter().enumerate() {
            let same_thread = earlier.thread() == event.thread();
            let started = matches!(*earlier, Event::Fork { child, .. } if child == event.thread());
            let joined = matches!(*event, Event::Join { child, .. } if child == earlier.thread())
                // Of a child that did nothing, its start.
                || matches!((*earlier, *event), (Event::Fork { child, .. }, Event::Join { child: same, .. }) if child == same);
            let synchronised = matches!((*earlier, *event),
                (Event::Release { object, .. }, Event::Acquire { object: same, .. }) if object == same);
            if same_thread || started || joined || synchronised {
                hard.push(earlier_at);
            }
            let unlocked = matches!((*earlier, *event),
                (Event::Unlock { object, shared, .. }, Event::Lock { object: same, shared: reader, .. })
                    if object == same && !(shared && reader));
            if unlocked && outermost[earlier_at] && outermost[at] {
                locks.push(earlier_at);
            }
        }
        let before = |edges: &[usize], known: &[Events]| -> Events {
            let beyond = edges.iter().flat_map(|&e| known[e].iter().copied());
            beyond.chain(edges.iter().copied()).collect()
        };
        let all: Vec<usize> = hard.iter().chain(&locks).copied().collect();
        closure.full.push(before(&all, &closure.full));
        closure.hard.push(before(&hard, &closure.hard));
        closure.waited_for.push(locks);
    }
    closure
}

#[derive(Debug, Clone, Copy)]
pub struct Access {
    pub thread: u32,
    pub kind: AccessKind,
    pub variable: Variable,
}

pub fn access(event: &Event) -> Option<Access> {
    match *event {
        Event::Access {
            thread,
            kind,
            variable,
            ..
        } => Some(Access {
            thread,
            kind,
            variable,
        }),
        _ => None,
    }
}

pub fn conflict(a: &Access, b: &Access) -> bool {
    a.variable == b.variable
        && a.thread != b.thread
        && (a.kind == AccessKind::Write || b.kind == AccessKind::Write)
}

impl Closure {
    /// Every pair of conflicting accesses that nothing orders.
    pub fn races(&self, run: &[Event]) -> BTreeSet<(usize, usize)> {
        let mut races = BTreeSet::new();
        for (later, event) in run.iter().enumerate() {
            let Some(b) = access(event) else { continue };
            for (earlier, event) in run[..later].iter().enumerate() {
                let races_with = access(event).is_some_and(|a| conflict(&a, &b));
                if races_with && !self.full[later].contains(&earlier) {
                    races.insert((earlier, later));
                }
            }
        }
        races
    }

    /// What the earlier holders of a lock had told when it was taken by the event.
    fn told(&self, lock: usize) -> Events {
        let unlocks = self.waited_for[lock].iter();
        unlocks
            .flat_map(|&u| self.full[u].iter().copied().chain([u]))
            .collect()
    }

    /// The locks that protect an access.
    pub fn protecting(&self, at: usize, kind: AccessKind) -> BTreeSet<ObjectId> {
        let protects = |shared: bool| kind == AccessKind::Read || !shared;
        let held = self.held[at].iter().filter(|(_, shared)| protects(*shared));
        held.map(|(object, _)| *object).collect()
    }
}

/// What `hybrid` is to find: claim, earlier and later event.
pub fn hybrid(run: &[Event]) -> Vec<(Claim, usize, usize)> {
    let closure = closure(run);
    let looks = Looks::of(run, &closure);
    // By look: the events that overwrote what was looked at.
    let mut closed: BTreeMap<Look, Vec<usize>> = BTreeMap::new();
    let mut behind: BTreeMap<usize, BTreeSet<Look>> = BTreeMap::new();
    let mut known: BTreeMap<u32, Events> = BTreeMap::new();
    let mut released: BTreeMap<ObjectId, Events> = BTreeMap::new();
    // Per thread and lock: the event that took it.
    let mut taken: BTreeMap<(u32, ObjectId, bool), usize> = BTreeMap::new();
    let mut writes: BTreeMap<Variable, usize> = BTreeMap::new();
    let mut reads: BTreeMap<Variable, Vec<usize>> = BTreeMap::new();
    let mut found = Vec::new();
    for (at, event) in run.iter().enumerate() {
        let thread = event.thread();
        match *event {
            Event::Fork { child, .. } => {
                let mut learned = known.entry(thread).or_default().clone();
                learned.insert(at);
                known.entry(child).or_default().extend(learned);
            }
            Event::Join { child, .. } => {
                let learned = known.entry(child).or_default().clone();
                known.entry(thread).or_default().extend(learned);
            }
            Event::Release { object, .. } => {
                let mut learned = known.entry(thread).or_default().clone();
                learned.insert(at);
                released.entry(object).or_default().extend(learned);
            }
            Event::Acquire { object, .. } => {
                let learned = released.entry(object).or_default().clone();
                known.entry(thread).or_default().extend(learned);
            }
            Event::Lock { object, shared, .. } => {
                if !(at > 0 && was_held(&closure, run, at, (object, shared))) {
                    taken.insert((thread, object, shared), at);
                }
            }
            Event::Unlock { .. } | Event::Begin { .. } | Event::End { .. } => {}
            Event::Merge { .. }
            | Event::Observe { .. }
            | Event::Flag { .. }
            | Event::Flow { .. }
            | Event::Nested { .. }
            | Event::Stamp { .. }
            | Event::Asked { .. } => {
                unreachable!("not generated")
            }
            Event::Access {
                kind, variable, mark, ..
            } => {
                let me = Access {
                    thread,
                    kind,
                    variable,
                };
                let mine = closure.protecting(at, kind);
                let mut others: Vec<usize> = writes.get(&variable).copied().into_iter().collect();
                others.extend(reads.entry(variable).or_default().iter());
                let before = known.entry(thread).or_default().clone();
                let mut mine_behind = looks.behind(at);
                let last = match kind {
                    AccessKind::Write => writes.get(&variable).copied(),
                    AccessKind::Read => reads[&variable]
                        .iter()
                        .copied()
                        .find(|&r| run[r].thread() == thread),
                };
                // It stands for the one whose place it takes.
                if let Some(last) = last.filter(|&last| looks.is_as_of(at, last)) {
                    mine_behind.clone_from(&behind[&last]);
                }
                behind.insert(at, mine_behind);
                let mut overwrites = false;
                for earlier in others {
                    let Some(other) = access(&run[earlier]).filter(|a| conflict(a, &me)) else {
                        continue;
                    };
                    if before.contains(&earlier) {
                        continue;
                    }
                    overwrites |= other.kind == AccessKind::Read && closure.full[at].contains(&earlier);
                    let is_closed = |look: &Look| {
                        closed
                            .get(look)
                            .is_some_and(|by| by.iter().any(|w| before.contains(w)))
                    };
                    if !closure.full[at].contains(&earlier) {
                        found.push((Claim::Race, earlier, at));
                    } else if closure.protecting(earlier, other.kind).is_disjoint(&mine) {
                        if behind[&earlier].iter().any(is_closed) {
                            continue;
                        }
                        found.push((Claim::PotentialRace, earlier, at));
                    } else if mark.observes(kind) {
                        for &(object, shared) in &closure.held[at] {
                            let told = closure.told(taken[&(thread, object, shared)]);
                            known.entry(thread).or_default().extend(told);
                        }
                    }
                }
                let last_write = writes.get(&variable);
                if overwrites
                    && !matches!(variable.part, Part::Element(_))
                    && last_write.is_none_or(|w| before.contains(w))
                {
                    let exclusive = closure.held[at].iter().filter(|(_, shared)| !shared);
                    for &(lock, _) in exclusive {
                        let look = (lock, variable, last_write.map(|&w| looks.moment(w)));
                        closed.entry(look).or_default().push(at);
                    }
                }
                keep(&closure, run, at, &known, &mut writes, &mut reads);
            }
        }
        known.entry(thread).or_default().insert(at);
    }
    found
}

/// A lock, a variable that is looked at under it, and when it had been written.
type Look = (ObjectId, Variable, Option<Moment>);
/// A thread, and how often it had handed something over.
type Moment = (u32, usize);

/// What threads look at in their critical sections.
struct Looks<'a> {
    run: &'a [Event],
    closure: &'a Closure,
    moments: Vec<Moment>,
}

impl<'a> Looks<'a> {
    fn of(run: &'a [Event], closure: &'a Closure) -> Looks<'a> {
        let mut times: BTreeMap<u32, usize> = BTreeMap::new();
        let mut ended = BTreeSet::new();
        let mut moments = Vec::new();
        for (at, event) in run.iter().enumerate() {
            let thread = event.thread();
            moments.push((thread, *times.entry(thread).or_default()));
            let goes_on = match *event {
                Event::Fork { .. } | Event::Release { .. } => Some(thread),
                Event::Unlock { object, shared, .. } => {
                    (!closure.held[at].contains(&(object, shared))).then_some(thread)
                }
                Event::Join { child, .. } => Some(child).filter(|child| !ended.contains(child)),
                Event::End { thread } => {
                    ended.insert(thread);
                    None
                }
                _ => None,
            };
            if let Some(thread) = goes_on {
                *times.entry(thread).or_default() += 1;
            }
        }
        Looks {
            run,
            closure,
            moments,
        }
    }

    fn moment(&self, at: usize) -> Moment {
        self.moments[at]
    }

    /// Whether the thread had the same time and locks.
    fn is_as_of(&self, at: usize, earlier: usize) -> bool {
        self.moments[at] == self.moments[earlier] && self.closure.held[at] == self.closure.held[earlier]
    }

    /// What the thread had looked at when it first came to the place of the access at this time and with these locks,
    /// under locks that it held from there on.
    fn behind(&self, at: usize) -> BTreeSet<Look> {
        let site = |at: usize| match self.run[at] {
            Event::Access { at, .. } => Some(at.site),
            _ => None,
        };
        let first = (0..=at)
            .find(|&earlier| site(earlier) == site(at) && self.is_as_of(at, earlier))
            .unwrap_or(at);
        let thread = self.run[at].thread();
        let mut held = self.closure.held[at].clone();
        let mut looks = BTreeSet::new();
        let mine = |at: &usize| self.run[*at].thread() == thread;
        for look in (0..first).rev().filter(mine) {
            held = held.intersection(&self.closure.held[look]).copied().collect();
            let Event::Access {
                kind: AccessKind::Read,
                variable,
                mark,
                ..
            } = self.run[look]
            else {
                continue;
            };
            if !mark.observes(AccessKind::Read) || matches!(variable.part, Part::Element(_)) {
                continue;
            }
            let writes = |at: &usize| {
                access(&self.run[*at]).is_some_and(|a| a.variable == variable && a.kind == AccessKind::Write)
            };
            let written = (0..look).rev().find(writes);
            for &(lock, _) in &held {
                let has_lock = |at: usize| self.closure.held[at].iter().any(|(object, _)| *object == lock);
                let is_own = written.is_some_and(|w| mine(&w) && (w..look).filter(mine).all(has_lock));
                if !is_own {
                    looks.insert((lock, variable, written.map(|w| self.moment(w))));
                }
            }
        }
        looks
    }
}

/// Whether a read may be forgotten for that of a thread which goes on with the clock of the reader: one that began after all
/// that the reader did, and it had ended. To everybody else the two are one thread, of which the last read is kept.
pub fn may_give_way(run: &[Event], closure: &Closure, read: usize, later: usize) -> bool {
    let Some(me) = access(&run[read]).filter(|me| me.kind == AccessKind::Read) else {
        return false;
    };
    let of_reader = |at: &usize| run[*at].thread() == me.thread;
    let goes_on = |begin: usize, child: u32| {
        let has_ended = (0..begin).any(|at| matches!(run[at], Event::End { thread } if thread == me.thread));
        let comes_after = (0..begin)
            .filter(of_reader)
            .all(|at| closure.full[begin].contains(&at));
        let reads = |at: usize| {
            access(&run[at])
                .is_some_and(|a| a.thread == child && a.variable == me.variable && a.kind == AccessKind::Read)
        };
        has_ended && comes_after && (begin..later).any(reads)
    };
    (read..later).any(|at| matches!(run[at], Event::Fork { child, .. } if goes_on(at, child)))
}

fn was_held(closure: &Closure, run: &[Event], at: usize, lock: (ObjectId, bool)) -> bool {
    let before = run[..at].iter().rposition(|e| e.thread() == run[at].thread());
    before.is_some_and(|before| closure.held[before].contains(&lock))
}

/// The last write, and of the reads since then the last one of each thread. A single one goes if it must come before
/// the new one, which holds no further lock.
fn keep(
    closure: &Closure,
    run: &[Event],
    at: usize,
    known: &BTreeMap<u32, Events>,
    writes: &mut BTreeMap<Variable, usize>,
    reads: &mut BTreeMap<Variable, Vec<usize>>,
) {
    let Some(me) = access(&run[at]) else { return };
    let reads = reads.entry(me.variable).or_default();
    if me.kind == AccessKind::Write {
        writes.insert(me.variable, at);
        reads.clear();
        return;
    }
    if let [single] = reads[..]
        && known.get(&me.thread).is_some_and(|known| known.contains(&single))
        && closure
            .protecting(at, AccessKind::Read)
            .is_subset(&closure.protecting(single, AccessKind::Read))
    {
        reads.clear();
    }
    reads.retain(|&r| run[r].thread() != me.thread);
    reads.push(at);
}
