//! SHARING: finds no races but who touches what, so that an analysis that claims "only one thread ever comes here"
//! can be held against a run. A variable is Virgin, Owned by the first thread that touches it, and Shared as soon as
//! a second one does, whatever locks, starts and joins there are between them; it never leaves Shared.
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
    /// It touched a variable that became shared, then or later.
    Shared,
    /// It touched a variable that was shared at that time, or became so by this very access.
    Late,
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

/// What a simple word cannot say.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum State {
    /// Touched by one thread, at sites of which some have no bit.
    Owned(EpochId, SiteSet),
    /// Callers remember which ordinals leave a state alone, and an ordinal is a number within a field: so a state
    /// is one of one field.
    Shared(FieldId),
}

impl Default for State {
    fn default() -> Self {
        State::Owned(EpochId::default(), SiteSet::default())
    }
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
        let unchanged = |settled| Ok(SharingOutcome { word, settled });
        let changed = |word| Ok(SharingOutcome { word, settled: false });
        let (Some(info), Some(&number)) = (self.sites.get(site), self.numbers.get(site.0 as usize)) else {
            return unchanged(false);
        };
        let mut owned = match word.decode() {
            Decoded::Virgin => match info.bit() {
                Some(bit) => return changed(Word::simple(epoch, bit)),
                None => SiteSet::default(),
            },
            Decoded::Simple { epoch: owner, bits } if owner == epoch => match info.bit() {
                Some(bit) => return changed(Word::simple(epoch, bits | bit)),
                None => self.set_of(info.field, bits),
            },
            Decoded::Simple { bits, .. } => {
                let earlier = self.set_of(info.field, bits);
                return self.share(info.field, &earlier, site).and_then(changed);
            }
            Decoded::Interned(StateId(id)) => match self.states.get(id) {
                None => return unchanged(false),
                Some(State::Shared(_)) => {
                    self.note(site, Touch::Late);
                    return unchanged(true);
                }
                Some(State::Owned(owner, sites)) if *owner == epoch => {
                    // To keep a site that is in the log would not tell anything more, and cost states.
                    if sites.contains(number) || self.touch(site) >= Touch::Shared {
                        return unchanged(true);
                    }
                    sites.clone()
                }
                Some(State::Owned(_, sites)) => {
                    let earlier = sites.clone();
                    return self.share(info.field, &earlier, site).and_then(changed);
                }
            },
        };
        owned.insert(number);
        self.intern(&State::Owned(epoch, owned)).and_then(changed)
    }

    /// A second thread has come, at `site`, to a variable touched at the sites `earlier`.
    fn share(&mut self, field: FieldId, earlier: &SiteSet, site: SiteId) -> Result<Word, StatesExhausted> {
        let sites = self.fields.get(field.0 as usize).map_or(&[][..], Vec::as_slice);
        let touched: Vec<SiteId> = (0..)
            .zip(sites)
            .filter(|(number, _)| earlier.contains(*number))
            .map(|(_, &site)| site)
            .collect();
        for earlier in touched {
            self.note(earlier, Touch::Shared);
        }
        self.note(site, Touch::Late);
        self.intern(&State::Shared(field))
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
