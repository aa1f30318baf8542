//! What a call may reach: methods of the program, and models of methods that we do not look into.

use crate::facts::CallKind;
use crate::few::Few;
use crate::grouped::Grouped;
use crate::models::{Effect, Model, Models};
use crate::world::{ClassId, Found, MethodId, NameId, Origin, SelectorId, World};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
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
    pub targets: Few<MethodId>,
    pub models: Few<&'static Model>,
    /// Also a method of a class that is missing.
    pub unknown: bool,
    /// What it gives back may be something by which methods are called.
    pub gives: bool,
}

#[derive(Debug, Default)]
pub struct Callees {
    pub all: Vec<Callee>,
    /// By what they are known by.
    index: HashTable<CalleeId>,
}

/// Owner, selector and whether it is virtual.
type Key = (NameId, SelectorId, bool);

fn hash(key: &Key) -> u64 {
    FxBuildHasher.hash_one(key)
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
    /// Room that is never used takes no memory; what has to grow is there twice for a while.
    pub fn with_room(callees: usize) -> Callees {
        Callees {
            all: Vec::with_capacity(callees),
            index: HashTable::new(),
        }
    }

    pub fn get(&self, id: CalleeId) -> &Callee {
        &self.all[id as usize]
    }

    /// The callee, and whether it is new: then its targets are to be found.
    pub fn intern(&mut self, owner: NameId, selector: SelectorId, kind: CallKind) -> (CalleeId, bool) {
        if let Some(id) = self.find(owner, selector, kind) {
            return (id, false);
        }
        let id = self.all.len() as CalleeId;
        self.all.push(Callee {
            owner,
            selector,
            is_virtual: is_virtual(kind),
            is_static: kind == CallKind::Static,
            targets: Few::None,
            models: Few::None,
            unknown: false,
            gives: false,
        });
        let all = &self.all;
        let hash_of = |id: &CalleeId| all.get(*id as usize).map_or(0, |callee| hash(&callee.key()));
        self.index
            .insert_unique(hash(&(owner, selector, is_virtual(kind))), id, hash_of);
        (id, true)
    }

    /// By method of the program the callees that may mean it.
    pub fn by_target(&self, methods: usize) -> Grouped<CalleeId> {
        let all = (0..).zip(&self.all);
        Grouped::of(
            methods,
            all.flat_map(|(id, callee)| callee.targets.iter().map(move |target| (*target, id))),
        )
    }

    pub fn find(&self, owner: NameId, selector: SelectorId, kind: CallKind) -> Option<CalleeId> {
        let key = (owner, selector, is_virtual(kind));
        let is_it = |id: &CalleeId| {
            self.all
                .get(*id as usize)
                .is_some_and(|callee| callee.key() == key)
        };
        self.index.find(hash(&key), is_it).copied()
    }
}

fn is_virtual(kind: CallKind) -> bool {
    matches!(kind, CallKind::Virtual | CallKind::Interface)
}

impl Callee {
    /// Most classes inherit what they run: the same method is a target many times, and counts once.
    pub fn add_target(&mut self, method: MethodId) {
        match &mut self.targets {
            Few::One(known) if *known == method => return,
            Few::Many(targets) if targets.len() == targets.capacity() => {
                targets.sort_unstable();
                targets.dedup();
            }
            _ => {}
        }
        self.targets.push(method);
    }

    /// Each target once, in order.
    pub fn sort_targets(&mut self) {
        if let Few::Many(targets) = &mut self.targets {
            targets.sort_unstable();
            targets.dedup();
            match targets[..] {
                [one] => self.targets = Few::One(one),
                _ => targets.shrink_to_fit(),
            }
        }
    }

    fn key(&self) -> Key {
        (self.owner, self.selector, self.is_virtual)
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
