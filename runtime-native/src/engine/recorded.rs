//! What the engine does for the trace of the run. A trace that cannot be written ends; the run goes on.

use super::Engine;
use crate::trace::{ATOMIC, Told, TraceLog, What, part};
use racewire_detectors::EpochId;
use racewire_detectors::event::{Part, Place};
use racewire_trace::Process;
use std::io;

impl Engine {
    /// From now on events are recorded in `file`, if it can be written.
    pub fn record(&mut self, file: &str, process: &Process) {
        match TraceLog::create(file, process) {
            Ok(trace) => self.trace = Some(trace),
            Err(error) => self.trace_trouble = Some(error.to_string()),
        }
    }

    pub fn is_recording(&self) -> bool {
        self.trace.is_some()
    }

    /// Why there is no trace, or no more of it; once.
    pub fn take_trace_trouble(&mut self) -> Option<String> {
        self.trace_trouble.take()
    }

    /// Does something for the trace; `None` if there is none.
    pub(super) fn recording<T>(&mut self, work: impl FnOnce(&mut TraceLog) -> io::Result<T>) -> Option<T> {
        let done = work(self.trace.as_mut()?);
        if let Err(error) = &done {
            self.trace_trouble = Some(error.to_string());
            self.trace = None;
        }
        done.ok()
    }

    pub(super) fn record_thread(&mut self, id: u32, name: &str, parent: u32, started_at: &[String]) {
        let parent = self.core.period(EpochId(parent)).map(|period| period.thread.0);
        self.recording(|trace| trace.thread(id, name, parent, started_at));
    }

    /// The owner of variables, by its number.
    pub fn record_owner(&mut self, id: u64, description: &str) -> bool {
        self.recording(|trace| trace.owner(id, description)).is_some()
    }

    /// The number of a new moment, or 0; `None` if there is no trace (any more).
    pub fn record_event(&mut self, told: Told) -> Option<u64> {
        if self.ended {
            return Some(0);
        }
        let about = match told.what {
            What::Access | What::PassingAccess | What::Elements => {
                let view = self.sites.get(told.c >> 2)?;
                let trace = self.trace.as_mut()?;
                // A failure is met again by the event itself.
                let site = trace.site(told.c >> 2, &view, told.c & ATOMIC != 0).unwrap_or(0);
                (Place { site, stack: 0 }, part(&view))
            }
            What::Lock => (self.recorded_place(told.c)?, Part::State),
            _ => (Place::default(), Part::State),
        };
        self.recording(|trace| trace.told(told, about))
    }

    /// A place where a lock was taken, by the engine's number for it.
    pub(crate) fn recorded_place(&mut self, number: u32) -> Option<Place> {
        let Some(at) = (number as usize)
            .checked_sub(1)
            .and_then(|n| self.lock_stacks.get(n).copied())
        else {
            return Some(Place::default());
        };
        let frame = self.lock_places.get(at.site).to_owned();
        let stack = self.stack_texts.get(at.stack);
        self.recording(|trace| trace.lock_place(number, &frame, &stack))
    }

    /// A lock was waited for with others held, at the place of this number.
    pub(crate) fn record_nested(&mut self, thread: u32, lock: u32, number: u32) {
        if let Some(at) = self.recorded_place(number) {
            self.recording(|trace| trace.nested(thread, lock, at));
        }
    }

    pub fn flush_trace(&mut self) {
        self.recording(TraceLog::flush);
    }
}
