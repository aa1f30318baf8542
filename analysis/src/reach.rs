//! Rapid type analysis: the methods that may run, and the classes that may have objects.
//!
//! With a known main class it begins there, and a virtual call reaches the methods of classes that have objects. Without
//! one, or as soon as something is met that may call methods by name, everything counts as reached.

use crate::by_name::{self, ByName};
use crate::calls::{CalleeId, Callees};
use crate::facts::{CallKind, OpId};
use crate::models::Reflection;
use crate::packed::{Body, Op};
use crate::world::{ClassId, Declared, Found, MethodId, NameId, Origin, SelectorId, World};
use racewire_classfile::access;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Something that can do more than the code says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unknown {
    /// May call any method.
    CallsMethods,
    /// May write any field.
    WritesFields,
    /// May make objects of any class.
    MakesObjects,
    /// A native method, or one whose code could not be read.
    Native,
    /// A class that is neither in the program nor in the JDK.
    MissingClass,
}

/// What the search takes unknown things to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownDoes {
    Anything,
    /// For a comparison only: what it says does not hold.
    Nothing,
}

/// Where something unknown was met.
#[derive(Debug, Clone)]
pub struct Met {
    pub what: Unknown,
    /// The called method, or the missing class.
    pub name: String,
    /// Every method that does so.
    pub methods: Vec<MethodId>,
}

#[derive(Debug)]
pub struct Reach {
    pub callees: Callees,
    pub reached: Vec<bool>,
    pub has_objects: Vec<bool>,
    /// Of each class with objects: its methods that code outside the program may call.
    pub callbacks: Vec<Vec<MethodId>>,
    /// Of each class: a subtype of it in the program has objects.
    pub has_program_subtypes: Vec<bool>,
    pub met: Vec<Met>,
    /// Any method may be called by name, from wherever `met` says.
    pub open: bool,
    /// Objects of any class may be made without `new`.
    pub makes_any: bool,
    by_name: ByName,
    /// There is no `main`: anybody may call what is not private, and extend what is public.
    pub is_library: bool,
    /// By name: it is a string constant of the program, so reflection may use it.
    constants: Vec<bool>,
}

impl Reach {
    /// Whether anything may be called or made by its name.
    pub fn has_names(&self) -> bool {
        self.makes_any
            || self.by_name.makes_plain
            || self.by_name.makes_found
            || self.by_name.initialises
            || !self.by_name.called.is_empty()
    }

    /// Whether objects of the class may be made without `new`.
    pub fn may_be_made(&self, world: &World, class: ClassId) -> bool {
        let by_name = &self.by_name;
        let fits = || {
            let mut declared = world.class(class).declared.iter();
            declared.any(|(selector, _)| {
                world.is_constructor(selector) && by_name.makes_by(world, world.selector(selector).1)
            })
        };
        matches!(world.class(class).origin, Origin::Program(_))
            && (self.makes_any || (by_name.makes_plain || by_name.makes_found) && fits())
    }

    /// Whether a method, constructor or initialiser may be run by its name: where not just everything may be.
    pub fn may_be_named(&self, world: &World, method: MethodId) -> bool {
        let selector = world.method(method).selector;
        if world.is_initialiser(selector) {
            let by_name = &self.by_name;
            by_name.initialises || by_name.makes_plain || by_name.makes_found || self.makes_any
        } else if world.is_constructor(selector) {
            self.makes_any || self.by_name.makes_by(world, world.selector(selector).1)
        } else {
            self.by_name.called.contains(&world.selector_name(selector))
        }
    }

    /// Whether a constructor may be among those that the program's own reflection finds and calls.
    pub fn may_be_found(&self, world: &World, constructor: MethodId) -> bool {
        let (_, descriptor) = world.selector(world.method(constructor).selector);
        let is_missing = || self.met.iter().any(|met| met.what == Unknown::MissingClass);
        self.by_name.makes_found
            && (self.by_name.finds_any_constructor
                || self.by_name.has_types(world, descriptor)
                || is_missing())
    }

    /// Whether methods of that name may be called by reflection.
    pub fn is_called_by_name(&self, world: &World, name: &str) -> bool {
        let name = world.find_name(name);
        self.open || name.is_some_and(|name| self.by_name.called.contains(&name))
    }

    pub fn is_constant(&self, name: NameId) -> bool {
        self.constants.get(name as usize).copied().unwrap_or(false)
    }
}

