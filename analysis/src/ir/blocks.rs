//! The basic blocks of a method, and the edges between them: branches and exceptions.
//!
//! A block ends at every branch, before every target, and where an exception range begins or ends: so all
//! instructions of a block have the same handlers.

use racewire_classfile::instructions::{Instructions, targets};
use racewire_classfile::opcode::{FLOW, Flow, RET, WIDE};
use racewire_classfile::{ClassError, Code};

use super::bad;

const IS_INSTRUCTION: u8 = 1;
const IS_LEADER: u8 = 2;

/// Javac makes a few edges per block. Code with more edges than this is nothing that a compiler wrote.
const MOST_EDGES: usize = 1 << 20;
/// The same for blocks times exception ranges.
const MOST_LOOKS: usize = 1 << 26;

/// Reused from method to method.
#[derive(Debug, Default)]
pub struct Blocks {
    /// The pc where each block begins, and at the end the length of the code.
    starts: Vec<u32>,
    /// The successors of all blocks: for each, those by branches, then its handlers.
    edges: Vec<u32>,
    /// For each block: where in `edges` its branches end, and where its handlers do.
    ends: Vec<(u32, u32)>,
    /// Some edge leads back.
    has_back_edge: bool,
    marks: Vec<u8>,
    /// The block that begins at a pc; only there is it of any meaning.
    block_at: Vec<u32>,
    /// The instructions that do not just go on to the next.
    branches: Vec<u32>,
}

impl Blocks {
    pub fn build(&mut self, code: &Code<'_>) -> Result<(), ClassError> {
        self.mark(code)?;
        self.cut(code.bytecode.len())?;
        self.connect(code)
    }

