//! Random runs with everything in them that orders threads: valid by construction, whatever numbers they are made of.

use proptest::prelude::*;
use racewire_detectors::AccessKind;
use racewire_detectors::event::{Event, Mark, Part, Place, Variable};
use std::collections::BTreeMap;

const LOCKS: u64 = 4;
const FIRST_LOCK: u64 = 1000;
const OBJECTS: u64 = 3;
const FIRST_OBJECT: u64 = 2000;
/// Per variable; odd ones write.
const SITES: u32 = 6;
const LIVING: usize = 6;

/// Runs of up to `length` steps.
pub fn run(length: usize) -> impl Strategy<Value = Vec<Event>> {
    of_steps(length, 22)
}

/// The same with critical sections that look at flags and set them.
pub fn run_with_doors(length: usize) -> impl Strategy<Value = Vec<Event>> {
    of_steps(length, 26)
}

fn of_steps(length: usize, kinds: u8) -> impl Strategy<Value = Vec<Event>> {
    let raw = (0..kinds, any::<u8>(), any::<u8>(), any::<u8>());
    (
        prop::collection::vec(raw, 1..length),
        1..6u32,
        prop_oneof![Just(0), Just(200), Just(250), Just(255u8)],
    )
        .prop_map(|(raw, variables, care)| build(&raw, variables, care))
}

/// Each event with its number as the stack of its place, so that findings name events.
pub fn numbered(run: &[Event]) -> Vec<Event> {
    let mut run = run.to_vec();
    for (number, event) in run.iter_mut().enumerate() {
        if let Event::Access { at, .. } | Event::Lock { at, .. } = event {
            at.stack = number as u32 + 1;
        }
    }
    run
}

#[derive(Default)]
struct World {
    run: Vec<Event>,
    living: Vec<u32>,
    ended: Vec<u32>,
    threads: u32,
    /// In order of acquisition.
    held: BTreeMap<u32, Vec<(u64, bool)>>,
}

impl World {
    fn may_lock(&self, thread: u32, object: u64, shared: bool) -> bool {
        let mut others = self.held.iter().filter(|(t, _)| **t != thread);
        let free = others.all(|(_, held)| held.iter().all(|&(o, s)| o != object || (s && shared)));
        // Nobody gets a write lock while holding the read lock.
        let upgrade = !shared
            && self
                .held
                .get(&thread)
                .is_some_and(|held| held.contains(&(object, true)) && !held.contains(&(object, false)));
        free && !upgrade
    }

    /// Whether the thread has got it.
    fn lock(&mut self, thread: u32, object: u64, shared: bool, c: u8) -> bool {
        let free = self.may_lock(thread, object, shared);
        if free {
            self.held.entry(thread).or_default().push((object, shared));
            self.run.push(Event::Lock {
                thread,
                object,
                shared,
                tried: c % 16 == 1,
                at: Place {
                    site: 500 + u32::from(c % 8),
                    stack: 0,
                },
            });
        }
        free
    }

    /// Two pieces of "who closes a door": a critical section that looks at a flag and accesses data, in either order, or one
    /// that sets the flag, with the data used afterwards.
    fn door(&mut self, thread: u32, flag: u32, data: u32, c: u8, looks: bool) {
        let lock = FIRST_LOCK + u64::from(flag) % LOCKS;
        if !self.lock(thread, lock, false, c) {
            return;
        }
        let (read, write) = (AccessKind::Read, AccessKind::Write);
        let pair = [(flag, read, 0), (data, write, (c % SITES as u8) | 1)];
        match (looks, c % 4) {
            (true, 0) => pair.iter().rev().for_each(|&a| self.access(thread, a)),
            (true, _) => pair.iter().for_each(|&a| self.access(thread, a)),
            (false, _) => self.access(thread, (flag, write, 1)),
        }
        self.unlock(thread, lock, false);
        if !looks {
            let (kind, site) = if c % 4 < 2 { (read, 2) } else { (write, 3) };
            self.access(thread, (data, kind, site));
        }
    }

