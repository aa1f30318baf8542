//! Threads and access periods (paper, sections 4.4 and 4.5): a thread's period counts the threads it has
//! started, and the visibility relation says which periods a thread was handed at its start.

use crate::ids::ThreadId;
use crate::live::Living;

/// A thread between two starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Period {
    pub thread: ThreadId,
    /// How many threads it had started.
    pub index: u32,
}

/// Who started whom, 16 bytes per thread for ever: a thread's accesses may be compared long after its end.
#[derive(Default)]
pub struct Threads {
    started: Vec<Start>,
    living: Living,
}

#[derive(Clone, Copy)]
struct Start {
    /// Of the starting thread; a thread that nobody started names itself.
    parent: ThreadId,
    in_period: u32,
    /// A far ancestor, chosen so that any ancestor is reached in logarithmically many steps (skew-binary jump
    /// pointers): programs do build chains where each of a million short threads starts the next one.
    jump: ThreadId,
    depth: u32,
}

impl Threads {
    /// A thread, started in `parent` (`None`: by nobody we saw).
    pub fn add(&mut self, parent: Option<Period>) -> ThreadId {
        let id = ThreadId(u32::try_from(self.started.len()).unwrap_or(u32::MAX));
        let parent = parent.and_then(|p| Some((p, self.start_of(p.thread)?)));
        self.living.add(id, parent.is_none());
        let start = match parent {
            None => Start {
                parent: id,
                in_period: 0,
                jump: id,
                depth: 0,
            },
            Some((period, parent)) => {
                let far = self.start_of(parent.jump).unwrap_or(parent);
                // Two equal jumps in a row are joined into one of twice the length.
                let equal = parent.depth - far.depth == far.depth - self.depth_of(far.jump);
                let jump = if equal { far.jump } else { period.thread };
                Start {
                    parent: period.thread,
                    in_period: period.index,
                    jump,
                    depth: parent.depth + 1,
                }
            }
        };
        self.started.push(start);
        id
    }

    pub fn len(&self) -> usize {
        self.started.len()
    }

    pub fn is_empty(&self) -> bool {
        self.started.is_empty()
    }

    /// The thread has ended: it will neither access anything nor start anybody.
    pub fn bury(&mut self, thread: ThreadId) {
        self.living.bury(thread);
    }

    /// How many threads were started by nobody we saw.
    pub fn orphans(&self) -> u32 {
        self.living.orphans()
    }

    /// Whether a living thread cannot see what was done in `period`.
    pub fn any_blind(&mut self, period: Period) -> bool {
        let Threads { started, living } = self;
        // What a thread sees of others was settled at its start, and of itself it sees everything.
        let newest = |thread| Period {
            thread,
            index: u32::MAX,
        };
        living.any_blind(period, |thread| visible(started, newest(thread), period))
    }

    fn start_of(&self, thread: ThreadId) -> Option<Start> {
        self.started.get(thread.0 as usize).copied()
    }

    fn depth_of(&self, thread: ThreadId) -> u32 {
        self.start_of(thread).map_or(0, |s| s.depth)
    }

    /// `newer >= older` of section 4.5: the reflexive and transitive closure of "(t,j) sees (t,i) for j > i" and
    /// "(child,0) sees the period that started it".
    pub fn visible(&self, newer: Period, older: Period) -> bool {
        visible(&self.started, newer, older)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.started.capacity() * size_of::<Start>() + self.living.bytes()
    }
}

