//! What each method is given by its callers, as far as it has escaped.

use super::graph::{NodeId, flag};
use super::start::Formals;
use super::{Escape, Vertex};
use crate::facts::Node;
use crate::packed::Op;
use crate::reach::Reach;
use crate::world::{ClassId, MethodId, World};
use racewire_classfile::access;
use rustc_hash::FxHashSet;

/// Vertices whose callees have to be told again.
struct Waiting {
    queue: std::collections::VecDeque<Vertex>,
    /// Is in the queue, or has nothing to tell.
    queued: Vec<bool>,
    /// Nothing that it is told would be news, to it or to its targets.
    settled: Vec<bool>,
}

impl Waiting {
    fn add(&mut self, vertex: Vertex) {
        if !std::mem::replace(&mut self.queued[vertex as usize], true) {
            self.queue.push_back(vertex);
        }
    }
}

/// With reflection about, whoever can name a method can call it; private ones where an annotation or a string
/// constant shows that somebody means to.
pub fn is_callable_by_anyone(world: &World, reach: &Reach, id: MethodId) -> bool {
    let method = world.method(id);
    let Some(body) = world.body(id) else {
        return false;
    };
    if world.is_initialiser(method.selector) {
        return false;
    }
    if world.is_constructor(method.selector) && reach.has_names() {
        // A private one is called by who looks for such, with whatever it takes.
        return match method.access & access::PRIVATE {
            0 => reach.may_be_named(world, id),
            _ => body.annotated || reach.may_be_found(world, id),
        };
    }
    if reach.may_be_named(world, id) {
        return true;
    }
    let name = world.selector_name(method.selector);
    let is_named = || body.annotated || reach.is_constant(name);
    reach.open && (method.access & access::PRIVATE == 0 || is_named())
}

