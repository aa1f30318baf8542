//! Which code runs at most once.

use crate::escape::CallGraph;
use crate::packed::Op;
use crate::reach::Reach;
use crate::world::{ClassId, MethodId, World};

/// Which code runs at most once in a run of the program.
pub(super) struct Once<'w> {
    world: &'w World,
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
    /// By class: objects of it may be made by its name.
    made_by_name: Vec<bool>,
}

impl<'w> Once<'w> {
    pub fn new(world: &'w World, reach: &'w Reach, calls: &'w CallGraph, main: &'w [MethodId]) -> Once<'w> {
        let mut once = Once {
            world,
            calls,
            main,
            callers: vec![Vec::new(); reach.callees.all.len()],
            callees: vec![Vec::new(); world.methods.len()],
            outside: vec![false; world.methods.len()],
            made: vec![Vec::new(); world.classes.len()],
            made_by_name: Vec::new(),
        };
        for method in (0..world.methods.len() as MethodId).filter(|m| reach.reached[*m as usize]) {
            once.add(method);
        }
        for (id, callee) in (0..).zip(&reach.callees.all) {
            for &target in reach.callees.targets(callee) {
                once.callees[target as usize].push(id);
            }
        }
        for &method in reach.callbacks.iter().flatten() {
            once.outside[method as usize] = true;
        }
        for method in 0..world.methods.len() as MethodId {
            let is_initialiser = world.is_initialiser(world.method(method).selector);
            once.outside[method as usize] |= !is_initialiser && reach.may_be_named(world, method);
        }
        let classes = 0..world.classes.len() as ClassId;
        once.made_by_name = classes.map(|class| reach.may_be_made(world, class)).collect();
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
        for (id, op) in body.ops() {
            match op {
                Op::Call(call) => {
                    if let Some(callee) = successors.next().and_then(|v| self.calls.callee(*v)) {
                        self.callers[callee as usize].push((method, call.in_loop));
                    }
                }
                Op::New { class: made, .. } => {
                    for &made in world.definitions(world.name_in(class, made)) {
                        self.made[made as usize].push((method, id));
                    }
                }
                Op::Lambda { lambda, .. } => {
                    if let Some(made) = world.lambda_class(class, lambda) {
                        self.made[made as usize].push((method, id));
                    }
                }
                _ => {}
            }
        }
    }

    pub fn made(&self, class: ClassId) -> Option<&[(MethodId, u32)]> {
        (!self.made_by_name[class as usize]).then(|| self.made[class as usize].as_slice())
    }

    /// Whether the operation (or the whole method) is executed at most once.
    pub fn runs_once(&self, method: MethodId, op: Option<u32>) -> bool {
        self.once(method, op, 0)
    }

    fn once(&self, method: MethodId, op: Option<u32>, depth: u32) -> bool {
        let in_loop = op.is_some_and(|op| {
            let found = self.world.body(method).and_then(|body| body.op(op));
            match found {
                Some(Op::New { in_loop, .. } | Op::Lambda { in_loop, .. }) => in_loop,
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
