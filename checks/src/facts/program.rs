//! All classes together: who calls whom, which fields there are, who runs in which threads.

use super::entry_locks;
use super::paths::{FieldId, Path};
use super::sections::{self, Sections};
use super::summary::{self, Summary};
use crate::body::{Body, ClassBody, Instr, Invoke, MemberIndex, Op};
use racewire_analysis::calls::{Callee, CalleeId};
use racewire_analysis::facts::{CallKind, ClassFacts};
use racewire_analysis::maybe_shared::{self, Proof, Verdicts};
use racewire_analysis::models::Model;
use racewire_analysis::reach::{self, Reach, UnknownDoes};
use racewire_analysis::rules::{Redundant, Rules};
use racewire_analysis::world::{ClassId, Jdk, MethodId, NameId, SelectorId, World};
use racewire_classfile::access;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A virtual call that may reach more methods than this is taken for a call of something unknown.
const MOST_TARGETS: usize = 8;

/// One class of the program.
#[derive(Debug)]
pub struct Input {
    pub facts: Vec<ClassFacts>,
    /// One for each of `facts`.
    pub bodies: Vec<ClassBody>,
    /// How many of them are to be checked: the first ones. The others are libraries.
    pub checked: usize,
}

#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Main classes; none: anybody may call anything, from any thread.
    pub main: Vec<String>,
}

/// A field, wherever it is declared.
#[derive(Debug, Clone)]
pub struct FieldInfo {
    /// Of the class that declares it, or that the code names if nobody knows.
    pub class: NameId,
    pub selector: SelectorId,
    /// 0 if the program does not declare it.
    pub access: u16,
    pub declared: bool,
}

impl FieldInfo {
    pub fn is_final(&self) -> bool {
        self.access & access::FINAL != 0
    }

    pub fn is_volatile(&self) -> bool {
        self.access & access::VOLATILE != 0
    }
}

/// A method with its code.
#[derive(Debug, Clone, Copy)]
pub struct MethodRef<'p> {
    pub id: MethodId,
    pub class_id: ClassId,
    pub class: &'p ClassBody,
    pub body: &'p Body,
}

/// What a call may reach.
#[derive(Debug, Clone, Copy)]
pub struct Calls<'p> {
    /// Methods of the program.
    pub targets: &'p [MethodId],
    /// Also others that we do not see into: missing ones. Where the JDK has one, or too many are meant, there are no others.
    pub unknown: bool,
}

/// What a class's code names by a number.
#[derive(Debug, Clone, Copy, Default)]
struct Linked {
    field: Option<FieldId>,
    /// By special and static calls, by virtual and interface calls.
    callees: [Option<CalleeId>; 2],
}

pub struct Program<'f> {
    pub world: World,
    pub reach: Reach,
    pub verdicts: Verdicts,
    pub input: &'f Input,
    /// The methods that the program begins with; none if it is a library.
    pub main: Vec<MethodId>,
    pub fields: Vec<FieldInfo>,
    /// By method.
    pub sections: Vec<Sections>,
    /// By method.
    pub summaries: Vec<Summary>,
    /// By class of the input, by member.
    linked: Vec<Vec<Linked>>,
}

impl std::fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").finish_non_exhaustive()
    }
}

