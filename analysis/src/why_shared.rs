//! Why a field may be shared: the calls by which threads come to its accesses.

use crate::escape::{CallGraph, Escape, Vertex};
use crate::reach::Reach;
use crate::roots::{self, Mask, Roots};
use crate::types::dotted;
use crate::world::{MethodId, World};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shared {
    /// Paths of calls, one for each of two threads, each from where its thread begins.
    ByThreads(Vec<Vec<String>>),
    /// Several threads may begin at the start of this path.
    ByManyThreads(Vec<String>),
    /// Code outside the program may call the start of this path in any thread.
    ByAnyThread(Vec<String>),
}

/// A path whose calls were not looked for has this in between.
const SKIPPED: &str = "…";

/// Each is a walk over all that a thread runs, and a handful explains nearly all fields.
const MOST_WALKS: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Start {
    /// The bit of a root.
    Root(Mask),
    AnyThread,
}

pub struct WhyShared<'w> {
    world: &'w World,
    reach: &'w Reach,
    calls: &'w CallGraph,
    escape: &'w Escape<'w>,
    roots: &'w Roots,
    walks: FxHashMap<Start, Walk>,
}

/// By vertex the one before it on the shortest way, itself at the start, [`UNSEEN`] where no way leads.
struct Walk(Vec<Vertex>);

const UNSEEN: Vertex = Vertex::MAX;

impl<'w> WhyShared<'w> {
    pub fn new(
        world: &'w World,
        reach: &'w Reach,
        calls: &'w CallGraph,
        escape: &'w Escape<'w>,
        roots: &'w Roots,
    ) -> WhyShared<'w> {
        WhyShared {
            world,
            reach,
            calls,
            escape,
            roots,
            walks: FxHashMap::default(),
        }
    }

    /// `threads` touch the field, each of them in one of `methods`.
    pub fn field(&mut self, threads: Mask, methods: &[MethodId]) -> Shared {
        let is_walked = |why: &Self, bit| why.walks.contains_key(&Start::Root(bit));
        let mut many: Vec<Mask> = bits(self.roots.many(threads)).collect();
        many.sort_by_key(|bit| !is_walked(self, *bit));
        if let Some(path) = many.iter().find_map(|bit| self.root_path(*bit, methods)) {
            return Shared::ByManyThreads(path);
        }
        let mut single: Vec<Mask> = bits(threads & !self.roots.many(threads)).collect();
        single.sort_by_key(|bit| !is_walked(self, *bit));
        let mut paths = Vec::new();
        for bit in single {
            paths.extend(self.root_path(bit, methods));
            if paths.len() == 2 {
                return Shared::ByThreads(paths);
            }
        }
        match methods.iter().find_map(|m| self.path(Start::AnyThread, *m)) {
            Some(path) => Shared::ByAnyThread(path),
            None => Shared::ByThreads(paths),
        }
    }

    /// From the root to one of the methods; `None` if its thread comes there only by way of code outside.
    fn root_path(&mut self, bit: Mask, methods: &[MethodId]) -> Option<Vec<String>> {
        let (world, roots) = (self.world, self.roots);
        let is_reached = |m: &&MethodId| roots.mask(**m) & bit != 0;
        let reached: Vec<MethodId> = methods.iter().filter(is_reached).copied().collect();
        let start = Start::Root(bit);
        if self.walks.len() < MOST_WALKS || self.walks.contains_key(&start) {
            return reached.into_iter().find_map(|m| self.path(start, m));
        }
        let root = self.starts(start).first().copied()?;
        let label = |m: MethodId| dotted(&world.method_label(m));
        Some(vec![label(root), SKIPPED.to_owned(), label(*reached.first()?)])
    }

    fn path(&mut self, start: Start, method: MethodId) -> Option<Vec<String>> {
        if !self.walks.contains_key(&start) {
            let walk = self.walk(start);
            self.walks.insert(start, walk);
        }
        let Walk(before) = self.walks.get(&start)?;
        let mut path = Vec::new();
        let mut at = method;
        loop {
            let previous = *before.get(at as usize).filter(|v| **v != UNSEEN)?;
            if let Some(method) = self.calls.method(at) {
                path.push(dotted(&self.world.method_label(method)));
            }
            if previous == at {
                break;
            }
            at = previous;
        }
        path.reverse();
        Some(path)
    }

    fn starts(&self, start: Start) -> Vec<MethodId> {
        match start {
            Start::Root(bit) => {
                let all = self.roots.roots.iter().enumerate();
                let own = all.filter(|(nth, _)| roots::bit(*nth) == bit);
                own.map(|(_, root)| root.method).collect()
            }
            Start::AnyThread => roots::run_by_any_thread(self.world, self.reach, self.escape),
        }
    }

    fn walk(&self, start: Start) -> Walk {
        let mut before = vec![UNSEEN; self.calls.vertices()];
        let mut layer: Vec<Vertex> = self.starts(start);
        for &vertex in &layer {
            before[vertex as usize] = vertex;
        }
        let (mut next_layer, mut next) = (Vec::new(), Vec::new());
        while !layer.is_empty() {
            for &vertex in &layer {
                roots::runs_next(self.world, self.reach, self.calls, self.escape, vertex, &mut next);
                for &reached in &next {
                    let from = &mut before[reached as usize];
                    if *from == UNSEEN {
                        *from = vertex;
                        next_layer.push(reached);
                    }
                }
            }
            layer.clear();
            std::mem::swap(&mut layer, &mut next_layer);
        }
        Walk(before)
    }
}

/// The bits of a mask, each alone.
fn bits(mask: Mask) -> impl Iterator<Item = Mask> {
    (0..Mask::BITS).map(|n| 1 << n).filter(move |bit| mask & bit != 0)
}
