//! Which views are reported to be torn, and which are not.

use crate::closure::{Closure, closure};
use crate::runs;
use proptest::prelude::*;
use racewire_detectors::AccessKind::{self, Read, Write};
use racewire_detectors::event::{Event, Mark, ObjectId, Part, Place, Variable};
use racewire_detectors::hard_order::{HardOrder, Moment};
use racewire_detectors::views::{Cut, FromEvents, Limits, Section, Torn, Touch, Views};
use std::collections::{BTreeMap, BTreeSet};

const MAIN: u32 = 0;
const T1: u32 = 1;
const T2: u32 = 2;
const L: ObjectId = 10;
const M: ObjectId = 11;
const X: u32 = 0;
const Y: u32 = 1;
const Z: u32 = 2;

fn variable(field: u32) -> Variable {
    Variable {
        owner: 100,
        part: Part::Field(field),
    }
}

/// Every thread has a place of its own for each access.
fn site(thread: u32, kind: AccessKind, field: u32) -> u32 {
    thread * 100 + field * 2 + u32::from(kind == Write)
}

fn access(thread: u32, kind: AccessKind, field: u32) -> Event {
    Event::Access {
        thread,
        kind,
        variable: variable(field),
        at: Place {
            site: site(thread, kind, field),
            stack: 0,
        },
        mark: Mark::default(),
    }
}

fn lock(thread: u32, object: ObjectId) -> Event {
    Event::Lock {
        thread,
        object,
        shared: false,
        tried: false,
        at: Place::default(),
    }
}

fn unlock(thread: u32, object: ObjectId) -> Event {
    Event::Unlock {
        thread,
        object,
        shared: false,
    }
}

fn inside(thread: u32, object: ObjectId, what: Vec<Event>) -> Vec<Event> {
    [vec![lock(thread, object)], what, vec![unlock(thread, object)]].concat()
}

fn section(thread: u32, kind: AccessKind, fields: &[u32]) -> Vec<Event> {
    inside(
        thread,
        L,
        fields.iter().map(|&f| access(thread, kind, f)).collect(),
    )
}

fn started() -> Vec<Event> {
    let fork = |child| Event::Fork { thread: MAIN, child };
    vec![fork(T1), fork(T2)]
}

fn play(parts: &[Vec<Event>]) -> Vec<Torn> {
    let mut detector = FromEvents::default();
    let found = parts.iter().flatten().flat_map(|e| detector.event(e)).collect();
    assert_eq!(detector.cut(), Cut::default());
    found
}

/// The places of what is taken apart.
fn pairs(found: &[Torn]) -> BTreeSet<(u32, u32)> {
    let mut pairs = BTreeSet::new();
    for torn in found {
        let [a, b] = torn.apart();
        for (_, x) in &a {
            pairs.extend(b.iter().map(|(_, y)| (x.site.min(y.site), x.site.max(y.site))));
        }
    }
    pairs
}

#[test]
fn a_pair_written_at_once_and_read_one_by_one_is_torn() {
    let found = play(&[
        started(),
        section(T1, Write, &[X, Y]),
        section(T2, Read, &[X]),
        section(T2, Read, &[Y]),
    ]);
    let [torn] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!((torn.kind, torn.whole.thread, torn.whole.lock), (Write, T1, L));
    assert_eq!(torn.parts.each_ref().map(|p| p.thread), [T2, T2]);
    assert_eq!(
        pairs(&found),
        BTreeSet::from([(site(T2, Read, X), site(T2, Read, Y))])
    );
}

#[test]
fn a_pair_read_at_once_and_written_one_by_one_is_torn_whoever_came_first() {
    let parts = [section(T2, Write, &[X]), section(T2, Write, &[Y])].concat();
    let whole = section(T1, Read, &[X, Y]);
    for order in [[parts.clone(), whole.clone()], [whole, parts]] {
        let found = play(&[started(), order.concat()]);
        assert_eq!(
            pairs(&found),
            BTreeSet::from([(site(T2, Write, X), site(T2, Write, Y))])
        );
    }
}

