//! Reading a trace, record by record, in little memory: files may be larger than it.

use crate::format::*;
use crate::record::{Definition, Field, Process, Record, Site};
use racewire_detectors::AccessKind;
use racewire_detectors::event::{Answer, Event, FlowId, FlowStep, Mark, Part, Place, Variable};
use racewire_model::finding::EventKind;
use std::io::{self, BufRead, Cursor, Read};
use std::sync::Arc;

#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error("not a racewire trace")]
    NotATrace,
    #[error("a trace of version {0}, this racewire reads version {VERSION}")]
    Version(u8),
    #[error("damaged at byte {at}: {cause}")]
    Damaged { at: u64, cause: &'static str },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// How a trace ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// As the process did, in good order.
    Complete,
    /// The process was killed or is still running; so many bytes of a record that is not whole were left out.
    Cut { lost: u64 },
}

pub struct TraceReader<R> {
    bytes: Bytes<R>,
    texts: Vec<Arc<str>>,
    sites: Vec<SiteShape>,
    stacks: u32,
    flows: u32,
    thread: Option<u32>,
    owner: u64,
    /// Elements whose accesses are still to be given.
    range: Option<(Event, u32)>,
    ending: Option<Ending>,
}

/// What an access takes over from its site.
#[derive(Clone, Copy)]
struct SiteShape {
    kind: EventKind,
    mark: Mark,
    field: Option<u32>,
}

/// Why a record could not be read.
enum Stop {
    /// The file ends in the middle of it.
    Ends,
    Damaged(&'static str),
    Io(io::Error),
}

/// Of a run that still goes on: whole records, as they come.
impl TraceReader<Cursor<Vec<u8>>> {
    /// [`TraceReader::next_record`] goes on with these after it has given `None`.
    pub fn push(&mut self, bytes: &[u8]) {
        let input = &mut self.bytes.input;
        let read = input.position() as usize;
        input.get_mut().drain(..read);
        input.set_position(0);
        input.get_mut().extend_from_slice(bytes);
        if self.ending == Some(Ending::Cut { lost: 0 }) {
            self.ending = None;
        }
    }
}

impl<R: BufRead> TraceReader<R> {
    /// Checks that it is a trace.
    pub fn new(input: R) -> Result<TraceReader<R>, TraceError> {
        let mut reader = TraceReader {
            bytes: Bytes { input, at: 0 },
            texts: Vec::new(),
            sites: Vec::new(),
            stacks: 0,
            flows: 0,
            thread: None,
            owner: 0,
            range: None,
            ending: None,
        };
        for expected in MAGIC {
            match reader.bytes.byte() {
                Ok(byte) if byte == *expected => {}
                Err(Stop::Io(error)) => return Err(error.into()),
                _ => return Err(TraceError::NotATrace),
            }
        }
        match reader.bytes.byte() {
            Ok(VERSION) => Ok(reader),
            Ok(other) => Err(TraceError::Version(other)),
            Err(Stop::Io(error)) => Err(error.into()),
            Err(_) => Err(TraceError::NotATrace),
        }
    }

    /// How the trace ended, once [`TraceReader::next_record`] has given `None`.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    pub fn next_record(&mut self) -> Result<Option<Record>, TraceError> {
        while self.ending.is_none() {
            if let Some(element) = self.next_of_range() {
                return Ok(Some(Record::Event(element)));
            }
            let start = self.bytes.at;
            match self.read() {
                Ok(Some(record)) => {
                    if record == Record::End {
                        self.ending = Some(Ending::Complete);
                    }
                    return Ok(Some(record));
                }
                Ok(None) => {}
                Err(Stop::Ends) => {
                    self.ending = Some(Ending::Cut {
                        lost: self.bytes.at - start,
                    });
                }
                Err(Stop::Damaged(cause)) => return Err(TraceError::Damaged { at: start, cause }),
                Err(Stop::Io(error)) => return Err(error.into()),
            }
        }
        Ok(None)
    }

