//! Weaving one class: join points become hooks. Input is the parsed class with its plan, output new class
//! bytes and an account of what was woven and what was left alone. Nothing here knows of archives.

mod arrays;
pub(crate) mod asm;
mod attempts;
mod bodies;
mod bridges;
mod calls;
mod constructions;
mod following;
mod freezes;
mod hooked;
mod known_models;
mod members;
mod method;
mod method_refs;
mod module_info;
mod monitors;
mod ordering;
mod steps;
pub(crate) mod suid;
mod sync_methods;
mod trampolines;
mod walks;

pub use known_models::KnownModels;
pub use module_info::{Runtime as ModuleRuntime, adapt as adapt_module_info};

use crate::code::{Class, ClassEdit, ClassError, ClassMemory, Insn, Workspace, access, op};
use crate::plan::{ClassPlan, LeftAlone};
use crate::program::Program;
use crate::scan::{ClassFacts, FieldAccess, Place, Places};
use asm::Asm;
use bridges::Bridges;
use hooked::Hooked;
use racewire_model::detectors::DetectorName;
#[cfg(doc)]
use racewire_model::sites::ClassSites;
use racewire_model::sites::TableWriter;
use racewire_models::{Body, Models};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};

/// HotSpot never compiles a method larger than this (HugeMethodLimit).
pub const HOTSPOT_HUGE_METHOD: usize = 8000;

/// What happened in one class (or, added up, in all of them).
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct Account {
    pub classes_changed: u64,
    pub accesses: u64,
    pub monitors: u64,
    pub synchronized_methods: u64,
    pub calls: u64,
    pub method_refs: u64,
    pub words: u64,
    /// Accesses left alone, by reason.
    pub left: BTreeMap<LeftAlone, u64>,
    /// `com.acme.Foo.bar(I)V: cause`, for methods and join points that could not be woven.
    pub unwoven: Vec<String>,
    /// Classes that were not to be found, above receivers of calls that look like `Thread.start` or `Lock.lock`.
    pub unknown: BTreeSet<String>,
    /// Methods that weaving pushed over HotSpot's limit for compilation.
    pub huge: Vec<String>,
}

impl Account {
    pub fn add(&mut self, other: Account) {
        self.classes_changed += other.classes_changed;
        self.accesses += other.accesses;
        self.monitors += other.monitors;
        self.synchronized_methods += other.synchronized_methods;
        self.calls += other.calls;
        self.method_refs += other.method_refs;
        self.words += other.words;
        self.leave(other.left);
        self.unwoven.extend(other.unwoven);
        self.unknown.extend(other.unknown);
        self.huge.extend(other.huge);
    }

    fn leave(&mut self, accesses: impl IntoIterator<Item = (LeftAlone, u64)>) {
        for (reason, count) in accesses {
            if count > 0 {
                *self.left.entry(reason).or_default() += count;
            }
        }
    }

    /// Classes are woven in parallel: puts the lists into an order that does not depend on it.
    pub fn sort(&mut self) {
        self.unwoven.sort();
        self.huge.sort();
    }
}

/// `bytes` is `None` where nothing had to change.
#[derive(Debug)]
pub struct Woven {
    pub bytes: Option<Vec<u8>>,
    pub account: Account,
}

/// The account of a class that weaving cannot change, by what is known of it: nobody has to look at its code again.
/// `None` for all others.
pub fn untouched(facts: &ClassFacts, plan: &ClassPlan<'_>) -> Option<Account> {
    // Where happens-before is looked at, arrays and class initialisers may be anywhere.
    if plan.monitors() || facts.has_other_points() || plan.order {
        return None;
    }
    let mut account = Account::default();
    account.leave(plan.left(facts));
    Some(account)
}

/// What the classes that are woven together have in common.
#[derive(Debug, Clone, Copy)]
pub struct Unit<'u> {
    /// See [`crate::plan::Plan::numberings`].
    pub numberings: &'u [u32],
    /// See [`ClassSites::valid_for`].
    pub valid_for: &'u str,
    /// What calls do to the order of threads; `None` if no detector wants to know.
    pub models: Option<&'u Models>,
    /// What other classes have asked of the models.
    pub known_models: &'u KnownModels,
}

