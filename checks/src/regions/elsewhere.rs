//! What the rest of the program does meanwhile: the views of all critical sections, and who calls whom with which locks.

use super::{Slot, Touched, accesses_at, is_initialiser};
use crate::body::InstrId;
use crate::facts::summary::View;
use crate::facts::{Path, Program, Section};
use racewire_analysis::world::MethodId;
use racewire_classfile::access;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Callers of callers beyond this are not asked.
const MOST_CALLERS: usize = 64;
const DEEPEST: usize = 8;

/// A critical section, whoever executes it.
#[derive(Debug)]
struct Lived {
    method: MethodId,
    /// Whatever the object, with the line of the first read and the first write.
    view: BTreeMap<Slot, (Touched, u16, u16)>,
}

/// Where another thread may do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub method: MethodId,
    pub line: u16,
    pub write: bool,
}

/// What a critical section does to some variables: whether it updates them, and where.
#[derive(Debug, Clone)]
pub struct SlotView {
    pub method: MethodId,
    pub updates: BTreeMap<Slot, (bool, u16)>,
}

#[derive(Debug, Default)]
pub struct Elsewhere {
    sections: Vec<Lived>,
    by_slot: FxHashMap<Slot, Vec<u32>>,
    /// By method: the calls that may reach it.
    callers: Vec<Vec<(MethodId, InstrId)>>,
}

impl Elsewhere {
    pub fn new(program: &Program<'_>) -> Elsewhere {
        let count = program.world.methods.len() as MethodId;
        let mut elsewhere = Elsewhere {
            callers: callers(program),
            ..Elsewhere::default()
        };
        elsewhere.sections = (0..count)
            .into_par_iter()
            .flat_map_iter(|method| elsewhere.sections_of(program, method))
            .collect();
        for (nth, section) in (0..).zip(&elsewhere.sections) {
            for slot in section.view.keys() {
                elsewhere.by_slot.entry(*slot).or_default().push(nth);
            }
        }
        elsewhere
    }

    /// Where a critical section writes the variable that another thread may be in while this method runs.
    pub fn writer(&self, program: &Program<'_>, method: MethodId, slot: Slot) -> Option<Place> {
        self.views_of(program, method, slot)
            .find_map(|section| section.place(slot, true))
    }

    /// A critical section that another thread may be in while the method runs and that touches both variables: writes
    /// what the method reads, reads or writes what it writes. `writes`: whether the method writes the one, the other.
    pub fn both(
        &self,
        program: &Program<'_>,
        method: MethodId,
        slots: [Slot; 2],
        writes: [bool; 2],
    ) -> Option<[Place; 2]> {
        let [one, other] = slots;
        self.views_of(program, method, one).find_map(|section| {
            let first = section.conflict(one, writes[0])?;
            let second = section.conflict(other, writes[1])?;
            Some([first, second])
        })
    }

    /// The same, doing the opposite: it reads both, or writes both.
    pub fn whole(
        &self,
        program: &Program<'_>,
        method: MethodId,
        slots: [Slot; 2],
        written: bool,
    ) -> Option<[Place; 2]> {
        let [one, other] = slots;
        self.views_of(program, method, one)
            .find_map(|section| Some([section.place(one, written)?, section.place(other, written)?]))
    }

    /// The views of the critical sections that another thread may be in while the method runs and that touch one of these.
    pub fn views(&self, program: &Program<'_>, method: MethodId, slots: &BTreeSet<Slot>) -> Vec<SlotView> {
        let mut ids: Vec<u32> = slots
            .iter()
            .filter_map(|slot| self.by_slot.get(slot))
            .flatten()
            .copied()
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids.iter()
            .filter_map(|id| self.sections.get(*id as usize))
            .filter(|section| at_once(program, method, section.method))
            .map(|section| {
                let touched = section.view.iter().filter(|(slot, _)| slots.contains(slot));
                SlotView {
                    method: section.method,
                    updates: touched
                        .map(|(slot, (touched, read, written))| {
                            let line = if touched.written { *written } else { *read };
                            (*slot, (touched.written, line))
                        })
                        .collect(),
                }
            })
            .collect()
    }