impl Escape<'_> {
    pub(super) fn top_down(&mut self) {
        self.give_from_outside();
        let settled = self.settled();
        let vertices = 0..self.calls.vertices() as Vertex;
        let mut waiting = Waiting {
            queue: std::collections::VecDeque::with_capacity(vertices.len()),
            queued: vertices.map(|vertex| !self.has_news(vertex, &settled)).collect(),
            settled,
        };
        // Callers first: most vertices are then told once.
        for component in self.components.iter().rev() {
            component.iter().for_each(|vertex| waiting.add(*vertex));
        }
        while let Some(vertex) = waiting.queue.pop_front() {
            waiting.queued[vertex as usize] = false;
            match self.calls.method(vertex) {
                Some(method) if self.reach.reached[method as usize] => {
                    self.tell_callees(method, &mut waiting)
                }
                Some(_) => {}
                None => self.tell_targets(vertex, &mut waiting),
            }
        }
    }

    /// By vertex: all that it is given has escaped already, as in nearly all methods that anybody may call. A callee only
    /// hands on to its targets.
    fn settled(&mut self) -> Vec<bool> {
        let methods = self.world.methods.len();
        let mut settled = Vec::with_capacity(self.calls.vertices());
        for vertex in 0..self.calls.vertices() {
            let is_settled = if vertex < methods {
                let mut nodes = (0..).map_while(|nth| self.nodes.formals.nth(vertex as Vertex, nth));
                nodes.all(|node| node == 0 || self.nodes.graph.escaped(node))
            } else {
                let mut targets = self.calls.successors(vertex as Vertex).iter();
                targets.all(|target| settled.get(*target as usize).copied().unwrap_or(false))
            };
            settled.push(is_settled);
        }
        settled
    }

    /// Whether the vertex could tell somebody something: its callees, or the callbacks of what it makes.
    fn has_news(&self, vertex: Vertex, settled: &[bool]) -> bool {
        let mut callees = self.calls.successors(vertex).iter();
        if callees.any(|callee| !settled[*callee as usize]) {
            return true;
        }
        let body = self.calls.method(vertex).and_then(|m| self.world.body(m));
        let mut ops = body.into_iter().flat_map(|body| body.ops().makers());
        // Where objects of any class may be made by name, and escape, it makes no difference who else makes some.
        ops.any(|(_, op)| match op {
            Op::New { .. } => !self.reach.makes_any,
            Op::Lambda { .. } => true,
            _ => false,
        })
    }

    /// What code that we do not see may give.
    fn give_from_outside(&mut self) {
        let world = self.world;
        for class in 0..world.classes.len() as ClassId {
            self.class_escaped[class as usize] |= self.reach.may_be_made(world, class);
        }
        for class in 0..world.classes.len() as ClassId {
            for &method in self.callbacks(class) {
                // All but `this`, which goes by where objects of the class are made.
                let this = self.this(method);
                let mut nth = 0;
                while let Some(node) = self.nodes.formals.nth(method, nth) {
                    if node != 0 && Some(node) != this {
                        self.nodes.graph.escape(node);
                    }
                    nth += 1;
                }
                if self.class_escaped[class as usize]
                    && let Some(this) = this
                {
                    self.nodes.graph.escape(this);
                }
            }
        }
        for method in 0..world.methods.len() as MethodId {
            if self.reach.reached[method as usize] && is_callable_by_anyone(world, self.reach, method) {
                self.nodes.let_escape(method);
            }
        }
    }

    fn tell_callees(&mut self, method: MethodId, waiting: &mut Waiting) {
        let world = self.world;
        let Some(body) = world.body(method) else {
            return self.tell_behind_lambda(method, waiting);
        };
        if !body.has_body {
            return;
        }
        let class = world.method(method).class;
        let first = self.nodes.first_node(method);
        let node = |n: Node| first + n;
        let calls = self.calls;
        let mut callees = calls.successors(method).iter();
        for (_, op) in body.ops() {
            match op {
                Op::New {
                    node: made,
                    class: name,
                    ..
                } => {
                    for &made_class in world.definitions(world.name_in(class, name)) {
                        self.tell_callbacks(node(made), made_class, waiting);
                    }
                }
                Op::Lambda {
                    node: made, lambda, ..
                } => {
                    if let Some(made_class) = world.lambda_class(class, lambda) {
                        self.tell_callbacks(node(made), made_class, waiting);
                    }
                }
                Op::Call(call) => {
                    let Some(&vertex) = callees.next() else { continue };
                    let vertex = calls.meant(vertex);
                    if waiting.settled[vertex as usize] {
                        continue;
                    }
                    let arguments = call.arguments.iter().map(|a| a.map_or(0, node));
                    let exceptions = node(crate::facts::EXCEPTIONS);
                    self.tell(
                        vertex,
                        arguments,
                        call.result.map_or(0, node),
                        exceptions,
                        waiting,
                    );
                }
                _ => {}
            }
        }
    }

    fn tell_behind_lambda(&mut self, method: MethodId, waiting: &mut Waiting) {
        let Some((lambda, _)) = self.world.lambda(self.world.method(method).class) else {
            return;
        };
        let Some(&vertex) = self.calls.successors(method).first() else {
            return;
        };
        let formals = self.nodes.formals.of(method);
        let this = self.this(method);
        let mut arguments = Vec::new();
        if lambda.kind == crate::reach::NEW_HANDLE {
            // The new object is what is returned.
            arguments.push(formals.returned);
        }
        for key in (0..=super::graph::FIRST_CAPTURED)
            .rev()
            .take(usize::from(lambda.captured))
        {
            arguments.push(this.map_or(0, |this| self.nodes.graph.field(this, key)));
        }
        arguments.extend(self.nodes.formals.parameters(method).iter().skip(1));
        let result = if lambda.kind == crate::reach::NEW_HANDLE {
            0
        } else {
            formals.returned
        };
        let vertex = self.calls.meant(vertex);
        self.tell(vertex, arguments.into_iter(), result, formals.exceptions, waiting);
    }

    /// An object of the class was made: its callbacks get it as `this`.
    fn tell_callbacks(&mut self, made: NodeId, class: ClassId, waiting: &mut Waiting) {
        let callbacks = self.callbacks(class);
        if self.nodes.graph.escaped(made) && !self.class_escaped[class as usize] {
            self.class_escaped[class as usize] = true;
        }
        for &method in callbacks {
            if let Some(this) = self.this(method)
                && self.give(this, made)
            {
                self.tell_again(method, waiting);
            }
        }
    }

    fn tell_targets(&mut self, vertex: Vertex, waiting: &mut Waiting) {
        if self.calls.meant(vertex) != vertex {
            // Its target has been told.
            return;
        }
        let formals = self.nodes.formals.of(vertex);
        let parameters = self.nodes.formals.parameters(vertex).to_vec();
        let calls = self.calls;
        for &target in calls.successors(vertex) {
            if waiting.settled[target as usize] {
                continue;
            }
            let arguments = parameters.iter().copied();
            self.tell(target, arguments, formals.returned, formals.exceptions, waiting);
        }
    }

    fn tell(
        &mut self,
        to: Vertex,
        arguments: impl Iterator<Item = NodeId>,
        result: NodeId,
        exceptions: NodeId,
        waiting: &mut Waiting,
    ) {
        let Formals {
            first,
            count,
            returned,
            exceptions: thrown,
        } = self.nodes.formals.of(to);
        let mut changed = false;
        for (nth, actual) in (first..first + count).zip(arguments) {
            let formal = self.nodes.formals.parameters.get(nth as usize).copied();
            changed |= formal.is_some_and(|formal| self.give(formal, actual));
        }
        changed |= self.give(returned, result);
        changed |= self.give(thrown, exceptions);
        if changed {
            self.tell_again(to, waiting);
        }
    }

    /// Everything in the component sees the same graph.
    fn tell_again(&mut self, vertex: Vertex, waiting: &mut Waiting) {
        let component = self.components.of[vertex as usize];
        for &member in self.components.members(component as usize) {
            waiting.add(member);
        }
    }

    fn leads_to_escaped(&mut self, node: NodeId) -> bool {
        let reached = self.reachable(node);
        reached.into_iter().any(|node| self.nodes.graph.escaped(node))
    }

    fn this(&self, method: MethodId) -> Option<NodeId> {
        let this = self.nodes.formals.parameters(method).first().copied();
        this.filter(|this| *this != 0)
    }

    /// What has escaped of `actual` has escaped of `formal`; says whether that is news.
    fn give(&mut self, formal: NodeId, actual: NodeId) -> bool {
        // Most have nothing to give or nobody to give it to.
        if formal == 0 || actual == 0 || self.nodes.graph.escaped(formal) {
            return false;
        }
        let mut changed = false;
        let mut waiting = vec![(formal, actual)];
        let mut fields = Vec::new();
        let mut seen = FxHashSet::default();
        while let Some((formal, actual)) = waiting.pop() {
            let formal = self.nodes.graph.find(formal);
            if self.nodes.graph.escaped(formal) {
                continue;
            }
            if self.nodes.graph.escaped(actual) {
                self.nodes.graph.escape(formal);
                changed = true;
                continue;
            }
            let actual = self.nodes.graph.find(actual);
            if self.nodes.graph.has(actual, flag::TASK) && !self.nodes.graph.has(formal, flag::TASK) {
                self.nodes.graph.add_flags(formal, flag::TASK);
                changed = true;
            }
            // All that a collapsed set leads to is in it.
            if self.nodes.graph.has(formal, flag::COLLAPSED) && self.leads_to_escaped(actual) {
                self.nodes.graph.escape(formal);
                changed = true;
                continue;
            }
            if formal == actual || !seen.insert((formal, actual)) {
                continue;
            }
            fields.extend(self.nodes.graph.fields(formal));
            for (key, child) in fields.drain(..) {
                if let Some(field) = self.nodes.graph.known_field(actual, key) {
                    waiting.push((child, field));
                }
            }
        }
        changed
    }
}
