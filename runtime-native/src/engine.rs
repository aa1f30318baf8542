//! The engine: the detector's core together with the tables that give its numbers a meaning, and the findings
//! made from both. One per process, driven by the JNI glue, which keeps it behind a mutex.

use crate::deadlock::Waiting;
use crate::limit::{DEFAULT_MAX_FINDINGS, Limit};
use crate::locks_code::Locks;
use crate::sites::SiteTable;
use crate::stacks::Depot;
use crate::tables::{LockTexts, StackTexts, Texts, Threads};
use crate::trace::TraceLog;
use crate::writer::{FindingsFile, WriterError};
use racewire_detectors::event::{ObjectId, Place};
use racewire_detectors::lock_order::LockOrder;
use racewire_detectors::views::Views;
use racewire_detectors::{
    Core, Decoded, Detector, EpochId, EpochsExhausted, FieldId, Held, LockId, Settled, SiteId, SiteInfo,
    ThreadId, Word,
};
use racewire_model::annotated::Annotated;
use racewire_model::finding::{Finding, Kind, Record};
use racewire_model::fingerprint::Namesakes;
use racewire_model::sites::{ClassSites, SiteTableError};
use rustc_hash::FxHashMap;
use touched::Touched;

mod pairs;
mod recorded;
mod test_names;
mod touched;

