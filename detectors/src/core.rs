//! The driver: word → state → machine → state → word. It owns the tables and the interned states; the caller
//! owns the words, and the program's heap holds them.
//!
//! A caller may keep the results of [`Core::step`], per word, epoch and site. A kept result stays right when locks
//! die (it names what became of them), when threads die (it keeps a little more than needed) and when threads
//! are started (they see what their starters see). It does *not* when an orphan turns up, a thread registered
//! without a parent: a kept hand-over may drop accesses that the orphan cannot see. So a caller that keeps
//! results forgets them all when [`Core::orphans`] changes.

use crate::conflict::{self, Conflict, Earlier};
use crate::epoch::{Epoch, EpochsExhausted};
use crate::history::{Order, widened};
use crate::ids::{EpochId, FieldId, LockId, SiteId, StateId, ThreadId};
use crate::intern::Interner;
use crate::lockset::{Held, LockSetId};
use crate::retire::Uses;
use crate::site::SiteInfo;
use crate::state::{Access, Phase, State, Transition, VIRGIN};
use crate::tables::{Event, Tables};
use crate::threads::Period;
use crate::word::{Decoded, Word};
use crate::{Detector, eraser, handed, racer, simple};

/// One per process; not thread-safe by itself.
pub struct Core {
    pub(crate) detector: Detector,
    pub(crate) tables: Tables,
    pub(crate) states: Interner<State>,
    pub(crate) uses: Uses,
    max_states: usize,
    steps: u64,
    coarsened: u64,
    forgetful: u64,
    /// Memory for the states before and after a step, so that only a state never seen allocates.
    before: State,
    after: State,
}

/// What an access did to its variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub word: Word,
    /// The earlier accesses that conflict with this one, on every such access: those of the history if the
    /// variable is in `SharedModified` with no candidate left, those handed over in any phase.
    pub conflicts: Vec<Conflict>,
    /// The variable is in `Shared` or `SharedModified` now.
    pub shared: bool,
    /// If the access changed nothing: which others of this period at this site change nothing either.
    pub settled: Settled,
}

/// Under which locks an access is known to change nothing, with the period and the site given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// Under exactly those of its epoch.
    ThisEpoch,
    /// Whenever the owner's own monitor is held, with whatever else.
    OwnerHeld,
    Always,
}

/// For an access that left `state` as it was, without any conflict to look for. More locks than needed change nothing:
/// the candidates are a part of either set, and what absorbs the access absorbs it with more locks as well.
fn settled(tables: &mut Tables, detector: Detector, state: &State, event: &Event) -> Settled {
    for (protecting, settled) in [
        (LockSetId::EMPTY, Settled::Always),
        (LockSetId::OWNER, Settled::OwnerHeld),
    ] {
        if tables.locks.refine(state.candidates, protecting) != state.candidates {
            continue;
        }
        // No entry is the very same access: the locks decide.
        let access = Access {
            epoch: EpochId(0),
            ..event.access
        };
        let event = Event {
            access,
            protecting,
            ..*event
        };
        if Order::normal(tables, detector).absorbs(&state.history, &event) {
            return settled;
        }
    }
    Settled::ThisEpoch
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    pub threads: usize,
    pub lock_sets: usize,
    pub epochs: usize,
    pub states: usize,
    pub steps: u64,
    /// Steps whose new state had to give up history because there were too many states.
    pub coarsened: u64,
    /// Hand-overs that forgot what somebody cannot see, because there were twice as many states as that.
    pub forgetful: u64,
    /// Memory of all tables.
    pub bytes: usize,
}

impl Core {
    pub const DEFAULT_MAX_STATES: usize = 2_000_000;

    pub fn new(detector: Detector) -> Core {
        Core {
            detector,
            tables: Tables::default(),
            states: Interner::new(0),
            uses: Uses::default(),
            max_states: Core::DEFAULT_MAX_STATES,
            steps: 0,
            coarsened: 0,
            forgetful: 0,
            before: State::VIRGIN,
            after: State::VIRGIN,
        }
    }

    /// From this many states on, new ones keep only the essentials of their history ([`Order::coarse`]): a shared
    /// variable at most four accesses. What they detect stays exact; which pairs of places they name does not.
    ///
    /// A server that starts a thread per request and hands it objects makes states for each request, because the
    /// other requests cannot see what was done before the start. From twice this many states on, hand-overs
    /// forget as the paper's machine does: words are simple again and memory stops growing.
    pub fn set_max_states(&mut self, max_states: usize) {
        self.max_states = max_states;
    }

    pub fn detector(&self) -> Detector {
        self.detector
    }

