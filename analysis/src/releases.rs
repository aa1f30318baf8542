//! Which calls may release something: unlock, write a volatile field, start a thread, hand something over. Between two
//! accesses of a thread to a variable without a release, the second tells a detector nothing new.

use crate::calls::Callee;
use crate::escape::{CallGraph, Components};
use crate::reach::Reach;
use crate::types;
use crate::world::{MethodId, World};

#[derive(Debug)]
pub struct Releases {
    /// By vertex of the call graph.
    vertices: Vec<bool>,
    methods: usize,
}

impl Releases {
    pub fn find(
        world: &World<'_>,
        reach: &Reach,
        calls: &CallGraph,
        components: &Components,
        writes_volatile: &dyn Fn(MethodId) -> bool,
    ) -> Releases {
        let mut callbacks_release = false;
        loop {
            let mut vertices = vec![false; calls.vertices()];
            for members in &components.members {
                let releases = members.iter().any(|&vertex| {
                    let itself = match (calls.method(vertex), calls.callee(vertex)) {
                        (Some(method), _) => by_itself(world, method) || writes_volatile(method),
                        (None, Some(callee)) => {
                            outside(world, reach, reach.callees.get(callee), callbacks_release)
                        }
                        (None, None) => true,
                    };
                    itself
                        || calls
                            .successors(vertex)
                            .iter()
                            .any(|&next| vertices[next as usize])
                });
                if releases {
                    members
                        .iter()
                        .for_each(|&vertex| vertices[vertex as usize] = true);
                }
            }
            let found = reach.callbacks.iter().flatten().any(|m| vertices[*m as usize]);
            if found == callbacks_release {
                return Releases {
                    vertices,
                    methods: world.methods.len(),
                };
            }
            callbacks_release = true;
        }
    }

    pub fn method(&self, method: MethodId) -> bool {
        self.vertices.get(method as usize).copied().unwrap_or(true)
    }

    pub fn callee(&self, callee: crate::calls::CalleeId) -> bool {
        let vertex = self.methods + callee as usize;
        self.vertices.get(vertex).copied().unwrap_or(true)
    }
}

fn by_itself(world: &World<'_>, method: MethodId) -> bool {
    match world.body(method) {
        Some(body) => body.releases || body.failed || (!body.has_body && body.access & ABSTRACT == 0),
        None => false,
    }
}

const ABSTRACT: u16 = racewire_classfile::access::ABSTRACT;

fn outside(world: &World<'_>, reach: &Reach, callee: &Callee, callbacks_release: bool) -> bool {
    if callee.unknown || callee.models.iter().any(|model| model.releases) {
        return true;
    }
    if callee.models.is_empty() || !callbacks_release {
        return false;
    }
    // It can call back only what it was given, or what overrides its receiver's methods.
    let (_, descriptor) = world.selector(callee.selector);
    let (parameters, _) = types::parameters(descriptor);
    let overridden = |class: &u32| reach.has_program_subtypes[*class as usize];
    parameters
        .iter()
        .any(|p| types::has_node(p) && !p.starts_with("["))
        || world.definitions(callee.owner).iter().any(overridden)
            && world.name(callee.owner) != "java/lang/Object"
}