    /// `None`: something that readers of the trace do not see.
    fn read(&mut self) -> Result<Option<Record>, Stop> {
        let tag = self.bytes.byte()?;
        Ok(Some(match tag {
            TEXT => {
                let text = self.bytes.text()?;
                self.texts.push(text);
                return Ok(None);
            }
            SWITCH => {
                self.thread = Some(self.bytes.small()?);
                return Ok(None);
            }
            SITE => Record::Define(Definition::Site(self.site()?)),
            STACK => {
                let frames = self.texts()?;
                self.stacks += 1;
                Record::Define(Definition::Stack(frames))
            }
            FLOW => {
                let text = self.text()?.to_string();
                self.flows += 1;
                Record::Define(Definition::Flow(text))
            }
            OBJECT => {
                let object = self.bytes.number()?;
                let text = self.text()?;
                let hash = match self.bytes.number()? {
                    0 => None,
                    more => Some(u32::try_from(more - 1).map_err(|_| Stop::Damaged("a hash is too large"))?),
                };
                Record::Define(Definition::Object {
                    object,
                    description: join_description(&text, hash),
                })
            }
            THREAD => Record::Define(Definition::Thread {
                thread: self.bytes.small()?,
                name: self.text()?.to_string(),
                started_at: self.stack()?,
            }),
            PROCESS => Record::Process(Process {
                pid: self.bytes.number()?,
                started_ms: self.bytes.number()?,
                java: self.text()?.to_string(),
                unwoven: self.bytes.number()?,
                detectors: self.text()?.to_string(),
                annotated: self.texts()?,
            }),
            _ if tag & !1 == ELEMENTS => {
                self.elements(tag != ELEMENTS)?;
                return Ok(None);
            }
            END => Record::End,
            _ => Record::Event(self.event(tag)?),
        }))
    }

    /// How many, and those.
    fn texts(&mut self) -> Result<Vec<String>, Stop> {
        let count = self.bytes.number()?;
        let mut texts = Vec::new();
        for _ in 0..count {
            texts.push(self.text()?.to_string());
        }
        Ok(texts)
    }

    fn event(&mut self, tag: u8) -> Result<Event, Stop> {
        let Some(thread) = self.thread else {
            return Err(Stop::Damaged("an event of no thread, or no record at all"));
        };
        let shared = tag & SHARED != 0;
        Ok(match tag {
            FORK => Event::Fork {
                thread,
                child: self.bytes.small()?,
            },
            BEGIN => Event::Begin { thread },
            THREAD_END => Event::End { thread },
            JOIN => Event::Join {
                thread,
                child: self.bytes.small()?,
            },
            RELEASE => Event::Release {
                thread,
                object: self.bytes.number()?,
            },
            ACQUIRE => Event::Acquire {
                thread,
                object: self.bytes.number()?,
            },
            _ if tag & !SHARED == UNLOCK => Event::Unlock {
                thread,
                object: self.bytes.number()?,
                shared,
            },
            _ if tag & !(SHARED | TRIED | WITH_STACK) == LOCK => {
                let site = self.site_number()?;
                let object = self.bytes.number()?;
                let stack = self.stack_if(tag)?;
                Event::Lock {
                    thread,
                    object,
                    shared,
                    tried: tag & TRIED != 0,
                    at: Place { site, stack },
                }
            }
            MERGE => Event::Merge {
                thread,
                object: self.bytes.number()?,
                of: [self.bytes.number()?, self.bytes.number()?],
            },
            OBSERVE => Event::Observe { thread },
            FLAG_READ | FLAG_WRITE => Event::Flag {
                thread,
                kind: match tag {
                    FLAG_READ => AccessKind::Read,
                    _ => AccessKind::Write,
                },
                object: self.bytes.number()?,
            },
            FLOW_READ..=FLOW_USE => {
                let step = self.flow_step(tag)?;
                Event::Flow { thread, step }
            }
            STAMP => Event::Stamp {
                thread,
                lock: self.bytes.number()?,
                section: self.bytes.number()?,
            },
            ASKED => {
                let (section, flags) = (self.bytes.number()?, self.bytes.number()?);
                let answer = Answer {
                    asked: flags & WAS_ASKED != 0,
                    valid: flags & WAS_VALID != 0,
                    writing: flags & WAS_WRITING != 0,
                    released: self.bytes.number()?,
                };
                Event::Asked {
                    thread,
                    section,
                    answer,
                }
            }
            _ if tag & !(SHARED | WITH_STACK) == NESTED => {
                let site = self.site_number()?;
                let object = self.bytes.number()?;
                let stack = self.stack_if(tag)?;
                Event::Nested {
                    thread,
                    object,
                    shared,
                    at: Place { site, stack },
                }
            }
            _ if matches!(
                tag & !(OF_ELEMENT | OF_STATE | WITH_STACK),
                ACCESS | PASSING | OPTIMISTIC | FROZEN
            ) =>
            {
                self.access(thread, tag)?
            }
            _ => return Err(Stop::Damaged("no such record")),
        })
    }