    fn access(&mut self, thread: u32, (number, kind, site): (u32, AccessKind, u8)) {
        self.run.push(Event::Access {
            thread,
            kind,
            variable: variable(number),
            at: Place {
                site: number * SITES + u32::from(site),
                stack: 0,
            },
            mark: Mark::default(),
        });
    }

    fn unlock(&mut self, thread: u32, object: u64, shared: bool) {
        let held = self.held.entry(thread).or_default();
        if let Some(at) = held.iter().rposition(|h| *h == (object, shared)) {
            held.remove(at);
            self.run.push(Event::Unlock {
                thread,
                object,
                shared,
            });
        }
    }

    fn end(&mut self, thread: u32, seen: bool) {
        self.living.retain(|t| *t != thread);
        for (object, shared) in self.held.remove(&thread).unwrap_or_default().into_iter().rev() {
            self.run.push(Event::Unlock {
                thread,
                object,
                shared,
            });
        }
        if seen {
            self.run.push(Event::End { thread });
        }
        self.ended.push(thread);
    }

    fn fork(&mut self, thread: u32) {
        self.threads += 1;
        let child = self.threads;
        self.living.push(child);
        self.run.push(Event::Fork { thread, child });
    }
}

fn variable(number: u32) -> Variable {
    let part = match number % 3 {
        0 => Part::Field(number),
        1 => Part::Element(number),
        _ => Part::State,
    };
    Variable {
        owner: u64::from(number / 3),
        part,
    }
}

/// `care`: how many of 256 accesses are made under a lock, mostly the variable's own.
fn build(raw: &[(u8, u8, u8, u8)], variables: u32, care: u8) -> Vec<Event> {
    // Thread 50000 was started by nobody.
    let mut world = World {
        living: vec![0, 50_000],
        ..World::default()
    };
    world.fork(0);
    world.fork(0);
    for &(what, a, b, c) in raw {
        let thread = world.living[a as usize % world.living.len()];
        let object = FIRST_OBJECT + u64::from(b) % OBJECTS;
        match what {
            0..=1 if world.living.len() < LIVING => world.fork(thread),
            2 if world.living.len() > 2 => world.end(thread, c % 4 != 0),
            3 if !world.ended.is_empty() => {
                let child = world.ended[b as usize % world.ended.len()];
                world.run.push(Event::Join { thread, child });
            }
            4..=6 => {
                let (lock, shared) = (FIRST_LOCK + u64::from(b) % LOCKS, c % 3 == 0);
                world.lock(thread, lock, shared, c);
            }
            7..=9 => {
                let held = world.held.entry(thread).or_default();
                if !held.is_empty() {
                    let (object, shared) = held[b as usize % held.len()];
                    world.unlock(thread, object, shared);
                }
            }
            10 => {
                let lock = FIRST_LOCK + u64::from(b) % LOCKS;
                if world.lock(thread, lock, false, c) {
                    world.unlock(thread, lock, false);
                }
            }
            22..=25 => {
                let number = u32::from(b) % variables;
                world.door(thread, number, (number + 1) % variables, c, what < 24);
            }
            11 => world.run.push(Event::Release { thread, object }),
            12 => world.run.push(Event::Acquire { thread, object }),
            _ => {
                let number = u32::from(b) % variables;
                let site = number * SITES + u32::from(c) % SITES;
                let kind = if site % 2 == 1 {
                    AccessKind::Write
                } else {
                    AccessKind::Read
                };
                let lock = FIRST_LOCK + u64::from(number + u32::from(c > 252)) % LOCKS;
                let shared = kind == AccessKind::Read && c % 4 == 0;
                let locked = b.wrapping_mul(31) < care && world.lock(thread, lock, shared, c);
                world.run.push(Event::Access {
                    thread,
                    kind,
                    variable: variable(number),
                    at: Place { site, stack: 0 },
                    mark: Mark {
                        update: kind == AccessKind::Read && c % 5 == 0,
                        uses: kind == AccessKind::Write && c % 5 == 1,
                        ..Mark::default()
                    },
                });
                if locked {
                    world.unlock(thread, lock, shared);
                }
            }
        }
    }
    world.run
}
