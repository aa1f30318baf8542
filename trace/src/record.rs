//! What a trace consists of.

use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, Mark};
use racewire_model::finding::EventKind;

/// Definitions come before their use, everything else in the order in which it happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// The first one.
    Process(Process),
    Define(Definition),
    Event(Event),
    /// The last one of a process that ended in good order.
    End,
}

/// Whose run it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Process {
    pub pid: u64,
    pub started_ms: u64,
    pub java: String,
    /// What the weaver had to leave as it was.
    pub unwoven: u64,
    /// What the source says is meant, as findings files list it.
    pub annotated: Vec<String>,
    /// For which detectors it was recorded, joined by commas; empty: it has all events.
    pub detectors: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Definition {
    /// Sites are numbered from 1 in the order of their definitions; 0 is no place.
    Site(Site),
    /// Frames, innermost first; numbered from 1 in the order of their definitions; 0 is no stack.
    Stack(Vec<String>),
    /// A place of a flow, as the weaver has written it; numbered from 1 in the order of their definitions.
    Flow(String),
    /// `com.acme.Account@1f2e`. An object without a description is known by its number only.
    Object { object: u64, description: String },
    Thread {
        thread: u32,
        name: String,
        /// The stack of its start.
        started_at: u32,
    },
}

/// A static place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Site {
    pub kind: EventKind,
    /// Of accesses here; whether they are kept is told of each.
    pub mark: Mark,
    /// Dotted.
    pub class: String,
    pub method: String,
    pub descriptor: String,
    pub file: Option<String>,
    /// 0 where the class file does not say.
    pub line: u32,
    /// The field that is read or written.
    pub field: Option<Field>,
    /// What stands for the place in a fingerprint: its write if it has one, else its read, and which of the method's
    /// accesses of that kind to that field it is.
    pub named_by: (AccessKind, u32),
    /// Lines of the same method that repeat the access.
    pub repeated_at: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// The class that declares it, dotted; of elements the type of the array.
    pub class: String,
    /// Empty: the elements of an array.
    pub name: String,
    /// As in source: `int`, `java.lang.String[]`.
    pub kind: String,
    pub is_static: bool,
    /// What [`racewire_detectors::event::Part::Field`] says of its variables; the writer's choice.
    pub number: u32,
}
