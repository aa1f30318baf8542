//! Threads, and what code each of them may run: with a known main class only.
//!
//! A root is a method that a thread begins with: `main`, and whatever the program hands to the JDK as a task. A root is
//! *single* if at most one thread of a run begins there.

mod once;
mod tasks;

use crate::escape::{CallGraph, Escape, Vertex};
use crate::packed::Op;
use crate::reach::Reach;
use crate::world::{ClassId, Declared, MethodId, NameId, World};
use once::Once;
use tasks::TaskTypes;

/// One bit per root; the last stands for all beyond the others.
pub type Mask = u64;
const LAST: usize = 63;

#[derive(Debug)]
pub struct Root {
    pub method: MethodId,
    pub single: bool,
}

#[derive(Debug)]
pub struct Roots {
    pub roots: Vec<Root>,
    /// Bits of roots that several threads may begin with.
    many: Mask,
    /// By vertex of the call graph: the roots that reach it.
    masks: Vec<Mask>,
}

impl Roots {
    pub fn mask(&self, method: MethodId) -> Mask {
        self.masks[method as usize]
    }

    /// Whether two threads may run what these roots reach.
    pub fn several(&self, mask: Mask) -> bool {
        mask & self.many != 0 || mask.count_ones() > 1
    }

    /// The bits of the roots that reach the method and that several threads begin with.
    pub fn many(&self, mask: Mask) -> Mask {
        mask & self.many
    }
}

pub fn bit(root: usize) -> Mask {
    1 << root.min(LAST)
}

pub fn find(
    world: &World,
    reach: &Reach,
    calls: &CallGraph,
    escape: &Escape<'_>,
    main: &[MethodId],
) -> Roots {
    let mut roots: Vec<Root> = main
        .iter()
        .map(|&method| Root {
            method,
            single: main.len() == 1,
        })
        .collect();
    let once = Once::new(world, reach, calls, main);
    let tasks = TaskTypes::find(world, reach);
    for class in 0..world.classes.len() as ClassId {
        for &method in &reach.callbacks[class as usize] {
            if let Some(single) = tasks.root(world, escape, &once, class, method) {
                roots.push(Root { method, single });
            }
        }
    }
    let many = roots
        .iter()
        .enumerate()
        .filter(|(nth, root)| !root.single || *nth >= LAST)
        .fold(0, |mask, (nth, _)| mask | bit(nth));
    let mut found = Roots {
        masks: vec![0; calls.vertices()],
        roots,
        many,
    };
    spread(world, reach, calls, escape, &mut found);
    found
}

fn spread(world: &World, reach: &Reach, calls: &CallGraph, escape: &Escape<'_>, found: &mut Roots) {
    let mut waiting: Vec<Vertex> = Vec::new();
    let add = |found: &mut Roots, waiting: &mut Vec<Vertex>, vertex: Vertex, mask: Mask| {
        let known = &mut found.masks[vertex as usize];
        if *known | mask != *known {
            *known |= mask;
            waiting.push(vertex);
        }
    };
    let all = (0..found.roots.len()).fold(0, |mask, nth| mask | bit(nth));
    for nth in 0..found.roots.len() {
        let method = found.roots[nth].method;
        add(found, &mut waiting, method, bit(nth));
    }
    for method in run_by_any_thread(world, reach, escape) {
        add(found, &mut waiting, method, all);
    }
    let mut next = Vec::new();
    while let Some(vertex) = waiting.pop() {
        let mask = found.masks[vertex as usize];
        runs_next(world, reach, calls, escape, vertex, &mut next);
        for &vertex_next in &next {
            add(found, &mut waiting, vertex_next, mask);
        }
    }
}

/// Code that we do not see may run callbacks of what it can reach in any thread, and make objects if it can do so.
pub fn run_by_any_thread(world: &World, reach: &Reach, escape: &Escape<'_>) -> Vec<MethodId> {
    let mut found = Vec::new();
    for class in 0..world.classes.len() {
        if escape.class_escaped[class] {
            found.extend(&reach.callbacks[class]);
        }
    }
    found.extend(
        (0..world.methods.len() as MethodId)
            .filter(|&method| reach.reached[method as usize] && reach.may_be_named(world, method)),
    );
    found
}

/// What a thread may run next that runs this.
pub fn runs_next(
    world: &World,
    reach: &Reach,
    calls: &CallGraph,
    escape: &Escape<'_>,
    vertex: Vertex,
    next: &mut Vec<Vertex>,
) {
    next.clear();
    next.extend(calls.successors(vertex));
    if let Some(method) = calls.method(vertex) {
        implied(world, reach, escape, method, next);
    }
}

/// Methods that run though no call names them: initialisers of classes, and callbacks of objects made here.
fn implied(world: &World, reach: &Reach, escape: &Escape<'_>, method: MethodId, next: &mut Vec<Vertex>) {
    let class = world.method(method).class;
    initialisers(world, class, next);
    let Some(body) = world.body(method) else {
        return;
    };
    for (id, op) in body.ops().makers() {
        match op {
            Op::New { class: made, .. } => {
                for &made in world.definitions(world.name_in(class, made)) {
                    // A thread's task is run by that thread alone.
                    if !escape.handed().is_made(method, id) {
                        next.extend(&reach.callbacks[made as usize]);
                    }
                }
            }
            Op::Lambda { lambda, .. } => {
                if let Some(made) = world.lambda_class(class, lambda)
                    && !escape.handed().is_made(method, id)
                {
                    next.extend(&reach.callbacks[made as usize]);
                }
            }
            _ => {}
        }
    }
    for initialised in initialised_by(world, method) {
        initialisers(world, initialised, next);
    }
}

/// Classes that the method's code may initialise (JLS 12.4.1).
fn initialised_by(world: &World, method: MethodId) -> Vec<ClassId> {
    let class = world.method(method).class;
    let Some(body) = world.body(method) else {
        return Vec::new();
    };
    let statics = body.accesses().filter(|a| a.base.is_none());
    let mut named: Vec<NameId> = statics.map(|a| world.member_in(class, a.field).0).collect();
    named.extend(body.ops().filter_map(|(_, op)| match op {
        Op::New { class: made, .. } => Some(world.name_in(class, made)),
        Op::Call(call) => Some(world.member_in(class, call.target).0),
        _ => None,
    }));
    named.sort_unstable();
    named.dedup();
    named
        .iter()
        .flat_map(|name| world.definitions(*name))
        .copied()
        .collect()
}

pub fn initialisers(world: &World, class: ClassId, next: &mut Vec<Vertex>) {
    let Some(selector) = world.find_selector("<clinit>", "()V") else {
        return;
    };
    for &ancestor in &world.class(class).ancestors {
        if let Some(Declared::Body(method)) = world.declared(ancestor, selector) {
            next.push(method);
        }
    }
}
