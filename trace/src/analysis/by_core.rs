//! `racer` and `eraser` over a trace: the core, driven as the runtime drives it.

use super::findings::Findings;
use crate::tables::Tables;
use racewire_detectors::event::{Event, ObjectId, Part, Place, Variable};
use racewire_detectors::happens_before::{Claim, Pair, Side};
use racewire_detectors::{
    AccessKind, Core, Detector, EpochId, EpochsExhausted, FieldId, Held, LockId, SiteId, SiteInfo, ThreadId,
    Word,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The first findings on a field tell the variable's whole history; in the others it would only repeat.
const HISTORIES_PER_FIELD: u32 = 3;
const HISTORY_LENGTH: usize = 50;

pub struct ByCore {
    core: Core,
    threads: FxHashMap<u32, Thread>,
    numbers: FxHashMap<ThreadId, u32>,
    locks: FxHashMap<ObjectId, LockId>,
    objects: FxHashMap<LockId, ObjectId>,
    /// By the number of the field; sites without one have a field in common.
    fields: FxHashMap<Option<u32>, Field>,
    sites: FxHashMap<(u32, AccessKind), SiteId>,
    /// The trace's numbers of the core's sites.
    site_numbers: FxHashMap<SiteId, u32>,
    /// Of accesses that have one.
    stacks: FxHashMap<(SiteId, EpochId), u32>,
    words: FxHashMap<Variable, Word>,
}

struct Field {
    id: FieldId,
    sites: u8,
    told: u32,
}

struct Thread {
    id: ThreadId,
    /// How many threads it has started.
    period: u32,
    /// A bag: locks are re-entrant.
    held: Vec<(ObjectId, bool)>,
}

impl ByCore {
    pub fn new(detector: Detector) -> ByCore {
        ByCore {
            core: Core::new(detector),
            threads: FxHashMap::default(),
            numbers: FxHashMap::default(),
            locks: FxHashMap::default(),
            objects: FxHashMap::default(),
            fields: FxHashMap::default(),
            sites: FxHashMap::default(),
            site_numbers: FxHashMap::default(),
            stacks: FxHashMap::default(),
            words: FxHashMap::default(),
        }
    }

    pub fn event(
        &mut self,
        tables: &Tables,
        findings: &mut Findings,
        event: &Event,
    ) -> Result<(), EpochsExhausted> {
        match *event {
            Event::Fork { thread, child } => {
                let parent = self.epoch(thread, None)?;
                self.thread(thread).period += 1;
                let (core, numbers) = (&mut self.core, &mut self.numbers);
                self.threads.entry(child).or_insert_with(|| {
                    let id = core.thread(Some(parent));
                    numbers.insert(id, child);
                    Thread::new(id)
                });
            }
            Event::End { thread } => {
                let id = self.thread(thread).id;
                self.core.thread_dead(id);
            }
            Event::Lock {
                thread,
                object,
                shared,
                ..
            } => self.thread(thread).held.push((object, shared)),
            Event::Unlock {
                thread,
                object,
                shared,
            } => {
                let held = &mut self.thread(thread).held;
                if let Some(at) = held.iter().rposition(|h| *h == (object, shared)) {
                    held.remove(at);
                }
            }
            Event::Access {
                thread,
                kind,
                variable,
                at,
                mark,
            } if !mark.exact && !matches!(variable.part, Part::Element(_)) => self.access(tables, findings, (thread, kind, variable, at))?,
            Event::Begin { thread } => {
                self.thread(thread);
            }
            // Lock sets know no other order.
            Event::Join { .. }
            | Event::Acquire { .. }
            | Event::Release { .. }
            | Event::Merge { .. }
            | Event::Observe { .. }
            | Event::Flag { .. }
            | Event::Flow { .. }
            | Event::Stamp { .. }
            | Event::Asked { .. }
            | Event::Nested { .. }
            // Nor do they say anything of elements, and of what is used atomically.
            | Event::Access { .. } => {}
        }
        Ok(())
    }

    fn access(
        &mut self,
        tables: &Tables,
        findings: &mut Findings,
        (thread, kind, variable, at): (u32, AccessKind, Variable, Place),
    ) -> Result<(), EpochsExhausted> {
        let epoch = self.epoch(thread, Some(variable.owner))?;
        let number = tables
            .site(at.site)
            .and_then(|s| s.field.as_ref())
            .map(|f| f.number);
        let site = self.site(number, at, kind);
        if at.stack != 0 {
            self.stacks.insert((site, epoch), at.stack);
        }
        let word = self.words.get(&variable).copied().unwrap_or_default();
        let outcome = self.core.step(word, epoch, site);
        self.words.insert(variable, outcome.word);
        for conflict in &outcome.conflicts {
            let earlier = self.side(conflict.site, conflict.epoch, variable);
            let later = self.side(site, epoch, variable);
            if !findings.is_news(tables, Claim::Race, earlier.at.site, at.site) {
                continue;
            }
            let history = self.history(tables, number, variable, word, [earlier.at, at]);
            let pair = Pair {
                claim: Claim::Race,
                variable,
                earlier,
                later,
            };
            findings.pair(tables, &pair, history);
        }
        Ok(())
    }

    /// The other places of the variable's history, each once.
    fn history(
        &mut self,
        tables: &Tables,
        number: Option<u32>,
        variable: Variable,
        word: Word,
        told: [Place; 2],
    ) -> Vec<Side> {
        let Some(field) = self.fields.get_mut(&number) else {
            return Vec::new();
        };
        field.told += 1;
        if field.told > HISTORIES_PER_FIELD {
            return Vec::new();
        }
        let mut seen: FxHashSet<Option<u32>> = told.iter().map(|at| tables.place(at.site)).collect();
        let history = self.core.history(word, field.id);
        history
            .iter()
            .map(|access| self.side(access.site, access.epoch, variable))
            .filter(|side| seen.insert(tables.place(side.at.site)))
            .take(HISTORY_LENGTH)
            .collect()
    }

    fn side(&self, site: SiteId, epoch: EpochId, variable: Variable) -> Side {
        let thread = self.core.period(epoch).map(|period| period.thread);
        let held = self.core.held(epoch).iter().filter_map(|held| {
            let object = match held.lock {
                LockId::OWNER => variable.owner,
                lock => *self.objects.get(&lock)?,
            };
            Some((object, held.shared))
        });
        Side {
            thread: thread
                .and_then(|t| self.numbers.get(&t).copied())
                .unwrap_or(u32::MAX),
            kind: self
                .core
                .site_info(site)
                .map_or(AccessKind::Read, |info| info.kind),
            at: Place {
                site: self.site_numbers.get(&site).copied().unwrap_or(0),
                stack: self.stacks.get(&(site, epoch)).copied().unwrap_or(0),
            },
            held: held.collect(),
        }
    }

    fn epoch(&mut self, thread: u32, owner: Option<ObjectId>) -> Result<EpochId, EpochsExhausted> {
        let (id, period, held) = {
            let thread = self.thread(thread);
            (thread.id, thread.period, thread.held.clone())
        };
        let held: Vec<Held> = held
            .into_iter()
            .map(|(object, shared)| Held {
                lock: if Some(object) == owner {
                    LockId::OWNER
                } else {
                    self.lock(object)
                },
                shared,
            })
            .collect();
        self.core.epoch(id, period, &held)
    }

    fn lock(&mut self, object: ObjectId) -> LockId {
        let (core, objects) = (&mut self.core, &mut self.objects);
        *self.locks.entry(object).or_insert_with(|| {
            let id = core.lock();
            objects.insert(id, object);
            id
        })
    }

    fn site(&mut self, number: Option<u32>, at: Place, kind: AccessKind) -> SiteId {
        let (core, numbers) = (&mut self.core, &mut self.site_numbers);
        let field = self.fields.entry(number).or_insert_with(|| Field {
            id: core.field(),
            sites: 0,
            told: 0,
        });
        *self.sites.entry((at.site, kind)).or_insert_with(|| {
            let ordinal = field.sites;
            // Past the last bit all have the ordinal that has none.
            field.sites = field.sites.saturating_add(1);
            let id = core.site(SiteInfo {
                field: field.id,
                kind,
                ordinal,
            });
            numbers.insert(id, at.site);
            id
        })
    }

    /// A thread that nobody started was there before.
    fn thread(&mut self, number: u32) -> &mut Thread {
        let (core, numbers) = (&mut self.core, &mut self.numbers);
        self.threads.entry(number).or_insert_with(|| {
            let id = core.thread(None);
            numbers.insert(id, number);
            Thread::new(id)
        })
    }
}

impl Thread {
    fn new(id: ThreadId) -> Thread {
        Thread {
            id,
            period: 0,
            held: Vec::new(),
        }
    }
}
