//! Writing a trace. The caller gives the order: it calls under a lock of its own, at the moment when the event happens.

use crate::format::*;
use crate::record::{Definition, Process, Record, Site};
use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, FlowStep, Mark, Part, Place};
use racewire_model::finding::EventKind;
use rustc_hash::FxHashMap;
use std::io::{self, Write};
use std::sync::Arc;

/// Every record is handed to `out` as a whole; a writer that buffers decides what a killed process loses.
pub struct TraceWriter<W: Write> {
    out: W,
    /// The record in the making, with the texts it needs before it.
    buffer: Vec<u8>,
    texts: FxHashMap<Arc<str>, u64>,
    stacks: FxHashMap<Box<[u64]>, u32>,
    sites: u32,
    flows: u32,
    thread: Option<u32>,
    owner: u64,
}

impl<W: Write> TraceWriter<W> {
    pub fn new(mut out: W, process: &Process) -> io::Result<TraceWriter<W>> {
        out.write_all(MAGIC)?;
        out.write_all(&[VERSION])?;
        let mut writer = TraceWriter {
            out,
            buffer: Vec::new(),
            texts: FxHashMap::default(),
            stacks: FxHashMap::default(),
            sites: 0,
            flows: 0,
            thread: None,
            owner: 0,
        };
        let [java, detectors] = [&process.java, &process.detectors].map(|t| writer.text(t));
        let mut numbers = vec![process.pid, process.started_ms, java, process.unwoven, detectors];
        numbers.push(process.annotated.len() as u64);
        numbers.extend(process.annotated.iter().map(|element| writer.text(element)));
        writer.put(PROCESS, &numbers)?;
        Ok(writer)
    }

    /// The number of the site.
    pub fn site(&mut self, site: &Site) -> io::Result<u32> {
        let [class, method, descriptor] = [&site.class, &site.method, &site.descriptor].map(|t| self.text(t));
        let file = site.file.as_ref().map_or(0, |f| self.text(f) + 1);
        let mut numbers = vec![kind_number(site.kind), mark_number(site.mark)];
        numbers.extend([class, method, descriptor, file]);
        numbers.push(u64::from(site.line));
        match &site.field {
            None => numbers.push(0),
            Some(field) => {
                let [class, name, kind] = [&field.class, &field.name, &field.kind].map(|t| self.text(t));
                let mark = 1 + u64::from(field.is_static);
                numbers.extend([mark, class, name, kind, u64::from(field.number)]);
            }
        }
        let (named_by, nth) = site.named_by;
        let named_by = u64::from(named_by == AccessKind::Write);
        numbers.extend([named_by, u64::from(nth), site.repeated_at.len() as u64]);
        numbers.extend(site.repeated_at.iter().map(|line| u64::from(*line)));
        self.put(SITE, &numbers)?;
        self.sites += 1;
        Ok(self.sites)
    }

    /// The number of the stack; equal ones have the same.
    pub fn stack<S: AsRef<str>>(&mut self, frames: &[S]) -> io::Result<u32> {
        let frames: Box<[u64]> = frames.iter().map(|f| self.text(f.as_ref())).collect();
        if let Some(&number) = self.stacks.get(&frames) {
            return Ok(number);
        }
        let mut numbers = vec![frames.len() as u64];
        numbers.extend(&frames);
        self.put(STACK, &numbers)?;
        let number = self.stacks.len() as u32 + 1;
        self.stacks.insert(frames, number);
        Ok(number)
    }

    /// The number of the place of a flow; the caller defines each once.
    pub fn flow(&mut self, text: &str) -> io::Result<u32> {
        let text = self.text(text);
        self.put(FLOW, &[text])?;
        self.flows += 1;
        Ok(self.flows)
    }

    pub fn object(&mut self, object: u64, description: &str) -> io::Result<()> {
        let (text, hash) = split_description(description);
        let text = self.text(text);
        self.put(OBJECT, &[object, text, hash.map_or(0, |h| u64::from(h) + 1)])
    }

    pub fn thread(&mut self, thread: u32, name: &str, started_at: u32) -> io::Result<()> {
        let name = self.text(name);
        self.put(THREAD, &[u64::from(thread), name, u64::from(started_at)])
    }

