//! Which monitor instructions no catch-all handler covers, and which stand in one.
//!
//! HotSpot does not compile a method in which an instruction that may throw runs with a monitor held and
//! no handler that catches everything (`GenerateOopMap::do_exception_edge`): a call put beside such an
//! instruction would make the method run interpreted for ever. Compilers cover both sides of a
//! `synchronized` block, with small differences in where the range begins and ends.

use std::collections::{BTreeMap, BTreeSet};

use super::opcode::{ALOAD, ALOAD_0, ALOAD_3, ASTORE, ASTORE_0, ASTORE_3, MONITORENTER, MONITOREXIT};
use super::{Code, Insn};

/// A range that covers its own handler (javac's, around the exceptional `monitorexit`) is none to rely on: a call
/// there that finds no stack left would be caught by the very handler that makes it, for ever, and C1 does not
/// compile such a method.
fn covered(code: &Code<'_>, pc: u32) -> bool {
    code.exceptions
        .iter()
        .any(|range| range.catch_type == 0 && range.covers(pc) && !range.covers(u32::from(range.handler)))
}

fn uncovered(code: &Code<'_>, insns: &[Insn], op: u8, place: impl Fn(&Insn) -> u32) -> BTreeSet<u32> {
    insns
        .iter()
        .filter(|insn| insn.op == op && !covered(code, place(insn)))
        .map(|insn| insn.pc)
        .collect()
}

/// The `monitorexit` instructions that stand in no catch-all range.
pub fn uncovered_exits(code: &Code<'_>, insns: &[Insn]) -> BTreeSet<u32> {
    uncovered(code, insns, MONITOREXIT, |insn| insn.pc)
}

/// The `monitorenter` instructions whose next instruction stands in no catch-all range.
pub fn uncovered_enters(code: &Code<'_>, insns: &[Insn]) -> BTreeSet<u32> {
    uncovered(code, insns, MONITORENTER, |insn| insn.pc + insn.len)
}

/// The `monitorexit` instructions with which handlers begin, each with the pc of its handler: the ways out of a
/// `synchronized` block by an exception. Whatever covers them belongs to code around the block.
pub fn exceptional_exits(code: &Code<'_>, insns: &[Insn]) -> BTreeMap<u32, u32> {
    let mut found = BTreeMap::new();
    for range in &code.exceptions {
        let handler = u32::from(range.handler);
        let Ok(at) = insns.binary_search_by_key(&handler, |insn| insn.pc) else {
            continue;
        };
        let mut rest = insns.iter().skip(at).peekable();
        // javac keeps the exception in a local, ecj on the stack.
        rest.next_if(|insn| insn.op == ASTORE || (ASTORE_0..=ASTORE_3).contains(&insn.op));
        let lock = rest.next_if(|insn| insn.op == ALOAD || (ALOAD_0..=ALOAD_3).contains(&insn.op));
        if let (Some(_), Some(exit)) = (lock, rest.next_if(|insn| insn.op == MONITOREXIT)) {
            found.insert(exit.pc, handler);
        }
    }
    found
}
