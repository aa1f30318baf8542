//! Which callbacks are where threads begin.

use super::once::Once;
use crate::calls::{Callee, UNMODELLED};
use crate::escape::Escape;
use crate::reach::Reach;
use crate::types;
use crate::world::{ClassId, MethodId, NameId, World};
use rustc_hash::FxHashSet;

/// The types of tasks that the program hands to the JDK.
pub(super) struct TaskTypes {
    classes: FxHashSet<NameId>,
    /// Some are handed over in collections, or run in parallel: any callback may be a task.
    any: bool,
}

impl TaskTypes {
    pub fn find(world: &World, reach: &Reach) -> TaskTypes {
        let mut types = TaskTypes {
            classes: FxHashSet::default(),
            any: false,
        };
        for callee in &reach.callees.all {
            types.any |= callee.unknown;
            let (_, descriptor) = world.selector(callee.selector);
            let (parameters, _) = types::parameters(descriptor);
            for model in reach.callees.models(callee) {
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
    pub fn root(
        &self,
        world: &World,
        escape: &Escape<'_>,
        once: &Once<'_>,
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
fn takes_program_objects(world: &World, reach: &Reach, callee: &Callee) -> bool {
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