struct Search<'w> {
    world: &'w World,
    unknown_does: UnknownDoes,
    reach: Reach,
    /// Classes with objects among the subtypes of each class.
    with_objects: Vec<Vec<ClassId>>,
    /// Virtual callees by class that is their owner.
    called: Vec<Vec<CalleeId>>,
    waiting: Vec<MethodId>,
    initialised: Vec<bool>,
    /// By name and what it is: index in `reach.met`.
    met: FxHashMap<String, Vec<(Unknown, usize)>>,
}

/// Everything the program could do, from `roots`; from everywhere if there are none.
pub fn reach(world: &World, roots: &[MethodId], unknown_does: UnknownDoes) -> Reach {
    let classes = world.classes.len();
    let mut search = Search {
        world,
        unknown_does,
        reach: Reach {
            callees: Callees::with_room(world.methods.len()),
            reached: vec![false; world.methods.len()],
            has_objects: vec![false; classes],
            callbacks: vec![Vec::new(); classes],
            has_program_subtypes: Vec::new(),
            met: Vec::new(),
            open: roots.is_empty(),
            makes_any: roots.is_empty(),
            is_library: roots.is_empty(),
            by_name: ByName::default(),
            constants: constants(world),
        },
        with_objects: vec![Vec::new(); classes],
        called: vec![Vec::new(); classes],
        waiting: Vec::new(),
        initialised: vec![false; classes],
        met: FxHashMap::default(),
    };
    for &root in roots {
        search.method(root);
        if world.method(root).access & access::STATIC == 0 {
            search.object(world.method(root).class);
        }
    }
    search.run();
    search.finish()
}

