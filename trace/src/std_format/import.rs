//! Reading the std format.

use crate::record::{Definition, Process, Record, Site};
use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, Mark, Part, Place, Variable};
use racewire_model::finding::EventKind;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::io::{self, BufRead};

#[derive(Debug, thiserror::Error)]
pub enum StdError {
    #[error("line {line}: {cause}")]
    Line { line: u64, cause: String },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What classes are in a trace of a program that is not known.
const LOCATION: &str = "location";

pub struct StdReader<R> {
    input: R,
    line: u64,
    buffer: Vec<u8>,
    threads: FxHashMap<String, u32>,
    locks: FxHashMap<String, u64>,
    variables: FxHashMap<String, u64>,
    objects: u64,
    sites: FxHashMap<(String, EventKind), u32>,
    /// Records that a line gave and that are still to be told.
    ready: VecDeque<Record>,
    ended: bool,
}

impl<R: BufRead> StdReader<R> {
    pub fn new(input: R) -> StdReader<R> {
        StdReader {
            input,
            line: 0,
            buffer: Vec::new(),
            threads: FxHashMap::default(),
            locks: FxHashMap::default(),
            variables: FxHashMap::default(),
            objects: 0,
            sites: FxHashMap::default(),
            ready: VecDeque::from([Record::Process(Process::default())]),
            ended: false,
        }
    }

    pub fn next_record(&mut self) -> Result<Option<Record>, StdError> {
        loop {
            if let Some(record) = self.ready.pop_front() {
                return Ok(Some(record));
            }
            if self.ended {
                return Ok(None);
            }
            self.buffer.clear();
            if self.input.read_until(b'\n', &mut self.buffer)? == 0 {
                self.ended = true;
                self.ready.push_back(Record::End);
                continue;
            }
            self.line += 1;
            let buffer = std::mem::take(&mut self.buffer);
            let parsed = match std::str::from_utf8(&buffer) {
                Ok(line) => self.parse(line.trim()),
                Err(_) => Err("not UTF-8".to_owned()),
            };
            self.buffer = buffer;
            parsed.map_err(|cause| StdError::Line {
                line: self.line,
                cause,
            })?;
        }
    }

    fn parse(&mut self, line: &str) -> Result<(), String> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        let fields: Vec<&str> = line.split('|').collect();
        let [thread, operation, location] = fields[..] else {
            return Err(format!(
                "{} fields instead of thread|operation|location",
                fields.len()
            ));
        };
        if thread.is_empty() || thread.contains(char::is_whitespace) {
            return Err(format!("{thread:?} is no name of a thread"));
        }
        let (name, operand) = match operation.split_once('(') {
            None => (operation, None),
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(operand) => (name, Some(operand)),
                None => return Err(format!("the parenthesis of {operation:?} is not closed")),
            },
        };
        let operand = operand.filter(|o| !o.is_empty() && !o.contains(char::is_whitespace));
        if matches!(name, "begin" | "end" | "branch" | "dummy" | "req") {
            return Ok(());
        }
        if !matches!(name, "r" | "w" | "acq" | "rel" | "fork" | "join") {
            return Err(format!("unknown operation {name:?}"));
        }
        let Some(operand) = operand else {
            return Err(format!("{operation:?} does not say what it is about"));
        };
        if location.is_empty() {
            return Err("no location".to_owned());
        }
        let event = self.event(thread, name, operand, location)?;
        self.ready.push_back(Record::Event(event));
        Ok(())
    }

    fn event(&mut self, thread: &str, name: &str, operand: &str, location: &str) -> Result<Event, String> {
        let thread = self.thread(thread);
        let shared = false;
        Ok(match name {
            "fork" | "join" => {
                let child = self.thread(operand);
                if child == thread {
                    return Err(format!("a thread cannot {name} itself"));
                }
                match name {
                    "fork" => Event::Fork { thread, child },
                    _ => Event::Join { thread, child },
                }
            }
            "acq" => Event::Lock {
                thread,
                object: self.lock(operand),
                shared,
                tried: false,
                at: self.place(location, EventKind::Lock),
            },
            "rel" => Event::Unlock {
                thread,
                object: self.lock(operand),
                shared,
            },
            _ => {
                let (kind, event_kind) = match name {
                    "r" => (AccessKind::Read, EventKind::Read),
                    _ => (AccessKind::Write, EventKind::Write),
                };
                Event::Access {
                    thread,
                    kind,
                    variable: Variable {
                        owner: self.variable(operand),
                        part: Part::State,
                    },
                    at: self.place(location, event_kind),
                    mark: Mark::default(),
                }
            }
        })
    }

    fn thread(&mut self, name: &str) -> u32 {
        let name = if name.bytes().all(|b| b.is_ascii_digit()) {
            format!("T{name}")
        } else {
            name.to_owned()
        };
        if let Some(&thread) = self.threads.get(&name) {
            return thread;
        }
        let thread = self.threads.len() as u32;
        self.ready.push_back(Record::Define(Definition::Thread {
            thread,
            name: name.clone(),
            started_at: 0,
        }));
        self.threads.insert(name, thread);
        thread
    }

    fn lock(&mut self, name: &str) -> u64 {
        object(&mut self.locks, name, &mut self.objects, &mut self.ready)
    }

    fn variable(&mut self, name: &str) -> u64 {
        object(&mut self.variables, name, &mut self.objects, &mut self.ready)
    }

    fn place(&mut self, location: &str, kind: EventKind) -> Place {
        let next = self.sites.len() as u32 + 1;
        let site = *self.sites.entry((location.to_owned(), kind)).or_insert(next);
        if site == next {
            let line = location.parse().unwrap_or(0);
            let named_by = match kind {
                EventKind::Write => AccessKind::Write,
                _ => AccessKind::Read,
            };
            self.ready.push_back(Record::Define(Definition::Site(Site {
                kind,
                mark: Mark::default(),
                class: LOCATION.to_owned(),
                method: location.to_owned(),
                descriptor: String::new(),
                file: (line > 0).then(|| LOCATION.to_owned()),
                line,
                field: None,
                named_by: (named_by, 0),
                repeated_at: Vec::new(),
            })));
        }
        Place { site, stack: 0 }
    }
}

