//! What the detector `stale` has the weaver mark: flows of values that the static side finds suspicious, class by class.

use crate::archive::{Archive, Entry};
use crate::checking::{self, is_wanted};
use crate::code::access;
use crate::error::Error;
use crate::pattern::Scope;
use crate::plan::Plan;
use crate::program::Program;
use crate::reading::{EntryKey, class_name_of, key};
use racewire_analysis::world::Jdk;
use racewire_checks::body::Assertions;
use racewire_checks::facts::{Input, Options, Program as Checked};
use racewire_checks::followed::{self, Mark, Variable};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What is followed in one class.
#[derive(Debug, Default, Hash)]
pub struct Follows {
    /// By index of the method and pc, sorted.
    pub marks: Vec<(u32, u32, Mark)>,
    /// Fields that get something beside them, by index; and whether it is about what they hold.
    pub cells: BTreeSet<(usize, bool)>,
}

impl Follows {
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.cells.is_empty()
    }

    /// The marks of a method.
    pub fn of_method(&self, method: usize) -> &[(u32, u32, Mark)] {
        let first = self.marks.partition_point(|(at, ..)| (*at as usize) < method);
        let rest = self.marks.get(first..).unwrap_or_default();
        let count = rest.partition_point(|(at, ..)| *at as usize == method);
        rest.get(..count).unwrap_or_default()
    }

    pub fn at(&self, method: usize, pc: u32) -> impl Iterator<Item = &Mark> {
        let marks = self.of_method(method);
        let first = marks.partition_point(|(_, at, _)| *at < pc);
        let rest = marks.get(first..).unwrap_or_default();
        rest.iter()
            .take_while(move |(_, at, _)| *at == pc)
            .map(|(.., mark)| mark)
    }
}

/// What the static side may take for granted.
pub struct Request<'r> {
    pub archive: &'r Archive,
    pub scope: &'r Scope,
    pub classpath: &'r [PathBuf],
    pub main: Vec<String>,
    pub jdk: Option<PathBuf>,
}

/// Puts what is to be followed into the plan.
pub fn plan(
    request: &Request<'_>,
    program: &Program,
    by_entry: &FxHashMap<EntryKey, usize>,
    plan: &mut Plan<'_>,
) -> Result<(), Error> {
    let (input, keys) = read(request)?;
    let jdk = request.jdk.as_ref().and_then(|home| Jdk::open(home).ok());
    let options = Options {
        main: request.main.clone(),
    };
    let checked = Checked::new(&input, jdk, &options);
    let marks = followed::find(&checked, |variable| is_kept(program, variable));
    for marked in marks {
        let class = keys.get(marked.class).and_then(|key| by_entry.get(key)).copied();
        let Some(class) = class.filter(|id| program.classes.get(*id).is_some_and(|class| class.woven)) else {
            continue;
        };
        if let Mark::Read { variable, .. } = &marked.mark {
            keep(program, plan, variable);
        }
        if let Some(plan) = plan.classes.get_mut(class) {
            plan.follows.marks.push((marked.method, marked.pc, marked.mark));
        }
    }
    for class in &mut plan.classes {
        class.follows.marks.sort();
    }
    Ok(())
}

/// The classes that are checked come first, each with its entry.
fn read(request: &Request<'_>) -> Result<(Input, Vec<EntryKey>), Error> {
    let classes = request.archive.classes();
    let (checked, others): (Vec<&Entry>, Vec<&Entry>) = classes
        .iter()
        .filter(|entry| is_wanted(entry))
        .partition(|entry| request.scope.contains(class_name_of(&entry.name)));
    let mut input = Input {
        facts: Vec::new(),
        bodies: Vec::new(),
        checked: checked.len(),
    };
    let mut keys = Vec::new();
    let looked: Result<Vec<_>, Error> = checked
        .par_iter()
        .map(|entry| checking::facts_and_body(request.archive, entry, Assertions::LeftOut))
        .collect();
    let others: Vec<_> = others
        .par_iter()
        .filter_map(|entry| {
            Some((
                key(entry),
                checking::facts_and_body(request.archive, entry, Assertions::LeftOut).ok()?,
            ))
        })
        .collect();
    let checked = checked.iter().map(|entry| key(entry)).zip(looked?);
    for (key, (facts, body)) in checked.chain(others) {
        keys.push(key);
        input.facts.push(facts);
        input.bodies.push(body);
    }
    for path in request.classpath {
        for (facts, body) in checking::read_library(path, Assertions::LeftOut)? {
            input.facts.push(facts);
            input.bodies.push(body);
        }
    }
    Ok((input, keys))
}

/// Whether every class of that name is woven and has room beside the field, under its name.
fn is_kept(program: &Program, variable: &Variable) -> bool {
    let mut definitions = program.definitions(&variable.class).peekable();
    definitions.peek().is_some()
        && definitions.all(|class| {
            let facts = &class.facts;
            let namesakes = facts.fields.iter().filter(|f| *f.name == *variable.field).count();
            // JVMS 4.5: fields of interfaces are final; a record has no fields but its components.
            let is_record = facts.superclass.as_deref() == Some("java/lang/Record");
            class.woven
                && facts.access & access::INTERFACE == 0
                && !is_record
                && namesakes == 1
                && class.field(&variable.field, &variable.descriptor).is_some()
        })
}

fn keep(program: &Program, plan: &mut Plan<'_>, variable: &Variable) {
    let classes = program.classes.iter().zip(&mut plan.classes);
    for (class, plan) in classes.filter(|(class, _)| class.facts.name == variable.class) {
        let fields = class.facts.fields.iter();
        if let Some(index) = fields.into_iter().position(|f| *f.name == *variable.field) {
            plan.follows.cells.insert((index, variable.inside));
        }
    }
}
