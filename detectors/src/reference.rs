//! The definition written down: both machines on plain lists of events, as slow and as direct as they can be. No
//! words, no epochs, no interning, no shortened histories. Tests hold [`crate::Core`] against it.

use crate::{AccessKind, Detector};
use std::collections::{BTreeMap, BTreeSet};

/// Threads, locks, variables and sites are numbers of the caller's choice. A thread without a `Start` was started
/// by nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    Start { parent: u32, child: u32 },
    Acquire { thread: u32, lock: u32, shared: bool },
    Release { thread: u32, lock: u32, shared: bool },
    Read { thread: u32, variable: u32, site: u32 },
    Write { thread: u32, variable: u32, site: u32 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Virgin,
    Exclusive {
        thread: u32,
        period: u32,
    },
    /// ERASER: the period is always 0.
    ExclusiveModified {
        thread: u32,
        period: u32,
    },
    Shared,
    SharedModified,
}

/// What one access led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Index of the access in the trace.
    pub event: usize,
    pub variable: u32,
    /// After the access.
    pub phase: Phase,
    pub candidates_empty: bool,
    /// The variable was handed over to this access's thread just before it.
    pub reset: bool,
    /// Sites of the earlier accesses that this one is reported with.
    pub conflicts: BTreeSet<u32>,
    /// Sites that may be reported with it, too: those of accesses that were handed over before there was any
    /// trace of the orphan that this thread is or descends from (module `handed`).
    pub perhaps: BTreeSet<u32>,
    /// If nothing else is reported: one of these sites is instead (three locks, pairwise shared).
    pub one_of: BTreeSet<u32>,
}

/// An access with its circumstances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub event: usize,
    pub variable: u32,
    pub site: u32,
    pub kind: AccessKind,
    pub thread: u32,
    pub period: u32,
    /// The locks that protect it.
    pub locks: BTreeSet<u32>,
}

/// The threads of a trace, as far as it has been read.
#[derive(Debug, Default)]
pub struct World {
    periods: BTreeMap<u32, u32>,
    started: BTreeMap<u32, (u32, u32)>,
    /// A bag: locks are re-entrant.
    held: BTreeMap<u32, Vec<(u32, bool)>>,
    /// Index of the first event that a thread did.
    first_event: BTreeMap<u32, usize>,
}

impl Event {
    /// Whose event it is.
    pub fn thread(&self) -> u32 {
        match *self {
            Event::Start { parent: thread, .. }
            | Event::Acquire { thread, .. }
            | Event::Release { thread, .. }
            | Event::Read { thread, .. }
            | Event::Write { thread, .. } => thread,
        }
    }
}

impl World {
    /// Takes one event in; if it is an access, says under which circumstances it happened.
    pub fn observe(&mut self, index: usize, event: Event) -> Option<Seen> {
        self.first_event.entry(event.thread()).or_insert(index);
        let (thread, variable, site, kind) = match event {
            Event::Start { parent, child } => {
                let period = self.periods.entry(parent).or_default();
                self.started.insert(child, (parent, *period));
                *period += 1;
                return None;
            }
            Event::Acquire { thread, lock, shared } => {
                self.held.entry(thread).or_default().push((lock, shared));
                return None;
            }
            Event::Release { thread, lock, shared } => {
                let bag = self.held.entry(thread).or_default();
                if let Some(at) = bag.iter().rposition(|h| *h == (lock, shared)) {
                    bag.remove(at);
                }
                return None;
            }
            Event::Read {
                thread,
                variable,
                site,
            } => (thread, variable, site, AccessKind::Read),
            Event::Write {
                thread,
                variable,
                site,
            } => (thread, variable, site, AccessKind::Write),
        };
        let protects = |shared: bool| kind == AccessKind::Read || !shared;
        let held = self.held.get(&thread).into_iter().flatten();
        let locks = held
            .filter(|(_, shared)| protects(*shared))
            .map(|(lock, _)| *lock)
            .collect();
        Some(Seen {
            event: index,
            variable,
            site,
            kind,
            thread,
            period: self.period_of(thread),
            locks,
        })
    }

    pub fn period_of(&self, thread: u32) -> u32 {
        self.periods.get(&thread).copied().unwrap_or_default()
    }

    /// The first event of the orphan that `thread` is or descends from.
    pub fn orphan_since(&self, thread: u32) -> usize {
        let mut orphan = thread;
        while let Some((parent, _)) = self.started.get(&orphan) {
            orphan = *parent;
        }
        self.first_event.get(&orphan).copied().unwrap_or(usize::MAX)
    }

    pub fn holds(&self, thread: u32) -> &[(u32, bool)] {
        self.held.get(&thread).map_or(&[], |bag| bag)
    }

    /// The visibility relation of section 4.5: whether `newer` reaches `older` over its two kinds of edges.
    pub fn visible(&self, newer: &Seen, older: &Seen) -> bool {
        let mut here = (newer.thread, newer.period);
        loop {
            if here == (older.thread, older.period) {
                return true;
            }
            here = match here {
                (thread, 0) => match self.started.get(&thread) {
                    Some(parent) => *parent,
                    None => return false,
                },
                (thread, period) => (thread, period - 1),
            };
        }
    }
}

