//! Where instructions begin and how long they are (JVMS 4.9.1).

use super::ClassError;
use super::bytes::u32_at;
use super::opcode::{self, LENGTH};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Insn {
    pub pc: u32,
    /// For `wide` this is `wide` itself; the widened instruction is the next byte.
    pub op: u8,
    pub len: u32,
}

impl Insn {
    /// The two-byte operand, which in most instructions that have one is an index into the constant pool.
    #[inline]
    pub fn operand(&self, code: &[u8]) -> Result<u16, ClassError> {
        let pc = self.pc as usize;
        super::bytes::u16_at(code, pc + 1).map_err(|_| bad(pc, "operand is cut off"))
    }
}

fn bad(pc: usize, reason: &'static str) -> ClassError {
    ClassError::BadCode {
        pc: pc as u32,
        reason,
    }
}

/// The length of the instruction at `pc`, which must lie inside the code whole.
#[inline]
pub fn length_at(code: &[u8], pc: usize) -> Result<usize, ClassError> {
    let op = *code.get(pc).ok_or_else(|| bad(pc, "outside the code"))?;
    let length = match LENGTH[usize::from(op)] {
        0 => variable_length(code, pc, op)?,
        fixed => usize::from(fixed),
    };
    if length > code.len() - pc {
        Err(bad(pc, "instruction runs past the end of the code"))
    } else {
        Ok(length)
    }
}

#[cold]
fn variable_length(code: &[u8], pc: usize, op: u8) -> Result<usize, ClassError> {
    match op {
        opcode::WIDE => match code.get(pc + 1) {
            Some(&opcode::IINC) => Ok(6),
            Some(&(opcode::ILOAD..=opcode::ALOAD | opcode::ISTORE..=opcode::ASTORE | opcode::RET)) => Ok(4),
            _ => Err(bad(pc, "wide before an instruction that has no wide form")),
        },
        opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
            let switch = Switch::read(code, pc)?;
            Ok(1 + switch.padding + switch.head_len() + switch.targets * switch.stride())
        }
        _ => Err(bad(pc, "unknown instruction")),
    }
}

/// The operands of a `tableswitch` or `lookupswitch`, in place.
#[derive(Debug, Clone, Copy)]
pub struct Switch {
    pub is_table: bool,
    /// Bytes between the opcode and the operands, so that these stand at a multiple of four (JVMS 6.5).
    pub padding: usize,
    /// Where the operands (default, then low and high, or npairs) begin.
    pub operands: usize,
    /// How many targets there are besides the default.
    pub targets: usize,
}

/// Padding of a switch at `pc`.
pub const fn switch_padding(pc: usize) -> usize {
    3 - pc % 4
}

impl Switch {
    pub fn read(code: &[u8], pc: usize) -> Result<Self, ClassError> {
        let is_table = code.get(pc) == Some(&opcode::TABLESWITCH);
        let padding = switch_padding(pc);
        let operands = pc + 1 + padding;
        let cut = |_| bad(pc, "switch runs past the end of the code");
        let targets = if is_table {
            let low = u32_at(code, operands + 4).map_err(cut)? as i32;
            let high = u32_at(code, operands + 8).map_err(cut)? as i32;
            i64::from(high) - i64::from(low) + 1
        } else {
            i64::from(u32_at(code, operands + 4).map_err(cut)? as i32)
        };
        // More targets than bytes cannot be; the rest is checked against the code's end by the caller.
        match usize::try_from(targets) {
            Ok(targets) if targets <= code.len() => Ok(Self {
                is_table,
                padding,
                operands,
                targets,
            }),
            _ => Err(bad(pc, "switch with an impossible number of targets")),
        }
    }

    /// Bytes of operands before the first target: default, low, high; or default, npairs.
    pub fn head_len(&self) -> usize {
        if self.is_table { 12 } else { 8 }
    }

    /// Bytes per target: an offset, or a match and an offset.
    pub fn stride(&self) -> usize {
        if self.is_table { 4 } else { 8 }
    }

