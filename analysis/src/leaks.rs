//! Which methods keep or hand on the very objects they are given: the condition on which an object that a method has
//! just made still belongs to it behind a call.

use crate::calls::{Callee, CalleeId};
use crate::facts::OpId;
use crate::grouped::Grouped;
use crate::models::{Effect, Model};
use crate::packed::Uses;
use crate::reach::{NEW_HANDLE, Reach};
use crate::types;
use crate::world::{MethodId, World};

/// A bit for each argument, the receiver's first; the last bit stands for all further ones.
type Arguments = u64;

fn bit(argument: usize) -> Arguments {
    1 << argument.min(63)
}

/// By callee, who passes a parameter on to it: the method, its parameter, the callee's argument.
type Passed = Grouped<(MethodId, u8, u8)>;

#[derive(Debug)]
pub struct Leaks {
    methods: Vec<Arguments>,
    callees: Vec<Arguments>,
}

impl Leaks {
    pub fn find(world: &World, reach: &Reach) -> Leaks {
        let directly = Directly::find(world, reach);
        let mut callbacks_leak = false;
        loop {
            let leaks = fixpoint(world, reach, &directly, callbacks_leak);
            // What describes or compares an object may run methods of its own.
            let leaks_itself = |m: &MethodId| leaks.methods[*m as usize] & 1 != 0;
            let found = reach.callbacks.iter().flatten().any(leaks_itself);
            if found == callbacks_leak {
                return leaks;
            }
            callbacks_leak = true;
        }
    }

    pub fn method(&self, method: MethodId, parameter: u8) -> bool {
        self.methods[method as usize] & bit(usize::from(parameter)) != 0
    }

    pub fn callee(&self, callee: CalleeId, argument: u8) -> bool {
        self.callees[callee as usize] & bit(usize::from(argument)) != 0
    }
}

/// What the code of the methods says, each by itself.
struct Directly {
    methods: Vec<Arguments>,
    passed: Passed,
    /// By method the callees that may mean it.
    called_by: Grouped<CalleeId>,
}

impl Directly {
    fn find(world: &World, reach: &Reach) -> Directly {
        let callees = &reach.callees.all;
        let called_by = reach.callees.by_target(world.methods.len());
        let mut methods = vec![0; world.methods.len()];
        // What has to grow is there twice for a while.
        let mut passed = Vec::with_capacity(world.methods.len());
        for method in (0..world.methods.len() as MethodId).filter(|m| reach.reached[*m as usize]) {
            methods[method as usize] = directly(world, reach, method, &mut passed);
        }
        Directly {
            methods,
            passed: Grouped::of(callees.len(), passed.iter().copied()),
            called_by,
        }
    }
}

fn fixpoint(world: &World, reach: &Reach, directly: &Directly, callbacks_leak: bool) -> Leaks {
    let callees = &reach.callees.all;
    let mut leaks = Leaks {
        methods: directly.methods.clone(),
        callees: callees
            .iter()
            .map(|callee| outside(world, callee, reach.callees.models(callee), callbacks_leak))
            .collect(),
    };
    let (passed, called_by) = (&directly.passed, &directly.called_by);
    let methods = 0..world.methods.len() as MethodId;
    let mut waiting: Vec<MethodId> = methods.filter(|m| leaks.methods[*m as usize] != 0).collect();
    for id in 0..callees.len() as CalleeId {
        let mask = leaks.callees[id as usize];
        spread(&mut leaks, passed, id, mask, &mut waiting);
    }
    while let Some(method) = waiting.pop() {
        let mask = leaks.methods[method as usize];
        for &callee in called_by.of_group(method) {
            let new = mask & !leaks.callees[callee as usize];
            leaks.callees[callee as usize] |= mask;
            if new != 0 {
                spread(&mut leaks, passed, callee, new, &mut waiting);
            }
        }
    }
    leaks
}

