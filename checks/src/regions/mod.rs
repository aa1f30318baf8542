//! What a method does under locks, region by region: the view of each, for the detectors that compare views.
//!
//! A *region* is a critical section of the method itself, or a call of a method that takes a lock of its own. What is
//! done under a lock that is held already, by the method or by everybody who calls it, is part of the region around it.

mod elsewhere;

pub use elsewhere::{Elsewhere, Place, SlotView};

use crate::body::{BlockId, Body, Instr, InstrId, Op};
use crate::facts::summary::View;
use crate::facts::{AccessFact, FieldId, Path, Program, SectionId};
use racewire_analysis::world::MethodId;
use std::collections::BTreeMap;

/// A variable as one method sees it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable {
    pub field: FieldId,
    /// What the array or collection in the field holds.
    pub element: bool,
    /// The object; `None` for static fields.
    pub base: Option<Path>,
}

impl Variable {
    /// Whatever the object.
    pub fn slot(&self) -> Slot {
        (self.field, self.element)
    }
}

/// A variable of any object: the field, and whether it is what the field's array or collection holds.
pub type Slot = (FieldId, bool);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Touched {
    pub read: bool,
    pub written: bool,
}

impl Touched {
    pub fn add(&mut self, write: bool) {
        self.read |= !write;
        self.written |= write;
    }
}

#[derive(Debug, Clone)]
pub struct Region {
    /// Where the lock is taken: monitorenter, `lock()`, or the call of a method that takes it.
    pub at: InstrId,
    /// The method's own section; `None`: what it calls takes the lock.
    pub section: Option<SectionId>,
    pub lock: Path,
    /// What is read and written, with the line in this method.
    pub view: BTreeMap<Variable, (Touched, u16)>,
}

/// The regions of a method in the order of the code, those that touch nothing left out.
pub fn regions(view: &View<'_, '_>, elsewhere: &Elsewhere) -> Vec<Region> {
    let mut found: Vec<Region> = Vec::new();
    for (id, instr) in (0..).zip(&view.method.body.instrs) {
        let taken = locks_taken(view, instr);
        if taken.is_empty() && view.sections.current(id).is_none() {
            continue;
        }
        for access in accesses_at(view, id) {
            let Some(lock) = access.lock else {
                continue;
            };
            let region = region_at(view, id, &lock);
            let Some((at, section)) = region.filter(|(_, own)| own.is_some() || taken.contains(&lock)) else {
                continue;
            };
            let known = found
                .iter()
                .position(|r| (r.at, r.section) == (at, section) && r.lock == lock);
            let nth = known.unwrap_or_else(|| {
                found.push(Region {
                    at,
                    section,
                    lock,
                    view: BTreeMap::new(),
                });
                found.len() - 1
            });
            let variable = Variable {
                field: access.field,
                element: access.element,
                base: access.base,
            };
            if let Some(region) = found.get_mut(nth) {
                let (touched, _) = region
                    .view
                    .entry(variable)
                    .or_insert((Touched::default(), instr.line));
                touched.add(access.write);
            }
        }
    }
    found.retain(|region| elsewhere.may_be_free(view.program, view.method.id, &region.lock));
    found.sort_by_key(|region| region.at);
    found
}

/// The locks that the called method takes itself, in terms of this one. Whichever of several methods is meant, it must
/// be so; and what those call in their turn is their business, not that of the abstraction that this method deals with.
fn locks_taken(view: &View<'_, '_>, instr: &Instr) -> Vec<Path> {
    let calls = view.program.calls(view.method, instr);
    let targets = calls.map_or(&[][..], |calls| calls.targets);
    let locks_of = |target: &MethodId| {
        let sections = view.program.sections.get(*target as usize);
        let sections = sections.map_or(&[][..], |sections| &sections.sections);
        sections.iter().filter(|section| !section.reentrant)
    };
    let Some((first, others)) = targets.split_first() else {
        return Vec::new();
    };
    if locks_of(first).next().is_none() {
        return Vec::new();
    }
    let paths = view.argument_paths(instr);
    let translated = |target: &MethodId| -> Vec<Path> {
        locks_of(target)
            .map(|section| section.lock.translated(&paths))
            .collect()
    };
    let mut taken = translated(first);
    for other in others {
        let also = translated(other);
        taken.retain(|lock| also.contains(lock));
    }
    taken
}

