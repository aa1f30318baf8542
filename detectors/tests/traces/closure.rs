//! Happens-before by its definition: the graph of all edges between the events of a run, closed transitively. And
//! what `hybrid` does, on sets of events instead of clocks.

use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, ObjectId, Variable};
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
                for earlier in others {
                    let Some(other) = access(&run[earlier]).filter(|a| conflict(a, &me)) else {
                        continue;
                    };
                    if !closure.full[at].contains(&earlier) {
                        found.push((Claim::Race, earlier, at));
                    } else if before.contains(&earlier) {
                        continue;
                    } else if closure.protecting(earlier, other.kind).is_disjoint(&mine) {
                        found.push((Claim::PotentialRace, earlier, at));
                    } else if mark.observes(kind) {
                        for &(object, shared) in &closure.held[at] {
                            let told = closure.told(taken[&(thread, object, shared)]);
                            known.entry(thread).or_default().extend(told);
                        }
                    }
                }
                keep(&closure, run, at, &known, &mut writes, &mut reads);
            }
        }
        known.entry(thread).or_default().insert(at);
    }
    found
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