/// Artho's chains: {x} and {x, y} are both fine with {x, y, z}; {x, y} and {y, z} are not.
#[test]
fn sections_that_hold_each_other_are_a_chain() {
    let whole = section(T1, Write, &[X, Y, Z]);
    let chain = [section(T2, Read, &[X]), section(T2, Read, &[X, Y])].concat();
    assert_eq!(play(&[started(), whole.clone(), chain]), []);
    let torn = [section(T2, Read, &[X, Y]), section(T2, Read, &[Y, Z])].concat();
    let found = play(&[started(), whole, torn]);
    assert_eq!(
        pairs(&found),
        BTreeSet::from([(site(T2, Read, X), site(T2, Read, Z))])
    );
}

/// The read/write refinement: nobody sees half of anything.
#[test]
fn reads_do_not_tear_reads_nor_writes_writes() {
    for kind in [Read, Write] {
        let parts = [section(T2, kind, &[X]), section(T2, kind, &[Y])].concat();
        assert_eq!(play(&[started(), section(T1, kind, &[X, Y]), parts]), []);
    }
}

#[test]
fn one_thread_tears_nothing_of_its_own() {
    let all = [
        section(T1, Write, &[X, Y]),
        section(T1, Read, &[X]),
        section(T1, Read, &[Y]),
    ];
    assert_eq!(play(&[started(), all.concat()]), []);
}

#[test]
fn what_comes_before_the_start_or_after_the_join_is_never_in_between() {
    let parts = |thread| [section(thread, Write, &[X]), section(thread, Write, &[Y])].concat();
    let whole = section(T1, Read, &[X, Y]);
    assert_eq!(play(&[parts(MAIN), started(), whole.clone()]), []);
    let join = vec![Event::Join {
        thread: MAIN,
        child: T1,
    }];
    assert_eq!(play(&[started(), whole.clone(), join, parts(MAIN)]), []);
    // Started in the middle: it may see x without y.
    let torn = play(&[
        section(MAIN, Write, &[X]),
        started(),
        section(MAIN, Write, &[Y]),
        whole,
    ]);
    assert_eq!(torn.len(), 1);
}

#[test]
fn a_lock_around_the_parts_keeps_them_together_for_those_who_take_it() {
    let parts = [section(T2, Read, &[X]), section(T2, Read, &[Y])].concat();
    let kept = inside(T2, M, parts);
    let whole = section(T1, Write, &[X, Y]);
    let with = inside(T1, M, whole.clone());
    assert_eq!(play(&[started(), with, kept.clone()]), []);
    assert_eq!(play(&[started(), whole, kept]).len(), 1);
}

#[test]
fn locks_taken_again_open_no_section() {
    let again = inside(T2, L, [section(T2, Read, &[X]), section(T2, Read, &[Y])].concat());
    assert_eq!(play(&[started(), section(T1, Write, &[X, Y]), again]), []);
}

#[test]
fn collected_objects_are_forgotten() {
    let mut views = Views::default();
    let moment = racewire_detectors::hard_order::Moment {
        slot: 0,
        time: 1,
        clock: &[],
    };
    let touches = [X, Y].map(|field| racewire_detectors::views::Touch {
        variable: variable(field),
        kind: Write,
        at: Place::default(),
    });
    views.section(&racewire_detectors::views::Section {
        thread: T1,
        lock: L,
        outer: &[],
        touches: &touches,
        moment,
    });
    assert_eq!(views.len(), 1);
    views.owner_dead(100);
    assert!(views.is_empty());
}

/// A section of a run: who, which lock, the locks around it, the variables read and written, first and last event.
struct Seen {
    thread: u32,
    lock: ObjectId,
    outer: BTreeSet<ObjectId>,
    touched: BTreeSet<(bool, Variable)>,
    at: usize,
}