fn object(
    known: &mut FxHashMap<String, u64>,
    name: &str,
    objects: &mut u64,
    ready: &mut VecDeque<Record>,
) -> u64 {
    if let Some(&object) = known.get(name) {
        return object;
    }
    *objects += 1;
    known.insert(name.to_owned(), *objects);
    ready.push_back(Record::Define(Definition::Object {
        object: *objects,
        description: name.to_owned(),
    }));
    *objects
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Result<Vec<Event>, String> {
        let mut reader = StdReader::new(text.as_bytes());
        let mut events = Vec::new();
        while let Some(record) = reader.next_record().map_err(|e| e.to_string())? {
            if let Record::Event(event) = record {
                events.push(event);
            }
        }
        Ok(events)
    }

    #[test]
    fn a_trace_as_the_tools_write_it_is_read() {
        let found = events(
            "T0|r(V123)|345\nT1|w(V234.23[0])|456\nT0|fork(T2)|123\nT2|acq(L34)|120\nT2|rel(L34)|130\nT0|join(T2)|134\n",
        )
        .unwrap();
        let at = |site| Place { site, stack: 0 };
        let access = |thread, kind, owner, site| Event::Access {
            thread,
            kind,
            variable: Variable {
                owner,
                part: Part::State,
            },
            at: at(site),
            mark: Mark::default(),
        };
        assert_eq!(
            found,
            [
                access(0, AccessKind::Read, 1, 1),
                access(1, AccessKind::Write, 2, 2),
                Event::Fork { thread: 0, child: 2 },
                Event::Lock {
                    thread: 2,
                    object: 3,
                    shared: false,
                    tried: false,
                    at: at(3)
                },
                Event::Unlock {
                    thread: 2,
                    object: 3,
                    shared: false
                },
                Event::Join { thread: 0, child: 2 },
            ]
        );
    }

    #[test]
    fn numbers_name_threads_and_what_orders_nothing_is_left_out() {
        let found = events(
            "# by hand\r\n\r\nT6|fork(9)|49\r\nT9|begin|1\nT9|begin(x)|1\nT9|req(5)|1\nT9|end|2\nT9|branch|3\nT6|join(T9)|7",
        );
        assert_eq!(
            found.unwrap(),
            [
                Event::Fork { thread: 0, child: 1 },
                Event::Join { thread: 0, child: 1 }
            ]
        );
    }

    #[test]
    fn bad_lines_are_named() {
        for (line, cause) in [
            ("T0|r(V1)", "2 fields instead of thread|operation|location"),
            ("T0|r(V1)|1|2", "4 fields instead of thread|operation|location"),
            ("T0|x(V1)|1", "unknown operation \"x\""),
            ("T0|r(V1|1", "the parenthesis of \"r(V1\" is not closed"),
            ("T0|r()|1", "\"r()\" does not say what it is about"),
            ("T0|w|1", "\"w\" does not say what it is about"),
            ("|r(V1)|1", "\"\" is no name of a thread"),
            ("T0|r(V1)|", "no location"),
            ("T0|fork(T0)|1", "a thread cannot fork itself"),
        ] {
            let text = format!("T0|w(V1)|1\n\n{line}\n");
            assert_eq!(events(&text).unwrap_err(), format!("line 3: {cause}"));
        }
    }
}