    /// A thread; `parent` is the epoch in which `start()` was called.
    pub fn thread(&mut self, parent: Option<EpochId>) -> ThreadId {
        let period = parent.and_then(|epoch| self.period(epoch));
        self.tables.threads.add(period)
    }

    /// The thread has ended (not before its last event). Known early or late or never, it decides only how
    /// long accesses are kept that were handed over.
    pub fn thread_dead(&mut self, thread: ThreadId) {
        self.tables.threads.bury(thread);
    }

    /// How many threads had no parent. When it changes, kept results of [`Core::step`] are to be forgotten.
    pub fn orphans(&self) -> u32 {
        self.tables.threads.orphans()
    }

    pub fn lock(&mut self) -> LockId {
        self.tables.locks.add_lock()
    }

    /// The epoch of a thread that has started `period` threads and holds these locks.
    pub fn epoch(
        &mut self,
        thread: ThreadId,
        period: u32,
        held: &[Held],
    ) -> Result<EpochId, EpochsExhausted> {
        let held = self.tables.locks.of(held);
        let epoch = Epoch {
            period: Period {
                thread,
                index: period,
            },
            held,
        };
        let (id, new) = self.tables.epochs.intern(epoch)?;
        if new {
            self.uses.add_epoch(&self.tables, id, held);
        }
        Ok(id)
    }

    pub fn field(&mut self) -> FieldId {
        self.tables.sites.add_field()
    }

    /// A site. If its field has one with this ordinal already, the ordinal's bit stands for the new one from now.
    pub fn site(&mut self, info: SiteInfo) -> SiteId {
        self.tables.sites.add(info)
    }

    /// The thread and period of an epoch.
    pub fn period(&self, epoch: EpochId) -> Option<Period> {
        self.tables.epochs.get(epoch).map(|e| e.period)
    }

    /// The locks held in an epoch; collected ones are [`LockId::DEAD`].
    pub fn held(&self, epoch: EpochId) -> &[Held] {
        self.tables
            .epochs
            .get(epoch)
            .map_or(&[], |e| self.tables.locks.locks(e.held))
    }

    pub fn site_info(&self, site: SiteId) -> Option<SiteInfo> {
        self.tables.sites.get(site)
    }

    /// Whether what was done in `older` is visible in `newer` without a lock (paper, section 4.5).
    pub fn visible(&self, newer: EpochId, older: EpochId) -> bool {
        match (self.period(newer), self.period(older)) {
            (Some(newer), Some(older)) => self.tables.threads.visible(newer, older),
            _ => false,
        }
    }

    /// Every place that touched a variable of `field` since Virgin, with one or two of the epochs it did so in;
    /// after them those that were handed over and are not forgotten.
    pub fn history(&self, word: Word, field: FieldId) -> Vec<Access> {
        let mut state = self.state(word, field);
        state.history.append(&mut state.handed);
        state.history
    }

    /// The state that a word of a variable of `field` stands for.
    pub fn state(&self, word: Word, field: FieldId) -> State {
        let mut state = State::VIRGIN;
        match word.decode() {
            Decoded::Virgin => {}
            Decoded::Simple { epoch, bits } => {
                let sites = self.tables.sites.of_bits(field, bits);
                simple::decode(&self.tables, self.detector, epoch, sites, &mut state);
            }
            Decoded::Set { epoch, set } => {
                let sites = self.tables.site_sets.get(set).iter().copied();
                simple::decode(&self.tables, self.detector, epoch, sites, &mut state);
            }
            Decoded::Interned(id) => {
                if let Some(known) = self.states.get(id.0) {
                    state.assign(known);
                }
            }
        }
        state
    }

    /// Whether no lock protected all accesses of the variable.
    pub fn unprotected(&self, word: Word, field: FieldId) -> bool {
        self.state(word, field).candidates == LockSetId::EMPTY
    }

