//! Stale values while the program runs: the detector `stale`. Java sees them; here they become findings.

use crate::engine::{Engine, EngineError};
use racewire_model::finding::{Access, Finding, Kind, Tier};
use racewire_model::fingerprint::{Side, fingerprint};
use racewire_model::flows::{Place, Used};
use racewire_model::message;

/// A thread has used what it read before another one wrote; places as the weaver has written them.
pub struct Stale {
    pub used: String,
    pub read: String,
    pub written: String,
    pub thread: u32,
    pub writer: u32,
    /// Empty for a static field, and for an object that is gone.
    pub owner: String,
    /// Of the read, the write and the use; empty where they are not known.
    pub stacks: [Vec<String>; 3],
}

impl Engine {
    pub fn stale(&mut self, stale: &Stale) -> Result<(), EngineError> {
        let parsed = (
            Used::decode(&stale.used),
            Place::decode(&stale.read),
            Place::decode(&stale.written),
        );
        let (Some(used), Some(read), Some(written)) = parsed else {
            return Ok(());
        };
        if self.ended {
            return Ok(());
        }
        let [read_stack, write_stack, use_stack] = &stale.stacks;
        let accesses = [
            self.flow_access(&read, stale.thread, read_stack),
            self.flow_access(&written, stale.writer, write_stack),
            self.flow_access(&used.place, stale.thread, use_stack),
        ];
        let side = |access| Side {
            class: &used.place.class,
            method: &used.place.method,
            descriptor: &used.place.descriptor,
            access,
            nth: 0,
        };
        let class = used.variable.rsplit_once('.').map_or("", |(class, _)| class);
        let finding = Finding {
            kind: Kind::StaleValue,
            detector: "stale".to_owned(),
            tier: Tier::Run,
            variable: used.variable.to_owned(),
            variable_type: used.variable_type.to_owned(),
            owner: match stale.owner.as_str() {
                "" => class.to_owned(),
                owner => owner.to_owned(),
            },
            message: message::stale_value(&used, [&accesses[0], &accesses[1], &accesses[2]]),
            // The same as that of the static finding: it is the same mistake.
            fingerprint: fingerprint("check", used.variable, [side("read"), side("use")]),
            accesses: accesses.into(),
            history: Vec::new(),
            confidence: None,
            tests: self.tests.clone(),
        };
        self.tell_cycle(finding).map(|_| ())
    }

    fn flow_access(&self, place: &Place<'_>, thread: u32, stack: &[String]) -> Access {
        let started_at = self.threads.started_at(thread);
        let name = format!("{}.{}", place.class, place.method);
        let frame = match (&*place.file, place.line) {
            ("", _) => format!("{name}(Unknown Source)"),
            (file, 0) => format!("{name}({file})"),
            (file, line) => format!("{name}({file}:{line})"),
        };
        Access {
            kind: place.event(),
            thread: self.threads.name(thread).to_owned(),
            class: place.class.to_string(),
            method: place.method.to_string(),
            file: (!place.file.is_empty()).then(|| place.file.to_string()),
            line: place.line.into(),
            stack: match stack {
                [] => vec![frame],
                stack => stack.to_vec(),
            },
            stack_complete: !stack.is_empty(),
            locks: place
                .locks
                .split(", ")
                .filter(|lock| !lock.is_empty())
                .map(str::to_owned)
                .collect(),
            repeated_at: Vec::new(),
            thread_started_at: started_at.map_or(Vec::new(), |s| self.stack_texts.get(s)),
            lock: None,
            holding: None,
        }
    }
}
