//! Drives a [`Core`] with a trace of events exactly as the Java runtime does: with its fast path, its own
//! handling of virgin and same-epoch words, and its cache of results.

use racewire_detectors::reference::{Event, World};
use racewire_detectors::*;
use std::collections::{HashMap, HashSet};

/// Sites of a field beyond this have no bit of their own.
const OVERFLOW: u32 = 31;

/// A thread of the trace, and how many it has started.
type ThreadPeriod = (u32, u32);

/// One access as the core saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub event: usize,
    pub state: State,
    pub unprotected: bool,
    pub shared: bool,
    /// Sites of the trace.
    pub conflicts: Vec<u32>,
}

pub struct Replay {
    pub core: Core,
    world: World,
    threads: HashMap<u32, ThreadId>,
    locks: HashMap<u32, LockId>,
    fields: Vec<FieldId>,
    sites: HashMap<(usize, u32), SiteId>,
    names: HashMap<SiteId, u32>,
    pub words: HashMap<u32, Word>,
    /// The lock that is the monitor of a variable's owner.
    owners: HashMap<u32, u32>,
    memo: HashMap<(Word, EpochId, SiteId), Outcome>,
    /// What changes nothing in a thread's period, whatever the locks or with the owner's.
    settled: HashMap<(Word, SiteId, ThreadPeriod), (Settled, Outcome)>,
    /// Which sites are known to be in which sets, to all threads.
    members: HashSet<(SetId, SiteId)>,
    /// When the memo was begun.
    orphans: u32,
    pub steps: usize,
}

impl Replay {
    /// `kind_of` tells the kind of a site of the trace; sites `0..sites` exist in each of `fields` fields.
    pub fn new(detector: Detector, fields: usize, sites: u32, kind_of: impl Fn(u32) -> AccessKind) -> Replay {
        let mut core = Core::new(detector);
        let mut names = HashMap::new();
        let mut ids = HashMap::new();
        let fields: Vec<FieldId> = (0..fields).map(|_| core.field()).collect();
        for (at, &field) in fields.iter().enumerate() {
            for site in 0..sites {
                let ordinal = site.min(OVERFLOW) as u8;
                let id = core.site(SiteInfo {
                    field,
                    kind: kind_of(site),
                    ordinal,
                });
                ids.insert((at, site), id);
                names.insert(id, site);
            }
        }
        Replay {
            core,
            world: World::default(),
            threads: HashMap::new(),
            locks: HashMap::new(),
            fields,
            sites: ids,
            names,
            words: HashMap::new(),
            owners: HashMap::new(),
            memo: HashMap::new(),
            settled: HashMap::new(),
            members: HashSet::new(),
            orphans: 0,
            steps: 0,
        }
    }

    pub fn owner(&mut self, variable: u32, lock: u32) {
        self.owners.insert(variable, lock);
    }

    pub fn lock_dies(&mut self, lock: u32) {
        if let Some(id) = self.locks.remove(&lock) {
            self.core.lock_dead(id);
        }
    }

    pub fn thread_dies(&mut self, thread: u32) {
        let id = self.thread(thread);
        self.core.thread_dead(id);
    }

    pub fn thread(&mut self, thread: u32) -> ThreadId {
        let core = &mut self.core;
        *self.threads.entry(thread).or_insert_with(|| core.thread(None))
    }

    fn lock(&mut self, lock: u32) -> LockId {
        let core = &mut self.core;
        *self.locks.entry(lock).or_insert_with(|| core.lock())
    }

    pub fn epoch(&mut self, thread: u32, owner: Option<u32>) -> EpochId {
        let id = self.thread(thread);
        let held = self.world.holds(thread).to_vec();
        let held: Vec<Held> = held
            .into_iter()
            .map(|(lock, shared)| {
                let lock = if Some(lock) == owner {
                    LockId::OWNER
                } else {
                    self.lock(lock)
                };
                Held { lock, shared }
            })
            .collect();
        self.core.epoch(id, self.world.period_of(thread), &held).unwrap()
    }