    fn flow_step(&mut self, tag: u8) -> Result<FlowStep, Stop> {
        let place = self.flow()?;
        Ok(match tag {
            FLOW_READ | FLOW_WRITE => {
                let variable = self.bytes.number()?;
                match tag {
                    FLOW_READ => FlowStep::Read { place, variable },
                    _ => FlowStep::Write { place, variable },
                }
            }
            FLOW_FORGET => FlowStep::Forget { flow: place },
            FLOW_PASS => FlowStep::Pass {
                flow: place,
                from: self.flow()?,
            },
            _ => FlowStep::Use {
                at: place,
                from: self.flow()?,
            },
        })
    }

    fn flow(&mut self) -> Result<FlowId, Stop> {
        let number = self.bytes.small()?;
        if number == 0 || number > self.flows {
            return Err(Stop::Damaged("a place of a flow that was not defined"));
        }
        Ok(number)
    }

    fn access(&mut self, thread: u32, tag: u8) -> Result<Event, Stop> {
        let site = self.site_number()?;
        let (shape, kind) = self.shape(site)?;
        let difference = unzigzag(self.bytes.number()?);
        let owner = self.owner.wrapping_add(difference as u64);
        let part = match tag & (OF_ELEMENT | OF_STATE) {
            0 => Part::Field(
                shape
                    .field
                    .ok_or(Stop::Damaged("an access of a field at a place without"))?,
            ),
            OF_ELEMENT => Part::Element(self.bytes.small()?),
            OF_STATE => Part::State,
            _ => return Err(Stop::Damaged("no such record")),
        };
        let stack = self.stack_if(tag)?;
        self.owner = owner;
        Ok(Event::Access {
            thread,
            kind,
            variable: Variable { owner, part },
            at: Place { site, stack },
            mark: Mark {
                passing: tag & !(OF_ELEMENT | OF_STATE | WITH_STACK) == PASSING,
                optimistic: tag & !(OF_ELEMENT | OF_STATE | WITH_STACK) == OPTIMISTIC,
                frozen: tag & !(OF_ELEMENT | OF_STATE | WITH_STACK) == FROZEN,
                ..shape.mark
            },
        })
    }

    fn shape(&self, site: u32) -> Result<(SiteShape, AccessKind), Stop> {
        let shape = (site as usize)
            .checked_sub(1)
            .and_then(|at| self.sites.get(at).copied());
        match shape.map(|s| (s, s.kind)) {
            Some((shape, EventKind::Read)) => Ok((shape, AccessKind::Read)),
            Some((shape, EventKind::Write)) => Ok((shape, AccessKind::Write)),
            _ => Err(Stop::Damaged("an access at a place that is none of one")),
        }
    }

    fn elements(&mut self, optimistic: bool) -> Result<(), Stop> {
        let Some(thread) = self.thread else {
            return Err(Stop::Damaged("an event of no thread"));
        };
        let site = self.site_number()?;
        let (shape, kind) = self.shape(site)?;
        let difference = unzigzag(self.bytes.number()?);
        let (first, count) = (self.bytes.small()?, self.bytes.small()?);
        self.owner = self.owner.wrapping_add(difference as u64);
        let event = Event::Access {
            thread,
            kind,
            variable: Variable {
                owner: self.owner,
                part: Part::Element(first),
            },
            at: Place { site, stack: 0 },
            mark: Mark {
                optimistic,
                ..shape.mark
            },
        };
        self.range = Some((event, count));
        Ok(())
    }

    fn next_of_range(&mut self) -> Option<Event> {
        let (event, left) = self.range.as_mut()?;
        let now = *event;
        if *left == 0 {
            self.range = None;
            return None;
        }
        *left -= 1;
        if let Event::Access { variable, .. } = event
            && let Part::Element(index) = &mut variable.part
        {
            *index = index.saturating_add(1);
        }
        Some(now)
    }

