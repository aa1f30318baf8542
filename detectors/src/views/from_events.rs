//! [`Views`] driven by the events of a run: which sections are open, and what is touched in them.

use super::{Cut, Section, Torn, Touch, Views};
use crate::AccessKind;
use crate::event::{Event, ObjectId};
use crate::hard_order::HardOrder;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct FromEvents {
    views: Views,
    hard: HardOrder,
    /// Of each thread, in the order of acquisition.
    open: FxHashMap<u32, Vec<Open>>,
}

struct Open {
    lock: ObjectId,
    /// Locks are re-entrant.
    depth: u32,
    outer: Vec<ObjectId>,
    touches: Vec<Touch>,
}

impl FromEvents {
    pub fn new(views: Views) -> FromEvents {
        FromEvents {
            views,
            ..FromEvents::default()
        }
    }

    pub fn event(&mut self, event: &Event) -> Vec<Torn> {
        self.hard.event(event);
        match *event {
            Event::Lock { thread, object, .. } => {
                let open = self.open.entry(thread).or_default();
                match open.iter_mut().find(|o| o.lock == object) {
                    Some(known) => known.depth += 1,
                    None => open.push(Open {
                        lock: object,
                        depth: 1,
                        outer: open.iter().map(|o| o.lock).collect(),
                        touches: Vec::new(),
                    }),
                }
            }
            Event::Unlock { thread, object, .. } => return self.unlock(thread, object),
            Event::Access {
                thread,
                kind,
                variable,
                at,
                mark,
            } => {
                let read = (kind == AccessKind::Write && mark.update).then_some(AccessKind::Read);
                for section in self.open.entry(thread).or_default() {
                    for kind in read.into_iter().chain([kind]) {
                        let mut known = section.touches.iter();
                        if !known.any(|t| t.variable == variable && t.kind == kind) {
                            section.touches.push(Touch { variable, kind, at });
                        }
                    }
                }
            }
            _ => {}
        }
        Vec::new()
    }

    pub fn cut(&self) -> Cut {
        self.views.cut()
    }

    fn unlock(&mut self, thread: u32, object: ObjectId) -> Vec<Torn> {
        let open = self.open.entry(thread).or_default();
        let Some(at) = open.iter().position(|o| o.lock == object) else {
            return Vec::new();
        };
        match open.get_mut(at) {
            Some(section) if section.depth > 1 => {
                section.depth -= 1;
                return Vec::new();
            }
            _ => {}
        }
        let mut section = open.remove(at);
        // Locks need not be given back in turn: who is gone has not been held all the time.
        for inner in open.iter_mut() {
            inner.outer.retain(|lock| *lock != object);
        }
        section.outer.retain(|lock| open.iter().any(|o| o.lock == *lock));
        self.views
            .section(&Section {
                thread,
                lock: object,
                outer: &section.outer,
                touches: &section.touches,
                moment: self.hard.moment(thread),
            })
            .found
    }
}