fn visible(started: &[Start], newer: Period, older: Period) -> bool {
    if newer.thread == older.thread {
        return newer.index >= older.index;
    }
    // Parents have smaller ids than their children, so the walk towards `older.thread` knows when to stop.
    let mut thread = newer.thread;
    while thread > older.thread {
        let Some(start) = started.get(thread.0 as usize) else {
            return false;
        };
        if start.parent == older.thread {
            return start.in_period >= older.index;
        }
        if start.parent == thread {
            return false;
        }
        thread = if start.jump > older.thread {
            start.jump
        } else {
            start.parent
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(thread: ThreadId, index: u32) -> Period {
        Period { thread, index }
    }

    #[test]
    fn a_child_sees_what_came_before_its_start_and_no_more() {
        let mut threads = Threads::default();
        let main = threads.add(None);
        let first = threads.add(Some(at(main, 0)));
        let second = threads.add(Some(at(main, 1)));
        let grandchild = threads.add(Some(at(second, 0)));
        assert!(threads.visible(at(first, 0), at(main, 0)));
        assert!(threads.visible(at(first, 9), at(main, 0)));
        assert!(!threads.visible(at(first, 9), at(main, 1)));
        assert!(threads.visible(at(grandchild, 0), at(main, 1)));
        assert!(!threads.visible(at(grandchild, 0), at(main, 2)));
        assert!(threads.visible(at(grandchild, 0), at(second, 0)));
        assert!(!threads.visible(at(grandchild, 0), at(second, 1)));
        assert!(!threads.visible(at(grandchild, 0), at(first, 0)));
        assert!(!threads.visible(at(main, 5), at(first, 0)));
        assert!(threads.visible(at(main, 5), at(main, 5)));
        assert!(!threads.visible(at(main, 4), at(main, 5)));
    }

    #[test]
    fn threads_nobody_started_see_nothing_of_each_other() {
        let mut threads = Threads::default();
        let (a, b) = (threads.add(None), threads.add(None));
        assert!(!threads.visible(at(a, 7), at(b, 0)));
        assert!(!threads.visible(at(b, 7), at(a, 0)));
        assert!(!threads.visible(at(ThreadId(99), 0), at(a, 0)));
    }

    #[test]
    fn a_period_is_unseen_while_somebody_who_cannot_see_it_lives() {
        let mut threads = Threads::default();
        let main = threads.add(None);
        let early = threads.add(Some(at(main, 0)));
        let late = threads.add(Some(at(main, 1)));
        assert!(!threads.any_blind(at(main, 0)));
        assert!(threads.any_blind(at(main, 1)), "early");
        assert!(threads.any_blind(at(late, 0)), "main and early");
        threads.bury(early);
        threads.bury(early);
        threads.bury(ThreadId(99));
        assert!(!threads.any_blind(at(main, 1)));
        threads.add(Some(at(late, 0)));
        assert!(
            !threads.any_blind(at(main, 1)),
            "a child sees what its parent sees"
        );
        assert!(threads.any_blind(at(late, 0)), "main");
        threads.bury(main);
        assert!(!threads.any_blind(at(late, 0)));
        assert_eq!(threads.orphans(), 1);
        threads.add(None);
        assert_eq!(threads.orphans(), 2);
        assert!(threads.any_blind(at(main, 0)) && threads.any_blind(at(late, 0)));
    }

    #[test]
    fn jumping_gives_what_walking_gives() {
        // A random tree: every thread is started by an earlier one in a period that depends on both.
        let mut threads = Threads::default();
        let mut parents = vec![None];
        threads.add(None);
        let mut random = 12345u32;
        for id in 1..300u32 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Half of them extend the newest chain, so that the tree is deep.
            let parent = if random & 0x8000 == 0 {
                id - 1
            } else {
                (random >> 16) % id
            };
            let period = at(ThreadId(parent), id % 7);
            parents.push(Some(period));
            threads.add(Some(period));
        }
        let walk = |newer: Period, older: Period| {
            let mut here = Some(newer);
            while let Some(p) = here {
                if p.thread == older.thread {
                    return p.index >= older.index;
                }
                here = parents[p.thread.0 as usize];
            }
            false
        };
        for newer in (0..300).step_by(3) {
            for older in 0..300 {
                for index in 0..8 {
                    let (newer, older) = (at(ThreadId(newer), 3), at(ThreadId(older), index));
                    assert_eq!(
                        threads.visible(newer, older),
                        walk(newer, older),
                        "{newer:?} {older:?}"
                    );
                }
            }
        }
    }
}
