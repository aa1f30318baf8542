//! Stale values while the program runs: the detector `stale`. Java sees them; here they become findings.

use crate::engine::{Engine, EngineError};
use racewire_model::finding::Access;
use racewire_model::flows::{Place, Used};

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
        let mut finding = used.finding(
            &stale.owner,
            [
                self.flow_access(&read, stale.thread, read_stack),
                self.flow_access(&written, stale.writer, write_stack),
                self.flow_access(&used.place, stale.thread, use_stack),
            ],
        );
        finding.tests.clone_from(&self.tests);
        self.tell_cycle(finding).map(|_| ())
    }

    fn flow_access(&self, place: &Place<'_>, thread: u32, stack: &[String]) -> Access {
        let started_at = self.threads.started_at(thread);
        let started_at = started_at.map_or(Vec::new(), |s| self.stack_texts.get(s));
        place.access(self.threads.name(thread), started_at, stack)
    }
}
