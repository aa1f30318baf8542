//! Nodes for everything, before anything is known of them.

use super::graph::{Graph, NodeId};
use super::{CallGraph, Vertex};
use crate::facts::EXCEPTIONS;
use crate::reach::Reach;
use crate::types;
use crate::world::{MethodId, World};
use racewire_classfile::access;
use rustc_hash::FxHashMap;

/// What a vertex is given and gives back. Node 0 is nobody's: it stands for what has none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Formals {
    /// Where its parameters are among those of all.
    pub first: u32,
    pub count: u32,
    pub returned: NodeId,
    pub exceptions: NodeId,
}

/// Those of all vertices.
#[derive(Debug, Default)]
pub(super) struct AllFormals {
    /// Of each method: where its parameters begin, which end where the next one's begin, and what it returns.
    methods: Vec<(u32, NodeId)>,
    /// Of each method: the first node of its facts, which is [that of exceptions](EXCEPTIONS).
    pub first_node: Vec<NodeId>,
    /// Only callees with several targets have some: one with a single target is as good as that
    /// ([`CallGraph::meant`]), and one without has nobody to give anything to.
    callees: FxHashMap<Vertex, Formals>,
    /// Where the parameters of the last method end.
    end_of_methods: u32,
    pub parameters: Vec<NodeId>,
}

impl AllFormals {
    pub fn of(&self, vertex: Vertex) -> Formals {
        let at = vertex as usize;
        match (self.methods.get(at), self.first_node.get(at)) {
            (Some(&(first, returned)), Some(&exceptions)) => {
                let end = self
                    .methods
                    .get(at + 1)
                    .map_or(self.end_of_methods, |(first, _)| *first);
                Formals {
                    first,
                    count: end - first,
                    returned,
                    exceptions,
                }
            }
            _ => self.callees.get(&vertex).copied().unwrap_or_default(),
        }
    }

    /// Adds parameters; what is given back is still open.
    fn add(&mut self, parameters: impl Iterator<Item = Option<NodeId>>) -> Formals {
        let first = self.parameters.len();
        self.parameters.extend(parameters.map(Option::unwrap_or_default));
        Formals {
            first: first as u32,
            count: (self.parameters.len() - first) as u32,
            ..Formals::default()
        }
    }

    pub fn parameters(&self, vertex: Vertex) -> &[NodeId] {
        let Formals { first, count, .. } = self.of(vertex);
        let range = first as usize..(first + count) as usize;
        self.parameters.get(range).unwrap_or_default()
    }

    /// Number so and so of all that there is: parameters, what is returned and what is thrown; 0 where there is no node.
    pub fn nth(&self, vertex: Vertex, nth: u32) -> Option<NodeId> {
        let formals = self.of(vertex);
        match nth.checked_sub(formals.count) {
            None => self.parameters.get((formals.first + nth) as usize).copied(),
            Some(0) => Some(formals.returned),
            Some(1) => Some(formals.exceptions),
            Some(_) => None,
        }
    }
}

/// Given to [`super::Escape::analyse`].
#[derive(Debug, Default)]
pub struct Start {
    pub(super) graph: Graph,
    pub(super) formals: AllFormals,
}

impl Start {
    pub fn of(world: &World, reach: &Reach, calls: &CallGraph) -> Start {
        let mut start = Start {
            graph: Graph::with_room(Start::room(world, reach)),
            formals: AllFormals {
                methods: Vec::with_capacity(world.methods.len()),
                first_node: Vec::with_capacity(world.methods.len()),
                callees: FxHashMap::default(),
                end_of_methods: 0,
                parameters: Vec::with_capacity(3 * world.methods.len()),
            },
        };
        start.graph.add(1);
        for method in 0..world.methods.len() as MethodId {
            let formals = match reach.reached[method as usize] {
                true => start.method(world, method),
                false => start.formals.add(std::iter::empty()),
            };
            start.formals.methods.push((formals.first, formals.returned));
            start.formals.first_node.push(formals.exceptions);
            start.formals.end_of_methods = start.formals.parameters.len() as u32;
        }
        for vertex in world.methods.len()..calls.vertices() {
            if let Some(callee) = calls.callee(vertex as Vertex) {
                let callee = reach.callees.get(callee);
                if reach.callees.targets(callee).len() > 1 {
                    let (_, descriptor) = world.selector(callee.selector);
                    let formals = start.add_formals(descriptor, callee.is_static);
                    start.formals.callees.insert(vertex as Vertex, formals);
                }
            }
        }
        start
    }

    fn method(&mut self, world: &World, method: MethodId) -> Formals {
        let descriptor = || world.selector(world.method(method).selector).1;
        let Some(body) = world.body(method) else {
            return self.add_formals(descriptor(), false);
        };
        if !body.has_body {
            let formals = self.add_formals(descriptor(), body.access & access::STATIC != 0);
            // Abstract methods do nothing; of native ones, and of those we could not read, nobody knows.
            if body.access & access::ABSTRACT == 0 {
                self.escape_all(formals);
            }
            return formals;
        }
        let first = self.graph.add(body.nodes);
        if body.failed {
            self.graph.escape(first);
        }
        let parameters = body.parameters().map(|p| p.map(|n| first + n));
        let mut formals = self.formals.add(parameters);
        formals.returned = body.returned.map_or(0, |n| first + n);
        formals.exceptions = first + EXCEPTIONS;
        formals
    }

    fn add_formals(&mut self, descriptor: &str, is_static: bool) -> Formals {
        let (parameters, result) = types::parameters(descriptor);
        let graph = &mut self.graph;
        let mut node = |has: bool| has.then(|| graph.add(1));
        let this = (!is_static).then_some(true);
        let all = this
            .into_iter()
            .chain(parameters.iter().map(|p| types::has_node(p)));
        let mut formals = self.formals.add(all.map(&mut node));
        formals.returned = node(types::has_node(result)).unwrap_or_default();
        formals.exceptions = node(true).unwrap_or_default();
        formals
    }

    /// The first node of a method's facts.
    pub(super) fn first_node(&self, method: MethodId) -> NodeId {
        self.formals.first_node[method as usize]
    }

    /// Keeps of each set only what it is itself, not what it leads to nor who is given it.
    pub(super) fn forget_relations(&mut self) {
        self.formals = AllFormals {
            first_node: std::mem::take(&mut self.formals.first_node),
            ..AllFormals::default()
        };
        self.graph.forget_fields();
    }

    /// Everything that it is given and gives back escapes.
    pub(super) fn let_escape(&mut self, vertex: Vertex) {
        self.escape_all(self.formals.of(vertex));
    }

    fn escape_all(&mut self, formals: Formals) {
        let Formals { first, count, .. } = formals;
        let parameters = self
            .formals
            .parameters
            .get(first as usize..(first + count) as usize);
        let parameters = parameters.unwrap_or_default().iter().copied();
        for node in parameters.chain([formals.returned, formals.exceptions]) {
            if node != 0 {
                self.graph.escape(node);
            }
        }
    }

    /// How many nodes there will be, about: those of the methods' facts, and some for callees and what fields lead to.
    pub fn room(world: &World, reach: &Reach) -> usize {
        let methods = 0..world.methods.len() as MethodId;
        let reached = methods.filter(|m| reach.reached[*m as usize]);
        let bodies = reached.filter_map(|m| world.body(m));
        let nodes: usize = bodies.map(|body| body.nodes as usize).sum();
        nodes + nodes / 4 + 4 * reach.callees.all.len()
    }
}