/// Flags of a step's result, see ARCHITECTURE.md: a report or a stack of this access is wanted.
pub const REPORT: u64 = 1 << 62;
pub const STACK: u64 = 1 << 61;
/// Flags of a result that is the interned word it was given: [`Settled`].
pub const OWNER_HELD: u64 = 1 << 59;
pub const ALWAYS: u64 = 1 << 58;

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Writer(#[from] WriterError),
    #[error(transparent)]
    Epochs(#[from] EpochsExhausted),
    #[error(transparent)]
    Sites(#[from] SiteTableError),
    #[error("{0} has no detector of that name")]
    Detector(String),
}

/// The field and the two places of a finding.
type PairKey = (u32, u32, u32);

/// What is counted beyond the limit of findings: a pair, or a lock-order cycle by its fingerprint.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Claim {
    Pair(PairKey),
    Cycle(String),
}

/// What was written of a pair of places: how sure it is, and whether both stacks are known.
#[derive(Clone, Copy)]
struct Told {
    kind: Kind,
    complete: bool,
}

impl Told {
    /// Whether there is more to say: with a stack that was missing, or for certain.
    fn is_less_than(self, kind: Kind, stack_is_known: bool) -> bool {
        let surer = kind == Kind::Race && self.kind == Kind::PotentialRace;
        let fuller =
            !self.complete && stack_is_known && !(kind == Kind::PotentialRace && self.kind == Kind::Race);
        surer || fuller
    }
}

/// A finding that was written without the stack of its earlier access, which may come later.
struct Incomplete {
    finding: Finding,
    earlier: Earlier,
    pair: PairKey,
}

/// The earlier access of a pair. Of a race only its thread may be known.
#[derive(Clone, Copy)]
struct Earlier {
    site: u32,
    epoch: Option<u32>,
    thread: Option<u32>,
    /// Of an array, where both accesses met.
    element: Option<u32>,
}

/// An earlier access as the stamps of its variable tell it.
#[derive(Debug, Clone, Copy)]
pub struct Met {
    pub thread: u32,
    pub site: u32,
    /// See [`crate::locks_code`]; those of another access if threads came at once.
    pub locks: u32,
    /// Of an array.
    pub element: Option<u32>,
}

/// A field without a lock can be raced on at thousands of pairs of places. The first few findings tell the
/// variable's whole history; in the others it would only repeat, many times over.
const HISTORIES_PER_FIELD: u32 = 3;
const HISTORY_LENGTH: usize = 50;
/// Further pairs of places on a field are named without stacks.
const STACKS_PER_FIELD: u32 = 100;

pub struct Engine {
    core: Core,
    detector: String,
    pub(crate) threads: Threads,
    pub(crate) locks: LockTexts,
    pub(crate) sites: SiteTable,
    fields: Vec<FieldId>,
    pub(crate) stack_texts: StackTexts,
    pub(crate) lock_order: LockOrder,
    pub(crate) views: Views,
    /// Where locks were taken inside others: the innermost frames, and the places by their numbers.
    pub(crate) lock_places: Texts,
    pub(crate) lock_stacks: Vec<Place>,
    pub(crate) lock_numbers: FxHashMap<Place, u32>,
    /// The threads of a deadlock that is being told of.
    pub(crate) waiting: Vec<Waiting>,
    pub(crate) namesakes: Namesakes,
    /// Lock-order cycles and deadlocks that were written, by fingerprint: of how many locks the stack is known.
    cycles: FxHashMap<String, usize>,
    depot: Depot,
    /// By field and unordered pair of places.
    /// Pairs that were written, and whether both stacks are known.
    findings: FxHashMap<PairKey, Told>,
    touched: Touched,
    /// By the site of the earlier access.
    incomplete: FxHashMap<u32, Vec<Incomplete>>,
    /// How many findings each field has had.
    per_field: FxHashMap<u32, u32>,
    /// The tests that the next finding belongs to.
    pub(crate) tests: Vec<String>,
    tests_of: FxHashMap<PairKey, Vec<String>>,
    /// What was found in each test, until it is asked for.
    found_in: FxHashMap<String, Vec<String>>,
    limit: Limit<Claim>,
    annotated: Annotated,
    /// How many findings the program's own source declares as no fault.
    excused: usize,
    events: u64,
    /// The last record is written: what daemon threads still do is not reported.
    pub(crate) ended: bool,
    trace: Option<TraceLog>,
    trace_troubles: Vec<String>,
    /// What plug-ins have found and is not written yet.
    plugins_found: Vec<Finding>,
    file: FindingsFile,
}

/// What the engine is told of the program and of the user's wishes.
#[derive(Debug)]
pub struct About {
    /// How much the weaver left as it was.
    pub unwoven: u64,
    /// See [`Annotated`].
    pub annotated: Vec<String>,
    pub max_findings: usize,
}

impl Default for About {
    fn default() -> About {
        About {
            unwoven: 0,
            annotated: Vec::new(),
            max_findings: DEFAULT_MAX_FINDINGS,
        }
    }
}

pub fn detector(name: &str) -> Result<Detector, EngineError> {
    match name {
        // Happens-before itself is the business of the Java side; here are the lock sets beside it.
        "racer" | "hybrid" | "happens_before" | "lock_order" | "views" | "stale" => Ok(Detector::Racer),
        "eraser" => Ok(Detector::Eraser),
        other => Err(EngineError::Detector(other.to_owned())),
    }
}

impl Engine {
    /// Writes the process record: a run without findings is to be seen, too.
    pub fn new(
        detector_name: &str,
        mut file: FindingsFile,
        pid: u32,
        started_ms: u64,
        java: &str,
        about: About,
    ) -> Result<Engine, EngineError> {
        let core = Core::new(detector(detector_name)?);
        file.write(&Record::Process {
            version: 1,
            pid: u64::from(pid),
            started_ms,
            detector: detector_name.to_owned(),
            java: java.to_owned(),
            unwoven: about.unwoven,
            annotated: about.annotated.clone(),
        })?;
        Ok(Engine {
            core,
            detector: detector_name.to_owned(),
            threads: Threads::default(),
            locks: LockTexts::default(),
            sites: SiteTable::default(),
            fields: Vec::new(),
            stack_texts: StackTexts::default(),
            lock_order: LockOrder::default(),
            views: Views::default(),
            lock_places: Texts::default(),
            lock_stacks: Vec::new(),
            lock_numbers: FxHashMap::default(),
            waiting: Vec::new(),
            namesakes: Namesakes::default(),
            cycles: FxHashMap::default(),
            depot: Depot::default(),
            findings: FxHashMap::default(),
            touched: Touched::default(),
            incomplete: FxHashMap::default(),
            per_field: FxHashMap::default(),
            tests: Vec::new(),
            tests_of: FxHashMap::default(),
            found_in: FxHashMap::default(),
            limit: Limit::new(about.max_findings),
            annotated: about.annotated.into_iter().collect(),
            excused: 0,
            events: 0,
            ended: false,
            trace: None,
            trace_troubles: Vec::new(),
            plugins_found: Vec::new(),
            file,
        })
    }

    pub fn path(&self) -> String {
        self.file.path().display().to_string()
    }

    /// `parent`: the epoch in which it was started, 0 if that was not seen.
    pub fn thread(&mut self, name: &str, parent: u32, started_at: &[String]) -> u32 {
        let ThreadId(id) = self.core.thread((parent != 0).then_some(EpochId(parent)));
        self.record_thread(id, name, parent, started_at);
        let started_at = self.stack_texts.id(started_at);
        self.threads.add(id, name, started_at);
        id
    }

    pub fn thread_dead(&mut self, id: u32) {
        self.core.thread_dead(ThreadId(id));
        self.recording(|trace| trace.thread_ends(id));
    }

    pub fn lock(&mut self, description: &str) -> u32 {
        let LockId(id) = self.core.lock();
        self.locks.add(id, description);
        self.recording(|trace| trace.lock(id, description));
        id
    }

    pub fn lock_dead(&mut self, id: u32) {
        self.core.lock_dead(LockId(id));
        self.lock_order.lock_dead(ObjectId::from(id));
        self.views.owner_dead(ObjectId::from(id));
        self.locks.remove(id);
    }

    /// `held`: lock id `<< 1 | shared`.
    pub fn epoch(&mut self, thread: u32, period: u32, held: &[u32]) -> Result<u32, EngineError> {
        let locks: Vec<Held> = held
            .iter()
            .map(|h| Held {
                lock: LockId(h >> 1),
                shared: h & 1 != 0,
            })
            .collect();
        let EpochId(id) = self.core.epoch(ThreadId(thread), period, &locks)?;
        Ok(id)
    }

    /// Id of the table's first site; the others follow.
    pub fn register(&mut self, text: &str) -> Result<u32, EngineError> {
        if let Some(first) = self.sites.known(text) {
            return Ok(first);
        }
        let table = ClassSites::decode(text)?;
        let first = self.sites.len() as u32;
        for site in &table.sites {
            // Decoding has checked that the field is there.
            let Some(field) = table.fields.get(site.field as usize) else {
                continue;
            };
            let (number, new) = self.sites.field(field);
            if new {
                self.fields.push(self.core.field());
            }
            let field = self.fields.get(number as usize).copied().unwrap_or_default();
            self.core.site(SiteInfo {
                field,
                kind: site.kind,
                ordinal: site.ordinal,
            });
        }
        self.sites.add(text, table, first);
        Ok(first)
    }

    /// The new word with flags.
    pub fn step(&mut self, word: u64, epoch: u32, site: u32) -> u64 {
        self.events += 1;
        let outcome = self.core.step(Word(word), EpochId(epoch), SiteId(site));
        let mut result = outcome.word.0;
        let mut news = false;
        for c in &outcome.conflicts {
            let pair = self.pair(c.site.0, site);
            news |= pair.is_some_and(|pair| self.is_news(pair, Kind::Race, (c.site.0, c.epoch.0)));
        }
        if self.ended {
            return result;
        }
        if news {
            result |= if self.tells_stacks(site) {
                REPORT | STACK
            } else {
                REPORT
            };
        } else if outcome.shared && self.depot.wants(site, epoch) {
            result |= STACK;
        } else if outcome.word.0 == word && matches!(outcome.word.decode(), Decoded::Interned(_)) {
            result |= match outcome.settled {
                Settled::ThisEpoch => 0,
                Settled::OwnerHeld => OWNER_HELD,
                Settled::Always => ALWAYS,
            };
        }
        result
    }

    /// Whether a finding on this pair is to be written: it is new, surer or fuller. Beyond the limit new ones are
    /// counted.
    fn is_news(&mut self, pair: PairKey, kind: Kind, earlier: (u32, u32)) -> bool {
        match self.findings.get(&pair) {
            Some(told) => told.is_less_than(kind, self.depot.get(earlier.0, earlier.1).is_some()),
            None if self.limit.reached(self.written()) => {
                self.limit.count(Claim::Pair(pair));
                false
            }
            None => true,
        }
    }

    /// Whether findings on the field of this site still come with stacks.
    fn tells_stacks(&self, site: u32) -> bool {
        let field = self.sites.get(site).map(|view| view.field_id);
        field
            .and_then(|f| self.per_field.get(&f))
            .is_none_or(|&told| told < STACKS_PER_FIELD)
    }

    /// Writes what the step from `word` found; the sites whose stacks would complete it. `stack` is empty where none was
    /// asked for.
    pub fn found(
        &mut self,
        word: u64,
        (epoch, site): (u32, u32),
        owner: &str,
        stack: &[String],
    ) -> Result<Vec<u32>, EngineError> {
        if self.ended {
            return Ok(Vec::new());
        }
        self.keep_stack(epoch, site, stack);
        let outcome = self.core.step(Word(word), EpochId(epoch), SiteId(site));
        let mut wanted = Vec::new();
        for conflict in &outcome.conflicts {
            let earlier = self.known((conflict.site.0, conflict.epoch.0));
            let claim = (Kind::Race, !stack.is_empty());
            wanted.extend(self.tell(claim, word, earlier, (site, epoch), owner)?);
        }
        Ok(wanted)
    }

    /// Writes that an access races with an earlier one, or may do so; the sites whose stacks would complete it.
    pub fn race(
        &mut self,
        kind: Kind,
        (epoch, site): (u32, u32),
        earlier: Met,
        owner: &str,
        stack: &[String],
    ) -> Result<Vec<u32>, EngineError> {
        if self.ended {
            return Ok(Vec::new());
        }
        self.keep_stack(epoch, site, stack);
        let earlier = Earlier {
            site: earlier.site,
            epoch: self.epoch_of(earlier, epoch)?,
            thread: Some(earlier.thread),
            element: earlier.element,
        };
        let wanted = self.tell((kind, !stack.is_empty()), 0, earlier, (site, epoch), owner)?;
        Ok(wanted.into_iter().collect())
    }

    /// The epoch of an earlier access, or that of a stack of its thread at its site. One with a lock that `racing` held as
    /// well cannot be the one that raced with it.
    fn epoch_of(&mut self, earlier: Met, racing: u32) -> Result<Option<u32>, EngineError> {
        let known = match Locks::decode(earlier.locks) {
            Locks::Of(epoch) => Some(epoch),
            Locks::Few(held) => Some(self.core.epoch(ThreadId(earlier.thread), 0, &held)?),
            Locks::Unknown => None,
        };
        let held = self.core.held(EpochId(racing));
        let of_thread = |epoch: &u32| {
            let period = self.core.period(EpochId(*epoch));
            let mut theirs = self.core.held(EpochId(*epoch)).iter();
            let is_common = |lock: &Held| {
                held.iter()
                    .any(|mine| mine.lock == lock.lock && !(mine.shared && lock.shared))
            };
            period.is_some_and(|period| period.thread.0 == earlier.thread) && !theirs.any(is_common)
        };
        let known = known.map(|EpochId(id)| id).filter(of_thread);
        Ok(known.or_else(|| self.depot.epochs(earlier.site).find(of_thread)))
    }

    fn keep_stack(&mut self, epoch: u32, site: u32, stack: &[String]) {
        if !stack.is_empty() {
            self.depot.suspect(site);
            let stack = self.stack_texts.id(stack);
            self.depot.add(site, epoch, stack);
        }
    }

    /// Writes a finding if it says something new; the site whose stack would complete it.
    fn tell(
        &mut self,
        (kind, with_stacks): (Kind, bool),
        word: u64,
        earlier: Earlier,
        (site, epoch): (u32, u32),
        owner: &str,
    ) -> Result<Option<u32>, EngineError> {
        let Some(pair) = self.pair(earlier.site, site) else {
            return Ok(None);
        };
        if !self.is_news(pair, kind, (earlier.site, earlier.epoch.unwrap_or(0))) {
            return Ok(None);
        }
        if with_stacks {
            self.depot.suspect(earlier.site);
        }
        let Some(mut finding) = self.finding(kind, word, earlier, (site, epoch), owner) else {
            return Ok(None);
        };
        self.namesakes.tell_apart(&mut finding);
        self.attribute(&mut finding, pair);
        let complete = !with_stacks || finding.accesses.iter().all(|a| a.stack_complete);
        // Found, whether or not it can be written.
        let new = self.findings.insert(pair, Told { kind, complete }).is_none();
        self.note_told(pair, &finding);
        if complete {
            self.write(finding, new)?;
            return Ok(None);
        }
        self.write(finding.clone(), new)?;
        self.incomplete.entry(earlier.site).or_default().push(Incomplete {
            finding,
            earlier,
            pair,
        });
        Ok(Some(earlier.site))
    }

    /// Writes a lock-order cycle, a deadlock, a high-level race or what a plug-in found, or counts it where the limit is reached; whether it was written. Once more
    /// if it is fuller.
    pub(crate) fn tell_cycle(&mut self, finding: Finding) -> Result<bool, EngineError> {
        let holding = finding.accesses.iter().filter_map(|a| a.holding.as_ref());
        let accesses = finding.accesses.iter().filter(|a| a.stack_complete);
        let stacks = holding.filter(|h| h.stack_complete).count() + accesses.count();
        let known = self.cycles.get(&finding.fingerprint).copied();
        if known.is_some_and(|known| known >= stacks) {
            return Ok(false);
        }
        if known.is_none() && self.limit.reached(self.written()) {
            self.limit.count(Claim::Cycle(finding.fingerprint));
            return Ok(false);
        }
        self.cycles.insert(finding.fingerprint.clone(), stacks);
        self.write(finding, known.is_none())?;
        Ok(true)
    }

    /// Writes a finding, and if it is a new one whether it is the last one.
    fn write(&mut self, finding: Finding, new: bool) -> Result<(), EngineError> {
        self.excused += usize::from(new && self.annotated.covering(&finding).is_some());
        self.file.write(&Record::Finding(finding))?;
        if new && self.limit.reached(self.written()) {
            let limit = self.limit.max();
            self.file.write(&Record::Full { limit })?;
        }
        Ok(())
    }

    fn written(&self) -> usize {
        self.findings.len() + self.cycles.len()
    }

    /// A stack that was wanted; findings that lack it are written again.
    pub fn stack(&mut self, site: u32, epoch: u32, stack: &[String]) -> Result<(), EngineError> {
        if self.ended || !self.depot.wants(site, epoch) {
            return Ok(());
        }
        let id = self.stack_texts.id(stack);
        self.depot.add(site, epoch, id);
        let thread = self.core.period(EpochId(epoch)).map(|period| period.thread.0);
        let waiting = self.incomplete.remove(&site).unwrap_or_default();
        let (complete, rest): (Vec<Incomplete>, Vec<Incomplete>) =
            waiting.into_iter().partition(|w| match w.earlier.epoch {
                Some(known) => known == epoch,
                None => w.earlier.thread == thread,
            });
        if !rest.is_empty() {
            self.incomplete.insert(site, rest);
        }
        for Incomplete {
            mut finding, pair, ..
        } in complete
        {
            // A fuller version may have been written meanwhile.
            let told = Told {
                kind: finding.kind,
                complete: true,
            };
            match self.findings.get(&pair) {
                Some(known) if !known.is_less_than(told.kind, true) => continue,
                _ => self.findings.insert(pair, told),
            };
            if let Some(earlier) = finding.accesses.first_mut() {
                earlier.stack = stack.to_vec();
                earlier.stack_complete = true;
            }
            self.note_told(pair, &finding);
            self.file.write(&Record::Finding(finding))?;
        }
        Ok(())
    }

    /// Writes the last record.
    pub fn end(&mut self) -> Result<(), EngineError> {
        self.ended = true;
        self.tell_later_places()?;
        self.end_trace()?;
        self.file.write(&Record::End {
            events: self.events,
            cut: self.limit.cut(),
        })?;
        Ok(())
    }

    /// Those that the program's source does not excuse, and those that were not written.
    pub fn finding_count(&self) -> usize {
        self.written() - self.excused + self.limit.cut() as usize
    }

    fn pair(&self, a: u32, b: u32) -> Option<(u32, u32, u32)> {
        let (a, b) = (self.sites.get(a)?, self.sites.get(b)?);
        Some((a.field_id, a.place.min(b.place), a.place.max(b.place)))
    }
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
