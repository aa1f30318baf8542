//! High-level data races: variables that belong together, taken apart. View consistency (Artho, Havelund and Biere) with
//! reads and writes told apart (Dias et al.).
//!
//! A *view* is the set of variables that a thread reads, or writes, in one critical section. If one thread writes several
//! variables in one section, and another reads some of them in one section and others in a second one, it may see half
//! of the change; and the other way round, a thread that reads them in one section may see half of what another writes
//! in two. Sections of which one holds all that the other does are fine: who reads x alone knows x.
//!
//! In: critical sections, each when it ends. Out: a view and two views of another thread that take it apart, each pair of
//! places once. Not reported: what no schedule brings between the two (thread start, join and the like), and sections
//! inside those of another lock that the other side holds as well, for then that lock's sections tell.
//!
//! [`Views`] is incremental: a running program tells it of sections that are new, and of others when it is asked for
//! ([`Outcome::stirs`]). [`FromEvents`] drives it with the events of a trace.
//!
//! **What need not be told.** A part matters by its first section, which knows least of what others did, and by its last one,
//! of which others know least. A whole matters by a section that comes behind the parts' first one and before their last
//! one, in every schedule or by chance. Of those before a part first came the latest is the best one, for it cannot know
//! of what came later; of those afterwards the first one. So who tells needs to tell nothing that it has told already
//! until something new comes that might be torn: then the latest of each, and the next.

mod from_events;
mod view;

pub use from_events::FromEvents;

use crate::AccessKind;
use crate::event::{ObjectId, Place, Variable};
use crate::hard_order::Moment;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use view::{Key, Then, Triple, View};

/// A variable that is read or written in a section, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    pub variable: Variable,
    pub kind: AccessKind,
    pub at: Place,
}

/// A thread has given back `lock`.
///
/// The caller may leave out what it has told already, that is the same thread with the same lock, outer locks and variables;
/// but see [`Outcome::stirs`].
#[derive(Debug, Clone, Copy)]
pub struct Section<'a> {
    /// Never used for another thread.
    pub thread: u32,
    pub lock: ObjectId,
    /// Further locks that were held all the time, in any order.
    pub outer: &'a [ObjectId],
    /// In any order; of a variable's repetitions the first counts.
    pub touches: &'a [Touch],
    pub moment: Moment<'a>,
}

/// One section of a finding: the variables that matter, and where they were touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    pub thread: u32,
    pub lock: ObjectId,
    pub touches: Vec<(Variable, Place)>,
}

/// `whole` is one section, the `parts` are two of another thread: each has something of it that the other has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torn {
    /// Of the whole; the parts do the other thing.
    pub kind: AccessKind,
    pub whole: Side,
    pub parts: [Side; 2],
}

impl Torn {
    /// What only the first, and what only the second part touches.
    pub fn apart(&self) -> [Vec<(Variable, Place)>; 2] {
        let [a, b] = &self.parts;
        let only = |one: &Side, other: &Side| {
            let others = |v: Variable| other.touches.iter().any(|(o, _)| *o == v);
            one.touches.iter().copied().filter(|(v, _)| !others(*v)).collect()
        };
        [only(a, b), only(b, a)]
    }

    /// The places of what is taken apart.
    fn pairs(&self) -> Vec<(u32, u32)> {
        let [a, b] = self.apart();
        let sites =
            |touches: &[(Variable, Place)]| -> Vec<u32> { touches.iter().map(|(_, at)| at.site).collect() };
        let (a, b) = (sites(&a), sites(&b));
        let pairs = a.iter().flat_map(|x| b.iter().map(|y| (*x.min(y), *x.max(y))));
        pairs.collect()
    }
}

/// What comes of a section.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    pub found: Vec<Torn>,
    /// It takes more to know whether something is torn: of all sections with these variables that were left out, the latest
    /// is to be told now, and the next one when it comes.
    pub stirs: bool,
}

/// How much is kept and searched.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub views: usize,
    /// Of one view; the last one goes for a further one.
    pub moments: usize,
    /// Pairs of parts that are looked at for one section.
    pub search: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            views: 200_000,
            moments: 8,
            search: 50_000,
        }
    }
}

/// What was left out to bound memory and time; all zero in most programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cut {
    pub views: u64,
    pub moments: u64,
    pub searches: u64,
}

type ViewId = u32;

#[derive(Default)]
pub struct Views {
    limits: Limits,
    views: FxHashMap<ViewId, View>,
    ids: FxHashMap<Key, ViewId>,
    by_variable: FxHashMap<Variable, Vec<ViewId>>,
    /// The variables of an object.
    by_owner: FxHashMap<ObjectId, FxHashSet<Variable>>,
    next: ViewId,
    /// Places of variables that were told to be taken apart.
    told: FxHashSet<(u32, u32)>,
    cut: Cut,
}

impl Views {
    pub fn new(limits: Limits) -> Views {
        Views {
            limits,
            ..Views::default()
        }
    }

    /// What this section tears, or is torn by, that has not been told yet.
    pub fn section(&mut self, section: &Section<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        for kind in [AccessKind::Read, AccessKind::Write] {
            if let Some(id) = self.note(section, kind) {
                let of_kind = self.search(id);
                outcome.found.extend(of_kind.found);
                outcome.stirs |= of_kind.stirs;
            }
        }
        outcome
    }

    /// The object was collected: nobody touches it any more.
    pub fn owner_dead(&mut self, owner: ObjectId) {
        for variable in self.by_owner.remove(&owner).unwrap_or_default() {
            for id in self.by_variable.remove(&variable).unwrap_or_default() {
                let Some(gone) = self.views.remove(&id) else {
                    continue;
                };
                for other in &gone.key.variables {
                    if let Some(list) = self.by_variable.get_mut(other) {
                        list.retain(|i| *i != id);
                    }
                }
                self.ids.remove(&gone.key);
            }
        }
    }

