//! The *hard order* of a run: what comes before what in every schedule, by thread start, join and other synchronisation
//! that is no lock. Locks may be taken in another order the next time.

use crate::clock::Clock;
use crate::event::{Event, ObjectId};
use rustc_hash::FxHashMap;

/// When: the thread's slot, its time, and its clock of the hard order, that is of all synchronisation but locks.
/// The time goes up after every release; threads that share a slot one after the other continue its time.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    pub slot: u32,
    pub time: u32,
    pub clock: &'a [u32],
}

impl Moment<'_> {
    /// Whether this has happened in every schedule when the other begins.
    pub fn is_before(&self, other: &Moment<'_>) -> bool {
        other.clock.get(self.slot as usize).copied().unwrap_or(0) >= self.time
    }
}

/// How many slots of ended threads are looked at for a new one.
const SLOTS_TRIED: usize = 64;

/// The hard order as the events of a run tell it.
#[derive(Default)]
pub struct HardOrder {
    index: FxHashMap<u32, usize>,
    threads: Vec<Thread>,
    /// What was released with an object.
    objects: FxHashMap<ObjectId, Clock>,
    slots: u32,
    /// Slots of ended threads with their last times.
    free: Vec<(u32, u32)>,
}

struct Thread {
    slot: u32,
    time: u32,
    clock: Clock,
    ended: bool,
}

impl HardOrder {
    pub fn event(&mut self, event: &Event) {
        match *event {
            Event::Fork { thread, child } => {
                let known = self.thread(thread).release();
                if self.index.contains_key(&child) {
                    // It did something before it was started, as far as the trace tells.
                    self.thread(child).clock.join(&known);
                } else {
                    self.start(child, known);
                }
            }
            Event::Join { thread, child } => {
                let known = self.thread(child).release();
                self.thread(thread).clock.join(&known);
            }
            Event::End { thread } => {
                let thread = self.thread(thread);
                if !thread.ended {
                    thread.ended = true;
                    let last = (thread.slot, thread.time);
                    self.free.push(last);
                }
            }
            Event::Release { thread, object } => {
                let known = self.thread(thread).release();
                self.objects.entry(object).or_default().join(&known);
            }
            Event::Acquire { thread, object } => {
                let at = self.index_of(thread);
                if let (Some(known), Some(thread)) = (self.objects.get(&object), self.threads.get_mut(at)) {
                    thread.clock.join(known);
                }
            }
            Event::Merge { object, of, .. } => {
                let mut both = Clock::default();
                for known in of.iter().filter_map(|o| self.objects.get(o)) {
                    both.join(known);
                }
                self.objects.insert(object, both);
            }
            Event::Begin { .. }
            | Event::Access { .. }
            | Event::Lock { .. }
            | Event::Unlock { .. }
            | Event::Observe { .. }
            | Event::Flag { .. }
            | Event::Flow { .. }
            | Event::Stamp { .. }
            | Event::Asked { .. }
            | Event::Nested { .. } => {}
        }
    }

    /// What the thread does now.
    pub fn moment(&mut self, thread: u32) -> Moment<'_> {
        let thread = self.thread(thread);
        Moment {
            slot: thread.slot,
            time: thread.time,
            clock: thread.clock.times(),
        }
    }

    /// How long clocks can be.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// A thread that comes after all that an ended one did goes on with its slot: to everybody else the two are one.
    fn start(&mut self, thread: u32, known: Clock) {
        let mut recent = self.free.iter().rev().take(SLOTS_TRIED);
        let usable = recent.position(|(slot, last)| known.get(*slot) >= *last);
        let (slot, time) = match usable {
            Some(from_end) => {
                let at = self.free.len() - 1 - from_end;
                let (slot, last) = self.free.swap_remove(at);
                (slot, last + 1)
            }
            None => (self.new_slot(), 1),
        };
        self.add(thread, slot, time, known);
    }

    fn new_slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots - 1
    }

    fn add(&mut self, thread: u32, slot: u32, time: u32, clock: Clock) -> usize {
        self.index.insert(thread, self.threads.len());
        self.threads.push(Thread {
            slot,
            time,
            clock,
            ended: false,
        });
        self.threads.len() - 1
    }

    fn index_of(&mut self, thread: u32) -> usize {
        match self.index.get(&thread) {
            Some(&index) => index,
            None => {
                let slot = self.new_slot();
                self.add(thread, slot, 1, Clock::default())
            }
        }
    }

    #[expect(clippy::indexing_slicing, reason = "`index_of` gives indices that are there")]
    fn thread(&mut self, thread: u32) -> &mut Thread {
        let index = self.index_of(thread);
        &mut self.threads[index]
    }
}

impl Thread {
    /// What others learn from this thread; what it does from now on is not part of it.
    fn release(&mut self) -> Clock {
        let mut known = self.clock.clone();
        known.set(self.slot, self.time);
        // Who has ended does no more, and its slot may be another's by now.
        if !self.ended {
            self.time += 1;
        }
        known
    }
}
