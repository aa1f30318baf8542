//! What the engine does for the trace of the run, and for plug-ins, which are given the same. A trace that nobody takes
//! ends; the run goes on.

use super::{Engine, EngineError};
use crate::outlets::Outlets;
use crate::trace::{ATOMIC, Told, TraceLog, What, part};
use racewire_detectors::EpochId;
use racewire_detectors::event::{Part, Place};
use racewire_trace::Process;
use std::io;

impl Engine {
    /// From now on events are recorded, as far as there is somebody who takes them.
    pub fn record(&mut self, mut outlets: Outlets, process: &Process) {
        self.trace_troubles.extend(outlets.take_troubles());
        if !outlets.is_closed() {
            self.trace = TraceLog::new(outlets, process).ok();
        }
    }

    pub fn is_recording(&self) -> bool {
        self.trace.is_some()
    }

    /// Lines for the user: why nobody takes what is recorded (any more); once.
    pub fn take_trace_troubles(&mut self) -> Vec<String> {
        std::mem::take(&mut self.trace_troubles)
    }

    /// Does something for the trace; `None` if there is none.
    pub(super) fn recording<T>(&mut self, work: impl FnOnce(&mut TraceLog) -> io::Result<T>) -> Option<T> {
        let trace = self.trace.as_mut()?;
        let done = work(trace);
        self.trace_troubles.extend(trace.outlets().take_troubles());
        self.plugins_found.extend(trace.outlets().take_found());
        if done.is_err() {
            self.trace = None;
        }
        done.ok()
    }

    /// Writes what plug-ins have found; whether that is anything.
    fn tell_found(&mut self) -> Result<bool, EngineError> {
        let mut new = false;
        for finding in std::mem::take(&mut self.plugins_found) {
            new |= self.tell_cycle(finding)?;
        }
        Ok(new)
    }

    pub(super) fn record_thread(&mut self, id: u32, name: &str, parent: u32, started_at: &[String]) {
        let parent = self.core.period(EpochId(parent)).map(|period| period.thread.0);
        self.recording(|trace| trace.thread(id, name, parent, started_at));
    }

    /// The owner of variables, by its number.
    pub fn record_owner(&mut self, id: u64, description: &str) -> bool {
        self.recording(|trace| trace.owner(id, description)).is_some()
    }

    /// The number of the place of a flow; 0 if there is no trace.
    pub fn record_flow(&mut self, text: &str) -> u32 {
        self.recording(|trace| trace.flow(text)).unwrap_or(0)
    }

    /// The number of a new moment, or 0; `None` if there is no trace (any more). And whether there is something new for
    /// the user.
    pub fn record_event(&mut self, told: Told) -> Result<(Option<u64>, bool), EngineError> {
        if self.ended {
            return Ok((Some(0), false));
        }
        let moment = self.is_recording().then(|| self.recorded_event(told)).flatten();
        let found = self.tell_found()?;
        Ok((moment, found || !self.trace_troubles.is_empty()))
    }

    fn recorded_event(&mut self, told: Told) -> Option<u64> {
        let about = match told.what {
            What::Access
            | What::PassingAccess
            | What::FrozenAccess
            | What::FrozenElement
            | What::Elements => {
                let Some(view) = self.sites.get(told.c >> 2) else {
                    return Some(0);
                };
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

    pub fn flush_trace(&mut self) -> Result<(), EngineError> {
        self.recording(TraceLog::flush);
        self.tell_found().map(drop)
    }

    pub(super) fn end_trace(&mut self) -> Result<(), EngineError> {
        self.recording(TraceLog::end);
        self.tell_found().map(drop)
    }
}
