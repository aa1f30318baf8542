//! Operations that order threads without locks, for detectors that know the order of the memory model.

use super::random::Random;
use std::collections::BTreeMap;

/// One operation; the number says on which variable, latch, queue, semaphore or thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sync {
    VolatileRead(usize),
    VolatileWrite(usize),
    /// An atomic increment: it reads and writes.
    Update(usize),
    CountDown(usize),
    Await(usize),
    Put(usize),
    Take(usize),
    Release(usize),
    Acquire(usize),
    /// The thread with this number has ended.
    Join(usize),
}

impl Sync {
    /// Anything but a join, on one of `count` objects of each kind.
    pub fn random(random: &mut Random, count: usize) -> Sync {
        let kinds = [
            Sync::VolatileRead,
            Sync::VolatileWrite,
            Sync::Update,
            Sync::CountDown,
            Sync::Await,
            Sync::Put,
            Sync::Take,
            Sync::Release,
            Sync::Acquire,
        ];
        kinds[random.below(kinds.len())](random.below(count))
    }

    /// The Java statement; `script` is the name of the class.
    pub fn java(self, script: &str) -> String {
        match self {
            Sync::VolatileRead(i) => format!("int x{i} = v{i};"),
            Sync::VolatileWrite(i) => format!("v{i} = 1;"),
            Sync::Update(i) => format!("u{i}.incrementAndGet();"),
            Sync::CountDown(i) => format!("l{i}.countDown();"),
            Sync::Await(i) => format!("l{i}.await();"),
            Sync::Put(i) => format!("q{i}.add(new Object());"),
            Sync::Take(i) => format!("q{i}.remove();"),
            Sync::Release(i) => format!("s{i}.release();"),
            Sync::Acquire(i) => format!("s{i}.acquire();"),
            Sync::Join(i) => format!("BATON.named(\"{script}-t{i}\").join();"),
        }
    }

    /// The declaration of object `i` of each kind; a latch waits for all `count_downs`.
    pub fn declarations(i: usize, count_downs: usize) -> [String; 5] {
        [
            format!("static volatile int v{i};"),
            format!("static final AtomicInteger u{i} = new AtomicInteger();"),
            format!("static final CountDownLatch l{i} = new CountDownLatch({count_downs});"),
            format!("static final Queue<Object> q{i} = new LinkedBlockingQueue<>();"),
            format!("static final Semaphore s{i} = new Semaphore(0);"),
        ]
    }
}

/// What the scheduler must know so that no thread ever waits.
#[derive(Debug, Default)]
pub struct Waiting {
    /// `CountDown`s that are still to come, per latch.
    counts: BTreeMap<usize, usize>,
    elements: BTreeMap<usize, usize>,
    permits: BTreeMap<usize, usize>,
}

impl Waiting {
    pub fn new(count_downs: BTreeMap<usize, usize>) -> Waiting {
        Waiting {
            counts: count_downs,
            ..Waiting::default()
        }
    }

    /// Whether the operation comes back at once; `ended` are the threads that have nothing left to do.
    pub fn possible(&self, sync: Sync, ended: &[bool]) -> bool {
        let some = |map: &BTreeMap<usize, usize>, i| map.get(&i).is_some_and(|n| *n > 0);
        match sync {
            Sync::Await(i) => !some(&self.counts, i),
            Sync::Take(i) => some(&self.elements, i),
            Sync::Acquire(i) => some(&self.permits, i),
            Sync::Join(i) => ended.get(i).copied().unwrap_or_default(),
            _ => true,
        }
    }

    pub fn perform(&mut self, sync: Sync) {
        match sync {
            Sync::CountDown(i) => *self.counts.entry(i).or_insert(1) -= 1,
            Sync::Put(i) => *self.elements.entry(i).or_default() += 1,
            Sync::Take(i) => *self.elements.entry(i).or_insert(1) -= 1,
            Sync::Release(i) => *self.permits.entry(i).or_default() += 1,
            Sync::Acquire(i) => *self.permits.entry(i).or_insert(1) -= 1,
            _ => {}
        }
    }
}