    fn site(&mut self) -> Result<Site, Stop> {
        let kind = match self.bytes.number()? {
            0 => EventKind::Read,
            1 => EventKind::Write,
            2 => EventKind::Lock,
            3 => EventKind::Call,
            _ => return Err(Stop::Damaged("no such kind of place")),
        };
        let marks = self.bytes.number()?;
        if marks > UPDATE | EXACT | ATOMIC | USES {
            return Err(Stop::Damaged("no such mark"));
        }
        let mark = Mark {
            update: marks & UPDATE != 0,
            exact: marks & EXACT != 0,
            atomic: marks & ATOMIC != 0,
            uses: marks & USES != 0,
            ..Mark::default()
        };
        let [class, method, descriptor] = [self.text()?, self.text()?, self.text()?].map(|t| t.to_string());
        let file = match self.bytes.number()? {
            0 => None,
            more => Some(self.text_of(more - 1)?.to_string()),
        };
        let line = self.bytes.small()?;
        let field = match self.bytes.number()? {
            0 => None,
            mark @ 1..=2 => Some(Field {
                class: self.text()?.to_string(),
                name: self.text()?.to_string(),
                kind: self.text()?.to_string(),
                is_static: mark == 2,
                number: self.bytes.small()?,
            }),
            _ => return Err(Stop::Damaged("no such kind of field")),
        };
        let named_by = match self.bytes.number()? {
            0 => AccessKind::Read,
            1 => AccessKind::Write,
            _ => return Err(Stop::Damaged("no such kind of access")),
        };
        let nth = self.bytes.small()?;
        let count = self.bytes.number()?;
        let mut repeated_at = Vec::new();
        for _ in 0..count {
            repeated_at.push(self.bytes.small()?);
        }
        self.sites.push(SiteShape {
            kind,
            mark,
            field: field.as_ref().map(|f| f.number),
        });
        Ok(Site {
            kind,
            mark,
            class,
            method,
            descriptor,
            file,
            line,
            field,
            named_by: (named_by, nth),
            repeated_at,
        })
    }

    fn text(&mut self) -> Result<Arc<str>, Stop> {
        let number = self.bytes.number()?;
        self.text_of(number)
    }

    fn text_of(&self, number: u64) -> Result<Arc<str>, Stop> {
        let at = usize::try_from(number).ok();
        let text = at.and_then(|at| self.texts.get(at).cloned());
        text.ok_or(Stop::Damaged("a text that was not defined"))
    }

    /// 0 stands for no place.
    fn site_number(&mut self) -> Result<u32, Stop> {
        let site = self.bytes.small()?;
        if site as usize <= self.sites.len() {
            Ok(site)
        } else {
            Err(Stop::Damaged("a place that was not defined"))
        }
    }

    fn stack_if(&mut self, tag: u8) -> Result<u32, Stop> {
        if tag & WITH_STACK != 0 {
            self.stack()
        } else {
            Ok(0)
        }
    }

    fn stack(&mut self) -> Result<u32, Stop> {
        let stack = self.bytes.small()?;
        if stack <= self.stacks {
            Ok(stack)
        } else {
            Err(Stop::Damaged("a stack that was not defined"))
        }
    }
}

struct Bytes<R> {
    input: R,
    /// How many were read.
    at: u64,
}

impl<R: BufRead> Bytes<R> {
    fn byte(&mut self) -> Result<u8, Stop> {
        loop {
            match self.input.fill_buf() {
                Ok(buffer) => {
                    let Some(&byte) = buffer.first() else {
                        return Err(Stop::Ends);
                    };
                    self.input.consume(1);
                    self.at += 1;
                    return Ok(byte);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Stop::Io(error)),
            }
        }
    }

    fn number(&mut self) -> Result<u64, Stop> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Stop::Damaged("a number is too large"))
    }

    fn small(&mut self) -> Result<u32, Stop> {
        u32::try_from(self.number()?).map_err(|_| Stop::Damaged("a number is too large"))
    }

    fn text(&mut self) -> Result<Arc<str>, Stop> {
        let length = self.number()?;
        // Not reserved at once: the length may be nonsense.
        let mut bytes = Vec::new();
        let read = (&mut self.input).take(length).read_to_end(&mut bytes);
        let read = read.map_err(Stop::Io)? as u64;
        self.at += read;
        if read < length {
            return Err(Stop::Ends);
        }
        let text = String::from_utf8(bytes).map_err(|_| Stop::Damaged("a text that is not UTF-8"))?;
        Ok(text.into())
    }
}
