//! Which calls may release something: unlock, write a volatile field, start a thread, hand something over, initialise a
//! class. Between two accesses of a thread to a variable without a release, the second tells a detector nothing new.

use crate::calls::{Callee, CalleeId};
use crate::escape::{CallGraph, Components};
use crate::facts::CallKind;
use crate::packed::{Access, Body, Op};
use crate::reach::{NEW_HANDLE, Reach, lambda_call};
use crate::types;
use crate::world::{ClassId, Declared, MethodId, NameId, Origin, World};
use racewire_classfile::access::{ABSTRACT, FINAL, PRIVATE, PROTECTED, PUBLIC, STATIC, VOLATILE};

#[derive(Debug)]
pub struct Releases {
    /// By vertex of the call graph.
    vertices: Vec<bool>,
    methods: usize,
    initialisers: Initialisers,
    /// Callbacks of the program that release something.
    callbacks: bool,
}

#[derive(Debug, PartialEq, Eq)]
struct Initialisers {
    /// By class: its own initialiser releases something.
    own: Vec<bool>,
    /// By name: the first use of a class of that name may run one of those.
    by_name: Vec<bool>,
}

impl Releases {
    /// With `initialisation_releases` the end of any initialiser is a release; otherwise only what it does.
    pub fn find(
        world: &World,
        reach: &Reach,
        calls: &CallGraph,
        components: &Components,
        initialisation_releases: bool,
    ) -> Releases {
        let extended = reach.is_library.then(|| extended_outside(world));
        let mut found = Releases {
            vertices: vec![false; calls.vertices()],
            methods: world.methods.len(),
            initialisers: Initialisers::that(world, |_| initialisation_releases),
            // Nobody knows the callbacks of a library's users.
            callbacks: reach.is_library,
        };
        loop {
            for members in components.iter() {
                // What released something in the round before still does.
                let is_known = members.first().is_some_and(|v| found.vertices[*v as usize]);
                let releases = !is_known
                    && members.iter().any(|&vertex| {
                        let itself = match (calls.method(vertex), calls.callee(vertex)) {
                            (Some(method), _) => found.by_itself(world, method),
                            (None, Some(callee)) => {
                                let callee = reach.callees.get(callee);
                                let is_extended =
                                    extended.as_ref().is_some_and(|e| overridden(world, e, callee));
                                is_extended || found.outside(world, reach, callee)
                            }
                            (None, None) => true,
                        };
                        let mut successors = calls.successors(vertex).iter();
                        itself || successors.any(|&next| found.vertices[next as usize])
                    });
                if releases {
                    for &vertex in members {
                        found.vertices[vertex as usize] = true;
                    }
                }
            }
            let mut callbacks = reach.callbacks.iter().flatten();
            let callbacks = found.callbacks || callbacks.any(|m| found.method(*m));
            let initialisers = Initialisers::that(world, |m| initialisation_releases || found.method(m));
            if (callbacks, &initialisers) == (found.callbacks, &found.initialisers) {
                return found;
            }
            (found.callbacks, found.initialisers) = (callbacks, initialisers);
        }
    }

    pub fn method(&self, method: MethodId) -> bool {
        self.vertices.get(method as usize).copied().unwrap_or(true)
    }

    /// A call in `class` to that callee may release something, or initialise a class whose initialiser does.
    pub fn call(&self, world: &World, reach: &Reach, class: ClassId, id: CalleeId) -> bool {
        let vertex = self.methods + id as usize;
        let callee = reach.callees.get(id);
        self.vertices.get(vertex).copied().unwrap_or(true)
            || !callee.is_virtual && self.first_use(world, class, callee.owner)
    }

    /// Code of `class` uses the class `used`, perhaps as the first.
    pub fn first_use(&self, world: &World, class: ClassId, used: NameId) -> bool {
        if !self
            .initialisers
            .by_name
            .get(used as usize)
            .is_some_and(|may| *may)
        {
            return false;
        }
        let class = world.lambda(class).map_or(class, |(_, maker)| maker);
        let mut definitions = world.definitions(used).iter();
        definitions.any(|&definition| {
            let mut ancestors = world.class(definition).ancestors.iter();
            ancestors.any(|&ancestor| {
                self.initialisers.own[ancestor as usize] && !is_superclass(world, ancestor, class)
            })
        })
    }

    fn by_itself(&self, world: &World, method: MethodId) -> bool {
        let class = world.method(method).class;
        let Some(body) = world.body(method) else {
            return world.lambda(class).is_some_and(|(lambda, maker)| {
                let is_use = lambda_call(lambda.kind) == CallKind::Static || lambda.kind == NEW_HANDLE;
                is_use && self.first_use(world, maker, world.member_in(maker, lambda.target).0)
            });
        };
        let is_unknown = body.failed || !body.has_body && body.access & ABSTRACT == 0;
        body.releases
            || is_unknown
            || self.by_access(world, class, body)
            || self.by_operation(world, class, body)
    }

