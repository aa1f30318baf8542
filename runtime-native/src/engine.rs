//! The engine: the detector's core together with the tables that give its numbers a meaning, and the findings
//! made from both. One per process, driven by the JNI glue, which keeps it behind a mutex.

use crate::fingerprint::{Side, fingerprint};
use crate::message;
use crate::sites::{SiteTable, SiteView};
use crate::stacks::Depot;
use crate::tables::{Locks, StackTexts, Threads, source_type};
use crate::writer::{FindingsFile, WriterError};
use racewire_detectors::{
    Core, Decoded, Detector, EpochId, EpochsExhausted, FieldId, Held, LockId, Settled, SiteId, SiteInfo,
    ThreadId, Word,
};
use racewire_model::finding::{Access, EventKind, Finding, Kind, Record, Tier};
use racewire_model::sites::{AccessKind, ClassSites, SiteTableError};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// A finding that was written without the stack of its earlier access, which may come later.
struct Incomplete {
    finding: Finding,
    epoch: u32,
    pair: PairKey,
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
    threads: Threads,
    locks: Locks,
    sites: SiteTable,
    fields: Vec<FieldId>,
    stack_texts: StackTexts,
    depot: Depot,
    /// By field and unordered pair of places.
    /// Pairs that were written, and whether both stacks are known.
    findings: FxHashMap<PairKey, bool>,
    /// By the site of the earlier access.
    incomplete: FxHashMap<u32, Vec<Incomplete>>,
    /// How many findings each field has had.
    per_field: FxHashMap<u32, u32>,
    events: u64,
    /// The last record is written: what daemon threads still do is not reported.
    ended: bool,
    file: FindingsFile,
}