impl Search<'_> {
    fn run(&mut self) {
        let mut done = None;
        loop {
            while let Some(method) = self.waiting.pop() {
                self.visit(method);
            }
            let does_anything = self.unknown_does == UnknownDoes::Anything;
            let met = |what| does_anything && self.reach.met.iter().any(|m| m.what == what);
            // A class that is missing may have found any method.
            let finds_any = self.reach.by_name.finds_any;
            let finds_any = finds_any.map(|any| does_anything && (any || met(Unknown::MissingClass)));
            for as_what in (0..2).filter(|nth| finds_any[*nth]) {
                for (caller, name) in std::mem::take(&mut self.reach.by_name.callers[as_what]) {
                    self.meet(Unknown::CallsMethods, caller, &name);
                }
            }
            let met = |what| does_anything && self.reach.met.iter().any(|m| m.what == what);
            self.reach.open |= met(Unknown::CallsMethods) || met(Unknown::Native);
            let by_name = &self.reach.by_name;
            let finds_any = by_name.finds_any_constructor || met(Unknown::MissingClass);
            self.reach.makes_any |= self.reach.open || by_name.makes_found && finds_any;
            let state = (
                [
                    self.reach.open,
                    self.reach.makes_any,
                    by_name.makes_plain,
                    by_name.makes_found,
                    by_name.initialises,
                ],
                [by_name.called.len(), by_name.types.len()],
            );
            if done.replace(state) == Some(state) {
                return;
            }
            self.run_by_name();
        }
    }

    /// Reaches whatever may be run by its name.
    fn run_by_name(&mut self) {
        let world = self.world;
        for id in 0..world.classes.len() as ClassId {
            let class = world.class(id);
            if class.access & (access::INTERFACE | access::ABSTRACT) == 0 && self.reach.may_be_made(world, id)
            {
                self.object(id);
            }
        }
        for method in 0..world.methods.len() as MethodId {
            let class = world.class(world.method(method).class);
            let is_concrete = class.access & (access::INTERFACE | access::ABSTRACT) == 0;
            let is_constructor = || world.is_constructor(world.method(method).selector);
            if self.reach.open || self.reach.may_be_named(world, method) && (is_concrete || !is_constructor())
            {
                self.method(method);
            }
        }
    }

    /// What reflection is told to do by the call number `op`, if it is one in the caller's code.
    fn reflect(
        &mut self,
        caller: MethodId,
        what: Reflection,
        op: Option<OpId>,
        (owner, selector): (NameId, SelectorId),
    ) {
        use Reflection::*;
        let world = self.world;
        let (name, descriptor) = world.selector(selector);
        let name = format!("{}.{name}", world.name(owner));
        let is_ignored = || op.is_some_and(|op| by_name::is_ignored(world, caller, op));
        if self.unknown_does == UnknownDoes::Anything {
            let by_name = &mut self.reach.by_name;
            match what {
                MakesPlainObjects => {
                    by_name.makes_plain = true;
                    // Services of modules are made by methods of this name (ServiceLoader).
                    by_name.called.extend(world.find_name("provider"));
                }
                InitialisesClasses => by_name.initialises = true,
                FindsMethods | FindsNamed | FindsConstructors | FindsTyped if is_ignored() => {}
                FindsMethods => by_name.finds_any_of(descriptor),
                FindsNamed => match op.and_then(|op| world.found_name(caller, op)) {
                    Some(literal) => {
                        by_name.called.insert(literal);
                    }
                    None => by_name.finds_any_of(descriptor),
                },
                FindsConstructors => by_name.finds_any_constructor = true,
                FindsTyped => match op.and_then(|op| world.found_types(caller, op)) {
                    Some(mut types) => {
                        types.sort_unstable();
                        by_name.types.insert(types);
                    }
                    None => by_name.finds_any_constructor = true,
                },
                CallsFound => {
                    let (as_what, argument) = by_name::found_argument(world.name(owner));
                    // Of what was found right there the names are known.
                    if !op.is_some_and(|op| by_name::is_named(world, caller, op, argument)) {
                        by_name.callers[as_what].push((caller, name.clone()));
                    }
                }
                MakesFound => by_name.makes_found = true,
                MakesObjects => self.reach.makes_any = true,
                CallsMethods | WritesFields => {}
            }
        }
        let unknown = match what {
            CallsMethods => Unknown::CallsMethods,
            WritesFields => Unknown::WritesFields,
            MakesObjects | MakesPlainObjects | MakesFound | InitialisesClasses => Unknown::MakesObjects,
            // These are told of when somebody calls what they have found.
            FindsMethods | FindsNamed | FindsConstructors | FindsTyped | CallsFound => return,
        };
        self.meet(unknown, caller, &name);
    }

    fn method(&mut self, method: MethodId) {
        if !std::mem::replace(&mut self.reach.reached[method as usize], true) {
            self.waiting.push(method);
        }
    }

    fn meet(&mut self, what: Unknown, method: MethodId, name: &str) {
        let known = self
            .met
            .get(name)
            .and_then(|met| met.iter().find(|(other, _)| *other == what));
        if let Some(met) = known.and_then(|(_, at)| self.reach.met.get_mut(*at)) {
            met.methods.push(method);
            return;
        }
        let at = self.reach.met.len();
        self.met.entry(name.to_owned()).or_default().push((what, at));
        self.reach.met.push(Met {
            what,
            name: name.to_owned(),
            methods: vec![method],
        });
    }

    fn visit(&mut self, method: MethodId) {
        let world = self.world;
        let class = world.method(method).class;
        self.initialise(class);
        let Some(body) = world.body(method) else {
            return self.visit_lambda(class);
        };
        if body.failed && !body.has_body || body.access & access::NATIVE != 0 {
            self.meet(Unknown::Native, method, &world.method_label(method));
        }
        self.visit_body(method, class, body);
    }

    fn visit_body(&mut self, method: MethodId, class: ClassId, body: Body<'_>) {
        let world = self.world;
        for access in body.accesses().filter(|a| a.base.is_none()) {
            let (owner, _) = world.member_in(class, access.field);
            self.initialise_named(owner);
        }
        for (id, op) in body.ops() {
            match op {
                Op::New { class: made, .. } => {
                    for &made in world.definitions(world.name_in(class, made)) {
                        self.object(made);
                    }
                }
                Op::Lambda { lambda, .. } => {
                    if let Some(made) = world.lambda_class(class, lambda) {
                        self.object(made);
                    }
                }
                Op::Call(call) => {
                    let (owner, selector) = world.member_in(class, call.target);
                    self.call(method, (owner, selector), call.kind, Some(id));
                }
                Op::Unknown { bootstrap, .. } => {
                    let name = world.name(world.name_in(class, bootstrap));
                    self.meet(Unknown::CallsMethods, method, name);
                }
                _ => {}
            }
        }
    }

    fn visit_lambda(&mut self, class: ClassId) {
        let world = self.world;
        let Some((lambda, maker)) = world.lambda(class) else {
            return;
        };
        let (owner, selector) = world.member_in(maker, lambda.target);
        let kind = lambda_call(lambda.kind);
        if lambda.kind == NEW_HANDLE {
            for &made in world.definitions(owner) {
                self.object(made);
            }
        }
        let method = world.class(class).declared.iter().next();
        if let Some((_, Declared::Body(method))) = method {
            self.call(method, (owner, selector), kind, None);
        }
    }

    fn call(
        &mut self,
        caller: MethodId,
        (owner, selector): (NameId, SelectorId),
        kind: CallKind,
        op: Option<OpId>,
    ) {
        let world = self.world;
        let (id, is_new) = self.reach.callees.intern(owner, selector, kind);
        if is_new {
            self.reach.callees.resolve(id, world);
            let callee = &mut self.reach.callees.all[id as usize];
            callee.gives = !by_name::gives(world, owner, selector).is_empty();
            let is_virtual = callee.is_virtual;
            let callees = &self.reach.callees;
            let targets = callees.targets(callees.get(id)).to_vec();
            for target in targets {
                self.method(target);
            }
            if kind == CallKind::Static {
                self.initialise_named(owner);
            }
            if is_virtual {
                for &class in world.definitions(owner) {
                    self.called[class as usize].push(id);
                    for made in self.with_objects[class as usize].clone() {
                        self.dispatch(id, made);
                    }
                }
            }
        }
        let callee = self.reach.callees.get(id);
        let mut reflections: Vec<Reflection> = Vec::new();
        for model in self.reach.callees.models(callee) {
            reflections.extend(&model.reflection);
            if model.reflection.is_empty() && callee.gives {
                reflections.extend(by_name::gives(world, owner, selector));
            }
        }
        let is_missing = callee.unknown;
        for what in reflections {
            self.reflect(caller, what, op, (owner, selector));
        }
        if is_missing {
            self.meet(Unknown::MissingClass, caller, world.name(owner));
        }
    }

    fn dispatch(&mut self, callee: CalleeId, class: ClassId) {
        if let Some(method) = self.reach.callees.dispatch(callee, self.world, class) {
            self.method(method);
        }
    }

    /// There may be objects of exactly this class.
    fn object(&mut self, class: ClassId) {
        if std::mem::replace(&mut self.reach.has_objects[class as usize], true) {
            return;
        }
        let world = self.world;
        if !world.class(class).is_program() {
            return;
        }
        self.initialise(class);
        for &ancestor in &world.class(class).ancestors {
            self.with_objects[ancestor as usize].push(class);
            for callee in self.called[ancestor as usize].clone() {
                self.dispatch(callee, class);
            }
        }
        self.find_callbacks(class);
    }

    fn find_callbacks(&mut self, class: ClassId) {
        let world = self.world;
        let is_serializable = world.is_subtype_of(class, "java/io/Serializable");
        let mut found = Vec::new();
        for &ancestor in &world.class(class).ancestors {
            for (selector, declared) in world.class(ancestor).declared.iter() {
                let Declared::Body(method) = declared else {
                    continue;
                };
                let flags = world.method(method).access;
                let is_special = world.is_constructor(selector) || world.is_initialiser(selector);
                if is_special || flags & access::STATIC != 0 {
                    continue;
                }
                if flags & access::PRIVATE != 0 {
                    if is_serializable && SERIAL_CALLBACKS.contains(&world.selector(selector).0) {
                        found.push(method);
                    }
                } else if world.overrides_outside(class, selector)
                    && world.implementation(class, selector) == Found::Body(method)
                {
                    found.push(method);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.iter().for_each(|m| self.method(*m));
        self.reach.callbacks[class as usize] = found;
    }

    fn initialise_named(&mut self, name: NameId) {
        for &class in self.world.definitions(name) {
            self.initialise(class);
        }
    }

    /// Runs the initialisers of the class and its ancestors (JLS 12.4.1).
    fn initialise(&mut self, class: ClassId) {
        if std::mem::replace(&mut self.initialised[class as usize], true) {
            return;
        }
        let world = self.world;
        for &ancestor in &world.class(class).ancestors {
            for (selector, declared) in world.class(ancestor).declared.iter() {
                if let Declared::Body(method) = declared
                    && world.is_initialiser(selector)
                {
                    self.method(method);
                }
            }
        }
    }

    fn finish(mut self) -> Reach {
        self.reach.callees.sort_targets();
        self.reach.has_program_subtypes = self.with_objects.iter().map(|made| !made.is_empty()).collect();
        self.reach
    }
}

fn constants(world: &World) -> Vec<bool> {
    let mut constants = vec![false; world.names()];
    for &text in world.facts.iter().flat_map(|facts| facts.constants()) {
        if let Some(slot) = constants.get_mut(text as usize) {
            *slot = true;
        }
    }
    constants
}

/// Private methods that serialization calls.
const SERIAL_CALLBACKS: [&str; 5] = [
    "readObject",
    "readObjectNoData",
    "writeObject",
    "readResolve",
    "writeReplace",
];

/// JVMS 4.4.8: REF_newInvokeSpecial.
pub const NEW_HANDLE: u8 = 8;

/// How a method handle of that kind calls.
pub fn lambda_call(kind: u8) -> CallKind {
    match kind {
        5 => CallKind::Virtual,
        9 => CallKind::Interface,
        6 => CallKind::Static,
        _ => CallKind::Special,
    }
}
