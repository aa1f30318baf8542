//! What `dup`, its variants and `swap` do to an operand stack, for whoever follows values through code.

use crate::opcode::*;

/// By slots (JVMS 6.5): the top `copied` slots again, below `over` others. The stack begins at `floor` of `slots`.
/// False, and nothing done, if it holds too few.
pub fn shuffle<T: Copy>(slots: &mut Vec<T>, floor: usize, op: u8) -> bool {
    let (copied, over) = match op {
        DUP => (1, 0),
        DUP_X1 => (1, 1),
        DUP_X2 => (1, 2),
        DUP2 => (2, 0),
        DUP2_X1 => (2, 1),
        DUP2_X2 => (2, 2),
        _ => (0, 2),
    };
    let start = match slots.len().checked_sub(copied + over) {
        Some(start) if start >= floor => start,
        _ => return false,
    };
    if op == SWAP {
        slots.swap(start, start + 1);
    } else {
        // `over copied` becomes `copied over copied`.
        slots.extend_from_within(start + over..);
        slots.get_mut(start..).unwrap_or_default().rotate_right(copied);
    }
    true
}
