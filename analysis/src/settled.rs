//! Arrays whose elements are written only before others can see them: tables that a class's initialiser fills, what
//! constructors make for their object, snapshots. Who reads such an array needs no hook.
//!
//! All that may be the same array is one *kind*: values of methods, joined by calls and by the fields that they are stored
//! in and loaded from, whichever object has the field. A kind is settled if all its arrays and all that is done to them are in
//! sight, and each write of an element comes before anybody else has seen the array.

use crate::calls::Callee;
use crate::escape::{CallGraph, is_callable_by_anyone};
use crate::facts::{EXCEPTIONS, Node, Owner};
use crate::models::Effect;
use crate::packed::{Body, Call, Element, Op};
use crate::reach::{Reach, Unknown};
use crate::types;
use crate::world::{ClassId, FieldFound, FieldKey, MethodId, World};
use racewire_classfile::access;
use rustc_hash::FxHashMap;

/// A value of a method, an argument of a callee, or a field.
type Place = u32;

/// Somebody whom we do not see may have, or write, such an array.
const WILD: u8 = 1;
/// An element is written when others may have seen the array.
const LATE: u8 = 2;
/// Two fields may have the same array, or one that somebody else has, too.
const ALIASED: u8 = 4;
/// An element is written by way of a field of an object that nobody else has seen.
const BY_HOLDER: u8 = 8;
const INSTANCE_FIELD: u8 = 16;
const STATIC_FIELD: u8 = 32;
/// One of the fields is assigned when others may have seen its object or class.
const ASSIGNED_LATE: u8 = 64;
/// A field that is not a static final one: those nobody can set by name.
const SETTABLE: u8 = 128;

const NO_CLASS: ClassId = ClassId::MAX;

pub struct Settled<'w> {
    world: &'w World,
    reach: &'w Reach,
    first_node: Vec<Place>,
    parents: Vec<Place>,
    /// By place; those of a kind are at its root.
    flags: Vec<u8>,
    fields: FxHashMap<FieldKey, (Place, FieldFound)>,
    /// Fields may be set by names that nobody sees.
    set_by_name: bool,
}

impl<'w> Settled<'w> {
    /// What may be the same array. `None` if something may do anything to any.
    pub fn find(world: &'w World, reach: &'w Reach, calls: &CallGraph) -> Option<Settled<'w>> {
        let mut settled = Settled {
            world,
            reach,
            first_node: Vec::with_capacity(world.methods.len()),
            parents: Vec::new(),
            flags: Vec::new(),
            fields: FxHashMap::default(),
            set_by_name: reach.met.iter().any(|met| met.what == Unknown::WritesFields),
        };
        let mut places = 0;
        for method in 0..world.methods.len() as MethodId {
            settled.first_node.push(places);
            let body = world.body(method).filter(|_| reach.reached[method as usize]);
            if let Some(body) = body {
                if body.failed && !body.has_body {
                    return None;
                }
                places += body.nodes;
            }
        }
        // There are millions: a list that has to grow is there twice.
        let room = places as usize + 6 * reach.callees.all.len();
        settled.parents = Vec::with_capacity(room);
        settled.parents.extend(0..places);
        settled.flags = Vec::with_capacity(room);
        settled.flags.resize(places as usize, 0);
        let formals = settled.formals();
        settled.join_targets(&formals);
        for method in 0..world.methods.len() as MethodId {
            if !reach.reached[method as usize] {
                continue;
            }
            match world.body(method) {
                Some(body) => settled.method(method, body, calls, &formals),
                None => settled.behind_lambda(method, calls, &formals),
            }
        }
        settled.give_from_outside();
        Some(settled)
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

