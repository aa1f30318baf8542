//! The events of the run, for a file that `racewire analyze` reads and for plug-ins: the run-time side of crate `trace`.
//!
//! Every event is written under the engine's lock, in the order in which the hooks come by. Whoever makes something known
//! to others writes before, whoever learns of it afterwards, so the order of the file is one that the run could have had;
//! and accesses of one variable come one by one (see `racewire.rt.Trace`). A thread of its own hands the buffer on
//! a few times a second: a JVM that is killed leaves what happened until then.

use crate::lock_order::Frame;
use crate::outlets::Outlets;
use crate::sites::SiteView;
use racewire_detectors::event::{Answer, Event, FlowStep, Mark, Part, Place, Variable};
use racewire_model::finding::EventKind;
use racewire_model::names::{self, dotted, source_type};
use racewire_model::sites::AccessKind;
use racewire_trace::{Field, Process, Site, TraceWriter};
use rustc_hash::{FxHashMap, FxHashSet};
use std::io::{self, BufWriter};

/// What Java tells of: the numbers of `racewire.rt.Trace`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Gives the number of a moment that others can acquire.
    Release,
    Acquire,
    /// The same for two moments put together.
    Merge,
    Lock,
    Unlock,
    Observe,
    Access,
    PassingAccess,
    Elements,
    /// For an optimistic read.
    Stamp,
    Asked,
    /// Of a value that is followed.
    FlowRead,
    FlowWrite,
    FlowForget,
    FlowPass,
    FlowUse,
    /// Of a volatile or atomic variable.
    FlagRead,
    FlagWrite,
    /// Reads that a final field orders behind the last write.
    FrozenAccess,
    FrozenElement,
}

impl What {
    pub fn from_number(number: i32) -> Option<What> {
        use What::*;
        let all = [
            Release,
            Acquire,
            Merge,
            Lock,
            Unlock,
            Observe,
            Access,
            PassingAccess,
            Elements,
            Stamp,
            Asked,
            FlowRead,
            FlowWrite,
            FlowForget,
            FlowPass,
            FlowUse,
            FlagRead,
            FlagWrite,
            FrozenAccess,
            FrozenElement,
        ];
        all.get(usize::try_from(number).ok()?).copied()
    }
}

/// Locks, moments and owners of variables are numbered apart from each other.
const KINDS: u64 = 4;
const LOCK: u64 = 0;
const MOMENT: u64 = 1;
const OWNER: u64 = 2;

/// So much is collected before it is handed on; a thread of its own does so from time to time.
const BUFFER: usize = 1 << 16;

pub struct TraceLog {
    writer: TraceWriter<BufWriter<Outlets>>,
    moments: u64,
    /// The trace's numbers of sites, and of places where locks are taken.
    sites: FxHashMap<u32, u32>,
    lock_places: FxHashMap<u32, Place>,
    frames: FxHashMap<String, u32>,
    flows: FxHashMap<String, u32>,
    /// Objects that have been described.
    described: FxHashSet<u64>,
}

/// Flags beside a site.
pub const ATOMIC: u32 = 1;
const OPTIMISTIC: u32 = 2;

/// An event as Java tells it; what the numbers mean depends on what it is.
#[derive(Debug, Clone, Copy)]
pub struct Told {
    pub what: What,
    pub thread: u32,
    /// A moment, a lock, the owner of a variable, what stands for a variable that is followed, or the section of an optimistic read that is over.
    pub a: u64,
    /// Another moment; where a value comes from; the section of an optimistic read that begins; 1 for a read lock; the first element and, in the upper half, the one after the last.
    pub b: u64,
    /// Of an optimistic read: 1 if it was asked about, + 2 if it is valid, + 4 if somebody writes. Else a site `<< 2`, + 1 for an atomic operation, + 2 for an optimistic read; the number of a place where a lock was taken, or 0; the place of a flow.
    pub c: u32,
}

impl TraceLog {
    pub fn new(outlets: Outlets, process: &Process) -> io::Result<TraceLog> {
        Ok(TraceLog {
            writer: TraceWriter::new(BufWriter::with_capacity(BUFFER, outlets), process)?,
            moments: 0,
            sites: FxHashMap::default(),
            lock_places: FxHashMap::default(),
            frames: FxHashMap::default(),
            flows: FxHashMap::default(),
            described: FxHashSet::default(),
        })
    }

