//! The races of a script by the order of the memory model, written down as directly as can be: a vector clock for each
//! thread, a list of all accesses, every pair compared.

use super::expected::{Expected, Pair, pair};
use super::script::{Action, Hold, Kind, Lock, Script};
use super::sync::Sync;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What each thread has seen of each thread.
type Clock = Vec<u32>;

/// One execution of a site: an update is a read and a write.
#[derive(Debug, Clone)]
struct Access {
    thread: usize,
    time: u32,
    site: usize,
    is_write: bool,
    clock: Clock,
    locks: BTreeSet<Lock>,
}

impl Access {
    /// Of two accesses, this one being the earlier.
    fn is_ordered_before(&self, later: &Access) -> bool {
        self.thread == later.thread || later.clock[self.thread] >= self.time
    }

    fn conflicts(&self, other: &Access) -> bool {
        self.thread != other.thread && (self.is_write || other.is_write)
    }
}

/// The races of the script's run.
pub fn races(script: &Script, lines: &[u32]) -> Expected {
    let mut expected = Expected::default();
    for accesses in by_variable(script).values() {
        for (at, this) in accesses.iter().enumerate() {
            let before = &accesses[..at];
            let with = |other: &Access| show(script, lines, this, other);
            let is_race = |other: &&Access| other.conflicts(this) && !other.is_ordered_before(this);
            expected.allowed.extend(before.iter().filter(is_race).map(with));
            // A detector keeps the last write, and of the reads since then those that no other read follows. Which of a
            // thread's accesses between two releases stands for it is its own choice.
            for kept in kept(before).into_iter().filter(is_race) {
                let same_thread = before.iter().filter(|other| other.thread == kept.thread);
                expected
                    .one_of
                    .push(same_thread.filter(is_race).map(with).collect());
            }
        }
    }
    expected
}

/// Pairs that are ordered, but perhaps by nothing but the chance order of critical sections: no lock in common.
pub fn perhaps(script: &Script, lines: &[u32]) -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    for accesses in by_variable(script).values() {
        for (at, this) in accesses.iter().enumerate() {
            let unprotected = |other: &&Access| {
                other.conflicts(this) && other.is_ordered_before(this) && other.locks.is_disjoint(&this.locks)
            };
            let found = accesses[..at].iter().filter(unprotected);
            pairs.extend(found.map(|other| show(script, lines, this, other)));
        }
    }
    pairs
}

fn show(script: &Script, lines: &[u32], a: &Access, b: &Access) -> Pair {
    pair(script.sites[a.site].field, lines[a.site], lines[b.site])
}

fn kept(accesses: &[Access]) -> Vec<&Access> {
    let write = accesses.iter().rposition(|a| a.is_write);
    let mut reads: BTreeMap<usize, &Access> = BTreeMap::new();
    for read in &accesses[write.map_or(0, |w| w + 1)..] {
        reads.insert(read.thread, read);
    }
    let reads: Vec<&Access> = reads.into_values().collect();
    let is_last = |a: &&&Access| {
        !reads
            .iter()
            .any(|b| a.thread != b.thread && a.is_ordered_before(b))
    };
    let mut kept: Vec<&Access> = reads.iter().filter(is_last).copied().collect();
    kept.extend(write.map(|w| &accesses[w]));
    kept
}

fn by_variable(script: &Script) -> BTreeMap<(usize, usize, usize), Vec<Access>> {
    let mut order = Order::new(script.threads.len());
    let mut accesses: BTreeMap<_, Vec<Access>> = BTreeMap::new();
    for &(thread, action) in &script.run {
        let Action::Access { site, object, .. } = action else {
            order.observe(thread, action);
            continue;
        };
        let here = script.sites[site];
        // A static field is one variable, whatever object it is reached through.
        let object = if script.fields[here.field].is_static {
            0
        } else {
            object
        };
        let variable = (object, here.field, here.element);
        for is_write in [false, true] {
            if here.kind == Kind::Update || is_write == (here.kind == Kind::Write) {
                accesses.entry(variable).or_default().push(Access {
                    thread,
                    time: order.clocks[thread][thread],
                    site,
                    is_write,
                    clock: order.clocks[thread].clone(),
                    locks: order.protecting(thread, is_write),
                });
            }
        }
    }
    accesses
}

