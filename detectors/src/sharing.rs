//! SHARING: finds no races but who touches what, so that an analysis that claims "only one thread ever comes here"
//! can be held against a run. A variable is Virgin, Owned by the first thread that touches it, and Passed to the second
//! one that does, whatever locks, starts and joins there are between them. It has merely been handed over as long as
//! only that one comes; with any other thread, the first one too, it is Common for good.
//!
//! It must be exact in both directions: a place that is missing hides a mistake of the analysis, one too many accuses
//! it wrongly. So it keeps sets of places where the races' detectors keep histories, which have limits, and it has one
//! epoch for each thread, so that a simple word says "this thread, at these places, ever".

use crate::epoch::EpochsExhausted;
use crate::ids::{EpochId, FieldId, SiteId, StateId, ThreadId};
use crate::intern::Interner;
use crate::site::{SiteInfo, Sites};
use crate::word::{Decoded, Word};

/// What is known of a site so far; each says more than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Touch {
    /// The variables it touched belong to one thread each.
    #[default]
    Owned,
    /// It touched a variable of two threads or more, perhaps before the second one came.
    Early,
    /// It touched such a variable when the second thread had come, or was that thread coming.
    Late,
    /// It was late at a variable that is Common by now.
    Common,
}

/// A set of sites of one field, a bit for each by its number in the field.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct SiteSet(Vec<u64>);

impl SiteSet {
    fn place(number: u32) -> (usize, u64) {
        (number as usize / 64, 1 << (number % 64))
    }

    fn contains(&self, number: u32) -> bool {
        let (at, bit) = SiteSet::place(number);
        self.0.get(at).is_some_and(|word| word & bit != 0)
    }

    fn insert(&mut self, number: u32) {
        let (at, bit) = SiteSet::place(number);
        // Never longer than its highest number needs: equal sets are equal values.
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        if let Some(word) = self.0.get_mut(at) {
            *word |= bit;
        }
    }
}

/// What a simple word cannot say. Callers remember which ordinals leave a state alone, and an ordinal is a number
/// within a field: so a state is one of one field.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
struct State {
    field: FieldId,
    phase: Phase,
}

/// What the log already says of a site need not be kept for it: that would not tell anything more, and cost states.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
enum Phase {
    /// Touched by one thread, at these sites, which are [`Touch::Early`] if another one comes.
    Owned(EpochId, SiteSet),
    /// Touched by the second thread only since that came, at these sites, which are [`Touch::Common`] if another
    /// one comes.
    Passed(EpochId, SiteSet),
    #[default]
    Common,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharingOutcome {
    pub word: Word,
    /// This thread's accesses at this site change nothing any more while the variable has this word.
    pub settled: bool,
}

/// Nothing is exact any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many different sets of places for the sharing log")]
pub struct StatesExhausted;

/// One per process; not thread-safe by itself. Ids are given out as by `Core`, and none twice.
pub struct Sharing {
    threads: u32,
    sites: Sites,
    /// By field: its sites. What is a place in here is a number in a [`SiteSet`].
    fields: Vec<Vec<SiteId>>,
    /// By site: its number in its field.
    numbers: Vec<u32>,
    log: Vec<Touch>,
    states: Interner<State>,
}

impl Default for Sharing {
    fn default() -> Self {
        Sharing {
            threads: 0,
            sites: Sites::default(),
            fields: Vec::new(),
            numbers: Vec::new(),
            log: Vec::new(),
            states: Interner::new(0),
        }
    }
}

impl Sharing {
    pub fn thread(&mut self) -> ThreadId {
        let id = ThreadId(self.threads);
        self.threads = self.threads.saturating_add(1);
        id
    }

    /// The only epoch of the thread.
    pub fn epoch(&self, ThreadId(thread): ThreadId) -> Result<EpochId, EpochsExhausted> {
        let limit = EpochId::MAX.0;
        if thread < limit {
            Ok(EpochId(thread + 1))
        } else {
            Err(EpochsExhausted { limit })
        }
    }

    pub fn field(&mut self) -> FieldId {
        self.fields.push(Vec::new());
        self.sites.add_field()
    }