    fn views_of<'e>(
        &'e self,
        program: &'e Program<'_>,
        method: MethodId,
        slot: Slot,
    ) -> impl Iterator<Item = &'e Lived> {
        let ids = self.by_slot.get(&slot).map_or(&[][..], Vec::as_slice);
        ids.iter()
            .filter_map(|id| self.sections.get(*id as usize))
            .filter(move |section| at_once(program, method, section.method))
    }

    /// Whether the method may be called without the lock, which is in its own terms.
    pub fn may_be_free(&self, program: &Program<'_>, method: MethodId, lock: &Path) -> bool {
        self.may_be_free_within(program, method, lock, DEEPEST)
    }

    fn may_be_free_within(&self, program: &Program<'_>, method: MethodId, lock: &Path, depth: usize) -> bool {
        if !lock.is_told() || depth == 0 {
            return true;
        }
        let callers = self.callers.get(method as usize).map_or(&[][..], Vec::as_slice);
        let anybody = program.reach.is_library && program.access(method) & access::PUBLIC != 0;
        if anybody || callers.is_empty() || callers.len() > MOST_CALLERS {
            return true;
        }
        callers.iter().any(|&(caller, id)| {
            let Some(view) = View::new(program, caller) else {
                return true;
            };
            let Some(instr) = view.method.body.instr(id) else {
                return true;
            };
            let there = lock.translated(&view.argument_paths(instr));
            // A recursive call adds nothing.
            !view.holds(id, &there)
                && caller != method
                && self.may_be_free_within(program, caller, &there, depth - 1)
        })
    }

    pub fn callers_of(&self, method: MethodId) -> impl Iterator<Item = MethodId> {
        let callers = self.callers.get(method as usize).into_iter().flatten();
        callers.map(|(caller, _)| *caller)
    }

    /// The critical sections of a method, those left out whose lock is always held already.
    fn sections_of(&self, program: &Program<'_>, method: MethodId) -> Vec<Lived> {
        let reached = program
            .reach
            .reached
            .get(method as usize)
            .copied()
            .unwrap_or(false);
        let view = View::new(program, method).filter(|view| !view.sections.is_empty() && reached);
        let Some(view) = view.filter(|_| !is_initialiser(program, method)) else {
            return Vec::new();
        };
        let mut found: Vec<Lived> = Vec::new();
        found.resize_with(view.sections.sections.len(), || Lived {
            method,
            view: BTreeMap::new(),
        });
        for (id, instr) in (0..).zip(&view.method.body.instrs) {
            let held = view.sections.held(id);
            if held.is_empty() {
                continue;
            }
            for access in accesses_at(&view, id) {
                for section in held {
                    let Some(lived) = found.get_mut(*section as usize) else {
                        continue;
                    };
                    let slot = (access.field, access.element);
                    let (touched, read_at, written_at) = lived.view.entry(slot).or_default();
                    touched.add(access.write);
                    let first = if access.write { written_at } else { read_at };
                    if *first == 0 {
                        *first = instr.line;
                    }
                }
            }
        }
        let mut sections = view.sections.sections.iter();
        found.retain(|lived| {
            let takes =
                |section: &Section| !section.reentrant && self.may_be_free(program, method, &section.lock);
            sections.next().is_some_and(takes) && !lived.view.is_empty()
        });
        found
    }

    /// Whether `above` calls `below`, perhaps by way of others.
    pub fn calls(&self, above: MethodId, below: MethodId) -> bool {
        let mut seen = vec![below];
        let mut at = 0;
        while let Some(&method) = seen.get(at) {
            at += 1;
            for (caller, _) in self.callers.get(method as usize).into_iter().flatten() {
                if *caller == above {
                    return true;
                }
                if !seen.contains(caller) && seen.len() < MOST_CALLERS {
                    seen.push(*caller);
                }
            }
        }
        false
    }
}

impl Lived {
    fn place(&self, slot: Slot, write: bool) -> Option<Place> {
        let (touched, read_at, written_at) = self.view.get(&slot)?;
        let does = if write { touched.written } else { touched.read };
        does.then_some(Place {
            method: self.method,
            line: if write { *written_at } else { *read_at },
            write,
        })
    }

    fn conflict(&self, slot: Slot, with_write: bool) -> Option<Place> {
        let read = || with_write.then(|| self.place(slot, false)).flatten();
        self.place(slot, true).or_else(read)
    }
}

/// Whether two threads may run the two methods at once.
fn at_once(program: &Program<'_>, one: MethodId, other: MethodId) -> bool {
    let runs = program.verdicts.runs.as_ref();
    runs.is_none_or(|runs| runs.at_once(one, other))
}

fn callers(program: &Program<'_>) -> Vec<Vec<(MethodId, InstrId)>> {
    let count = program.world.methods.len();
    let mut callers = vec![Vec::new(); count];
    for caller in 0..count as MethodId {
        let reached = program
            .reach
            .reached
            .get(caller as usize)
            .copied()
            .unwrap_or(false);
        let Some(method) = program.method(caller).filter(|_| reached) else {
            continue;
        };
        for (id, instr) in (0..).zip(&method.body.instrs) {
            let calls = program.calls(method, instr);
            for &target in calls.map_or(&[][..], |calls| calls.targets) {
                if let Some(callers) = callers.get_mut(target as usize) {
                    callers.push((caller, id));
                }
            }
        }
    }
    callers
}
