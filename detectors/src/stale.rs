//! Stale values: a use is stale if another thread wrote the variable between the read and the use of what was read. Only
//! the flows that the static side has marked are in a run; at run time the same is done in Java (`racewire.rt.Stale`).
//!
//! In: the steps of flows, in the order of the run. Out: stale uses, each place of a use once.

use crate::event::{Event, FlowId, FlowStep, ObjectId};
use rustc_hash::{FxHashMap, FxHashSet};

/// `thread` read, `writer` wrote, and then `thread` went by what it had read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaleUse {
    pub at: FlowId,
    pub read: FlowId,
    pub written: FlowId,
    pub thread: u32,
    pub writer: u32,
    pub variable: ObjectId,
}

#[derive(Default)]
pub struct Stale {
    /// By thread and flow: what was read last.
    reads: FxHashMap<(u32, FlowId), Read>,
    variables: FxHashMap<ObjectId, Writes>,
    told: FxHashSet<FlowId>,
}

#[derive(Clone, Copy)]
struct Read {
    variable: ObjectId,
    /// How many writes there had been.
    after: u64,
    place: FlowId,
}

/// The writes of a variable since it was first read.
#[derive(Default)]
struct Writes {
    count: u64,
    latest: Option<Writer>,
    /// Who wrote before the latest one.
    earlier: Option<Writer>,
}

#[derive(Clone, Copy)]
struct Writer {
    thread: u32,
    place: FlowId,
    /// Nobody else has written since this write of its.
    since: u64,
}

impl Stale {
    pub fn event(&mut self, event: &Event) -> Option<StaleUse> {
        let Event::Flow { thread, step } = *event else {
            return None;
        };
        match step {
            FlowStep::Read { place, variable } => {
                let after = self.variables.entry(variable).or_default().count;
                let read = Read {
                    variable,
                    after,
                    place,
                };
                self.reads.insert((thread, place), read);
            }
            FlowStep::Write { place, variable } => {
                self.variables.entry(variable).or_default().write(thread, place);
            }
            FlowStep::Forget { flow } => {
                self.reads.remove(&(thread, flow));
            }
            FlowStep::Pass { flow, from } => {
                match self.reads.get(&(thread, from)).copied() {
                    Some(read) => self.reads.insert((thread, flow), read),
                    None => self.reads.remove(&(thread, flow)),
                };
            }
            FlowStep::Use { at, from } => return self.used(thread, at, from),
        }
        None
    }

    fn used(&mut self, thread: u32, at: FlowId, from: FlowId) -> Option<StaleUse> {
        let read = self.reads.get(&(thread, from))?;
        let by = self.variables.get(&read.variable)?.made_old(thread, read.after)?;
        self.told.insert(at).then_some(StaleUse {
            at,
            read: read.place,
            written: by.place,
            thread,
            writer: by.thread,
            variable: read.variable,
        })
    }
}

impl Writes {
    fn write(&mut self, thread: u32, place: FlowId) {
        self.count += 1;
        match &mut self.latest {
            Some(latest) if latest.thread == thread => latest.place = place,
            latest => {
                self.earlier = *latest;
                let since = self.count;
                *latest = Some(Writer { thread, place, since });
            }
        }
    }

    /// Who else than `thread` has written since there had been so many writes. Its own do not make what it read old, but
    /// there may be others' before them.
    fn made_old(&self, thread: u32, after: u64) -> Option<Writer> {
        let latest = self.latest.filter(|_| self.count != after)?;
        if latest.thread != thread {
            return Some(latest);
        }
        self.earlier.filter(|_| latest.since > after + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FlowStep::{Forget, Pass, Read, Use, Write};

    const X: ObjectId = 7;
    const Y: ObjectId = 8;
    const READ: FlowId = 1;
    const WRITE: FlowId = 2;
    const USE: FlowId = 3;
    const BY_CALL: FlowId = 4;

    fn play(steps: &[(u32, FlowStep)]) -> Vec<StaleUse> {
        let mut stale = Stale::default();
        let events = steps.iter().map(|&(thread, step)| Event::Flow { thread, step });
        events.filter_map(|event| stale.event(&event)).collect()
    }

    const READS: FlowStep = Read {
        place: READ,
        variable: X,
    };
    const WRITES: FlowStep = Write {
        place: WRITE,
        variable: X,
    };
    const USES: FlowStep = Use { at: USE, from: READ };

    #[test]
    fn what_another_thread_has_changed_is_stale_once() {
        let found = play(&[(1, READS), (2, WRITES), (1, USES), (1, USES)]);
        let expected = StaleUse {
            at: USE,
            read: READ,
            written: WRITE,
            thread: 1,
            writer: 2,
            variable: X,
        };
        assert_eq!(found, [expected]);
    }

    #[test]
    fn its_own_writes_make_nothing_stale_but_those_before_them_do() {
        assert_eq!(play(&[(1, READS), (1, WRITES), (1, USES)]), []);
        assert_eq!(play(&[(2, WRITES), (1, READS), (1, USES)]), []);
        assert_eq!(play(&[(2, WRITES), (1, READS), (1, WRITES), (1, USES)]), []);
        let found = play(&[(1, READS), (2, WRITES), (1, WRITES), (1, USES)]);
        assert_eq!(found.iter().map(|f| f.writer).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn another_variable_is_another_matter() {
        let other = Write {
            place: WRITE,
            variable: Y,
        };
        assert_eq!(play(&[(1, READS), (2, other), (1, USES)]), []);
    }

    #[test]
    fn values_go_on_and_are_forgotten() {
        let pass = Pass {
            flow: BY_CALL,
            from: READ,
        };
        let uses = Use {
            at: USE,
            from: BY_CALL,
        };
        assert_eq!(play(&[(1, READS), (1, pass), (2, WRITES), (1, uses)]).len(), 1);
        // Another thread's read is not this one's.
        assert_eq!(play(&[(1, READS), (2, WRITES), (2, pass), (2, uses)]), []);
        let forget = Forget { flow: BY_CALL };
        assert_eq!(
            play(&[(1, READS), (1, pass), (2, WRITES), (1, forget), (1, uses)]),
            []
        );
        // What goes on is what comes now, or nothing.
        let steps = [
            (1, READS),
            (1, pass),
            (1, Forget { flow: READ }),
            (1, pass),
            (2, WRITES),
            (1, uses),
        ];
        assert_eq!(play(&steps), []);
    }
}
