//! `maybeShared()`: for each access of the program the proof that no two threads share what it touches, or none.

mod conclude;
mod fields;
mod judge;
mod proof;

use crate::facts::ClassFacts;
use crate::packed::Packed;
use crate::reach::{self, Met, Reach, Unknown, UnknownDoes};
use crate::roots::Mask;
use crate::rules::Rules;
use crate::types::dotted;
pub use crate::why_shared::Shared;
use crate::world::{ClassId, Declared, Jdk, MethodId, SharedNames, World};
use judge::{Analysis, Reasons};
pub use proof::{Proof, Removed, Repeat};
use racewire_classfile::access;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone)]
pub struct Options {
    /// Main classes, dotted or internal; none: a library, whose methods anybody may call.
    pub main: Vec<String>,
    pub rules: Rules,
    /// What may be called or made by name: with `Nothing` the user takes the risk.
    pub unknown: UnknownDoes,
}

/// What the analysis found.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdicts {
    /// For each class, in the order of the facts; sorted by method and pc.
    pub removed: Vec<Vec<Removed>>,
    /// For each class the accesses that stand for others: sorted by method and pc.
    pub repeats: Vec<Vec<Repeat>>,
    /// Why the fields that stay may be shared: by class (internal name), field name and descriptor. Where a field is not
    /// named, any caller may have given the object to several threads: in a library that is all of them.
    pub shared: FxHashMap<(String, String, String), Shared>,
    /// What could not be seen into.
    pub unknown: Vec<UnknownMet>,
    /// For each class, how many accesses stay only because of what may be called or made by name; `None` if nothing may.
    pub cost: Option<Vec<u64>>,
    pub callers: Callers,
    pub reached_methods: usize,
    pub methods: usize,
    /// The threads that were found: where each begins, and whether it is a single one. Empty for libraries.
    pub threads: Vec<(String, bool)>,
    /// By method: whether more than one thread may run it. `None`: any may.
    pub several: Option<Vec<bool>>,
    /// Which threads run which method. `None`: any may run any.
    pub runs: Option<Runs>,
}

/// The threads by methods, as bits of the roots that they begin with.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Runs {
    pub masks: Vec<Mask>,
    /// Roots that several threads may begin with.
    pub many: Mask,
}

impl Runs {
    /// Whether one thread may run the one method while another runs the other.
    pub fn at_once(&self, one: MethodId, other: MethodId) -> bool {
        let mask = |method: MethodId| self.masks.get(method as usize).copied().unwrap_or(Mask::MAX);
        let (a, b) = (mask(one), mask(other));
        a != 0 && b != 0 && (a & b & self.many != 0 || (a | b).count_ones() > 1)
    }
}

/// Who may call the methods of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Callers {
    /// Anybody: it is a library, or has no `main` where one should be.
    #[default]
    Anybody,
    /// It begins with a known `main`, but something that was met may call any method.
    Unknown,
    /// Only what `main` starts.
    Main,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnknownMet {
    pub what: Unknown,
    /// The called method, or the missing class.
    pub name: String,
    /// One of the methods that do so.
    pub example: String,
    pub places: usize,
}

/// Analyses the program; `jdk` is the one it will run on.
pub fn analyse(facts: &[ClassFacts], jdk: Option<Jdk>, options: &Options) -> Verdicts {
    analyse_world(&World::new(facts, jdk), options)
}

/// The same with facts whose strings are numbers already.
pub fn analyse_packed(
    facts: Vec<Box<Packed>>,
    names: SharedNames,
    jdk: Option<Jdk>,
    options: &Options,
) -> Verdicts {
    if !options.rules.accesses {
        return not_looked_at(&facts);
    }
    analyse_world(&World::of(facts, names, jdk), options)
}