    pub fn outlets(&mut self) -> &mut Outlets {
        self.writer.get_mut().get_mut()
    }

    pub fn thread(
        &mut self,
        thread: u32,
        name: &str,
        parent: Option<u32>,
        start: &[String],
    ) -> io::Result<()> {
        let stack = if start.is_empty() {
            0
        } else {
            self.writer.stack(start)?
        };
        self.writer.thread(thread, name, stack)?;
        match parent {
            Some(parent) => self.event(&Event::Fork {
                thread: parent,
                child: thread,
            }),
            None => self.event(&Event::Begin { thread }),
        }
    }

    pub fn thread_ends(&mut self, thread: u32) -> io::Result<()> {
        self.event(&Event::End { thread })
    }

    pub fn lock(&mut self, id: u32, description: &str) -> io::Result<()> {
        self.writer.object(object(LOCK, u64::from(id)), description)
    }

    /// The owner of a variable, by the number that Java gives it; once.
    pub fn owner(&mut self, id: u64, description: &str) -> io::Result<()> {
        if self.described.insert(id) {
            self.writer.object(object(OWNER, id), description)?;
        }
        Ok(())
    }

    /// A place of a flow; its number.
    pub fn flow(&mut self, text: &str) -> io::Result<u32> {
        if let Some(&known) = self.flows.get(text) {
            return Ok(known);
        }
        let number = self.writer.flow(text)?;
        self.flows.insert(text.to_owned(), number);
        Ok(number)
    }

    /// A lock was waited for with others held: lock as `id << 1 | shared`.
    pub fn nested(&mut self, thread: u32, lock: u32, at: Place) -> io::Result<()> {
        self.event(&Event::Nested {
            thread,
            object: object(LOCK, u64::from(lock >> 1)),
            shared: lock & 1 != 0,
            at,
        })
    }

    /// The place with this number of the engine's.
    pub fn lock_place(&mut self, number: u32, frame: &str, stack: &[String]) -> io::Result<Place> {
        if let Some(&known) = self.lock_places.get(&number) {
            return Ok(known);
        }
        let site = match self.frames.get(frame) {
            Some(&site) => site,
            None => {
                let site = self.writer.site(&lock_site(frame))?;
                self.frames.insert(frame.to_owned(), site);
                site
            }
        };
        let place = Place {
            site,
            stack: self.writer.stack(stack)?,
        };
        self.lock_places.insert(number, place);
        Ok(place)
    }

    /// The trace's number of a site, which is defined if need be.
    pub fn site(&mut self, id: u32, view: &SiteView<'_>, atomic: bool) -> io::Result<u32> {
        if let Some(&known) = self.sites.get(&id) {
            return Ok(known);
        }
        let site = self.writer.site(&access_site(view, atomic))?;
        self.sites.insert(id, site);
        Ok(site)
    }