    /// Sites and stacks must have been defined. The kind of an access and the field of its variable are those of its
    /// site.
    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        self.switch(event.thread());
        let shared_bit = |shared: bool| if shared { SHARED } else { 0 };
        match *event {
            Event::Fork { child, .. } => self.put(FORK, &[u64::from(child)]),
            Event::Begin { .. } => self.put(BEGIN, &[]),
            Event::End { .. } => self.put(THREAD_END, &[]),
            Event::Join { child, .. } => self.put(JOIN, &[u64::from(child)]),
            Event::Release { object, .. } => self.put(RELEASE, &[object]),
            Event::Acquire { object, .. } => self.put(ACQUIRE, &[object]),
            Event::Unlock { object, shared, .. } => self.put(UNLOCK | shared_bit(shared), &[object]),
            Event::Lock {
                object,
                shared,
                tried,
                at,
                ..
            } => {
                let tried = if tried { TRIED } else { 0 };
                self.placed(LOCK | shared_bit(shared) | tried, at, &[object])
            }
            Event::Access {
                variable, at, mark, ..
            } => {
                let difference = self.difference(variable.owner);
                let access = match mark {
                    Mark { optimistic: true, .. } => OPTIMISTIC,
                    Mark { passing: true, .. } => PASSING,
                    Mark { frozen: true, .. } => FROZEN,
                    _ => ACCESS,
                };
                match variable.part {
                    Part::Field(_) => self.placed(access, at, &[difference]),
                    Part::Element(index) => {
                        self.placed(access | OF_ELEMENT, at, &[difference, u64::from(index)])
                    }
                    Part::State => self.placed(access | OF_STATE, at, &[difference]),
                }
            }
            Event::Merge {
                object, of: [a, b], ..
            } => self.put(MERGE, &[object, a, b]),
            Event::Observe { .. } => self.put(OBSERVE, &[]),
            Event::Flag { kind, object, .. } => match kind {
                AccessKind::Read => self.put(FLAG_READ, &[object]),
                AccessKind::Write => self.put(FLAG_WRITE, &[object]),
            },
            Event::Flow { step, .. } => match step {
                FlowStep::Read { place, variable } => self.put(FLOW_READ, &[u64::from(place), variable]),
                FlowStep::Write { place, variable } => self.put(FLOW_WRITE, &[u64::from(place), variable]),
                FlowStep::Forget { flow } => self.put(FLOW_FORGET, &[u64::from(flow)]),
                FlowStep::Pass { flow, from } => self.put(FLOW_PASS, &[u64::from(flow), u64::from(from)]),
                FlowStep::Use { at, from } => self.put(FLOW_USE, &[u64::from(at), u64::from(from)]),
            },
            Event::Stamp { lock, section, .. } => self.put(STAMP, &[lock, section]),
            Event::Asked { section, answer, .. } => {
                let flags = [
                    (answer.asked, WAS_ASKED),
                    (answer.valid, WAS_VALID),
                    (answer.writing, WAS_WRITING),
                ];
                let flags = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| flag).sum();
                self.put(ASKED, &[section, flags, answer.released])
            }
            Event::Nested {
                object, shared, at, ..
            } => self.placed(NESTED | shared_bit(shared), at, &[object]),
        }
    }

    /// Accesses of elements `from` to `to` (exclusive) of one array.
    pub fn elements(
        &mut self,
        thread: u32,
        (site, optimistic): (u32, bool),
        owner: u64,
        (from, to): (u32, u32),
    ) -> io::Result<()> {
        self.switch(thread);
        let difference = self.difference(owner);
        let count = u64::from(to.saturating_sub(from));
        self.put(
            ELEMENTS + u8::from(optimistic),
            &[u64::from(site), difference, u64::from(from), count],
        )
    }

    fn switch(&mut self, thread: u32) {
        if self.thread != Some(thread) {
            self.thread = Some(thread);
            self.add(SWITCH, &[u64::from(thread)]);
        }
    }

    fn difference(&mut self, owner: u64) -> u64 {
        let difference = zigzag(owner.wrapping_sub(self.owner) as i64);
        self.owner = owner;
        difference
    }

    /// The process ends in good order.
    pub fn end(&mut self) -> io::Result<()> {
        self.put(END, &[])?;
        self.out.flush()
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Whatever a reader gave; numbers of sites and stacks are those it had there.
    pub fn record(&mut self, record: &Record) -> io::Result<()> {
        match record {
            // It was written first.
            Record::Process(_) => Ok(()),
            Record::Define(Definition::Site(site)) => self.site(site).map(drop),
            Record::Define(Definition::Stack(frames)) => self.stack(frames).map(drop),
            Record::Define(Definition::Flow(text)) => self.flow(text).map(drop),
            Record::Define(Definition::Object { object, description }) => self.object(*object, description),
            Record::Define(Definition::Thread {
                thread,
                name,
                started_at,
            }) => self.thread(*thread, name, *started_at),
            Record::Event(event) => self.event(event),
            Record::End => self.end(),
        }
    }

    pub fn into_inner(self) -> W {
        self.out
    }

    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    fn placed(&mut self, tag: u8, at: Place, rest: &[u64]) -> io::Result<()> {
        let tag = if at.stack == 0 { tag } else { tag | WITH_STACK };
        self.add(tag, &[u64::from(at.site)]);
        for &number in rest {
            put_number(&mut self.buffer, number);
        }
        if at.stack != 0 {
            put_number(&mut self.buffer, u64::from(at.stack));
        }
        self.write()
    }

    /// Defines the text if it is new.
    fn text(&mut self, text: &str) -> u64 {
        if let Some(&number) = self.texts.get(text) {
            return number;
        }
        let number = self.texts.len() as u64;
        self.texts.insert(text.into(), number);
        self.add(TEXT, &[text.len() as u64]);
        self.buffer.extend_from_slice(text.as_bytes());
        number
    }

    fn put(&mut self, tag: u8, numbers: &[u64]) -> io::Result<()> {
        self.add(tag, numbers);
        self.write()
    }

    fn add(&mut self, tag: u8, numbers: &[u64]) {
        self.buffer.push(tag);
        for &number in numbers {
            put_number(&mut self.buffer, number);
        }
    }

    fn write(&mut self) -> io::Result<()> {
        let written = self.out.write_all(&self.buffer);
        self.buffer.clear();
        written
    }
}

fn put_number(buffer: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        buffer.push(number as u8 | 0x80);
        number >>= 7;
    }
    buffer.push(number as u8);
}

fn mark_number(mark: Mark) -> u64 {
    let bits = [
        (mark.update, UPDATE),
        (mark.exact, EXACT),
        (mark.atomic, ATOMIC),
        (mark.uses, USES),
    ];
    bits.iter().filter(|(set, _)| *set).map(|(_, bit)| bit).sum()
}

fn kind_number(kind: EventKind) -> u64 {
    match kind {
        EventKind::Read => 0,
        EventKind::Write => 1,
        EventKind::Lock => 2,
        EventKind::Call => 3,
    }
}
