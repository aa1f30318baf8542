//! All that may be an array, joined where it may be the same one: what [`super`] finds out by calls and fields.

use super::{ALIASED, INSTANCE_FIELD, SETTABLE, STATIC_FIELD, WILD};
use crate::calls::Callee;
use crate::escape::{self, CallGraph, is_callable_by_anyone};
use crate::facts::{EXCEPTIONS, Node};
use crate::models::Effect;
use crate::packed::{Body, Call, Op};
use crate::reach::Reach;
use crate::types;
use crate::world::{ClassId, FieldFound, MethodId, World};
use racewire_classfile::access;

/// A value of a method, an argument of a callee, or a field.
pub(super) type Place = u32;
const NO_PLACE: Place = Place::MAX;

/// All that may be an array, as long as it is not known which of them are one kind.
pub(super) struct Places<'w> {
    world: &'w World,
    reach: &'w Reach,
    pub first_node: Vec<Place>,
    parents: Vec<Place>,
    /// By place; those of a kind are at its root.
    pub flags: Vec<u8>,
    /// Those that have a place.
    pub fields: Vec<(Place, FieldFound)>,
    /// By number of a field its place, or [`NO_PLACE`].
    of_fields: Vec<Place>,
}

impl<'w> Places<'w> {
    pub fn find(world: &'w World, reach: &'w Reach, calls: &CallGraph) -> Option<Places<'w>> {
        let mut found = Places {
            world,
            reach,
            first_node: Vec::with_capacity(world.methods.len()),
            parents: Vec::new(),
            flags: Vec::new(),
            fields: Vec::new(),
            of_fields: vec![NO_PLACE; world.field_numbers()],
        };
        let mut nodes = 0;
        for method in 0..world.methods.len() as MethodId {
            found.first_node.push(nodes);
            let body = world.body(method).filter(|_| reach.reached[method as usize]);
            if let Some(body) = body {
                if body.failed && !body.has_body {
                    return None;
                }
                nodes += body.nodes;
            }
        }
        // There are millions: a list that has to grow is there twice.
        let room = nodes as usize + 6 * reach.callees.all.len();
        // As large as what the escape analysis needs next: the allocator can give that the same memory.
        let next = escape::Start::room(world, reach) * escape::NODE_SIZE / size_of::<Place>();
        found.parents = Vec::with_capacity(room.max(next));
        found.parents.extend(0..nodes);
        found.flags = Vec::with_capacity(room);
        found.flags.resize(nodes as usize, 0);
        let formals = found.formals();
        found.join_targets(&formals);
        for method in 0..world.methods.len() as MethodId {
            if !reach.reached[method as usize] {
                continue;
            }
            match world.body(method) {
                Some(body) => found.method(method, body, calls, &formals),
                None => found.behind_lambda(method, calls, &formals),
            }
        }
        found.give_from_outside();
        Some(found)
    }

    /// Where the arguments of each callee begin; the result comes last.
    fn formals(&mut self) -> Vec<Place> {
        let mut formals = Vec::with_capacity(self.reach.callees.all.len() + 1);
        for callee in &self.reach.callees.all {
            formals.push(self.parents.len() as Place);
            let (_, descriptor) = self.world.selector(callee.selector);
            let receiver = usize::from(!callee.is_static);
            let (parameters, _) = types::parameters(descriptor);
            for _ in 0..receiver + parameters.len() + 1 {
                self.place();
            }
        }
        formals.push(self.parents.len() as Place);
        formals
    }

    fn place(&mut self) -> Place {
        let place = self.parents.len() as Place;
        self.parents.push(place);
        self.flags.push(0);
        place
    }

    /// What a callee is given is what its targets get. Method by method, in their order: each may be meant by hundreds of
    /// callees, and its facts are looked up once.
    fn join_targets(&mut self, formals: &[Place]) {
        let (world, reach) = (self.world, self.reach);
        let called_by = reach.callees.by_target(world.methods.len());
        for target in 0..world.methods.len() as MethodId {
            let callees = called_by.of_group(target);
            if callees.is_empty() {
                continue;
            }
            let body = world.body(target).filter(|body| body.has_body);
            let own = self.first_node[target as usize];
            for places in callees
                .iter()
                .filter_map(|id| formals.get(*id as usize..)?.first_chunk::<2>())
            {
                let (first, result) = (places[0], places[1] - 1);
                let Some(body) = &body else {
                    // Native, or behind a lambda.
                    (first..=result).for_each(|place| self.mark(place, WILD));
                    continue;
                };
                for (place, parameter) in (first..result).zip(body.parameters()) {
                    if let Some(parameter) = parameter {
                        self.join(place, own + parameter);
                    }
                }
                match body.returned {
                    Some(returned) => self.join(result, own + returned),
                    None => self.mark(result, WILD),
                }
            }
        }
        for (callee, places) in reach.callees.all.iter().zip(formals.windows(2)) {
            self.outside(callee, places[0], places[1] - 1);
        }
    }

    /// What the JDK and code that we do not see do to what a callee is given.
    fn outside(&mut self, callee: &Callee, first: Place, result: Place) {
        for model in self.reach.callees.models(callee) {
            let mut others = 0;
            for (nth, place) in (0..).zip(first..result) {
                if !model.copied.contains(&nth) {
                    self.mark(place, WILD);
                    others += 1;
                }
            }
            // Where there is nothing else that it could be it is a new one.
            if others > 0 && model.effect != Effect::Pure || model.effect > Effect::Contained {
                self.mark(result, WILD);
            }
        }
        if callee.unknown {
            (first..=result).for_each(|place| self.mark(place, WILD));
        }
    }

    fn method(&mut self, method: MethodId, body: Body<'_>, calls: &CallGraph, formals: &[Place]) {
        let class = self.world.method(method).class;
        let own = self.first_node[method as usize];
        self.mark(own + EXCEPTIONS, WILD);
        if body.failed || !body.has_body {
            (0..body.nodes).for_each(|node| self.mark(own + node, WILD));
            for access in body.accesses() {
                if let Some(field) = self.field(class, access.field) {
                    self.mark(field, WILD);
                }
            }
        }
        let shared = body.from_elsewhere();
        let mut callees = calls.successors(method).iter();
        let mut stored: Vec<Node> = Vec::new();
        for (_, op) in body.ops() {
            match op {
                Op::Load { field, to, .. } | Op::LoadStatic { field, to } => match self.field(class, field) {
                    Some(field) => self.join(field, own + to),
                    None => self.mark(own + to, WILD),
                },
                Op::Store { field, from, .. } | Op::StoreStatic { field, from } => {
                    match self.field(class, field) {
                        Some(field) => self.join(field, own + from),
                        None => self.mark(own + from, WILD),
                    }
                    if shared.get(from as usize) != Some(&false) || stored.contains(&from) {
                        self.mark(own + from, ALIASED);
                    }
                    stored.push(from);
                }
                Op::LoadElement { to: node, .. } | Op::StoreElement { from: node, .. } => {
                    self.mark(own + node, WILD);
                }
                Op::Lambda { captured, .. } => {
                    let nodes = captured.iter().flatten();
                    nodes.for_each(|node| self.mark(own + node, WILD));
                }
                Op::Unknown { nodes, .. } => nodes.iter().for_each(|node| self.mark(own + node, WILD)),
                Op::Call(call) => {
                    let callee = callees.next().and_then(|vertex| calls.callee(*vertex));
                    let places = callee.and_then(|id| formals.get(id as usize..)?.first_chunk::<2>());
                    self.call(&call, own, places.copied());
                }
                Op::New { .. } | Op::Describe { .. } => {}
            }
        }
    }

    /// What a lambda captured, and what it is given by whoever calls it.
    fn behind_lambda(&mut self, method: MethodId, calls: &CallGraph, formals: &[Place]) {
        for callee in calls.successors(method).iter().filter_map(|v| calls.callee(*v)) {
            if let Some([first, end]) = formals.get(callee as usize..).and_then(|f| f.first_chunk::<2>()) {
                (*first..*end).for_each(|place| self.mark(place, WILD));
            }
        }
    }

    fn call(&mut self, call: &Call<'_>, own: Place, formals: Option<[Place; 2]>) {
        let nodes = (0..).zip(call.arguments);
        let arguments = nodes.filter_map(|(nth, node)| Some((nth, own + node?)));
        let result = call.result.map(|result| own + result);
        match formals {
            Some([first, end]) if end - first == call.arguments.count() as Place + 1 => {
                arguments.for_each(|(nth, node)| self.join(first + nth, node));
                result.into_iter().for_each(|node| self.join(end - 1, node));
            }
            _ => arguments
                .map(|(_, node)| node)
                .chain(result)
                .for_each(|node| self.mark(node, WILD)),
        }
    }

    /// What code that we do not see gives to methods and takes from them, and what it may do to fields.
    fn give_from_outside(&mut self) {
        let (world, reach) = (self.world, self.reach);
        let called = (0..world.methods.len() as MethodId)
            .filter(|m| reach.reached[*m as usize] && is_callable_by_anyone(world, reach, *m));
        let callbacks = reach.callbacks.iter().flatten().copied();
        for method in called.chain(callbacks) {
            let Some(body) = world.body(method).filter(|_| reach.reached[method as usize]) else {
                continue;
            };
            let own = self.first_node[method as usize];
            let nodes = body.parameters().chain([body.returned]).flatten();
            nodes.for_each(|node| self.mark(own + node, WILD));
        }
    }

    /// The place of a field of the program.
    fn field(&mut self, class: ClassId, member: u32) -> Option<Place> {
        let found = *self.world.field_in(class, member)?;
        let known = self.of_fields[found.number as usize];
        if known != NO_PLACE {
            return Some(known);
        }
        let place = self.place();
        self.of_fields[found.number as usize] = place;
        let is_static = found.access & access::STATIC != 0;
        let is_final = found.access & access::FINAL != 0;
        let is_named = found.annotated || self.reach.is_constant(self.world.selector_name(found.key.1));
        let is_open = found.access & (access::PUBLIC | access::PROTECTED) != 0 && self.reach.open;
        let is_wild = is_open || is_named || self.world.has_missing_ancestor(found.class);
        self.flags[place as usize] = if is_static { STATIC_FIELD } else { INSTANCE_FIELD }
            | if is_wild { WILD } else { 0 }
            | if is_static && is_final { 0 } else { SETTABLE };
        self.fields.push((place, found));
        Some(place)
    }

    pub fn root(&mut self, place: Place) -> Place {
        let mut at = place;
        // Halving the path keeps the trees flat.
        while self.parents[at as usize] != at {
            let grand = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = grand;
            at = grand;
        }
        at
    }

    fn join(&mut self, one: Place, other: Place) {
        let (one, other) = (self.root(one), self.root(other));
        let (low, high) = (one.min(other), one.max(other));
        self.parents[high as usize] = low;
        self.flags[low as usize] |= self.flags[high as usize];
    }

    fn mark(&mut self, place: Place, flag: u8) {
        let root = self.root(place);
        self.flags[root as usize] |= flag;
    }
}