pub fn detector(name: &str) -> Result<Detector, EngineError> {
    match name {
        "racer" => Ok(Detector::Racer),
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
        unwoven: u64,
    ) -> Result<Engine, EngineError> {
        let core = Core::new(detector(detector_name)?);
        file.write(&Record::Process {
            version: 1,
            pid: u64::from(pid),
            started_ms,
            detector: detector_name.to_owned(),
            java: java.to_owned(),
            unwoven,
        })?;
        Ok(Engine {
            core,
            detector: detector_name.to_owned(),
            threads: Threads::default(),
            locks: Locks::default(),
            sites: SiteTable::default(),
            fields: Vec::new(),
            stack_texts: StackTexts::default(),
            depot: Depot::default(),
            findings: FxHashMap::default(),
            incomplete: FxHashMap::default(),
            per_field: FxHashMap::default(),
            events: 0,
            ended: false,
            file,
        })
    }

    pub fn path(&self) -> String {
        self.file.path().display().to_string()
    }

    /// `parent`: the epoch in which it was started, 0 if that was not seen.
    pub fn thread(&mut self, name: &str, parent: u32, started_at: &[String]) -> u32 {
        let ThreadId(id) = self.core.thread((parent != 0).then_some(EpochId(parent)));
        let started_at = self.stack_texts.id(started_at);
        self.threads.add(id, name, started_at);
        id
    }

    pub fn thread_dead(&mut self, id: u32) {
        self.core.thread_dead(ThreadId(id));
    }

    pub fn lock(&mut self, description: &str) -> u32 {
        let LockId(id) = self.core.lock();
        self.locks.add(id, description);
        id
    }

    pub fn lock_dead(&mut self, id: u32) {
        self.core.lock_dead(LockId(id));
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
            let (number, new) = self.sites.field(&table.unit, field);
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
        let news = outcome.conflicts.iter().any(|c| match self.pair(c.site.0, site) {
            None => false,
            Some(pair) => match self.findings.get(&pair) {
                None => true,
                Some(&complete) => !complete && self.depot.get(c.site.0, c.epoch.0).is_some(),
            },
        });
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

    /// Whether findings on the field of this site still come with stacks.
    fn tells_stacks(&self, site: u32) -> bool {
        let field = self.sites.get(site).map(|view| view.field_id);
        field
            .and_then(|f| self.per_field.get(&f))
            .is_none_or(|&told| told < STACKS_PER_FIELD)
    }

    /// Writes what the step from `word` found; the sites whose stacks would complete it. `stack` is empty where
    /// none was asked for.
    pub fn found(
        &mut self,
        word: u64,
        epoch: u32,
        site: u32,
        owner: &str,
        stack: &[String],
    ) -> Result<Vec<u32>, EngineError> {
        if self.ended {
            return Ok(Vec::new());
        }
        let with_stacks = !stack.is_empty();
        if with_stacks {
            self.depot.suspect(site);
            let stack = self.stack_texts.id(stack);
            self.depot.add(site, epoch, stack);
        }
        let outcome = self.core.step(Word(word), EpochId(epoch), SiteId(site));
        let mut wanted = Vec::new();
        for conflict in &outcome.conflicts {
            let earlier = (conflict.site.0, conflict.epoch.0);
            let Some(pair) = self.pair(earlier.0, site) else {
                continue;
            };
            let better = match self.findings.get(&pair) {
                None => true,
                Some(&complete) => !complete && self.depot.get(earlier.0, earlier.1).is_some(),
            };
            if !better {
                continue;
            }
            if with_stacks {
                self.depot.suspect(earlier.0);
            }
            let Some(finding) = self.finding(word, earlier, (site, epoch), owner) else {
                continue;
            };
            let complete = !with_stacks || finding.accesses.iter().all(|a| a.stack_complete);
            let record = Record::Finding(finding);
            // Found, whether or not it can be written.
            self.findings.insert(pair, complete);
            self.file.write(&record)?;
            if let (false, Record::Finding(finding)) = (complete, record) {
                wanted.push(earlier.0);
                let epoch = earlier.1;
                self.incomplete
                    .entry(earlier.0)
                    .or_default()
                    .push(Incomplete { finding, epoch, pair });
            }
        }
        Ok(wanted)
    }

    /// A stack that was wanted; findings that lack it are written again.
    pub fn stack(&mut self, site: u32, epoch: u32, stack: &[String]) -> Result<(), EngineError> {
        if self.ended || !self.depot.wants(site, epoch) {
            return Ok(());
        }
        let id = self.stack_texts.id(stack);
        self.depot.add(site, epoch, id);
        let waiting = self.incomplete.remove(&site).unwrap_or_default();
        let (complete, rest): (Vec<Incomplete>, Vec<Incomplete>) =
            waiting.into_iter().partition(|w| w.epoch == epoch);
        if !rest.is_empty() {
            self.incomplete.insert(site, rest);
        }
        for Incomplete {
            mut finding, pair, ..
        } in complete
        {
            // A fuller version may have been written meanwhile.
            if self.findings.insert(pair, true) == Some(true) {
                continue;
            }
            if let Some(earlier) = finding.accesses.first_mut() {
                earlier.stack = stack.to_vec();
                earlier.stack_complete = true;
            }
            self.file.write(&Record::Finding(finding))?;
        }
        Ok(())
    }

    /// Writes the last record.
    pub fn end(&mut self) -> Result<(), EngineError> {
        self.ended = true;
        self.file.write(&Record::End { events: self.events })?;
        Ok(())
    }

    pub fn finding_count(&self) -> usize {
        self.findings.len()
    }

    fn pair(&self, a: u32, b: u32) -> Option<(u32, u32, u32)> {
        let (a, b) = (self.sites.get(a)?, self.sites.get(b)?);
        Some((a.field_id, a.place.min(b.place), a.place.max(b.place)))
    }

    fn finding(&mut self, word: u64, earlier: (u32, u32), later: (u32, u32), owner: &str) -> Option<Finding> {
        let field = self.sites.get(earlier.0)?.field_id;
        let told = self.per_field.entry(field).or_default();
        *told += 1;
        let tell_history = *told <= HISTORIES_PER_FIELD;
        let (first, second) = (self.sites.get(earlier.0)?, self.sites.get(later.0)?);
        let variable = first.variable();
        let accesses = vec![
            self.access(&first, earlier, owner),
            self.access(&second, later, owner),
        ];
        let message = match accesses.as_slice() {
            [a, b] => message::race(&variable, a, b, self.share_a_lock(earlier, later)),
            _ => String::new(),
        };
        let classes = (first.class_name(), second.class_name());
        let sides = [side(&first, &classes.0), side(&second, &classes.1)];
        Some(Finding {
            kind: Kind::Race,
            detector: self.detector.clone(),
            tier: Tier::Run,
            variable_type: source_type(&first.field.descriptor),
            owner: owner.to_owned(),
            history: if tell_history {
                self.history(word, first.field_id, [first.place, second.place], owner)
            } else {
                Vec::new()
            },
            fingerprint: fingerprint("race", &variable, sides),
            variable,
            accesses,
            message,
        })
    }

    /// The other places of the variable's history, each once, without their stacks.
    fn history(&self, word: u64, field: u32, told: [u32; 2], owner: &str) -> Vec<Access> {
        let Some(&field) = self.fields.get(field as usize) else {
            return Vec::new();
        };
        let mut seen: FxHashSet<u32> = told.into_iter().collect();
        let mut others = Vec::new();
        for access in self.core.history(Word(word), field) {
            let key = (access.site.0, access.epoch.0);
            if let Some(view) = self.sites.get(key.0).filter(|view| seen.insert(view.place)) {
                let mut place = self.access(&view, key, owner);
                place.stack = vec![view.frame()];
                place.stack_complete = false;
                place.thread_started_at = Vec::new();
                others.push(place);
                if others.len() == HISTORY_LENGTH {
                    break;
                }
            }
        }
        others
    }

    fn access(&self, view: &SiteView, (site, epoch): (u32, u32), owner: &str) -> Access {
        let thread = self.core.period(EpochId(epoch)).map(|period| period.thread.0);
        let stack = self.depot.get(site, epoch);
        let started_at = thread.and_then(|t| self.threads.started_at(t));
        Access {
            kind: match view.site.kind {
                AccessKind::Read => EventKind::Read,
                AccessKind::Write => EventKind::Write,
            },
            thread: thread.map_or(String::new(), |t| self.threads.name(t).to_owned()),
            class: view.class_name(),
            method: view.method.name.clone(),
            file: view.class.source.clone(),
            line: u32::from(view.site.line),
            stack: stack.map_or_else(|| vec![view.frame()], |s| self.stack_texts.get(s)),
            stack_complete: stack.is_some(),
            locks: self
                .core
                .held(EpochId(epoch))
                .iter()
                .map(|&held| self.lock_text(held, owner))
                .collect(),
            repeated_at: view
                .site
                .repeated_at
                .iter()
                .map(|line| u32::from(*line))
                .collect(),
            thread_started_at: started_at.map_or(Vec::new(), |s| self.stack_texts.get(s)),
        }
    }

    fn lock_text(&self, held: Held, owner: &str) -> String {
        let lock = match held.lock {
            LockId::OWNER => owner.to_owned(),
            LockId(id) => self.locks.describe(id),
        };
        if held.shared { lock + " (read)" } else { lock }
    }

    /// Whether a lock protects both accesses: one that is held, exclusively where the access is a write.
    fn share_a_lock(&self, a: (u32, u32), b: (u32, u32)) -> bool {
        let protecting = |(site, epoch): (u32, u32)| -> Vec<LockId> {
            let write = self
                .sites
                .get(site)
                .is_some_and(|s| s.site.kind == AccessKind::Write);
            self.core
                .held(EpochId(epoch))
                .iter()
                .filter(|h| !write || !h.shared)
                .map(|h| h.lock)
                .collect()
        };
        let b = protecting(b);
        protecting(a)
            .iter()
            .any(|&lock| lock != LockId::DEAD && b.contains(&lock))
    }
}

fn side<'a>(view: &SiteView<'a>, class: &'a str) -> Side<'a> {
    let (kind, nth) = view.representative();
    let access = if kind == AccessKind::Write {
        "write"
    } else {
        "read"
    };
    Side {
        class,
        method: &view.method.name,
        descriptor: &view.method.descriptor,
        access,
        nth,
    }
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
