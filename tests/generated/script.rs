//! A random multi-threaded program with a fixed interleaving.
//!
//! Threads form a start tree; each has a body of accesses, starts and critical sections. The scheduler then
//! interleaves the bodies step by step, never giving a lock to two threads, so the script is one possible run.

use super::random::Random;
use super::sync::{Sync, Waiting};
use std::collections::BTreeMap;

/// Something that can be locked. The order is the nesting order: inner locks are never smaller, so that no
/// interleaving can deadlock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lock {
    /// `synchronized` on the class that holds the static fields.
    Class,
    /// `synchronized` on an object whose fields are accessed.
    Owner(usize),
    /// `synchronized` on an object that is nothing but a lock.
    Monitor(usize),
    /// A `ReentrantLock`.
    Reentrant(usize),
    /// A `ReentrantReadWriteLock`; the mode stands in [`Hold`].
    ReadWrite(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hold {
    pub lock: Lock,
    /// The read lock of a [`Lock::ReadWrite`].
    pub shared: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    pub is_static: bool,
    /// It is final and refers to an array: the variables are the elements.
    pub is_array: bool,
}

/// Elements of an array.
pub const ELEMENTS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Read,
    Write,
    /// `o.f += 1`: a read and a write on one line.
    Update,
}

/// A place in the program: one method with one access on a line of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Site {
    pub field: usize,
    /// Of an array; 0 for other fields.
    pub element: usize,
    pub kind: Kind,
}

#[derive(Debug, Clone)]
pub enum Node {
    /// `times` executions in a row: all but the first should take the fast path.
    Access {
        site: usize,
        object: usize,
        times: usize,
    },
    Start(usize),
    Critical(Hold, Vec<Node>),
    Sync(Sync),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Access {
        site: usize,
        object: usize,
        times: usize,
    },
    Start(usize),
    Lock(Hold),
    Unlock(Hold),
    Sync(Sync),
}

#[derive(Debug, Clone)]
pub struct Thread {
    pub body: Vec<Node>,
    /// The global step of each of its actions, in order; `None` for what is left out: it would wait for ever.
    pub steps: Vec<Option<usize>>,
}

#[derive(Debug, Clone)]
pub struct Script {
    pub name: String,
    pub objects: usize,
    pub fields: Vec<Field>,
    pub sites: Vec<Site>,
    pub locks: Vec<Lock>,
    /// Volatile variables, atomics, latches, queues and semaphores, so many of each.
    pub syncs: usize,
    pub threads: Vec<Thread>,
    /// The whole run: which thread does what, in order.
    pub run: Vec<(usize, Action)>,
}

impl Script {
    /// Starts and locks only: what every detector knows.
    pub fn random(name: String, random: &mut Random) -> Script {
        Shape::random(random).fill(name, random).scheduled(random)
    }

    /// With everything else that orders threads, and with arrays.
    pub fn random_with_syncs(name: String, random: &mut Random) -> Script {
        let mut shape = Shape::random(random);
        shape.syncs = random.range(1, 2);
        for field in &mut shape.fields {
            field.is_array = random.percent(30);
        }
        for site in &mut shape.sites {
            if shape.fields[site.field].is_array {
                site.element = random.below(ELEMENTS);
            }
        }
        let mut script = shape.fill(name, random);
        for child in 1..script.threads.len() {
            if random.percent(40) {
                let joins = random.below(script.threads.len());
                let body = &mut script.threads[joins].body;
                body.insert(random.below(body.len() + 1), Node::Sync(Sync::Join(child)));
            }
        }
        script.scheduled(random)
    }

    fn scheduled(mut self, random: &mut Random) -> Script {
        self.schedule(random);
        self
    }

    /// How often each latch is counted down.
    pub fn count_downs(&self) -> BTreeMap<usize, usize> {
        let mut counts = BTreeMap::new();
        for action in self.threads.iter().flat_map(|t| flatten(&t.body)) {
            if let Action::Sync(Sync::CountDown(latch)) = action {
                *counts.entry(latch).or_default() += 1;
            }
        }
        counts
    }

