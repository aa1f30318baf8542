//! Code that runs only while its object is being made: constructors that keep `this` to themselves, and what only they
//! run for it. Nobody else has seen the object there.

use crate::calls::CalleeId;
use crate::escape::{CallGraph, Escape, Vertex, is_callable_by_anyone};
use crate::facts::Node;
use crate::packed::Body;
use crate::reach::Reach;
use crate::world::{MethodId, World};
use racewire_classfile::access;

#[derive(Debug)]
pub struct Construction {
    /// By method: its `this`, if that is being made whenever the method runs, and nobody else has it.
    unseen: Vec<Option<Node>>,
}

impl Construction {
    pub fn find(
        world: &World,
        reach: &Reach,
        calls: &CallGraph,
        escape: &Escape<'_>,
        main: &[MethodId],
    ) -> Construction {
        let methods = 0..world.methods.len() as MethodId;
        let is_kept: Vec<bool> = methods.clone().map(|m| escape.keeps_own(m)).collect();
        let is_reached = |m: &MethodId| reach.reached[*m as usize];
        let mut is_helper = vec![false; world.methods.len()];
        for method in methods.clone().filter(is_reached) {
            is_helper[method as usize] =
                may_help(world, reach, method) && !is_kept[method as usize] && !main.contains(&method);
        }
        for &method in reach.callbacks.iter().flatten() {
            is_helper[method as usize] = false;
        }
        let mut search = Search {
            has_helper: reach.callees.all.iter().map(|_| false).collect(),
            doubted: Vec::new(),
            on_this: Vec::new(),
        };
        for (id, callee) in reach.callees.all.iter().enumerate() {
            search.has_helper[id] = reach
                .callees
                .targets(callee)
                .iter()
                .any(|m| is_helper[*m as usize]);
        }
        for method in methods.clone().filter(is_reached) {
            let runs_early = is_kept[method as usize] || is_helper[method as usize];
            search.look_at(world, calls, method, runs_early);
        }
        // Whoever is called from elsewhere too runs elsewhere too, and so do those whom he calls.
        while let Some(callee) = search.doubted.pop() {
            for &target in reach.callees.targets(reach.callees.get(callee)) {
                if std::mem::replace(&mut is_helper[target as usize], false) {
                    search.doubt_on_this(target);
                }
            }
        }
        let runs_early = |m: &MethodId| is_kept[*m as usize] || is_helper[*m as usize];
        let unseen = methods.map(|m| Some(m).filter(runs_early).and_then(|m| just_this(world.body(m)?)));
        Construction {
            unseen: unseen.collect(),
        }
    }

    /// Whether that node of the method is an object which is being made, and nothing else.
    pub fn is_unseen(&self, method: MethodId, node: Node) -> bool {
        self.unseen.get(method as usize) == Some(&Some(node))
    }
}

struct Search {
    /// By callee: some of its targets may be helpers.
    has_helper: Vec<bool>,
    /// Callees that are called for other objects too.
    doubted: Vec<CalleeId>,
    /// What methods call on their own `this`, in the order of the methods.
    on_this: Vec<(MethodId, CalleeId)>,
}

impl Search {
    /// What the method calls on its own `this`.
    fn doubt_on_this(&mut self, method: MethodId) {
        let first = self.on_this.partition_point(|(caller, _)| *caller < method);
        let rest = self.on_this.get(first..).unwrap_or_default();
        let own = rest.iter().take_while(|(caller, _)| *caller == method);
        self.doubted.extend(own.map(|(_, callee)| *callee));
    }

    fn look_at(&mut self, world: &World, calls: &CallGraph, method: MethodId, runs_early: bool) {
        let has_helper = |vertex: &Vertex| {
            let callee = calls.callee(*vertex);
            callee.is_some_and(|callee| self.has_helper.get(callee as usize) == Some(&true))
        };
        if !calls.successors(method).iter().any(has_helper) {
            return;
        }
        let body = world.body(method);
        let this = body.filter(|_| runs_early).and_then(just_this);
        let found = body.into_iter().flat_map(|body| body.ops().calls());
        let mut given = found.map(|(_, call)| call.arguments.first().flatten());
        for vertex in calls.successors(method) {
            // What a lambda calls, it calls whenever it is called itself.
            let receiver = given.next().flatten();
            let Some(callee) = calls.callee(*vertex) else {
                continue;
            };
            if !self.has_helper.get(callee as usize).copied().unwrap_or(false) {
                continue;
            }
            if this.is_some() && receiver == this {
                self.on_this.push((method, callee));
            } else {
                self.doubted.push(callee);
            }
        }
    }
}

/// An instance method that nobody can call whom we do not see.
fn may_help(world: &World, reach: &Reach, method: MethodId) -> bool {
    let (name, _) = world.selector(world.method(method).selector);
    let has_this = world.method(method).access & access::STATIC == 0;
    has_this
        && !name.starts_with('<')
        && !is_callable_by_anyone(world, reach, method)
        && world.body(method).is_some_and(|body| just_this(body).is_some())
}

/// The node of `this`, if nothing else is in it.
fn just_this(body: Body<'_>) -> Option<Node> {
    let is_static = body.access & access::STATIC != 0;
    let this = body.parameters().first().flatten()?;
    (!is_static && body.has_body && body.is_just_given(this)).then_some(this)
}