impl<'f> Program<'f> {
    pub fn new(input: &'f Input, jdk: Option<Jdk>, options: &Options) -> Program<'f> {
        let world = World::new(&input.facts, jdk);
        let main = maybe_shared::main_methods(&world, &options.main);
        // What might be called by name would make every proof void: a check may miss something, it must not cry wolf.
        let reach = reach::reach(&world, &main, UnknownDoes::Nothing);
        let rules = Rules {
            accesses: true,
            elements: false,
            before_publication: true,
            by_name: false,
            handed_over: true,
            redundant: Redundant::Never,
            updates: false,
            initialisation_releases: false,
        };
        let verdicts = maybe_shared::judge(&world, &reach, &main, rules);
        let mut program = Program {
            world,
            reach,
            verdicts,
            input,
            main,
            fields: Vec::new(),
            sections: Vec::new(),
            summaries: Vec::new(),
            linked: Vec::new(),
        };
        program.link();
        let methods = 0..program.world.methods.len() as MethodId;
        program.sections = methods
            .into_par_iter()
            .map(|method| sections::find(&program, method, &[]))
            .collect();
        let entry = entry_locks::find(&program);
        let held: Vec<(MethodId, Sections)> = entry
            .par_iter()
            .map(|(method, locks)| (*method, sections::find(&program, *method, locks)))
            .collect();
        for (method, sections) in held {
            if let Some(slot) = program.sections.get_mut(method as usize) {
                *slot = sections;
            }
        }
        program.summaries = summary::of_all(&program);
        program
    }

    fn link(&mut self) {
        let mut known: FxHashMap<(NameId, SelectorId), FieldId> = FxHashMap::default();
        for (index, body) in self.input.bodies.iter().enumerate() {
            let mut linked = Vec::with_capacity(body.members.len());
            for member in &body.members {
                let (owner, selector) = (
                    self.world.find_name(&member.owner),
                    self.world.find_selector(&member.name, &member.descriptor),
                );
                let (Some(owner), Some(selector)) = (owner, selector) else {
                    linked.push(Linked::default());
                    continue;
                };
                linked.push(if member.descriptor.starts_with('(') {
                    let find = |kind| self.reach.callees.find(owner, selector, kind);
                    Linked {
                        field: None,
                        callees: [find(CallKind::Special), find(CallKind::Virtual)],
                    }
                } else {
                    Linked {
                        field: Some(self.add_field(owner, selector, &mut known)),
                        callees: [None; 2],
                    }
                });
            }
            debug_assert_eq!(self.linked.len(), index);
            self.linked.push(linked);
        }
    }

    fn add_field(
        &mut self,
        owner: NameId,
        selector: SelectorId,
        known: &mut FxHashMap<(NameId, SelectorId), FieldId>,
    ) -> FieldId {
        let found = self.world.resolve_field(owner, selector);
        let key = found.map_or((owner, selector), |found| found.key);
        *known.entry(key).or_insert_with(|| {
            self.fields.push(FieldInfo {
                class: key.0,
                selector,
                access: found.map_or(0, |found| found.access),
                declared: found.is_some(),
            });
            self.fields.len() as FieldId - 1
        })
    }

    /// The method with its code, if it has any that could be followed. Lambdas have none of their own.
    pub fn method(&self, id: MethodId) -> Option<MethodRef<'f>> {
        let method = self.world.methods.get(id as usize)?;
        // Classes of the input are the first of the world.
        let class = self.input.bodies.get(method.class as usize)?;
        Some(MethodRef {
            id,
            class_id: method.class,
            class,
            body: class
                .methods
                .get(self.world.index_in_class(id) as usize)?
                .body
                .as_ref()?,
        })
    }

    pub fn is_atomic(&self, id: MethodId) -> bool {
        let body = self.world.methods.get(id as usize).and_then(|method| {
            let class = self.input.bodies.get(method.class as usize)?;
            class.methods.get(self.world.index_in_class(id) as usize)
        });
        body.is_some_and(|body| body.atomic)
    }

    /// Whether findings in the method are wanted: it is no library's.
    pub fn is_checked(&self, id: MethodId) -> bool {
        let class = self.world.methods.get(id as usize).map(|method| method.class);
        class.is_some_and(|class| (class as usize) < self.input.checked)
    }

    pub fn field(&self, class: ClassId, member: MemberIndex) -> Option<FieldId> {
        self.linked.get(class as usize)?.get(member as usize)?.field
    }

    pub fn field_info(&self, field: FieldId) -> Option<&FieldInfo> {
        self.fields.get(field as usize)
    }

