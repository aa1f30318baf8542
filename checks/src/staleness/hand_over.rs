//! The hand-over protocol (figure 5 of Artho, Biere and Havelund): what is taken out of a shared structure belongs to who
//! took it, and is no old copy of anything.
//!
//! It is taken out if the critical section that reads it changes what it was read from: the next index moves on, the
//! head becomes its successor, the slot is emptied, the list is replaced, the counter counts.

use super::sources::{Source, is_container, reads_container};
use crate::body::{Instr, InstrId, Op};
use crate::facts::AccessFact;
use crate::facts::summary::View;

pub fn is_handed_over(view: &View<'_, '_>, source: &Source) -> bool {
    let Some(instr) = view.method.body.instr(source.instr) else {
        return false;
    };
    let takes = |access: &AccessFact| takes(access, source);
    if source.by_call && view.accesses_of_call(source.instr, instr).iter().any(takes) {
        return true;
    }
    if removes(view, instr, source) {
        return true;
    }
    let Some(section) = source.section else {
        return false;
    };
    (0..)
        .zip(&view.method.body.instrs)
        .any(|(id, instr): (InstrId, &Instr)| {
            if !view.sections.held(id).contains(&section) {
                return false;
            }
            match instr.op {
                Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore => {
                    view.access(id, instr).is_some_and(|access| takes(&access))
                }
                Op::Call(..) => {
                    removes(view, instr, source)
                        || id != source.instr && view.accesses_of_call(id, instr).iter().any(takes)
                }
                _ => false,
            }
        })
}

/// Whether the access takes what `source` reads out of its structure.
fn takes(access: &AccessFact, source: &Source) -> bool {
    let same_object = access.base == source.base;
    access.write
        && same_object
        && (access.field == source.field || source.inside || source.by_call && access.element)
}

/// `queue.poll()`, `map.remove(key)`, `list.clear()` on the container that is read.
fn removes(view: &View<'_, '_>, instr: &Instr, source: &Source) -> bool {
    let called = view.program.called(view.method, instr);
    let is_removal = called.is_some_and(|called| {
        is_container(&called.owner)
            && ["remove", "poll", "pop", "clear", "pollFirst", "take"]
                .iter()
                .any(|name| called.name.starts_with(name))
    });
    is_removal && reads_container(view, instr, source)
}