struct Order {
    clocks: Vec<Clock>,
    held: Vec<Vec<Hold>>,
    /// What was released by unlocking exclusively, and by unlocking at all.
    unlocked: BTreeMap<Lock, Clock>,
    unlocked_shared: BTreeMap<Lock, Clock>,
    /// By a volatile variable, an atomic, a latch or a semaphore, named by an operation on it.
    released: BTreeMap<Sync, Clock>,
    queues: BTreeMap<usize, VecDeque<Clock>>,
}

impl Order {
    fn new(threads: usize) -> Order {
        let clock = |thread| (0..threads).map(|t| u32::from(t == thread)).collect();
        Order {
            clocks: (0..threads).map(clock).collect(),
            held: vec![Vec::new(); threads],
            unlocked: BTreeMap::new(),
            unlocked_shared: BTreeMap::new(),
            released: BTreeMap::new(),
            queues: BTreeMap::new(),
        }
    }

    /// The locks that protect an access: a read lock protects reads only.
    fn protecting(&self, thread: usize, is_write: bool) -> BTreeSet<Lock> {
        let held = self.held[thread].iter().filter(|h| !(h.shared && is_write));
        held.map(|h| h.lock).collect()
    }

    fn observe(&mut self, thread: usize, action: Action) {
        match action {
            Action::Access { .. } => {}
            Action::Start(child) => {
                let clock = self.clocks[thread].clone();
                join(&mut self.clocks[child], Some(&clock));
                self.step(thread);
            }
            Action::Lock(hold) => {
                if !hold.shared {
                    join(&mut self.clocks[thread], self.unlocked_shared.get(&hold.lock));
                }
                join(&mut self.clocks[thread], self.unlocked.get(&hold.lock));
                self.held[thread].push(hold);
            }
            Action::Unlock(hold) => {
                if let Some(at) = self.held[thread].iter().rposition(|h| *h == hold) {
                    self.held[thread].remove(at);
                }
                let map = if hold.shared {
                    &mut self.unlocked_shared
                } else {
                    &mut self.unlocked
                };
                // Others see it when the last of nested holds is gone; nobody can look before.
                join(map.entry(hold.lock).or_default(), Some(&self.clocks[thread]));
                self.step(thread);
            }
            Action::Sync(sync) => self.sync(thread, sync),
        }
    }

    fn sync(&mut self, thread: usize, sync: Sync) {
        match sync {
            Sync::VolatileWrite(i) => self.release(thread, Sync::VolatileWrite(i)),
            Sync::VolatileRead(i) => self.acquire(thread, Sync::VolatileWrite(i)),
            Sync::Update(_) => {
                self.acquire(thread, sync);
                self.release(thread, sync);
            }
            Sync::CountDown(_) | Sync::Release(_) => self.release(thread, sync),
            Sync::Await(i) => self.acquire(thread, Sync::CountDown(i)),
            Sync::Acquire(i) => self.acquire(thread, Sync::Release(i)),
            Sync::Put(i) => {
                let clock = self.clocks[thread].clone();
                self.queues.entry(i).or_default().push_back(clock);
                self.step(thread);
            }
            Sync::Take(i) => {
                let element = self.queues.entry(i).or_default().pop_front();
                join(&mut self.clocks[thread], element.as_ref());
            }
            Sync::Join(child) => {
                let ended = self.clocks[child].clone();
                join(&mut self.clocks[thread], Some(&ended));
            }
        }
    }

    fn release(&mut self, thread: usize, on: Sync) {
        join(self.released.entry(on).or_default(), Some(&self.clocks[thread]));
        self.step(thread);
    }

    fn acquire(&mut self, thread: usize, of: Sync) {
        join(&mut self.clocks[thread], self.released.get(&of));
    }

    fn step(&mut self, thread: usize) {
        self.clocks[thread][thread] += 1;
    }
}

fn join(into: &mut Clock, from: Option<&Clock>) {
    for (t, time) in from.into_iter().flatten().enumerate() {
        if into.len() <= t {
            into.resize(t + 1, 0);
        }
        into[t] = into[t].max(*time);
    }
}