    /// The variable with this word is accessed at `site` in `epoch`. Deterministic: the same arguments give the
    /// same word (or one that means the same, after locks died) and the same conflicts, so results may be
    /// kept by the caller until an orphan turns up (see the module's first lines). An epoch, site or word that this
    /// core did not make changes nothing.
    pub fn step(&mut self, word: Word, epoch: EpochId, site: SiteId) -> Outcome {
        self.steps += 1;
        let site = self.tables.sites.current(site);
        let Some(event) = self.tables.event(site, epoch) else {
            return Outcome {
                word,
                conflicts: Vec::new(),
                shared: false,
                settled: Settled::ThisEpoch,
            };
        };
        let (detector, tables) = (self.detector, &mut self.tables);
        let before = match word.decode() {
            Decoded::Virgin => &VIRGIN,
            Decoded::Interned(id) => self.states.get(id.0).unwrap_or(&VIRGIN),
            Decoded::Simple { epoch, bits } => {
                let sites = tables.sites.of_bits(event.site.field, bits);
                simple::decode(tables, detector, epoch, sites, &mut self.before);
                &self.before
            }
            Decoded::Set { epoch, set } => {
                let sites = tables.site_sets.get(set).iter().copied();
                simple::decode(tables, detector, epoch, sites, &mut self.before);
                &self.before
            }
        };
        let Transition {
            phase,
            reset,
            refine,
            record,
        } = match detector {
            Detector::Racer => racer::step(&tables.threads, before, &event),
            Detector::Eraser => eraser::step(before, &event),
        };
        let base = if reset { &VIRGIN } else { before };
        let candidates = if refine {
            tables.locks.refine(base.candidates, event.protecting)
        } else {
            base.candidates
        };
        let alarm = phase == Phase::SharedModified && candidates == LockSetId::EMPTY;
        let (conflicts, named) = if alarm || !before.handed.is_empty() {
            let earlier = Earlier {
                history: if alarm { &base.history } else { &[] },
                handed: &before.handed,
                explained: base.explained,
            };
            conflict::find(tables, detector, earlier, &event)
        } else {
            (Vec::new(), false)
        };
        let explained = base.explained || named;
        let order = Order::normal(tables, detector);
        let absorbed = !record || order.absorbs(&base.history, &event);
        let shared = phase.is_shared();
        let same = phase == before.phase && candidates == before.candidates && explained == before.explained;
        if same && !reset && absorbed {
            let settled = if alarm || !before.handed.is_empty() {
                Settled::ThisEpoch
            } else {
                settled(tables, detector, before, &event)
            };
            return Outcome {
                word,
                conflicts,
                shared,
                settled,
            };
        }
        let event = if absorbed {
            event
        } else {
            widened(tables, &mut self.uses, &base.history, event).unwrap_or(event)
        };
        let order = Order::normal(tables, detector);

        let after = &mut self.after;
        (after.phase, after.candidates, after.explained) = (phase, candidates, explained);
        after.history.clone_from(&base.history);
        if !absorbed {
            order.add(&mut after.history, &event);
        }
        if reset {
            handed::keep(tables, detector, before, &mut after.handed);
        } else {
            after.handed.clone_from(&before.handed);
        }
        if let Some(word) = simple::encode(tables, detector, event.site.field, after) {
            return Outcome {
                word,
                conflicts,
                shared,
                settled: Settled::ThisEpoch,
            };
        }
        if self.states.len() >= self.max_states && self.states.find(after).is_none() {
            self.coarsened += 1;
            if reset && self.states.len() >= self.max_states.saturating_mul(2) && !after.handed.is_empty() {
                self.forgetful += 1;
                after.handed.clear();
            }
            let pairwise = detector == Detector::Racer && !shared;
            Order::coarse(tables, detector, pairwise).rebuild(
                &base.history,
                Some(&event),
                &mut after.history,
            );
            let handed = std::mem::take(&mut after.handed);
            Order::coarse(tables, detector, true).rebuild(&handed, None, &mut after.handed);
            if let Some(word) = simple::encode(tables, detector, event.site.field, after) {
                return Outcome {
                    word,
                    conflicts,
                    shared,
                    settled: Settled::ThisEpoch,
                };
            }
        }
        let word = self.intern_after().map_or(word, Word::interned);
        Outcome {
            word,
            conflicts,
            shared,
            settled: Settled::ThisEpoch,
        }
    }

    /// `None` after 2^31 states, which do not fit in memory: the variable then keeps the state it has.
    fn intern_after(&mut self) -> Option<StateId> {
        let (id, new) = self.states.intern(&self.after, u32::MAX)?;
        if new {
            self.uses
                .add_state(&self.tables, &self.states, StateId(id), &self.after);
        }
        Some(StateId(id))
    }

    pub fn stats(&self) -> Stats {
        let t = &self.tables;
        Stats {
            threads: t.threads.len(),
            lock_sets: t.locks.len(),
            epochs: t.epochs.len(),
            states: self.states.len(),
            steps: self.steps,
            coarsened: self.coarsened,
            forgetful: self.forgetful,
            bytes: t.threads.bytes()
                + t.locks.bytes()
                + t.epochs.bytes()
                + t.sites.bytes()
                + t.site_sets.bytes()
                + self
                    .states
                    .bytes(|s| (s.history.capacity() + s.handed.capacity()) * size_of::<Access>())
                + self.uses.bytes(),
        }
    }
}
