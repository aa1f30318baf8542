//! Where code begins that runs only if assertions are on, as compilers write `assert`.
//!
//! javac, ecj and kotlinc (`-Xassertions=jvm`) ask a field of the class that says that they are off, kotlinc otherwise one of
//! its library that says that they are on. Scala's `assert` is a method that always runs: what it looks at counts.

use super::machine::Names;
use racewire_analysis::ir::blocks::Blocks;
use racewire_classfile::Code;
use racewire_classfile::bytes::u16_at;
use racewire_classfile::opcode::{GETSTATIC, IFEQ, IFNE};

/// Whether code that runs only with assertions on is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assertions {
    Kept,
    LeftOut,
}

/// Length of `getstatic`, and of `ifeq` and `ifne`. That other instructions end with the same bytes, field and all, is no
/// concern.
const LENGTH: usize = 3;

/// Whether the block ends by asking whether assertions are on, and goes on to the next block if so.
pub(super) fn asks(names: &Names<'_, '_>, code: &Code<'_>, blocks: &Blocks, block: usize) -> bool {
    let (first, end) = blocks.range(block);
    let Some(get) = end.checked_sub(2 * LENGTH).filter(|get| *get >= first) else {
        return false;
    };
    let op = |pc: usize| code.bytecode.get(pc).copied();
    let (Some(GETSTATIC), Some(branch @ (IFEQ | IFNE))) = (op(get), op(get + LENGTH)) else {
        return false;
    };
    let field = u16_at(code.bytecode, get + 1).and_then(|index| names.class.pool.member_ref(index));
    field.is_ok_and(|field| match branch {
        IFNE => field.name == "$assertionsDisabled",
        _ => field.name == "ENABLED" && field.owner == "kotlin/_Assertions",
    })
}