    fn by_access(&self, world: &World, class: ClassId, body: Body<'_>) -> bool {
        body.accesses().any(|access| {
            access.write && writes_volatile(world, class, &access)
                || access.base.is_none()
                    && self.first_use(world, class, world.member_in(class, access.field).0)
        })
    }

    /// Calls are edges of the graph: here it is only what they initialise.
    fn by_operation(&self, world: &World, class: ClassId, body: Body<'_>) -> bool {
        body.ops().any(|(_, op)| match op {
            Op::New { class: made, .. } => self.first_use(world, class, world.name_in(class, made)),
            Op::Call(call) => {
                call.kind == CallKind::Static
                    && self.first_use(world, class, world.member_in(class, call.target).0)
            }
            Op::Describe { .. } => self.callbacks,
            Op::Unknown { .. } => true,
            _ => false,
        })
    }

    /// What the JDK's methods behind the callee release, and what they call back.
    fn outside(&self, world: &World, reach: &Reach, callee: &Callee) -> bool {
        let models = reach.callees.models(callee);
        if callee.unknown || models.iter().any(|model| model.releases) {
            return true;
        }
        let is_quiet = models.iter().all(|model| model.quiet);
        self.callbacks && !is_quiet && calls_back(world, reach, callee)
    }
}

impl Initialisers {
    fn that(world: &World, releases: impl Fn(MethodId) -> bool) -> Initialisers {
        let selector = world.find_selector("<clinit>", "()V");
        let releases = |class: ClassId| match world.declared(class, selector?)? {
            Declared::Body(method) => Some(releases(method)),
            Declared::Header(_) => None,
        };
        let classes = 0..world.classes.len() as ClassId;
        let own: Vec<bool> = classes.map(|class| releases(class).unwrap_or(false)).collect();
        let mut by_name = vec![false; world.names()];
        for class in &world.classes {
            by_name[class.name as usize] |= class.ancestors.iter().any(|a| own[*a as usize]);
        }
        Initialisers { own, by_name }
    }
}

/// `class` is initialised after its superclasses, before its code runs (JLS 12.4.1).
fn is_superclass(world: &World, superclass: ClassId, class: ClassId) -> bool {
    let mut at = Some(class);
    // A circle of superclasses cannot be loaded.
    for _ in 0..world.classes.len() {
        let Some(found) = at else { break };
        if world.class(found).name == world.class(superclass).name {
            return true;
        }
        let class = world.class(found);
        at = class.supers.first().copied().filter(|_| class.superclasses > 0);
    }
    false
}

/// Also a field of a class that is not known.
fn writes_volatile(world: &World, class: ClassId, access: &Access<'_>) -> bool {
    world
        .field_in(class, access.field)
        .is_none_or(|field| field.access & VOLATILE != 0)
}

/// A method of the JDK can call back what it was given, what its receiver holds, and what overrides its receiver's
/// methods.
fn calls_back(world: &World, reach: &Reach, callee: &Callee) -> bool {
    let (name, descriptor) = world.selector(callee.selector);
    let (parameters, _) = types::parameters(descriptor);
    let is_overridden = |class: &ClassId| reach.has_program_subtypes[*class as usize];
    let owner = world.name(callee.owner);
    let receiver = match (owner, name) {
        _ if callee.is_static => false,
        // Of a string, or a box: what it is given is no equal of it.
        (_, "equals") if types::is_leaf(owner) => return false,
        ("java/lang/Object", _) => matches!(name, "toString" | "hashCode" | "equals"),
        (_, "<init>") => world.definitions(callee.owner).iter().any(is_overridden),
        _ => !types::is_leaf(owner),
    };
    receiver
        || parameters
            .iter()
            .any(|p| types::has_node(p.trim_start_matches('[')))
}

/// By class: others may have subclasses of it that we do not see.
fn extended_outside(world: &World) -> Vec<bool> {
    let mut extended = vec![false; world.classes.len()];
    for class in &world.classes {
        let is_open = class.access & PUBLIC != 0 && class.access & FINAL == 0;
        if is_open && matches!(class.origin, Origin::Program(_)) {
            for &ancestor in &class.ancestors {
                extended[ancestor as usize] = true;
            }
        }
    }
    extended
}

fn overridden(world: &World, extended: &[bool], callee: &Callee) -> bool {
    let classes = world.definitions(callee.owner);
    callee.is_virtual
        && classes
            .iter()
            .any(|c| extended[*c as usize] && world.class(*c).is_program())
        && world
            .resolve(callee.owner, callee.selector)
            .iter()
            .any(|found| match found {
                crate::world::Found::Body(method) => {
                    let flags = world.method(*method).access;
                    flags & (FINAL | PRIVATE | STATIC) == 0 && flags & (PUBLIC | PROTECTED) != 0
                }
                _ => false,
            })
}
