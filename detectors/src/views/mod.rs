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
//! [`Views`] is incremental: a running program tells it only of sections that are new. [`FromEvents`] drives it with the
//! events of a trace.

mod from_events;

pub use from_events::FromEvents;

use crate::AccessKind;
use crate::event::{ObjectId, Place, Variable};
use crate::hard_order::Moment;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A variable that is read or written in a section, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    pub variable: Variable,
    pub kind: AccessKind,
    pub at: Place,
}

/// A thread has given back `lock`.
///
/// The caller may leave out what it has told already: the same thread with the same lock, outer locks and variables,
/// if the thread has not synchronised with others by anything but locks meanwhile.
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

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    thread: u32,
    kind: AccessKind,
    lock: ObjectId,
    outer: Box<[ObjectId]>,
    /// Sorted.
    variables: Box<[Variable]>,
}

#[derive(Debug)]
struct View {
    key: Key,
    /// Where each variable was first touched.
    places: Box<[Place]>,
    moments: Vec<Then>,
}

/// The sections in which the thread has not synchronised with others by anything but locks.
#[derive(Debug)]
struct Then {
    slot: u32,
    time: u32,
    clock: Box<[u32]>,
    /// The first and the last of them, as numbers that go up.
    first: u64,
    last: u64,
}

impl Then {
    fn moment(&self) -> Moment<'_> {
        Moment {
            slot: self.slot,
            time: self.time,
            clock: &self.clock,
        }
    }
}

#[derive(Default)]
pub struct Views {
    limits: Limits,
    views: FxHashMap<ViewId, View>,
    ids: FxHashMap<Key, ViewId>,
    by_variable: FxHashMap<Variable, Vec<ViewId>>,
    /// The variables of an object.
    by_owner: FxHashMap<ObjectId, FxHashSet<Variable>>,
    next: ViewId,
    sections: u64,
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
    pub fn section(&mut self, section: &Section<'_>) -> Vec<Torn> {
        self.sections += 1;
        let mut found = Vec::new();
        for kind in [AccessKind::Read, AccessKind::Write] {
            if let Some(id) = self.note(section, kind) {
                found.extend(self.search(id));
            }
        }
        found
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
            None => self.add(key, touched.into_values().collect()),
        };
        self.note_moment(id, section.moment).then_some(id)
    }

    fn add(&mut self, key: Key, places: Box<[Place]>) -> ViewId {
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
            moments: Vec::new(),
        };
        self.views.insert(id, view);
        id
    }

    /// Whether the moment may bring something new.
    fn note_moment(&mut self, id: ViewId, moment: Moment<'_>) -> bool {
        let now = self.sections;
        let Some(view) = self.views.get_mut(&id) else {
            return false;
        };
        let known = view
            .moments
            .iter_mut()
            .find(|t| t.time == moment.time && t.slot == moment.slot && t.clock.as_ref() == moment.clock);
        if let Some(known) = known {
            // What may come between this and others may come between the first of these and them.
            known.last = now;
            return false;
        }
        if view.moments.len() >= self.limits.moments.max(1) {
            view.moments.pop();
            self.cut.moments += 1;
        }
        view.moments.push(Then {
            slot: moment.slot,
            time: moment.time,
            clock: moment.clock.into(),
            first: now,
            last: now,
        });
        true
    }

    fn search(&mut self, id: ViewId) -> Vec<Torn> {
        let mut found = Vec::new();
        let mut budget = self.limits.search;
        let Some(view) = self.views.get(&id) else {
            return found;
        };
        let others = self.overlapping(view, |other| {
            other.thread != view.key.thread && other.kind != view.key.kind
        });
        // As the whole.
        let mut parts: BTreeMap<u32, Vec<&View>> = BTreeMap::new();
        for other in &others {
            parts.entry(other.key.thread).or_default().push(other);
        }
        for of_thread in parts.values() {
            for (nth, a) in of_thread.iter().enumerate() {
                for b in of_thread.iter().skip(nth + 1) {
                    budget = budget.saturating_sub(1);
                    found.extend((budget > 0).then(|| torn(view, a, b)).flatten());
                }
            }
        }
        // As a part.
        for whole in others.iter().filter(|w| w.key.variables.len() > 1) {
            let siblings = self.overlapping(whole, |other| {
                other.thread == view.key.thread && other.kind == view.key.kind
            });
            for sibling in siblings {
                budget = budget.saturating_sub(1);
                found.extend((budget > 0).then(|| torn(whole, view, sibling)).flatten());
            }
        }
        self.cut.searches += u64::from(budget == 0);
        found.retain(|torn| {
            let [a, b] = torn.apart();
            let mut news = false;
            for (_, x) in &a {
                for (_, y) in &b {
                    news |= self.told.insert((x.site.min(y.site), x.site.max(y.site)));
                }
            }
            news
        });
        found
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

fn torn(whole: &View, a: &View, b: &View) -> Option<Torn> {
    let has = |view: &View, v: &Variable| view.key.variables.binary_search(v).is_ok();
    let of_whole = |v: &Variable| has(whole, v);
    let only = |one: &View, other: &View| {
        let variables = one.key.variables.iter();
        variables.filter(|v| of_whole(v)).any(|v| !has(other, v))
    };
    if !only(a, b) || !only(b, a) || is_kept_together(whole, a, b) || !may_come_between(whole, a, b) {
        return None;
    }
    let side = |view: &View, wanted: &dyn Fn(&Variable) -> bool| Side {
        thread: view.key.thread,
        lock: view.key.lock,
        touches: view
            .key
            .variables
            .iter()
            .copied()
            .zip(view.places.iter().copied())
            .filter(|(v, _)| wanted(v))
            .collect(),
    };
    let mut parts = [side(a, &of_whole), side(b, &of_whole)];
    parts.sort_by_key(|part| part.touches.iter().map(|(_, at)| at.site).min());
    Some(Torn {
        kind: whole.key.kind,
        whole: side(whole, &|v| has(a, v) || has(b, v)),
        parts,
    })
}

/// All three lie in sections of one lock, besides their own: whether the parts are in one of them, that lock's views tell.
fn is_kept_together(whole: &View, a: &View, b: &View) -> bool {
    a.key
        .outer
        .iter()
        .any(|lock| b.key.outer.contains(lock) && (whole.key.lock == *lock || whole.key.outer.contains(lock)))
}

fn may_come_between(whole: &View, a: &View, b: &View) -> bool {
    let between = |first: &Then, second: &Then| {
        first.first < second.last
            && whole
                .moments
                .iter()
                .any(|w| !w.moment().is_before(&first.moment()) && !second.moment().is_before(&w.moment()))
    };
    a.moments
        .iter()
        .any(|x| b.moments.iter().any(|y| between(x, y) || between(y, x)))
}