#[derive(Debug)]
struct Variable {
    phase: Phase,
    /// `None`: all possible locks.
    candidates: Option<BTreeSet<u32>>,
    history: Vec<Seen>,
    /// All accesses of earlier histories, each with the event that handed it over.
    handed: Vec<(usize, Seen)>,
    /// A pair without a common lock has been reported since Virgin.
    explained: bool,
}

impl Variable {
    const VIRGIN: Variable = Variable {
        phase: Phase::Virgin,
        candidates: None,
        history: Vec::new(),
        handed: Vec::new(),
        explained: false,
    };

    fn refine(&mut self, locks: &BTreeSet<u32>) {
        self.candidates = Some(match &self.candidates {
            None => locks.clone(),
            Some(candidates) => candidates & locks,
        });
    }

    /// Figure 9b as ARCHITECTURE.md reads it. Whether the variable was handed over.
    fn racer(&mut self, world: &World, access: &Seen) -> bool {
        let last = self.history.last().cloned();
        let exclusive = matches!(
            self.phase,
            Phase::Exclusive { .. } | Phase::ExclusiveModified { .. }
        )
        .then_some(last);
        let handed_over = exclusive
            .flatten()
            .is_some_and(|last| last.thread != access.thread && world.visible(access, &last));
        if handed_over {
            let mut handed = std::mem::take(&mut self.handed);
            handed.extend(self.history.drain(..).map(|earlier| (access.event, earlier)));
            *self = Variable {
                handed,
                ..Variable::VIRGIN
            };
        }
        let (thread, period) = (access.thread, access.period);
        self.phase = match (self.phase, access.kind) {
            (Phase::Virgin, AccessKind::Read) => Phase::Exclusive { thread, period },
            (Phase::Virgin, AccessKind::Write) => Phase::ExclusiveModified { thread, period },
            (Phase::Exclusive { thread: t, .. }, AccessKind::Read) if t == thread => {
                Phase::Exclusive { thread, period }
            }
            (Phase::Exclusive { thread: t, .. } | Phase::ExclusiveModified { thread: t, .. }, _)
                if t == thread =>
            {
                Phase::ExclusiveModified { thread, period }
            }
            (Phase::Exclusive { .. } | Phase::Shared, AccessKind::Read) => Phase::Shared,
            _ => Phase::SharedModified,
        };
        self.refine(&access.locks);
        self.history.push(access.clone());
        handed_over
    }

    /// Figure 9a.
    fn eraser(&mut self, access: &Seen) {
        let thread = access.thread;
        self.phase = match (self.phase, access.kind) {
            (Phase::Virgin, AccessKind::Read) => return,
            (Phase::Virgin, AccessKind::Write) => Phase::ExclusiveModified { thread, period: 0 },
            (Phase::ExclusiveModified { thread: t, period }, _) if t == thread => {
                Phase::ExclusiveModified { thread, period }
            }
            (Phase::SharedModified, _) | (_, AccessKind::Write) => Phase::SharedModified,
            (_, AccessKind::Read) => Phase::Shared,
        };
        if matches!(self.phase, Phase::Shared | Phase::SharedModified) {
            self.refine(&access.locks);
        }
        self.history.push(access.clone());
    }
}

/// What a detector says about each access of a trace.
pub fn run(detector: Detector, trace: &[Event]) -> Vec<Verdict> {
    let mut world = World::default();
    let mut variables: BTreeMap<u32, Variable> = BTreeMap::new();
    let mut verdicts = Vec::new();
    for (index, event) in trace.iter().enumerate() {
        let Some(access) = world.observe(index, *event) else {
            continue;
        };
        let variable = variables.entry(access.variable).or_insert(Variable::VIRGIN);
        let mut reset = false;
        match detector {
            Detector::Racer => reset = variable.racer(&world, &access),
            Detector::Eraser => variable.eraser(&access),
        }
        let candidates_empty = variable.candidates.as_ref().is_some_and(BTreeSet::is_empty);
        let (mut conflicts, mut perhaps, mut one_of) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        if variable.phase == Phase::SharedModified && candidates_empty {
            for earlier in &variable.history {
                if earlier.event < index && unordered(detector, &world, earlier, &access) {
                    let common = earlier.locks.intersection(&access.locks).next().is_some();
                    if common { &mut one_of } else { &mut conflicts }.insert(earlier.site);
                }
            }
            if variable.explained || !conflicts.is_empty() {
                variable.explained = true;
                one_of.clear();
            }
        }
        // Section 4.7 to the letter, in any phase.
        for (handed_at, earlier) in &variable.handed {
            if unordered(detector, &world, earlier, &access) && earlier.locks.is_disjoint(&access.locks) {
                let known = world.orphan_since(access.thread) < *handed_at;
                if known { &mut conflicts } else { &mut perhaps }.insert(earlier.site);
            }
        }
        if !conflicts.is_empty() {
            one_of.clear();
        }
        let phase = variable.phase;
        let variable = access.variable;
        verdicts.push(Verdict {
            event: index,
            variable,
            phase,
            candidates_empty,
            reset,
            conflicts,
            perhaps,
            one_of,
        });
    }
    verdicts
}

/// Whether two accesses of a variable, `earlier` first, need a common lock.
fn unordered(detector: Detector, world: &World, earlier: &Seen, later: &Seen) -> bool {
    let one_writes = earlier.kind == AccessKind::Write || later.kind == AccessKind::Write;
    let ordered = detector == Detector::Racer && world.visible(later, earlier);
    one_writes && earlier.thread != later.thread && !ordered
}
