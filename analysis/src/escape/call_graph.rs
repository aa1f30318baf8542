//! The call graph as vertices: the methods of the program and, between them, one vertex for each callee, so that a call
//! that may reach a thousand methods is one edge.

use crate::calls::CalleeId;
use crate::reach::{Reach, lambda_call};
use crate::world::{MethodId, World};

pub type Vertex = u32;

#[derive(Debug)]
pub struct CallGraph {
    methods: u32,
    /// Where the successors of each vertex begin.
    first: Vec<u32>,
    successors: Vec<Vertex>,
}

impl CallGraph {
    pub fn new(world: &World, reach: &Reach) -> CallGraph {
        let methods = world.methods.len() as u32;
        let mut graph = CallGraph {
            methods,
            first: Vec::with_capacity(world.methods.len() + reach.callees.all.len() + 1),
            // Most methods make no more calls than that. What has to grow is there twice for a while.
            successors: Vec::with_capacity(6 * world.methods.len()),
        };
        for method in 0..methods {
            graph.first.push(graph.successors.len() as u32);
            if reach.reached[method as usize] {
                graph.add_calls(world, reach, method);
            }
        }
        for callee in &reach.callees.all {
            graph.first.push(graph.successors.len() as u32);
            graph.successors.extend(reach.callees.targets(callee));
        }
        graph.first.push(graph.successors.len() as u32);
        graph
    }

    /// One successor for each call, in the order of the operations.
    fn add_calls(&mut self, world: &World, reach: &Reach, method: MethodId) {
        let class = world.method(method).class;
        let mut call = |maker, member, kind| {
            let (owner, selector) = world.member_in(maker, member);
            // Every call of a method that is reached was interned.
            let callee = reach.callees.find(owner, selector, kind).unwrap_or_default();
            self.successors.push(self.methods + callee);
        };
        match world.body(method) {
            Some(body) => {
                for (_, found) in body.ops().calls() {
                    call(class, found.target, found.kind);
                }
            }
            None => {
                if let Some((lambda, maker)) = world.lambda(class) {
                    call(maker, lambda.target, lambda_call(lambda.kind));
                }
            }
        }
    }

    pub fn vertices(&self) -> usize {
        self.first.len() - 1
    }

    /// Of a method its callees, one for each call; of a callee its targets.
    pub fn successors(&self, vertex: Vertex) -> &[Vertex] {
        let at = |v: u32| self.first.get(v as usize).copied().unwrap_or_default() as usize;
        self.successors
            .get(at(vertex)..at(vertex + 1))
            .unwrap_or_default()
    }

    /// The one method that a callee stands for, if there is just one; else the vertex itself.
    pub fn meant(&self, vertex: Vertex) -> Vertex {
        match self.successors(vertex) {
            [target] if vertex >= self.methods => *target,
            _ => vertex,
        }
    }

    pub fn method(&self, vertex: Vertex) -> Option<MethodId> {
        (vertex < self.methods).then_some(vertex)
    }

    pub fn callee(&self, vertex: Vertex) -> Option<CalleeId> {
        vertex.checked_sub(self.methods)
    }
}
