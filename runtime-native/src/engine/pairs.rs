//! A pair of accesses as a finding: its places, threads, stacks and locks, and what else touched the variable.

use super::{Earlier, Engine, HISTORIES_PER_FIELD};
use crate::locks_code::Locks;
use crate::sites::{self, SiteView, side};
use racewire_detectors::{EpochId, Held, LockId, Word};
use racewire_model::finding::{Access, EventKind, Finding, Kind, Tier};
use racewire_model::fingerprint::fingerprint;
use racewire_model::message;
use racewire_model::sites::AccessKind;

impl Engine {
    pub(super) fn finding(
        &mut self,
        kind: Kind,
        word: u64,
        earlier: Earlier,
        later: (u32, u32),
        owner: &str,
    ) -> Option<Finding> {
        let field = self.sites.get(earlier.site)?.field_id;
        let told = self.per_field.entry(field).or_default();
        *told += 1;
        let tell_history = *told <= HISTORIES_PER_FIELD;
        let (first, second) = (self.sites.get(earlier.site)?, self.sites.get(later.0)?);
        let (variable, variable_type) = sites::variable([&first, &second], owner);
        let accesses = vec![
            self.access(&first, earlier, owner),
            self.access(&second, self.known(later), owner),
        ];
        let share_a_lock = earlier.epoch.is_some_and(|epoch| {
            share_a_lock([
                (self.core.held(EpochId(epoch)), first.site.kind),
                (self.core.held(EpochId(later.1)), second.site.kind),
            ])
        });
        let message = match accesses.as_slice() {
            [a, b] => message::race(&self.detector, kind, &variable, [a, b], share_a_lock),
            _ => String::new(),
        };
        let classes = (first.class_name(), second.class_name());
        let sides = [side(&first, &classes.0), side(&second, &classes.1)];
        Some(Finding {
            kind,
            detector: self.detector.clone(),
            tier: Tier::Run,
            variable_type,
            owner: message::element_of(owner, earlier.element),
            history: if tell_history {
                self.history(word, first.field_id, [first.place, second.place], owner)
            } else {
                Vec::new()
            },
            confidence: None,
            fingerprint: fingerprint("race", &variable, sides),
            variable,
            accesses,
            message,
            tests: Vec::new(),
        })
    }

    /// The other places of the variable's history, each once, without their stacks.
    fn history(&self, word: u64, field: u32, told: [u32; 2], owner: &str) -> Vec<Access> {
        // Of variables that only have stamps: the field's, instead of the variable's own.
        if word == 0 {
            return self.other_places(field, told);
        }
        let Some(&field) = self.fields.get(field as usize) else {
            return Vec::new();
        };
        let accesses = self.core.history(Word(word), field).into_iter();
        self.brief(accesses.map(|a| (a.site.0, a.epoch.0)), told, owner)
    }

    pub(super) fn known(&self, (site, epoch): (u32, u32)) -> Earlier {
        Earlier {
            site,
            epoch: Some(epoch),
            thread: self.core.period(EpochId(epoch)).map(|period| period.thread.0),
            element: None,
        }
    }

    pub(super) fn access(&self, view: &SiteView, at: Earlier, owner: &str) -> Access {
        let stack = at.epoch.and_then(|epoch| self.depot.get(at.site, epoch));
        let started_at = at.thread.and_then(|t| self.threads.started_at(t));
        let held = at
            .epoch
            .map_or_else(Vec::new, |epoch| self.core.held(EpochId(epoch)).to_vec());
        Access {
            kind: match view.site.kind {
                AccessKind::Read => EventKind::Read,
                AccessKind::Write => EventKind::Write,
            },
            thread: at
                .thread
                .map_or(String::new(), |t| self.threads.name(t).to_owned()),
            class: view.class_name(),
            method: view.method.name.clone(),
            file: view.class.source.clone(),
            line: u32::from(view.site.line),
            stack: stack.map_or_else(|| vec![view.frame()], |s| self.stack_texts.get(s)),
            stack_complete: stack.is_some(),
            locks: held.into_iter().map(|held| self.lock_text(held, owner)).collect(),
            repeated_at: view
                .site
                .repeated_at
                .iter()
                .map(|line| u32::from(*line))
                .collect(),
            thread_started_at: started_at.map_or(Vec::new(), |s| self.stack_texts.get(s)),
            lock: None,
            holding: None,
        }
    }

    fn lock_text(&self, held: Held, owner: &str) -> String {
        let lock = match held.lock {
            LockId::OWNER => owner.to_owned(),
            LockId(id) => self.locks.describe(id),
        };
        if held.shared { lock + " (read)" } else { lock }
    }

    /// Whether a lock protects both accesses, under the locks of these codes; also if that cannot be known.
    pub fn protected(&self, accesses: [(u32, AccessKind); 2]) -> bool {
        let held = accesses.map(|(code, _)| match Locks::decode(code) {
            Locks::Of(epoch) => Some(self.core.held(epoch).to_vec()),
            Locks::Few(held) => Some(held),
            Locks::Unknown => None,
        });
        match (held, accesses) {
            ([Some(a), Some(b)], [(_, of_a), (_, of_b)]) => share_a_lock([(&a, of_a), (&b, of_b)]),
            _ => true,
        }
    }
}

/// Whether a lock protects both accesses: one that is held, exclusively for a write.
fn share_a_lock([a, b]: [(&[Held], AccessKind); 2]) -> bool {
    let protecting = |(held, kind): (&[Held], AccessKind), lock: LockId| {
        let here = held.iter().find(|h| h.lock == lock);
        here.is_some_and(|h| !(h.shared && kind == AccessKind::Write))
    };
    let mut locks = a.0.iter().map(|h| h.lock).filter(|&lock| lock != LockId::DEAD);
    locks.any(|lock| protecting(a, lock) && protecting(b, lock))
}
