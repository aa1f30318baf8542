//! What a call may reach: methods of the program, and models of methods that we do not look into.

use crate::facts::CallKind;
use crate::few::Few;
use crate::grouped::Grouped;
use crate::models::{Effect, Model, Models};
use crate::world::{ClassId, Found, MethodId, NameId, Origin, SelectorId, World};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::LazyLock;

pub type CalleeId = u32;

/// Everything that calls of one kind through one symbolic reference may reach.
#[derive(Debug)]
pub struct Callee {
    pub owner: NameId,
    pub selector: SelectorId,
    /// See [`Callees::targets`]: the one that there is, [`NOTHING`], or with [`LIST`] the place of a list.
    targets: MethodId,
    /// See [`Callees::models`]: the place of a list, or [`NOTHING`].
    models: u32,
    pub is_virtual: bool,
    pub is_static: bool,
    /// Also a method of a class that is missing.
    pub unknown: bool,
    /// What it gives back may be something by which methods are called.
    pub gives: bool,
}

const NOTHING: u32 = u32::MAX;
/// There are fewer methods.
const LIST: u32 = 1 << 31;

/// There are hundreds of thousands, nearly all with a single target and without a model: what others have is in lists of
/// its own.
#[derive(Debug, Default)]
pub struct Callees {
    pub all: Vec<Callee>,
    target_lists: Vec<Vec<MethodId>>,
    model_lists: Vec<Few<&'static Model>>,
    /// Of methods of the JDK as seen from a class, until all targets are known: calls on objects of many classes end there.
    known_models: FxHashMap<(ClassId, SelectorId), &'static Model>,
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
            ..Callees::default()
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
            targets: NOTHING,
            models: NOTHING,
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
            all.flat_map(|(id, callee)| self.targets(callee).iter().map(move |target| (*target, id))),
        )
    }

    /// Methods of the program; complete when `reach` is done.
    pub fn targets<'c>(&'c self, callee: &'c Callee) -> &'c [MethodId] {
        match callee.targets {
            NOTHING => &[],
            list if list & LIST != 0 => {
                let list = self.target_lists.get((list & !LIST) as usize);
                list.map(Vec::as_slice).unwrap_or_default()
            }
            _ => std::slice::from_ref(&callee.targets),
        }
    }

    pub fn models(&self, callee: &Callee) -> &[&'static Model] {
        let list = self.model_lists.get(callee.models as usize);
        list.map(Few::as_slice).unwrap_or_default()
    }

    /// Most classes inherit what they run: the same method is a target many times, and counts once.
    pub fn add_target(&mut self, id: CalleeId, method: MethodId) {
        let Some(callee) = self.all.get_mut(id as usize) else {
            return;
        };
        match callee.targets {
            NOTHING => callee.targets = method,
            list if list & LIST != 0 => {
                if let Some(targets) = self.target_lists.get_mut((list & !LIST) as usize) {
                    if targets.len() == targets.capacity() {
                        targets.sort_unstable();
                        targets.dedup();
                    }
                    targets.push(method);
                }
            }
            known if known == method => {}
            known => {
                callee.targets = LIST | self.target_lists.len() as u32;
                self.target_lists.push(vec![known, method]);
            }
        }
    }

    /// All targets are known: each once, in order.
    pub fn sort_targets(&mut self) {
        self.known_models = FxHashMap::default();
        for targets in &mut self.target_lists {
            targets.sort_unstable();
            targets.dedup();
            targets.shrink_to_fit();
        }
    }

    pub fn add_model(&mut self, id: CalleeId, model: &'static Model) {
        let Some(callee) = self.all.get_mut(id as usize) else {
            return;
        };
        if callee.models == NOTHING {
            callee.models = self.model_lists.len() as u32;
            self.model_lists.push(Few::None);
        }
        if let Some(models) = self.model_lists.get_mut(callee.models as usize)
            && !models.iter().any(|known| std::ptr::eq(*known, model))
        {
            models.push(model);
        }
    }

    /// The model of a method of the JDK as seen from `class`.
    fn add_model_of(&mut self, id: CalleeId, world: &World, class: ClassId, selector: SelectorId) {
        let known = self.known_models.entry((class, selector));
        let model = *known.or_insert_with(|| model_of(world, class, selector));
        self.add_model(id, model);
    }

    fn doubt(&mut self, id: CalleeId) {
        if let Some(callee) = self.all.get_mut(id as usize) {
            callee.unknown = true;
        }
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
    fn key(&self) -> Key {
        (self.owner, self.selector, self.is_virtual)
    }
}

impl Callees {
    /// What the name itself says: the one target of a call that is not virtual, the models of the JDK's methods that a
    /// virtual one may reach.
    pub fn resolve(&mut self, id: CalleeId, world: &World) {
        let &Callee {
            owner,
            selector,
            is_virtual,
            ..
        } = self.get(id);
        if world.name(owner).starts_with('[') {
            self.add_model(id, &CLONED);
            return;
        }
        for (nth, found) in world.resolve(owner, selector).into_iter().enumerate() {
            let class = world.definitions(owner).get(nth).copied();
            match found {
                Found::Body(method) if !is_virtual => self.add_target(id, method),
                // A private method is called by itself (JVMS 5.4.6).
                Found::Body(method) => {
                    if world.method(method).access & racewire_classfile::access::PRIVATE != 0 {
                        self.add_target(id, method);
                    }
                }
                Found::Header(_) => {
                    if let Some(class) = class {
                        self.add_model_of(id, world, class, selector);
                    }
                }
                Found::Missing => self.doubt(id),
                // Signature polymorphic methods have any descriptor (JVMS 2.9.3).
                Found::Nothing => match class {
                    Some(class) if world.class(class).origin == Origin::Jdk => {
                        self.add_model_of(id, world, class, selector);
                    }
                    _ => self.doubt(id),
                },
            }
        }
        if world.definitions(owner).is_empty() {
            self.doubt(id);
        }
    }

    /// What it reaches on an object of the class, besides.
    pub fn dispatch(&mut self, id: CalleeId, world: &World, class: ClassId) -> Option<MethodId> {
        let selector = self.get(id).selector;
        match world.implementation(class, selector) {
            Found::Body(method) => {
                self.add_target(id, method);
                return Some(method);
            }
            Found::Header(declaring) => self.add_model_of(id, world, declaring, selector),
            Found::Missing => self.doubt(id),
            Found::Nothing => {}
        }
        None
    }
}

/// The model of a method of the JDK as seen from `class`: the nearest ancestor's that declares one.
fn model_of(world: &World, class: ClassId, selector: SelectorId) -> &'static Model {
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