    pub fn site(&mut self, info: SiteInfo) -> SiteId {
        let id = self.sites.add(info);
        let mut number = 0;
        if let Some(field) = self.fields.get_mut(info.field.0 as usize) {
            number = field.len() as u32;
            field.push(id);
        }
        self.numbers.push(number);
        self.log.push(Touch::Owned);
        id
    }

    /// What is known of the site by now.
    pub fn touch(&self, site: SiteId) -> Touch {
        self.log.get(site.0 as usize).copied().unwrap_or_default()
    }

    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// The variable with this word is accessed at `site` in `epoch`. Callers may keep the result: what it adds to the
    /// log is in the log from then on. An epoch, site or word that is not of this machine changes nothing.
    pub fn step(
        &mut self,
        word: Word,
        epoch: EpochId,
        site: SiteId,
    ) -> Result<SharingOutcome, StatesExhausted> {
        let unsettled = |word| Ok(SharingOutcome { word, settled: false });
        let (Some(info), Some(&number)) = (self.sites.get(site), self.numbers.get(site.0 as usize)) else {
            return unsettled(word);
        };
        let field = info.field;
        let before = match (word.decode(), info.bit()) {
            (Decoded::Virgin, Some(bit)) => return unsettled(Word::simple(epoch, bit)),
            (Decoded::Virgin, None) => Phase::Owned(epoch, SiteSet::default()),
            (Decoded::Simple { epoch: owner, bits }, Some(bit)) if owner == epoch => {
                return unsettled(Word::simple(epoch, bits | bit));
            }
            (Decoded::Simple { epoch: owner, bits }, _) => Phase::Owned(owner, self.set_of(field, bits)),
            // Not a word of this machine.
            (Decoded::Set { .. }, _) => return unsettled(word),
            (Decoded::Interned(StateId(id)), _) => match self.states.get(id) {
                Some(state) => state.phase.clone(),
                None => return unsettled(word),
            },
        };
        let phase = match before {
            Phase::Owned(owner, sites) if owner == epoch => {
                Phase::Owned(owner, self.with(sites, site, number, Touch::Early))
            }
            Phase::Owned(_, earlier) => {
                self.note_all(field, &earlier, Touch::Early);
                self.note(site, Touch::Late);
                Phase::Passed(epoch, self.with(SiteSet::default(), site, number, Touch::Common))
            }
            Phase::Passed(owner, sites) if owner == epoch => {
                self.note(site, Touch::Late);
                Phase::Passed(owner, self.with(sites, site, number, Touch::Common))
            }
            Phase::Passed(_, since) => {
                self.note_all(field, &since, Touch::Common);
                self.note(site, Touch::Common);
                Phase::Common
            }
            Phase::Common => {
                self.note(site, Touch::Common);
                Phase::Common
            }
        };
        let after = self.intern(&State { field, phase })?;
        Ok(SharingOutcome {
            word: after,
            settled: after == word,
        })
    }

    /// `sites`, kept to become `touch`, and `site`.
    fn with(&self, mut sites: SiteSet, site: SiteId, number: u32, touch: Touch) -> SiteSet {
        if self.touch(site) < touch {
            sites.insert(number);
        }
        sites
    }

    fn note_all(&mut self, field: FieldId, numbers: &SiteSet, touch: Touch) {
        let sites = self.fields.get(field.0 as usize).cloned().unwrap_or_default();
        for (_, site) in (0..).zip(sites).filter(|(number, _)| numbers.contains(*number)) {
            self.note(site, touch);
        }
    }

    fn note(&mut self, site: SiteId, touch: Touch) {
        if let Some(known) = self.log.get_mut(site.0 as usize) {
            *known = touch.max(*known);
        }
    }

    fn set_of(&self, field: FieldId, bits: u32) -> SiteSet {
        let mut set = SiteSet::default();
        for site in self.sites.of_bits(field, bits) {
            if let Some(&number) = self.numbers.get(site.0 as usize) {
                set.insert(number);
            }
        }
        set
    }

    fn intern(&mut self, state: &State) -> Result<Word, StatesExhausted> {
        let (id, _) = self.states.intern(state, u32::MAX).ok_or(StatesExhausted)?;
        Ok(Word::interned(StateId(id)))
    }
}