    fn schedule(&mut self, random: &mut Random) {
        let actions: Vec<Vec<Action>> = self.threads.iter().map(|t| flatten(&t.body)).collect();
        let mut started = vec![false; actions.len()];
        started[0] = true;
        let mut cursor = vec![0; actions.len()];
        let mut held: Vec<Vec<Hold>> = vec![Vec::new(); actions.len()];
        let mut waiting = Waiting::new(self.count_downs());
        // Some scripts switch at every step, some run long stretches: races need both.
        let stay = random.below(90);
        let mut last = 0;
        loop {
            let ended: Vec<bool> = actions.iter().zip(&cursor).map(|(a, c)| a.len() == *c).collect();
            let next = |t: usize| actions[t].get(cursor[t]).filter(|_| started[t]).copied();
            let can_go = |action: Action, t: usize| match action {
                Action::Sync(sync) => waiting.possible(sync, &ended),
                _ => possible(action, t, &held),
            };
            let ready: Vec<usize> = (0..actions.len())
                .filter(|&t| next(t).is_some_and(|a| can_go(a, t)))
                .collect();
            if ready.is_empty() {
                // All wait for each other: one of them does not. Locks alone cannot do that.
                let Some(stuck) = (0..actions.len()).find(|&t| matches!(next(t), Some(Action::Sync(_))))
                else {
                    break;
                };
                cursor[stuck] += 1;
                self.threads[stuck].steps.push(None);
                continue;
            }
            let thread = if ready.contains(&last) && random.percent(stay) {
                last
            } else {
                ready[random.below(ready.len())]
            };
            last = thread;
            let action = actions[thread][cursor[thread]];
            cursor[thread] += 1;
            match action {
                Action::Start(child) => started[child] = true,
                Action::Lock(hold) => held[thread].push(hold),
                Action::Unlock(hold) => {
                    if let Some(at) = held[thread].iter().rposition(|h| *h == hold) {
                        held[thread].remove(at);
                    }
                }
                Action::Sync(sync) => waiting.perform(sync),
                Action::Access { .. } => {}
            }
            self.threads[thread].steps.push(Some(self.run.len()));
            self.run.push((thread, action));
        }
        let left: usize = actions.iter().zip(&cursor).map(|(a, c)| a.len() - c).sum();
        assert_eq!(left, 0, "{}: the scheduler is stuck", self.name);
    }
}

fn flatten(body: &[Node]) -> Vec<Action> {
    let mut actions = Vec::new();
    for node in body {
        match node {
            Node::Access { site, object, times } => {
                actions.push(Action::Access {
                    site: *site,
                    object: *object,
                    times: *times,
                });
            }
            Node::Start(child) => actions.push(Action::Start(*child)),
            Node::Sync(sync) => actions.push(Action::Sync(*sync)),
            Node::Critical(hold, inner) => {
                actions.push(Action::Lock(*hold));
                actions.extend(flatten(inner));
                actions.push(Action::Unlock(*hold));
            }
        }
    }
    actions
}

/// A lock can be taken if no other thread holds it in a mode that excludes this one.
fn possible(action: Action, thread: usize, held: &[Vec<Hold>]) -> bool {
    let Action::Lock(wanted) = action else { return true };
    let mut others = held
        .iter()
        .enumerate()
        .filter(|(t, _)| *t != thread)
        .flat_map(|(_, h)| h);
    !others.any(|h| h.lock == wanted.lock && !(h.shared && wanted.shared))
}

/// The sizes of a script, and how disciplined its locking is.
struct Shape {
    parents: Vec<usize>,
    objects: usize,
    fields: Vec<Field>,
    sites: Vec<Site>,
    locks: Vec<Lock>,
    /// Per field the lock that guards it, when the author remembers.
    guards: Vec<Lock>,
    remembers: usize,
    nodes: usize,
    syncs: usize,
}

