//! Loops that walk through arrays: innermost loops in which nothing is released or learned, and the accesses in them that
//! come to the next element each time round. Such accesses can be told of together, when the loop is left.
//!
//! A walk ends: it comes to another element each time round, and an array has only so many.

mod body;
mod values;

#[cfg(test)]
mod tests;

use racewire_classfile::{Class, ClassError, Code, Insn, op};

use self::body::Body;
use self::values::{Machine, Value};
use crate::ir::blocks::Blocks;

/// What an instruction of a loop does to the order of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Nothing,
    /// Accesses a variable that is looked at: by then it should be known what reads of elements have shown.
    Access,
    /// Releases or acquires something, or may do so.
    Order,
}

/// An edge into or out of a loop, as a place for code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The beginning of the method.
    Entry,
    Before(u32),
    /// Where the instruction at this pc goes on to the next one.
    After(u32),
}

/// An access that comes to elements the same distance apart, or ever to the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    pub pc: u32,
    /// `None`: ever to the same element.
    pub counter: Option<Counter>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    /// The local variable that each round changes by `step`, once.
    pub slot: u16,
    pub step: i32,
    /// In the rounds it is changed before the access comes.
    pub steps_first: bool,
    /// How much the index grows when the variable grows by 1; never 0.
    pub by: i32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// All ways in. Code may run there once too often, in vain.
    pub entries: Vec<Place>,
    /// All ways out, handlers of exceptions in this method among them. Other ways may lead there, too.
    pub exits: Vec<Place>,
    /// Its code: from, to (exclusive).
    pub ranges: Vec<(u32, u32)>,
    pub walks: Vec<Walk>,
}

/// The loops of a method that walk. `effect` judges their instructions, `is_wanted` the accesses to elements.
pub fn loops(
    class: &Class<'_>,
    code: &Code<'_>,
    insns: &[Insn],
    mut effect: impl FnMut(&Insn) -> Result<Effect, ClassError>,
    is_wanted: impl Fn(&Insn) -> bool,
) -> Result<Vec<Loop>, ClassError> {
    let mut blocks = Blocks::default();
    // Subroutines, and what only the verifier should complain about.
    if blocks.build(code).is_err() || !blocks.has_back_edge() {
        return Ok(Vec::new());
    }
    let bodies = body::innermost(&blocks);
    let mut found = Vec::new();
    for body in &bodies {
        let inside: Vec<&Insn> = body.instructions(&blocks, insns).collect();
        if !inside.iter().any(|insn| is_wanted(insn)) {
            continue;
        }
        let mut shows = false;
        let mut is_quiet = true;
        for insn in &inside {
            match effect(insn)? {
                Effect::Nothing => {}
                Effect::Access => shows = true,
                Effect::Order => is_quiet = false,
            }
        }
        let Some((entries, exits)) = body.edges(&blocks, insns, &bodies).filter(|_| is_quiet) else {
            continue;
        };
        let wanted = |insn: &Insn| is_wanted(insn) && (insn.op >= op::IASTORE || !shows);
        let walks = walks(class, code, body, &blocks, insns, wanted)?;
        if !walks.is_empty() {
            found.push(Loop {
                entries,
                exits,
                ranges: body.ranges(&blocks),
                walks,
            });
        }
    }
    Ok(found)
}

fn walks(
    class: &Class<'_>,
    code: &Code<'_>,
    body: &Body,
    blocks: &Blocks,
    insns: &[Insn],
    is_wanted: impl Fn(&Insn) -> bool,
) -> Result<Vec<Walk>, ClassError> {
    let mut machine = Machine::new(class, code, body.instructions(blocks, insns));
    let mut steps = Vec::new();
    for block in body.in_order() {
        for insn in body::block_instructions(blocks, block, insns) {
            if let Some((slot, step)) = machine.counted(insn) {
                steps.push((slot, step, block, insn.pc));
            }
        }
    }
    // A round may leave it out, or it changes by nothing.
    for (slot, step, block, _) in &steps {
        if *step == 0 || !body.is_in_each_round(*block) {
            machine.forget(*slot);
        }
    }
    let mut walks = Vec::new();
    for block in body.in_order() {
        machine.enter();
        for insn in body::block_instructions(blocks, block, insns) {
            if is_wanted(insn)
                && let Some(index) = machine.index(insn)
            {
                let pc = insn.pc;
                let counter = match index {
                    Value::Linear { counter, by } if body.is_in_each_round(block) => {
                        let known = steps.iter().find(|(slot, ..)| *slot == counter);
                        known.map(|(slot, step, at, step_pc)| Counter {
                            slot: *slot,
                            step: *step,
                            steps_first: if *at == block {
                                *step_pc < pc
                            } else {
                                body.comes_before(*at, block)
                            },
                            by,
                        })
                    }
                    _ => None,
                };
                if counter.is_some() || matches!(index, Value::Constant(_) | Value::Same) {
                    walks.push(Walk { pc, counter });
                }
            }
            machine.step(insn)?;
        }
    }
    Ok(walks)
}
