//! Tasks that are handed to a single thread: `new Thread(new Task()).start()`.
//!
//! The object belongs to its maker until the thread gets it, and to that thread from then on: it is shared by nobody.
//! What its fields lead to may well be shared.

use crate::calls::Callee;
use crate::facts::{Node, OpId};
use crate::leaks::{Leaks, callee_of};
use crate::packed::{Access, Body, Op, Uses};
use crate::reach::Reach;
use crate::world::{ClassId, MethodId, World};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Debug, Default)]
pub struct Handed {
    /// By method and call, the argument.
    arguments: FxHashMap<(MethodId, OpId), u8>,
    /// Method and `new`.
    made: FxHashSet<(MethodId, OpId)>,
}

impl Handed {
    /// The argument of that call that is handed over by it.
    pub fn argument(&self, method: MethodId, call: OpId) -> Option<u8> {
        self.arguments.get(&(method, call)).copied()
    }

    /// The objects that this `new` makes are handed over.
    pub fn is_made(&self, method: MethodId, new: OpId) -> bool {
        self.made.contains(&(method, new))
    }

    pub fn find(world: &World, reach: &Reach, leaks: &Leaks) -> Handed {
        let search = Search {
            world,
            reach,
            leaks,
            threads_only_start: threads_only_start(world, reach),
        };
        let mut handed = Handed::default();
        for method in (0..world.methods.len() as MethodId).filter(|m| reach.reached[*m as usize]) {
            let Some(body) = world.body(method) else { continue };
            for (id, op) in body.ops().makers() {
                let made_in = world.method(method).class;
                let made = match op {
                    Op::New {
                        node, class, uses, ..
                    } => {
                        let classes = world.definitions(world.name_in(made_in, class));
                        Some((node, classes.to_vec(), uses))
                    }
                    Op::Lambda {
                        node, lambda, uses, ..
                    } => {
                        let class = world.lambda_class(made_in, lambda);
                        Some((node, class.into_iter().collect(), uses))
                    }
                    _ => None,
                };
                if let Some((node, classes, uses)) = made
                    && let Some((call, argument)) = search.hand_over(method, body, node, &classes, uses)
                {
                    handed.arguments.insert((method, call), argument);
                    handed.made.insert((method, id));
                }
            }
        }
        handed
    }
}

struct Search<'w> {
    world: &'w World,
    reach: &'w Reach,
    leaks: &'w Leaks,
    /// All that ever happens to a thread is that it is started.
    threads_only_start: bool,
}

impl Search<'_> {
    /// The only call that lets the new object out of this method's hands, if it hands it to one thread.
    fn hand_over(
        &self,
        method: MethodId,
        body: Body<'_>,
        node: Node,
        classes: &[ClassId],
        uses: Uses<'_>,
    ) -> Option<(OpId, u8)> {
        let Uses::Calls { calls, again: false } = uses else {
            return None;
        };
        if !classes.iter().all(|c| self.is_task(*c)) || classes.is_empty() {
            return None;
        }
        let mut handed = None;
        for (op, argument) in calls {
            let callee_id = callee_of(self.world, self.reach, method, op)?;
            let callee = self.reach.callees.get(callee_id);
            let is_hand_over = match self.thread_method(callee) {
                Some("<init>") if argument > 0 => self.only_started(method, body, op),
                Some("start") => argument == 0,
                // `join` and the like touch nothing of the program's.
                Some(_) => continue,
                None => false,
            };
            if is_hand_over {
                if handed.replace((op, argument)).is_some() {
                    return None;
                }
                continue;
            }
            // Only its constructor is sure to run before.
            let is_constructor = argument == 0 && self.world.selector(callee.selector).0 == "<init>";
            if !is_constructor || self.leaks.callee(callee_id, argument) {
                return None;
            }
        }
        // Its maker must not touch it afterwards.
        let mut accesses = body.accesses().filter(|a| a.base == Some(node));
        let is_early = |access: Access<'_>| {
            let mut conditions = access.owned?;
            let leaks = |(op, argument): (OpId, u8)| {
                callee_of(self.world, self.reach, method, op).is_none_or(|c| self.leaks.callee(c, argument))
            };
            (!conditions.any(leaks)).then_some(())
        };
        accesses
            .all(|access| is_early(access).is_some())
            .then_some(handed?)
    }

    fn is_task(&self, class: ClassId) -> bool {
        self.world.class(class).is_program() && self.world.is_subtype_of(class, "java/lang/Runnable")
    }

    /// The name of the JDK's own method of Thread that this callee means.
    fn thread_method(&self, callee: &Callee) -> Option<&str> {
        let is_thread = |c: &ClassId| self.world.is_subtype_of(*c, "java/lang/Thread");
        let all_threads = self.world.definitions(callee.owner).iter().all(is_thread);
        let (name, _) = self.world.selector(callee.selector);
        // A constructor of a subclass may do anything with its arguments.
        let is_own = name != "<init>" || self.world.name(callee.owner) == "java/lang/Thread";
        (all_threads && is_own && self.reach.callees.targets(callee).is_empty() && !callee.unknown)
            .then_some(name)
    }

    /// The thread that the constructor at `op` makes is only started, joined and the like.
    fn only_started(&self, method: MethodId, body: Body<'_>, constructor: OpId) -> bool {
        let threads = body.ops().makers().filter_map(|(_, op)| match op {
            Op::New { uses, .. } => Some(uses),
            _ => None,
        });
        let mut leaked = false;
        for uses in threads {
            match uses {
                Uses::Leaked => leaked = true,
                Uses::Calls { mut calls, .. } if calls.iter().any(|call| call == (constructor, 0)) => {
                    return calls.all(|(op, argument)| {
                        callee_of(self.world, self.reach, method, op).is_some_and(|callee| {
                            argument == 0
                                && self
                                    .thread_method(self.reach.callees.get(callee))
                                    .is_some_and(|name| name != "run")
                        })
                    });
                }
                Uses::Calls { .. } => {}
            }
        }
        leaked && self.threads_only_start
    }
}

/// Nobody in the program calls `run()` of a thread, nor gives a thread to anything that would: then it does not matter
/// where threads are kept.
fn threads_only_start(world: &World, reach: &Reach) -> bool {
    let is_harmless = |callee: &Callee| match world.selector(callee.selector).0 {
        "start" | "addShutdownHook" => true,
        "<init>" => world.name(callee.owner) == "java/lang/Thread",
        _ => false,
    };
    !reach.is_called_by_name(world, "run")
        && reach.callees.all.iter().all(|callee| {
            let models = reach.callees.models(callee);
            let runs = world.selector(callee.selector).0 == "run" && !models.is_empty();
            let tasks = models.iter().any(|m| !m.tasks.is_empty() || m.parallel);
            !runs && (!tasks || is_harmless(callee))
        })
}