    /// Of accesses: the site and its part of an object. Of a lock: where it was taken. The number of a new moment, or 0.
    pub fn told(&mut self, told: Told, (at, part): (Place, Part)) -> io::Result<u64> {
        let Told {
            what,
            thread,
            a,
            b,
            c,
        } = told;
        let event = match what {
            What::Release => {
                self.moments += 1;
                Event::Release {
                    thread,
                    object: object(MOMENT, self.moments),
                }
            }
            What::Merge => {
                self.moments += 1;
                Event::Merge {
                    thread,
                    object: object(MOMENT, self.moments),
                    of: [object(MOMENT, a), object(MOMENT, b)],
                }
            }
            What::Acquire => Event::Acquire {
                thread,
                object: object(MOMENT, a),
            },
            What::Lock => Event::Lock {
                thread,
                object: object(LOCK, a),
                shared: b != 0,
                tried: true,
                at,
            },
            What::Unlock => Event::Unlock {
                thread,
                object: object(LOCK, a),
                shared: b != 0,
            },
            What::Observe => Event::Observe { thread },
            What::Stamp => Event::Stamp {
                thread,
                lock: object(LOCK, a),
                section: b,
            },
            What::Asked => Event::Asked {
                thread,
                section: a,
                answer: Answer {
                    asked: c & 1 != 0,
                    valid: c & 2 != 0,
                    writing: c & 4 != 0,
                    released: object(MOMENT, b),
                },
            },
            What::FlowRead | What::FlowWrite | What::FlowForget | What::FlowPass | What::FlowUse => {
                let (variable, from) = (object(OWNER, a), b as u32);
                let step = match what {
                    What::FlowRead => FlowStep::Read { place: c, variable },
                    What::FlowWrite => FlowStep::Write { place: c, variable },
                    What::FlowForget => FlowStep::Forget { flow: c },
                    What::FlowPass => FlowStep::Pass { flow: c, from },
                    _ => FlowStep::Use { at: c, from },
                };
                Event::Flow { thread, step }
            }
            What::Elements => {
                let (from, to) = (b as u32, (b >> 32) as u32);
                let optimistic = c & OPTIMISTIC != 0;
                self.writer
                    .elements(thread, (at.site, optimistic), object(OWNER, a), (from, to))?;
                return Ok(0);
            }
            What::FlagRead | What::FlagWrite => Event::Flag {
                thread,
                kind: match what {
                    What::FlagRead => AccessKind::Read,
                    _ => AccessKind::Write,
                },
                object: object(OWNER, a),
            },
            What::Access | What::PassingAccess | What::FrozenAccess | What::FrozenElement => Event::Access {
                thread,
                // The site says which.
                kind: AccessKind::Read,
                variable: Variable {
                    owner: object(OWNER, a),
                    part: match what {
                        What::FrozenElement => Part::Element(b as u32),
                        _ => part,
                    },
                },
                at,
                mark: Mark {
                    passing: what == What::PassingAccess,
                    frozen: matches!(what, What::FrozenAccess | What::FrozenElement),
                    optimistic: c & OPTIMISTIC != 0,
                    ..Mark::default()
                },
            },
        };
        self.event(&event)?;
        Ok(self.moments)
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    pub fn end(&mut self) -> io::Result<()> {
        self.writer.end()?;
        self.outlets().end();
        Ok(())
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.writer.event(event)
    }
}

fn object(kind: u64, id: u64) -> u64 {
    id * KINDS + kind
}

fn lock_site(frame: &str) -> Site {
    let frame = Frame::parse(frame);
    Site {
        kind: EventKind::Lock,
        mark: Mark::default(),
        class: frame.class,
        method: frame.method,
        descriptor: String::new(),
        file: frame.file,
        line: frame.line,
        field: None,
        named_by: (AccessKind::Read, 0),
        repeated_at: Vec::new(),
    }
}

fn access_site(view: &SiteView<'_>, atomic: bool) -> Site {
    let of_elements = view.field.name == names::ELEMENTS;
    Site {
        kind: match view.site.kind {
            AccessKind::Read => EventKind::Read,
            AccessKind::Write => EventKind::Write,
        },
        mark: Mark {
            update: view.site.updates || view.site.kind == AccessKind::Read && !view.site.observes,
            uses: view.site.kind == AccessKind::Write && view.site.observes,
            exact: atomic,
            atomic,
            ..Mark::default()
        },
        class: view.class_name(),
        method: view.method.name.clone(),
        descriptor: view.method.descriptor.clone(),
        file: view.class.source.clone(),
        line: u32::from(view.site.line),
        field: Some(if of_elements {
            Field {
                class: view.variable(),
                name: String::new(),
                kind: source_type(&view.field.descriptor),
                is_static: false,
                number: view.field_id,
            }
        } else {
            Field {
                class: dotted(&view.field.owner),
                name: view.field.name.clone(),
                kind: source_type(&view.field.descriptor),
                is_static: view.field.is_static,
                number: view.field_id,
            }
        }),
        named_by: view.representative(),
        repeated_at: view.site.repeated_at.iter().map(|l| u32::from(*l)).collect(),
    }
}

/// What accesses of the site access of an object.
pub fn part(view: &SiteView<'_>) -> Part {
    match view.field.name.as_str() {
        names::STATE => Part::State,
        _ => Part::Field(view.field_id),
    }
}