/// These arguments of the callee leak: so do the parameters that are passed on as them.
fn spread(
    leaks: &mut Leaks,
    passed: &Passed,
    callee: CalleeId,
    arguments: Arguments,
    waiting: &mut Vec<MethodId>,
) {
    for &(method, parameter, argument) in passed.of_group(callee) {
        if arguments & bit(usize::from(argument)) == 0 {
            continue;
        }
        let mask = &mut leaks.methods[method as usize];
        if *mask & bit(usize::from(parameter)) == 0 {
            *mask |= bit(usize::from(parameter));
            waiting.push(method);
        }
    }
}

/// What the method's own code says of its parameters; where it passes them on is added to `passed`.
fn directly(
    world: &World,
    reach: &Reach,
    method: MethodId,
    passed: &mut Vec<(CalleeId, (MethodId, u8, u8))>,
) -> Arguments {
    let class = world.method(method).class;
    let Some(body) = world.body(method).filter(|body| body.has_body) else {
        return match world.lambda(class) {
            // A lambda's own object goes nowhere; what it calls gets everything else.
            Some((lambda, _)) if lambda.kind != NEW_HANDLE => !1,
            _ => Arguments::MAX,
        };
    };
    let mut mask = 0;
    for (parameter, uses) in body.parameter_uses().enumerate() {
        match uses {
            Uses::Leaked => mask |= bit(parameter),
            Uses::Calls { calls, .. } => {
                for (op, argument) in calls {
                    match callee_of(world, reach, method, op) {
                        Some(callee) => {
                            let passing = (method, parameter.min(63) as u8, argument);
                            passed.push((callee, passing));
                        }
                        None => mask |= bit(parameter),
                    }
                }
            }
        }
    }
    mask
}

/// The callee of a call in a method's facts.
pub fn callee_of(world: &World, reach: &Reach, method: MethodId, op: OpId) -> Option<CalleeId> {
    let call = world.call(method, op)?;
    let (owner, selector) = world.member_in(world.method(method).class, call.target);
    reach.callees.find(owner, selector, call.kind)
}

/// What the models of the callee, and what is missing of it, leak.
fn outside(world: &World, callee: &Callee, models: &[&Model], callbacks_leak: bool) -> Arguments {
    if callee.unknown {
        return Arguments::MAX;
    }
    let (name, descriptor) = world.selector(callee.selector);
    // A thread's constructor keeps its task, but nobody gets to see the thread itself before it is started.
    let is_new_thread = name == "<init>" && world.name(callee.owner) == "java/lang/Thread";
    let all = models.iter().fold(0, |mask, model| {
        mask | by_model(world, callee, model, descriptor, callbacks_leak)
    });
    if is_new_thread { all & !1 } else { all }
}

fn by_model(
    world: &World,
    callee: &Callee,
    model: &Model,
    descriptor: &str,
    callbacks_leak: bool,
) -> Arguments {
    let (parameters, result) = types::parameters(descriptor);
    let tasks = model
        .tasks
        .iter()
        .fold(0, |mask, task| mask | bit(usize::from(*task)));
    let borrowed = model
        .borrowed
        .iter()
        .fold(0, |mask, nth| mask | bit(usize::from(*nth)));
    let lent = if callbacks_leak { 0 } else { borrowed };
    let effect = match model.effect {
        Effect::Escapes => Arguments::MAX,
        // The receiver may be the result; everything else may be stored in it.
        Effect::Contained if types::has_node(result) => Arguments::MAX,
        Effect::Contained if callee.is_static => Arguments::MAX,
        Effect::Contained => !1,
        Effect::Pure | Effect::Shared => {
            let takes_callback = |parameter: &&str| {
                types::class_of(parameter).is_some_and(|class| {
                    let name = world.find_name(class);
                    let mut classes = name.iter().flat_map(|n| world.definitions(*n));
                    classes.any(|c| world.class(*c).is_interface())
                })
            };
            // These call nothing that the program could override.
            let keeps_receiver = !callee.is_static
                && matches!(world.name(callee.owner), "java/lang/Object" | "java/lang/Thread");
            if parameters.iter().any(takes_callback) {
                Arguments::MAX
            } else if callbacks_leak {
                if keeps_receiver { !1 } else { Arguments::MAX }
            } else {
                0
            }
        }
    };
    effect & !lent | tasks
}
