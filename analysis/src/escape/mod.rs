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
mod top_down;

pub use call_graph::{CallGraph, Vertex};
pub use components::Components;
use graph::{Graph, NodeId, flag};
pub use top_down::is_callable_by_anyone;

use crate::facts::Node;
use crate::leaks::Leaks;
use crate::reach::Reach;
use crate::types;
use crate::world::{ClassId, MethodId, World};
pub use handed::Handed;
use racewire_classfile::access;
use rustc_hash::FxHashMap;

/// What a vertex is given and gives back. Node 0 is nobody's: it stands for what has none.
#[derive(Debug, Clone, Copy, Default)]
struct Formals {
    /// Where its parameters are among those of all.
    first: u32,
    count: u32,
    returned: NodeId,
    exceptions: NodeId,
}

/// Those of all vertices.
#[derive(Debug, Default)]
struct AllFormals {
    of: Vec<Formals>,
    parameters: Vec<NodeId>,
}

impl AllFormals {
    fn add(&mut self, vertex: usize, parameters: impl Iterator<Item = Option<NodeId>>) -> &mut Formals {
        let first = self.parameters.len();
        self.parameters.extend(parameters.map(Option::unwrap_or_default));
        let formals = &mut self.of[vertex];
        formals.first = first as u32;
        formals.count = (self.parameters.len() - first) as u32;
        formals
    }

    fn parameters(&self, vertex: Vertex) -> &[NodeId] {
        let Formals { first, count, .. } = self.of[vertex as usize];
        let range = first as usize..(first + count) as usize;
        self.parameters.get(range).unwrap_or_default()
    }

    /// Number so and so of all that there is: parameters, what is returned and what is thrown; 0 where there is no node.
    fn nth(&self, vertex: Vertex, nth: u32) -> Option<NodeId> {
        let formals = self.of[vertex as usize];
        match nth.checked_sub(formals.count) {
            None => self.parameters.get((formals.first + nth) as usize).copied(),
            Some(0) => Some(formals.returned),
            Some(1) => Some(formals.exceptions),
            Some(_) => None,
        }
    }
}

/// Room that is used again and again.
#[derive(Debug, Default)]
struct Scratch {
    /// What is given to a callee, and what it is there.
    pairs: Vec<(NodeId, NodeId)>,
    /// Sets of the callee that have been copied, and what to.
    copied: FxHashMap<NodeId, NodeId>,
    waiting: Vec<(NodeId, NodeId)>,
    /// What a vertex is given.
    arguments: Vec<NodeId>,
}