fn sections(run: &[Event]) -> Vec<Seen> {
    let mut open: BTreeMap<u32, Vec<(Seen, u32)>> = BTreeMap::new();
    let mut ended = Vec::new();
    for (at, event) in run.iter().enumerate() {
        let mine = open.entry(event.thread()).or_default();
        match *event {
            Event::Lock { thread, object, .. } => match mine.iter_mut().find(|(s, _)| s.lock == object) {
                Some((_, depth)) => *depth += 1,
                None => {
                    let outer = mine.iter().map(|(s, _)| s.lock).collect();
                    let section = Seen {
                        thread,
                        lock: object,
                        outer,
                        touched: BTreeSet::new(),
                        at,
                    };
                    mine.push((section, 1));
                }
            },
            Event::Unlock { object, .. } => {
                let Some(nth) = mine.iter().position(|(s, _)| s.lock == object) else {
                    continue;
                };
                mine[nth].1 -= 1;
                if mine[nth].1 == 0 {
                    let (mut section, _) = mine.remove(nth);
                    for (inner, _) in mine.iter_mut() {
                        inner.outer.remove(&object);
                    }
                    section
                        .outer
                        .retain(|lock| mine.iter().any(|(s, _)| s.lock == *lock));
                    section.at = at;
                    ended.push(section);
                }
            }
            Event::Access { kind, variable, .. } => {
                for (section, _) in mine.iter_mut() {
                    section.touched.insert((kind == Write, variable));
                }
            }
            _ => {}
        }
    }
    ended
}

/// The definition: every whole with every two parts.
fn torn(run: &[Event], closure: &Closure) -> BTreeSet<(u32, Variable, Variable)> {
    let all = sections(run);
    let before = |a: &Seen, b: &Seen| closure.hard[b.at].contains(&a.at);
    let mut found = BTreeSet::new();
    for whole in &all {
        for a in all.iter().filter(|a| a.thread != whole.thread) {
            for b in all.iter().filter(|b| b.thread == a.thread && b.at > a.at) {
                let gates = a.outer.intersection(&b.outer);
                let mut gates = gates.filter(|l| whole.outer.contains(l) || whole.lock == **l);
                if gates.next().is_some() || before(whole, a) || before(b, whole) {
                    continue;
                }
                for writes in [false, true] {
                    let of = |s: &Seen, w: bool| -> BTreeSet<Variable> {
                        s.touched
                            .iter()
                            .filter(|(k, _)| *k == w)
                            .map(|(_, v)| *v)
                            .collect()
                    };
                    let whole = of(whole, writes);
                    let a_view: BTreeSet<_> = of(a, !writes).intersection(&whole).copied().collect();
                    let b_view: BTreeSet<_> = of(b, !writes).intersection(&whole).copied().collect();
                    for x in a_view.difference(&b_view) {
                        found.extend(
                            b_view
                                .difference(&a_view)
                                .map(|y| (a.thread, *x.min(y), *x.max(y))),
                        );
                    }
                }
            }
        }
    }
    found
}

/// One place for each thread and variable, so that places tell variables.
fn with_sites(run: &[Event]) -> (Vec<Event>, BTreeMap<u32, (u32, Variable)>) {
    let mut known: BTreeMap<(u32, Variable), u32> = BTreeMap::new();
    let mut run = run.to_vec();
    for event in &mut run {
        if let Event::Access {
            thread, variable, at, ..
        } = event
        {
            let next = known.len() as u32;
            at.site = *known.entry((*thread, *variable)).or_insert(next);
        }
    }
    (run, known.into_iter().map(|(k, v)| (v, k)).collect())
}

const LIMITS: Limits = Limits {
    views: 10_000,
    moments: 1000,
    search: 10_000_000,
};

/// A section that was told, as a program that runs keeps it.
struct Known {
    section: (u32, ObjectId, Vec<ObjectId>, Vec<Touch>),
    slot: u32,
    /// When it came last.
    latest: (u32, Vec<u32>),
    is_told: bool,
    version: u32,
}

/// Tells what is new, and the rest only if it is asked for, as `racewire.rt.KnownSections` does.
#[derive(Default)]
struct Sparing {
    views: Views,
    known: Vec<Known>,
    version: u32,
    told: usize,
    found: Vec<Torn>,
}

impl Sparing {
    fn tell(&mut self, nth: usize) -> bool {
        let known = &mut self.known[nth];
        known.is_told = true;
        self.told += 1;
        let (thread, lock, outer, touches) = &known.section;
        let outcome = self.views.section(&Section {
            thread: *thread,
            lock: *lock,
            outer,
            touches,
            moment: Moment {
                slot: known.slot,
                time: known.latest.0,
                clock: &known.latest.1,
            },
        });
        self.found.extend(outcome.found);
        outcome.stirs
    }