    /// What a callee is given is what its targets get.
    fn join_targets(&mut self, formals: &[Place]) {
        let (world, reach) = (self.world, self.reach);
        for (callee, places) in reach.callees.all.iter().zip(formals.windows(2)) {
            let (first, result) = (places[0], places[1] - 1);
            for &target in &callee.targets {
                let Some(body) = world.body(target).filter(|body| body.has_body) else {
                    // Native, or behind a lambda.
                    (first..=result).for_each(|place| self.mark(place, WILD));
                    continue;
                };
                let own = self.first_node[target as usize];
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
            self.outside(callee, first, result);
        }
    }

    /// What the JDK and code that we do not see do to what a callee is given.
    fn outside(&mut self, callee: &Callee, first: Place, result: Place) {
        for model in &callee.models {
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
        let (owner, selector) = self.world.member_in(class, member);
        let found = self.world.resolve_field(owner, selector)?;
        if let Some((place, _)) = self.fields.get(&found.key) {
            return Some(*place);
        }
        let place = self.place();
        let is_static = found.access & access::STATIC != 0;
        let is_final = found.access & access::FINAL != 0;
        let is_named = found.annotated || self.reach.is_constant(self.world.selector_name(found.key.1));
        let is_open = found.access & (access::PUBLIC | access::PROTECTED) != 0 && self.reach.open;
        let is_wild = is_open || is_named || self.world.has_missing_ancestor(found.class);
        self.flags[place as usize] = if is_static { STATIC_FIELD } else { INSTANCE_FIELD }
            | if is_wild { WILD } else { 0 }
            | if is_static && is_final { 0 } else { SETTABLE };
        self.fields.insert(found.key, (place, found));
        Some(place)
    }

    /// Looks at every write of an element: `unseen` says of which object nobody else has seen it then, `is_late` which
    /// fields are assigned when others may have seen their object.
    pub fn look_at_writes(
        &mut self,
        mut unseen: impl FnMut(MethodId, &Element<'_>) -> Option<Owner>,
        is_late: impl Fn(&FieldKey) -> bool,
    ) {
        let classes = self.classes(is_late);
        let world = self.world;
        for method in 0..world.methods.len() as MethodId {
            let body = world.body(method).filter(|_| self.reach.reached[method as usize]);
            let class = world.method(method).class;
            let is_initialiser = world.selector(world.method(method).selector).0 == "<clinit>";
            let written = body.into_iter().flat_map(|body| body.elements());
            for element in written.filter(|element| element.write) {
                let root = self.root(self.first_node[method as usize] + element.array);
                let is_own_table = is_initialiser && classes.get(&root) == Some(&class);
                self.flags[root as usize] |= match unseen(method, &element) {
                    Some(Owner::Itself | Owner::Kept) => 0,
                    _ if is_own_table => 0,
                    Some(_) => BY_HOLDER,
                    None => LATE,
                };
            }
        }
    }

    /// The kinds that only final statics of one class have: that class.
    fn classes(&mut self, is_late: impl Fn(&FieldKey) -> bool) -> FxHashMap<Place, ClassId> {
        let mut classes: FxHashMap<Place, ClassId> = FxHashMap::default();
        let fields: Vec<(FieldKey, Place, FieldFound)> = self
            .fields
            .iter()
            .map(|(key, (place, found))| (*key, *place, *found))
            .collect();
        for (key, place, found) in fields {
            let is_late = found.access & access::FINAL == 0 && is_late(&key);
            if is_late {
                self.mark(place, ASSIGNED_LATE);
            }
            let of_class = if found.access & access::STATIC != 0 && !is_late {
                found.class
            } else {
                NO_CLASS
            };
            let known = classes.entry(self.root(place)).or_insert(of_class);
            if *known != of_class {
                *known = NO_CLASS;
            }
        }
        classes
    }

    /// Whether nobody writes what this is an array of, once others may see it.
    pub fn holds(&mut self, method: MethodId, node: Node) -> bool {
        let root = self.root(self.first_node[method as usize] + node);
        let flags = self.flags[root as usize];
        let by_holder = flags & BY_HOLDER == 0 || flags & (ALIASED | ASSIGNED_LATE | STATIC_FIELD) == 0;
        let as_seen = !self.set_by_name || flags & SETTABLE == 0;
        flags & (WILD | LATE) == 0 && by_holder && as_seen
    }

    fn root(&mut self, place: Place) -> Place {
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