pub struct Escape<'w> {
    world: &'w World,
    reach: &'w Reach,
    calls: &'w CallGraph,
    components: &'w Components,
    handed: Handed,
    graph: Graph,
    /// First node of each method's facts.
    first_node: Vec<NodeId>,
    formals: AllFormals,
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
    pub fn analyse(
        world: &'w World,
        reach: &'w Reach,
        calls: &'w CallGraph,
        components: &'w Components,
        leaks: &Leaks,
    ) -> Escape<'w> {
        let mut escape = Escape {
            world,
            reach,
            calls,
            components,
            handed: Handed::find(world, reach, leaks),
            graph: Graph::default(),
            first_node: Vec::new(),
            formals: AllFormals::default(),
            scratch: Scratch::default(),
            class_flags: vec![0; world.classes.len()],
            comparisons_leak: false,
            class_escaped: vec![false; world.classes.len()],
            kept: Vec::new(),
        };
        // Of `this` nobody knows the callbacks: what leads to it may be called only if it has none itself.
        escape.suspect_callbacks();
        escape.start();
        escape.bottom_up();
        escape.find_kept();
        // Where anybody may call anything next to no object is a thread's own: not worth the rounds.
        if !reach.open {
            escape.trust_callbacks();
            loop {
                escape.start();
                escape.bottom_up();
                if !escape.judge_callbacks() {
                    break;
                }
            }
        }
        escape.top_down();
        escape
    }

    /// Whether the objects of that node of the method's facts may have escaped.
    pub fn escaped(&mut self, method: MethodId, node: Node) -> bool {
        let node = self.first_node[method as usize] + node;
        self.graph.escaped(node)
    }

    /// Whether they may be the task of a single thread.
    pub fn is_task(&mut self, method: MethodId, node: Node) -> bool {
        let node = self.first_node[method as usize] + node;
        self.graph.has(node, flag::TASK)
    }

    pub fn handed(&self) -> &Handed {
        &self.handed
    }

    /// Nodes for everything, nothing known yet.
    fn start(&mut self) {
        let world = self.world;
        self.graph = Graph::with_room(self.room());
        self.graph.add(1);
        self.first_node = vec![0; world.methods.len()];
        self.formals = AllFormals {
            of: vec![Formals::default(); self.calls.vertices()],
            parameters: Vec::with_capacity(2 * self.calls.vertices()),
        };
        for method in 0..world.methods.len() as MethodId {
            if self.reach.reached[method as usize] {
                self.start_method(method);
            }
        }
        for vertex in world.methods.len()..self.calls.vertices() {
            if let Some(callee) = self.calls.callee(vertex as Vertex) {
                let callee = self.reach.callees.get(callee);
                let (_, descriptor) = world.selector(callee.selector);
                self.add_formals(vertex, descriptor, callee.is_static);
            }
        }
    }

    /// How many nodes there will be, about: those of the methods' facts, and some for callees and what fields lead to.
    fn room(&self) -> usize {
        let methods = 0..self.world.methods.len() as MethodId;
        let reached = methods.filter(|m| self.reach.reached[*m as usize]);
        let bodies = reached.filter_map(|m| self.world.body(m));
        let nodes: usize = bodies.map(|body| body.nodes as usize).sum();
        nodes + nodes / 4 + 4 * self.reach.callees.all.len()
    }

    fn start_method(&mut self, method: MethodId) {
        let vertex = method as usize;
        let (_, descriptor) = self.world.selector(self.world.method(method).selector);
        let Some(body) = self.world.body(method) else {
            return self.add_formals(vertex, descriptor, false);
        };
        if !body.has_body {
            self.add_formals(vertex, descriptor, body.access & access::STATIC != 0);
            // Abstract methods do nothing; of native ones, and of those we could not read, nobody knows.
            if body.access & access::ABSTRACT == 0 {
                self.let_escape(method);
            }
            return;
        }
        let first = self.graph.add(body.nodes);
        self.first_node[method as usize] = first;
        if body.failed {
            self.graph.escape(first);
        }
        let parameters = body.parameters().map(|p| p.map(|n| first + n));
        let formals = self.formals.add(vertex, parameters);
        formals.returned = body.returned.map_or(0, |n| first + n);
        formals.exceptions = first + crate::facts::EXCEPTIONS;
    }

    fn add_formals(&mut self, vertex: usize, descriptor: &str, is_static: bool) {
        let (parameters, result) = types::parameters(descriptor);
        let graph = &mut self.graph;
        let mut node = |has: bool| has.then(|| graph.add(1));
        let this = (!is_static).then_some(true);
        let all = this
            .into_iter()
            .chain(parameters.iter().map(|p| types::has_node(p)));
        let formals = self.formals.add(vertex, all.map(&mut node));
        formals.returned = node(types::has_node(result)).unwrap_or_default();
        formals.exceptions = node(true).unwrap_or_default();
    }

    /// Everything that it is given and gives back escapes.
    fn let_escape(&mut self, vertex: Vertex) {
        let mut nth = 0;
        while let Some(node) = self.formals.nth(vertex, nth) {
            if node != 0 {
                self.graph.escape(node);
            }
            nth += 1;
        }
    }

    fn callbacks(&self, class: ClassId) -> &'w [MethodId] {
        &self.reach.callbacks[class as usize]
    }
}