    pub fn cut(&self) -> Cut {
        self.cut
    }

    /// Different views that are kept.
    pub fn len(&self) -> usize {
        self.views.len()
    }

    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// Keeps what the section reads or writes; `None` if there is nothing new.
    fn note(&mut self, section: &Section<'_>, kind: AccessKind) -> Option<ViewId> {
        let mut touched: BTreeMap<Variable, Place> = BTreeMap::new();
        for touch in section.touches.iter().filter(|t| t.kind == kind) {
            touched.entry(touch.variable).or_insert(touch.at);
        }
        if touched.is_empty() {
            return None;
        }
        let mut outer = section.outer.to_vec();
        outer.sort_unstable();
        outer.dedup();
        let key = Key {
            thread: section.thread,
            kind,
            lock: section.lock,
            outer: outer.into(),
            variables: touched.keys().copied().collect(),
        };
        let id = match self.ids.get(&key) {
            Some(&id) => id,
            None if self.views.len() >= self.limits.views => {
                self.cut.views += 1;
                return None;
            }
            None => self.add(key, touched.into_values().collect(), section.moment.slot),
        };
        self.note_moment(id, section.moment).then_some(id)
    }

    fn add(&mut self, key: Key, places: Box<[Place]>, slot: u32) -> ViewId {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        for &variable in &key.variables {
            self.by_variable.entry(variable).or_default().push(id);
            self.by_owner.entry(variable.owner).or_default().insert(variable);
        }
        self.ids.insert(key.clone(), id);
        let view = View {
            key,
            places,
            slot,
            moments: Vec::new(),
        };
        self.views.insert(id, view);
        id
    }

    /// Whether the moment may bring something new.
    fn note_moment(&mut self, id: ViewId, moment: Moment<'_>) -> bool {
        let Some(view) = self.views.get_mut(&id) else {
            return false;
        };
        let is_same = |t: &Then| t.time == moment.time && t.clock.as_ref() == moment.clock;
        if view.moments.iter().any(is_same) {
            return false;
        }
        if view.moments.len() >= self.limits.moments.max(2) {
            view.moments.pop();
            self.cut.moments += 1;
        }
        view.moments.push(Then {
            time: moment.time,
            clock: moment.clock.into(),
        });
        true
    }

    fn search(&mut self, id: ViewId) -> Outcome {
        let mut outcome = Outcome::default();
        let mut budget = self.limits.search;
        let Some(view) = self.views.get(&id) else {
            return outcome;
        };
        let mut triples = Vec::new();
        let others = self.overlapping(view, |other| {
            other.thread != view.key.thread && other.kind != view.key.kind
        });
        // As the whole.
        let mut parts: BTreeMap<u32, Vec<&View>> = BTreeMap::new();
        for other in others.iter().filter(|_| view.key.variables.len() > 1) {
            parts.entry(other.key.thread).or_default().push(other);
        }
        for of_thread in parts.values() {
            for (nth, a) in of_thread.iter().enumerate() {
                for b in of_thread.iter().skip(nth + 1) {
                    budget = budget.saturating_sub(1);
                    let triple = Triple {
                        whole: view,
                        parts: [*a, *b],
                    };
                    triples.extend((budget > 0).then_some(triple));
                }
            }
        }
        // As a part. Many wholes have the same variables, under other locks.
        let mut wholes: BTreeMap<&[Variable], Vec<&View>> = BTreeMap::new();
        for whole in others.iter().filter(|w| w.key.variables.len() > 1) {
            wholes.entry(&whole.key.variables).or_default().push(whole);
        }
        for same in wholes.values() {
            let Some(one) = same.first() else { continue };
            let mut siblings = self.overlapping(one, |other| {
                other.thread == view.key.thread && other.kind == view.key.kind
            });
            siblings.retain(|sibling| {
                Triple {
                    whole: one,
                    parts: [view, *sibling],
                }
                .is_apart()
            });
            for whole in same {
                for sibling in &siblings {
                    budget = budget.saturating_sub(1);
                    let triple = Triple {
                        whole,
                        parts: [view, *sibling],
                    };
                    triples.extend((budget > 0).then_some(triple));
                }
            }
        }
        let mut told = Vec::new();
        for triple in triples.iter().filter(|t| t.is_apart() && !t.is_kept_together()) {
            let torn = triple.torn();
            let pairs = torn.pairs();
            if pairs
                .iter()
                .all(|pair| self.told.contains(pair) || told.contains(pair))
            {
                continue;
            }
            if triple.may_come_between() {
                told.extend(pairs);
                outcome.found.push(torn);
            } else {
                let is_full = view.moments.len() >= self.limits.moments;
                outcome.stirs |= view.moments.len() == 1 || triple.waits_for_parts(view) && !is_full;
            }
        }
        self.told.extend(told);
        self.cut.searches += u64::from(budget == 0);
        outcome
    }

    /// Those of the wanted views that have a variable of this one, in the order they came.
    fn overlapping(&self, view: &View, wanted: impl Fn(&Key) -> bool) -> Vec<&View> {
        let ids = view.key.variables.iter().filter_map(|v| self.by_variable.get(v));
        let mut ids: Vec<ViewId> = ids.flatten().copied().collect();
        ids.sort_unstable();
        ids.dedup();
        let views = ids.iter().filter_map(|id| self.views.get(id));
        views.filter(|v| wanted(&v.key)).collect()
    }
}