    pub fn count(&self) -> usize {
        self.ends.len()
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// First pc, and the pc after the last instruction.
    pub fn range(&self, block: usize) -> (usize, usize) {
        let pc = |at: usize| self.starts.get(at).map_or(0, |pc| *pc as usize);
        (pc(block), pc(block + 1))
    }

    fn edges(&self, block: usize) -> (usize, usize, usize) {
        let end = |at: usize| {
            self.ends
                .get(at)
                .map_or((0, 0), |(a, b)| (*a as usize, *b as usize))
        };
        let start = block.checked_sub(1).map_or(0, |before| end(before).1);
        let (branches, handlers) = end(block);
        (start, branches, handlers)
    }

    /// Where control goes at the end of the block.
    pub fn successors(&self, block: usize) -> &[u32] {
        let (start, end, _) = self.edges(block);
        self.edges.get(start..end).unwrap_or_default()
    }

    /// Where it goes if any of its instructions throws.
    pub fn handlers(&self, block: usize) -> &[u32] {
        let (_, start, end) = self.edges(block);
        self.edges.get(start..end).unwrap_or_default()
    }

    /// Both.
    pub fn all_successors(&self, block: usize) -> &[u32] {
        let (start, _, end) = self.edges(block);
        self.edges.get(start..end).unwrap_or_default()
    }

    pub fn has_back_edge(&self) -> bool {
        self.has_back_edge
    }

    fn mark_leader(&mut self, pc: i64) -> Result<(), ClassError> {
        let slot = usize::try_from(pc).ok().and_then(|pc| self.marks.get_mut(pc));
        *slot.ok_or_else(|| bad(0, "branch out of the code"))? |= IS_LEADER;
        Ok(())
    }

    fn mark(&mut self, code: &Code<'_>) -> Result<(), ClassError> {
        let length = code.bytecode.len();
        self.marks.clear();
        self.marks.resize(length, 0);
        self.branches.clear();
        self.mark_leader(0)?;
        for instruction in Instructions::new(code.bytecode) {
            let instruction = instruction?;
            let pc = instruction.pc as usize;
            if let Some(mark) = self.marks.get_mut(pc) {
                *mark |= IS_INSTRUCTION;
            }
            let op = match instruction.op {
                WIDE => code.bytecode.get(pc + 1).copied().unwrap_or(0),
                op => op,
            };
            let flow = FLOW[usize::from(op)];
            if flow == Flow::Next {
                continue;
            }
            // Subroutines (JVMS 4.10.2.5) need another analysis: only compilers before Java 6 and a few shrinkers
            // make them.
            if matches!(flow, Flow::Jsr | Flow::JsrW) || op == RET {
                return Err(bad(pc, "subroutine"));
            }
            let mut marked = Ok(());
            targets(code.bytecode, pc, |target| {
                if marked.is_ok() {
                    marked = self.mark_leader(target);
                }
            })?;
            marked?;
            self.branches.push(instruction.pc);
            let next = instruction.pc + instruction.len;
            if (next as usize) < length {
                self.mark_leader(i64::from(next))?;
            }
        }
        for range in &code.exceptions {
            self.mark_leader(range.start.into())?;
            self.mark_leader(range.handler.into())?;
            if usize::from(range.end) < length {
                self.mark_leader(range.end.into())?;
            }
        }
        Ok(())
    }

    fn cut(&mut self, length: usize) -> Result<(), ClassError> {
        self.starts.clear();
        self.block_at.resize(length.max(self.block_at.len()), 0);
        for (pc, mark) in self.marks.iter().enumerate() {
            if mark & IS_LEADER == 0 {
                continue;
            }
            if mark & IS_INSTRUCTION == 0 {
                return Err(bad(pc, "branch into an instruction"));
            }
            if let Some(slot) = self.block_at.get_mut(pc) {
                *slot = self.starts.len() as u32;
            }
            self.starts.push(pc as u32);
        }
        self.starts.push(length as u32);
        Ok(())
    }

    fn block(&self, pc: usize) -> u32 {
        self.block_at.get(pc).copied().unwrap_or(0)
    }

    fn connect(&mut self, code: &Code<'_>) -> Result<(), ClassError> {
        let count = self.starts.len() - 1;
        if count.saturating_mul(code.exceptions.len()) > MOST_LOOKS {
            return Err(bad(0, "too many exception ranges in too many blocks"));
        }
        self.edges.clear();
        self.ends.clear();
        self.has_back_edge = false;
        let mut branches = std::mem::take(&mut self.branches);
        let mut coming = branches.iter().copied().peekable();
        for block in 0..count {
            let (start, end) = self.range(block);
            let first = self.edges.len();
            let branch = coming.next_if(|pc| (*pc as usize) < end);
            let mut goes_on = true;
            if let Some(pc) = branch {
                let at = pc as usize;
                let (edges, block_at) = (&mut self.edges, &self.block_at);
                targets(code.bytecode, at, |target| {
                    let target = usize::try_from(target).unwrap_or(0);
                    edges.push(block_at.get(target).copied().unwrap_or(0));
                })?;
                let op = code.bytecode.get(at).copied().unwrap_or(0);
                goes_on = FLOW[usize::from(op)].falls_through();
            }
            if goes_on && end == code.bytecode.len() {
                return Err(bad(start, "control leaves the code"));
            }
            if goes_on {
                self.edges.push(block as u32 + 1);
            }
            self.without_repetition(first, block);
            let branches_end = self.edges.len();
            for range in &code.exceptions {
                // Ranges begin and end at blocks: one that covers the first instruction covers all.
                if range.covers(start as u32) {
                    self.edges.push(self.block(range.handler.into()));
                }
            }
            self.without_repetition(branches_end, block);
            self.ends.push((branches_end as u32, self.edges.len() as u32));
            if self.edges.len() > MOST_EDGES {
                return Err(bad(start, "too many branches"));
            }
        }
        branches.clear();
        self.branches = branches;
        Ok(())
    }

    /// Drops repeated edges from `first` on.
    fn without_repetition(&mut self, first: usize, block: usize) {
        let edges = self.edges.get_mut(first..).unwrap_or_default();
        if edges.len() > 1 {
            edges.sort_unstable();
            let mut kept = 1;
            for at in 1..edges.len() {
                if edges[at] != edges[kept - 1] {
                    edges[kept] = edges[at];
                    kept += 1;
                }
            }
            self.edges.truncate(first + kept);
        }
        let edges = self.edges.get(first..).unwrap_or_default();
        self.has_back_edge |= edges.iter().any(|to| *to as usize <= block);
    }
}
