//! Which monitor instructions no catch-all handler covers.
//!
//! HotSpot does not compile a method in which an instruction that may throw runs with a monitor held and
//! no handler that catches everything (`GenerateOopMap::do_exception_edge`): a call put beside such an
//! instruction would make the method run interpreted for ever. Compilers cover both sides of a
//! `synchronized` block, with small differences in where the range begins and ends.

use super::opcode::{MONITORENTER, MONITOREXIT};
use super::{ClassError, Code, Insn};

/// A range that covers its own handler (javac's, around the exceptional `monitorexit`) is none to rely on: a call
/// there that finds no stack left would be caught by the very handler that makes it, for ever, and C1 does not
/// compile such a method.
fn covered(code: &Code<'_>, pc: u32) -> bool {
    code.exceptions.iter().any(|range| {
        let covers = |pc: u32| (u32::from(range.start)..u32::from(range.end)).contains(&pc);
        range.catch_type == 0 && covers(pc) && !covers(u32::from(range.handler))
    })
}

fn uncovered(code: &Code<'_>, op: u8, place: impl Fn(&Insn) -> u32) -> Result<Vec<u32>, ClassError> {
    // Nearly all methods have neither instruction: their byte is not even there.
    if !code.bytecode.contains(&op) {
        return Ok(Vec::new());
    }
    let instructions = code.instructions()?;
    let found = instructions
        .iter()
        .filter(|insn| insn.op == op && !covered(code, place(insn)));
    Ok(found.map(|insn| insn.pc).collect())
}

/// The `monitorexit` instructions that stand in no catch-all range.
pub fn uncovered_exits(code: &Code<'_>) -> Result<Vec<u32>, ClassError> {
    uncovered(code, MONITOREXIT, |insn| insn.pc)
}

/// The `monitorenter` instructions whose next instruction stands in no catch-all range.
pub fn uncovered_enters(code: &Code<'_>) -> Result<Vec<u32>, ClassError> {
    uncovered(code, MONITORENTER, |insn| insn.pc + insn.len)
}