impl Shape {
    fn random(random: &mut Random) -> Shape {
        let threads = random.range(2, 5);
        let parents = (1..threads).map(|t| random.below(t)).collect();
        let objects = random.range(1, 4);
        let fields: Vec<Field> = (0..random.range(1, 4))
            .map(|_| Field {
                is_static: random.percent(25),
                is_array: false,
            })
            .collect();
        let mut locks = vec![Lock::Class];
        locks.extend((0..objects).map(Lock::Owner));
        locks.extend((0..random.range(1, 3)).map(Lock::Monitor));
        locks.extend((0..random.below(3)).map(Lock::Reentrant));
        locks.extend((0..random.below(3)).map(Lock::ReadWrite));
        // Now and then more sites than a word has bits for: those share the overflow ordinal.
        let count = if random.percent(15) {
            random.range(36, 60)
        } else {
            random.range(3, 14)
        };
        let writes = random.range(20, 70);
        let sites = (0..count)
            .map(|_| Site {
                field: random.below(fields.len()),
                element: 0,
                kind: match random.below(100) {
                    p if p < 12 => Kind::Update,
                    p if p < 12 + writes => Kind::Write,
                    _ => Kind::Read,
                },
            })
            .collect();
        let guards = fields.iter().map(|_| locks[random.below(locks.len())]).collect();
        let remembers = [0, 40, 80, 95, 100][random.below(5)];
        let nodes = random.range(3, 12) * if count > 30 { 3 } else { 1 };
        Shape {
            parents,
            objects,
            fields,
            sites,
            locks,
            guards,
            remembers,
            nodes,
            syncs: 0,
        }
    }

    fn fill(self, name: String, random: &mut Random) -> Script {
        let mut threads: Vec<Thread> = (0..=self.parents.len())
            .map(|_| Thread {
                body: self.body(random, &mut Vec::new(), self.nodes, 0),
                steps: Vec::new(),
            })
            .collect();
        for (i, &parent) in self.parents.iter().enumerate() {
            insert_start(&mut threads[parent].body, i + 1, random);
        }
        Script {
            name,
            objects: self.objects,
            fields: self.fields,
            sites: self.sites,
            locks: self.locks,
            syncs: self.syncs,
            threads,
            run: Vec::new(),
        }
    }

    fn body(&self, random: &mut Random, held: &mut Vec<Hold>, nodes: usize, depth: usize) -> Vec<Node> {
        let count = if depth == 0 {
            random.range(1, nodes)
        } else {
            random.range(1, 3)
        };
        (0..count).map(|_| self.node(random, held, depth)).collect()
    }

    fn node(&self, random: &mut Random, held: &mut Vec<Hold>, depth: usize) -> Node {
        if self.syncs > 0 && random.percent(40) {
            return Node::Sync(Sync::random(random, self.syncs));
        }
        if depth < 3
            && random.percent(25)
            && let Some(hold) = choose(
                self.locks[random.below(self.locks.len())],
                random.percent(50),
                held,
            )
        {
            held.push(hold);
            let inner = self.body(random, held, 0, depth + 1);
            held.pop();
            return Node::Critical(hold, inner);
        }
        let site = random.below(self.sites.len());
        let object = random.below(self.objects);
        let times = if random.percent(30) { random.range(2, 4) } else { 1 };
        let access = Node::Access { site, object, times };
        // A guard that is the owner's monitor means the object of this very access.
        let guard = match self.guards[self.sites[site].field] {
            Lock::Owner(_) => Lock::Owner(object),
            other => other,
        };
        let shared = self.sites[site].kind == Kind::Read && random.percent(70);
        match choose(guard, shared, held) {
            Some(hold) if random.percent(self.remembers) => Node::Critical(hold, vec![access]),
            _ => access,
        }
    }
}

/// The lock in the wanted mode, if taking it here cannot deadlock: not smaller than any held, and no upgrade
/// from read to write (a `ReentrantReadWriteLock` would wait for itself).
fn choose(lock: Lock, shared: bool, held: &[Hold]) -> Option<Hold> {
    let hold = Hold {
        lock,
        shared: shared && matches!(lock, Lock::ReadWrite(_)),
    };
    let fits = held.iter().all(|h| h.lock <= lock);
    let upgrade = !hold.shared && held.iter().any(|h| h.lock == lock && h.shared);
    (fits && !upgrade).then_some(hold)
}

fn insert_start(body: &mut Vec<Node>, child: usize, random: &mut Random) {
    let at = random.below(body.len() + 1);
    if let Some(Node::Critical(_, inner)) = body.get_mut(at)
        && random.percent(30)
    {
        insert_start(inner, child, random);
    } else {
        body.insert(at, Node::Start(child));
    }
}
