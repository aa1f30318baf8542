//! What a call may reach: methods of the program, and models of methods that we do not look into.

use crate::facts::CallKind;
use crate::models::{Effect, Model, Models};
use crate::world::{ClassId, Found, MethodId, NameId, Origin, SelectorId, World};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

pub type CalleeId = u32;

/// Everything that calls of one kind through one symbolic reference may reach.
#[derive(Debug)]
pub struct Callee {
    pub owner: NameId,
    pub selector: SelectorId,
    pub is_virtual: bool,
    pub is_static: bool,
    /// Methods of the program; complete when `reach` is done.
    pub targets: Vec<MethodId>,
    pub models: Vec<&'static Model>,
    /// Also a method of a class that is missing.
    pub unknown: bool,
    /// What it gives back may be something by which methods are called.
    pub gives: bool,
}

#[derive(Debug, Default)]
pub struct Callees {
    pub all: Vec<Callee>,
    index: FxHashMap<(NameId, SelectorId, bool), CalleeId>,
}

/// Of a JDK method that no model names: it may also call what it was given from threads of its own.
pub static UNMODELLED: LazyLock<Model> = LazyLock::new(|| Model {
    effect: Effect::Escapes,
    tasks: Vec::new(),
    borrowed: Vec::new(),
    copied: Vec::new(),
    releases: true,
    quiet: false,
    parallel: true,
    reflection: Vec::new(),
});

/// Of `clone()` on arrays (JVMS 2.15: arrays override it).
static CLONED: LazyLock<Model> = LazyLock::new(|| Model {
    effect: Effect::Contained,
    tasks: Vec::new(),
    borrowed: Vec::new(),
    copied: vec![0],
    releases: false,
    quiet: true,
    parallel: false,
    reflection: Vec::new(),
});

impl Callees {
    pub fn get(&self, id: CalleeId) -> &Callee {
        &self.all[id as usize]
    }

    /// The callee, and whether it is new: then its targets are to be found.
    pub fn intern(&mut self, owner: NameId, selector: SelectorId, kind: CallKind) -> (CalleeId, bool) {
        let is_virtual = matches!(kind, CallKind::Virtual | CallKind::Interface);
        let next = self.all.len() as CalleeId;
        let id = *self.index.entry((owner, selector, is_virtual)).or_insert(next);
        if id == next {
            self.all.push(Callee {
                owner,
                selector,
                is_virtual,
                is_static: kind == CallKind::Static,
                targets: Vec::new(),
                models: Vec::new(),
                unknown: false,
                gives: false,
            });
        }
        (id, id == next)
    }

    pub fn find(&self, owner: NameId, selector: SelectorId, kind: CallKind) -> Option<CalleeId> {
        let is_virtual = matches!(kind, CallKind::Virtual | CallKind::Interface);
        self.index.get(&(owner, selector, is_virtual)).copied()
    }
}

impl Callee {
    /// Most classes inherit what they run: the same method is a target many times, and counts once.
    pub fn add_target(&mut self, method: MethodId) {
        if self.targets.len() == self.targets.capacity() {
            self.targets.sort_unstable();
            self.targets.dedup();
        }
        self.targets.push(method);
    }

    pub fn add_model(&mut self, model: &'static Model) {
        if !self.models.iter().any(|known| std::ptr::eq(*known, model)) {
            self.models.push(model);
        }
    }

    /// What the name itself says: the one target of a call that is not virtual, the models of the JDK's methods that a
    /// virtual one may reach.
    pub fn resolve(&mut self, world: &World) {
        if world.name(self.owner).starts_with('[') {
            self.add_model(&CLONED);
            return;
        }
        for (nth, found) in world.resolve(self.owner, self.selector).into_iter().enumerate() {
            let class = world.definitions(self.owner).get(nth).copied();
            match found {
                Found::Body(method) if !self.is_virtual => self.targets.push(method),
                // A private method is called by itself (JVMS 5.4.6).
                Found::Body(method) => {
                    if world.method(method).access & racewire_classfile::access::PRIVATE != 0 {
                        self.targets.push(method);
                    }
                }
                Found::Header(_) => {
                    if let Some(class) = class {
                        self.add_model(model_of(world, class, self.selector));
                    }
                }
                Found::Missing => self.unknown = true,
                // Signature polymorphic methods have any descriptor (JVMS 2.9.3).
                Found::Nothing => match class {
                    Some(class) if world.class(class).origin == Origin::Jdk => {
                        self.add_model(model_of(world, class, self.selector));
                    }
                    _ => self.unknown = true,
                },
            }
        }
        if world.definitions(self.owner).is_empty() {
            self.unknown = true;
        }
    }
}

/// The model of a method of the JDK as seen from `class`: the nearest ancestor's that declares one.
pub fn model_of(world: &World, class: ClassId, selector: SelectorId) -> &'static Model {
    let (name, descriptor) = world.selector(selector);
    let models = Models::jdk();
    let inherited = !name.starts_with('<');
    world
        .class(class)
        .ancestors
        .iter()
        .filter(|&&ancestor| {
            let is_jdk = world.class(ancestor).origin == Origin::Jdk;
            // The defaults of a class speak of the methods it has; of signature polymorphic ones only the name tells.
            let declares = ancestor == class || inherited && world.declared(ancestor, selector).is_some();
            is_jdk && declares
        })
        .find_map(|&ancestor| models.find(world.class_name(ancestor), name, descriptor))
        .unwrap_or(&UNMODELLED)
}
