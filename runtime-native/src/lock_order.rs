//! Potential deadlocks while the program runs: the run-time side of the detector `lock_order`.

use crate::engine::{Engine, EngineError};
use racewire_detectors::event::{ObjectId, Place};
use racewire_detectors::lock_order::{Acquisition, Cycle, HeldLock, Link, Moment};
use racewire_model::finding::{Access, EventKind, Finding, Holding, Kind, Tier};
use racewire_model::{fingerprint, message};

/// A thread takes a lock while it holds others; locks as `id << 1 | shared`.
pub struct Nested<'a> {
    pub thread: u32,
    pub lock: u32,
    pub held: &'a [u32],
    /// Where each of those was taken, as [`Engine::nested`] has told; 0 if it is not known.
    pub held_at: &'a [u32],
    pub slot: u32,
    pub time: u32,
    pub hard: &'a [u32],
    pub stack: &'a [String],
}

impl Engine {
    /// Writes the cycles that the acquisition closes; a number for the place, to be given back while the lock is held.
    pub fn nested(&mut self, nested: &Nested<'_>) -> Result<u32, EngineError> {
        let number = self.lock_taken_at(nested.stack);
        let at = self.lock_place(number);
        self.record_nested(nested.thread, nested.lock, number);
        let places = nested.held_at.iter().map(|&at| self.lock_place(at));
        let held: Vec<HeldLock> = nested
            .held
            .iter()
            .zip(places)
            .map(|(&lock, at)| held_lock(lock, at))
            .collect();
        let taken = held_lock(nested.lock, at);
        let cycles = self.lock_order.acquired(&Acquisition {
            thread: nested.thread,
            lock: taken.lock,
            shared: taken.shared,
            at,
            held: &held,
            moment: Moment {
                slot: nested.slot,
                time: nested.time,
                clock: nested.hard,
            },
        });
        if !self.ended {
            for cycle in cycles {
                let mut finding = self.cycle(&cycle);
                self.namesakes.tell_apart(&mut finding);
                self.tell_cycle(finding)?;
            }
        }
        Ok(number)
    }

    /// A number for a place where a lock was taken.
    pub fn lock_taken_at(&mut self, stack: &[String]) -> u32 {
        let at = Place {
            site: self.lock_places.id(where_it_waits(stack)),
            stack: self.stack_texts.id(stack),
        };
        let known = self.lock_stacks.len() as u32;
        *self.lock_numbers.entry(at).or_insert_with(|| {
            self.lock_stacks.push(at);
            known + 1
        })
    }

    /// Nothing is known of a place that has no number.
    fn lock_place(&self, number: u32) -> Place {
        let known = (number as usize)
            .checked_sub(1)
            .and_then(|n| self.lock_stacks.get(n));
        known.copied().unwrap_or(UNKNOWN)
    }

    fn cycle(&self, cycle: &Cycle) -> Finding {
        let accesses: Vec<Access> = cycle.links.iter().map(|link| self.link(link)).collect();
        let places: Vec<(&str, &str)> = accesses.iter().map(|a| (&*a.class, &*a.method)).collect();
        let locks: Vec<String> = cycle
            .links
            .iter()
            .map(|link| class_of(&self.locks.describe(link.held.lock as u32)).to_owned())
            .collect();
        Finding {
            kind: Kind::LockOrder,
            detector: "lock_order".to_owned(),
            tier: Tier::Run,
            variable: locks.join(", "),
            variable_type: String::new(),
            owner: String::new(),
            message: message::lock_order(&accesses),
            fingerprint: fingerprint::cycle_fingerprint("lock-order", &places),
            accesses,
            history: Vec::new(),
            confidence: None,
            tests: self.tests.clone(),
        }
    }

    fn link(&self, link: &Link) -> Access {
        let frame = self.frame(link.taken.at);
        let started_at = self.threads.started_at(link.thread);
        Access {
            kind: EventKind::Lock,
            thread: self.threads.name(link.thread).to_owned(),
            class: frame.class,
            method: frame.method,
            file: frame.file,
            line: frame.line,
            stack: self.stack_texts.get(link.taken.at.stack),
            stack_complete: true,
            locks: link.all_held.iter().map(|held| self.held_text(held)).collect(),
            repeated_at: Vec::new(),
            thread_started_at: started_at.map_or(Vec::new(), |s| self.stack_texts.get(s)),
            lock: Some(self.held_text(&link.taken)),
            holding: Some(Holding {
                lock: self.held_text(&link.held),
                stack: if link.held.at == UNKNOWN {
                    Vec::new()
                } else {
                    self.stack_texts.get(link.held.at.stack)
                },
                stack_complete: link.held.at != UNKNOWN,
            }),
        }
    }

    fn held_text(&self, held: &HeldLock) -> String {
        let lock = self.locks.describe(held.lock as u32);
        if held.shared { lock + " (read)" } else { lock }
    }

    fn frame(&self, at: Place) -> Frame {
        Frame::parse(self.lock_places.get(at.site))
    }
}

const UNKNOWN: Place = Place {
    site: u32::MAX,
    stack: u32::MAX,
};

fn held_lock(lock: u32, at: Place) -> HeldLock {
    HeldLock {
        lock: ObjectId::from(lock >> 1),
        shared: lock & 1 != 0,
        at,
    }
}

/// The frame that names the place. The entry of a synchronized method has no line: its caller's is where the thread waits.
pub(crate) fn where_it_waits(stack: &[String]) -> &str {
    let has_line = |frame: &&String| Frame::parse(frame).line != 0;
    let frame = stack.iter().find(has_line).or(stack.first());
    frame.map_or("", String::as_str)
}

/// Without the hash, which differs from run to run.
pub(crate) fn class_of(description: &str) -> &str {
    description
        .split_once('@')
        .map_or(description, |(class, _)| class)
}

/// `com.acme.Bank.transfer(Bank.java:17)`, taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub class: String,
    pub method: String,
    pub file: Option<String>,
    pub line: u32,
}

impl Frame {
    pub fn parse(text: &str) -> Frame {
        let Some((name, place)) = text.strip_suffix(')').and_then(|t| t.split_once('(')) else {
            return Frame::default();
        };
        let (class, method) = name.rsplit_once('.').unwrap_or(("", name));
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        Frame {
            class: class.to_owned(),
            method: method.to_owned(),
            file: (file != "Unknown Source" && file != "Native Method").then(|| file.to_owned()),
            line: line.parse().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_taken_apart() {
        let frame = Frame::parse("com.acme.Bank.transfer(Bank.java:17)");
        assert_eq!(
            (frame.class.as_str(), frame.method.as_str()),
            ("com.acme.Bank", "transfer")
        );
        assert_eq!((frame.file.as_deref(), frame.line), (Some("Bank.java"), 17));
        assert_eq!(Frame::parse("A.m(Unknown Source)").file, None);
        assert_eq!(Frame::parse(""), Frame::default());
    }
}
