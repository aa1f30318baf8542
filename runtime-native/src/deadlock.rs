//! Deadlocks while they last: the threads that wait for each other are told one by one, then written as one finding.

use crate::engine::{Engine, EngineError};
use crate::lock_order::{Frame, class_of, where_it_waits};
use racewire_model::finding::{Access, EventKind, Finding, Holding, Kind, Tier};
use racewire_model::{fingerprint, message};

/// A thread that waits for a lock which the next one of the circle holds; locks by their descriptions.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub thread: u32,
    pub lock: String,
    /// The lock that the one before it waits for, and where this thread took it; empty if that was not looked at.
    pub held: String,
    pub held_at: Vec<String>,
    pub all_held: Vec<String>,
    pub stack: Vec<String>,
}

impl Engine {
    /// One more thread of the circle that [`Engine::deadlock`] will write.
    pub fn waits(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
    }

    /// Writes the circle of those told of since; whether it is news.
    pub fn deadlock(&mut self) -> Result<bool, EngineError> {
        let circle = std::mem::take(&mut self.waiting);
        if self.ended || circle.is_empty() {
            return Ok(false);
        }
        let accesses: Vec<Access> = circle
            .iter()
            .map(|waiting| self.waiting_access(waiting))
            .collect();
        let places: Vec<(&str, &str)> = accesses.iter().map(|a| (&*a.class, &*a.method)).collect();
        let locks: Vec<&str> = circle.iter().map(|waiting| class_of(&waiting.held)).collect();
        let mut finding = Finding {
            kind: Kind::Deadlock,
            detector: "deadlock".to_owned(),
            tier: Tier::Run,
            variable: locks.join(", "),
            variable_type: String::new(),
            owner: String::new(),
            message: message::deadlock(&accesses),
            fingerprint: fingerprint::cycle_fingerprint("deadlock", &places),
            accesses,
            history: Vec::new(),
            confidence: None,
            tests: self.tests.clone(),
        };
        self.namesakes.tell_apart(&mut finding);
        self.tell_cycle(finding)
    }

    fn waiting_access(&self, waiting: &Waiting) -> Access {
        let frame = Frame::parse(where_it_waits(&waiting.stack));
        let started_at = self.threads.started_at(waiting.thread);
        Access {
            kind: EventKind::Lock,
            thread: self.threads.name(waiting.thread).to_owned(),
            class: frame.class,
            method: frame.method,
            file: frame.file,
            line: frame.line,
            stack: waiting.stack.clone(),
            stack_complete: true,
            locks: waiting.all_held.clone(),
            repeated_at: Vec::new(),
            thread_started_at: started_at.map_or(Vec::new(), |s| self.stack_texts.get(s)),
            lock: Some(waiting.lock.clone()),
            holding: Some(Holding {
                lock: waiting.held.clone(),
                stack: waiting.held_at.clone(),
                stack_complete: !waiting.held_at.is_empty(),
            }),
        }
    }
}