/// What the instruction touches, itself or by what it calls, that others may see.
pub fn accesses_at(view: &View<'_, '_>, id: InstrId) -> Vec<AccessFact> {
    let Some(instr) = view.method.body.instr(id) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if view.program.proof(view.method.id, instr.pc).is_none() {
        found.extend(view.access(id, instr));
    }
    if matches!(instr.op, Op::Call(..)) {
        found.extend(view.accesses_of_call(id, instr));
    }
    found.retain(|access| {
        let can_change = view
            .program
            .field_info(access.field)
            .is_some_and(|info| access.element || !info.is_volatile());
        can_change && !is_private(view, access.base.as_ref())
    });
    found
}

/// Whether it is an object that the method itself makes.
pub fn is_private(view: &View<'_, '_>, base: Option<&Path>) -> bool {
    let Some(Path::Value(value)) = base.map(Path::root) else {
        return false;
    };
    let made = view.method.body.made_by(*value);
    made.is_some_and(|instr| matches!(instr.op, Op::New(_) | Op::NewArray))
}

/// Where the region begins that an instruction is in when it does something under this lock, and the method's own
/// section if it is one; `None`: all of the method is in the region, or the lock is not known.
pub fn region_at(view: &View<'_, '_>, id: InstrId, lock: &Path) -> Option<(InstrId, Option<SectionId>)> {
    let held = view.sections.held(id).iter().rev();
    let own = held.copied().find(|section| {
        let section = view.sections.get(*section);
        section.is_some_and(|section| section.lock == *lock && !section.reentrant)
    });
    match own {
        Some(section) => Some((view.sections.get(section)?.enter?, Some(section))),
        None if *lock == Path::Value(0) => None,
        None => Some((id, None)),
    }
}

/// Whether control may get from the one instruction to the other.
pub struct Ways<'b> {
    body: &'b Body,
    /// By block: the blocks that it leads to, in one step or more.
    beyond: BTreeMap<BlockId, Vec<bool>>,
}

impl<'b> Ways<'b> {
    pub fn new(body: &'b Body) -> Ways<'b> {
        Ways {
            body,
            beyond: BTreeMap::new(),
        }
    }

    pub fn lead(&mut self, from: InstrId, to: InstrId) -> bool {
        let block = |id: InstrId| self.body.instr(id).map_or(0, |instr| instr.block);
        let (first, last) = (block(from), block(to));
        let body = self.body;
        let beyond = self.beyond.entry(first).or_insert_with(|| beyond(body, first));
        first == last && from < to || beyond.get(last as usize).copied().unwrap_or(false)
    }
}

fn beyond(body: &Body, from: BlockId) -> Vec<bool> {
    let mut seen = vec![false; body.blocks.len()];
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        let Some(block) = body.blocks.get(at as usize) else {
            continue;
        };
        for &to in block.successors.iter().chain(&block.handlers) {
            if let Some(seen) = seen.get_mut(to as usize)
                && !std::mem::replace(seen, true)
            {
                waiting.push(to);
            }
        }
    }
    seen
}

/// Constructors and initialisers work on what nobody else has seen.
pub fn is_initialiser(program: &Program<'_>, method: MethodId) -> bool {
    program.method_name(method).0.starts_with('<')
}

/// The line of an instruction.
pub fn line(body: &Body, id: InstrId) -> u16 {
    body.instr(id).map_or(0, |instr| instr.line)
}
