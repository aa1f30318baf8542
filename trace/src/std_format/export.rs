//! Writing the std format.

use crate::record::Record;
use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, ObjectId, Part};
use rustc_hash::FxHashMap;
use std::io::{self, Write};

pub struct StdWriter<W: Write> {
    out: W,
    /// How often a thread holds a lock, for reading or not.
    held: FxHashMap<(u32, ObjectId, bool), u32>,
    stronger: u64,
    /// The thread that stands for what was released with an object.
    released: FxHashMap<ObjectId, u64>,
    stand_ins: u64,
}

/// Where synchronisation has no site.
const NOWHERE: u32 = 0;

impl<W: Write> StdWriter<W> {
    pub fn new(out: W) -> StdWriter<W> {
        StdWriter {
            out,
            held: FxHashMap::default(),
            stronger: 0,
            released: FxHashMap::default(),
            stand_ins: 0,
        }
    }

    pub fn record(&mut self, record: &Record) -> io::Result<()> {
        match record {
            Record::Event(event) => self.event(event),
            Record::End => self.out.flush(),
            Record::Process(_) | Record::Define(_) => Ok(()),
        }
    }

    /// How many events were written as something stronger (see the module).
    pub fn stronger(&self) -> u64 {
        self.stronger
    }

    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        let thread = event.thread();
        match *event {
            Event::Fork { child, .. } => self.line(thread, "fork", &format!("T{child}"), NOWHERE),
            Event::Join { child, .. } => self.line(thread, "join", &format!("T{child}"), NOWHERE),
            Event::Begin { .. } | Event::End { .. } => Ok(()),
            Event::Lock {
                object, shared, at, ..
            } => {
                let depth = self.held.entry((thread, object, shared)).or_default();
                *depth += 1;
                let outermost = *depth == 1;
                match shared {
                    false if outermost => self.line(thread, "acq", &format!("L{object}"), at.site),
                    true if outermost => self.meet(thread, object, at.site),
                    _ => Ok(()),
                }
            }
            Event::Unlock { object, shared, .. } => {
                let depth = self.held.entry((thread, object, shared)).or_insert(1);
                *depth = depth.saturating_sub(1);
                if *depth > 0 {
                    return Ok(());
                }
                self.held.remove(&(thread, object, shared));
                if shared {
                    self.meet(thread, object, NOWHERE)
                } else {
                    self.line(thread, "rel", &format!("L{object}"), NOWHERE)
                }
            }
            Event::Release { object, .. } => {
                let stand_in = self.stand_in();
                self.line(thread, "fork", &format!("S{stand_in}"), NOWHERE)?;
                let before = self.released.insert(object, stand_in);
                before.map_or(Ok(()), |before| self.stand_in_joins(stand_in, before))
            }
            Event::Acquire { object, .. } => match self.released.get(&object) {
                Some(stand_in) => self.line(thread, "join", &format!("S{stand_in}"), NOWHERE),
                None => Ok(()),
            },
            Event::Merge { object, of, .. } => {
                let stand_in = self.stand_in();
                for part in of {
                    if let Some(&before) = self.released.get(&part) {
                        self.stand_in_joins(stand_in, before)?;
                    }
                }
                self.released.insert(object, stand_in);
                Ok(())
            }
            Event::Observe { .. }
            | Event::Flag { .. }
            | Event::Nested { .. }
            | Event::Stamp { .. }
            | Event::Asked { .. }
            | Event::Flow { .. } => Ok(()),
            // It would be found invalid if it met somebody.
            Event::Access { mark, .. } if mark.optimistic => {
                self.stronger += 1;
                Ok(())
            }
            Event::Access {
                kind,
                variable,
                at,
                mark,
                ..
            } => {
                let operation = match kind {
                    AccessKind::Read => "r",
                    AccessKind::Write => "w",
                };
                let owner = variable.owner;
                let variable = match variable.part {
                    Part::Field(field) => format!("V{owner}.{field}"),
                    Part::Element(index) => format!("V{owner}[{index}]"),
                    Part::State => format!("V{owner}"),
                };
                if !mark.atomic {
                    return self.line(thread, operation, &variable, at.site);
                }
                self.stronger += 1;
                let lock = variable.replacen('V', "A", 1);
                self.line(thread, "acq", &lock, NOWHERE)?;
                self.line(thread, operation, &variable, at.site)?;
                self.line(thread, "rel", &lock, NOWHERE)
            }
        }
    }

    fn stand_in(&mut self) -> u64 {
        self.stand_ins += 1;
        self.stand_ins
    }

    fn stand_in_joins(&mut self, stand_in: u64, before: u64) -> io::Result<()> {
        writeln!(self.out, "S{stand_in}|join(S{before})|{NOWHERE}")
    }

    /// A reader comes or goes: ordered with writers, and with other readers as well. The lock is not shown as held, since
    /// readers may hold it at once.
    fn meet(&mut self, thread: u32, object: ObjectId, site: u32) -> io::Result<()> {
        self.stronger += 1;
        if self.held.contains_key(&(thread, object, false)) {
            return Ok(());
        }
        let lock = format!("L{object}");
        self.line(thread, "acq", &lock, site)?;
        self.line(thread, "rel", &lock, NOWHERE)
    }

    fn line(&mut self, thread: u32, operation: &str, operand: &str, site: u32) -> io::Result<()> {
        writeln!(self.out, "T{thread}|{operation}({operand})|{site}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use racewire_detectors::event::{Mark, Place, Variable};

    fn written(events: &[Event]) -> (String, u64) {
        let mut writer = StdWriter::new(Vec::new());
        for event in events {
            writer.record(&Record::Event(*event)).unwrap();
        }
        let stronger = writer.stronger();
        (String::from_utf8(writer.finish().unwrap()).unwrap(), stronger)
    }

    #[test]
    fn events_are_lines() {
        let at = Place { site: 7, stack: 3 };
        let access = |kind, part| Event::Access {
            thread: 1,
            kind,
            variable: Variable { owner: 5, part },
            at,
            mark: Mark::default(),
        };
        let (text, stronger) = written(&[
            Event::Fork { thread: 0, child: 1 },
            Event::Begin { thread: 1 },
            access(AccessKind::Read, Part::Field(2)),
            access(AccessKind::Write, Part::Element(4)),
            access(AccessKind::Write, Part::State),
            Event::End { thread: 1 },
            Event::Join { thread: 0, child: 1 },
        ]);
        assert_eq!(
            text,
            "T0|fork(T1)|0\nT1|r(V5.2)|7\nT1|w(V5[4])|7\nT1|w(V5)|7\nT0|join(T1)|0\n"
        );
        assert_eq!(stronger, 0);
    }

    #[test]
    fn locks_taken_again_are_written_once_and_the_rest_becomes_stronger() {
        let lock = |shared| Event::Lock {
            thread: 1,
            object: 9,
            shared,
            tried: false,
            at: Place { site: 2, stack: 0 },
        };
        let unlock = |shared| Event::Unlock {
            thread: 1,
            object: 9,
            shared,
        };
        let (text, stronger) = written(&[
            lock(false),
            lock(true),
            unlock(false),
            unlock(true),
            lock(true),
            unlock(true),
            Event::Release { thread: 1, object: 9 },
            Event::Acquire { thread: 2, object: 9 },
            Event::Acquire { thread: 2, object: 8 },
            Event::Release { thread: 2, object: 9 },
            Event::Merge {
                thread: 2,
                object: 7,
                of: [8, 9],
            },
            Event::Acquire { thread: 3, object: 7 },
        ]);
        assert_eq!(
            text,
            "T1|acq(L9)|2\nT1|rel(L9)|0\n\
             T1|acq(L9)|0\nT1|rel(L9)|0\n\
             T1|acq(L9)|2\nT1|rel(L9)|0\nT1|acq(L9)|0\nT1|rel(L9)|0\n\
             T1|fork(S1)|0\nT2|join(S1)|0\nT2|fork(S2)|0\nS2|join(S1)|0\nS3|join(S2)|0\nT3|join(S3)|0\n"
        );
        assert_eq!(stronger, 4);
    }
}
