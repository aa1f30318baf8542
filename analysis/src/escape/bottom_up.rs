//! The effect of each method on what it is given, callees before callers.

use super::graph::{ELEMENT, FIRST_CAPTURED, Key, NodeId};
use super::start::Formals;
use super::{Escape, Vertex, flag};
use crate::calls::{Callee, CalleeId};
use crate::facts::{EXCEPTIONS, Node, OpId};
use crate::models::{Effect, Model};
use crate::packed::{Body, Op};
use crate::reach::NEW_HANDLE;
use crate::types;
use crate::world::{ClassId, MethodId, Origin, World};

/// An effect with more sets than this is told in less detail.
const LARGEST_EFFECT: usize = 64;

/// A call as nodes of the graph; 0 for what has none.
struct Actuals<'a> {
    arguments: &'a [NodeId],
    result: NodeId,
    exceptions: NodeId,
}

impl Escape<'_> {
    pub(super) fn bottom_up(&mut self) {
        let components = self.components.clone();
        for members in components.iter() {
            for &vertex in members {
                match (self.calls.method(vertex), self.calls.callee(vertex)) {
                    (Some(method), _) if self.reach.reached[method as usize] => self.method(method),
                    (_, Some(callee)) => self.callee(vertex, callee),
                    _ => {}
                }
            }
            for &vertex in members {
                self.limit(vertex);
            }
        }
    }

    fn method(&mut self, method: MethodId) {
        match self.world.body(method) {
            Some(body) if body.has_body => self.body(method, body),
            Some(_) => {}
            None => self.lambda(method),
        }
    }

    fn body(&mut self, method: MethodId, body: Body<'_>) {
        let class = self.world.method(method).class;
        let first = self.nodes.first_node(method);
        let node = |n: Node| first + n;
        let calls = self.calls;
        let mut callees = calls.successors(method).iter();
        let mut arguments = Vec::new();
        for (id, op) in body.ops() {
            match op {
                Op::New {
                    node: made,
                    class: name,
                    ..
                } => {
                    let name = self.world.name_in(class, name);
                    for &made_class in self.world.definitions(name) {
                        self.made(node(made), made_class);
                    }
                }
                Op::Lambda {
                    node: made,
                    lambda,
                    captured,
                    ..
                } => {
                    if let Some(made_class) = self.world.lambda_class(class, lambda) {
                        self.made(node(made), made_class);
                    }
                    for (key, captured) in (0..=FIRST_CAPTURED).rev().zip(captured) {
                        if let Some(captured) = captured {
                            self.store(node(made), key, node(captured));
                        }
                    }
                }
                Op::Load { base, field, to } => self.store(node(base), self.key(class, field), node(to)),
                Op::Store { base, field, from } => {
                    self.store(node(base), self.key(class, field), node(from));
                }
                Op::LoadStatic { to: n, .. } | Op::StoreStatic { from: n, .. } => {
                    self.nodes.graph.escape(node(n))
                }
                Op::LoadElement { base, to: other } | Op::StoreElement { base, from: other } => {
                    self.store(node(base), ELEMENT, node(other));
                }
                Op::Call(call) => {
                    let Some(&vertex) = callees.next() else { continue };
                    arguments.clear();
                    arguments.extend(call.arguments.iter().map(|a| a.map_or(0, node)));
                    let actuals = Actuals {
                        arguments: &arguments,
                        result: call.result.map_or(0, node),
                        exceptions: node(EXCEPTIONS),
                    };
                    self.call(method, Some(id), vertex, &actuals);
                }
                Op::Describe { nodes } => nodes
                    .iter()
                    .for_each(|n| self.nodes.graph.add_flags(node(n), flag::CALLED)),
                Op::Unknown { nodes, .. } => nodes.iter().for_each(|n| self.nodes.graph.escape(node(n))),
            }
        }
    }

    /// A field is a set: what is stored there and what is loaded from there are the same.
    fn store(&mut self, base: NodeId, key: Key, value: NodeId) {
        let field = self.nodes.graph.field(base, key);
        self.nodes.graph.unify(field, value);
    }

    fn key(&self, class: ClassId, field: crate::facts::MemberId) -> Key {
        self.world.member_in(class, field).1
    }

    /// There is a new object of the class in the set.
    fn made(&mut self, node: NodeId, class: ClassId) {
        let mut flags = self.class_flags[class as usize];
        // Objects count as called from the beginning, so that nothing depends on who gets them. Lambdas do not.
        if matches!(self.world.class(class).origin, Origin::Program(_)) {
            flags |= flag::CALLED;
        }
        if flags != 0 {
            self.nodes.graph.add_flags(node, flags);
        }
    }

    /// `captured… + parameters…` go to the method behind the lambda.
    fn lambda(&mut self, method: MethodId) {
        let Some((lambda, maker)) = self.world.lambda(self.world.method(method).class) else {
            return;
        };
        let Some(&vertex) = self.calls.successors(method).first() else {
            return;
        };
        let formals = self.nodes.formals.of(method);
        let parameters: Vec<NodeId> = self.nodes.formals.parameters(method).to_vec();
        let Some((&this, given)) = parameters.split_first() else {
            return;
        };
        let mut arguments = Vec::new();
        let mut result = formals.returned;
        if lambda.kind == NEW_HANDLE {
            let made = self.nodes.graph.add(1);
            let (owner, _) = self.world.member_in(maker, lambda.target);
            for &class in self.world.definitions(owner) {
                self.made(made, class);
            }
            if formals.returned != 0 {
                self.nodes.graph.unify(made, formals.returned);
            }
            arguments.push(made);
            result = 0;
        }
        for key in (0..=FIRST_CAPTURED).rev().take(usize::from(lambda.captured)) {
            arguments.push(self.nodes.graph.field(this, key));
        }
        arguments.extend(given);
        let actuals = Actuals {
            arguments: &arguments,
            result,
            exceptions: formals.exceptions,
        };
        self.call(method, None, vertex, &actuals);
    }

    fn call(&mut self, caller: MethodId, op: Option<OpId>, vertex: Vertex, actuals: &Actuals<'_>) {
        let Some(callee) = self.calls.callee(vertex) else {
            return;
        };
        self.take_over(caller, self.calls.meant(vertex), actuals);
        let callee = self.reach.callees.get(callee);
        if callee.unknown {
            let given = actuals.arguments.iter().copied();
            let all = given.chain([actuals.result, actuals.exceptions]);
            all.filter(|node| *node != 0)
                .for_each(|node| self.nodes.graph.escape(node));
        }
        let models = self.reach.callees.models(callee);
        if models.is_empty() {
            return;
        }
        let handed = op.and_then(|op| self.handed.argument(caller, op));
        let is_new_thread =
            Some(callee.owner) == self.well_known.thread && self.world.is_constructor(callee.selector);
        let is_spared = |nth: u8| handed == Some(nth) || is_new_thread && nth == 0;
        for model in models.iter().copied() {
            self.model(model, callee, actuals, is_spared);
            let task = handed.and_then(|nth| actuals.arguments.get(usize::from(nth)));
            if let Some(&task) = task.filter(|task| **task != 0) {
                self.nodes.graph.add_flags(task, flag::HANDED | flag::TASK);
            }
        }
    }

    /// The effect of a method that we do not see into; arguments that are spared do not escape by it.
    fn model(
        &mut self,
        model: &Model,
        callee: &Callee,
        actuals: &Actuals<'_>,
        is_spared: impl Fn(u8) -> bool,
    ) {
        let given = || {
            let arguments = actuals.arguments.iter().enumerate();
            arguments
                .filter(|(_, a)| **a != 0)
                .map(|(nth, a)| (nth as u8, *a))
        };
        // What is only looked at may still be given to a comparison that another argument holds.
        let is_lent = |nth: u8| model.borrowed.contains(&nth) && !self.comparisons_leak;
        let together = match model.effect {
            Effect::Contained => true,
            // Callbacks get whatever is at hand.
            Effect::Pure | Effect::Shared => self.comparisons_leak || takes_callback(self.world, callee),
            Effect::Escapes => false,
        };
        let calls_nothing =
            Some(callee.owner) == self.well_known.object && self.world.is_constructor(callee.selector);
        let mut first = None;
        for (nth, node) in given() {
            if !calls_nothing {
                self.nodes.graph.add_flags(node, flag::CALLED);
            }
            let is_lent = is_lent(nth);
            let may_escape = model.tasks.contains(&nth) || model.effect == Effect::Escapes && !is_lent;
            if may_escape && !is_spared(nth) {
                self.nodes.graph.escape(node);
            } else if together && !is_lent {
                self.nodes.graph.unify(*first.get_or_insert(node), node);
            }
        }
        // What another thread threw is thrown here.
        let is_concurrent = || self.world.name(callee.owner).starts_with("java/util/concurrent/");
        if model.effect == Effect::Escapes && is_concurrent() || !model.reflection.is_empty() {
            self.nodes.graph.escape(actuals.exceptions);
        }
        let result = actuals.result;
        if result != 0 {
            match model.effect {
                Effect::Pure => {}
                Effect::Contained => {
                    self.nodes.graph.add_flags(result, flag::CALLED);
                    self.nodes.graph.unify(*first.get_or_insert(result), result);
                }
                Effect::Shared | Effect::Escapes => self.nodes.graph.escape(result),
            }
        }
    }

    /// A callee does what any of its targets does.
    fn callee(&mut self, vertex: Vertex, callee: CalleeId) {
        if self.calls.meant(vertex) != vertex {
            return;
        }
        let Formals {
            returned, exceptions, ..
        } = self.nodes.formals.of(vertex);
        let mut arguments = std::mem::take(&mut self.scratch.arguments);
        arguments.extend(self.nodes.formals.parameters(vertex));
        let reach = self.reach;
        for &target in reach.callees.targets(reach.callees.get(callee)) {
            let actuals = Actuals {
                arguments: &arguments,
                result: returned,
                exceptions,
            };
            self.take_over(vertex, target, &actuals);
        }
        arguments.clear();
        self.scratch.arguments = arguments;
    }

    /// Takes the effect of `to` over to what it is given here. In a circle of calls both have one graph.
    fn take_over(&mut self, from: Vertex, to: Vertex, actuals: &Actuals<'_>) {
        let formals = self.nodes.formals.of(to);
        let together = self.components.of[from as usize] == self.components.of[to as usize];
        let mut pairs = std::mem::take(&mut self.scratch.pairs);
        let parameters = self.nodes.formals.parameters(to).iter().zip(actuals.arguments);
        pairs.extend(parameters.map(|(formal, actual)| (*formal, *actual)));
        pairs.push((formals.returned, actuals.result));
        // Vertices that were never reached have none.
        pairs.push((formals.exceptions, actuals.exceptions));
        pairs.retain(|(formal, actual)| *formal != 0 && *actual != 0);
        if together {
            pairs
                .drain(..)
                .for_each(|(one, other)| self.nodes.graph.unify(one, other));
        } else {
            self.copy(&pairs);
            pairs.clear();
        }
        self.scratch.pairs = pairs;
    }

    /// Does to what is given (second) what was done to the formals (first), and to what both lead to.
    fn copy(&mut self, pairs: &[(NodeId, NodeId)]) {
        let mut waiting = std::mem::take(&mut self.scratch.waiting);
        let mut seen = std::mem::take(&mut self.scratch.copied);
        let mut fields = std::mem::take(&mut self.scratch.fields);
        seen.clear();
        waiting.extend(pairs.iter().rev());
        while let Some((formal, actual)) = waiting.pop() {
            let formal = self.nodes.graph.find(formal);
            if let Some(other) = seen.get(formal) {
                self.nodes.graph.unify(other, actual);
                continue;
            }
            seen.add(formal, actual);
            let flags = self.nodes.graph.flags(formal);
            if flags != 0 {
                self.nodes.graph.add_flags(actual, flags);
            }
            if flags & flag::ESCAPED == 0 {
                fields.extend(self.nodes.graph.fields(formal));
                for (key, child) in fields.drain(..) {
                    let field = self.nodes.graph.field(actual, key);
                    waiting.push((child, field));
                }
            }
        }
        self.scratch.waiting = waiting;
        self.scratch.copied = seen;
        self.scratch.fields = fields;
    }

    /// Keeps effects small: what a parameter leads to becomes one set.
    fn limit(&mut self, vertex: Vertex) {
        let mut nodes = std::mem::take(&mut self.scratch.arguments);
        nodes.extend((0..).map_while(|nth| self.nodes.formals.nth(vertex, nth)));
        nodes.retain(|node| *node != 0);
        let leads_on = nodes.iter().any(|node| self.nodes.graph.has_fields(*node));
        if leads_on && self.size(&nodes) > LARGEST_EFFECT {
            for &node in &nodes {
                if !self.nodes.graph.escaped(node) {
                    self.nodes.graph.collapse(node);
                }
            }
        }
        nodes.clear();
        self.scratch.arguments = nodes;
    }

    fn size(&mut self, nodes: &[NodeId]) -> usize {
        let mut waiting: Vec<NodeId> = nodes.to_vec();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(node) = waiting.pop() {
            let node = self.nodes.graph.find(node);
            if seen.insert(node) {
                waiting.extend(self.nodes.graph.fields(node).map(|(_, child)| child));
            }
            if seen.len() > LARGEST_EFFECT {
                break;
            }
        }
        seen.len()
    }
}

/// One of its parameters is there to be called.
fn takes_callback(world: &World, callee: &Callee) -> bool {
    let (_, descriptor) = world.selector(callee.selector);
    let (parameters, _) = types::parameters(descriptor);
    parameters.iter().filter_map(|p| types::class_of(p)).any(|class| {
        let name = world.find_name(class);
        let mut classes = name.iter().flat_map(|n| world.definitions(*n));
        class != "java/lang/CharSequence" && classes.any(|c| world.class(*c).is_interface())
    })
}