    /// What the call may reach; `None` for what is no call.
    pub fn calls(&self, method: MethodRef<'_>, instr: &Instr) -> Option<Calls<'_>> {
        if !matches!(instr.op, Op::Call(..)) {
            return None;
        }
        let nothing = Calls {
            targets: &[],
            unknown: true,
        };
        let Some(callee) = self.callee(method, instr) else {
            return Some(nothing);
        };
        // Whoever calls a method of `List` hardly means the one list of the program that locks itself.
        let callees = &self.reach.callees;
        let targets = callees.targets(callee);
        let is_known = callees.models(callee).is_empty() && targets.len() <= MOST_TARGETS;
        Some(match is_known {
            true => Calls {
                targets,
                unknown: callee.unknown,
            },
            false => nothing,
        })
    }

    /// What is known of the methods outside the program that a call may reach.
    pub fn models(&self, method: MethodRef<'_>, instr: &Instr) -> &[&'static Model] {
        self.callee(method, instr)
            .map_or(&[], |callee| self.reach.callees.models(callee))
    }

    fn callee(&self, method: MethodRef<'_>, instr: &Instr) -> Option<&Callee> {
        let Op::Call(invoke, member) = instr.op else {
            return None;
        };
        let linked = self.linked.get(method.class_id as usize)?.get(member as usize)?;
        let is_virtual = matches!(invoke, Invoke::Virtual | Invoke::Interface);
        let callee = linked.callees.get(usize::from(is_virtual)).copied().flatten()?;
        Some(self.reach.callees.get(callee))
    }

    /// Whether a class is another or below it; both by internal name.
    pub fn is_subclass(&self, class: &str, of: &str) -> bool {
        class == of || {
            let name = self.world.find_name(class);
            let classes = name.map(|name| self.world.definitions(name)).unwrap_or_default();
            classes.iter().any(|class| self.world.is_subtype_of(*class, of))
        }
    }

    /// Class (internal name), name and descriptor of the called method.
    pub fn called<'m>(&self, method: MethodRef<'m>, instr: &Instr) -> Option<&'m crate::body::Member> {
        match instr.op {
            Op::Call(_, member) => method.class.members.get(member as usize),
            _ => None,
        }
    }

    /// The proof that no two threads share what the access touches, if there is one.
    pub fn proof(&self, method: MethodId, pc: u32) -> Option<Proof> {
        let at = self.world.methods.get(method as usize)?;
        let removed = self.verdicts.removed.get(at.class as usize)?;
        let index = self.world.index_in_class(method);
        let found = removed.binary_search_by_key(&(index, pc), |removed| (removed.method, removed.pc));
        found
            .ok()
            .and_then(|found| removed.get(found))
            .map(|removed| removed.proof)
    }

    /// Whether more than one thread may run the method.
    pub fn runs_in_several(&self, method: MethodId) -> bool {
        let several = self.verdicts.several.as_ref();
        several.is_none_or(|several| several.get(method as usize).copied().unwrap_or(true))
    }

    /// `com.acme.Bank`
    pub fn class_name(&self, class: ClassId) -> String {
        self.world.class_name(class).replace('/', ".")
    }

    /// `com.acme.Bank.total`
    pub fn field_name(&self, field: FieldId) -> String {
        self.field_info(field).map_or_else(String::new, |info| {
            let class = self.world.name(info.class).replace('/', ".");
            format!("{class}.{}", self.world.selector(info.selector).0)
        })
    }

    /// A path in words: `this.lock`, `com.acme.Bank.class`.
    pub fn describe(&self, method: MethodId, path: &Path) -> String {
        match path {
            Path::Parameter(0) if !self.is_static(method) => "this".to_owned(),
            Path::Parameter(nth) => {
                let number = usize::from(*nth) + usize::from(self.is_static(method));
                format!("parameter {number}")
            }
            Path::Static(field) => self.field_name(*field),
            Path::Class(name) => format!("{}.class", name.replace('/', ".")),
            Path::Field(base, field) => {
                let name = self
                    .field_info(*field)
                    .map_or("", |info| self.world.selector(info.selector).0);
                format!("{}.{name}", self.describe(method, base))
            }
            Path::Element(base) => format!("{}[]", self.describe(method, base)),
            Path::Value(_) => "some object".to_owned(),
        }
    }

    pub fn is_static(&self, method: MethodId) -> bool {
        self.access(method) & access::STATIC != 0
    }

    pub fn access(&self, method: MethodId) -> u16 {
        self.world
            .methods
            .get(method as usize)
            .map_or(0, |method| method.access)
    }

    pub fn source_file(&self, method: MethodId) -> Option<&str> {
        let class = self.world.methods.get(method as usize)?.class;
        self.input.bodies.get(class as usize)?.source_file.as_deref()
    }

    /// Name and descriptor.
    pub fn method_name(&self, method: MethodId) -> (&str, &str) {
        let selector = self
            .world
            .methods
            .get(method as usize)
            .map(|method| method.selector);
        selector.map_or(("", ""), |selector| self.world.selector(selector))
    }
}