fn analyse_world(world: &World, options: &Options) -> Verdicts {
    if !options.rules.accesses {
        return not_looked_at(&world.facts);
    }
    let main = main_methods(world, &options.main);
    let reach = reach::reach(world, &main, options.unknown);
    let judge = |reach: &Reach, reasons| {
        let analysis = Analysis {
            world,
            reach,
            main: &main,
            rules: options.rules,
        };
        analysis.judge(reasons)
    };
    let is_opened = !main.is_empty() && reach.has_names();
    let (judged, cost) = if is_opened {
        let closed = || {
            judge(
                &reach::reach(world, &main, UnknownDoes::Nothing),
                Reasons::Unasked,
            )
            .removed
        };
        let (judged, closed) = rayon::join(|| judge(&reach, Reasons::Wanted), closed);
        let cost = judged.removed.iter().zip(&closed);
        let cost = cost
            .map(|(now, then)| then.len().saturating_sub(now.len()) as u64)
            .collect();
        (judged, Some(cost))
    } else {
        (judge(&reach, Reasons::Wanted), None)
    };
    Verdicts {
        unknown: unknown_met(world, &reach.met),
        cost,
        callers: match (main.is_empty(), reach.open) {
            (true, _) => Callers::Anybody,
            (false, true) => Callers::Unknown,
            (false, false) => Callers::Main,
        },
        ..judged
    }
}

/// The same for a program whose classes and calls the caller goes on with; why fields are shared is not asked.
pub fn judge(world: &World, reach: &Reach, main: &[MethodId], rules: Rules) -> Verdicts {
    let analysis = Analysis {
        world,
        reach,
        main,
        rules,
    };
    analysis.judge(Reasons::Unasked)
}

/// Everything can go.
fn not_looked_at(facts: &[Box<Packed>]) -> Verdicts {
    let removed = facts.iter().map(|class| {
        let methods = (0..).zip(class.methods());
        let accesses = methods.flat_map(|(method, body)| {
            body.accesses().map(move |access| Removed {
                method,
                pc: access.pc,
                proof: Proof::NotLookedAt,
            })
        });
        accesses.collect()
    });
    Verdicts {
        removed: removed.collect(),
        repeats: vec![Vec::new(); facts.len()],
        methods: facts.iter().map(|class| class.method_count()).sum(),
        ..Verdicts::default()
    }
}

/// What the named classes begin with: their `main`, perhaps a superclass's (JLS 12.1.4); and if that is no static one, the
/// constructor of the object that it is called on.
pub fn main_methods(world: &World, classes: &[String]) -> Vec<MethodId> {
    let mut found = Vec::new();
    for name in classes {
        let name = world.find_name(&name.replace('.', "/"));
        for &class in name.iter().flat_map(|name| world.definitions(*name)) {
            let Some(main) = main_method(world, class) else {
                continue;
            };
            found.push(main);
            if world.method(main).access & access::STATIC == 0 {
                found.extend(declared(world, class, "<init>", "()V"));
            }
        }
    }
    found
}

fn main_method(world: &World, class: ClassId) -> Option<MethodId> {
    ["([Ljava/lang/String;)V", "()V"]
        .into_iter()
        .find_map(|descriptor| {
            let ancestors = world.class(class).ancestors.iter();
            let mut classes = ancestors.filter(|a| !world.class(**a).is_interface());
            classes.find_map(|&ancestor| {
                declared(world, ancestor, "main", descriptor)
                    .filter(|main| world.method(*main).access & (access::PRIVATE | access::ABSTRACT) == 0)
            })
        })
}

fn declared(world: &World, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
    match world.declared(class, world.find_selector(name, descriptor)?)? {
        Declared::Body(method) => Some(method),
        Declared::Header(_) => None,
    }
}

fn unknown_met(world: &World, met: &[Met]) -> Vec<UnknownMet> {
    let mut all: Vec<UnknownMet> = met
        .iter()
        .map(|met| UnknownMet {
            what: met.what,
            name: dotted(&met.name),
            example: met
                .methods
                .first()
                .map_or(String::new(), |m| dotted(&world.method_label(*m))),
            places: met.methods.len(),
        })
        .collect();
    all.sort_by(|a, b| (a.what, &a.name).cmp(&(b.what, &b.name)));
    all
}
