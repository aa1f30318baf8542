//! What runs behind the hooks: the engine that looks for races, or the log of what threads share.

use crate::deadlock::Waiting;
use crate::engine::{Engine, EngineError, Met};
use crate::lock_order::Nested;
use crate::sharing::{SharingError, SharingLog};
use crate::stale::Stale;
use crate::trace::Told;
use crate::views::Ended;
use racewire_model::finding::Kind;
use racewire_model::sites::AccessKind;

/// A flag beside the number of a moment: a finding of a plug-in, or trouble with one or with the trace.
pub const NEWS: i64 = 1 << 62;

#[derive(Debug, thiserror::Error)]
pub enum MonitorError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Sharing(#[from] SharingError),
}

pub enum Monitor {
    Races(Box<Engine>),
    Sharing(Box<SharingLog>),
}

impl Monitor {
    pub fn path(&self) -> String {
        match self {
            Monitor::Races(engine) => engine.path(),
            Monitor::Sharing(log) => log.path(),
        }
    }

    pub fn finding_count(&self) -> usize {
        match self {
            Monitor::Races(engine) => engine.finding_count(),
            Monitor::Sharing(_) => 0,
        }
    }

    pub fn thread(&mut self, name: &str, parent: u32, started_at: &[String]) -> u32 {
        match self {
            Monitor::Races(engine) => engine.thread(name, parent, started_at),
            Monitor::Sharing(log) => log.thread(),
        }
    }

    pub fn thread_dead(&mut self, id: u32) {
        match self {
            Monitor::Races(engine) => engine.thread_dead(id),
            Monitor::Sharing(_) => {}
        }
    }

    pub fn lock(&mut self, description: &str) -> u32 {
        match self {
            Monitor::Races(engine) => engine.lock(description),
            Monitor::Sharing(log) => log.lock(),
        }
    }

    pub fn lock_dead(&mut self, id: u32) {
        match self {
            Monitor::Races(engine) => engine.lock_dead(id),
            Monitor::Sharing(_) => {}
        }
    }

    pub fn epoch(&mut self, thread: u32, period: u32, held: &[u32]) -> Result<u32, MonitorError> {
        Ok(match self {
            Monitor::Races(engine) => engine.epoch(thread, period, held)?,
            Monitor::Sharing(log) => log.epoch(thread)?,
        })
    }

    pub fn register(&mut self, text: &str) -> Result<u32, MonitorError> {
        Ok(match self {
            Monitor::Races(engine) => engine.register(text)?,
            Monitor::Sharing(log) => log.register(text)?,
        })
    }

    pub fn step(&mut self, word: u64, epoch: u32, site: u32) -> Result<u64, MonitorError> {
        Ok(match self {
            Monitor::Races(engine) => engine.step(word, epoch, site),
            Monitor::Sharing(log) => log.step(word, epoch, site)?,
        })
    }

    pub fn found(
        &mut self,
        word: u64,
        access: (u32, u32),
        owner: &str,
        stack: &[String],
    ) -> Result<Vec<u32>, MonitorError> {
        Ok(match self {
            Monitor::Races(engine) => engine.found(word, access, owner, stack)?,
            Monitor::Sharing(_) => Vec::new(),
        })
    }

    /// Whether a lock protects both accesses.
    pub fn protected(&self, accesses: [(u32, AccessKind); 2]) -> bool {
        match self {
            Monitor::Races(engine) => engine.protected(accesses),
            Monitor::Sharing(_) => true,
        }
    }

    pub fn race(
        &mut self,
        kind: Kind,
        access: (u32, u32),
        earlier: Met,
        owner: &str,
        stack: &[String],
    ) -> Result<Vec<u32>, MonitorError> {
        Ok(match self {
            Monitor::Races(engine) => engine.race(kind, access, earlier, owner, stack)?,
            Monitor::Sharing(_) => Vec::new(),
        })
    }

    /// A place touches its field for the first time.
    pub fn touched(&mut self, site: u32, epoch: u32) {
        if let Monitor::Races(engine) = self {
            engine.touched(site, epoch);
        }
    }

    pub fn nested(&mut self, nested: &Nested<'_>) -> Result<u32, MonitorError> {
        Ok(match self {
            Monitor::Races(engine) => engine.nested(nested)?,
            Monitor::Sharing(_) => 0,
        })
    }

    pub fn section(&mut self, ended: &Ended<'_>) -> Result<bool, MonitorError> {
        Ok(match self {
            Monitor::Races(engine) => engine.section(ended)?,
            Monitor::Sharing(_) => false,
        })
    }

    pub fn stale(&mut self, stale: &Stale) -> Result<(), MonitorError> {
        if let Monitor::Races(engine) = self {
            engine.stale(stale)?;
        }
        Ok(())
    }

    pub fn lock_taken_at(&mut self, stack: &[String]) -> u32 {
        match self {
            Monitor::Races(engine) => engine.lock_taken_at(stack),
            Monitor::Sharing(_) => 0,
        }
    }

    pub fn waits(&mut self, waiting: Waiting) {
        if let Monitor::Races(engine) = self {
            engine.waits(waiting);
        }
    }

    pub fn deadlock(&mut self) -> Result<bool, MonitorError> {
        Ok(match self {
            Monitor::Races(engine) => engine.deadlock()?,
            Monitor::Sharing(_) => false,
        })
    }

    /// -1 if nothing is recorded (any more); with [`NEWS`] if there is something for the user.
    pub fn record_event(&mut self, told: Told) -> Result<i64, MonitorError> {
        Ok(match self {
            Monitor::Races(engine) => match engine.record_event(told)? {
                (None, _) => -1,
                (Some(moment), news) => moment as i64 | if news { NEWS } else { 0 },
            },
            Monitor::Sharing(_) => -1,
        })
    }

    pub fn record_owner(&mut self, id: u64, description: &str) {
        if let Monitor::Races(engine) = self {
            engine.record_owner(id, description);
        }
    }

    pub fn record_flow(&mut self, text: &str) -> u32 {
        match self {
            Monitor::Races(engine) => engine.record_flow(text),
            Monitor::Sharing(_) => 0,
        }
    }

    pub fn take_trace_troubles(&mut self) -> Vec<String> {
        match self {
            Monitor::Races(engine) => engine.take_trace_troubles(),
            Monitor::Sharing(_) => Vec::new(),
        }
    }

    /// Whether there is still something recorded.
    pub fn flush_trace(&mut self) -> Result<bool, MonitorError> {
        Ok(match self {
            Monitor::Races(engine) => {
                engine.flush_trace()?;
                engine.is_recording()
            }
            Monitor::Sharing(_) => false,
        })
    }

    pub fn set_tests(&mut self, tests: Vec<String>) {
        if let Monitor::Races(engine) = self {
            engine.set_tests(tests);
        }
    }

    pub fn take_findings(&mut self, test: &str) -> Vec<String> {
        match self {
            Monitor::Races(engine) => engine.take_findings(test),
            Monitor::Sharing(_) => Vec::new(),
        }
    }

    pub fn stack(&mut self, site: u32, epoch: u32, stack: &[String]) -> Result<(), MonitorError> {
        match self {
            Monitor::Races(engine) => engine.stack(site, epoch, stack)?,
            Monitor::Sharing(_) => {}
        }
        Ok(())
    }

    pub fn end(&mut self) -> Result<(), MonitorError> {
        match self {
            Monitor::Races(engine) => engine.end()?,
            Monitor::Sharing(log) => log.end()?,
        }
        Ok(())
    }
}
