//! A trace as text, one event per line, for people.

use crate::record::Record;
use crate::tables::Tables;
use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, FlowStep, Part, Place, Variable};
use racewire_model::flows::Place as Flow;

/// Gives each event its line; definitions are only remembered.
#[derive(Default)]
pub struct Dump {
    tables: Tables,
}

impl Dump {
    pub fn line(&mut self, record: &Record) -> Option<String> {
        self.tables.record(record);
        match record {
            Record::Process(process) => Some(format!(
                "process {}, started at {} ms, Java {}",
                process.pid, process.started_ms, process.java
            )),
            Record::Define(_) => None,
            Record::Event(event) => Some(self.event(event)),
            Record::End => Some("end".to_owned()),
        }
    }

    fn event(&self, event: &Event) -> String {
        let name = |object| self.tables.object(object);
        let what = match *event {
            Event::Fork { child, .. } => format!("starts {}", self.thread(child)),
            Event::Begin { .. } => "begins".to_owned(),
            Event::End { .. } => "ends".to_owned(),
            Event::Join { child, .. } => format!("has seen the end of {}", self.thread(child)),
            Event::Lock {
                object,
                shared,
                tried,
                at,
                ..
            } => {
                let (mode, tried) = (mode(shared), if tried { ", tried" } else { "" });
                format!(
                    "locks {}{mode}{tried}{}",
                    self.tables.object(object),
                    self.place(at)
                )
            }
            Event::Unlock { object, shared, .. } => {
                format!("unlocks {}{}", self.tables.object(object), mode(shared))
            }
            Event::Acquire { object, .. } => format!("acquires {}", self.tables.object(object)),
            Event::Release { object, .. } => format!("releases {}", self.tables.object(object)),
            Event::Access {
                kind,
                variable,
                at,
                mark,
                ..
            } => {
                let verb = match kind {
                    AccessKind::Read => "reads",
                    AccessKind::Write => "writes",
                };
                let way = if mark.frozen {
                    ", by way of a final field"
                } else {
                    ""
                };
                format!("{verb} {}{}{way}", self.variable(variable, at), self.place(at))
            }
            Event::Merge {
                object, of: [a, b], ..
            } => format!("puts {} and {} together as {}", name(a), name(b), name(object)),
            Event::Flow { step, .. } => self.step(step),
            Event::Observe { .. } => "has seen what was done under its locks".to_owned(),
            Event::Flag { kind, object, .. } => match kind {
                AccessKind::Read => format!("looks at {}", name(object)),
                AccessKind::Write => format!("sets {}", name(object)),
            },
            Event::Stamp { lock, .. } => format!("reads what {} guards, optimistically", name(lock)),
            Event::Asked { answer, .. } => match (answer.asked, answer.valid) {
                (true, true) => "finds its optimistic read valid".to_owned(),
                (true, false) => "finds its optimistic read invalid".to_owned(),
                (false, _) => "gives up an optimistic read".to_owned(),
            },
            Event::Nested { object, at, .. } => {
                format!("has waited for {}{}", name(object), self.place(at))
            }
        };
        format!("{}: {what}", self.thread(event.thread()))
    }

    fn step(&self, step: FlowStep) -> String {
        let at = |flow| match Flow::decode(self.tables.flow(flow)) {
            Some(place) => format!("{}.{}:{}", place.class, place.method, place.line),
            None => format!("place {flow}"),
        };
        let object = |variable| self.tables.object(variable);
        match step {
            FlowStep::Read { place, variable } => {
                format!("reads a value of {} at {}", object(variable), at(place))
            }
            FlowStep::Write { place, variable } => {
                format!("writes a value of {} at {}", object(variable), at(place))
            }
            FlowStep::Forget { flow } => format!("will read anew at {}", at(flow)),
            FlowStep::Pass { flow, from } => format!("has at {} what came from {}", at(flow), at(from)),
            FlowStep::Use { at: place, from } => format!("uses at {} what came from {}", at(place), at(from)),
        }
    }

    fn thread(&self, thread: u32) -> String {
        match self.tables.thread_name(thread) {
            "" => format!("thread {thread}"),
            name => format!("thread {thread} \"{name}\""),
        }
    }

    fn variable(&self, variable: Variable, at: Place) -> String {
        let owner = self.tables.object(variable.owner);
        let field = self.tables.site(at.site).and_then(|s| s.field.as_ref());
        match (variable.part, field) {
            (Part::Field(_), Some(field)) if field.is_static => format!("{}.{}", field.class, field.name),
            (Part::Field(_), Some(field)) => format!("{}.{} of {owner}", field.class, field.name),
            (Part::Field(number), None) => format!("field {number} of {owner}"),
            (Part::Element(index), _) => format!("{owner}[{index}]"),
            (Part::State, _) => owner,
        }
    }

    fn place(&self, at: Place) -> String {
        match self.tables.site(at.site) {
            Some(site) => format!(" at {}", site.frame()),
            None => String::new(),
        }
    }
}

fn mode(shared: bool) -> &'static str {
    if shared { " for reading" } else { "" }
}