fn is_for_order_alone(valid_for: &str) -> bool {
    let needs_no_words = |name: &str| name.parse().is_ok_and(DetectorName::needs_no_words);
    valid_for.split(',').all(needs_no_words)
}

pub fn weave(
    bytes: &[u8],
    facts: &ClassFacts,
    plan: &ClassPlan<'_>,
    program: &Program,
    unit: &'_ Unit<'_>,
) -> Result<Woven, ClassError> {
    match untouched(facts, plan) {
        Some(account) if unit.models.is_none() => Ok(Woven { bytes: None, account }),
        // Its facts come from these bytes.
        _ => weave_class(&Class::parse_again(bytes)?, facts, plan, program, unit),
    }
}

/// What one class leaves to the next that the thread weaves, so that memory need not grow again.
#[derive(Default)]
struct Memory {
    asm: Asm,
    insns: Vec<Insn>,
    points: Vec<Insn>,
    places: Places,
    workspace: Workspace,
    class: ClassMemory,
    sites: TableWriter,
    table: Vec<u8>,
}

thread_local! {
    static MEMORY: Cell<Memory> = Cell::default();
}

fn weave_class(
    class: &Class<'_>,
    facts: &ClassFacts,
    plan: &ClassPlan<'_>,
    program: &Program,
    unit: &'_ Unit<'_>,
) -> Result<Woven, ClassError> {
    let memory = MEMORY.take();
    let mut weaver = ClassWeaver {
        class,
        facts,
        plan,
        program,
        ancestors: OnceCell::new(),
        body_of_rest: OnceCell::new(),
        edit: ClassEdit::with(memory.class, class),
        sites: memory.sites,
        table: memory.table,
        valid_for: unit.valid_for,
        for_order_alone: is_for_order_alone(unit.valid_for),
        accesses: &facts.accesses,
        numberings: unit.numberings,
        hooked: Hooked::new(class, facts, plan, unit),
        bridges: Bridges::default(),
        helpers: 0,
        constants: Constants::default(),
        visible_change: false,
        before_super: 0,
        class_initialisation: 0,
        account: Account::default(),
        asm: memory.asm,
        insns: memory.insns,
        points: memory.points,
        places: memory.places,
        elements: FxHashMap::default(),
        numbered: 0,
        uses: FxHashMap::default(),
        followed: FxHashMap::default(),
        workspace: memory.workspace,
    };
    weaver.sites.clear();
    weaver.add_words()?;
    for index in 0..class.methods.len() {
        weaver.method(index)?;
    }
    weaver.sites.share_repeats();
    weaver.add_slow_paths()?;
    weaver.add_state_paths()?;
    weaver.keep_serial_version()?;
    let ClassWeaver {
        edit, mut account, ..
    } = weaver;
    account.words = plan.words.len() as u64;
    account.leave(plan.left(facts));
    account.leave([
        (LeftAlone::BeforeSuper, weaver.before_super),
        (LeftAlone::ClassInitialisation, weaver.class_initialisation),
    ]);
    let (bytes, class_memory) = if edit.is_empty() {
        (None, edit.into_memory())
    } else {
        let (bytes, memory) = edit.finish_with_memory()?;
        (Some(bytes), memory)
    };
    account.classes_changed = u64::from(bytes.is_some());
    MEMORY.set(Memory {
        class: class_memory,
        asm: weaver.asm,
        insns: weaver.insns,
        points: weaver.points,
        places: weaver.places,
        workspace: weaver.workspace,
        sites: weaver.sites,
        table: weaver.table,
    });
    Ok(Woven { bytes, account })
}

/// Where an added helper method lives. A call of a static method waits until another thread has initialised the
/// class (JVMS 5.5), the call of an instance method does not: instance methods get helpers of their own kind, or
/// a static initialiser that starts a thread on its own instance and waits for it would never end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Home {
    Static,
    Instance,
}

