//! Thread escape: which objects another thread may get to see.
//!
//! Objects are grouped into alias sets ([`graph`]), method by method. A method's effect on what it is given is the part
//! of its graph that its parameters and its result lead to; a caller takes it over for its own objects
//! ([`bottom_up`]), so that one utility method does not make all of its users' objects one. Methods that call each other
//! in a circle share one graph. Afterwards each method learns what its callers give it ([`top_down`]): where one of
//! them gives it an object that has escaped, its accesses to that parameter count as shared.
//!
//! Code that we do not see (the JDK) is known by its models. It may call methods of objects it was given: *callbacks*.
//! Whether those leak or link what they are given is found as for all methods, and then held against every set that has
//! objects of their class and is given to such code; since that may change other methods' effects, it is repeated until
//! nothing changes.

mod bottom_up;
mod call_graph;
mod callbacks;
mod components;
mod construction;
mod graph;
mod handed;
mod start;
mod top_down;

pub use call_graph::{CallGraph, Vertex};
pub use components::Components;
pub use graph::NODE_SIZE;
use graph::{Key, NodeId, flag};
pub use start::Start;
pub use top_down::is_callable_by_anyone;

use crate::facts::Node;
use crate::reach::Reach;
use crate::world::{ClassId, MethodId, NameId, World};
pub use handed::Handed;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Names of classes that are looked for at each call.
#[derive(Debug)]
struct WellKnown {
    object: Option<NameId>,
    thread: Option<NameId>,
}

/// Room that is used again and again.
#[derive(Debug, Default)]
struct Scratch {
    /// What is given to a callee, and what it is there.
    pairs: Vec<(NodeId, NodeId)>,
    /// Sets of the callee that have been copied, and what to.
    copied: Copied,
    waiting: Vec<(NodeId, NodeId)>,
    /// Those of the set at hand.
    fields: Vec<(Key, NodeId)>,
    /// What a vertex is given.
    arguments: Vec<NodeId>,
}

/// Most calls copy a handful of sets, which are looked through faster than they are hashed.
#[derive(Debug, Default)]
struct Copied {
    few: Vec<(NodeId, NodeId)>,
    more: FxHashMap<NodeId, NodeId>,
}

impl Copied {
    const FEW: usize = 12;

    fn get(&self, set: NodeId) -> Option<NodeId> {
        let found = self.few.iter().find(|(known, _)| *known == set);
        match found {
            Some((_, to)) => Some(*to),
            None if self.more.is_empty() => None,
            None => self.more.get(&set).copied(),
        }
    }

    /// A set that is not there yet.
    fn add(&mut self, set: NodeId, to: NodeId) {
        match self.few.len() < Self::FEW {
            true => self.few.push((set, to)),
            false => {
                self.more.insert(set, to);
            }
        }
    }

    fn clear(&mut self) {
        self.few.clear();
        self.more.clear();
    }
}

pub struct Escape<'w> {
    world: &'w World,
    reach: &'w Reach,
    calls: &'w CallGraph,
    /// Until all is known.
    components: Arc<Components>,
    handed: Handed,
    well_known: WellKnown,
    nodes: Start,
    /// For one call after the other.
    scratch: Scratch,
    /// LEAKY, LINKY and the like of each class's callbacks.
    class_flags: Vec<u8>,
    /// Some class's comparisons leak or link what they compare.
    comparisons_leak: bool,
    /// Of each class: one of its objects has escaped.
    pub class_escaped: Vec<bool>,
    /// Constructors that keep `this` to themselves.
    kept: Vec<bool>,
}

impl std::fmt::Debug for Escape<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Escape").finish_non_exhaustive()
    }
}

impl<'w> Escape<'w> {
    /// `nodes`: of the same program.
    pub fn analyse(
        world: &'w World,
        reach: &'w Reach,
        calls: &'w CallGraph,
        components: Arc<Components>,
        handed: Handed,
        nodes: Start,
    ) -> Escape<'w> {
        let mut escape = Escape {
            world,
            reach,
            calls,
            components,
            handed,
            well_known: WellKnown {
                object: world.find_name("java/lang/Object"),
                thread: world.find_name("java/lang/Thread"),
            },
            nodes,
            scratch: Scratch::default(),
            class_flags: vec![0; world.classes.len()],
            comparisons_leak: false,
            class_escaped: vec![false; world.classes.len()],
            kept: Vec::new(),
        };
        // Of `this` nobody knows the callbacks: what leads to it may be called only if it has none itself.
        escape.suspect_callbacks();
        escape.bottom_up();
        escape.find_kept();
        // Where anybody may call anything next to no object is a thread's own: not worth the rounds.
        if !reach.open {
            escape.trust_callbacks();
            loop {
                // The old ones first: of a large program there is no room for both.
                escape.nodes = Start::default();
                escape.nodes = Start::of(world, reach, calls);
                escape.bottom_up();
                if !escape.judge_callbacks() {
                    break;
                }
            }
        }
        escape.top_down();
        // What is asked from now on are the flags of single sets.
        escape.nodes.forget_relations();
        escape.components = Arc::default();
        escape.scratch = Scratch::default();
        escape
    }

    /// Whether the objects of that node of the method's facts may have escaped.
    pub fn escaped(&mut self, method: MethodId, node: Node) -> bool {
        let node = self.nodes.first_node(method) + node;
        self.nodes.graph.escaped(node)
    }

    /// Whether they may be the task of a single thread.
    pub fn is_task(&mut self, method: MethodId, node: Node) -> bool {
        let node = self.nodes.first_node(method) + node;
        self.nodes.graph.has(node, flag::TASK)
    }

    pub fn handed(&self) -> &Handed {
        &self.handed
    }

    fn callbacks(&self, class: ClassId) -> &'w [MethodId] {
        &self.reach.callbacks[class as usize]
    }
}