    fn ended(&mut self, section: (u32, ObjectId, Vec<ObjectId>, Vec<Touch>), moment: Moment<'_>) {
        let latest = (moment.time, moment.clock.to_vec());
        let nth = match self.known.iter().position(|k| k.section == section) {
            Some(nth) => {
                let known = &mut self.known[nth];
                known.latest = latest;
                known.is_told = false;
                if known.version == self.version {
                    return;
                }
                nth
            }
            None => {
                self.known.push(Known {
                    section,
                    slot: moment.slot,
                    latest,
                    is_told: false,
                    version: 0,
                });
                self.known.len() - 1
            }
        };
        self.known[nth].version = self.version;
        if self.tell(nth) {
            self.version += 1;
            for other in 0..self.known.len() {
                if !self.known[other].is_told {
                    self.tell(other);
                }
            }
            self.known[nth].version = self.version;
        }
    }
}

fn told_sparingly(run: &[Event]) -> Sparing {
    let mut sections = sections(run).into_iter().peekable();
    let (mut hard, mut sparing) = (HardOrder::default(), Sparing::default());
    sparing.views = Views::new(LIMITS);
    let mut places = BTreeMap::new();
    for (at, event) in run.iter().enumerate() {
        hard.event(event);
        if let Event::Access {
            thread, variable, at, ..
        } = *event
        {
            places.insert((thread, variable), at);
        }
        while let Some(s) = sections.next_if(|s| s.at == at) {
            let touch = |&(writes, variable): &(bool, Variable)| Touch {
                variable,
                kind: if writes { Write } else { Read },
                at: places[&(s.thread, variable)],
            };
            let touches = s.touched.iter().map(touch).collect();
            let outer = s.outer.iter().copied().collect();
            sparing.ended((s.thread, s.lock, outer, touches), hard.moment(s.thread));
        }
    }
    sparing
}

/// Who is torn where, by the places of [`with_sites`].
fn told(found: &[Torn], places: &BTreeMap<u32, (u32, Variable)>) -> BTreeSet<(u32, Variable, Variable)> {
    pairs(found)
        .into_iter()
        .map(|(x, y)| {
            let ((thread, x), (_, y)) = (places[&x], places[&y]);
            (thread, x.min(y), x.max(y))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Nothing is missed by who leaves out what it may.
    #[test]
    fn sections_that_are_told_sparingly_are_enough(run in runs::run(160)) {
        let (run, places) = with_sites(&run);
        let sparing = told_sparingly(&run);
        prop_assert_eq!(told(&sparing.found, &places), torn(&run, &closure(&run)));
    }

    #[test]
    fn torn_views_are_those_of_the_definition(run in runs::run(160)) {
        let (run, places) = with_sites(&run);
        let mut detector = FromEvents::new(Views::new(LIMITS));
        let found: Vec<Torn> = run.iter().flat_map(|e| detector.event(e)).collect();
        prop_assert_eq!(detector.cut(), Cut::default());
        prop_assert_eq!(told(&found, &places), torn(&run, &closure(&run)));
    }
}

/// Most sections repeat others, and need not be told again.
#[test]
fn what_repeats_itself_is_not_told() {
    let round = |n: u32| {
        let release = |thread, object| Event::Release { thread, object };
        let acquire = |thread, object| Event::Acquire { thread, object };
        let at = ObjectId::from(1000 + n);
        [
            section(T1, Write, &[X, Y]),
            vec![release(T1, at), acquire(T2, at)],
            section(T2, Read, &[X]),
            section(T2, Read, &[X, Y]),
            vec![release(T2, at + 500), acquire(T1, at + 500)],
        ]
        .concat()
    };
    let rounds = (0..100).flat_map(round).collect();
    assert_eq!(told_sparingly(&[started(), rounds].concat()).told, 3);
}

/// The properties above are about something.
#[test]
fn generated_runs_tear_views() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let torn_runs = (0..200)
        .filter(|_| {
            let run = runs::run(160).new_tree(&mut runner).unwrap().current();
            !torn(&run, &closure(&run)).is_empty()
        })
        .count();
    assert!(torn_runs > 30, "{torn_runs}");
}