impl Home {
    /// Local variables that the receiver takes.
    fn receiver_slots(self) -> u8 {
        u8::from(self == Home::Instance)
    }

    fn flags(self) -> u16 {
        let kind = if self == Home::Static { access::STATIC } else { 0 };
        kind | access::PRIVATE | access::SYNTHETIC
    }

    fn invoke(self) -> u8 {
        match self {
            Home::Static => op::INVOKESTATIC,
            Home::Instance => op::INVOKESPECIAL,
        }
    }

    fn slow_name(self) -> &'static str {
        match self {
            Home::Static => "$racewire$slow",
            Home::Instance => "$racewire$slow$on",
        }
    }
}

/// What a trampoline may take for granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Any,
    /// The variable's first access, by a constructor whose object nobody else has seen.
    First,
    /// The site has no bit in the word.
    Overflow,
}

/// Constants that many helpers share, once they are known.
#[derive(Debug, Default)]
struct Constants {
    /// Methods of `Hooks`.
    changed: Option<u16>,
    changed_overflow: Option<u16>,
    changed_by_read: Option<u16>,
    changed_overflow_by_read: Option<u16>,
    is_new_write: Option<u16>,
    is_new_read: Option<u16>,
    first: Option<u16>,
    first_stamp: Option<u16>,
    fence: Option<u16>,
    /// The slow paths that trampolines call, by [`Home`].
    slow: [Option<u16>; 2],
    /// The helpers for elements of arrays, by [`Home`] and whether they are written.
    elements: [[Option<u16>; 2]; 2],
    /// The same for those that loops walk through.
    walks: [[Option<u16>; 2]; 2],
    /// The class that owns fields, and the descriptor of trampolines that are given such an owner; the last one.
    takes_owner: Option<(u16, u16)>,
    /// The descriptor of state words.
    long: Option<u16>,
    /// Name of the Code attribute, and of its StackMapTable.
    code: Option<u16>,
    frames: Option<u16>,
    /// The pieces of the site table.
    table: Vec<u16>,
}

struct ClassWeaver<'c, 'a> {
    class: &'c Class<'a>,
    facts: &'c ClassFacts,
    plan: &'c ClassPlan<'c>,
    program: &'c Program,
    /// The class and everything above it, once somebody has asked.
    ancestors: OnceCell<Vec<&'c str>>,
    /// What others do when they call back methods whose names no model has, see [`Models::find_body`].
    body_of_rest: OnceCell<Option<Body>>,
    edit: ClassEdit<'c, 'a>,
    sites: TableWriter,
    /// Memory for the site table.
    table: Vec<u8>,
    /// See [`ClassSites::valid_for`].
    valid_for: &'c str,
    /// No run that it is valid for has a lock-set machine.
    for_order_alone: bool,
    /// Those of the methods that come next.
    accesses: &'c [FieldAccess],
    numberings: &'c [u32],
    hooked: Hooked<'c>,
    bridges: Bridges,
    /// Numbers the added helper methods.
    helpers: u32,
    constants: Constants,
    /// Something changed that reflection and the default serialVersionUID would show.
    visible_change: bool,
    /// Accesses left alone where they stand.
    before_super: u64,
    class_initialisation: u64,
    account: Account,
    /// Memory for the next snippet, and for the next method.
    asm: Asm,
    insns: Vec<Insn>,
    points: Vec<Insn>,
    /// Where the method at hand has accessed fields so far, and what hooks are given there.
    places: Places,
    /// The same for elements of arrays, by the index of their kind in the site table.
    elements: FxHashMap<(Place, u32), u32>,
    /// How many instructions that access elements have a number.
    numbered: u32,
    /// By constant that names another class or a static member of it: where the class tells that it is initialised.
    uses: FxHashMap<u16, Option<u16>>,
    followed: FxHashMap<following::Helper, u16>,
    workspace: Workspace,
}