    /// Where, from the operands' start, the offset of each target stands; the default's is the first.
    pub fn offset_positions(self) -> impl Iterator<Item = usize> {
        let first = self.head_len() + self.stride() - 4;
        std::iter::once(0).chain((0..self.targets).map(move |nth| first + nth * self.stride()))
    }
}

/// The instructions of some code one after the other; they must cover it exactly. One that cannot be read is the last.
#[derive(Debug, Clone)]
pub struct Instructions<'a> {
    code: &'a [u8],
    pc: usize,
}

impl<'a> Instructions<'a> {
    pub fn new(code: &'a [u8]) -> Self {
        Self::from(code, 0)
    }

    /// From the instruction at `pc` on.
    pub fn from(code: &'a [u8], pc: u32) -> Self {
        let pc = pc as usize;
        Self { code, pc }
    }
}

impl Iterator for Instructions<'_> {
    type Item = Result<Insn, ClassError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let pc = self.pc;
        let op = *self.code.get(pc)?;
        let length = length_at(self.code, pc);
        self.pc = match length {
            Ok(length) => pc + length,
            Err(_) => self.code.len(),
        };
        Some(length.map(|length| Insn {
            pc: pc as u32,
            op,
            len: length as u32,
        }))
    }
}

/// Some of the opcodes, for walks over code that look at nothing else.
#[derive(Debug)]
pub struct Wanted {
    /// By opcode: its length if the walk goes on behind it at once, else 0.
    steps: [u8; 256],
    is_wanted: [bool; 256],
}

impl Wanted {
    /// Those that lie in one of the ranges, both ends included.
    pub const fn within(ranges: &[(u8, u8)]) -> Self {
        let none = Self {
            steps: opcode::lengths(),
            is_wanted: [false; 256],
        };
        none.and(ranges)
    }

    /// Those in these ranges, too.
    pub const fn and(mut self, ranges: &[(u8, u8)]) -> Self {
        let mut nth = 0;
        while nth < ranges.len() {
            let mut op = ranges[nth].0;
            while op <= ranges[nth].1 {
                self.is_wanted[op as usize] = true;
                self.steps[op as usize] = 0;
                op += 1;
            }
            nth += 1;
        }
        self
    }
}

/// Calls `each` with the instructions whose opcodes are wanted, one after the other, until it gives `false`.
#[inline]
pub fn select(
    code: &[u8],
    wanted: &Wanted,
    mut each: impl FnMut(Insn) -> Result<bool, ClassError>,
) -> Result<(), ClassError> {
    let mut pc = 0;
    while let Some(&op) = code.get(pc) {
        let step = wanted.steps[usize::from(op)];
        if step != 0 {
            pc += usize::from(step);
            continue;
        }
        let length = length_at(code, pc)?;
        if wanted.is_wanted[usize::from(op)] {
            let (pc, len) = (pc as u32, length as u32);
            if !each(Insn { pc, op, len })? {
                return Ok(());
            }
        }
        pc += length;
    }
    if pc > code.len() {
        return Err(bad(code.len(), "instruction runs past the end of the code"));
    }
    Ok(())
}

/// The pcs that the branch or switch at `pc` may jump to; nothing for other instructions.
pub fn targets(code: &[u8], pc: usize, mut each: impl FnMut(i64)) -> Result<(), ClassError> {
    use opcode::Flow;
    let op = *code.get(pc).ok_or_else(|| bad(pc, "outside the code"))?;
    let cut = |_| bad(pc, "outside the code");
    let from = pc as i64;
    match opcode::flow(op) {
        Flow::If | Flow::Goto | Flow::Jsr => {
            each(from + i64::from(super::bytes::u16_at(code, pc + 1).map_err(cut)? as i16));
        }
        Flow::GotoW | Flow::JsrW => each(from + i64::from(u32_at(code, pc + 1).map_err(cut)? as i32)),
        Flow::Switch => {
            let switch = Switch::read(code, pc)?;
            for at in switch.offset_positions() {
                each(from + i64::from(u32_at(code, switch.operands + at).map_err(cut)? as i32));
            }
        }
        Flow::Next | Flow::End => {}
    }
    Ok(())
}