    pub fn field(&self, variable: u32) -> (usize, FieldId) {
        let at = variable as usize % self.fields.len();
        (at, self.fields[at])
    }

    pub fn play(&mut self, index: usize, event: Event) -> Option<Seen> {
        self.thread(event.thread());
        if let Event::Start { parent, child } = event {
            let epoch = self.epoch(parent, None);
            let id = self.core.thread(Some(epoch));
            assert!(
                self.threads.insert(child, id).is_none(),
                "{child} was there before its start"
            );
        }
        let access = self.world.observe(index, event)?;
        let epoch = self.epoch(access.thread, self.owners.get(&access.variable).copied());
        let (at, field) = self.field(access.variable);
        let site = self.sites[&(at, access.site)];
        let word = self.words.get(&access.variable).copied().unwrap_or_default();
        let period = (access.thread, self.world.period_of(access.thread));
        let owner = self.owners.get(&access.variable);
        let holds_owner = self
            .world
            .holds(access.thread)
            .iter()
            .any(|&(lock, shared)| Some(&lock) == owner && !shared);
        let outcome = self.hook(word, epoch, site, period, holds_owner);
        self.words.insert(access.variable, outcome.word);
        Some(Seen {
            event: index,
            state: self.core.state(outcome.word, field),
            unprotected: self.core.unprotected(outcome.word, field),
            shared: outcome.shared,
            conflicts: outcome.conflicts.iter().map(|c| self.names[&c.site]).collect(),
        })
    }

    /// `Hooks.access`: what the runtime decides itself is checked against what the core would have said.
    fn hook(
        &mut self,
        word: Word,
        epoch: EpochId,
        site: SiteId,
        period: ThreadPeriod,
        holds_owner: bool,
    ) -> Outcome {
        let info = self.core.site_info(site).unwrap();
        let ordinal = u32::from(info.ordinal);
        let is_member = |set| self.members.contains(&(set, site));
        let java = if (word.0 ^ epoch.comparison_value()) & (KIND_AND_EPOCH | 1 << ordinal) == 0
            && ordinal < OVERFLOW
        {
            Some(word)
        } else {
            match word.decode() {
                Decoded::Virgin
                    if self.core.detector() == Detector::Eraser && info.kind == AccessKind::Read =>
                {
                    Some(word)
                }
                Decoded::Virgin if ordinal < OVERFLOW => Some(Word::simple(epoch, 1 << ordinal)),
                Decoded::Simple { epoch: same, bits } if same == epoch && ordinal < OVERFLOW => {
                    Some(Word::simple(epoch, bits | 1 << ordinal))
                }
                Decoded::Set { epoch: same, set } if same == epoch && is_member(set) => Some(word),
                _ => None,
            }
        };
        if let Some(word_after) = java {
            let outcome = Outcome {
                word: word_after,
                conflicts: Vec::new(),
                shared: false,
                settled: Settled::ThisEpoch,
            };
            let core = self.core.step(word, epoch, site);
            assert_eq!(
                (core.word, &core.conflicts, core.shared),
                (outcome.word, &outcome.conflicts, outcome.shared),
                "the runtime and the core disagree"
            );
            return outcome;
        }
        if self.orphans != self.core.orphans() {
            self.orphans = self.core.orphans();
            self.memo.clear();
            self.settled.clear();
        }
        match self.settled.get(&(word, site, period)) {
            Some((Settled::Always, known)) => return known.clone(),
            Some((Settled::OwnerHeld, known)) if holds_owner => return known.clone(),
            _ => {}
        }
        if let Some(known) = self.memo.get(&(word, epoch, site)) {
            return known.clone();
        }
        self.steps += 1;
        let outcome = self.core.step(word, epoch, site);
        if let Decoded::Set { epoch: same, set } = outcome.word.decode()
            && same == epoch
        {
            self.members.insert((set, site));
        }
        self.memo.insert((word, epoch, site), outcome.clone());
        if outcome.settled != Settled::ThisEpoch {
            assert_eq!(outcome.word, word, "settled, but changed");
            self.settled
                .insert((word, site, period), (outcome.settled, outcome.clone()));
        }
        outcome
    }
}
