//! Threads, and what code each of them may run: with a known main class only.
//!
//! A root is a method that a thread begins with: `main`, and whatever the program hands to the JDK as a task. A root is
//! *single* if at most one thread of a run begins there.

use crate::calls::{Callee, UNMODELLED};
use crate::escape::{CallGraph, Escape, Vertex};
use crate::facts::Op;
use crate::reach::Reach;
use crate::types;
use crate::world::{ClassId, Declared, MethodId, NameId, World};
use rustc_hash::FxHashSet;

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
    world: &World<'_>,
    reach: &Reach,
    calls: &CallGraph,
    escape: &Escape<'_, '_>,
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

fn spread(world: &World<'_>, reach: &Reach, calls: &CallGraph, escape: &Escape<'_, '_>, found: &mut Roots) {
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
pub fn run_by_any_thread(world: &World<'_>, reach: &Reach, escape: &Escape<'_, '_>) -> Vec<MethodId> {
    let mut found = Vec::new();
    for class in 0..world.classes.len() {
        if escape.class_escaped[class] {
            found.extend(&reach.callbacks[class]);
        }
    }
    if reach.makes_any {
        found.extend((0..world.methods.len() as MethodId).filter(|&method| {
            let (name, _) = world.selector(world.method(method).selector);
            reach.reached[method as usize] && name.starts_with('<')
        }));
    }
    found
}

/// What a thread may run next that runs this.
pub fn runs_next(
    world: &World<'_>,
    reach: &Reach,
    calls: &CallGraph,
    escape: &Escape<'_, '_>,
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
fn implied(
    world: &World<'_>,
    reach: &Reach,
    escape: &Escape<'_, '_>,
    method: MethodId,
    next: &mut Vec<Vertex>,
) {
    let class = world.method(method).class;
    initialisers(world, class, next);
    let Some(body) = world.body(method) else {
        return;
    };
    for (id, op) in (0..).zip(&body.ops) {
        match op {
            Op::New { class: made, .. } => {
                for &made in world.definitions(world.name_in(class, *made)) {
                    // A thread's task is run by that thread alone.
                    if !escape.handed().is_made(method, id) {
                        next.extend(&reach.callbacks[made as usize]);
                    }
                }
            }
            Op::Lambda { lambda, .. } => {
                if let Some(made) = world.lambda_class(class, *lambda)
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
fn initialised_by(world: &World<'_>, method: MethodId) -> Vec<ClassId> {
    let class = world.method(method).class;
    let Some(body) = world.body(method) else {
        return Vec::new();
    };
    let statics = body.accesses.iter().filter(|a| a.base.is_none());
    let mut named: Vec<NameId> = statics.map(|a| world.member_in(class, a.field).0).collect();
    named.extend(body.ops.iter().filter_map(|op| match op {
        Op::New { class: made, .. } => Some(world.name_in(class, *made)),
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

pub fn initialisers(world: &World<'_>, class: ClassId, next: &mut Vec<Vertex>) {
    let Some(selector) = world.find_selector("<clinit>", "()V") else {
        return;
    };
    for &ancestor in &world.class(class).ancestors {
        if let Some(Declared::Body(method)) = world.declared(ancestor, selector) {
            next.push(method);
        }
    }
}

/// The types of tasks that the program hands to the JDK.
struct TaskTypes {
    classes: FxHashSet<NameId>,
    /// Some are handed over in collections, or run in parallel: any callback may be a task.
    any: bool,
}

impl TaskTypes {
    fn find(world: &World<'_>, reach: &Reach) -> TaskTypes {
        let mut types = TaskTypes {
            classes: FxHashSet::default(),
            any: false,
        };
        for callee in &reach.callees.all {
            types.any |= callee.unknown;
            let (_, descriptor) = world.selector(callee.selector);
            let (parameters, _) = types::parameters(descriptor);
            for model in &callee.models {
                let is_declared = !std::ptr::eq(*model, &*UNMODELLED);
                types.any |= model.parallel && (is_declared || takes_program_objects(world, reach, callee));
                for &task in &model.tasks {
                    let receiver = usize::from(!callee.is_static);
                    let parameter = usize::from(task).checked_sub(receiver);
                    let name = match parameter {
                        None => Some(callee.owner),
                        Some(nth) => parameters
                            .get(nth)
                            .filter(|p| !p.starts_with('['))
                            .and_then(|p| world.find_name(types::class_of(p)?)),
                    };
                    let known = name.filter(|n| !NOT_TASKS.contains(&world.name(*n)));
                    match known {
                        Some(name) => {
                            types.classes.insert(name);
                        }
                        None => types.any = true,
                    }
                }
            }
        }
        types
    }

    /// Whether the callback is where threads begin, and if so, whether it is just one.
    fn root(
        &self,
        world: &World<'_>,
        escape: &Escape<'_, '_>,
        once: &Once<'_, '_>,
        class: ClassId,
        method: MethodId,
    ) -> Option<bool> {
        let selector = world.method(method).selector;
        if world.selector(selector) == ("finalize", "()V") {
            return Some(false);
        }
        let is_handed = once.made(class).is_some_and(|made| {
            !made.is_empty()
                && made
                    .iter()
                    .all(|(maker, op)| escape.handed().is_made(*maker, *op))
        });
        if !is_handed && !escape.class_escaped[class as usize] {
            return None;
        }
        let object = world.find_name("java/lang/Object");
        let is_task = self.any
            || world.class(class).ancestors.iter().any(|&ancestor| {
                let parent = world.class(ancestor);
                let declares_task = self.classes.contains(&parent.name);
                // A task's other methods run wherever they are called.
                declares_task
                    && parent.ancestors.iter().any(|&declaring| {
                        Some(world.class(declaring).name) != object
                            && world.declared(declaring, selector).is_some()
                    })
            });
        is_task.then(|| {
            let made = once.made(class).unwrap_or_default();
            is_handed && made.len() == 1 && made.iter().all(|(maker, op)| once.runs_once(*maker, Some(*op)))
        })
    }
}

/// Whether an object of the program can be given to it.
fn takes_program_objects(world: &World<'_>, reach: &Reach, callee: &Callee) -> bool {
    let (_, descriptor) = world.selector(callee.selector);
    let (parameters, _) = types::parameters(descriptor);
    let given = parameters
        .iter()
        .filter_map(|p| world.find_name(types::class_of(p)?));
    let receiver = (!callee.is_static).then_some(callee.owner);
    // What no class of the program is a subtype of may not even be known here.
    let mut classes = given.chain(receiver).flat_map(|name| world.definitions(name));
    classes.any(|class| reach.has_program_subtypes[*class as usize])
}

/// Types of arguments that hold tasks rather than being one.
const NOT_TASKS: [&str; 5] = [
    "java/lang/Object",
    "java/util/Collection",
    "java/util/List",
    "java/lang/Iterable",
    "java/util/Iterator",
];

/// Which code runs at most once in a run of the program.
struct Once<'w, 'f> {
    world: &'w World<'f>,
    calls: &'w CallGraph,
    main: &'w [MethodId],
    /// By callee: the methods that call it, and whether in a loop.
    callers: Vec<Vec<(MethodId, bool)>>,
    /// By method: its callees.
    callees: Vec<Vec<u32>>,
    /// Methods that code outside may call.
    outside: Vec<bool>,
    /// By class: where objects of it are made; `None` if they may be made anywhere.
    made: Vec<Vec<(MethodId, u32)>>,
    makes_any: bool,
}

impl<'w, 'f> Once<'w, 'f> {
    fn new(
        world: &'w World<'f>,
        reach: &'w Reach,
        calls: &'w CallGraph,
        main: &'w [MethodId],
    ) -> Once<'w, 'f> {
        let mut once = Once {
            world,
            calls,
            main,
            callers: vec![Vec::new(); reach.callees.all.len()],
            callees: vec![Vec::new(); world.methods.len()],
            outside: vec![false; world.methods.len()],
            made: vec![Vec::new(); world.classes.len()],
            makes_any: reach.makes_any,
        };
        for method in (0..world.methods.len() as MethodId).filter(|m| reach.reached[*m as usize]) {
            once.add(method);
        }
        for (id, callee) in (0..).zip(&reach.callees.all) {
            for &target in &callee.targets {
                once.callees[target as usize].push(id);
            }
        }
        for &method in reach.callbacks.iter().flatten() {
            once.outside[method as usize] = true;
        }
        once
    }

    fn add(&mut self, method: MethodId) {
        let world = self.world;
        let class = world.method(method).class;
        let mut successors = self.calls.successors(method).iter();
        let Some(body) = world.body(method) else {
            for callee in successors.filter_map(|v| self.calls.callee(*v)) {
                self.callers[callee as usize].push((method, false));
            }
            return;
        };
        for (id, op) in (0..).zip(&body.ops) {
            match op {
                Op::Call(call) => {
                    if let Some(callee) = successors.next().and_then(|v| self.calls.callee(*v)) {
                        self.callers[callee as usize].push((method, call.in_loop));
                    }
                }
                Op::New { class: made, .. } => {
                    for &made in world.definitions(world.name_in(class, *made)) {
                        self.made[made as usize].push((method, id));
                    }
                }
                Op::Lambda { lambda, .. } => {
                    if let Some(made) = world.lambda_class(class, *lambda) {
                        self.made[made as usize].push((method, id));
                    }
                }
                _ => {}
            }
        }
    }

    fn made(&self, class: ClassId) -> Option<&[(MethodId, u32)]> {
        (!self.makes_any).then(|| self.made[class as usize].as_slice())
    }

    /// Whether the operation (or the whole method) is executed at most once.
    fn runs_once(&self, method: MethodId, op: Option<u32>) -> bool {
        self.once(method, op, 0)
    }

    fn once(&self, method: MethodId, op: Option<u32>, depth: u32) -> bool {
        let in_loop = op.is_some_and(|op| {
            let found = self.world.body(method).and_then(|body| body.ops.get(op as usize));
            match found {
                Some(Op::New { in_loop, .. } | Op::Lambda { in_loop, .. }) => *in_loop,
                _ => true,
            }
        });
        if in_loop || depth > 20 || self.outside[method as usize] {
            return false;
        }
        let callers: Vec<(MethodId, bool)> = self.callees[method as usize]
            .iter()
            .flat_map(|&callee| self.callers[callee as usize].iter().copied())
            .collect();
        let (name, _) = self.world.selector(self.world.method(method).selector);
        match callers.as_slice() {
            [] => self.main.contains(&method) && self.main.len() == 1 || name == "<clinit>",
            [(caller, false)] => !self.main.contains(&method) && self.once(*caller, None, depth + 1),
            _ => false,
        }
    }
}
